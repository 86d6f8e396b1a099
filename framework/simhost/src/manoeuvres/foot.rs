//! The right foot of a driver: holds a speed, coasts, or brakes, with the torques or the pedals that the
//! controller of a vehicle takes.
//!
//! Torques are proportional to the difference of speed. A PI controller, whose integral stays
//! between 0 and 1, sets the throttle of an engine from 0 to 1. To coast, the driver releases all
//! pedals, with the gear engaged. The driver uses the highest gear in which the engine turns at
//! 2000 rpm or more (ISO 3888-2:2011); an automatic gearbox shifts by itself.

use simhost_model::ParamValue;
use simhost_world::Vehicle;

use crate::Error;

/// Gravity, m/s².
pub(super) const GRAVITY: f64 = 9.81;

/// Torque per mass, wheel radius and difference of speed with which a constant speed is held, 1/s.
const SPEED_GAIN: f64 = 2.0;
/// Throttle per difference of speed, s/m, and its rate of change per difference of speed, 1/m.
const THROTTLE: [f64; 2] = [1.0, 0.3];
/// Engine speed below which the driver shifts down, rad/s.
const LEAST_ENGINE_SPEED: f64 = 2000.0 * std::f64::consts::PI / 30.0;
/// Engine speed above which the driver shifts up when the vehicle accelerates, rad/s: 5500 rpm, as automatic gearboxes do
/// by default.
const GREATEST_ENGINE_SPEED: f64 = 5500.0 * std::f64::consts::PI / 30.0;
/// Time between two shifts, s.
const SHIFTS: f64 = 1.0;
/// Command for the highest gear of any gearbox.
const HIGHEST_GEAR: f64 = 99.0;

/// Steering and use of the pedals by the driver in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Demand {
    /// Steering angle of the equivalent wheel in the middle, rad, positive to the left.
    pub steer: f64,
    /// Use of the pedals.
    pub pace: Pace,
}

/// Use of the pedals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pace {
    /// The speed at the start is held.
    Hold,
    /// This speed is held, m/s.
    Speed(f64),
    /// The accelerator pedal is fully pressed; without one, the motors act with this torque, N·m.
    Full(f64),
    /// No pedal is pressed.
    Coast,
    /// The brakes act together with this torque, N·m.
    Brake(f64),
}

/// A command that lets a driver steer, accelerate and brake.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Controls {
    /// `pedals`: torque of the motors, torque of the brakes, steering angle.
    Torques,
    /// `drive`: throttle, brake pedal, steering angle, gear. The brakes act with a torque, N·m, if their pedal is fully
    /// pressed.
    Pedals { full_brake: f64 },
}

/// Names and values of the commands that drivers can give.
const TORQUES: (&str, &[&str]) = ("pedals", &["drive_torque", "brake_torque", "steer"]);
const PEDALS: (&str, &[&str]) = ("drive", &["throttle", "brake", "steer", "gear"]);

/// Returns the command that a driver can give to a vehicle.
fn command_of(vehicle: &Vehicle) -> Option<&'static str> {
    let takes = |(name, values): (&str, &[&str])| {
        let mut commands = vehicle.controller.model.model.commands().iter();
        commands.any(|command| command.kind() == name && command.ports().eq(values.iter().copied()))
    };
    [TORQUES, PEDALS].into_iter().find(|command| takes(*command)).map(|(name, _)| name)
}

/// Returns whether the controller of a vehicle takes a command with which a driver can steer, accelerate and brake.
pub(super) fn can_drive(vehicle: &Vehicle) -> bool {
    command_of(vehicle).is_some()
}

/// Returns the error for a vehicle that no driver can drive.
fn undrivable(vehicle: &Vehicle) -> Error {
    let controller = &vehicle.controller.model;
    let commands = controller.model.commands().iter();
    Error::Undrivable {
        vehicle: vehicle.name.clone(),
        class: vehicle.dynamics.model.id(),
        controller: controller.id(),
        commands: commands.map(|command| format!("`{}`", command.kind())).collect(),
    }
}

/// The foot of a driver.
#[derive(Clone, Debug)]
pub(super) struct Foot {
    controls: Controls,
    /// Mass of the vehicle, kg, times the radius of its wheels, m.
    lever: f64,
    /// Speed that is held, m/s.
    speed: f64,
    /// Integral part of the throttle.
    integral: f64,
    gear: f64,
    /// Time since the last shift, s.
    since_shift: f64,
}

impl Foot {
    /// Returns the foot for a vehicle. `lever` is its mass times the radius of its wheels, kg·m.
    ///
    /// # Errors
    /// [`Error::Undrivable`] if the controller takes no command of a driver.
    pub fn new(vehicle: &Vehicle, lever: f64, speed: f64) -> Result<Self, Error> {
        let command = command_of(vehicle).ok_or_else(|| undrivable(vehicle))?;
        let controls = if command == TORQUES.0 {
            Controls::Torques
        } else {
            // without the parameter of the built-in class, the brakes can slow down by g
            let full_brake = match vehicle.dynamics.value("max_brake_torque") {
                Some(ParamValue::Number(torque)) => *torque,
                _ => lever * GRAVITY,
            };
            Controls::Pedals { full_brake }
        };
        // from standstill in the first gear
        let gear = if speed == 0.0 { 1.0 } else { HIGHEST_GEAR };
        let (integral, since_shift) = (0.0, 0.0);
        Ok(Self { controls, lever, speed, integral, gear, since_shift })
    }

    /// Returns whether an engine has to be brought to the speed before the manoeuvre begins.
    pub fn has_engine(&self) -> bool {
        self.controls != Controls::Torques
    }

