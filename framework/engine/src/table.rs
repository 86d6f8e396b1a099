//! A table: vehicles that share their models and parameters, a column for each quantity.

mod books;
mod brake;
mod carry;
mod contact;
mod driving;
mod extrapolation;
mod fallback;
mod layout;
mod motion;
mod rates;
mod snapshot;
mod state;
mod steps;
mod terrain;
mod weight;
mod wires;

use std::ops::Range;

use simhost_abi::{Fault, fault_code};
use simhost_world::{FaultAction, FaultPolicy};

use crate::columns::{Column, Columns};
use crate::fault::{self, Evidence, FaultReport};
use crate::ground::Footing;
use crate::model::Call;
use crate::moment::Moment;
use crate::physics::{Body, Physics};
use crate::random::{Purpose, stream};
use crate::tilt::Tilt;
use crate::wiring::Names;

use brake::Brakes;
use driving::Driving;
use extrapolation::Extrapolation;
use fallback::Fallback;
use rates::Rates;

pub use books::EnergyBook;
pub(crate) use layout::{Group, build};
use steps::Border;
use weight::{Around, Weight};

/// Quantities of the host.
pub(crate) struct HostColumns {
    pub x: Column,
    pub y: Column,
    pub yaw: Column,
    /// Height, pitch and roll.
    pub attitude: [Column; 3],
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
    /// The same, for whoever reads it: what a phase writes it does not read.
    pub told_steer: Column,
    /// Motor torque, from `drive`.
    pub torque: Column,
    /// Wheel frame: velocity in, force out.
    pub contact_vx: Column,
    pub contact_vy: Column,
    pub heading: Column,
    pub normal_force: Column,
    /// Normal to the ground.
    pub gravity: Column,
    /// Gravity along the ground, vehicle frame, as far as slopes push.
    pub slope: [Column; 2],
    /// What all wheels pushed in the last step, vehicle frame.
    pub push: [Column; 2],
    /// How bodies on springs lean against their wheels: angle and rate along x, and along y.
    pub sway: [[Column; 2]; 2],
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
    /// Its friction model faulted, and another has taken over.
    pub falls_back: bool,
    /// Height, m, pitch and roll, rad.
    pub attitude: [f64; 3],
    /// How its plane leans, and the normal of that plane, world frame.
    pub tilt: Tilt,
    pub normal: [f64; 3],
    /// What it weighs and where.
    pub weight: Weight,
    /// Gravity along the ground and air in this step, vehicle frame, N.
    pub pull: [f64; 2],
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

impl Lane {
    /// As messages name it.
    pub fn entity(&self) -> String {
        format!("vehicle '{}'", self.name)
    }
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
    /// Rates of change of continuous states, with the phase after which they act.
    rates: Vec<(Phase, Rates)>,
    driving: Driving,
    policy: FaultPolicy,
    fallback: Option<Fallback>,
    imposed: Option<Imposed>,
    /// Forward and leftward velocity and yaw rate as the wheels tell them.
    odometry: [Option<Column>; 3],
    /// Inputs of the controller that commands set.
    pub commands: Names,
    /// Everything that a sensor may read, by name.
    pub measurements: Names,
    any_disabled: bool,
    around: Around,
    brakes: Option<Brakes>,
    /// What everything worked, by lane, where that is wanted.
    books: Option<Vec<EnergyBook>>,
    /// Where the world asks for it and it makes a difference.
    extrapolation: Option<Extrapolation>,
}

/// A fault within a table.
struct TableFault {
    lane: usize,
    wheel: Option<usize>,
    /// What stands in for another model has faulted too.
    by_fallback: bool,
    evidence: Evidence,
}

impl Table {
    /// Commands to torques and steering, or to the velocity of the whole step.
    pub fn pre(&mut self, moment: &Moment, physics: &mut Physics, faults: &mut Vec<FaultReport>) {
        self.wheel_velocities();
        self.run(Phase::Control, moment, faults);
        self.run(Phase::Drive, moment, faults);
        self.tell_steer();
        let dt = moment.clock.dt;
        if self.imposes_before_step() {
            self.impose(physics, 0.5 * dt);
            self.roll_along();
            return;
        }
        if let Driving::Motion(motion) = self.driving {
            self.set_out(motion, dt, physics);
        }
    }

