//! A car with 14 degrees of freedom: six of the body, the travel and the spin of each wheel.
//!
//! [`crate::equations`] has the equations. The reference point lies on the ground below the centre of mass
//! of the body at rest. With the friction class, the forces of a step are those at its start, and the host
//! integrates the spins; with `tyres="tmeasy"`, tyres and spins are part of the equations.
//!
//! **Limit:** wheels move along z of the body; a suspension class changes toe, camber, springs and the forces
//! of the links, but not the track; the ground is a plane at each wheel during a step; obstacles stop the car
//! as seen from above; wind does not act; no aligning moment.

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
            const SETS_CAMBER: bool = true;
            const WHEELS: &'static [WheelPlace] = WHEELS;
            const CHASSIS: Chassis = CHASSIS;
            const WHEEL_INPUTS: &'static [simhost_sdk::abi::PortDesc] = &FORCES;

            fn prepare(&mut self) -> Result<(), String> {
                self.car.check()?;
                self.model = Model::new(&self.car, $planar);
                Ok(())
            }

            fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
                self.model.arrange(wheels);
                Ok(())
            }

            fn drive(&self, inputs: &Inputs, wheels: &mut Wheels, step: &Step, kept: &mut Kept) {
                self.model.drive(&self.car, inputs, wheels, step, kept);
            }

            fn advance(
                &self,
                inputs: &Inputs,
                wheels: &mut Wheels,
                step: &Step,
                kept: &mut Kept,
            ) -> SpatialMotion {
                self.model.advance(&self.car, inputs, wheels, step, kept)
            }

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
