//! The run-up of a vehicle with an engine, in which it reaches a steady speed in the gear of the manoeuvre.

use simhost_engine::{Snapshot, TimedCommand};
use simhost_world::World;

use super::foot::{Demand, Foot, Pace};
use super::test_drive::{TestDrive, simulation};
use crate::Error;

/// Longest run-up, s.
const LONGEST: f64 = 60.0;
/// Time for which the vehicle holds gear and speed at the end, s, and the part of the speed by which it may differ.
const STEADY: f64 = 1.0;
const TOLERANCE: f64 = 0.005;

/// State of a vehicle in which a manoeuvre begins.
pub(super) struct Begin {
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
    /// Returns to the state, in a world whose first vehicle has its centre of mass `centre` m ahead of its reference point.
    pub fn resume<'w>(&self, world: &'w World, centre: f64) -> Result<TestDrive<'w>, Error> {
        let mut drive = TestDrive::new(world, simulation(world)?, centre, self.foot.clone());
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
pub(super) fn run_up(
    mut drive: TestDrive<'_>,
    speed: f64,
    manoeuvre: &'static str,
) -> Result<Begin, Error> {
    if !drive.foot.has_engine() {
        let (foot, commands) = (drive.foot, drive.commands);
        return Ok(Begin { foot, snapshot: None, commands, time: 0.0, x: 0.0 });
    }
    let (gear, engine, dt) = (drive.gauge("gear"), drive.gauge("engine_speed"), drive.dt());
    let start = drive.sample();
    let (mut steady, mut last_gear) = (0.0, f64::NAN);
    while steady < STEADY {
        let now = drive.sample();
        if now.time > LONGEST {
            return Err(too_slow(now.speed(), speed, manoeuvre));
        }
        let (present, turning) = (drive.read(&gear), drive.read(&engine));
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
