//! The dynamics class of the driving lab: a rigid body of four wheel masses in space.
//!
//! The car is four point masses at its wheel centres ([`crate::body`]). Gravity, air drag, and at each
//! wheel the normal load, the force of the motor, brake, rolling resistance and side friction act on it
//! ([`crate::contact`], [`crate::forces`]). The reference point lies on the ground below the middle of the
//! wheels.
//!
//! Source: driving-lab manual, sections 3.3 and 3.4, corrected. The manual's "centripetal force" m ω × (ω ×
//! r) is left out: within a rigid body it has no resultant, and its torque would change the angular
//! momentum of a body that turns freely. The motor value is an acceleration of the whole car and a brake
//! value the deceleration of the mass of its wheel.
//!
//! **Limit:** all mass lies in the plane of the wheel centres; wheels do not spin up or lock; the ground
//! is a plane at each wheel during a step; obstacles stop the car as seen from above; wind and regions of
//! friction do not act.

mod mechanics;

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::ports::{MassProperties, Odometry};
use simhost_sdk::prelude::*;

use crate::body::Masses;
pub use crate::ports::{Forces, Inputs, Measured};

/// Rigid body of four wheel masses, as in the driving lab. The reference point lies on the ground below
/// the middle of the wheels.
#[derive(Params)]
pub struct FourMassBody {
    /// Mass of both front wheels, which represents the front of the car. A larger value moves the
    /// centre of mass forwards.
    #[param(default = 950.0, above = 0.0, unit = "kg")]
    front_mass: f64,
    /// Mass of both rear wheels, which represents the rear of the car. A larger value moves the
    /// centre of mass backwards.
    #[param(default = 850.0, above = 0.0, unit = "kg")]
    rear_mass: f64,
    /// Distance between the axles. A larger value makes the car turn in a wider circle.
    #[param(default = 2.921, above = 0.0, unit = "m")]
    wheelbase: f64,
    /// Distance between left and right wheels. A larger value makes the car roll less.
    #[param(default = 1.62025, above = 0.0, unit = "m")]
    track: f64,
    /// Distance of the wheel centres from the ground at rest. A larger value makes the car pitch and
    /// roll more.
    #[param(default = 0.3334, above = 0.0, unit = "m")]
    wheel_radius: f64,
    /// Pressure of the tyres. A larger value makes the car roll further.
    #[param(default = 2.5, above = 0.0, unit = "bar")]
    tyre_pressure: f64,
    /// Drag coefficient. A larger value makes the car slow down more at speed.
    #[param(default = 0.3, range = 0.0..)]
    drag_coefficient: f64,
    /// Area that the air hits; by default width times height of the lab's car, 2.027126 m × 1.195245 m. A
    /// larger value makes the car slow down more at speed.
    #[param(default = 2.422912, range = 0.0.., unit = "m²")]
    frontal_area: f64,
    /// Density of the air. A larger value makes the car slow down more at speed.
    #[param(default = 1.225, range = 0.0.., unit = "kg/m³")]
    air_density: f64,
    /// State of the road, which selects the friction coefficient.
    #[param(default = "dry")]
    road: Road,
    /// Friction coefficient of a dry road. A smaller value makes the car slide earlier.
    #[param(default = 0.7, range = 0.0..=3.0)]
    mu_dry: f64,
    /// Friction coefficient of a wet road. A smaller value makes the car slide earlier.
    #[param(default = 0.4, range = 0.0..=3.0)]
    mu_wet: f64,
    /// Wheels to which the motor transmits its force, in proportion to their masses.
    #[param(default = "all")]
    driven: Driven,
    /// Constant part of the rolling resistance, a share of the normal load. A larger value makes the car
    /// roll less far.
    #[param(default = 0.005, range = 0.0..=1.0)]
    rolling_constant: f64,
    /// Part of the rolling resistance at a tyre pressure of 1 bar, in inverse proportion to the pressure.
    /// A larger value makes the car roll less far.
    #[param(default = 0.01, range = 0.0..=1.0)]
    rolling_pressure: f64,
    /// Part of the rolling resistance at a tyre pressure of 1 bar and 100 km/h, which grows with the
    /// square of the speed. A larger value makes the car slow down more at speed.
    #[param(default = 0.0095, range = 0.0..=1.0)]
    rolling_speed: f64,
    /// Stiffness of a tyre normal to the ground. A larger value makes the car pitch and roll less.
    #[param(default = 200000.0, above = 0.0, unit = "N/m")]
    tyre_stiffness: f64,
    /// Damping of a tyre normal to the ground. A larger value makes the car come to rest sooner.
    #[param(default = 10000.0, range = 0.0.., unit = "N·s/m")]
    tyre_damping: f64,
    /// Longest step of the integration. A larger value is faster and less accurate.
    #[param(default = 0.001, range = 0.0001..=0.005, unit = "s")]
    integration_step: f64,
    /// Masses, centre of mass and inertia.
    #[param(skip)]
    masses: Masses,
}

