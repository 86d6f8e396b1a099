//! The vehicles of a fleet, for tests.

use std::ffi::c_void;
use std::ptr;

use simhost_abi::host::{Circumstances, LaneShape, PhaseColumns};
use simhost_abi::{ArrayPort, PortDesc, Scope};

use crate::fleet::FleetModel;
use crate::memory::MemoryOwner;
use crate::random::Random;
use crate::{Fleet, Ports, State, Step};

use super::Named;

/// The vehicles of a fleet, with quantities accessed by name.
///
/// ```
/// use simhost_sdk::prelude::*;
/// use simhost_sdk::testing::{self, Squad};
/// # /// Position.
/// # #[derive(Ports)]
/// # pub struct Place {
/// #     /// Position.
/// #     #[port(unit = "m")]
/// #     x: f64,
/// # }
/// # /// Speed.
/// # #[derive(Ports)]
/// # pub struct Speed {
/// #     /// Forward velocity.
/// #     #[port(unit = "m/s")]
/// #     vx: f64,
/// # }
/// # /// Drives towards the mean position.
/// # #[derive(Params)]
/// # pub struct Gathering {
/// #     /// Speed per distance.
/// #     #[param(default = 1.0, unit = "1/s")]
/// #     gain: f64,
/// # }
/// # #[model]
/// # impl Fleet for Gathering {
/// #     type Inputs = Place;
/// #     type Outputs = Speed;
/// #     const COMMANDS: CommandKinds =
/// #         &[command!("twist": "vx", "", "")];
/// #     fn command(&self, vehicles: &mut Group<Place, Speed, ()>) {
/// #         let count = vehicles.len() as f64;
/// #         let mean = (0..vehicles.len()).map(|k| vehicles.inputs(k).x).sum::<f64>() / count;
/// #         for k in 0..vehicles.len() {
/// #             let vx = self.gain * (mean - vehicles.inputs(k).x);
/// #             vehicles.set(k, &Speed { vx }, &());
/// #         }
/// #     }
/// # }
///
/// let mut squad = Squad::new::<Gathering>(2, &[("gain", "3")]);
/// squad.inputs[1]["x"] = 4.0;
/// let commands = squad.command(&testing::step());
/// assert_eq!((commands[0]["vx"], commands[1]["vx"]), (6.0, -6.0));
/// ```
pub struct Squad {
    /// Measurements of each vehicle, at first the defaults of their ports.
    pub inputs: Vec<Named>,
    /// Readings of the sensors of each vehicle, by name: the values of the last sample, and the time since
    /// it was taken, s.
    pub readings: Vec<Vec<(&'static str, Vec<f64>, f64)>>,
    class: Box<dyn FleetClass>,
}

impl Squad {
    /// Creates a fleet of `count` vehicles at the start of a run, from parameters written as in a world
    /// file (`group.key` for a parameter of a group) and the defaults of the others.
    ///
    /// # Panics
    ///
    /// If there are no vehicles, if a parameter is unknown, missing or out of range, or if the model
    /// rejects them.
    pub fn new<M: Fleet>(count: usize, given: &[(&str, &str)]) -> Self {
        assert!(count > 0, "a fleet has at least one vehicle");
        let (model, initial) = super::written::<M>(given);
        let states = initial.iter().map(|initial| vec![*initial; count]).collect();
        let memories = (0..count).map(|_| MemoryOwner::new(model.memory())).collect();
        let inputs = vec![Named::of(M::Inputs::PORTS); count];
        let arrays = M::Inputs::PORTS.iter().filter(|port| is_reading(port));
        // SAFETY: declarations are static.
        let names = arrays.map(|port| unsafe { port.name.as_str() });
        let readings = vec![names.map(|name| (name, Vec::new(), f64::INFINITY)).collect(); count];
        Self { inputs, readings, class: Box::new(RunningFleet::<M> { model, states, memories }) }
    }

