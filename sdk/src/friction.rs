//! Friction models: the force between a wheel and the ground.

mod descriptor;
mod wheel;

use crate::group::Group;
use crate::{Columns, ModelCore, Ports, Step};

pub use descriptor::FrictionModel;
pub use wheel::{Force, Wheel};

/// A friction model. The implementing struct holds the parameters.
///
/// All methods except [`prepare`](ModelCore::prepare) take `&self`: one instance serves all wheels that share its
/// parameters, and several threads can call it at the same time.
pub trait Friction: ModelCore {
    /// Further quantities of the wheel, which the model reads as [`Wheel::more`]; `()` for none (the
    /// default of `#[model]`). The host computes them only where a model reads them.
    ///
    /// | Field | Unit | Meaning |
    /// |---|---|---|
    /// | `wheel_angle` | rad | rotation about the axle, not wrapped, positive forwards |
    /// | `wheel_fx`, `wheel_fy` | N | force of the ground in the step before, vehicle frame |
    /// | `camber`, `camber_rate` | rad, rad/s | inclination against the vehicle, positive with the top to the right, and its rate; 0 unless the dynamics class sets them |
    /// | `contact_normal_x`, `contact_normal_y`, `contact_normal_z` | 1 | unit normal of the ground at the wheel, world frame |
    /// | `brake_limit` | N·m | largest torque of the brake, against the spin, at least 0; for a model that reads it, `torque` is the torque of the motor only, and the model finds the torque of the brake together with its force |
    /// | `slope_fx` | N | part of the forward pull of slope and air that this wheel has to hold, 0 without a brake torque |
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
    /// Quantities that [`Self::publish`] computes in addition to the force, such as a temperature; `()` for
    /// none (the default of `#[model]`).
    type Published: Ports;

    /// Whether the states change continuously. The host then integrates them with [`Self::rates`]
    /// over each step, after [`Self::force`], which must leave them unchanged.
    const CONTINUOUS: bool = false;

    /// Whether the force jumps where the slip changes its sign, by a multiple of itself within a step. The
    /// integrator `extrapolated` refuses such a model, because it would be less exact than `euler`.
    const JUMPS: bool = false;

    /// Whether the wheels depend on each other. The host then calls [`Self::forces`] once per step with
    /// all wheels of all vehicles that share the model and its parameters, on one thread. They fault
    /// together.
    const WHOLE_BATCH: bool = false;

    /// Whether the loop over wheels is compiled for AVX-512 and pairs of wheels too, instead of AVX2 and
    /// single wheels only. All copies give the same bits. Without the further copies, a model with
    /// much code, such as a tyre with several curves, compiles in half the time.
    const EVERY_WIDTH: bool = true;

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

    /// Returns the rates of change dx/dt of the states, each in the unit of its state per second, of a
    /// model with [`Self::CONTINUOUS`] states. The host advances the states by x + ∫ dx/dt over the step.
    ///
    /// Called up to four times per wheel and step, on any thread, because the host integrates with
    /// the classical Runge-Kutta method; the wheel stays as it was at the start of the step. It
    /// must not allocate.
    #[doc = include_str!("friction/examples/rates.md")]
    #[inline(always)]
    fn rates(&self, _wheel: &Wheel<Self::Inputs>, _state: &Self::State) -> Self::State {
        Self::State::load(|_| 0.0)
    }

    /// Returns the force of the ground on one wheel, N, in the wheel frame (x along the rolling
    /// direction, y to the left), and the torque about its axle, N·m. The host adds the forces of all
    /// wheels, and integrates the spin ω with I dω/dt = motor torque + `spin_torque`.
    ///
    /// Called for every wheel in every step, on any thread and in any order. It must not allocate,
    /// print, or keep anything outside `state`. Branches are allowed, and a loop over wheels that
    /// calls [`crate::math`] still vectorises.
    #[doc = include_str!("friction/examples/force.md")]
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
    #[doc = include_str!("friction/examples/publish.md")]
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
    #[doc = include_str!("friction/examples/simplified.md")]
    #[inline(always)]
    fn simplifies(&self, _wheel: &Wheel<Self::Inputs>) -> bool {
        false
    }

    /// Returns the force on one wheel without the terms that vanish if [`Self::simplifies`] returns
    /// true. It is called instead of [`Self::force`], with the same units and frame.
    /// [`Self::simplifies`] has an example.
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
