//! A vehicle that is driven by steering angle and torques, run by run.

use simhost_engine::{Options, Simulation, TimedCommand};
use simhost_scene::polygon;
use simhost_world::{Sources, World};

use crate::Error;

/// Sideslip from which on a vehicle counts as spun, °.
pub const SPUN: f64 = 60.0;
/// Speed below which a vehicle stands, and has no sideslip, m/s.
const STANDS: f64 = 1.0;

/// Returns the time at which a vehicle spins, s.
pub fn spun(samples: &[MotionSample]) -> Option<f64> {
    let is_spun = |one: &&MotionSample| {
        let sideslip = libm::atan2(one.drift, one.speed()).abs().to_degrees();
        one.speed().hypot(one.drift) > STANDS && sideslip > SPUN
    };
    samples.iter().find(is_spun).map(|one| one.time)
}

/// Torque per mass, wheel radius and difference of speed with which a constant speed is held, 1/s.
const SPEED_GAIN: f64 = 2.0;

/// Steering, driving and braking by a driver.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pedals {
    /// Steering angle of the equivalent wheel in the middle, rad, positive to the left.
    pub steer: f64,
    /// Torque of the motors together, N·m.
    pub drive: f64,
    /// Greatest torque of the brakes together, N·m.
    pub brake: f64,
}

/// The motion of a vehicle at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionSample {
    /// Time, s.
    pub time: f64,
    /// Reference point, world frame, m.
    pub position: [f64; 2],
    /// Heading, rad.
    pub yaw: f64,
    /// Forward and leftward velocity of the reference point, m/s, and yaw rate, rad/s; vehicle frame.
    pub twist: [f64; 3],
    /// Leftward velocity of the centre of mass, m/s.
    pub drift: f64,
    /// Roll, rad, positive right side down.
    pub roll: f64,
    /// Steering angle that the driver has set, rad.
    pub steer: f64,
    /// Lateral acceleration of the centre of mass, m/s², positive to the left.
    pub lateral: f64,
}

impl MotionSample {
    /// Returns the forward velocity, m/s.
    pub fn speed(&self) -> f64 {
        self.twist[0]
    }

    /// Returns the yaw rate, rad/s.
    pub fn yaw_rate(&self) -> f64 {
        self.twist[2]
    }

    /// Returns x and y, m, and the heading, rad, after a time, s, in which the vehicle moves on as now.
    pub fn after(&self, time: f64) -> [f64; 3] {
        let [vx, vy, turning] = self.twist;
        let yaw = self.yaw + time * turning;
        let (sin, cos) = libm::sincos(0.5 * (self.yaw + yaw));
        let [x, y] = self.position;
        [x + time * (cos * vx - sin * vy), y + time * (sin * vx + cos * vy), yaw]
    }

    /// Returns a point of the vehicle in the world frame, m.
    pub fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = libm::sincos(self.yaw);
        [self.position[0] + cos * x - sin * y, self.position[1] + sin * x + cos * y]
    }
}

/// The vehicle of a world, with the dimensions that a driver knows.
pub(super) struct Rig<'w> {
    world: &'w World,
    name: String,
    /// Name of the manoeuvre.
    manoeuvre: &'static str,
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass ahead of the reference point, m.
    pub centre: f64,
    /// Distance of the front wheels from the rear ones, m.
    pub wheelbase: f64,
    /// Radius of the first wheel, m.
    pub radius: f64,
    /// Outline of chassis and wheels, vehicle frame, m.
    pub outline: Vec<[f64; 2]>,
}

fn build_error(error: simhost_engine::BuildError) -> Error {
    Error::Build { error: Box::new(error), sources: Box::new(Sources::default()) }
}

