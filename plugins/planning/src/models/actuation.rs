//! The common part of the models with pedals: delays of the pedals, maps from pedals to accelerations,
//! and the gear.

use simhost_sdk::prelude::*;

use super::delayed::{self, Drive};
use super::state::Moving;
use crate::delays::Delays;
use crate::gear::Gear;
use crate::maps::{self, Map};
use crate::params::{Car, Limits, MIN_TIME_CONSTANT, Steering};
use crate::ports::Command;

/// Parameters of the pedals.
#[derive(Params)]
pub struct Pedals {
    /// Arithmetic and geometry.
    #[param(flatten)]
    pub car: Car,
    /// Limits.
    #[param(flatten)]
    pub limits: Limits,
    /// Dead time of the accelerator.
    #[param(default = 0.1, range = 0.0..=60.0, unit = "s")]
    accel_time_delay: f64,
    /// Time constant of the acceleration with the accelerator pressed; at least 0.03 s is used. A larger
    /// value makes the car respond later.
    #[param(default = 0.1, range = 0.0..=1000.0, unit = "s")]
    accel_time_constant: f64,
    /// Dead time of the brake.
    #[param(default = 0.1, range = 0.0..=60.0, unit = "s")]
    brake_time_delay: f64,
    /// Time constant of the acceleration without the accelerator; at least 0.03 s is used. A larger
    /// value makes the car respond later.
    #[param(default = 0.1, range = 0.0..=1000.0, unit = "s")]
    brake_time_constant: f64,
    /// Whether the map converts the accelerator; otherwise `accel_command` is an acceleration. The
    /// default is true if the map is given.
    convert_accel_cmd: Option<bool>,
    /// Whether the map converts the brake; otherwise the brake has no effect. The default is true
    /// if the map is given.
    convert_brake_cmd: Option<bool>,
    /// Map from the accelerator (rows, 0 to 1) and the speed (columns, m/s) to the acceleration, m/s².
    accel_map_path: Option<TextFile>,
    /// Map from the brake (rows, 0 to 1) and the speed (columns, m/s) to the acceleration, m/s².
    brake_map_path: Option<TextFile>,
    /// Delay, lag and offset of the steering.
    #[param(flatten)]
    pub steering: Steering,
    /// The map of the accelerator, if it converts.
    #[param(skip)]
    accel_map: Option<Map>,
    /// The map of the brake, if it converts.
    #[param(skip)]
    brake_map: Option<Map>,
}

/// Number of the delay line of the torque in the steering.
pub const TORQUE_LINE: usize = 3;

/// Pedals and steering wheel after their dead times.
#[derive(Clone, Copy, Debug)]
pub struct Delayed {
    accel: f64,
    brake: f64,
    /// Commanded angle, rad.
    pub steer: f64,
    gear: Gear,
    slope: f64,
}

impl Pedals {
    /// Reads the maps.
    ///
    /// # Errors
    ///
    /// A message for the user when a map is missing or wrong.
    pub fn prepare(&mut self) -> Result<(), String> {
        let map = |file: &Option<TextFile>, converts: Option<bool>, name: &str| {
            let map = maps::optional(file.as_ref())?;
            match (map, converts) {
                (_, Some(false)) => Ok(None),
                (None, Some(true)) => Err(format!(
                    "convert_{name}_cmd is true, but there is no {name}_map_path; expected the path \
                     of a map"
                )),
                (map, _) => Ok(map),
            }
        };
        self.accel_map = map(&self.accel_map_path, self.convert_accel_cmd, "accel")?;
        self.brake_map = map(&self.brake_map_path, self.convert_brake_cmd, "brake")?;
        Ok(())
    }

    /// Returns lines with space for the delays, including the delay of the torque, s.
    pub fn memory(&self, torque: f64) -> Delays {
        let steer = self.steering.steer_time_delay;
        Delays::with_room(&[self.accel_time_delay, self.brake_time_delay, steer, torque])
    }

    /// Passes a command through the dead times.
    pub fn delay(&self, command: &Command, delays: &mut Delays, dt: f64) -> Delayed {
        let counting = self.limits.counting(&self.car, dt);
        let mut pass = |line, value, delay| delays.line(line).pass(value, delay, dt, counting);
        Delayed {
            accel: pass(0, command.accel, self.accel_time_delay),
            brake: pass(1, command.brake, self.brake_time_delay),
            steer: pass(2, command.steer, self.steering.steer_time_delay),
            gear: command.gear(),
            slope: command.slope,
        }
    }

