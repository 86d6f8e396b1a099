//! Actuators: between the output of a controller and the input of a dynamics class.

use simhost_abi::{Kind, Model, Phase, Scope, Slice};

use crate::batch::{self, Independent, Lanes, phase_of};
use crate::columns::{PortList, port, static_ports};
use crate::descriptor::{self, phase, rates_phase};
use crate::lanes;
use crate::model_core::Integrated;
use crate::{Columns, ModelCore, PerWheel, Ports, Reading, State, Step};

/// An actuator: what happens to one quantity on its way from the controller to the dynamics class. The
/// implementing struct holds the parameters.
///
/// A world file places it with `<actuator class="…" port="steer">` in `<dynamics>`. Several actuators
/// of one port form a chain in the order of the file: the output of each is the command of the next.
/// A lane is a vehicle, or a wheel if the port has one value per wheel; the same model serves both.
///
/// All methods except [`prepare`](ModelCore::prepare) take `&self`: one instance serves all lanes that share its
/// parameters, and several threads can call it at the same time.
#[doc = include_str!("actuator/examples/actuate.md")]
pub trait Actuator: ModelCore {
    /// Measurements that the actuator reads, such as `vx`, and readings of the sensors of its vehicle; `()` for
    /// none (the default of `#[model]`). On a port with one value per wheel, a measurement per wheel such
    /// as `spin` belongs to the wheel of the lane, and is declared as `f64`; a [`Reading`] cannot be read.
    ///
    /// A reading is the last sample that was taken before the step.
    type Inputs: Ports;
    /// Quantities that [`Self::publish`] computes, such as a power, which sensors of the vehicle can read;
    /// `()` for none (the default of `#[model]`).
    type Published: Ports;
    /// Unit of command and output. `"1"` (the default) fits a port of every unit; parameters are then
    /// in the unit of the port.
    const UNIT: &'static str = "1";
    /// Whether the states change continuously. The host then integrates them with [`Self::rates`]
    /// over each step, after [`Self::actuate`], which must leave them unchanged.
    const CONTINUOUS: bool = false;

    /// Returns the rates of change dx/dt of the states, each in the unit of its state per second. The
    /// host integrates them over each step, after [`Self::actuate`], of an actuator with
    /// [`Self::CONTINUOUS`] states.
    ///
    /// Called up to four times per lane and step, on any thread, because the host integrates with the
    /// classical Runge-Kutta method; command and inputs stay as they were at the start of the step. It
    /// must not allocate.
    #[doc = include_str!("actuator/examples/rates.md")]
    #[inline(always)]
    fn rates(&self, _command: f64, _inputs: &Self::Inputs, _state: &Self::State) -> Self::State {
        Self::State::load(|_| 0.0)
    }

    /// Returns the value that reaches the dynamics class, or the next actuator of the chain, in the unit
    /// of the port. `command` is the value that the controller, the world file or the actuator before
    /// has set.
    ///
    /// Called once per lane and step, after the controller and before the dynamics class, on any thread
    /// and in any order. It must not allocate, print, or keep anything outside `state`. The output of a
    /// vehicle that a fault has disabled is 0.
    fn actuate(
        &self,
        command: f64,
        inputs: &Self::Inputs,
        step: &Step,
        state: &mut Self::State,
    ) -> f64;

    /// Returns quantities that drive nothing: sensors of the vehicle can read them, they are listed by
    /// `simhost quantities`, and can be recorded. `value` is what [`Self::actuate`] returned.
    ///
    /// Called once per lane and step, directly after [`Self::actuate`], with the state that it left. It must
    /// not allocate. `#[model]` implements it for a model without `type Published`. A sensor reads the
    /// quantities at the end of the step. They are 0 for a vehicle that a fault has disabled.
    #[doc = include_str!("actuator/examples/publish.md")]
    fn publish(
        &self,
        inputs: &Self::Inputs,
        value: f64,
        step: &Step,
        state: &Self::State,
    ) -> Self::Published;
}

/// The inputs of a lane: the command, then the inputs of the model.
pub(crate) struct GivenInputs<I> {
    command: f64,
    inputs: I,
}

