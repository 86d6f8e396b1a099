//! Odometry from encoders.
//!
//! The encoders of the wheels and of the steering are read as in [`crate::rotary`], and the pose follows
//! from one of two models:
//!
//! * `differential`: d = (r + l)/2 and Δψ = (r − l)/b from the ways of the right and the left wheels and
//!   the distance b between them, for the point between the wheels.
//! * `bicycle`: the kinematic single-track model about the centre of mass (Rajamani, *Vehicle Dynamics
//!   and Control*, 2nd edition, §2.2), with tan β = L_r/(L_f + L_r) tan δ, the way of the centre
//!   v_x/cos β, and Δψ = v_x tan δ/(L_f + L_r). The way of each wheel is divided by what a wheel at its
//!   place rolls when the vehicle advances by 1, and the curvatures of the steered wheels are averaged:
//!   cot δ is the mean of the cotangents.
//!
//! Both move along the chord with the heading in the middle of the sample, which closes circles.
//!
//! The model `auto` is `bicycle` if the class of the vehicle steers a wheel, else `differential`. Casters are
//! left out of both.
//!
//! The variances follow from the resolution of the encoders alone, to first order (`uncertainty`).
//!
//! Six parameters bring back errors of a published implementation, one by one.
//!
//! **Limit:** wheels roll without slip on level ground.

mod bicycle;
mod differential;
mod uncertainty;

use simhost_sdk::ports::{OdometryReading, OdometryVariance, PlanarPose};
use simhost_sdk::prelude::*;

use crate::encoders::WHEELS;
use crate::rotary::Encoder;

/// Model of the vehicle.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum VehicleModel {
    #[param(key = "auto")]
    Auto,
    #[param(key = "differential")]
    Differential,
    #[param(key = "bicycle")]
    Bicycle,
}

/// Values of the port `steers`.
const STEERED: f64 = 1.0;
const CASTER: f64 = 2.0;

/// Wheels from which the speed is computed.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SpeedFrom {
    #[param(key = "all")]
    All,
    #[param(key = "driven")]
    Driven,
    #[param(key = "free")]
    Free,
    #[param(key = "fastest")]
    Fastest,
    #[param(key = "slowest")]
    Slowest,
}

/// Driven axle.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Axle {
    #[param(key = "front")]
    Front,
    #[param(key = "rear")]
    Rear,
}

/// Pose and velocity from the encoders of wheels and steering.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Odometry {
    /// Model of the vehicle: left and right wheels, or front wheels that steer. `auto` is `bicycle` if a wheel
    /// steers, else `differential`.
    #[param(default = "auto", key = "model")]
    vehicle: VehicleModel,
    /// Wheels from which the model `bicycle` computes the speed: all, the wheels of the driven
    /// axle, the others, the two fastest, or the two slowest.
    #[param(default = "all")]
    speed_from: SpeedFrom,
    /// Driven axle, for `speed_from`.
    #[param(default = "rear")]
    driven: Axle,
    /// Number of ticks per revolution of a wheel; 0 for a continuous angle.
    #[param(default = 0.0, range = 0.0.., unit = "1")]
    ticks: f64,
    /// Range of the encoders of the wheels, after which they start again at 0; 0 for none.
    #[param(default = 1800.0, range = 0.0.., unit = "deg", scale = math::DEG)]
    range: f64,
    /// Number of ticks per revolution of a steering encoder; 0 for a continuous angle.
    #[param(default = 0.0, range = 0.0.., unit = "1")]
    steering_ticks: f64,
    /// Factor on the radii of all wheels, for a wrong calibration.
    #[param(default = 1.0, above = 0.0, unit = "1")]
    radius_scale: f64,
    /// Whether the odometry starts at the pose of the vehicle; otherwise it starts at the origin.
    #[param(default = true)]
    known_start: bool,
    /// Whether half of twice L_r replaces L_r/(L_f + L_r) and the wheelbase.
    #[param(default = false, alias = "thesis_wheelbase")]
    symmetric_wheelbase: bool,
    /// Whether rotations are decoded by cases of signs and thresholds, and the first wheel
    /// determines the sign.
    #[param(default = false, alias = "thesis_decoder")]
    threshold_decoder: bool,
    /// Whether the steering angle changes its sign in reverse.
    #[param(default = false, alias = "thesis_reverse")]
    flipped_reverse: bool,
    /// Whether the mean distance of the wheels is used as the distance of the centre of mass.
    #[param(default = false, alias = "thesis_speed")]
    mean_wheel_speed: bool,
    /// Whether the mean of the steering angles is used as the angle of the model.
    #[param(default = false, alias = "thesis_steering")]
    mean_steering: bool,
    /// Whether the heading at the end of the sample is used as the heading of the chord.
    #[param(default = false, alias = "thesis_integration")]
    late_heading: bool,
}

