//! A simulation whose first vehicle is driven step by step.

use simhost_engine::{BuildError, Fit, Options, Quantities, Simulation, Snapshot, TimedCommand};
use simhost_world::{Sources, World};

use super::foot::{Demand, Foot};
use super::motion::MotionSample;
use crate::Error;

/// A simulation whose first vehicle is driven.
pub(super) struct TestDrive<'w> {
    world: &'w World,
    simulation: Simulation,
    name: String,
    /// Centre of mass ahead of the reference point, m.
    centre: f64,
    lateral: Gauge,
    /// Foot of the driver.
    pub foot: Foot,
    /// Commands of all steps.
    pub commands: Vec<TimedCommand>,
}

/// Reads a number of a simulation.
pub(super) struct Gauge(Quantities);

impl<'w> TestDrive<'w> {
    /// Begins with a simulation of a world, whose first vehicle has its centre of mass `centre` m ahead of its reference
    /// point.
    pub fn new(world: &'w World, simulation: Simulation, centre: f64, foot: Foot) -> Self {
        let name = simulation.vehicle_names().first().cloned().unwrap_or_default();
        let lateral = Gauge::new(world, &simulation, &format!("{name}/lateral_acceleration"));
        Self { world, simulation, name, centre, lateral, foot, commands: Vec::new() }
    }

    /// Returns to a state.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        Ok(self.simulation.restore(snapshot, Fit::Exact)?)
    }

    /// Returns the present state.
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        Ok(self.simulation.snapshot()?)
    }

    /// Returns the length of a step, s.
    pub fn dt(&self) -> f64 {
        self.simulation.clock().dt
    }

    /// Returns a gauge for a quantity of the dynamics class of the vehicle.
    pub fn gauge(&self, quantity: &str) -> Gauge {
        Gauge::new(self.world, &self.simulation, &format!("{}/dynamics/{quantity}", self.name))
    }

    /// Returns the present value of a gauge; NaN if the vehicle does not have the quantity.
    pub fn read(&self, gauge: &Gauge) -> f64 {
        gauge.read(&self.simulation)
    }

    /// Makes a step with a demand of the driver at a speed, m/s.
    pub fn step(&mut self, demand: Demand, speed: f64) -> Result<(), Error> {
        let clock = self.simulation.clock();
        let (kind, values) = self.foot.command(demand, speed, clock.dt);
        let (vehicle, kind) = (self.name.clone(), kind.to_owned());
        let command = TimedCommand { time: clock.time(), vehicle, kind, values };
        self.simulation.command(&command)?;
        self.simulation.step()?;
        self.commands.push(command);
        Ok(())
    }

    /// Returns the present motion, with time and place of the world.
    pub fn sample(&self) -> MotionSample {
        let time = self.simulation.clock().time();
        let Some(now) = self.simulation.vehicles().next() else { return MotionSample::default() };
        let [x, y, _, yaw, _, roll] = now.pose;
        let twist = now.twist;
        let drift = twist[1] + twist[2] * self.centre;
        let lateral = self.read(&self.lateral);
        MotionSample { time, position: [x, y], yaw, twist, drift, roll, steer: 0.0, lateral }
    }
}

impl Gauge {
    fn new(world: &World, simulation: &Simulation, name: &str) -> Self {
        Self(Quantities::new(world, simulation, |one| one == name))
    }

    fn read(&self, simulation: &Simulation) -> f64 {
        let mut values = Vec::new();
        self.0.read(simulation, &mut values);
        values.first().copied().unwrap_or(f64::NAN)
    }
}

/// Creates the simulation of a world at its start.
pub(super) fn simulation(world: &World) -> Result<Simulation, Error> {
    let mut simulation =
        Simulation::new(world, Options { seed: 0, threads: 1 }).map_err(build_error)?;
    simulation.start()?;
    Ok(simulation)
}

fn build_error(error: BuildError) -> Error {
    Error::Build { error: Box::new(error), sources: Box::new(Sources::default()) }
}
