//! The files that every run with output has, as presets of quantities.

use simhost_engine::{Preset, Simulation};
use simhost_record::{Standard, Tick};

/// Quantities of `trajectory.csv`.
const MOTION: &[&str] = &["pose", "twist"];
/// Quantities of `odometry.csv`.
const ODOMETRY: &[&str] = &["odometry_pose", "odometry_twist"];
/// Quantities of `wheels.csv`.
const WHEELS: &[&str] =
    &["spin", "angle", "steer", "torque", "normal_force", "vx", "vy", "fx", "fy"];

/// The quantities of the standard files.
pub(super) struct StandardFiles {
    trajectory: Preset,
    odometry: Preset,
    wheels: Preset,
}

impl StandardFiles {
    /// Selects the quantities of a simulation.
    pub fn new(simulation: &Simulation) -> Self {
        Self {
            trajectory: Preset::of_vehicles(simulation, MOTION),
            odometry: Preset::of_vehicles(simulation, ODOMETRY),
            wheels: Preset::of_wheels(simulation, WHEELS),
        }
    }

    /// Adds a row for each vehicle and each wheel.
    pub fn write(&mut self, tick: &mut Tick<'_>, simulation: &Simulation) {
        let time = simulation.clock().time();
        self.trajectory.for_each(simulation, |row| {
            tick.standard(Standard::Trajectory, time, [row.vehicle], row.values);
        });
        self.odometry.for_each(simulation, |row| {
            tick.standard(Standard::Odometry, time, [row.vehicle], row.values);
        });
        self.wheels.for_each(simulation, |row| {
            tick.standard(Standard::Wheels, time, [row.vehicle, row.wheel], row.values);
        });
    }
}
