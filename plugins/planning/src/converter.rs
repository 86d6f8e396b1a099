//! The command converter: from acceleration and steering angle to pedals and steering wheel.
//!
//! It inverts the maps of an actuated model. At the speed v, the accelerator is the position with
//! the wanted acceleration in the accelerator map; below the acceleration without accelerator, the
//! brake is found in the same way in the brake map. The angle of the steering wheel is (a + b v²)
//! δ/(1 + c |δ|) with a variable gear ratio; with a steer map, the command is the command whose
//! rate in the map, at the measured angle, equals the rate of the wanted angle, plus a PID
//! controller of the angle. Source: Autoware `raw_vehicle_cmd_converter`, from which the parameters
//! have their names and defaults.
//!
//! Additions: gears, modes and poses of [`crate::node`]; the rate of the wanted angle, which the
//! source receives in a message, is the rate of the command; a PI controller of the acceleration,
//! off by default.

pub mod feedback;
mod inverse;
pub mod state;

#[cfg(test)]
mod tests;

use simhost_sdk::prelude::*;

use crate::maps::{self, Map};
use crate::models::gear_ratio::GearRatio;
use crate::node::Settings;
use crate::node::actuation::ActuationOutputs;
use crate::node::control::{CONTROL_KINDS, ControlCommands};
use crate::node::outputs::Shared;
use feedback::{Feedback, SteerPid};
use state::Converting;

/// Conversion of the steering angle.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Method {
    #[param(key = "none")]
    None,
    #[param(key = "vgr")]
    Vgr,
    #[param(key = "steer_map")]
    SteerMap,
}

/// Speed, acceleration and steering commands for a planning model with pedals.
#[derive(Params)]
#[param(scaling = simhost_sdk::Scaling::INVARIANT)]
pub struct CommandConverter {
    /// The interface.
    #[param(flatten)]
    pub settings: Settings,
    /// Whether the accelerator map converts accelerations; otherwise the accelerator is the
    /// positive acceleration. The default is true if the map is given.
    pub convert_accel_cmd: Option<bool>,
    /// Whether the brake map converts decelerations; otherwise the brake is the deceleration. The
    /// default is true if the map is given.
    pub convert_brake_cmd: Option<bool>,
    /// Conversion of the steering angle: `none` passes it, `vgr` uses a variable gear ratio,
    /// `steer_map` the steer map.
    #[param(default = "none")]
    pub convert_steer_cmd_method: Method,
    /// Accelerator map: accelerations in m/s², with positions of the accelerator as rows and speeds
    /// in m/s as columns.
    #[param(alias = "csv_path_accel_map")]
    pub accel_map_path: Option<TextFile>,
    /// Brake map: accelerations in m/s², with positions of the brake as rows and speeds in m/s as
    /// columns.
    #[param(alias = "csv_path_brake_map")]
    pub brake_map_path: Option<TextFile>,
    /// Steer map: rates of the steering angle in rad/s, with commands as rows and steering angles in
    /// rad as columns.
    #[param(alias = "csv_path_steer_map")]
    pub steer_map_path: Option<TextFile>,
    /// Largest position of the accelerator; by default 0.4 if the map converts it, and none otherwise. A
    /// larger value lets the car accelerate more.
    #[param(range = 0.0..=100.0, alias = "max_throttle")]
    pub max_accel: Option<f64>,
    /// Largest position of the brake; by default 0.8 if the map converts it, and none otherwise. A larger
    /// value lets the car brake harder.
    #[param(range = 0.0..=100.0)]
    pub max_brake: Option<f64>,
    /// Largest steering command. A larger value lets the car steer faster.
    #[param(default = 10.0, range = 0.0..=1000.0, unit = "rad")]
    pub max_steer: f64,
    /// Smallest steering command; by default the negative of `max_steer`.
    #[param(range = -1000.0..=0.0, unit = "rad")]
    pub min_steer: Option<f64>,
    /// Whether the steer map is used.
    #[param(default = true)]
    pub use_steer_ff: bool,
    /// Whether the PID controller of the steering angle is used, with `steer_map`.
    #[param(default = true)]
    pub use_steer_fb: bool,
    /// PID controller of the steering angle.
    pub steer_pid: SteerPid,
    /// Variable gear ratio of the steering, with `vgr`.
    #[param(flatten)]
    pub gear_ratio: GearRatio,
    /// Proportional gain of the acceleration. A larger value corrects deviations faster, and can
    /// oscillate.
    #[param(default = 0.0, range = 0.0..=100.0)]
    pub acceleration_kp: f64,
    /// Integral gain of the acceleration. A larger value removes lasting deviations faster.
    #[param(default = 0.0, range = 0.0..=100.0, unit = "1/s")]
    pub acceleration_ki: f64,
    /// The maps.
    #[param(skip)]
    maps: Maps,
}

/// Largest position of the accelerator in the source.
const MAX_THROTTLE: f64 = 0.4;
/// Largest position of the brake in the source.
const MAX_BRAKE: f64 = 0.8;

#[derive(Default)]
struct Maps {
    accel: Option<Map>,
    brake: Option<Map>,
    steer: Option<Map>,
}

