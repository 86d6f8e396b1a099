//! Inputs, measurements and states of the classes.

use simhost_sdk::ports::{Attitude, MassProperties, PlanarVelocity, SteeredMeasurements};
use simhost_sdk::prelude::*;

use crate::brakes::WheelBrakes;
use crate::car::each;
use crate::equations::Links;

/// Declares the inputs that read the outputs of suspensions, by the names of axle, output and side.
macro_rules! inputs {
    ($($name:ident, $unit:tt, $doc:tt;)*) => {
        /// Values of the actuators, motion of the body, and outputs of the suspensions.
        #[derive(Clone, Copy, Debug, Default, Ports)]
        pub struct Inputs {
            /// Drive torque of all wheels together, positive forwards.
            #[port(unit = "N·m", optional)]
            pub torque_engine: f64,
            /// Steering angle of an equivalent wheel in the middle of the front axle, positive
            /// counter-clockwise.
            #[port(unit = "rad", optional)]
            pub steer: f64,
            /// Largest torque of all brakes together.
            #[port(unit = "N·m", optional)]
            pub brake_torque: f64,
            /// Brakes of single wheels.
            #[port(flatten)]
            pub brakes: WheelBrakes,
            /// Position of the reference point, world frame.
            #[port(unit = "m")]
            pub x: f64,
            /// Position of the reference point, world frame.
            #[port(unit = "m")]
            pub y: f64,
            /// Height of the reference point, world frame.
            #[port(unit = "m")]
            pub z: f64,
            /// Attitude of the body.
            #[port(flatten)]
            pub attitude: Attitude,
            /// Velocity of the reference point, and the angular velocity about the z axis of the car.
            #[port(flatten)]
            pub velocity: PlanarVelocity,
            /// Velocity of the reference point along the z axis of the car.
            #[port(unit = "m/s")]
            pub body_velocity_z: f64,
            /// Angular velocity about the x axis of the car.
            #[port(unit = "rad/s")]
            pub body_rate_x: f64,
            /// Angular velocity about the y axis of the car.
            #[port(unit = "rad/s")]
            pub body_rate_y: f64,
            /// Gravity.
            #[port(unit = "m/s²")]
            pub gravity: f64,
            $(
                #[doc = $doc]
                #[port(unit = $unit, optional)]
                pub $name: f64,
            )*
        }
    };
}

inputs! {
    rear_camber_left, "rad", "Camber of the left rear wheel, positive with the top outboard; 0 without a suspension.";
    rear_camber_right, "rad", "Camber of the right rear wheel, positive with the top outboard; 0 without a suspension.";
    front_camber_left, "rad", "Camber of the left front wheel, positive with the top outboard; 0 without a suspension.";
    front_camber_right, "rad", "Camber of the right front wheel, positive with the top outboard; 0 without a suspension.";
    rear_toe_left, "rad", "Toe of the left rear wheel, positive with the front inboard; 0 without a suspension.";
    rear_toe_right, "rad", "Toe of the right rear wheel, positive with the front inboard; 0 without a suspension.";
    front_toe_left, "rad", "Toe of the left front wheel, positive with the front inboard; 0 without a suspension.";
    front_toe_right, "rad", "Toe of the right front wheel, positive with the front inboard; 0 without a suspension.";
    front_caster_left, "rad", "Caster angle of the left front wheel; 0 without a suspension.";
    front_caster_right, "rad", "Caster angle of the right front wheel; 0 without a suspension.";
    rear_spring_left, "m", "Compression of the left rear spring; 0 without a suspension.";
    rear_spring_right, "m", "Compression of the right rear spring; 0 without a suspension.";
    front_spring_left, "m", "Compression of the left front spring; 0 without a suspension.";
    front_spring_right, "m", "Compression of the right front spring; 0 without a suspension.";
    rear_motion_ratio_left, "1", "Compression of the left rear spring per travel; 0 without a suspension.";
    rear_motion_ratio_right, "1", "Compression of the right rear spring per travel; 0 without a suspension.";
    front_motion_ratio_left, "1", "Compression of the left front spring per travel; 0 without a suspension.";
    front_motion_ratio_right, "1", "Compression of the right front spring per travel; 0 without a suspension.";
    rear_jacking_left, "N", "Upward force of the left rear links on the body; 0 without a suspension.";
    rear_jacking_right, "N", "Upward force of the right rear links on the body; 0 without a suspension.";
    front_jacking_left, "N", "Upward force of the left front links on the body; 0 without a suspension.";
    front_jacking_right, "N", "Upward force of the right front links on the body; 0 without a suspension.";
}

impl Inputs {
    /// Returns the camber and the toe of each wheel, positive with the top and the front outboard and inboard.
    #[inline(always)]
    pub(crate) fn angles(&self) -> [[f64; 4]; 2] {
        [
            [
                self.rear_camber_left,
                self.rear_camber_right,
                self.front_camber_left,
                self.front_camber_right,
            ],
            [self.rear_toe_left, self.rear_toe_right, self.front_toe_left, self.front_toe_right],
        ]
    }

