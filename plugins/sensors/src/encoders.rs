//! Encoders of wheels and steering.
//!
//! Every wheel has an encoder of its rotation and one of its steering angle. [`crate::rotary`] describes
//! their readings. The speed of a wheel is the difference of two readings divided by the period.
//!
//! **Limit:** a wheel that turns by more than half the range between two samples has a wrong speed, as
//! with real encoders.

use std::f64::consts::TAU;

use simhost_sdk::prelude::*;

use crate::rotary::Encoder;

/// Greatest number of wheels with encoders.
pub(crate) const WHEELS: usize = 16;

/// Kind of an encoder.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum EncoderKind {
    #[param(key = "relative")]
    Relative,
    #[param(key = "absolute")]
    Absolute,
}

/// What a relative encoder does at the ends of its range.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Overflow {
    #[param(key = "wrap")]
    Wrap,
    #[param(key = "saturate")]
    Saturate,
}

/// Encoders of the wheels and of their steering.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Encoders {
    /// Whether the encoders of the wheels count from the start, or show the angle in one revolution.
    #[param(default = "relative", key = "type")]
    kind: EncoderKind,
    /// Number of ticks per revolution of a wheel; 0 for a continuous angle.
    #[param(default = 0.0, range = 0.0.., unit = "1")]
    ticks: f64,
    /// Range of a relative encoder, in both directions; 0 for none.
    #[param(default = 1800.0, range = 0.0.., unit = "deg", scale = math::DEG)]
    range: f64,
    /// Behaviour of a relative encoder at the ends of its range: start again at 0, or stop.
    #[param(default = "wrap")]
    overflow: Overflow,
    /// Whether the readings of wheels are negative forwards.
    #[param(default = false)]
    reversed: bool,
    /// Standard deviation of the noise on the angle of a wheel, before ticks are counted.
    #[param(default = 0.0, range = 0.0.., unit = "rad")]
    std_noise: f64,
    /// Number of ticks per revolution of a steering encoder; 0 for a continuous angle.
    #[param(default = 0.0, range = 0.0.., unit = "1")]
    steering_ticks: f64,
    /// Largest steering angle that an encoder shows, at which it saturates.
    #[param(default = 180.0, above = 0.0, unit = "deg", scale = math::DEG)]
    steering_range: f64,
    /// Whether the readings of steering angles are positive to the right.
    #[param(default = false)]
    steering_reversed: bool,
    /// Standard deviation of the noise on a steering angle, before ticks are counted.
    #[param(default = 0.0, range = 0.0.., unit = "rad")]
    steering_std_noise: f64,
}

/// Angles of the wheels.
#[derive(Ports)]
pub struct Wheels {
    /// Rotation about the axle, not wrapped, positive forwards.
    #[port(unit = "rad")]
    pub wheel_angle: PerWheel,
    /// Steering angle, positive counter-clockwise.
    #[port(unit = "rad")]
    pub wheel_steer: PerWheel,
    /// Time between two samples.
    #[port(unit = "s")]
    pub sample_period: f64,
}

/// Readings of each wheel.
#[derive(Ports)]
pub struct Angles {
    /// Reading of the encoder of the wheel.
    #[port(unit = "rad")]
    position: [f64; WHEELS],
    /// Speed of the wheel from two readings, with the sign of the readings; 0 in the first sample.
    #[port(unit = "rad/s")]
    velocity: [f64; WHEELS],
    /// Ticks of the encoder of the wheel, or its angle in degrees if it is continuous.
    #[port(unit = "1")]
    count: [f64; WHEELS],
    /// Reading of the encoder of the steering.
    #[port(unit = "rad")]
    steer: [f64; WHEELS],
}

/// Readings of the last sample.
#[derive(State)]
pub struct Last {
    /// Reading of each wheel, rad.
    #[state(memory)]
    pub(crate) positions: Remembered<Vec<f64>>,
}

impl Encoders {
    fn of_wheels(&self) -> Encoder {
        Encoder {
            ticks: self.ticks,
            range: self.range,
            saturates: self.overflow == Overflow::Saturate,
            is_absolute: self.kind == EncoderKind::Absolute,
        }
    }

    fn of_steering(&self) -> Encoder {
        let (ticks, range) = (self.steering_ticks, self.steering_range);
        Encoder { ticks, range, saturates: true, is_absolute: false }
    }
}

#[model]
impl Sensor for Encoders {
    fn memory(&self) -> Vec<f64> {
        Vec::with_capacity(WHEELS)
    }

    fn read(
        &self,
        wheels: &Wheels,
        _: &mut RayReadings,
        random: &mut Random,
        _: &Step,
        last: &mut Last,
    ) -> Angles {
        let (rolling, steering) = (self.of_wheels(), self.of_steering());
        let sign = |reversed: bool| if reversed { -1.0 } else { 1.0 };
        let (forward, left) = (sign(self.reversed), sign(self.steering_reversed));
        let zero = [0.0; WHEELS];
        let mut read = Angles { position: zero, velocity: zero, count: zero, steer: zero };
        let angles = wheels.wheel_angle.iter().zip(wheels.wheel_steer.iter());
        for (wheel, (angle, steer)) in angles.take(WHEELS).enumerate() {
            let [noise, steer_noise] = [random.normal(), random.normal()];
            let position = rolling.read(forward * (angle + self.std_noise * noise));
            read.steer[wheel] =
                steering.read(left * (steer + self.steering_std_noise * steer_noise));
            if let Some(before) = last.positions.get_mut(wheel) {
                let turned = rolling.difference(*before, position);
                read.velocity[wheel] = turned / wheels.sample_period;
                *before = position;
            } else {
                last.positions.push(position);
            }
            read.position[wheel] = position;
            let per_tick = if self.ticks > 0.0 { TAU / self.ticks } else { math::DEG };
            read.count[wheel] = (position / per_tick * 1e6).round() / 1e6;
        }
        read
    }
}
