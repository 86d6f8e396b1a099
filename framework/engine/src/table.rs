//! A table: vehicles that share their models and parameters, a column for each quantity.

mod contact;
mod layout;
mod motion;
mod snapshot;
mod steps;
mod terrain;

use std::ops::Range;

use simhost_abi::{Fault, fault_code};

use crate::clock::Clock;
use crate::columns::{Column, Columns};
use crate::error::FaultReport;
use crate::ground::Footing;
use crate::model::Call;
use crate::physics::{Body, Physics};
use crate::wiring::Names;

pub(crate) use layout::{Group, build};
use steps::Border;

/// Quantities of the host.
pub(crate) struct HostColumns {
    pub x: Column,
    pub y: Column,
    pub yaw: Column,
    pub vx: Column,
    pub vy: Column,
    pub omega: Column,
    pub spin: Column,
    pub radius: Column,
    pub wheel_x: Column,
    pub wheel_y: Column,
    pub wheel_vx: Column,
    pub wheel_vy: Column,
    /// Steering angle, from `drive`.
    pub steer: Column,
    /// Motor torque, from `drive`.
    pub torque: Column,
    /// Wheel frame: velocity in, force out.
    pub contact_vx: Column,
    pub contact_vy: Column,
    pub heading: Column,
    pub normal_force: Column,
    pub inertia: Column,
    pub force_x: Column,
    pub force_y: Column,
    pub spin_torque: Column,
    /// Friction and rolling resistance of the ground, where regions give them.
    pub mu_override: Option<Column>,
    pub c_rr_override: Option<Column>,
}

/// What a vehicle is made of, by lane.
pub(crate) struct Lane {
    /// Number of the vehicle in the world file.
    pub vehicle: usize,
    /// Name of the vehicle.
    pub name: String,
    /// Its body.
    pub body: Body,
    /// Chassis and wheels, kg.
    pub mass: f64,
    /// About the centre of mass, kg·m².
    pub inertia: f64,
    /// Centre of mass in the vehicle frame, m.
    pub centre: [f64; 2],
    /// Linear and angular damping, 1/s.
    pub damping: [f64; 2],
    /// Cosine and sine of the heading.
    pub turned: [f64; 2],
    /// Velocity of the centre of mass, world frame, m/s.
    pub velocity: [f64; 2],
    /// A model of this vehicle faulted: none is called any more.
    pub disabled: bool,
    /// Height, m, pitch and roll, rad.
    pub attitude: [f64; 3],
    /// Where it stands on the ground, and a circle about the reference point that holds that, m.
    pub footing: Footing,
    pub footing_radius: f64,
    /// What of it meets steps.
    pub border: Border,
    /// Pose that the wheels tell, m and rad.
    pub odometry: [f64; 3],
    /// Factors on the increments of that pose.
    pub odometry_multipliers: [f64; 3],
}

/// A twist that a controller imposes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Imposed {
    /// Forward and leftward velocity and yaw rate; none of them may be absent.
    pub twist: [Option<Column>; 3],
    /// Friction acts and the velocity is overwritten after the step, as in MVSim.
    pub after_step: bool,
    /// Whether the platform can move sideways.
    pub sideways: bool,
}

/// A table.
pub(crate) struct Table {
    pub columns: Columns,
    pub host: HostColumns,
    pub lanes: Vec<Lane>,
    pub wheels: usize,
    /// Names of the wheels: tags without `_wheel`.
    pub wheel_names: Vec<String>,
    /// Mounting yaw of each wheel, rad; spin angle of each wheel, rad; force in the vehicle frame.
    pub mounting: Vec<f64>,
    pub angle: Vec<f64>,
    pub force: [Vec<f64>; 2],
    /// Cosine and sine of the heading of each wheel in the vehicle frame.
    turned: Vec<[f64; 2]>,
    control: Call,
    drive: Call,
    measure: Call,
    friction: Call,
    imposed: Option<Imposed>,
    /// Forward and leftward velocity and yaw rate as the wheels tell them.
    odometry: [Option<Column>; 3],
    /// Inputs of the controller that commands set.
    pub commands: Names,
    /// Everything that a sensor may read, by name.
    pub measurements: Names,
    any_disabled: bool,
}

/// A fault within a table.
struct TableFault {
    lane: usize,
    wheel: Option<usize>,
    fault: Fault,
}

impl Table {
    /// Commands to forces: everything before the bodies move.
    pub fn pre(&mut self, clock: &Clock, physics: &mut Physics, faults: &mut Vec<FaultReport>) {
        self.wheel_velocities();
        self.run(Phase::Control, clock, faults);
        self.run(Phase::Drive, clock, faults);
        if self.imposes_before_step() {
            self.impose(physics, 0.5 * clock.dt);
            self.roll_along();
        } else {
            self.contact_velocities();
            self.run(Phase::Friction, clock, faults);
            self.integrate_spin(clock.dt);
            self.apply_forces(clock.dt, physics);
        }
    }

