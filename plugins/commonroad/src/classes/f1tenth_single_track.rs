//! The dynamics class of [`crate::models::f1tenth`], a 1:10 car.

use simhost_sdk::abi::{StateDesc, WheelGeometry};
use simhost_sdk::prelude::*;

use super::{SINGLE_TRACK, place, show};
use crate::adapter::{Adapter, BEGUN, BETA, Class, SPEED, STEER, X, Y, YAW, YAW_RATE};
use crate::defects::Defects;
use crate::embedding::{self, MeasuredBody};
use crate::limits::Input;
use crate::models::f1tenth::{self, BLEND, CAR, Car, STATES, States};

/// The dynamics class of [`F1tenthSingleTrackParameters`].
pub type F1tenthSingleTrack = Adapter<F1tenthSingleTrackParameters, STATES>;

/// Single track of the F1TENTH gym, a 1:10 car. The reference point is the centre of gravity.
#[derive(Params)]
pub struct F1tenthSingleTrackParameters {
    /// Mass. In this model the motion depends on it only through the inertia.
    #[param(default = 3.74, range = 0.5..=50.0, unit = "kg")]
    mass: f64,
    /// Moment of inertia in yaw. A larger value makes the vehicle turn in more slowly.
    #[param(default = 0.04712, range = 0.005..=5.0, unit = "kg·m²")]
    yaw_inertia: f64,
    /// Distance from the centre of gravity to the front axle. A larger value makes the vehicle
    /// oversteer more.
    #[param(default = 0.15875, range = 0.05..=1.0, unit = "m")]
    front_axle: f64,
    /// Distance from the centre of gravity to the rear axle. A larger value makes the vehicle
    /// understeer more.
    #[param(default = 0.17145, range = 0.05..=1.0, unit = "m")]
    rear_axle: f64,
    /// Height of the centre of gravity. A larger value takes more load off the rear axle when
    /// braking.
    #[param(default = 0.074, range = 0.0..=0.5, unit = "m")]
    centre_height: f64,
    /// Friction coefficient. A smaller value makes the car slide more.
    #[param(default = 1.0489, range = 0.05..=3.0)]
    mu: f64,
    /// Cornering stiffness of the front tyres per normal load and friction coefficient. A larger
    /// value makes the car oversteer more.
    #[param(default = 4.718, range = 0.5..=30.0, unit = "1/rad")]
    front_stiffness: f64,
    /// Cornering stiffness of the rear tyres per normal load and friction coefficient. A larger
    /// value makes the car understeer more.
    #[param(default = 5.4562, range = 0.5..=30.0, unit = "1/rad")]
    rear_stiffness: f64,
    /// Largest steering angle. A larger value allows the vehicle to turn in a smaller circle.
    #[param(default = 0.4189, above = 0.0, below = 1.4, unit = "rad")]
    max_steer: f64,
    /// Largest steering rate. A smaller value makes the vehicle respond later.
    #[param(default = 3.2, above = 0.0, below = 50.0, unit = "rad/s")]
    max_steer_rate: f64,
    /// Largest forward speed.
    #[param(default = 20.0, above = 0.0, below = 100.0, unit = "m/s")]
    max_speed: f64,
    /// Largest reverse speed.
    #[param(default = 5.0, range = 0.0..=100.0, unit = "m/s")]
    max_reverse_speed: f64,
    /// Speed above which the engine power limits the acceleration. A larger value gives more
    /// acceleration at high speed.
    #[param(default = 7.319, range = 0.1..=100.0, unit = "m/s")]
    switch_speed: f64,
    /// Largest acceleration and deceleration. A larger value shortens the stopping distance.
    #[param(default = 9.51, above = 0.0, below = 50.0, unit = "m/s²")]
    max_acceleration: f64,
    /// Longest step of the integration. A larger value is faster and less accurate.
    #[param(default = 0.001, range = 0.0001..=0.02, unit = "s")]
    integration_step: f64,
    /// Parameters with all overrides.
    #[param(skip)]
    car: Car,
}

impl Default for Car {
    fn default() -> Self {
        CAR
    }
}

impl embedding::Model<STATES> for F1tenthSingleTrackParameters {
    #[inline(always)]
    fn rates(&self, state: &States, input: Input) -> States {
        f1tenth::derivative(&self.car, state, input, Defects::NONE)
    }

    fn stiffness(&self, state: &States) -> f64 {
        let speed = state[3].abs().max(BLEND.from);
        BLEND.weight(speed) * self.car.tyres.stiffness(speed)
    }
}

impl Class<STATES> for F1tenthSingleTrackParameters {
    type Measurements = MeasuredBody;
    const WHEELS: &'static [WheelPlace] = SINGLE_TRACK;
    const CHASSIS: Chassis =
        Chassis::new(3.5, [0.03, 0.2], &[-0.29, -0.155, 0.29, -0.155, 0.29, 0.155, -0.29, 0.155]);
    const SLOTS: &'static [StateDesc] = &[X, Y, STEER, SPEED, YAW, YAW_RATE, BETA, BEGUN];

    fn prepare(&mut self) -> Result<(), String> {
        let tyres = &mut self.car.tyres;
        (tyres.m, tyres.i, tyres.h) = (self.mass, self.yaw_inertia, self.centre_height);
        (tyres.a, tyres.b, tyres.mu) = (self.front_axle, self.rear_axle, self.mu);
        (tyres.c_f, tyres.c_r) = (self.front_stiffness, self.rear_stiffness);
        let (steering, speed) = (&mut self.car.steering, &mut self.car.longitudinal);
        (steering.min, steering.max) = (-self.max_steer, self.max_steer);
        (steering.rate_min, steering.rate_max) = (-self.max_steer_rate, self.max_steer_rate);
        (speed.v_min, speed.v_max) = (-self.max_reverse_speed, self.max_speed);
        (speed.v_switch, speed.a_max) = (self.switch_speed, self.max_acceleration);
        Ok(())
    }

    fn arrange(&self, wheels: &mut [WheelGeometry]) {
        place(wheels, -self.rear_axle, self.front_axle);
    }

    fn integration_step(&self) -> f64 {
        self.integration_step
    }

    fn turn_wheels(&self, wheels: &mut Wheels, state: &States, motion: &Motion) {
        let (sin, cos) = math::sin_cos(state[2]);
        let left = motion.vy + self.front_axle * motion.omega;
        show(wheels, state[2], motion.vx, motion.vx * cos + left * sin);
    }

    fn measure(&self, wheels: &WheelMotion) -> MeasuredBody {
        super::told(wheels).with_body(self.mass, self.yaw_inertia, self.centre_height)
    }
}
