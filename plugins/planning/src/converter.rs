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

use simhost_sdk::abi::StateDesc;
use simhost_sdk::prelude::*;
use simhost_sdk::{Columns, State};

use crate::maps;
use crate::maps::Map;
use crate::models::gear_ratio::GearRatio;
use crate::node::Settings;
use crate::node::actuation::ActuationOutputs;
use crate::node::control::{CONTROL_KINDS, ControlCommands};
use crate::node::outputs::Shared;
use crate::node::state::Node;

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
            Some(map) => accelerator(map, acceleration, speed),
            None => Some(acceleration.max(0.0)).filter(|_| acceleration >= 0.0),
        };
        match (found, &self.maps.brake) {
            (Some(accel), _) => [accel.min(max_accel), 0.0],
            (None, Some(map)) => [0.0, brake(map, acceleration, speed).min(max_brake)],
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

/// Returns the position of the accelerator with an acceleration, m/s², at a speed, m/s; nothing
/// below the acceleration of the first row, and the last row above the accelerations of all rows.
fn accelerator(map: &Map, acceleration: f64, speed: f64) -> Option<f64> {
    (acceleration >= map.of_row(0, speed)).then(|| map.row_of(acceleration, speed))
}

/// Returns the position of the brake with an acceleration, m/s², at a speed, m/s: the first row
/// above its acceleration, and the last row below the accelerations of all rows.
fn brake(map: &Map, acceleration: f64, speed: f64) -> f64 {
    match acceleration >= map.of_row(0, speed) {
        true => map.rows()[0],
        false => map.row_of(acceleration, speed),
    }
}

/// Node and feedback.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Converting {
    /// Mode and initial pose.
    pub node: Node,
    /// Integrals and last values.
    pub feedback: Feedback,
}

impl Columns for Converting {
    const COUNT: usize = Node::COUNT + Feedback::COUNT;
    #[inline(always)]
    fn load(get: impl Fn(usize) -> f64) -> Self {
        Self { node: Node::load(&get), feedback: Feedback::load(|slot| get(Node::COUNT + slot)) }
    }
    #[inline(always)]
    fn store(&self, mut put: impl FnMut(usize, f64)) {
        self.node.store(&mut put);
        self.feedback.store(|slot, value| put(Node::COUNT + slot, value));
    }
}

impl State for Converting {
    const STATES: &'static [StateDesc] = &{
        let mut slots = [Node::STATES[0]; Node::COUNT + Feedback::COUNT];
        let mut slot = 0;
        while slot < slots.len() {
            slots[slot] = match slot < Node::COUNT {
                true => Node::STATES[slot],
                false => Feedback::STATES[slot - Node::COUNT],
            };
            slot += 1;
        }
        slots
    };
    type Memory = ();
}

/// PID controller of the steering angle. It has the units of the steering command.
#[derive(Clone, Debug, Params)]
#[param(scaling = simhost_sdk::Scaling::INVARIANT)]
pub struct SteerPid {
    /// Proportional gain. A larger value turns the steering faster, and can oscillate.
    #[param(default = 150.0, range = 0.0..=1e6)]
    pub kp: f64,
    /// Integral gain. A larger value removes lasting deviations faster.
    #[param(default = 15.0, range = 0.0..=1e6)]
    pub ki: f64,
    /// Derivative gain. A larger value damps more, and amplifies noise.
    #[param(default = 0.0, range = 0.0..=1e6)]
    pub kd: f64,
    /// Largest output.
    #[param(default = 8.0, range = -1e6..=1e6)]
    pub max: f64,
    /// Smallest output.
    #[param(default = -8.0, range = -1e6..=1e6)]
    pub min: f64,
    /// Largest proportional part.
    #[param(default = 8.0, range = -1e6..=1e6)]
    pub max_p: f64,
    /// Smallest proportional part.
    #[param(default = -8.0, range = -1e6..=1e6)]
    pub min_p: f64,
    /// Largest integral part.
    #[param(default = 8.0, range = -1e6..=1e6)]
    pub max_i: f64,
    /// Smallest integral part.
    #[param(default = -8.0, range = -1e6..=1e6)]
    pub min_i: f64,
    /// Largest derivative part.
    #[param(default = 0.0, range = -1e6..=1e6)]
    pub max_d: f64,
    /// Smallest derivative part.
    #[param(default = 0.0, range = -1e6..=1e6)]
    pub min_d: f64,
    /// Factor of the integral in each step at standstill, where it does not grow. A larger value keeps
    /// it for longer.
    #[param(default = 0.97, range = 0.0..=1.0)]
    pub invalid_integration_decay: f64,
}

/// The state of the feedback.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Feedback {
    /// Integral of the deviation of the steering angle, rad·s.
    #[state(unit = "1")]
    pub steer_integral: f64,
    /// Deviation of the steering angle in the step before.
    #[state(unit = "rad")]
    pub steer_error: f64,
    /// Wanted steering angle in the step before.
    #[state(unit = "rad")]
    pub steer_wanted: f64,
    /// Integral part of the correction of the acceleration.
    #[state(unit = "m/s²")]
    pub acceleration_integral: f64,
    /// Whether there has been a step.
    #[state(unit = "1", discrete)]
    pub begun: f64,
}

/// Speed below which the integral does not grow, m/s.
const STANDSTILL: f64 = 0.01;

/// Largest integral part of the correction of the acceleration, m/s².
const LARGEST_CORRECTION: f64 = 3.0;

impl SteerPid {
    /// Checks the limits.
    pub fn check(&self) -> Result<(), String> {
        let limits = [
            ("min", self.min, self.max),
            ("min_p", self.min_p, self.max_p),
            ("min_i", self.min_i, self.max_i),
            ("min_d", self.min_d, self.max_d),
        ];
        match limits.into_iter().find(|(_, low, high)| low > high) {
            None => Ok(()),
            Some((name, low, high)) => Err(format!(
                "steer_pid: {name} is {low}; expected at most {}, {high}",
                name.replace("min", "max")
            )),
        }
    }

    /// Returns the output for a deviation, rad, at a speed, m/s.
    pub fn output(&self, error: f64, speed: f64, dt: f64, own: &mut Feedback) -> f64 {
        if speed.abs() > STANDSTILL {
            own.steer_integral += error * dt;
        } else {
            own.steer_integral *= self.invalid_integration_decay;
        }
        let change =
            if own.begun != 0.0 && dt > 0.0 { (error - own.steer_error) / dt } else { 0.0 };
        own.steer_error = error;
        let p = (self.kp * error).clamp(self.min_p, self.max_p);
        let i = (self.ki * own.steer_integral).clamp(self.min_i, self.max_i);
        let d = (self.kd * change).clamp(self.min_d, self.max_d);
        (p + i + d).clamp(self.min, self.max)
    }
}

impl Feedback {
    /// Returns the rate of the wanted angle since the step before, rad/s; 0 in the first step.
    pub fn rate(&mut self, wanted: f64, dt: f64) -> f64 {
        let before = std::mem::replace(&mut self.steer_wanted, wanted);
        if self.begun == 0.0 || dt <= 0.0 {
            return 0.0;
        }
        (wanted - before) / dt
    }

    /// Returns the correction of an acceleration, m/s², with a proportional gain and an integral gain,
    /// 1/s, for a deviation, m/s².
    pub fn correct(&mut self, [kp, ki]: [f64; 2], error: f64, dt: f64) -> f64 {
        let grown = self.acceleration_integral + ki * error * dt;
        self.acceleration_integral = math::limit(grown, LARGEST_CORRECTION);
        kp * error + self.acceleration_integral
    }
}

#[cfg(test)]
mod tests;