    /// Returns the acceleration, m/s², that pedals, gear and slope give at a speed, m/s. The source looks
    /// maps up with the signed speed, so that a car in reverse has the acceleration of one at rest.
    fn target(&self, delayed: &Delayed, speed: f64) -> f64 {
        let Delayed { accel, brake, gear, slope, .. } = *delayed;
        let speed = if self.car.is_compatible() { speed } else { speed.abs() };
        let pedal = match (&self.accel_map, &self.brake_map) {
            (Some(map), _) if accel > 0.0 => map.lookup(accel, speed),
            (_, Some(map)) if brake > 0.0 => map.lookup(brake, speed),
            _ => accel,
        };
        let pedal = math::limit(pedal, self.limits.vel_rate_lim);
        match gear {
            Gear::None | Gear::Park => 0.0,
            Gear::Reverse => -pedal + slope,
            Gear::Forward | Gear::Neutral => pedal + slope,
        }
    }

    fn drive(&self, delayed: &Delayed) -> Drive<'_> {
        let pressed = delayed.accel > 0.0;
        let time_constant =
            if pressed { self.accel_time_constant } else { self.brake_time_constant };
        let time_constant = time_constant.max(MIN_TIME_CONSTANT);
        Drive { car: &self.car, limits: &self.limits, gear: Some(delayed.gear), time_constant }
    }

    /// Advances the state as Autoware 1.0.0 does. `steer_rate` is the rate of the steering angle,
    /// rad/s, at a speed, m/s, and a steering angle, rad, of a substep.
    pub fn repeat(
        &self,
        delayed: &Delayed,
        state: &mut Moving,
        dt: f64,
        steer_rate: impl Fn(f64, f64) -> f64,
    ) {
        let target = |speed| self.target(delayed, speed);
        delayed::repeat(&self.drive(delayed), state, dt, target, steer_rate);
        state.steer = math::limit(state.steer, self.limits.steer_lim);
    }

    /// Advances the state as Autoware 1.0.0 does, with a steering angle, rad, that `turn` computes
    /// from the angle at the start of the step, rad, and the speed at its end, m/s, before limit
    /// and gear.
    pub fn repeat_then(
        &self,
        delayed: &Delayed,
        state: &mut Moving,
        dt: f64,
        turn: impl FnOnce(f64, f64) -> f64,
    ) {
        let (before, drive) = (*state, self.drive(delayed));
        delayed::integrate(&drive, state, dt, |speed| self.target(delayed, speed), |_, _| 0.0);
        state.steer = math::limit(turn(before.steer, state.vx), self.limits.steer_lim);
        delayed::settle(&drive, &before, state, dt);
    }

    /// Advances the state with closed solutions. `steer` is the steering angle, rad, at a time of the
    /// step.
    pub fn follow(
        &self,
        delayed: &Delayed,
        state: &mut Moving,
        dt: f64,
        steer: impl Fn(f64) -> f64,
    ) {
        let target = |speed| self.target(delayed, speed);
        let limit = self.limits.steer_lim;
        let steer = |time| self.car.within_steer(math::limit(steer(time), limit));
        delayed::follow(&self.drive(delayed), state, dt, target, steer);
    }

    /// Returns the positions of the pedals that cause the acceleration of the state: 0 for an
    /// accelerator that is not needed, and for a brake while the accelerator is. The source mirrors the
    /// brake.
    pub fn status(&self, state: &Moving) -> [f64; 2] {
        let (speed, acceleration) = (state.vx, state.acceleration);
        let (speed, acceleration) = if self.car.is_compatible() || speed >= 0.0 {
            (speed, acceleration)
        } else {
            (-speed, -acceleration)
        };
        let accel = self.accel_map.as_ref().map_or(0.0, |map| {
            let needed = acceleration >= map.of_row(0, speed);
            if needed { map.row_of(acceleration, speed) } else { 0.0 }
        });
        let brake = self.brake_map.as_ref().map_or(0.0, |map| {
            let rows = map.rows();
            let row = map.row_of(acceleration, speed);
            if self.car.is_compatible() { rows[0] + rows[rows.len() - 1] - row } else { row }
        });
        let released = !self.car.is_compatible() && accel > 0.0;
        [accel, if released { 0.0 } else { brake }]
    }
}
