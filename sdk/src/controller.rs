//! Controllers: from commands and measurements to actuators.

use simhost_abi::{CallFn, Kind, Model, Phase, Slice};

use crate::batch::{self, Independent, Lanes, phase_of};
use crate::columns::{PortList, static_ports};
use crate::descriptor::{self, phase, rates_phase};
use crate::group::{self, Group, Whole};
use crate::lanes;
use crate::model_core::Integrated;
use crate::{Columns, ModelCore, Ports, State, Step};

/// A controller. The implementing struct holds the parameters.
///
/// A controller fits every dynamics class that has the ports it names.
pub trait Controller: ModelCore {
    /// Commands, marked `#[port(command)]`, measurements, and readings of sensors ([`crate::Reading`]).
    type Inputs: Ports;
    /// Actuators: inputs of the dynamics class, or `twist_vx`, `twist_vy` and `twist_omega` of the
    /// host.
    type Outputs: Ports;

    /// Whether the states change continuously. The host then integrates them with [`Self::rates`]
    /// over each step, after [`Self::control`], which must leave them unchanged.
    const CONTINUOUS: bool = false;

    /// Whether the vehicles depend on each other. The host then calls [`Self::control_all`] once per
    /// step with all vehicles that share the dynamics class, the friction model and the controller with
    /// equal parameters, on one thread. They fault together.
    const WHOLE_BATCH: bool = false;

    /// Sets the actuators of all vehicles of a model with [`Self::WHOLE_BATCH`]; by default it
    /// calls [`Self::control`] for each. The ports define units and frames. It must not allocate or
    /// print.
    #[doc = include_str!("controller/examples/control_all.md")]
    fn control_all(&self, vehicles: &mut Group<'_, Self::Inputs, Self::Outputs, Self::State>) {
        for lane in 0..vehicles.len() {
            let mut state = vehicles.state(lane);
            let outputs = self.control(&vehicles.inputs(lane), &vehicles.step(lane), &mut state);
            vehicles.set(lane, &outputs, &state);
        }
    }

    /// Returns the rates of change dx/dt of the states, each in the unit of its state per second. The
    /// host integrates them over each step, after [`Self::control`], of a controller with
    /// [`Self::CONTINUOUS`] states.
    ///
    /// Called up to four times per vehicle and step, on any thread, because the host integrates with the
    /// classical Runge-Kutta method; the inputs stay as they were at the start of the step. It must not
    /// allocate.
    #[doc = include_str!("controller/examples/rates.md")]
    #[inline(always)]
    fn rates(&self, _inputs: &Self::Inputs, _state: &Self::State) -> Self::State {
        Self::State::load(|_| 0.0)
    }

    /// Returns the actuators of one vehicle, each in the unit of its port.
    ///
    /// Called once per vehicle and step before the dynamics class, on any thread and in any order.
    /// It must not allocate, print, or keep anything outside `state`.
    #[doc = include_str!("controller/examples/control.md")]
    fn control(&self, inputs: &Self::Inputs, step: &Step, state: &mut Self::State)
    -> Self::Outputs;
}

phase_of! {
    /// The phase of each step, and the descriptor of a controller.
    #[doc(hidden)]
    pub ControllerModel<Controller>
}

impl<M: Controller> Lanes for ControllerModel<M> {
    type Inputs = M::Inputs;
    type Outputs = M::Outputs;
    type More = ();
    type State = M::State;
    const RANDOM: bool = M::RANDOM;
    #[inline(always)]
    fn lane(&self, inputs: &M::Inputs, step: &Step, state: &mut M::State) -> M::Outputs {
        self.0.control(inputs, step, state)
    }
}

impl<M: Controller> Integrated for ControllerModel<M> {
    type Model = M;
    type Inputs = M::Inputs;
    const CONTINUOUS: bool = M::CONTINUOUS;
    #[inline(always)]
    fn rates(model: &M, inputs: &M::Inputs, state: &M::State) -> M::State {
        model.rates(inputs, state)
    }
}

impl<M: Controller> Whole for ControllerModel<M> {
    type Inputs = M::Inputs;
    type Outputs = M::Outputs;
    type State = M::State;
    const RANDOM: bool = M::RANDOM;
    fn all(&self, vehicles: &mut Group<'_, M::Inputs, M::Outputs, M::State>) {
        self.0.control_all(vehicles);
    }
}

impl<M: Controller> ControllerModel<M> {
    const RATES: PortList = PortList::rates(<M::State as State>::STATES);
    const INPUTS: PortList = {
        lanes::check(M::PARAMS, M::PER_LANE, M::WHOLE_BATCH);
        PortList::inputs(M::Inputs::PORTS, M::PARAMS)
    };
    const CONTROL: CallFn = match M::WHOLE_BATCH {
        true => group::phase::<ControllerModel<M>>,
        false => batch::phase::<Independent<ControllerModel<M>>>,
    };
    pub(crate) const PHASES: &'static [Phase; 2] = &[
        phase("control", static_ports!(Self::INPUTS), M::Outputs::PORTS, Self::CONTROL),
        rates_phase::<Self>(static_ports!(Self::INPUTS), static_ports!(Self::RATES)),
    ];

    /// Returns the descriptor with the class name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        Model {
            flags: descriptor::flags::<M>(M::WHOLE_BATCH),
            phases: Slice::new(Self::PHASES.split_at(1 + M::CONTINUOUS as usize).0),
            ..descriptor::model::<M>(Kind::Controller, id, version)
        }
    }
}
