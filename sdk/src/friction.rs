//! Friction models: the force between a wheel and the ground.

use std::ffi::c_void;
use std::marker::PhantomData;

use simhost_abi::{Batch, Fault, Kind, Model, Phase, Slice};

use crate::batch::{self, Lanes};
use crate::columns::{Joined, PortList};
use crate::described::Described;
use crate::descriptor::{self, phase};
use crate::group::{self, Group};
use crate::{Columns, Params, Ports, State, Step};

/// A friction model. The implementing struct holds the parameters.
///
/// All methods except [`Self::prepare`] take `&self`: one instance serves all wheels that share its
/// parameters, and several threads can call it at the same time.
pub trait Friction: Params {
    /// State of one wheel between two steps; `()` for a model without state.
    type State: State;
    /// Further quantities of the wheel, which the model reads as [`Wheel::more`]; `()` for none (the
    /// default of `#[model]`). The host computes them only where a model reads them.
    ///
    /// | Field | Unit | Meaning |
    /// |---|---|---|
    /// | `wheel_angle` | rad | rotation about the axle, not wrapped, positive forwards |
    /// | `wheel_fx`, `wheel_fy` | N | force of the ground in the step before, vehicle frame |
    /// | `camber`, `camber_rate` | rad, rad/s | inclination against the vehicle, positive with the top to the right, and its rate; 0 unless the dynamics class sets them |
    /// | `contact_normal_x`, `contact_normal_y`, `contact_normal_z` | 1 | unit normal of the ground at the wheel, world frame |
    /// | `surface` | 1 | number that the `<property_region>`s of the property `surface` give the ground at the wheel, 0 outside them |
    ///
    /// ```
    /// # use simhost_sdk::prelude::*;
    /// /// Inclination of the wheel.
    /// #[derive(Ports)]
    /// pub struct Lean {
    ///     /// Inclination against the vehicle, positive with the top to the right.
    ///     #[port(unit = "rad")]
    ///     camber: f64,
    /// }
    ///
    /// /// Coulomb friction with a camber thrust that is proportional to load and camber.
    /// #[derive(Params)]
    /// pub struct Motorcycle {
    ///     /// Camber stiffness. A larger value makes a leaning wheel turn more.
    ///     #[param(default = 1.0, range = 0.0.., unit = "1/rad")]
    ///     stiffness: f64,
    /// }
    ///
    /// #[model]
    /// impl Friction for Motorcycle {
    ///     type Inputs = Lean;
    ///     fn force(&self, wheel: &Wheel<Lean>, step: &Step, _: &mut ()) -> Force {
    ///         let force = wheel.oppose_sliding(0.8, step);
    ///         let thrust = self.stiffness * wheel.normal_force * wheel.more.camber;
    ///         Force { fy: force.fy - thrust, ..force }
    ///     }
    /// }
    ///
    /// # fn main() {
    /// use simhost_sdk::testing;
    ///
    /// let tyre: Motorcycle = testing::friction(&[]);
    /// let wheel = testing::wheel().with(Lean { camber: 0.1 });
    /// let force = tyre.force(&wheel, &testing::step(), &mut ());
    /// assert_eq!(force.fy, -0.1 * wheel.normal_force);
    /// # }
    /// ```
    type Inputs: Ports;
    /// Quantities that [`Self::publish`] computes beside the force, such as a temperature; `()` for
    /// none (the default of `#[model]`).
    type Published: Ports;