    /// Shifts down where the engine, at `engine` rad/s in `gear`, turns too slowly. They are NaN for a class that does not
    /// measure them.
    pub fn shift(&mut self, gear: f64, engine: f64, dt: f64) {
        self.since_shift += dt;
        if gear.is_nan() {
            // a gearbox whose highest gear is not known
            self.gear = 1.0;
        } else if self.since_shift > SHIFTS && engine < LEAST_ENGINE_SPEED && gear > 1.0 {
            (self.gear, self.since_shift) = (gear - 1.0, 0.0);
        }
    }

    /// Shifts up where the engine, at `engine` rad/s in `gear`, turns too fast.
    pub fn shift_up(&mut self, gear: f64, engine: f64, dt: f64) {
        self.since_shift += dt;
        if self.since_shift > SHIFTS && engine > GREATEST_ENGINE_SPEED && gear >= 1.0 {
            (self.gear, self.since_shift) = (gear + 1.0, 0.0);
        }
    }

    /// Asks for the present gear from now on.
    pub fn keep_gear(&mut self, gear: f64) {
        if gear >= 1.0 {
            self.gear = gear;
        }
    }

    /// Returns kind and values of the command for a step of `dt` s that begins with a speed, m/s.
    pub fn command(&mut self, demand: Demand, speed: f64, dt: f64) -> (&'static str, Vec<f64>) {
        let Demand { steer, pace } = demand;
        let wanted = if let Pace::Speed(wanted) = pace { wanted } else { self.speed };
        let missing = wanted - speed;
        match self.controls {
            Controls::Torques => {
                let [drive, brake] = match pace {
                    Pace::Hold | Pace::Speed(_) => [self.lever * SPEED_GAIN * missing, 0.0],
                    Pace::Full(torque) => [torque, 0.0],
                    Pace::Coast => [0.0; 2],
                    Pace::Brake(torque) => [0.0, torque],
                };
                (TORQUES.0, vec![drive, brake, steer])
            }
            Controls::Pedals { full_brake } => {
                let [throttle, brake] = match pace {
                    Pace::Hold | Pace::Speed(_) => [self.throttle(missing, dt), 0.0],
                    Pace::Full(_) => [1.0, 0.0],
                    Pace::Coast => [0.0; 2],
                    Pace::Brake(torque) => [0.0, (torque / full_brake).clamp(0.0, 1.0)],
                };
                (PEDALS.0, vec![throttle, brake, steer, self.gear])
            }
        }
    }

    fn throttle(&mut self, missing: f64, dt: f64) -> f64 {
        let [gain, rate] = THROTTLE;
        self.integral = (self.integral + rate * missing * dt).clamp(0.0, 1.0);
        (gain * missing + self.integral).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foot(controls: Controls) -> Foot {
        Foot { controls, lever: 450.0, speed: 20.0, integral: 0.0, gear: 5.0, since_shift: 0.0 }
    }

    /// A vehicle of any power whose engine has to overcome any resistance keeps its speed.
    #[test]
    fn an_engine_holds_the_speed_of_strong_and_weak_vehicles() {
        for (strength, drag) in [(0.6, 0.3), (2.0, 0.2), (10.0, 0.5)] {
            let mut foot = foot(Controls::Pedals { full_brake: 4000.0 });
            let (mut speed, dt) = (20.0, 0.002);
            for _ in 0..20_000 {
                let (kind, values) =
                    foot.command(Demand { steer: 0.1, pace: Pace::Hold }, speed, dt);
                assert_eq!((kind, values[2], values[3]), ("drive", 0.1, 5.0));
                assert!((0.0..=1.0).contains(&values[0]) && values[1] == 0.0);
                speed += dt * (strength * values[0] - drag);
            }
            assert!((speed - 20.0).abs() < 0.02, "{strength} {drag}: {speed}");
        }
    }

    #[test]
    fn coasting_presses_no_pedal_and_brakes_are_a_part_of_the_greatest_torque() {
        let mut engine = foot(Controls::Pedals { full_brake: 4000.0 });
        let mut motors = foot(Controls::Torques);
        let values =
            |foot: &mut Foot, pace| foot.command(Demand { steer: 0.0, pace }, 15.0, 0.01).1;
        assert_eq!(values(&mut engine, Pace::Coast)[..2], [0.0, 0.0]);
        assert_eq!(values(&mut engine, Pace::Brake(1000.0))[..2], [0.0, 0.25]);
        assert_eq!(values(&mut engine, Pace::Brake(9000.0))[..2], [0.0, 1.0]);
        assert_eq!(values(&mut motors, Pace::Hold)[..2], [4500.0, 0.0]);
        assert_eq!(values(&mut motors, Pace::Coast)[..2], [0.0, 0.0]);
        assert_eq!(values(&mut motors, Pace::Brake(1000.0))[..2], [0.0, 1000.0]);
    }

    #[test]
    fn the_driver_shifts_down_until_the_engine_turns_fast_enough() {
        let mut foot = foot(Controls::Pedals { full_brake: 4000.0 });
        foot.gear = HIGHEST_GEAR;
        // gears of a gearbox with five of them, and 300 rad/s in the first one
        let mut found = Vec::new();
        for _ in 0..600 {
            let gear = foot.gear.min(5.0);
            foot.shift(gear, 300.0 / (1.0 + 0.2 * (gear - 1.0)), 0.01);
            found.push(foot.gear.min(5.0));
        }
        assert_eq!(found.last(), Some(&3.0), "214 rad/s are enough, 187 rad/s are not");
        assert!(found.is_sorted_by(|a, b| a >= b));
    }
}
