//! A vehicle that is driven by a steering angle and pedals, run by run.

use simhost_engine::{BuildError, Options, Simulation, Snapshot, TimedCommand};
use simhost_scene::polygon;
use simhost_world::{Sources, Vehicle, World};

use super::foot::{Demand, Foot, Pace};
use super::motion::{DrivenRun, LINEAR, MotionSample, SPUN, spun};
use super::test_drive::TestDrive;
use super::{ManoeuvreSetting, ManoeuvreSettings};
use crate::Error;

/// The vehicle of a world, with the dimensions that a driver knows.
pub(super) struct Rig<'w> {
    world: &'w World,
    /// Name of the manoeuvre.
    manoeuvre: &'static str,
    /// Conditions of the drive.
    pub settings: &'w ManoeuvreSettings,
    /// Speed at which the manoeuvre begins, m/s.
    pub speed: f64,
    /// Mass, kg, with all trailers.
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
    pub fn new(
        world: &'w World,
        manoeuvre: &'static str,
        settings: &'w ManoeuvreSettings,
    ) -> Result<Self, Error> {
        let Some(vehicle) = world.vehicles.first() else {
            let reason = "the world has no vehicle; expected one".to_owned();
            return Err(Error::Manoeuvre { manoeuvre, reason });
        };
        check_pulled(world, manoeuvre)?;
        let simulation = simulation(world, settings.seed)?;
        let body = simulation.bodies().next();
        let centre = body.and_then(|body| body.centre).map_or(0.0, |centre| centre[0]);
        let mass = simulation.bodies().filter_map(|body| body.mass).sum::<f64>();
        let places: Vec<[f64; 2]> = simulation.wheels().map(|wheel| wheel.position).collect();
        let bound = |pick: fn(f64, f64) -> f64| places.iter().map(|at| at[0]).reduce(pick);
        let wheelbase = bound(f64::max).zip(bound(f64::min)).map_or(0.0, |(high, low)| high - low);
        let radius = vehicle.wheels.first().map_or(0.3, |wheel| 0.5 * wheel.diameter);
        let (speed, outline) = (vehicle.velocity[0], outline(vehicle, &places));
        let foot = Foot::new(vehicle, mass * radius, speed)?;
        let begin = run_up(TestDrive::new(world, simulation, centre, foot), speed, manoeuvre)?;
        Ok(Self {
            world,
            manoeuvre,
            settings,
            speed,
            mass,
            centre,
            wheelbase,
            radius,
            outline,
            begin,
        })
    }

    /// Returns the value of a setting of the manoeuvre.
    pub fn value(&self, setting: &ManoeuvreSetting) -> f64 {
        self.settings.value(setting)
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

    /// Checks that the greatest lateral acceleration of a slow drive, m/s², is beyond the range in which gradients are
    /// fitted.
    pub fn check_linear(&self, most: f64) -> Result<(), Error> {
        let [low, high] = LINEAR;
        if most >= high {
            return Ok(());
        }
        Err(self.without_result(format!(
            "the lateral acceleration reaches {most:.2} m/s²; expected {low} to {high} m/s², between which gradients are fitted"
        )))
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
        let mut drive = self.begin.resume(self)?;
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

/// Checks that the vehicles of a combination move by the forces that act on them.
fn check_pulled(world: &World, manoeuvre: &'static str) -> Result<(), Error> {
    let moves_itself = |vehicle: &&Vehicle| {
        ["motion", "advance"].iter().any(|id| vehicle.dynamics.model.model.phase(id).is_some())
    };
    match world.vehicles.iter().find(moves_itself).filter(|_| world.vehicles.len() > 1) {
        None => Ok(()),
        Some(vehicle) => {
            let class = vehicle.dynamics.model.id();
            let reason = format!(
                "vehicle '{}' of the class `{class}` moves its body itself, so that no trailer pulls at it; expected a \
                 class such as `ackermann`",
                vehicle.name
            );
            Err(Error::Manoeuvre { manoeuvre, reason })
        }
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

/// Longest run-up, s.
const LONGEST: f64 = 60.0;
/// Time for which the vehicle holds gear and speed at the end, s, and the part of the speed by which it may differ.
const STEADY: f64 = 1.0;
const TOLERANCE: f64 = 0.005;

/// State of a vehicle in which a manoeuvre begins.
struct Begin {
    foot: Foot,
    /// State after the run-up; `None` for the start of the world.
    snapshot: Option<Snapshot>,
    /// Commands of the run-up.
    commands: Vec<TimedCommand>,
    /// Time, s.
    pub time: f64,
    /// x of the reference point, m, from the start of the world.
    pub x: f64,
}

impl Begin {
    /// Returns to the state.
    pub fn resume(&self, rig: &Rig<'_>) -> Result<TestDrive, Error> {
        let mut drive = TestDrive::new(
            rig.world,
            simulation(rig.world, rig.settings.seed)?,
            rig.centre,
            self.foot.clone(),
        );
        drive.commands.clone_from(&self.commands);
        if let Some(snapshot) = &self.snapshot {
            drive.restore(snapshot)?;
        }
        Ok(drive)
    }
}

/// Drives straight on until engine and gearbox hold a speed, m/s, if there are any.
///
/// # Errors
/// [`Error::Manoeuvre`] if the vehicle does not hold it.
fn run_up(mut drive: TestDrive, speed: f64, manoeuvre: &'static str) -> Result<Begin, Error> {
    if !drive.foot.has_engine() || speed == 0.0 {
        let (foot, commands) = (drive.foot, drive.commands);
        return Ok(Begin { foot, snapshot: None, commands, time: 0.0, x: 0.0 });
    }
    let dt = drive.dt();
    let start = drive.sample();
    let (mut steady, mut last_gear) = (0.0, f64::NAN);
    while steady < STEADY {
        let now = drive.sample();
        if now.time > LONGEST {
            return Err(too_slow(now.speed(), speed, manoeuvre));
        }
        let [present, turning] = drive.engine();
        drive.foot.shift(present, turning, dt);
        let is_held = (now.speed() - speed).abs() < TOLERANCE * speed;
        let is_same = present.to_bits() == std::mem::replace(&mut last_gear, present).to_bits();
        steady = if is_held && is_same { steady + dt } else { 0.0 };
        drive.step(Demand { steer: 0.0, pace: Pace::Hold }, now.speed())?;
    }
    drive.foot.keep_gear(last_gear);
    let (snapshot, end) = (Some(drive.snapshot()?), drive.sample());
    let x = end.position[0] - start.position[0];
    Ok(Begin { foot: drive.foot, snapshot, commands: drive.commands, time: end.time, x })
}

/// Returns the error for a vehicle whose speed is not the speed of a manoeuvre, m/s.
fn too_slow(found: f64, expected: f64, manoeuvre: &'static str) -> Error {
    let [found, expected] = [found, expected].map(|speed| 3.6 * speed);
    let reason = format!(
        "the vehicle drives at {found:.1} km/h after a run-up of {LONGEST} s; expected {expected:.1} km/h"
    );
    Error::Manoeuvre { manoeuvre, reason }
}

/// Creates the simulation of a world at its start.
fn simulation(world: &World, seed: u64) -> Result<Simulation, Error> {
    let mut simulation =
        Simulation::new(world, Options { seed, threads: 1 }).map_err(build_error)?;
    simulation.start()?;
    Ok(simulation)
}

fn build_error(error: BuildError) -> Error {
    Error::Build { error: Box::new(error), sources: Box::new(Sources::default()) }
}