    /// Returns the links of each wheel for the travels of the moment.
    #[inline(always)]
    pub(crate) fn links(&self, travel: [f64; 4]) -> [Links; 4] {
        let given = [
            (self.rear_spring_left, self.rear_motion_ratio_left, self.rear_jacking_left),
            (self.rear_spring_right, self.rear_motion_ratio_right, self.rear_jacking_right),
            (self.front_spring_left, self.front_motion_ratio_left, self.front_jacking_left),
            (self.front_spring_right, self.front_motion_ratio_right, self.front_jacking_right),
        ];
        each!(wheel => {
            let (spring, ratio, jacking) = given[wheel];
            let guided = ratio != 0.0;
            let none = Links { spring: travel[wheel], at: travel[wheel], ..Links::NONE };
            let own = Links { spring, at: travel[wheel], ratio, jacking, has_jacking: true };
            if guided { own } else { none }
        })
    }
}

/// What a car keeps between two steps, apart from the motion of its body.
#[derive(State)]
pub struct Kept {
    /// Travel of the left rear wheel, positive in bump.
    #[state(unit = "m")]
    pub(crate) travel_rl: f64,
    /// Travel of the right rear wheel, positive in bump.
    #[state(unit = "m")]
    pub(crate) travel_rr: f64,
    /// Travel of the left front wheel, positive in bump.
    #[state(unit = "m")]
    pub(crate) travel_fl: f64,
    /// Travel of the right front wheel, positive in bump.
    #[state(unit = "m")]
    pub(crate) travel_fr: f64,
    /// Velocity of the left rear wheel along z of the body.
    #[state(unit = "m/s")]
    pub(crate) rise_rl: f64,
    /// Velocity of the right rear wheel along z of the body.
    #[state(unit = "m/s")]
    pub(crate) rise_rr: f64,
    /// Velocity of the left front wheel along z of the body.
    #[state(unit = "m/s")]
    pub(crate) rise_fl: f64,
    /// Velocity of the right front wheel along z of the body.
    #[state(unit = "m/s")]
    pub(crate) rise_fr: f64,
    /// Load of the left rear wheel at the start of the last step.
    #[state(unit = "N")]
    pub(crate) load_rl: f64,
    /// Load of the right rear wheel at the start of the last step.
    #[state(unit = "N")]
    pub(crate) load_rr: f64,
    /// Load of the left front wheel at the start of the last step.
    #[state(unit = "N")]
    pub(crate) load_fl: f64,
    /// Load of the right front wheel at the start of the last step.
    #[state(unit = "N")]
    pub(crate) load_fr: f64,
    /// Rate of the travel of the left rear wheel.
    #[state(unit = "m/s")]
    pub(crate) rate_rl: f64,
    /// Rate of the travel of the right rear wheel.
    #[state(unit = "m/s")]
    pub(crate) rate_rr: f64,
    /// Rate of the travel of the left front wheel.
    #[state(unit = "m/s")]
    pub(crate) rate_fl: f64,
    /// Rate of the travel of the right front wheel.
    #[state(unit = "m/s")]
    pub(crate) rate_fr: f64,
    /// Spin of the left rear wheel at the start of the last step.
    #[state(unit = "rad/s")]
    pub(crate) spin_rl: f64,
    /// Spin of the right rear wheel at the start of the last step.
    #[state(unit = "rad/s")]
    pub(crate) spin_rr: f64,
    /// Spin of the left front wheel at the start of the last step.
    #[state(unit = "rad/s")]
    pub(crate) spin_fl: f64,
    /// Spin of the right front wheel at the start of the last step.
    #[state(unit = "rad/s")]
    pub(crate) spin_fr: f64,
    /// Rise of the body from its rest above the ground, mean over the corners.
    #[state(unit = "m")]
    pub(crate) heave: f64,
    /// Steering angle of the step before.
    #[state(unit = "rad")]
    pub(crate) steer_before: f64,
    /// Change of the steering angle in the step before.
    #[state(unit = "rad")]
    pub(crate) steer_change: f64,
    /// Drive torque of the step before.
    #[state(unit = "N·m")]
    pub(crate) torque_before: f64,
    /// Change of the drive torque in the step before.
    #[state(unit = "N·m")]
    pub(crate) torque_change: f64,
    /// Brake torque of the step before.
    #[state(unit = "N·m")]
    pub(crate) brake_before: f64,
    /// Change of the brake torque in the step before.
    #[state(unit = "N·m")]
    pub(crate) brake_change: f64,
    /// Drive torque on all wheels.
    #[state(unit = "N·m")]
    pub(crate) drive_torque: f64,
    /// Travel of the steering rack, positive to the left.
    #[state(unit = "m")]
    pub(crate) rack: f64,
    /// Caster angle that the suspension gives the left front wheel.
    #[state(unit = "rad")]
    pub(crate) caster_left: f64,
    /// Caster angle that the suspension gives the right front wheel.
    #[state(unit = "rad")]
    pub(crate) caster_right: f64,
    /// 1 after the first step, or else 0.
    #[state(discrete)]
    pub(crate) has_started: f64,
}

