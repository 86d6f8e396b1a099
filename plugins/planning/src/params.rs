//! Parameters that models share.

use simhost_sdk::abi::{ParamDesc, ParamScaling, Value};
use simhost_sdk::prelude::*;

use crate::delays::Counting;
use crate::lag::Lag;
use crate::vehicle_info::VehicleInfo;

/// Arithmetic of a model.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Compat {
    #[default]
    #[param(key = "none")]
    None,
    #[param(key = "autoware-1.0")]
    Autoware,
}

/// Arithmetic and geometry of a car, as a world file gives them.
#[derive(Params)]
struct Given {
    /// Arithmetic of the model: `none` computes the intended behaviour, and `autoware-1.0` repeats the
    /// source with its defects.
    #[param(default = "none")]
    compat: Compat,
    /// Distance between the axles. A larger value makes the turning circle larger.
    #[param(default = 2.79, above = 0.0, range = ..=50.0, unit = "m", alias = "wheelbase",
            scaling = simhost_sdk::Scaling::LENGTH)]
    wheel_base: f64,
    /// Distance between the wheels of an axle. It places the wheels, and does not influence the
    /// motion.
    #[param(default = 1.64, above = 0.0, range = ..=20.0, unit = "m",
            scaling = simhost_sdk::Scaling::LENGTH)]
    wheel_tread: f64,
    /// File `vehicle_info.param.yaml` of Autoware. Its `wheel_base` and `wheel_tread` replace the
    /// two parameters above, and its `max_steer_angle` limits the steering except with
    /// `compat="autoware-1.0"`. Its other dimensions apply to the chassis and the wheels if the
    /// world file does not set them.
    vehicle_info: Option<TextFile>,
}

/// Arithmetic and geometry of a car.
#[derive(Clone, Debug)]
pub struct Car {
    /// Arithmetic of the model.
    pub compat: Compat,
    /// Distance between the axles, m.
    pub wheel_base: f64,
    /// Distance between the wheels of an axle, m.
    pub wheel_tread: f64,
    /// Largest steering angle of the tyre, rad; infinite without a file.
    pub max_steer: f64,
    /// Error in the file with the dimensions.
    pub(crate) problem: Option<String>,
    /// Warnings about that file.
    pub(crate) notes: Vec<String>,
}

impl Params for Car {
    const DOC: &'static str = Given::DOC;
    const PARAMS: &'static [ParamDesc] = Given::PARAMS;
    const SCALINGS: &'static [ParamScaling] = Given::SCALINGS;
    fn read(values: &[Value]) -> Self {
        let Given { compat, wheel_base, wheel_tread, vehicle_info } = Given::read(values);
        let info = vehicle_info.as_ref().map_or(Ok(None), |file| VehicleInfo::read(file).map(Some));
        let (info, problem) = match info {
            Ok(info) => (info, None),
            Err(problem) => (None, Some(problem)),
        };
        let unknown = info.as_ref().map(VehicleInfo::unknown).filter(|keys| !keys.is_empty());
        let note = vehicle_info
            .zip(unknown)
            .map(|(file, keys)| format!("{}: keys without effect: {}", file.path, keys.join(", ")));
        let of_file = |key: &str| info.as_ref().and_then(|info| info.get(key));
        Self {
            compat,
            wheel_base: of_file("wheel_base").unwrap_or(wheel_base),
            wheel_tread: of_file("wheel_tread").unwrap_or(wheel_tread),
            max_steer: match compat {
                Compat::Autoware => f64::INFINITY,
                Compat::None => of_file("max_steer_angle").unwrap_or(f64::INFINITY),
            },
            problem,
            notes: note.into_iter().collect(),
        }
    }
}

impl Car {
    /// Returns a car without a file of dimensions.
    #[cfg(test)]
    pub(crate) fn of(compat: Compat, wheel_base: f64) -> Self {
        let (max_steer, notes) = (f64::INFINITY, Vec::new());
        Self { compat, wheel_base, wheel_tread: 1.64, max_steer, problem: None, notes }
    }

    /// Checks the file with the dimensions.
    ///
    /// # Errors
    ///
    /// A message with file and line if it cannot be used.
    pub fn check(&self) -> Result<(), String> {
        self.problem.clone().map_or(Ok(()), Err)
    }

    /// Returns a steering angle of the tyre, rad, within the limit of the file with the dimensions.
    #[inline(always)]
    pub fn within_steer(&self, angle: f64) -> f64 {
        math::limit(angle, self.max_steer)
    }

    /// Returns whether the model repeats the arithmetic of Autoware 1.0.0.
    #[inline(always)]
    pub fn is_compatible(&self) -> bool {
        self.compat == Compat::Autoware
    }
}