/// State of the road.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Road {
    /// Friction coefficient `mu_dry`.
    #[param(key = "dry")]
    Dry,
    /// Friction coefficient `mu_wet`.
    #[param(key = "wet")]
    Wet,
}

/// Driven wheels.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driven {
    /// Both axles.
    #[param(key = "all")]
    All,
    /// The front axle.
    #[param(key = "front")]
    Front,
    /// The rear axle.
    #[param(key = "rear")]
    Rear,
}

const REAR_LEFT: usize = 0;
const REAR_RIGHT: usize = 1;
const FRONT_LEFT: usize = 2;
const FRONT_RIGHT: usize = 3;

#[model]
impl Dynamics for FourMassBody {
    const TIME_INVARIANT: bool = true;
    const WHEELS: &'static [WheelPlace] = WheelPlace::CAR;
    const CHASSIS: Chassis = Chassis::new(
        1792.0,
        [0.15, 1.195245],
        &[-2.118212, -1.013563, 2.118212, -1.013563, 2.118212, 1.013563, -2.118212, 1.013563],
    );

    fn prepare(&mut self) -> Result<(), String> {
        let axles = [self.front_mass, self.rear_mass];
        self.masses = Masses::new(axles, self.wheelbase, self.track, self.wheel_radius);
        Ok(())
    }

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        let (x, y) = (0.5 * self.wheelbase, 0.5 * self.track);
        let corners = [[-x, y], [-x, -y], [x, y], [x, -y]];
        for (wheel, [x, y]) in wheels.iter_mut().zip(corners) {
            (wheel.x, wheel.y) = (x, y);
        }
        Ok(())
    }

    fn drive(
        &self,
        inputs: &Inputs,
        wheels: &mut Wheels,
        step: &Step,
        forces: &mut Forces,
    ) -> SpatialMotion {
        let mut body = self.begin(inputs);
        let acting = self.wheel_inputs(inputs, &body, step);
        let impulses = self.advance(&mut body, &acting, inputs.gravity, step.dt);
        *forces = Forces::new(&impulses, &body, step.dt);
        let motion = self.motion(&body);
        self.roll_wheels(wheels, inputs.steer, &motion.planar);
        motion
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        let (vx, omega) = wheels.axle_twist(REAR_LEFT, REAR_RIGHT);
        Measured {
            odometry: Odometry {
                odometry_vx: vx,
                odometry_vy: -wheels.x(REAR_LEFT) * omega,
                odometry_omega: omega,
            },
            body: MassProperties {
                mass: self.masses.total,
                yaw_inertia: self.masses.inertia.z,
                centre_x: self.masses.centre.x,
                centre_y: self.masses.centre.y,
                centre_z: self.masses.centre.z,
            },
            steer_angle: 0.5 * (wheels.steer(FRONT_LEFT) + wheels.steer(FRONT_RIGHT)),
        }
    }
}
