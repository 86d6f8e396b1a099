//! A car with 14 degrees of freedom: six of the body, the travel and the spin of each wheel.
//!
//! [`crate::equations`] has the equations. The reference point lies on the ground below the centre of mass
//! of the body at rest. With the friction class, the forces of a step are those at its start, and the host
//! integrates the spins; with `tyres="tmeasy"`, tyres and spins are part of the equations.
//!
//! **Limit:** wheels move along z of the body; a suspension class changes toe, camber, springs and the forces
//! of the links, but not the track; the ground is a plane at each wheel during a step; obstacles stop the car
//! as seen from above; wind does not act; no overturning
//! moment.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::prelude::*;

use crate::params::CarParams;
use crate::ports::{Inputs, Kept, Measured};
use crate::vehicle::{FORCES, Model};

/// Default chassis of a car.
pub(crate) const CHASSIS: Chassis = Chassis::new(
    1340.0,
    [0.15, 1.45],
    &[-2.3, -0.85, -2.2, -0.9, 1.9, -0.9, 2.1, -0.7, 2.1, 0.7, 1.9, 0.9, -2.2, 0.9, -2.3, 0.85],
);

/// Wheels of a car: rear pair, then front pair. A suspension can turn each of them.
pub(crate) const WHEELS: &[WheelPlace] = &[
    WheelPlace::placed("rl_wheel").steered(),
    WheelPlace::placed("rr_wheel").steered(),
    WheelPlace::placed("fl_wheel").steered(),
    WheelPlace::placed("fr_wheel").steered(),
];

/// Declares a class of cars.
macro_rules! class {
    ($(#[$doc:meta])* $name:ident, $planar:literal) => {
        $(#[$doc])*
        #[derive(Params)]
        pub struct $name {
            /// Geometry, masses and springs.
            #[param(flatten)]
            car: CarParams,
            /// Derived constants.
            #[param(skip)]
            model: Model,
        }

        #[model]
        impl Dynamics for $name {
            const TIME_INVARIANT: bool = true;
            const ADVANCES: bool = true;
            const STANDS: bool = true;
            const SETS_CAMBER: bool = true;
            const HAS_ENERGIES: bool = true;
            const WHEELS: &'static [WheelPlace] = WHEELS;
            const CHASSIS: Chassis = CHASSIS;
            const WHEEL_INPUTS: &'static [simhost_sdk::abi::PortDesc] = &FORCES;

            fn prepare(&mut self) -> Result<(), String> {
                self.model = Model::new(&self.car, $planar)?;
                Ok(())
            }

            fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
                self.model.arrange(wheels);
                Ok(())
            }

            #[inline(always)]
            fn stand(
                &self,
                inputs: &Inputs,
                wheels: &WheelMotion,
                kept: &Kept,
                footprint: &mut Footprint,
            ) {
                self.model.stand(inputs, wheels, kept, footprint);
            }

            #[inline(always)]
            fn drive(&self, inputs: &Inputs, wheels: &mut Wheels, _: &Step, kept: &mut Kept) {
                self.model.drive(&self.car, inputs, wheels, kept);
            }

            #[inline(always)]
            fn advance_lanes<const N: usize>(&self, lanes: &mut AdvancingLanes<'_, Self, N>) {
                self.model.advance_lanes(&self.car, lanes);
            }

            fn energies(&self, inputs: &Inputs, wheels: &WheelMotion, kept: &Kept) -> Energies {
                self.model.energies(&self.car, inputs, wheels, kept)
            }

            #[inline(always)]
            fn measure_state(&self, wheels: &WheelMotion, kept: &Kept) -> Measured {
                self.model.measure(&self.car, wheels, kept)
            }
        }
    };
}
pub(crate) use class;

class! {
    /// Car with 14 degrees of freedom: body in space, travel and spin of four wheels. The reference point
    /// lies on the ground below the centre of mass.
    Car14Dof, false
}

#[cfg(test)]
mod tests {
    use simhost_sdk::testing;

    use super::*;
    use crate::car::Car;

    fn car(given: &[(&str, &str)]) -> Car {
        testing::written_dynamics::<Car14Dof>(given).model.car
    }

    /// Force of a wheel of the front axle at a compression, m, and a rate, m/s, with the weight that it carries.
    fn front(car: &Car, compression: f64, rate: f64) -> f64 {
        car.springs[2].preload
            + car.curves[1].as_ref().map_or(f64::NAN, |axle| axle.at(compression, rate))
    }

    #[test]
    fn parameters_of_an_axle_replace_its_linear_springs() {
        let weight = car(&[]).body_load()[2];
        assert_eq!(car(&[]).curves, [None, None]);
        let spring = "compression,force\n-0.1,-3000\n0,500\n0.1,4000\n";
        let damper = "speed,force\n-1,-3000\n1,1000\n";
        for (given, at, expected) in [
            // a curve that is not 0 in the design position does not lift the body
            (&[("front_spring", spring)][..], [0.0, 0.0], weight),
            (&[("front_spring", spring)], [0.1, 0.0], weight + 3500.0),
            (&[("front_preload", "3000")], [0.02, 0.1], 3000.0 + 500.0 + 250.0),
            (&[("front_damper", damper)], [0.02, -1.0], weight + 500.0 - 3000.0),
            (
                &[("front_bump_stop.gap", "0.03"), ("front_bump_stop.stiffness", "1e5")],
                [0.04, 0.0],
                weight + 1000.0 + 1000.0,
            ),
            (
                &[("front_rebound_stop.gap", "0.03"), ("front_rebound_stop.progression", "2e6")],
                [-0.04, 0.0],
                weight - 1000.0 - 100.0,
            ),
        ] {
            let car = car(given);
            let found = front(&car, at[0], at[1]);
            assert!((found - expected).abs() < 1e-6, "{given:?}: {found} N, expected {expected} N");
            assert_eq!(car.curves[0], None);
        }
    }
}