/// Limits of speed, acceleration and steering.
#[derive(Clone, Copy, Debug, Params)]
#[param(scaling = simhost_sdk::Scaling::INVARIANT)]
pub struct Limits {
    /// Largest speed, forwards and backwards.
    #[param(default = 50.0, range = 0.0..=500.0, unit = "m/s")]
    pub vel_lim: f64,
    /// Largest acceleration and deceleration. A smaller value makes the car follow a change of speed
    /// later.
    #[param(default = 7.0, range = 0.0..=1000.0, unit = "m/s²")]
    pub vel_rate_lim: f64,
    /// Largest steering angle of the tyre. A larger value allows the car to turn in a smaller
    /// circle.
    #[param(default = 1.0, range = 0.0..=1.57, unit = "rad")]
    pub steer_lim: f64,
    /// Largest rate of the steering angle. A smaller value makes the car respond later to large
    /// changes.
    #[param(default = 5.0, range = 0.0..=1000.0, unit = "rad/s")]
    pub steer_rate_lim: f64,
    /// Period of a call, in which the delays of `compat="autoware-1.0"` are counted. By default,
    /// the period is the time step. A larger value makes the delays shorter.
    #[param(above = 0.0, range = ..=10000.0, unit = "ms", scale = 0.001)]
    pub timer_sampling_time_ms: Option<f64>,
}

/// Delay and lag of the speed.
#[derive(Clone, Copy, Debug, Params)]
pub struct Velocity {
    /// Dead time of the speed.
    #[param(default = 0.25, range = 0.0..=60.0, unit = "s")]
    pub vel_time_delay: f64,
    /// Time constant of the speed; at least 0.03 s is used. A larger value makes the car follow later.
    #[param(default = 0.5, range = 0.0..=1000.0, unit = "s")]
    pub vel_time_constant: f64,
}

/// Delay and lag of the acceleration.
#[derive(Clone, Copy, Debug, Params)]
pub struct Acceleration {
    /// Dead time of the acceleration.
    #[param(default = 0.1, range = 0.0..=60.0, unit = "s")]
    pub acc_time_delay: f64,
    /// Time constant of the acceleration; at least 0.03 s is used. A larger value makes the car follow
    /// later.
    #[param(default = 0.1, range = 0.0..=1000.0, unit = "s")]
    pub acc_time_constant: f64,
}

/// Delay, lag and offset of the steering.
#[derive(Clone, Copy, Debug, Params)]
pub struct Steering {
    /// Dead time of the steering.
    #[param(default = 0.24, range = 0.0..=60.0, unit = "s")]
    pub steer_time_delay: f64,
    /// Time constant of the steering; at least 0.03 s is used. A larger value makes the car turn
    /// later.
    #[param(default = 0.27, range = 0.0..=1000.0, unit = "s")]
    pub steer_time_constant: f64,
    /// Offset of the steering sensor, whose measurement the steering regulates. The tyre settles
    /// below the command by this angle.
    #[param(default = 0.0, range = -1.57..=1.57, unit = "rad")]
    pub steer_bias: f64,
}

/// Dead band of the steering.
#[derive(Clone, Copy, Debug, Params)]
pub struct DeadBand {
    /// Distance between command and measurement within which the steering does not move. A larger
    /// value makes the steering less accurate.
    #[param(default = 0.0, range = 0.0..=1.57, unit = "rad")]
    pub steer_dead_band: f64,
}

/// Factors that make a car respond more or less than commanded.
#[derive(Clone, Copy, Debug, Params)]
pub struct Scaling {
    /// Factor of the commanded acceleration; a negative factor counts as 0.
    #[param(default = 1.0, range = -1000.0..=1000.0)]
    pub debug_acc_scaling_factor: f64,
    /// Factor of the commanded steering angle; a negative factor counts as 0.
    #[param(default = 1.0, range = -1000.0..=1000.0)]
    pub debug_steer_scaling_factor: f64,
}

/// Smallest time constant, s.
pub const MIN_TIME_CONSTANT: f64 = 0.03;

impl Limits {
    /// Returns how delays are counted in a step of `dt` seconds.
    pub fn counting(&self, car: &Car, dt: f64) -> Counting {
        if car.is_compatible() {
            Counting::Calls(self.timer_sampling_time_ms.unwrap_or(dt))
        } else {
            Counting::Time
        }
    }
}

impl Steering {
    /// Returns the lag of the measured steering angle to a command.
    pub fn lag(&self, limits: &Limits, command: f64, dead_band: f64) -> Lag {
        Lag {
            target: command,
            time_constant: self.steer_time_constant.max(MIN_TIME_CONSTANT),
            rate: limits.steer_rate_lim,
            dead_band,
        }
    }
}

impl Scaling {
    /// Returns an acceleration and a steering angle with their factors and limits. The source limits
    /// the command first and the car can exceed the limits.
    pub fn apply(&self, car: &Car, limits: &Limits, acceleration: f64, steer: f64) -> [f64; 2] {
        let scaled = |value: f64, factor: f64, limit: f64| {
            let factor = factor.max(0.0);
            if car.is_compatible() {
                math::limit(value, limit) * factor
            } else {
                math::limit(value * factor, limit)
            }
        };
        [
            scaled(acceleration, self.debug_acc_scaling_factor, limits.vel_rate_lim),
            car.within_steer(scaled(steer, self.debug_steer_scaling_factor, limits.steer_lim)),
        ]
    }
}

impl Acceleration {
    /// Returns the time constant that is used, s.
    pub fn time_constant(&self) -> f64 {
        self.acc_time_constant.max(MIN_TIME_CONSTANT)
    }
}