impl<'w> Rig<'w> {
    pub fn new(world: &'w World, manoeuvre: &'static str) -> Result<Self, Error> {
        let simulation = simulation(world, 0.0)?;
        let name = simulation.vehicle_names().first().cloned().unwrap_or_default();
        let mass = simulation.masses().next();
        let centre = mass.and_then(|mass| mass.centre).map_or(0.0, |centre| centre[0]);
        let mass = mass.and_then(|mass| mass.mass).unwrap_or(0.0);
        let places: Vec<[f64; 2]> = simulation.wheels().map(|wheel| wheel.position).collect();
        let bound = |pick: fn(f64, f64) -> f64| places.iter().map(|at| at[0]).reduce(pick);
        let wheelbase = bound(f64::max).zip(bound(f64::min)).map_or(0.0, |(high, low)| high - low);
        let vehicle = world.vehicles.first();
        let mut corners = vehicle.map_or_else(Vec::new, |one| one.chassis.polygon.clone());
        let wheels = vehicle.map(|one| one.wheels.clone()).unwrap_or_default();
        for (at, wheel) in places.iter().zip(wheels.iter()) {
            let (length, width) = (0.5 * wheel.diameter, 0.5 * wheel.width);
            for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                corners.push([at[0] + x * length, at[1] + y * width]);
            }
        }
        let outline = polygon::convex_hull(&corners);
        let radius = wheels.first().map_or(0.3, |wheel| 0.5 * wheel.diameter);
        Ok(Self { world, name, manoeuvre, mass, centre, wheelbase, radius, outline })
    }

    /// Returns the error of a manoeuvre whose metrics have no value, for a reason.
    pub fn without_result(&self, reason: String) -> Error {
        Error::Manoeuvre { manoeuvre: self.manoeuvre, reason }
    }

    /// Checks that the vehicle does not spin in a run whose metrics are those of a steady state.
    pub fn check_stable(&self, samples: &[MotionSample]) -> Result<(), Error> {
        match spun(samples) {
            None => Ok(()),
            Some(time) => Err(self.without_result(format!(
                "the vehicle spins: its sideslip exceeds {SPUN}° at {time:.2} s; expected a steady state"
            ))),
        }
    }

    /// Returns the width of the outline, m.
    pub fn width(&self) -> f64 {
        let across = self.outline.iter().map(|at| at[1]);
        let (low, high) =
            (across.clone().fold(f64::INFINITY, f64::min), across.fold(0.0, f64::max));
        high - low
    }

    /// Returns the torque that holds a speed, N·m.
    pub fn hold(&self, now: &MotionSample, speed: f64) -> f64 {
        self.mass * self.radius * SPEED_GAIN * (speed - now.speed())
    }

    /// Drives from a speed, m/s, for a duration, s, or until `driver` returns `None`.
    pub fn drive(
        &self,
        speed: f64,
        duration: f64,
        mut driver: impl FnMut(&MotionSample) -> Option<Pedals>,
    ) -> Result<Vec<MotionSample>, Error> {
        let mut simulation = simulation(self.world, speed)?;
        let dt = simulation.clock().dt;
        let mut samples = vec![self.sample(&simulation, None)];
        while simulation.clock().time() < duration - 0.5 * dt {
            let Some(last) = samples.last().copied() else { break };
            let Some(pedals) = driver(&last) else { break };
            let Pedals { steer, drive, brake } = pedals;
            let values = vec![drive, brake, steer];
            simulation.command(&TimedCommand {
                time: last.time,
                vehicle: self.name.clone(),
                kind: "pedals".to_owned(),
                values,
            })?;
            simulation.step()?;
            samples.push(MotionSample { steer, ..self.sample(&simulation, Some((&last, dt))) });
        }
        Ok(samples)
    }

    fn sample(&self, simulation: &Simulation, last: Option<(&MotionSample, f64)>) -> MotionSample {
        let time = simulation.clock().time();
        let Some(now) = simulation.vehicles().next() else { return MotionSample::default() };
        let [x, y, _, yaw, _, roll] = now.pose;
        let twist = now.twist;
        let drift = twist[1] + twist[2] * self.centre;
        let change = last.map_or(0.0, |(last, dt)| (drift - last.drift) / dt);
        let lateral = twist[0] * twist[2] + change;
        MotionSample { time, position: [x, y], yaw, twist, drift, roll, steer: 0.0, lateral }
    }
}

/// Creates the simulation of a world whose first vehicle drives with a speed, m/s.
fn simulation(world: &World, speed: f64) -> Result<Simulation, Error> {
    let mut world = world.clone();
    if let Some(vehicle) = world.vehicles.first_mut() {
        vehicle.velocity = [speed, 0.0, 0.0];
    }
    let mut simulation =
        Simulation::new(&world, Options { seed: 0, threads: 1 }).map_err(build_error)?;
    simulation.start()?;
    Ok(simulation)
}

/// Returns the slope of the line through points by least squares.
pub(super) fn slope(points: &[[f64; 2]]) -> f64 {
    let count = points.len() as f64;
    let mean = |axis: usize| points.iter().map(|at| at[axis]).sum::<f64>() / count;
    let [x, y] = [mean(0), mean(1)];
    let square: f64 = points.iter().map(|at| (at[0] - x).powi(2)).sum();
    points.iter().map(|at| (at[0] - x) * (at[1] - y)).sum::<f64>() / square
}