impl Kept {
    #[inline(always)]
    pub(crate) fn travel(&self) -> [f64; 4] {
        [self.travel_rl, self.travel_rr, self.travel_fl, self.travel_fr]
    }

    #[inline(always)]
    pub(crate) fn rise(&self) -> [f64; 4] {
        [self.rise_rl, self.rise_rr, self.rise_fl, self.rise_fr]
    }

    #[inline(always)]
    pub(crate) fn load(&self) -> [f64; 4] {
        [self.load_rl, self.load_rr, self.load_fl, self.load_fr]
    }

    #[inline(always)]
    pub(crate) fn rate(&self) -> [f64; 4] {
        [self.rate_rl, self.rate_rr, self.rate_fl, self.rate_fr]
    }

    #[inline(always)]
    pub(crate) fn spin(&self) -> [f64; 4] {
        [self.spin_rl, self.spin_rr, self.spin_fl, self.spin_fr]
    }

    #[inline(always)]
    pub(crate) fn set_spin(&mut self, spin: [f64; 4]) {
        [self.spin_rl, self.spin_rr, self.spin_fl, self.spin_fr] = spin;
    }

    /// Returns steering angle, drive torque and brake torque at the end of the step, as they change steadily: by
    /// the smaller of the last two changes, or by nothing if one has another sign. Keeps the present values.
    #[inline(always)]
    pub(crate) fn extrapolated(&mut self, now: [f64; 3]) -> [f64; 3] {
        let before = [self.steer_before, self.torque_before, self.brake_before];
        let last = [self.steer_change, self.torque_change, self.brake_change];
        let known = self.has_started != 0.0;
        let mut ahead = now;
        let mut change = [0.0; 3];
        for k in 0..3 {
            change[k] = if known { now[k] - before[k] } else { 0.0 };
            let smaller = if last[k].abs() < change[k].abs() { last[k] } else { change[k] };
            let steady = last[k] * change[k] > 0.0;
            ahead[k] = if steady { now[k] + smaller } else { now[k] };
        }
        [self.steer_before, self.torque_before, self.brake_before] = now;
        [self.steer_change, self.torque_change, self.brake_change] = change;
        ahead
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, travel: [f64; 4], rise: [f64; 4], rate: [f64; 4]) {
        [self.travel_rl, self.travel_rr, self.travel_fl, self.travel_fr] = travel;
        [self.rise_rl, self.rise_rr, self.rise_fl, self.rise_fr] = rise;
        [self.rate_rl, self.rate_rr, self.rate_fl, self.rate_fr] = rate;
    }

    #[inline(always)]
    pub(crate) fn set_load(&mut self, load: [f64; 4]) {
        [self.load_rl, self.load_rr, self.load_fl, self.load_fr] = load;
    }
}

/// Measurements of the car.
#[derive(Clone, Copy, Ports)]
pub struct Measured {
    /// Odometry and geometry of the steering.
    #[port(flatten)]
    pub vehicle: SteeredMeasurements,
    /// Mass properties of body and wheels.
    #[port(flatten)]
    pub body: MassProperties,
    /// Rise of the body from its rest above the ground, mean over the corners.
    #[port(unit = "m")]
    pub heave: f64,
    /// Travel of the steering rack of the front axle, positive to the left.
    #[port(unit = "m")]
    pub front_rack: f64,
    /// Travel of the wheel from its position at rest, positive in bump.
    #[port(unit = "m")]
    pub travel: [f64; 4],
    /// Rate of change of the travel.
    #[port(unit = "m/s")]
    pub travel_rate: [f64; 4],
    /// Forward force of the ground on the wheel, body frame.
    #[port(unit = "N")]
    pub ground_fx: [f64; 4],
    /// Leftward force of the ground on the wheel, body frame.
    #[port(unit = "N")]
    pub ground_fy: [f64; 4],
    /// Upward force of the ground on the wheel, body frame.
    #[port(unit = "N")]
    pub ground_fz: [f64; 4],
    /// Moment of the ground about the kingpin, with the aligning moment of the tyre, positive counter-clockwise; 0 at the
    /// rear.
    #[port(unit = "N·m")]
    pub kingpin_moment: [f64; 4],
    /// Torque of the drive shaft on the wheel, positive forwards.
    #[port(unit = "N·m")]
    pub shaft_torque: [f64; 4],
}
