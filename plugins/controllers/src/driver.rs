//! Parts that all drivers share: a path, a speed, measurements, and actuators.

use simhost_sdk::TextFile;
use simhost_sdk::ports::PlanarPose;
use simhost_sdk::prelude::*;

use crate::drive_cycle::{DriveCycle, DriverMemory, SpeedTarget};
use crate::pedals::{BrakedEngine, BrakedFront};

/// A corner of a path.
#[derive(Params, Clone, Copy, Debug)]
pub struct Corner {
    /// Position, world frame.
    #[param(required, unit = "m")]
    x: f64,
    /// Position, world frame.
    #[param(required, unit = "m")]
    y: f64,
}

/// Path and speed of a driver.
#[derive(Params)]
pub struct DriverTrack {
    /// Corners of the path, at least two. Beyond the last corner, the path continues straight.
    /// Without corners, it is the x axis of the world.
    corner: Vec<Corner>,
    /// Speed to keep. A larger value makes the vehicle faster.
    #[param(default = 10.0, unit = "m/s", above = 0.0)]
    speed: f64,
    /// CSV file with a drive cycle: columns `time` (s) and `speed` (m/s) or `speed_kmh`, with increasing times. It replaces `speed`.
    cycle: Option<TextFile>,
    /// Time over which the acceleration of the cycle is fed forward. A larger value makes the driver react earlier to the
    /// cycle, and round its corners.
    #[param(default = 0.5, unit = "s", above = 0.0)]
    cycle_preview: f64,
    /// Torque of all motors or brakes together for an error of 1 m/s. A larger value keeps the speed more closely.
    #[param(default = 500.0, unit = "N·m·s/m", range = 0.0..)]
    speed_gain: f64,
    /// Growth of the torque for an error of 1 m/s, k_i. A larger value makes up sooner for drag and slopes, and overshoots.
    #[param(default = 0.0, unit = "N·m/m", range = 0.0..)]
    speed_integral_gain: f64,
    /// Largest torque of all motors together. A larger value accelerates faster, until the driven wheels spin.
    #[param(default = 1500.0, unit = "N·m", above = 0.0)]
    max_torque: f64,
    /// Lateral acceleration in curves, for which the driver slows down ahead of them; none by default. A larger value makes the
    /// vehicle faster in curves. The curvature at a corner is its angle divided by half of the lengths before and after it.
    #[param(unit = "m/s²", above = 0.0)]
    lateral_acceleration: Option<f64>,
    /// Deceleration ahead of curves. A larger value makes the driver brake later.
    #[param(default = 2.0, unit = "m/s²", above = 0.0)]
    deceleration: f64,
    /// Content of `cycle`.
    #[param(skip)]
    speeds: Option<DriveCycle>,
}

/// Pose and speed of the vehicle, and its geometry.
#[derive(Ports)]
pub struct Driven {
    /// Pose.
    #[port(flatten)]
    pub(crate) pose: PlanarPose,
    /// Forward velocity estimated from the wheels.
    #[port(unit = "m/s")]
    pub(crate) odometry_vx: f64,
    /// Wheelbase: distance between the axles.
    #[port(unit = "m")]
    pub(crate) wheelbase: f64,
    /// Largest steering angle.
    #[port(unit = "rad")]
    pub(crate) max_steer: f64,
    /// Mass with the wheels.
    #[port(unit = "kg")]
    pub(crate) mass: f64,
    /// Rolling radius.
    #[port(unit = "m")]
    pub(crate) wheel_radius: f64,
}

/// Actuators of an Ackermann vehicle with motors on the front wheels and brakes, and the deviation from the path.
#[derive(Ports)]
pub struct DrivenFront {
    /// Actuators.
    #[port(flatten)]
    pub(crate) actuators: BrakedFront,
    /// Distance of the vehicle from the path, positive to the left of it.
    #[port(unit = "m", publish)]
    pub(crate) deviation: f64,
}

/// Actuators of a vehicle with one engine and brakes, and the deviation from the path.
#[derive(Ports)]
pub struct DrivenEngine {
    /// Actuators.
    #[port(flatten)]
    pub(crate) actuators: BrakedEngine,
    /// Distance of the vehicle from the path, positive to the left of it.
    #[port(unit = "m", publish)]
    pub(crate) deviation: f64,
}

/// The place of a path that is nearest to a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PathPlace {
    /// Number of the corner before it.
    corner: usize,
    /// Distance from that corner, m.
    on: f64,
    /// Distance of the position to the left of the path, m.
    pub deviation: f64,
}

