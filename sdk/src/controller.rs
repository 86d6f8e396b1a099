//! Controllers: from commands and measurements to actuators.

use std::ffi::c_void;
use std::marker::PhantomData;

use simhost_abi::{Batch, CommandDesc, Fault, Kind, Model, Phase, Slice, Str, Value};

use crate::batch::{self, Lanes};
use crate::{Params, Ports, State, Step, export};

/// A controller. It fits every dynamics class that has the ports it names.
pub trait Controller: Params {
    /// Commands (`#[port(command)]`) and measurements.
    type Inputs: Ports;
    /// Actuators: inputs of the dynamics class, or `twist_vx`, `twist_vy`, `twist_omega`.
    type Outputs: Ports;
    /// What it remembers; `()` for nothing.
    type State: State;
    /// The kinds of commands it takes, each with the inputs that its values set, in order. An empty
    /// name skips a value.
    const COMMANDS: &'static [(&'static str, &'static [Str])];

    /// As [`crate::Friction::prepare`].
    fn prepare(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// One vehicle, once a step, before the dynamics class. On any thread, in any order: it must
    /// not allocate, print or keep anything outside `state`.
    fn control(&self, inputs: &Self::Inputs, step: &Step, state: &mut Self::State)
    -> Self::Outputs;
}

#[repr(transparent)]
struct Adapter<M>(M);

impl<M: Controller> Lanes for Adapter<M> {
    type Inputs = M::Inputs;
    type Outputs = M::Outputs;
    type State = M::State;
    #[inline(always)]
    fn lane(&self, inputs: &M::Inputs, step: &Step, state: &mut M::State) -> M::Outputs {
        self.0.control(inputs, step, state)
    }
}

/// The descriptor of a controller.
#[doc(hidden)]
pub struct ControllerModel<M>(PhantomData<M>);

/// Most kinds of commands of one controller.
const MAX_COMMANDS: usize = 8;

impl<M: Controller> ControllerModel<M> {
    const PHASES: &'static [Phase] = &[Phase {
        size: size_of::<Phase>() as u32,
        reserved: 0,
        id: Str::new("control"),
        inputs: Slice::new(<M::Inputs as Ports>::PORTS),
        outputs: Slice::new(<M::Outputs as Ports>::PORTS),
        call: Self::control,
    }];

    const COMMANDS: &'static [CommandDesc; MAX_COMMANDS] = &{
        let empty = CommandDesc {
            size: size_of::<CommandDesc>() as u32,
            reserved: 0,
            kind: Str::new(""),
            ports: Slice::new(&[]),
        };
        let mut commands = [empty; MAX_COMMANDS];
        assert!(M::COMMANDS.len() <= MAX_COMMANDS, "more than 8 kinds of commands");
        let mut i = 0;
        while i < M::COMMANDS.len() {
            commands[i].kind = Str::new(M::COMMANDS[i].0);
            commands[i].ports = Slice::new(M::COMMANDS[i].1);
            i += 1;
        }
        commands
    };

    /// The descriptor under the name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        Model {
            states: Slice::new(<M::State as State>::STATES),
            commands: Slice::new(Self::COMMANDS.split_at(M::COMMANDS.len()).0),
            phases: Slice::new(Self::PHASES),
            ..export::model::<M>(Kind::Controller, id, version, Self::create)
        }
    }

    unsafe extern "C" fn create(
        values: Slice<Value>,
        handle: *mut *mut c_void,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: the host keeps the values alive and hands over a place for the handle.
        unsafe { export::create::<M>(values, handle, fault, M::prepare) }
    }

    unsafe extern "C" fn control(
        model: *const c_void,
        batch: *const Batch,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: `model` came from `create` of this type, which `Adapter` is transparent over; the
        // host promises a valid batch.
        unsafe { batch::call(&*model.cast::<Adapter<M>>(), batch, fault) }
    }
}
