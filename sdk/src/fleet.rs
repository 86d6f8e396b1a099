//! Fleets: from the state of many vehicles to a command for each.

use std::ffi::c_void;
use std::marker::PhantomData;

use simhost_abi::{Batch, CommandDesc, Fault, Kind, Model, Phase, Slice, Str};

use crate::columns::{PortList, static_ports};
use crate::controller::listed;
use crate::described::Described;
use crate::descriptor::{self, phase};
use crate::group::{self, Group};
use crate::lanes;
use crate::{Columns, Params, Ports, State};

/// A controller of a fleet: of many vehicles, whose drives can differ, in one call. The implementing
/// struct holds the parameters.
///
/// `<fleet class="…" vehicles="r*"/>` in a world file selects the vehicles. The controller of each of
/// them executes the commands of the fleet.
#[doc = include_str!("fleet/examples/command.md")]
pub trait Fleet: Params {
    /// Measurements of a vehicle that the host provides for every drive, such as `x`, `yaw` and
    /// `omega`, and `enabled`, which is 0 after a model of the vehicle has faulted. A measurement that
    /// only some dynamics classes have is `optional`: the other vehicles have its default. A
    /// [`Reading`](crate::Reading) is that of a sensor of each vehicle, as for a controller.
    type Inputs: Ports;
    /// Values of the commands for a vehicle, and `publish`ed quantities.
    type Outputs: Ports;
    /// State of one vehicle between two steps; `()` for a fleet without state. State that belongs to
    /// the fleet as a whole stands in the state of lane 0, or in its memory.
    type State: State;
    /// The commands that the fleet gives, the preferred one first: the name of each, with the outputs
    /// that hold its values, in order. An empty name leaves a value as it is. Each vehicle gets the
    /// first command that its controller accepts.
    const COMMANDS: &'static [(&'static str, &'static [Str])];
    /// Whether [`Self::command`] draws random numbers through [`Step::random`](crate::Step::random).
    /// Each vehicle has a stream of its own.
    const RANDOM: bool = false;
    /// Whether [`Self::command`] asks about the world around a vehicle, with the methods
    /// [`Step::ray`](crate::Step::ray), [`Step::neighbours`](crate::Step::neighbours) or
    /// [`Step::surface`](crate::Step::surface) of [`Group::step`].
    const PERCEIVES: bool = false;

    /// Checks the parameters against each other and computes derived values, like
    /// [`crate::Friction::prepare`], which has an example. Called once per `<fleet>`, on the thread that
    /// loads the world, before any other method. It can allocate.
    ///
    /// # Errors
    ///
    /// A message for the user that says which parameters do not fit together.
    fn prepare(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Returns the memory of one vehicle at the start of a run, like [`crate::Friction::memory`], which
    /// has an example. Called once per vehicle while the world is loaded. It can allocate.
    fn memory(&self) -> <Self::State as State>::Memory {
        Default::default()
    }

    /// Sets the commands of all vehicles of the fleet, each in the unit of its port.
    ///
    /// Called once per step on one thread, before the controllers, with all vehicles in the order of the
    /// world file. Inputs are those of the start of the step. It has to [set](Group::set) the outputs of
    /// every vehicle, including those that are not enabled. It must not allocate, print, or keep
    /// anything outside the states. The vehicles fault together.
    fn command(&self, vehicles: &mut Group<'_, Self::Inputs, Self::Outputs, Self::State>);
}

/// Builds the descriptor of a fleet.
#[doc(hidden)]
pub struct FleetModel<M>(PhantomData<M>);

impl<M: Fleet> Described for FleetModel<M> {
    type Model = M;
    type State = M::State;
    fn prepare(model: &mut M) -> Result<(), String> {
        model.prepare()
    }
    fn memory(model: &M) -> <M::State as State>::Memory {
        model.memory()
    }
}

impl<M: Fleet> FleetModel<M> {
    const INPUTS: PortList = {
        lanes::check(M::PARAMS, M::PER_LANE, true);
        PortList::inputs(M::Inputs::PORTS, M::PARAMS)
    };
    pub(crate) const PHASES: &'static [Phase; 1] =
        &[phase("command", static_ports!(Self::INPUTS), M::Outputs::PORTS, Self::command)];

    // an array has a constant length
    const LISTED: &'static [CommandDesc; 32] = &listed(M::COMMANDS);
    const COMMANDS: &'static [CommandDesc] = {
        assert!(!M::COMMANDS.is_empty(), "a fleet gives at least one kind of command");
        assert!(M::COMMANDS.len() <= Self::LISTED.len(), "more than 32 kinds of commands");
        Self::LISTED.split_at(M::COMMANDS.len()).0
    };

    /// Returns the descriptor with the class name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        const {
            let per_wheel = M::Inputs::PER_WHEEL | M::Outputs::PER_WHEEL;
            assert!(per_wheel == 0, "the vehicles of a fleet have different wheels");
            assert!(M::Outputs::READINGS == 0, "an output cannot be a `Reading`");
        }
        Model {
            flags: descriptor::flags(M::RANDOM, true, M::PERCEIVES),
            commands: Slice::new(Self::COMMANDS),
            phases: Slice::new(Self::PHASES),
            ..descriptor::model::<Self>(Kind::Fleet, id, version)
        }
    }

    unsafe extern "C" fn command(
        model: *const c_void,
        batch: *const Batch,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: `model` came from `create` of this type; the host promises a valid batch with the
        // columns of the phase.
        unsafe {
            let model = &*model.cast::<M>();
            group::call(batch, fault, |batch| model.command(&mut Group::new(batch, M::RANDOM)))
        }
    }
}