    /// Checks the parameters against each other and computes derived values.
    ///
    /// Called once per instance, on the thread that loads the world and before any other method. It
    /// can allocate.
    ///
    /// # Errors
    ///
    /// A message for the user that says which parameters do not fit together.
    fn prepare(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Whether [`Self::force`] draws random numbers through [`Step::random`].
    const RANDOM: bool = false;
    /// Whether the states change continuously. The host then integrates them with [`Self::rates`]
    /// over each step, after [`Self::force`], which must leave them unchanged.
    const CONTINUOUS: bool = false;

    /// Whether the wheels depend on each other. The host then calls [`Self::forces`] once per step with
    /// all wheels of all vehicles that share the model and its parameters, on one thread. They fault
    /// together.
    const WHOLE_BATCH: bool = false;

    /// Sets the forces on all wheels of a model with [`Self::WHOLE_BATCH`]; by default it calls
    /// [`Self::force`] for each.
    ///
    /// ```
    /// # use simhost_sdk::prelude::*;
    /// /// Ice that melts under the whole load of all wheels.
    /// #[derive(Params)]
    /// pub struct Melting {
    ///     /// Load at which no grip is left.
    ///     #[param(default = 1e5, above = 0.0, unit = "N")]
    ///     limit: f64,
    /// }
    ///
    /// #[model]
    /// impl Friction for Melting {
    ///     const WHOLE_BATCH: bool = true;
    ///     fn forces(&self, wheels: &mut Group<Wheel, Force, ()>) {
    ///         let load: f64 = (0..wheels.len()).map(|i| wheels.inputs(i).normal_force).sum();
    ///         let mu = 0.5 * (1.0 - load / self.limit).max(0.0);
    ///         for i in 0..wheels.len() {
    ///             let force = wheels.inputs(i).oppose_sliding(mu, &wheels.step(i));
    ///             wheels.set(i, &force, &());
    ///         }
    ///     }
    ///     fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
    ///         // the only wheel, in tests without a host
    ///         wheel.oppose_sliding(0.5 * (1.0 - wheel.normal_force / self.limit).max(0.0), step)
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    fn forces(&self, wheels: &mut Group<'_, Wheel<Self::Inputs>, Force, Self::State>) {
        for lane in 0..wheels.len() {
            let mut state = wheels.state(lane);
            let force = self.force(&wheels.inputs(lane), &wheels.step(lane), &mut state);
            wheels.set(lane, &force, &state);
        }
    }

    /// Returns the memory of one wheel at the start of a run: the value of the field marked
    /// `#[state(memory)]`.
    ///
    /// Called once per wheel while the world is loaded. It can allocate.
    fn memory(&self) -> <Self::State as State>::Memory {
        Default::default()
    }

    /// Returns the rates of change of the states, per second, of a model with [`Self::CONTINUOUS`]
    /// states.
    ///
    /// Called up to four times per wheel and step, on any thread, because the host integrates with
    /// the classical Runge-Kutta method; the wheel stays as it was at the start of the step. It
    /// must not allocate.
    #[inline(always)]
    fn rates(&self, _wheel: &Wheel<Self::Inputs>, _state: &Self::State) -> Self::State {
        Self::State::load(|_| 0.0)
    }

    /// Returns the force on one wheel.
    ///
    /// Called for every wheel in every step, on any thread and in any order. It must not allocate,
    /// print, or keep anything outside `state`. Branches are allowed, and a loop over wheels that
    /// calls [`crate::math`] still vectorises.
    fn force(&self, wheel: &Wheel<Self::Inputs>, step: &Step, state: &mut Self::State) -> Force;

    /// Returns quantities of one wheel that drive nothing: they are listed by `simhost quantities`
    /// and can be recorded.
    ///
    /// Called for every wheel in every step, directly after [`Self::force`] or
    /// [`Self::simplified_force`], with the force that it returned and the state that it left. It
    /// must not allocate. `#[model]` implements it for a model without `type Published`; a model
    /// that declares the type must implement it:
    ///
    /// ```compile_fail,E0046
    /// # use simhost_sdk::prelude::*;
    /// # #[derive(Params)]
    /// # pub struct Tyre {}
    /// /// Quantities that drive nothing.
    /// #[derive(Ports)]
    /// pub struct Glow {
    ///     /// Temperature of the tyre.
    ///     #[port(unit = "K")]
    ///     temperature: f64,
    /// }
    ///
    /// #[model]
    /// impl Friction for Tyre {
    ///     type Published = Glow;
    ///     fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
    ///         wheel.oppose_sliding(0.8, step)
    ///     }
    /// }
    /// ```
    fn publish(
        &self,
        wheel: &Wheel<Self::Inputs>,
        force: &Force,
        step: &Step,
        state: &Self::State,
    ) -> Self::Published;

    /// Returns whether [`Self::simplified_force`] returns the same bits as [`Self::force`] for this
    /// wheel; false by default.
    ///
    /// A model with an expensive term that is often zero implements both. In a batch, the host's
    /// loop uses the simplified form for each group of neighbouring wheels for which this method
    /// returns true. It is called as [`Self::force`] is.
    #[inline(always)]
    fn simplifies(&self, _wheel: &Wheel<Self::Inputs>) -> bool {
        false
    }

    /// Returns the force on one wheel without the terms that vanish where [`Self::simplifies`]
    /// returns true.
    #[inline(always)]
    fn simplified_force(
        &self,
        wheel: &Wheel<Self::Inputs>,
        step: &Step,
        state: &mut Self::State,
    ) -> Force {
        self.force(wheel, step, state)
    }
}

/// Declares [`Wheel`] and [`Force`] from the table of ports in `simhost-abi`.
macro_rules! structs {
    (
        inputs { $( $input:ident, $in_unit:tt, $default:expr, $in_doc:tt; )* }
        outputs { $( $output:ident, $out_unit:tt, $_default:expr, $out_doc:tt; )* }
    ) => {
        /// The inputs of a friction model for one wheel.
        ///
        /// Quantities are in the wheel frame: x along the rolling direction, y to the left. `X` is
        /// [`Friction::Inputs`].
        #[derive(Clone, Copy, Debug, Default)]
        pub struct Wheel<X = ()> {
            $(
                #[doc = concat!($in_doc, " Unit: ", $in_unit, ".")]
                pub $input: f64,
            )*
            /// Further quantities that the model reads: its [`Friction::Inputs`].
            pub more: X,
        }

        impl Wheel {
            /// Returns the wheel with further quantities, for tests of a model.
            pub fn with<X>(self, more: X) -> Wheel<X> {
                let Self { $($input,)* more: () } = self;
                Wheel { $($input,)* more }
            }
        }

        /// The inputs that every friction model reads.
        #[derive(Ports)]
        struct Basic {
            $(
                #[doc = $in_doc]
                #[port(unit = $in_unit, default = $default)]
                $input: f64,
            )*
        }

        impl<X: Columns> Columns for Wheel<X> {
            const COUNT: usize = Basic::COUNT + X::COUNT;
            #[inline(always)]
            fn load(get: impl Fn(usize) -> f64) -> Self {
                let Basic { $($input),* } = Basic::load(&get);
                Self { $($input,)* more: X::load(|k| get(Basic::COUNT + k)) }
            }
            #[inline(always)]
            fn store(&self, mut put: impl FnMut(usize, f64)) {
                Basic { $($input: self.$input),* }.store(&mut put);
                self.more.store(|k, value| put(Basic::COUNT + k, value));
            }
        }

        /// The outputs of a friction model for one wheel.
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

impl<X> Wheel<X> {
    /// Returns the friction coefficient of the ground here, or `own` where the ground has none.
    #[inline(always)]
    pub fn mu(&self, own: f64) -> f64 {
        if self.mu_override >= 0.0 { self.mu_override } else { own }
    }

    /// Returns the rolling resistance coefficient of the ground here, or `own` where the ground has
    /// none.
    #[inline(always)]
    pub fn c_rr(&self, own: f64) -> f64 {
        if self.c_rr_override >= 0.0 { self.c_rr_override } else { own }
    }

    /// Returns the mass that rests on this wheel, kg, including the mass of the wheel.
    #[inline(always)]
    pub fn mass(&self) -> f64 {
        self.normal_force / self.gravity.max(1e-12)
    }

    /// Returns the velocity of the contact patch over the ground, m/s. It is zero when the wheel
    /// rolls without slip.
    #[inline(always)]
    pub fn sliding(&self) -> [f64; 2] {
        [self.vx - self.spin * self.radius, self.vy]
    }

    /// Returns the combined slip, from 0 to 1: the sliding speed divided by the larger of rolling
    /// speed and travelling speed, which is taken as at least 0.1 m/s.
    #[inline(always)]
    pub fn slip(&self) -> f64 {
        let [x, y] = self.sliding();
        let fastest = self.vx.abs().max((self.spin * self.radius).abs()).max(0.1);
        ((x * x + y * y).sqrt() / fastest).min(1.0)
    }

    /// Returns the Coulomb force μN against the sliding direction, limited to the force that stops
    /// the sliding within the step. Along the rolling direction that force slows the rim down;
    /// across it, the mass that rests on the wheel.
    #[inline(always)]
    pub fn oppose_sliding(&self, mu: f64, step: &Step) -> Force {
        let [x, y] = self.sliding();
        let grip = mu * self.normal_force / (x * x + y * y).sqrt().max(1e-9);
        let rim = self.inertia / (self.radius * self.radius);
        let fx = -grip.min(rim / step.dt) * x;
        let fy = -grip.min(self.mass() / step.dt) * y;
        self.reaction(fx, fy, 0.0)
    }

    /// Returns the action of a ground force (`fx`, `fy`), N, with the torque that it exerts on the
    /// axle. `resistance` is the torque of bearing and tyre, N·m, positive against forward rolling.
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
    type Inputs = Wheel<M::Inputs>;
    type Outputs = M::State;
    type State = M::State;
    const RANDOM: bool = false;
    #[inline(always)]
    fn lane(&self, wheel: &Wheel<M::Inputs>, _: &Step, state: &mut M::State) -> M::State {
        self.0.rates(wheel, state)
    }
}

impl<M: Friction> Lanes for Adapter<M> {
    type Inputs = Wheel<M::Inputs>;
    type Outputs = Joined<Force, M::Published>;
    type State = M::State;
    const RANDOM: bool = M::RANDOM;
    const EVERY_WIDTH: bool = true;
    #[inline(always)]
    fn lane(&self, wheel: &Wheel<M::Inputs>, step: &Step, state: &mut M::State) -> Self::Outputs {
        let force = self.0.force(wheel, step, state);
        let published = self.0.publish(wheel, &force, step, state);
        Joined(force, published)
    }
    #[inline(always)]
    fn simplifies(&self, wheel: &Wheel<M::Inputs>) -> bool {
        self.0.simplifies(wheel)
    }
    #[inline(always)]
    fn simplified(
        &self,
        wheel: &Wheel<M::Inputs>,
        step: &Step,
        state: &mut M::State,
    ) -> Self::Outputs {
        let force = self.0.simplified_force(wheel, step, state);
        let published = self.0.publish(wheel, &force, step, state);
        Joined(force, published)
    }
}

/// Builds the descriptor of a friction model.
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
    const INPUTS: PortList = {
        assert!(M::Inputs::PER_WHEEL == 0, "a lane of a friction model is a wheel: use `f64`");
        PortList::join(Basic::PORTS, <M::Inputs as Ports>::PORTS)
    };
    const RATES: PortList = PortList::rates(<M::State as State>::STATES);
    const PUBLISHED: PortList = PortList::published(<M::Published as Ports>::PORTS);
    const OUTPUTS: PortList = {
        assert!(M::Published::PER_WHEEL == 0, "a lane of a friction model is a wheel: use `f64`");
        PortList::join(Force::PORTS, Self::PUBLISHED.as_slice())
    };
    const PHASES: &'static [Phase; 2] = &[
        phase("force", Self::INPUTS.as_slice(), Self::OUTPUTS.as_slice(), Self::force),
        phase("rates", Self::INPUTS.as_slice(), Self::RATES.as_slice(), Self::rates),
    ];

    /// Returns the descriptor with the class name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        Model {
            flags: descriptor::flags(M::RANDOM, M::WHOLE_BATCH),
            phases: Slice::new(Self::PHASES.split_at(1 + M::CONTINUOUS as usize).0),
            ..descriptor::model::<Self>(Kind::Friction, id, version)
        }
    }

    /// Computes all wheels at once.
    fn force_all(model: &M, wheels: &mut Group<'_, Wheel<M::Inputs>, Force, M::State>) {
        model.forces(wheels);
        for lane in 0..wheels.len() {
            let (wheel, force, state) =
                (wheels.inputs(lane), wheels.outputs(lane), wheels.state(lane));
            let published = model.publish(&wheel, &force, &wheels.step(lane), &state);
            wheels.set_more(lane, &published);
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
        if M::WHOLE_BATCH {
            // SAFETY: `model` came from `create` of this type; the host promises a valid batch with the
            // columns of the phase.
            return unsafe {
                let model = &*model.cast::<M>();
                group::call(batch, fault, |batch| {
                    Self::force_all(model, &mut Group::new(batch, M::RANDOM))
                })
            };
        }
        // SAFETY: `model` came from `create` of this type, which `Adapter` is transparent over; the
        // host promises a valid batch.
        unsafe { batch::call(&*model.cast::<Adapter<M>>(), batch, fault) }
    }
}