    /// Reads the bodies back and measures.
    pub fn post(&mut self, clock: &Clock, physics: &mut Physics, faults: &mut Vec<FaultReport>) {
        if self.imposes_before_step() {
            self.keep_imposed(physics);
        } else {
            // as in the peer, with the heading from before the step
            self.impose(physics, 0.0);
        }
        self.read_back(physics);
        self.advance_wheel_angles(clock.dt);
        self.run(Phase::Measure, clock, faults);
        self.advance_odometry(clock.dt);
    }

    /// What holds before the first step.
    pub fn start(&mut self, clock: &Clock, physics: &Physics, faults: &mut Vec<FaultReport>) {
        self.read_back(physics);
        self.run(Phase::Measure, clock, faults);
    }

    /// Calls a phase for every lane that has not faulted.
    fn run(&mut self, phase: Phase, clock: &Clock, faults: &mut Vec<FaultReport>) {
        let call = match phase {
            Phase::Control => &self.control,
            Phase::Drive => &self.drive,
            Phase::Measure => &self.measure,
            Phase::Friction => &self.friction,
        };
        let count = self.lanes.len();
        let total = if phase == Phase::Friction { count * self.wheels } else { count };
        let mut found = Vec::new();
        let mut todo: Vec<Range<usize>> = std::iter::once(0..total).collect();
        while let Some(range) = todo.pop() {
            // a fault met meanwhile may have disabled some of these lanes
            let mut ranges = if self.any_disabled {
                enabled_ranges(&self.lanes, range)
            } else {
                std::iter::once(range).collect()
            };
            if ranges.is_empty() {
                continue;
            }
            let first = ranges.remove(0);
            todo.extend(ranges.into_iter().rev());
            for (fault, rest) in call.run(&mut self.columns, first, clock, &[]).into_iter().rev() {
                let by_wheel = phase == Phase::Friction;
                let at = TableFault::new(fault.lane as usize, count, by_wheel, fault);
                self.lanes[at.lane].disabled = true;
                self.any_disabled = true;
                todo.push(rest);
                found.push(at);
            }
        }
        while let Some((output, index)) = call.first_non_finite(&self.columns) {
            let at = TableFault::new(index, count, phase.has_wheels(), non_finite(call, output));
            call.silence(&mut self.columns, |i| i % count == at.lane);
            found.push(at);
        }
        found.sort_by_key(|at| (at.lane, at.wheel));
        let reports = found.iter().map(|at| self.report(at, call, clock)).collect::<Vec<_>>();
        for at in &found {
            self.disable(at.lane);
        }
        faults.extend(reports);
    }

    fn report(&self, at: &TableFault, call: &Call, clock: &Clock) -> FaultReport {
        let vehicle = &self.lanes[at.lane].name;
        let entity = match at.wheel {
            Some(wheel) => format!("vehicle '{vehicle}', wheel {}", self.wheel_names[wheel]),
            None => format!("vehicle '{vehicle}'"),
        };
        FaultReport {
            time: clock.time(),
            entity,
            class: call.class().full_name.to_string(),
            source: call.class().source.to_string(),
            phase: call.name().to_string(),
            code: at.fault.code,
            text: at.fault.message(),
        }
    }

    /// A vehicle whose model faulted rolls on without torque or tyre force.
    fn disable(&mut self, lane: usize) {
        let count = self.lanes.len();
        self.lanes[lane].disabled = true;
        self.any_disabled = true;
        for call in [&self.control, &self.drive, &self.measure, &self.friction] {
            call.silence(&mut self.columns, |index| index % count == lane);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Control,
    Drive,
    Measure,
    Friction,
}

impl Phase {
    /// Whether an output column may hold a number for each wheel.
    fn has_wheels(self) -> bool {
        matches!(self, Self::Drive | Self::Friction)
    }
}

impl TableFault {
    fn new(index: usize, count: usize, by_wheel: bool, fault: Fault) -> Self {
        Self { lane: index % count, wheel: by_wheel.then_some(index / count), fault }
    }
}

fn non_finite(call: &Call, output: usize) -> Fault {
    let name = crate::wiring::name(&crate::wiring::ports(call.phase.outputs)[output]);
    Fault::new(fault_code::NON_FINITE, &format!("output `{name}` is not finite"))
}

/// The lanes that have not faulted, as ranges.
fn enabled_ranges(lanes: &[Lane], within: Range<usize>) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = None;
    for index in within.clone() {
        match (lanes[index % lanes.len()].disabled, start) {
            (false, None) => start = Some(index),
            (true, Some(from)) => {
                ranges.push(from..index);
                start = None;
            }
            _ => {}
        }
    }
    ranges.extend(start.map(|from| from..within.end));
    ranges
}