impl DriverTrack {
    /// Checks the path, sets the default, and reads the cycle.
    pub(crate) fn prepare(&mut self) -> Result<(), String> {
        self.speeds = self.cycle.as_ref().map(DriveCycle::read).transpose()?;
        if self.corner.is_empty() {
            self.corner = [0.0, 1.0].map(|x| Corner { x, y: 0.0 }).into();
        }
        let count = self.corner.len();
        if count < 2 {
            return Err(format!("found {count} corners, expected at least two"));
        }
        let is_same = |pair: &[Corner]| pair[0].x == pair[1].x && pair[0].y == pair[1].y;
        match self.corner.windows(2).position(is_same) {
            Some(number) => {
                Err(format!("corner {} is corner {number}, expected another place", number + 1))
            }
            None => Ok(()),
        }
    }

    /// Returns the place of the path that is nearest to a position.
    pub(crate) fn nearest(&self, at: [f64; 2]) -> PathPlace {
        let mut best = (f64::INFINITY, PathPlace { corner: 0, on: 0.0, deviation: 0.0 });
        for (corner, pair) in self.corner.windows(2).enumerate() {
            let (along, aside, length) = relative(pair, at);
            let is_last = corner + 2 == self.corner.len();
            let most = if is_last { f64::INFINITY } else { length };
            let on = along.clamp(0.0, most);
            let distance = (along - on) * (along - on) + aside * aside;
            if distance < best.0 {
                let deviation = aside.signum() * distance.sqrt();
                best = (distance, PathPlace { corner, on, deviation });
            }
        }
        best.1
    }

    /// Returns the point of the path at `ahead` m beyond a place.
    pub(crate) fn ahead(&self, of: PathPlace, ahead: f64) -> [f64; 2] {
        let (mut left, mut number) = (of.on + ahead, of.corner);
        loop {
            let pair = &self.corner[number..number + 2];
            let (dx, dy) = (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
            let length = (dx * dx + dy * dy).sqrt();
            if left <= length || number + 2 == self.corner.len() {
                let part = left / length;
                return [pair[0].x + part * dx, pair[0].y + part * dy];
            }
            (left, number) = (left - length, number + 1);
        }
    }

    /// Returns the direction of the path at a place, rad.
    pub(crate) fn direction(&self, of: PathPlace) -> f64 {
        let pair = &self.corner[of.corner..of.corner + 2];
        math::atan2(pair[1].y - pair[0].y, pair[1].x - pair[0].x)
    }

    /// Returns the speed to drive at a place, m/s: the least of `cruise` and, for each corner ahead at the distance d
    /// with the curvature κ, √(a / κ + 2 b d) for the lateral acceleration a and the deceleration b.
    pub(crate) fn speed_at(&self, place: PathPlace, cruise: f64) -> f64 {
        let Some(lateral) = self.lateral_acceleration else { return cruise };
        let lengths = |number: usize| {
            let pair = &self.corner[number..number + 2];
            (pair[1].x - pair[0].x, pair[1].y - pair[0].y)
        };
        let length = |(dx, dy): (f64, f64)| (dx * dx + dy * dy).sqrt();
        let mut speed = cruise;
        // beyond this distance, a curve of any curvature has no effect
        let most = cruise * cruise / (2.0 * self.deceleration);
        let mut start = -place.on;
        for number in place.corner..self.corner.len() - 1 {
            let before = number.checked_sub(1).map(lengths);
            let after = lengths(number);
            // the curve of a corner reaches to the middle of the lines before and after it
            if let Some(before) = before {
                let half = 0.5 * (length(before) + length(after));
                let cross = before.0 * after.1 - before.1 * after.0;
                let angle = math::atan2(cross, before.0 * after.0 + before.1 * after.1).abs();
                let is_past = start + 0.5 * length(after) < 0.0;
                let ahead = (start - 0.5 * length(before)).max(0.0);
                if angle > 0.0 && !is_past {
                    let square = lateral * half / angle + 2.0 * self.deceleration * ahead;
                    speed = speed.min(square.sqrt());
                }
            }
            start += length(after);
            if start > most {
                break;
            }
        }
        speed
    }

    /// Returns speed and acceleration to drive with at a place and a time, s.
    fn target(&self, place: PathPlace, time: f64) -> SpeedTarget {
        let cruise = match &self.speeds {
            Some(cycle) => cycle.target(time, self.cycle_preview),
            None => SpeedTarget { speed: self.speed, acceleration: 0.0 },
        };
        let speed = self.speed_at(place, cruise.speed);
        let acceleration = if speed < cruise.speed { 0.0 } else { cruise.acceleration };
        SpeedTarget { speed, acceleration }
    }

    /// Returns the torque of all motors together that keeps the speed, N·m, negative for the brakes.
    pub(crate) fn torque(
        &self,
        vehicle: &Driven,
        place: PathPlace,
        step: &Step,
        memory: &mut DriverMemory,
    ) -> f64 {
        let target = self.target(place, step.time);
        let error = target.speed - vehicle.odometry_vx;
        let ahead = vehicle.mass * vehicle.wheel_radius * target.acceleration;
        let torque = self.speed_gain * error + ahead;
        if target == (SpeedTarget { speed: 0.0, acceleration: 0.0 }) {
            memory.integral = 0.0;
            return torque.min(0.0);
        }
        // the integral is held at the limit of the motors
        if torque + memory.integral < self.max_torque || error < 0.0 {
            memory.integral += self.speed_integral_gain * error * step.dt;
        }
        (torque + memory.integral).min(self.max_torque)
    }
}

impl DrivenFront {
    /// Drives a vehicle at a place with a torque of all motors together, N·m, and a steering angle, rad.
    pub(crate) fn new(vehicle: &Driven, torque: f64, steer: f64, place: PathPlace) -> Self {
        let actuators = BrakedFront::of(torque, vehicle.limited(steer));
        Self { actuators, deviation: place.deviation }
    }
}

impl DrivenEngine {
    /// Drives a vehicle at a place with a torque of the engine, N·m, and a steering angle, rad.
    pub(crate) fn new(vehicle: &Driven, torque: f64, steer: f64, place: PathPlace) -> Self {
        let actuators = BrakedEngine::of(torque, vehicle.limited(steer));
        Self { actuators, deviation: place.deviation }
    }
}

impl Driven {
    /// Returns the position of the reference point, m.
    pub(crate) fn position(&self) -> [f64; 2] {
        [self.pose.x, self.pose.y]
    }

