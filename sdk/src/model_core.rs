//! The part of a model that is the same for all kinds.

use simhost_abi::{CommandDesc, PortDesc, Str, WheelUse};

use crate::batch::{Lanes, Varied};
use crate::lanes::PerLane;
use crate::{Columns, Params, State, Step};

/// Kinds of commands, each declared with [`command!`](crate::command).
pub type CommandKinds = &'static [CommandDesc];

/// Declares a kind of commands: its name, and the ports of its values, in order. An empty name
/// skips a value. `[..n]` after a struct of ports selects the first `n` of them.
///
/// ```
/// # use simhost_sdk::prelude::*;
/// /// Commanded torques.
/// #[derive(Ports)]
/// pub struct Commanded {
///     /// Torque of the left motor.
///     #[port(unit = "N·m", command)]
///     command_left: f64,
///     /// Torque of the right motor.
///     #[port(unit = "N·m", command)]
///     command_right: f64,
/// }
///
/// const COMMANDS: CommandKinds =
///     &[command!("torques": Commanded[..2]), command!("right_torque": "", "command_right")];
/// assert!(COMMANDS.iter().all(|kind| kind.ports.len == 2));
/// ```
///
/// It fails to compile if there are fewer ports.
#[macro_export]
macro_rules! command {
    ($kind:literal: $ports:ident[..$count:literal]) => {
        $crate::command_desc(
            $kind,
            const { &$crate::command_values::<$count>(<$ports as $crate::Ports>::PORTS) },
        )
    };
    ($kind:literal: $($port:literal),* $(,)?) => {
        $crate::command_desc($kind, const { &[$($crate::port_name($port)),*] })
    };
}

/// Returns the description of a kind of commands.
#[doc(hidden)]
pub const fn command_desc(kind: &'static str, ports: &'static [Str]) -> CommandDesc {
    CommandDesc::new(kind, ports)
}

/// Returns the name of a port.
#[doc(hidden)]
pub const fn port_name(name: &'static str) -> Str {
    Str::new(name)
}

/// Returns the names of the first `N` ports of a list.
///
/// # Panics
/// Fails to compile if there are fewer ports.
#[doc(hidden)]
pub const fn command_values<const N: usize>(ports: &[PortDesc]) -> [Str; N] {
    assert!(ports.len() >= N, "more values than ports");
    let mut names = [Str::new(""); N];
    let mut index = 0;
    while index < N {
        names[index] = ports[index].name;
        index += 1;
    }
    names
}

/// The part of a model that is the same for all kinds: parameters, state and memory, random numbers, perception and
/// commands.
///
/// `#[model]` implements it with the items that an implementation of [`Friction`](crate::Friction) or
/// another kind has for it. All methods except [`Self::prepare`] take `&self`: one instance serves all lanes
/// that share its parameters, and several threads can call it at the same time.
pub trait ModelCore: Params {
    /// State of one lane between two steps, which is a vehicle, a wheel, a sensor or the world; `()` for a
    /// model without state.
    type State: State;
    /// Whether the model draws random numbers through [`Step::random`]. Sensors get them in any case, and
    /// observers have none.
    const RANDOM: bool = false;
    /// Whether the model asks about the world around its vehicle, with [`Step::ray`],
    /// [`Step::neighbours`] or [`Step::surface`]. An environment sees the vehicles where they are at the
    /// start of the step. Observers cannot ask.
    const PERCEIVES: bool = false;
    /// Whether the model computes the same at any time: it is a time-invariant system. `#[model]` finds this out for
    /// a model whose methods use nothing of [`Step`] but its length `dt`, random numbers and the ground, written as
    /// `step.dt`, `step.random()` and `step.ground(…)`. Others declare it.
    ///
    /// Such a model gets no time: [`Step::time`] is NaN. In an ensemble, members that are at different steps are
    /// computed together if all models of their vehicles are time-invariant.
    const TIME_INVARIANT: bool = false;
    /// The commands that a controller accepts, whose values set inputs, or that a fleet gives, the preferred
    /// one first, whose values are outputs. Each vehicle of a fleet gets the first command that its controller
    /// accepts; a value that is skipped stays as it is.
    const COMMANDS: CommandKinds = &[];

    /// Checks the parameters against each other and computes derived values.
    ///
    /// Called once per instance, on the thread that loads the world and before any other method. It
    /// can allocate.
    ///
    /// # Errors
    ///
    /// A message for the user that says which parameters do not fit together.
    #[doc = include_str!("friction/examples/prepare.md")]
    fn prepare(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Whether the model has warnings. `#[model]` sets it for a model with a method [`Self::warnings`].
    const WARNS: bool = false;

    /// Returns warnings about the parameters for the user, such as values that have no effect. `wheels` are those
    /// that use a friction model; models of other kinds get none.
    ///
    /// Called while the world is loaded. It can allocate.
    fn warnings(&self, _wheels: &[WheelUse]) -> Vec<String> {
        Vec::new()
    }

    /// Returns the memory of one lane at the start of a run: the value of the field marked
    /// `#[state(memory)]`.
    ///
    /// Called once per lane while the world is loaded. It can allocate.
    #[doc = include_str!("friction/examples/memory.md")]
    fn memory(&self) -> <Self::State as State>::Memory {
        Default::default()
    }
}

/// State of a model whose states change continuously.
type StateOf<D> = <<D as Integrated>::Model as ModelCore>::State;

/// A model whose states change continuously.
pub(crate) trait Integrated {
    /// The model.
    type Model: ModelCore;
    /// Inputs of a lane.
    type Inputs: Columns;
    /// Whether the states do so. The phase exists for every model, and most do not export it.
    const CONTINUOUS: bool;
    /// Returns the rates of change of the states of a lane.
    fn rates(model: &Self::Model, inputs: &Self::Inputs, state: &StateOf<Self>) -> StateOf<Self>;
}

/// The phase that returns the rates of change of the states.
#[repr(transparent)]
pub(crate) struct Rates<D: Integrated>(D::Model);

impl<D: Integrated> Varied for Rates<D> {
    const PER_LANE: PerLane =
        if D::CONTINUOUS { <D::Model as Params>::PER_LANE } else { PerLane::NONE };
    #[inline(always)]
    fn set_lane(&mut self, get: impl Fn(usize) -> f64) {
        Params::set_lane(&mut self.0, get);
    }
}

impl<D: Integrated> Lanes for Rates<D> {
    type Inputs = D::Inputs;
    type Outputs = StateOf<D>;
    type More = ();
    type State = StateOf<D>;
    const RANDOM: bool = false;
    #[inline(always)]
    fn lane(&self, inputs: &D::Inputs, _: &Step, state: &mut StateOf<D>) -> StateOf<D> {
        D::rates(&self.0, inputs, state)
    }
}
