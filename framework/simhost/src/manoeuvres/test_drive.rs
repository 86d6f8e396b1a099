//! A simulation whose first vehicle is driven, with what is measured.

use simhost_engine::{Fit, Quantities, Simulation, Snapshot, TimedCommand};
use simhost_world::World;

use super::foot::{Demand, Foot, Pace};
use super::motion::{MotionSample, TrailingUnit};
use crate::Error;

/// A simulation whose first vehicle is driven.
pub(super) struct TestDrive {
    simulation: Simulation,
    name: String,
    /// Centre of mass ahead of the reference point, m.
    centre: f64,
    lateral: Gauge,
    forward: Gauge,
    /// Torque on the steering wheel.
    torque: Gauge,
    /// Lateral acceleration of the last trailer.
    trailing: Gauge,
    /// Gear and engine speed.
    engine: [Gauge; 2],
    /// Foot of the driver.
    pub foot: Foot,
    /// Commands of all steps.
    pub commands: Vec<TimedCommand>,
}

/// Reads a number of a simulation.
struct Gauge(Quantities);

impl TestDrive {
    /// Begins with a simulation of a world, whose first vehicle has its centre of mass `centre` m ahead of its reference
    /// point.
    pub fn new(world: &World, simulation: Simulation, centre: f64, foot: Foot) -> Self {
        let name = simulation.vehicle_names().first().cloned().unwrap_or_default();
        let gauge = |quantity: &str| {
            let name = format!("{name}/{quantity}");
            Gauge(Quantities::new(world, &simulation, |one| one == name))
        };
        let is_torque = |one: &str| {
            let own = one.strip_prefix(&name).and_then(|rest| rest.strip_prefix("/actuator/"));
            own.is_some_and(|rest| rest.ends_with("/steering_wheel_torque"))
        };
        let torque = Gauge(Quantities::new(world, &simulation, is_torque));
        let last =
            simulation.vehicle_names().last().map(|last| format!("{last}/lateral_acceleration"));
        let is_last = |one: &str| last.as_deref() == Some(one);
        let trailing = Gauge(Quantities::new(world, &simulation, is_last));
        let [lateral, forward] = ["lateral_acceleration", "longitudinal_acceleration"].map(gauge);
        let engine = ["dynamics/gear", "dynamics/engine_speed"].map(gauge);
        let commands = Vec::new();
        Self {
            simulation,
            name,
            centre,
            lateral,
            forward,
            torque,
            trailing,
            engine,
            foot,
            commands,
        }
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

    /// Returns gear and engine speed, rad/s; NaN if the dynamics class does not measure them.
    pub fn engine(&self) -> [f64; 2] {
        self.engine.each_ref().map(|gauge| gauge.read(&self.simulation))
    }

    /// Makes a step with a demand of the driver at a speed, m/s.
    pub fn step(&mut self, demand: Demand, speed: f64) -> Result<(), Error> {
        let clock = self.simulation.clock();
        if matches!(demand.pace, Pace::Full(_) | Pace::Speed(_)) {
            let [gear, engine] = self.engine();
            self.foot.shift_up(gear, engine, clock.dt);
        }
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
        let [lateral, forward] =
            [&self.lateral, &self.forward].map(|gauge| gauge.read(&self.simulation));
        let (mut loads, mut slowest_spin) = ([0.0; 2], f64::INFINITY);
        for wheel in self.simulation.wheels().filter(|wheel| wheel.vehicle == self.name) {
            loads[usize::from(wheel.position[1] < 0.0)] += wheel.normal_force;
            slowest_spin = slowest_spin.min(wheel.spin);
        }
        MotionSample {
            time,
            position: [x, y],
            yaw,
            twist,
            drift,
            roll,
            steer: 0.0,
            torque: self.torque.read(&self.simulation),
            lateral,
            forward,
            loads,
            slowest_spin,
            trailing: self.trailing_unit(yaw),
        }
    }

    /// Returns the motion of the trailers of a vehicle with a heading, rad.
    fn trailing_unit(&self, yaw: f64) -> Option<TrailingUnit> {
        let mut vehicles = self.simulation.vehicles().skip(1);
        let first = vehicles.next()?;
        let last = vehicles.last().unwrap_or(first);
        let (sin, cos) = libm::sincos(yaw - first.pose[3]);
        Some(TrailingUnit {
            yaw_rate: last.twist[2],
            lateral: self.trailing.read(&self.simulation),
            articulation: libm::atan2(sin, cos),
        })
    }
}

impl Gauge {
    fn read(&self, simulation: &Simulation) -> f64 {
        let mut values = Vec::new();
        self.0.read(simulation, &mut values);
        values.first().copied().unwrap_or(f64::NAN)
    }
}