impl<I: Columns> Columns for GivenInputs<I> {
    const COUNT: usize = 1 + I::COUNT;
    const PER_WHEEL: u64 = I::PER_WHEEL << 1;
    const READINGS: u64 = I::READINGS << 1;
    #[inline(always)]
    fn load(get: impl Fn(usize) -> f64) -> Self {
        Self { command: get(0), inputs: I::load(|k| get(k + 1)) }
    }
    #[inline(always)]
    fn load_with(
        get: impl Fn(usize) -> f64,
        wheels: impl Fn(usize) -> PerWheel,
        readings: impl Fn(usize) -> Reading,
    ) -> Self {
        let inputs = I::load_with(|k| get(k + 1), |k| wheels(k + 1), |k| readings(k + 1));
        Self { command: get(0), inputs }
    }
    #[inline(always)]
    fn store(&self, mut put: impl FnMut(usize, f64)) {
        put(0, self.command);
        self.inputs.store(|k, value| put(k + 1, value));
    }
    fn visit_readings(&self, mut visit: impl FnMut(usize, &Reading)) {
        self.inputs.visit_readings(|k, reading| visit(k + 1, reading));
    }
}

/// The output of a lane.
pub(crate) struct Value(f64);

impl Columns for Value {
    const COUNT: usize = 1;
    #[inline(always)]
    fn load(get: impl Fn(usize) -> f64) -> Self {
        Self(get(0))
    }
    #[inline(always)]
    fn store(&self, mut put: impl FnMut(usize, f64)) {
        put(0, self.0);
    }
}

phase_of! {
    /// The phase of each step, and the descriptor of an actuator.
    #[doc(hidden)]
    pub ActuatorModel<Actuator>
}

impl<M: Actuator> Lanes for ActuatorModel<M> {
    type Inputs = GivenInputs<M::Inputs>;
    type Outputs = Value;
    type More = M::Published;
    type State = M::State;
    const RANDOM: bool = M::RANDOM;
    #[inline(always)]
    fn lane(&self, given: &GivenInputs<M::Inputs>, step: &Step, state: &mut M::State) -> Value {
        Value(self.0.actuate(given.command, &given.inputs, step, state))
    }
    #[inline(always)]
    fn more(
        &self,
        given: &GivenInputs<M::Inputs>,
        value: &Value,
        step: &Step,
        state: &M::State,
    ) -> M::Published {
        self.0.publish(&given.inputs, value.0, step, state)
    }
}

impl<M: Actuator> Integrated for ActuatorModel<M> {
    type Model = M;
    type Inputs = GivenInputs<M::Inputs>;
    const CONTINUOUS: bool = M::CONTINUOUS;
    #[inline(always)]
    fn rates(model: &M, given: &GivenInputs<M::Inputs>, state: &M::State) -> M::State {
        model.rates(given.command, &given.inputs, state)
    }
}

impl<M: Actuator> ActuatorModel<M> {
    const INPUTS: PortList = {
        lanes::check(M::PARAMS, M::PER_LANE, false);
        let command = port("command", M::UNIT, Scope::Instance, "value before the actuator");
        let given = PortList::join(&[command], <M::Inputs as Ports>::PORTS);
        PortList::inputs(given.as_slice(), M::PARAMS)
    };
    const PUBLISHED: PortList = PortList::published(<M::Published as Ports>::PORTS);
    const OUTPUTS: PortList = {
        assert!(M::Published::PER_WHEEL == 0, "an actuator has one value per lane: use `f64`");
        assert!(M::Published::READINGS == 0, "an output cannot be a `Reading`");
        let value = port("value", M::UNIT, Scope::Instance, "value after the actuator");
        PortList::join(&[value], Self::PUBLISHED.as_slice())
    };
    const RATES: PortList = PortList::rates(<M::State as State>::STATES);
    const PHASES: &'static [Phase; 2] = &[
        phase(
            "actuate",
            static_ports!(Self::INPUTS),
            static_ports!(Self::OUTPUTS),
            batch::phase::<Independent<ActuatorModel<M>>>,
        ),
        rates_phase::<Self>(static_ports!(Self::INPUTS), static_ports!(Self::RATES)),
    ];

    /// Returns the descriptor with the class name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        Model {
            phases: Slice::new(Self::PHASES.split_at(1 + M::CONTINUOUS as usize).0),
            ..descriptor::model::<M>(Kind::Actuator, id, version)
        }
    }
}
