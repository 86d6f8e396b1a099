//! Friction models: the force between a wheel and the ground.

use std::ffi::c_void;
use std::marker::PhantomData;

use simhost_abi::{Batch, Fault, Kind, Model, Phase, Slice, model_flag};

use crate::batch::{self, Lanes};
use crate::columns::PortList;
use crate::described::Described;
use crate::descriptor::{self, phase};
use crate::{Columns, Params, Ports, State, Step};

/// A friction model. The struct that implements it holds the parameters.
pub trait Friction: Params {
    /// What a wheel remembers from step to step; `()` for a steady model.
    type State: State;

    /// Checks the parameters against each other and computes what follows from them. Called once,
    /// before the first step, on the thread that loads the world; may allocate. The text of an
    /// error is shown to the user.
    fn prepare(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Whether it draws random numbers, with [`Step::random`].
    const RANDOM: bool = false;
    /// Whether its states change continuously: the host then integrates them with [`Self::rates`],
    /// over every step after `force`, which must leave them alone.
    const CONTINUOUS: bool = false;

    /// What a wheel remembers beside the slots of its state, at the start of a run: the field with
    /// `#[state(memory)]`. May allocate.
    fn memory(&self) -> <Self::State as State>::Memory {
        Default::default()
    }

    /// Rates of change of the states, a second, for a model with [`Self::CONTINUOUS`] states. The
    /// host integrates them by Runge and Kutta's classical method, with the wheel as it was at the
    /// start of the step.
    fn rates(&self, _wheel: &Wheel, _state: &Self::State) -> Self::State {
        Self::State::load(|_| 0.0)
    }

    /// Force on one wheel. Called for every wheel in every step, on any thread, in any order: it
    /// must not allocate, print or keep anything outside `state`. Branches are fine; calls to
    /// [`crate::math`] keep the loop over wheels vectorised.
    fn force(&self, wheel: &Wheel, step: &Step, state: &mut Self::State) -> Force;
}

/// Declares [`Wheel`] and [`Force`] from the boundary's table of ports.
macro_rules! structs {
    (
        inputs { $( $input:ident, $in_unit:tt, $default:expr, $in_doc:tt; )* }
        outputs { $( $output:ident, $out_unit:tt, $_default:expr, $out_doc:tt; )* }
    ) => {
        /// The wheel of a call: what a friction model reads.
        ///
        /// Wheel frame: x along the rolling direction, y to the left.
        #[derive(Clone, Copy, Debug, Default, Ports)]
        pub struct Wheel {
            $(
                #[doc = $in_doc]
                #[port(unit = $in_unit, default = $default)]
                pub $input: f64,
            )*
        }

        /// The action of the ground on a wheel: what a friction model writes.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
        pub struct Force {
            $(
                #[doc = $out_doc]
                #[port(unit = $out_unit)]
                pub $output: f64,
            )*
        }
    };
}

simhost_abi::friction_ports!(structs);

impl Wheel {
    /// Friction coefficient of the ground here, or the model's own.
    #[inline(always)]
    pub fn mu(&self, own: f64) -> f64 {
        if self.mu_override >= 0.0 { self.mu_override } else { own }
    }

    /// Rolling resistance coefficient of the ground here, or the model's own.
    #[inline(always)]
    pub fn c_rr(&self, own: f64) -> f64 {
        if self.c_rr_override >= 0.0 { self.c_rr_override } else { own }
    }

    /// Mass that rests on this wheel, its own included, kg.
    #[inline(always)]
    pub fn mass(&self) -> f64 {
        self.normal_force / self.gravity.max(1e-12)
    }

    /// Velocity of the contact patch over the ground, m/s: zero when the wheel rolls.
    #[inline(always)]
    pub fn sliding(&self) -> [f64; 2] {
        [self.vx - self.spin * self.radius, self.vy]
    }

    /// Combined slip, 0 … 1: speed of sliding by the faster of rolling and travelling, which count
    /// as 0.1 m/s at least.
    #[inline(always)]
    pub fn slip(&self) -> f64 {
        let [x, y] = self.sliding();
        let fastest = self.vx.abs().max((self.spin * self.radius).abs()).max(0.1);
        ((x * x + y * y).sqrt() / fastest).min(1.0)
    }

    /// The force μN against the sliding, but no more than stops it within the step: along the
    /// rolling direction the rim slows down, across it the mass that rests on the wheel.
    #[inline(always)]
    pub fn oppose_sliding(&self, mu: f64, step: &Step) -> Force {
        let [x, y] = self.sliding();
        let grip = mu * self.normal_force / (x * x + y * y).sqrt().max(1e-9);
        let rim = self.inertia / (self.radius * self.radius);
        let fx = -grip.min(rim / step.dt) * x;
        let fy = -grip.min(self.mass() / step.dt) * y;
        self.reaction(fx, fy, 0.0)
    }

    /// The ground pushes with (`fx`, `fy`), N; the axle and the tyre resist with the torque
    /// `resistance`, N·m, positive against forward rolling.
    #[inline(always)]
    pub fn reaction(&self, fx: f64, fy: f64, resistance: f64) -> Force {
        Force { fx, fy, spin_torque: -self.radius * fx - resistance }
    }
}

#[repr(transparent)]
struct Adapter<M>(M);

#[repr(transparent)]
struct Rates<M>(M);

impl<M: Friction> Lanes for Rates<M> {
    type Inputs = Wheel;
    type Outputs = M::State;
    type State = M::State;
    const RANDOM: bool = false;
    #[inline(always)]
    fn lane(&self, wheel: &Wheel, _: &Step, state: &mut M::State) -> M::State {
        self.0.rates(wheel, state)
    }
}

impl<M: Friction> Lanes for Adapter<M> {
    type Inputs = Wheel;
    type Outputs = Force;
    type State = M::State;
    const RANDOM: bool = M::RANDOM;
    #[inline(always)]
    fn lane(&self, wheel: &Wheel, step: &Step, state: &mut M::State) -> Force {
        self.0.force(wheel, step, state)
    }
}

/// The descriptor of a friction model.
#[doc(hidden)]
pub struct FrictionModel<M>(PhantomData<M>);

impl<M: Friction> Described for FrictionModel<M> {
    type Model = M;
    type State = M::State;
    fn prepare(model: &mut M) -> Result<(), String> {
        model.prepare()
    }
    fn memory(model: &M) -> <M::State as State>::Memory {
        model.memory()
    }
}

impl<M: Friction> FrictionModel<M> {
    const RATES: PortList = PortList::rates(<M::State as State>::STATES);
    const PHASES: &'static [Phase; 2] = &[
        phase("force", Wheel::PORTS, Force::PORTS, Self::force),
        phase("rates", Wheel::PORTS, Self::RATES.as_slice(), Self::rates),
    ];

    /// The descriptor under the name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        Model {
            flags: if M::RANDOM { model_flag::RANDOM } else { 0 },
            phases: Slice::new(Self::PHASES.split_at(1 + M::CONTINUOUS as usize).0),
            ..descriptor::model::<Self>(Kind::Friction, id, version)
        }
    }

    unsafe extern "C" fn rates(
        model: *const c_void,
        batch: *const Batch,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: as in `force`.
        unsafe { batch::call(&*model.cast::<Rates<M>>(), batch, fault) }
    }

    unsafe extern "C" fn force(
        model: *const c_void,
        batch: *const Batch,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: `model` came from `create` of this type, which `Adapter` is transparent over; the
        // host promises a valid batch.
        unsafe { batch::call(&*model.cast::<Adapter<M>>(), batch, fault) }
    }
}