/// Commands of speed, acceleration and steering, and the measurements of the conversion. Pedals do not
/// follow the speed.
#[derive(Ports)]
pub struct ConverterCommands {
    /// Commands and the measurements that all interfaces share.
    #[port(flatten)]
    commands: ControlCommands,
    /// Forward velocity.
    #[port(unit = "m/s")]
    odometry_vx: f64,
    /// Measured steering angle.
    #[port(unit = "rad")]
    steer_angle: f64,
    /// Measured forward acceleration.
    #[port(unit = "m/s²")]
    longitudinal_acceleration: f64,
}

impl CommandConverter {
    /// Returns the positions of accelerator and brake for an acceleration, m/s², at a speed, m/s.
    pub fn pedals(&self, acceleration: f64, speed: f64) -> [f64; 2] {
        let limit = |given: Option<f64>, map: &Option<Map>, default: f64| {
            given.unwrap_or(if map.is_some() { default } else { f64::INFINITY })
        };
        let max_accel = limit(self.max_accel, &self.maps.accel, MAX_THROTTLE);
        let max_brake = limit(self.max_brake, &self.maps.brake, MAX_BRAKE);
        let found = match &self.maps.accel {
            Some(map) => inverse::accelerator(map, acceleration, speed),
            None => Some(acceleration.max(0.0)).filter(|_| acceleration >= 0.0),
        };
        match (found, &self.maps.brake) {
            (Some(accel), _) => [accel.min(max_accel), 0.0],
            (None, Some(map)) => [0.0, inverse::brake(map, acceleration, speed).min(max_brake)],
            (None, None) => [0.0, (-acceleration).clamp(0.0, max_brake)],
        }
    }

    /// Returns the steering command for an angle of the tyres, rad.
    fn steering(
        &self,
        wanted: f64,
        inputs: &ConverterCommands,
        dt: f64,
        own: &mut Feedback,
    ) -> f64 {
        let command = match self.convert_steer_cmd_method {
            Method::None => wanted,
            Method::Vgr => self.gear_ratio.wheel(inputs.odometry_vx, wanted),
            Method::SteerMap => {
                let rate = own.rate(wanted, dt);
                let forward = match &self.maps.steer {
                    Some(map) if self.use_steer_ff => map.row_of(rate, inputs.steer_angle),
                    _ => 0.0,
                };
                let error = wanted - inputs.steer_angle;
                let back = match self.use_steer_fb {
                    true => self.steer_pid.output(error, inputs.odometry_vx, dt, own),
                    false => 0.0,
                };
                own.begun = 1.0;
                forward + back
            }
        };
        command.clamp(self.min_steer.unwrap_or(-self.max_steer), self.max_steer)
    }
}

/// Reads the map of a parameter that a conversion needs.
fn required(needed: bool, key: &str, file: Option<&TextFile>) -> Result<Option<Map>, String> {
    match (needed, file) {
        (false, _) => Ok(None),
        (true, Some(file)) => maps::read(file).map(Some).map_err(|error| error.to_string()),
        (true, None) => Err(format!(
            "missing {key}; expected a map, because the conversion that needs it is on"
        )),
    }
}

#[model]
impl Controller for CommandConverter {
    const COMMANDS: CommandKinds = CONTROL_KINDS;

    fn prepare(&mut self) -> Result<(), String> {
        self.steer_pid.check()?;
        let uses_steer = self.convert_steer_cmd_method == Method::SteerMap && self.use_steer_ff;
        let [accel, brake, steer] =
            [&self.accel_map_path, &self.brake_map_path, &self.steer_map_path];
        let accelerates = self.convert_accel_cmd.unwrap_or(accel.is_some());
        let brakes = self.convert_brake_cmd.unwrap_or(brake.is_some());
        self.maps = Maps {
            accel: required(accelerates, "accel_map_path", accel.as_ref())?,
            brake: required(brakes, "brake_map_path", brake.as_ref())?,
            steer: required(uses_steer, "steer_map_path", steer.as_ref())?,
        };
        Ok(())
    }

    fn control(
        &self,
        inputs: &ConverterCommands,
        step: &Step,
        state: &mut Converting,
    ) -> ActuationOutputs {
        let Converting { node, feedback } = state;
        let decision = self.settings.decide(&inputs.commands.common(), step, node);
        let [_, acceleration, steering] = inputs.commands.chosen(decision.is_manual);
        let measured = match crate::gear::Gear::of(decision.gear) {
            crate::gear::Gear::Reverse => -inputs.longitudinal_acceleration,
            _ => inputs.longitudinal_acceleration,
        };
        let gains = [self.acceleration_kp, self.acceleration_ki];
        let correction = match decision.is_engaged {
            true => feedback.correct(gains, acceleration - measured, step.dt),
            false => 0.0,
        };
        let [accel, brake] = self.pedals(acceleration + correction, inputs.odometry_vx);
        let steer = self.steering(steering, inputs, step.dt, feedback);
        ActuationOutputs {
            accel_command: accel,
            brake_command: brake,
            steer_command: steer,
            ..ActuationOutputs::shared(&Shared { decision, node: *node })
        }
    }
}