/// Wheels of the vehicle, and the pose at which odometry starts.
#[derive(Ports)]
pub struct Inputs {
    /// Rotation about the axle, not wrapped, positive forwards.
    #[port(unit = "rad")]
    pub wheel_angle: PerWheel,
    /// Spin, positive when rolling forwards, for the twist of the first sample.
    #[port(unit = "rad/s")]
    pub spin: PerWheel,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad")]
    pub wheel_steer: PerWheel,
    /// 1 for a wheel that the class steers, 2 for a caster, 0 for a fixed wheel.
    #[port(unit = "1")]
    pub steers: PerWheel,
    /// Rolling radius.
    #[port(unit = "m")]
    pub radius: PerWheel,
    /// Position ahead of the reference point.
    #[port(unit = "m")]
    pub wheel_x: PerWheel,
    /// Position left of the reference point.
    #[port(unit = "m")]
    pub wheel_y: PerWheel,
    /// Centre of mass ahead of the reference point.
    #[port(unit = "m")]
    pub centre_x: f64,
    /// Pose of the vehicle.
    #[port(flatten)]
    pub pose: PlanarPose,
    /// Time between two samples.
    #[port(unit = "s")]
    pub sample_period: f64,
}

/// Estimated pose of the reference point, and the last readings.
#[derive(State)]
pub struct Pose {
    /// Position.
    #[state(unit = "m")]
    x: f64,
    /// Position.
    #[state(unit = "m")]
    y: f64,
    /// Heading.
    #[state(unit = "rad")]
    yaw: f64,
    /// Readings of the wheels, rad, then what the uncertainty of the pose depends on.
    #[state(memory)]
    positions: Remembered<Vec<f64>>,
}

/// Estimate of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Ports)]
pub struct Estimate {
    /// Pose and velocity.
    #[port(flatten)]
    pub reading: OdometryReading,
    /// Diagonal of their covariances.
    #[port(flatten)]
    pub variance: OdometryVariance,
}

/// Motion of a point of the vehicle in a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Increment {
    /// The point ahead of the reference point, m.
    pub ahead: f64,
    /// Way of the point, m.
    pub way: f64,
    /// Angle from the heading to the direction of the way, rad.
    pub slip: f64,
    /// Change of the heading, rad.
    pub turn: f64,
}

impl Increment {
    /// Returns the way of the reference point forwards and to the left, m, and the change of the heading, rad.
    fn of_reference(&self) -> [f64; 3] {
        let (sin, cos) = math::sin_cos(self.slip);
        [self.way * cos, self.way * sin - self.turn * self.ahead, self.turn]
    }
}

/// A wheel with its way in a sample.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rolled {
    /// Position in the vehicle frame, m.
    pub x: f64,
    pub y: f64,
    /// Way, m, positive forwards.
    pub way: f64,
    /// Way of a tick, m, 0 without ticks.
    pub tick: f64,
    /// Direction of rotation by the decoder.
    pub sign: f64,
    /// Steering angle, rad.
    pub steer: f64,
    /// Whether the class steers the wheel.
    pub is_steered: bool,
}

