//! A vehicle that is driven by a steering angle and pedals, run by run.

use simhost_scene::polygon;
use simhost_world::{Vehicle, World};

use super::foot::{Demand, Foot};
use super::motion::{DrivenRun, MotionSample, SPUN, spun};
use super::run_up::{Begin, run_up};
use super::test_drive::{TestDrive, simulation};
use crate::Error;

/// The vehicle of a world, with the dimensions that a driver knows.
pub(super) struct Rig<'w> {
    world: &'w World,
    /// Name of the manoeuvre.
    manoeuvre: &'static str,
    /// Speed at which the manoeuvre begins, m/s.
    pub speed: f64,
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
    begin: Begin,
}

impl<'w> Rig<'w> {
    /// Prepares the first vehicle of a world, with its initial speed.
    pub fn new(world: &'w World, manoeuvre: &'static str) -> Result<Self, Error> {
        let Some(vehicle) = world.vehicles.first() else {
            let reason = "the world has no vehicle; expected one".to_owned();
            return Err(Error::Manoeuvre { manoeuvre, reason });
        };
        let simulation = simulation(world)?;
        let mass = simulation.bodies().next();
        let centre = mass.and_then(|mass| mass.centre).map_or(0.0, |centre| centre[0]);
        let mass = mass.and_then(|mass| mass.mass).unwrap_or(0.0);
        let places: Vec<[f64; 2]> = simulation.wheels().map(|wheel| wheel.position).collect();
        let bound = |pick: fn(f64, f64) -> f64| places.iter().map(|at| at[0]).reduce(pick);
        let wheelbase = bound(f64::max).zip(bound(f64::min)).map_or(0.0, |(high, low)| high - low);
        let radius = vehicle.wheels.first().map_or(0.3, |wheel| 0.5 * wheel.diameter);
        let (speed, outline) = (vehicle.velocity[0], outline(vehicle, &places));
        let foot = Foot::new(vehicle, mass * radius, speed)?;
        let begin = run_up(TestDrive::new(world, simulation, centre, foot), speed, manoeuvre)?;
        Ok(Self { world, manoeuvre, speed, mass, centre, wheelbase, radius, outline, begin })
    }

    /// Returns the error of a manoeuvre whose metrics have no value, for a reason.
    pub fn without_result(&self, reason: String) -> Error {
        Error::Manoeuvre { manoeuvre: self.manoeuvre, reason }
    }

    /// Checks that the vehicle does not spin in a run whose metrics require a steady state.
    pub fn check_stable(&self, samples: &[MotionSample]) -> Result<(), Error> {
        match spun(samples) {
            None => Ok(()),
            Some(time) => Err(self.without_result(format!(
                "the vehicle spins: its sideslip exceeds {SPUN}° at {time:.2} s; expected a steady state"
            ))),
        }
    }

    /// Returns the time at which the manoeuvre begins, s.
    pub fn begin_time(&self) -> f64 {
        self.begin.time
    }

    /// Returns the width of the outline, m.
    pub fn width(&self) -> f64 {
        let across = self.outline.iter().map(|at| at[1]);
        let (low, high) =
            (across.clone().fold(f64::INFINITY, f64::min), across.fold(0.0, f64::max));
        high - low
    }

    /// Drives from the begin of the manoeuvre on for a duration, s, or until `driver` returns `None`.
    pub fn drive(
        &self,
        duration: f64,
        mut driver: impl FnMut(&MotionSample) -> Option<Demand>,
    ) -> Result<DrivenRun, Error> {
        let mut drive = self.begin.resume(self.world, self.centre)?;
        let sample = |drive: &TestDrive, steer: f64| {
            let now = drive.sample();
            let [x, y] = now.position;
            let (time, position) = (now.time - self.begin.time, [x - self.begin.x, y]);
            MotionSample { time, position, steer, ..now }
        };
        let mut samples = vec![sample(&drive, 0.0)];
        let dt = drive.dt();
        while let Some(last) = samples.last().filter(|last| last.time < duration - 0.5 * dt) {
            let Some(demand) = driver(last) else { break };
            drive.step(demand, last.speed())?;
            samples.push(sample(&drive, demand.steer));
        }
        Ok(DrivenRun { samples, commands: drive.commands })
    }
}

/// Returns the outline of chassis and wheels, whose centres are given, vehicle frame, m.
fn outline(vehicle: &Vehicle, places: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut corners = vehicle.chassis.polygon.clone();
    for (at, wheel) in places.iter().zip(vehicle.wheels.iter()) {
        let (length, width) = (0.5 * wheel.diameter, 0.5 * wheel.width);
        for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            corners.push([at[0] + x * length, at[1] + y * width]);
        }
    }
    polygon::convex_hull(&corners)
}