    /// Forces to velocities, for a part of a step.
    pub fn push(&mut self, part: &Moment, physics: &mut Physics, faults: &mut Vec<FaultReport>) {
        if self.imposes_before_step() {
            return;
        }
        let dt = part.clock.dt;
        match self.driving {
            Driving::Wheels => {
                self.weigh(dt);
                self.contact_velocities();
                self.brake(dt);
                self.run(Phase::Friction, part, faults);
                let spins = self.spins_before();
                self.integrate_spin(dt);
                self.brake_spin(dt);
                self.apply_forces(dt, physics);
                if let Some(spins) = spins {
                    self.enter_wheels(&spins, dt, physics);
                }
            }
            Driving::Wrench(wrench) => {
                self.weigh(dt);
                self.apply_wrench(wrench, dt, physics);
                self.enter_wrench(wrench, dt, physics);
            }
            Driving::Motion(_) => {}
        }
        self.note_push(physics);
    }

    /// Between two parts of a step.
    pub fn go_on(&mut self, physics: &Physics) {
        self.read_back(physics);
        self.enter_contacts();
        self.wheel_velocities();
    }

    /// Reads the bodies back and measures.
    pub fn post(&mut self, moment: &Moment, physics: &mut Physics, faults: &mut Vec<FaultReport>) {
        if self.imposes_before_step() {
            self.keep_imposed(physics);
        } else if let Driving::Motion(motion) = self.driving {
            self.arrive(motion, physics);
        } else {
            // as in the peer, with the heading from before the step
            self.impose(physics, 0.0);
        }
        self.read_back(physics);
        self.enter_contacts();
        self.advance_wheel_angles(moment.clock.dt);
        self.run(Phase::Measure, moment, faults);
        self.advance_odometry(moment.clock.dt);
    }

    /// What holds before the first step.
    pub fn start(&mut self, moment: &Moment, physics: &Physics, faults: &mut Vec<FaultReport>) {
        self.read_back(physics);
        self.run(Phase::Measure, moment, faults);
    }

    /// Calls a phase for every lane that has not faulted, then lets continuous states go on.
    fn run(&mut self, phase: Phase, moment: &Moment, faults: &mut Vec<FaultReport>) {
        let call = match phase {
            Phase::Control => &self.control,
            Phase::Drive => &self.drive,
            Phase::Measure => &self.measure,
            Phase::Friction => &self.friction,
        };
        let streams = self.streams(call, phase, moment);
        let mut running = Running {
            lanes: &mut self.lanes,
            wheels: if phase == Phase::Friction { self.wheels } else { 1 },
            any_disabled: &mut self.any_disabled,
            columns: &mut self.columns,
            policy: &self.policy,
            takes: if phase == Phase::Friction { |lane| !lane.falls_back } else { |_| true },
        };
        let mut found = running.call(call, phase, moment, &streams);
        for (_, rates) in self.rates.iter().filter(|(after, _)| *after == phase) {
            found.extend(rates.advance(&mut running, phase, moment));
        }
        if phase == Phase::Friction
            && let Some(fallback) = &self.fallback
        {
            found.extend(fallback.act(&mut running, moment));
        }
        if !found.is_empty() {
            self.settle(found, faults);
        }
    }

    /// Reports what was found, and what faulted without a stand-in rolls on.
    fn settle(&mut self, mut found: Vec<TableFault>, faults: &mut Vec<FaultReport>) {
        found.sort_by_key(|at| (at.lane, at.wheel));
        for at in found {
            if !self.lanes[at.lane].falls_back || at.by_fallback {
                self.disable(at.lane);
            }
            faults.push(FaultReport::new(at.evidence, &self.policy));
        }
    }