impl Odometry {
    /// Reads the encoders: the ways of the wheels since the last sample.
    fn roll<'b>(
        &self,
        inputs: &Inputs,
        last: &mut Vec<f64>,
        buffer: &'b mut [Rolled; WHEELS],
    ) -> &'b mut [Rolled] {
        let wheel =
            Encoder { ticks: self.ticks, range: self.range, saturates: false, is_absolute: false };
        let steering = Encoder { ticks: self.steering_ticks, range: 0.0, ..wheel };
        let count = inputs.wheel_angle.count().min(WHEELS);
        let mut used = 0;
        for index in 0..count {
            let reading = wheel.read(inputs.wheel_angle.get(index));
            let mut turned = inputs.spin.get(index) * inputs.sample_period;
            let mut sign = 1.0;
            if let Some(before) = last.get_mut(index) {
                turned = wheel.difference(*before, reading);
                sign = if turned < 0.0 { -1.0 } else { 1.0 };
                if self.threshold_decoder {
                    (turned, sign) = crate::rotary::decode_by_cases(*before, reading, self.range);
                }
                *before = reading;
            } else {
                // the twist of the first sample is that of the spins
                last.push(reading);
            }
            if inputs.steers.get(index) == CASTER {
                continue;
            }
            buffer[used] = Rolled {
                x: inputs.wheel_x.get(index),
                y: inputs.wheel_y.get(index),
                way: turned * inputs.radius.get(index) * self.radius_scale,
                tick: uncertainty::resolution(self.ticks)
                    * inputs.radius.get(index)
                    * self.radius_scale,
                sign,
                steer: steering.read(inputs.wheel_steer.get(index)),
                is_steered: inputs.steers.get(index) == STEERED,
            };
            used += 1;
        }
        let wheels = &mut buffer[..used];
        if self.threshold_decoder {
            // the first wheel gives the sign of all
            let sign = wheels.first().map_or(1.0, |first| first.sign);
            wheels.iter_mut().for_each(|wheel| (wheel.way, wheel.sign) = (sign * wheel.way, sign));
        }
        wheels
    }

    fn increment(&self, wheels: &[Rolled], centre: f64) -> Increment {
        match self.vehicle {
            VehicleModel::Differential => differential::increment(wheels),
            VehicleModel::Auto if !wheels.iter().any(|wheel| wheel.is_steered) => {
                differential::increment(wheels)
            }
            VehicleModel::Bicycle | VehicleModel::Auto => self.bicycle(wheels, centre),
        }
    }

    /// Returns the reason why the model cannot describe a vehicle with these wheels.
    fn misfit(&self, wheels: &[Rolled]) -> Option<&'static str> {
        let steered = wheels.iter().filter(|wheel| wheel.is_steered).count();
        let is_bicycle = match self.vehicle {
            VehicleModel::Bicycle => true,
            VehicleModel::Auto => steered > 0,
            VehicleModel::Differential => false,
        };
        match (is_bicycle, steered) {
            (true, 0) => Some(
                "<model> is bicycle, but no wheel of the vehicle steers; expected auto or differential",
            ),
            (true, _) if bicycle::steers_rear(wheels) => Some(
                "a wheel of the rear axle steers; expected a vehicle that steers with its front axle only",
            ),
            (false, 1..) => Some(
                "<model> is differential, but a wheel of the vehicle steers; expected auto or bicycle",
            ),
            _ => None,
        }
    }

    /// Moves the pose of the reference point.
    fn advance(&self, pose: &mut Pose, motion: &Increment) {
        let Increment { ahead, way, slip, turn } = *motion;
        let (sin, cos) = math::sin_cos(pose.yaw);
        let (x, y) = (pose.x + ahead * cos, pose.y + ahead * sin);
        let heading = if self.late_heading { turn } else { 0.5 * turn };
        let (along_y, along_x) = math::sin_cos(pose.yaw + slip + heading);
        pose.yaw = math::wrap_angle(pose.yaw + turn);
        let (sin, cos) = math::sin_cos(pose.yaw);
        pose.x = x + way * along_x - ahead * cos;
        pose.y = y + way * along_y - ahead * sin;
    }
}

#[model]
impl Sensor for Odometry {
    fn memory(&self) -> Vec<f64> {
        Vec::with_capacity(WHEELS + uncertainty::MEMORY)
    }

    fn read(
        &self,
        inputs: &Inputs,
        _: &mut RayReadings,
        _: &mut Random,
        step: &Step,
        pose: &mut Pose,
    ) -> Estimate {
        let is_first = pose.positions.is_empty();
        if is_first && self.known_start {
            (pose.x, pose.y, pose.yaw) = (inputs.pose.x, inputs.pose.y, inputs.pose.yaw);
        }
        let mut buffer = [Rolled::default(); WHEELS];
        let wheels = self.roll(inputs, &mut pose.positions, &mut buffer);
        if let Some(misfit) = self.misfit(wheels).filter(|_| is_first) {
            step.reject(misfit)
        }
        let motion = self.increment(wheels, inputs.centre_x);
        if !is_first {
            self.advance(pose, &motion);
        }
        let variance = self.variance(wheels, inputs, pose);
        let [ahead, left, turn] = motion.of_reference().map(|way| way / inputs.sample_period);
        let reading = OdometryReading {
            position_x: pose.x,
            position_y: pose.y,
            position_z: 0.0,
            orientation_yaw: pose.yaw,
            orientation_pitch: 0.0,
            orientation_roll: 0.0,
            linear_x: ahead,
            linear_y: left,
            angular_z: turn,
        };
        Estimate { reading, variance }
    }
}

#[cfg(test)]
mod tests;