    fn limited(&self, steer: f64) -> f64 {
        steer.clamp(-self.max_steer, self.max_steer)
    }
}

/// Returns a position along and to the left of the line between two corners, and its length, m.
fn relative(pair: &[Corner], at: [f64; 2]) -> (f64, f64, f64) {
    let (dx, dy) = (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
    let length = (dx * dx + dy * dy).sqrt();
    let (x, y) = (at[0] - pair[0].x, at[1] - pair[0].y);
    ((x * dx + y * dy) / length, (y * dx - x * dy) / length, length)
}

/// Makes a driver with front motors a controller, and declares the driver with an engine, which differs in its actuators only.
macro_rules! drivers {
    ($(#[$doc:meta])* $name:ident, $driver:ident, $inputs:ty) => {
        $(#[$doc])*
        #[derive(Params)]
        pub struct $name {
            /// The driver.
            #[param(flatten)]
            driver: $driver,
        }

        #[model]
        impl Controller for $name {
            fn prepare(&mut self) -> Result<(), String> {
                self.driver.track.prepare()
            }

            fn control(
                &self,
                vehicle: &$inputs,
                step: &Step,
                memory: &mut DriverMemory,
            ) -> DrivenEngine {
                let (steer, place) = self.driver.steer(vehicle);
                let vehicle = vehicle.as_ref();
                let torque = self.driver.track.torque(vehicle, place, step, memory);
                DrivenEngine::new(vehicle, torque, steer, place)
            }
        }

        #[model]
        impl Controller for $driver {
            fn prepare(&mut self) -> Result<(), String> {
                self.track.prepare()
            }

            fn control(
                &self,
                vehicle: &$inputs,
                step: &Step,
                memory: &mut DriverMemory,
            ) -> DrivenFront {
                let (steer, place) = self.steer(vehicle);
                let vehicle = vehicle.as_ref();
                let torque = self.track.torque(vehicle, place, step, memory);
                DrivenFront::new(vehicle, torque, steer, place)
            }
        }
    };
}

pub(crate) use drivers;

impl AsRef<Driven> for Driven {
    fn as_ref(&self) -> &Driven {
        self
    }
}

#[cfg(test)]
impl Driven {
    /// Returns a vehicle for tests, of 1,500 kg on wheels with a radius of 0.3 m.
    pub(crate) fn moving(pose: PlanarPose, odometry_vx: f64) -> Self {
        let (wheelbase, max_steer) = (2.5, 0.5);
        Self { pose, odometry_vx, wheelbase, max_steer, mass: 1500.0, wheel_radius: 0.3 }
    }
}

#[cfg(test)]
impl DriverTrack {
    /// Returns a path for tests, with a speed of 10 m/s.
    pub(crate) fn through(corners: &[[f64; 2]]) -> Self {
        let corner = corners.iter().map(|&[x, y]| Corner { x, y }).collect();
        Self {
            corner,
            speed: 10.0,
            cycle: None,
            cycle_preview: 0.5,
            speed_gain: 500.0,
            speed_integral_gain: 0.0,
            max_torque: 1500.0,
            lateral_acceleration: None,
            deceleration: 2.0,
            speeds: None,
        }
    }
}

#[cfg(test)]
mod tests;