    /// Keys of the random streams of a call's lanes; none for a model that does not draw.
    fn streams(&self, call: &Call, phase: Phase, moment: &Moment) -> Vec<u64> {
        if !call.draws() {
            return Vec::new();
        }
        let (purpose, wheels) = match phase {
            Phase::Control => (Purpose::Controller, 1),
            Phase::Drive | Phase::Measure => (Purpose::Dynamics, 1),
            Phase::Friction => (Purpose::Friction, self.wheels),
        };
        let lanes = (0..wheels).flat_map(|wheel| self.lanes.iter().map(move |l| (wheel, l)));
        let key = |(wheel, lane): (usize, &Lane)| (wheel as u64) << 32 | lane.vehicle as u64;
        lanes.map(|lane| stream(moment.seed, purpose, key(lane), moment.clock.steps)).collect()
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

/// The lanes of a table while a call runs over them.
struct Running<'t> {
    lanes: &'t mut Vec<Lane>,
    /// Of a vehicle, where wheels are the lanes of the call, else 1.
    wheels: usize,
    any_disabled: &'t mut bool,
    columns: &'t mut Columns,
    policy: &'t FaultPolicy,
    /// Which of the vehicles that are not disabled the call is for.
    takes: fn(&Lane) -> bool,
}

impl Running<'_> {
    /// Calls a phase for every lane that has not faulted. Each fault comes back once.
    fn call(
        &mut self,
        call: &Call,
        phase: Phase,
        moment: &Moment,
        streams: &[u64],
    ) -> Vec<TableFault> {
        let count = self.lanes.len();
        let before = call.remembered(self.columns);
        let mut found = Vec::new();
        let mut todo: Vec<Range<usize>> = std::iter::once(0..count * self.wheels).collect();
        while let Some(range) = todo.pop() {
            // a fault met meanwhile may have disabled some of these lanes
            let mut ranges = if *self.any_disabled {
                enabled_ranges(self.lanes, range, self.takes)
            } else {
                std::iter::once(range).collect()
            };
            if ranges.is_empty() {
                continue;
            }
            let first = ranges.remove(0);
            todo.extend(ranges.into_iter().rev());
            for (fault, rest) in call.run(self.columns, first, moment, streams).into_iter().rev() {
                let lane = fault.lane as usize;
                found.push(self.fault(call, phase, lane, &fault, &before, moment, streams));
                todo.push(rest);
            }
        }
        while let Some((output, index)) = call.first_non_finite(self.columns) {
            let by_wheel = call.outputs_of(self.columns, output) > count;
            // a wheel is a lane of its own where friction is called
            let lane = if phase == Phase::Friction { index } else { index % count };
            let fault = non_finite(call, output);
            let mut at = self.fault(call, phase, lane, &fault, &before, moment, streams);
            at.wheel = by_wheel.then_some(index / count);
            call.silence(self.columns, |i| i % count == at.lane);
            found.push(at);
        }
        found
    }

    #[expect(clippy::too_many_arguments, reason = "all of it is evidence")]
    fn fault(
        &mut self,
        call: &Call,
        phase: Phase,
        lane: usize,
        fault: &Fault,
        before: &[Vec<f64>],
        moment: &Moment,
        streams: &[u64],
    ) -> TableFault {
        let count = self.lanes.len();
        let mut evidence = Evidence::gather(call, self.columns, before, lane, moment, fault);
        evidence.stream = streams.get(lane).copied();
        let wheel = (phase == Phase::Friction).then_some(lane / count);
        let fallback = fault::action(self.policy, fault.code) == FaultAction::Fallback;
        let mut by_fallback = false;
        *self.any_disabled = true;
        let faulted = lane % count;
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            // models whose lanes depend on each other fault together
            if number == faulted || call.is_whole() {
                by_fallback = lane.falls_back;
                lane.disabled |= !(fallback && phase == Phase::Friction) || by_fallback;
                lane.falls_back = !lane.disabled;
            }
        }
        TableFault { lane: faulted, wheel, by_fallback, evidence }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Control,
    Drive,
    Measure,
    Friction,
}

fn non_finite(call: &Call, output: usize) -> Fault {
    let name = call.phase.outputs()[output].name();
    Fault::new(fault_code::NON_FINITE, &format!("output `{name}` is not finite"))
}

/// The lanes that have not faulted and that a call takes, as ranges.
fn enabled_ranges(
    lanes: &[Lane],
    within: Range<usize>,
    takes: fn(&Lane) -> bool,
) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = None;
    for index in within.clone() {
        let lane = &lanes[index % lanes.len()];
        match (!lane.disabled && takes(lane), start) {
            (true, None) => start = Some(index),
            (false, Some(from)) => {
                ranges.push(from..index);
                start = None;
            }
            _ => {}
        }
    }
    ranges.extend(start.map(|from| from..within.end));
    ranges
}