    /// Calls [`Fleet::command`], and returns the outputs of each vehicle. A step with a random
    /// stream gives each vehicle a separate stream.
    ///
    /// # Panics
    ///
    /// If the model faults.
    pub fn command(&mut self, step: &Step) -> Vec<Named> {
        self.class.command((&self.inputs, &self.readings), step)
    }
}

fn is_reading(port: &PortDesc) -> bool {
    port.scope == Scope::Array as u32
}

/// Inputs and readings of each vehicle.
type FleetInputs<'s> = (&'s [Named], &'s [Vec<(&'static str, Vec<f64>, f64)>]);

/// A column of inputs, one value per vehicle, or the readings of all vehicles.
#[derive(Default)]
struct Column {
    values: Vec<f64>,
    capacity: usize,
    counts: Vec<f64>,
    ages: Vec<f64>,
}

impl Column {
    /// Returns the columns of all ports, in their order.
    fn all(ports: &[PortDesc], (inputs, readings): FleetInputs<'_>) -> Vec<Self> {
        let (mut number, mut array) = (0, 0);
        let column = |port: &PortDesc| {
            if is_reading(port) {
                array += 1;
                return Self::of_readings(readings.iter().map(|of| &of[array - 1]));
            }
            number += 1;
            let values = inputs.iter().map(|vehicle| vehicle.values()[number - 1]).collect();
            Self { values, ..Self::default() }
        };
        ports.iter().map(column).collect()
    }

    fn of_readings<'s>(
        readings: impl Iterator<Item = &'s (&'static str, Vec<f64>, f64)> + Clone,
    ) -> Self {
        let capacity = readings.clone().map(|(_, values, _)| values.len()).max().unwrap_or(0);
        let padded = readings.clone().flat_map(|(_, values, _)| {
            values.iter().copied().chain(std::iter::repeat(0.0)).take(capacity)
        });
        Self {
            values: padded.collect(),
            capacity,
            counts: readings.clone().map(|(_, values, _)| values.len() as f64).collect(),
            ages: readings.map(|(_, _, age)| *age).collect(),
        }
    }

    fn port(&self) -> ArrayPort {
        ArrayPort::new(self.capacity, self.counts.as_ptr(), self.ages.as_ptr())
    }
}

/// Interface of a fleet that hides its class.
trait FleetClass {
    fn command(&mut self, given: FleetInputs<'_>, step: &Step) -> Vec<Named>;
}

struct RunningFleet<M: Fleet> {
    model: M,
    /// One column per state slot.
    states: Vec<Vec<f64>>,
    memories: Vec<MemoryOwner<<M::State as State>::Memory>>,
}

impl<M: Fleet> FleetClass for RunningFleet<M> {
    fn command(&mut self, given: FleetInputs<'_>, step: &Step) -> Vec<Named> {
        let (inputs, count) = (given.0, given.0.len());
        let columns = Column::all(M::Inputs::PORTS, given);
        let mut outputs = vec![vec![0.0; count]; M::Outputs::PORTS.len()];
        let memories: Vec<*mut c_void> = self.memories.iter().map(MemoryOwner::pointer).collect();
        let mut keys = Random::new(step.key().unwrap_or_default());
        let streams: Vec<u64> = inputs.iter().map(|_| keys.bits()).collect();
        let bound = PhaseColumns {
            inputs: columns.iter().map(|column| ptr::from_ref(column.values.as_slice())).collect(),
            arrays: columns.iter().map(Column::port).collect(),
            ..PhaseColumns::of(&[], &mut outputs, &mut self.states)
        };
        let shape = LaneShape { wheel_stride: count, ..LaneShape::default() };
        let at = Circumstances {
            streams: streams.as_ptr(),
            memories: memories.as_ptr(),
            ..Circumstances::of_step(step.time, step.dt)
        };
        let phase = &FleetModel::<M>::PHASES[0];
        // SAFETY: the phase belongs to `M`, and the columns follow its declaration.
        unsafe { super::run(phase, &self.model, shape, bound, count, &at) };
        let named = Named::of(M::Outputs::PORTS);
        let values = |lane: usize| outputs.iter().map(|column| column[lane]).collect();
        (0..count).map(|lane| named.with(values(lane))).collect()
    }
}
