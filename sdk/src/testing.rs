//! Test support: creates models as a world file would, and calls them as the host does.
//!
//! ```
//! use simhost_sdk::prelude::*;
//! use simhost_sdk::testing;
//! # /// Coulomb friction.
//! # #[derive(Params)]
//! # pub struct Coulomb {
//! #     /// Friction coefficient.
//! #     #[param(default = 0.8, range = 0.0..=3.0)]
//! #     mu: f64,
//! # }
//! # #[model]
//! # impl Friction for Coulomb {
//! #     fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
//! #         wheel.oppose_sliding(wheel.mu(self.mu), step)
//! #     }
//! # }
//!
//! let tyre: Coulomb = testing::friction(&[("mu", 0.5)]);
//! let skidding = Wheel { vy: 2.0, ..testing::wheel() };
//! let force = tyre.force(&skidding, &testing::step(), &mut ());
//! assert!((force.fy + 0.5 * skidding.normal_force).abs() < 1e-9);
//! ```

mod batches;
pub mod mirror;
mod named;
mod parameters;
mod pilot;
mod platform;
mod sampling;
mod squad;
mod vehicle;
mod watched;

use std::ptr;

use simhost_abi::host::{Binding, Circumstances, LaneShape, PhaseColumns};
use simhost_abi::{ArrayPort, Fault, Phase, StateDesc, fault_code};

use crate::memory::MemoryOwner;
use crate::{
    Actuator, Controller, Dynamics, Environment, Friction, ModelCore, Observer, Sensor, State,
    Step, Suspension, Wheel,
};

pub use batches::assert_same_in_batches;
pub use named::Named;
pub use pilot::Pilot;
pub use platform::{Driven, Platform, WheelPose};
pub use sampling::{Fan, Sample, Sampler};
pub use squad::Squad;
pub use vehicle::Vehicle;
pub use watched::Watched;

use parameters::{Given, starts};

/// Creates a friction model from `given` parameters (key and value as in a world file; `group.key`
/// for a parameter of a group) and the defaults of the others.
///
/// # Panics
///
/// If a parameter is unknown, missing or out of range, or if the model rejects them.
pub fn friction<M: Friction>(given: &[(&str, f64)]) -> M {
    made(given)
}

/// Creates a dynamics class, as [`friction`] creates a friction model.
///
/// # Panics
///
/// As for [`friction`].
pub fn dynamics<M: Dynamics>(given: &[(&str, f64)]) -> M {
    made(given)
}

/// Creates a controller, as [`friction`] creates a friction model.
///
/// # Panics
///
/// As for [`friction`].
pub fn controller<M: Controller>(given: &[(&str, f64)]) -> M {
    made(given)
}

/// Creates an actuator, as [`friction`] creates a friction model.
///
/// # Panics
///
/// As for [`friction`].
pub fn actuator<M: Actuator>(given: &[(&str, f64)]) -> M {
    made(given)
}

/// Creates a sensor, as [`friction`] creates a friction model.
///
/// # Panics
///
/// As for [`friction`].
pub fn sensor<M: Sensor>(given: &[(&str, f64)]) -> M {
    made(given)
}

/// Creates an observer from `given` parameters, written as in a world file, and the defaults of the
/// others.
///
/// # Panics
///
/// As for [`friction`].
pub fn observer<M: Observer>(given: &[(&str, &str)]) -> M {
    written(given).0
}

/// Creates an environment, as [`friction`] creates a friction model.
///
/// # Panics
///
/// As for [`friction`].
pub fn environment<M: Environment>(given: &[(&str, f64)]) -> M {
    made(given)
}

/// Creates a dynamics class from `given` parameters, written as in a world file, for example choices.
///
/// # Panics
///
/// As for [`friction`].
pub fn written_dynamics<M: Dynamics>(given: &[(&str, &str)]) -> M {
    written(given).0
}

/// Creates a suspension, as [`friction`] creates a friction model.
///
/// # Panics
///
/// As for [`friction`].
pub fn suspension<M: Suspension>(given: &[(&str, f64)]) -> M {
    made(given)
}

/// Creates an actuator from `given` parameters, written as in a world file, for example choices.
///
/// # Panics
///
/// As for [`friction`].
pub fn written_actuator<M: Actuator>(given: &[(&str, &str)]) -> M {
    written(given).0
}

/// Creates a suspension from `given` parameters, written as in a world file, for example hardpoints.
///
/// # Errors
///
/// Parameters that are unknown, missing or out of range, or that the model rejects.
pub fn written_suspension<M: Suspension>(given: &[(&str, &str)]) -> Result<M, String> {
    let given: Vec<_> = given.iter().map(|(key, text)| (*key, Given::Text(text))).collect();
    parameters::make(&given)
}

fn made<M: ModelCore>(given: &[(&str, f64)]) -> M {
    let given: Vec<_> = given.iter().map(|(key, number)| (*key, Given::Number(*number))).collect();
    parameters::make::<M>(&given).unwrap_or_else(|text| panic!("{text}"))
}

/// Creates a model from values written as texts, and returns it with its states at the start of a
/// run.
fn written<M: ModelCore>(given: &[(&str, &str)]) -> (M, Vec<f64>) {
    let given: Vec<_> = given.iter().map(|(key, text)| (*key, Given::Text(text))).collect();
    let made = parameters::make::<M>(&given)
        .and_then(|model| parameters::initial_states::<M>(&given).map(|states| (model, states)));
    made.unwrap_or_else(|text| panic!("{text}"))
}

/// Returns the states at the start of a run with the defaults of all parameters.
fn default_states<M: ModelCore>() -> Vec<f64> {
    let optional = parameters::initial_states::<M>(&[]);
    optional.unwrap_or_else(|_| starts(M::State::STATES, |_| None))
}

/// Returns the first step of a run, 5 ms long.
pub const fn step() -> Step {
    Step::new(0.0, 0.005)
}

/// Returns [`step`] with the random stream of this key, for a model that draws random numbers.
pub const fn drawing_step(key: u64) -> Step {
    step().with_stream(key)
}

/// Returns a wheel that rolls straight ahead at 1 m/s without slip on level ground without
/// properties: radius 0.2 m, inertia 0.05 kg·m², normal load 100 N.
pub fn wheel() -> Wheel {
    Wheel {
        vx: 1.0,
        spin: 5.0,
        normal_force: 100.0,
        gravity: 9.81,
        radius: 0.2,
        inertia: 0.05,
        mu_override: -1.0,
        c_rr_override: -1.0,
        ..Wheel::default()
    }
}

/// Returns the state at the start of a run. A slot that starts from a parameter has the `initial` of
/// its declaration; see [`initial_from`].
pub fn initial<S: State>() -> S {
    initial_from(&[])
}

/// Returns the state at the start of a run with these parameters in the unit of the model, for slots
/// with `#[state(initial_from = "…")]`.
///
/// ```
/// use simhost_sdk::prelude::*;
/// use simhost_sdk::testing;
///
/// /// Heat of a tyre.
/// #[derive(State)]
/// struct Heat {
///     /// Temperature of the tread.
///     #[state(unit = "K", initial_from = "ambient_temperature")]
///     temperature: f64,
/// }
///
/// let heat: Heat = testing::initial_from(&[("ambient_temperature", 293.15)]);
/// assert_eq!(heat.temperature, 293.15);
/// ```
pub fn initial_from<S: State>(parameters: &[(&str, f64)]) -> S {
    let slots = starts(S::STATES, |key| {
        parameters.iter().find(|(given, _)| *given == key).map(|(_, number)| *number)
    });
    S::load(|slot| slots[slot])
}

/// State slots and memory of one vehicle, wheel or sensor.
struct Lane<S: State> {
    slots: Vec<f64>,
    memory: MemoryOwner<S::Memory>,
}

impl<S: State> Lane<S> {
    /// `slots` are the states at the start of a run.
    fn new(memory: S::Memory, slots: Vec<f64>) -> Self {
        Self { slots, memory: MemoryOwner::new(memory) }
    }

    /// Returns the slot of this name.
    fn slot(&mut self, name: &str) -> &mut f64 {
        // SAFETY: declarations are static.
        let named = |slot: &StateDesc| unsafe { slot.name.as_str() };
        let names: Vec<&str> = S::STATES.iter().map(named).collect();
        let place = names.iter().position(|slot| *slot == name);
        let unknown = || panic!("unknown state `{name}`; expected one of: {}", names.join(", "));
        &mut self.slots[place.unwrap_or_else(unknown)]
    }

    /// Calls a phase of `model` and returns its outputs. `sizes` holds the number of values per
    /// output. The parameters of the model follow the inputs.
    ///
    /// # Safety
    ///
    /// `phase` belongs to the type of `model`; `inputs` and `sizes` follow its declaration for
    /// `wheels` wheels and `rays` rays.
    unsafe fn call<M>(
        &mut self,
        phase: &Phase,
        model: &M,
        inputs: &[Vec<f64>],
        sizes: &[usize],
        about: &About,
    ) -> Vec<Vec<f64>> {
        let mut outputs: Vec<Vec<f64>> = sizes.iter().map(|size| vec![0.0; *size]).collect();
        let ages = about.ages.iter().copied().chain(std::iter::repeat(0.0));
        let lanes: Vec<[f64; 2]> =
            inputs.iter().zip(ages).map(|(column, age)| [column.len() as f64, age]).collect();
        let array = |[count, age]: &[f64; 2]| ArrayPort::new(*count as usize, count, age);
        let columns = PhaseColumns {
            states: self.slots.iter_mut().map(ptr::from_mut).collect(),
            arrays: lanes.iter().map(array).collect(),
            ..PhaseColumns::of(inputs, &mut outputs, &mut [])
        };
        let memory = self.memory.pointer();
        let shape = LaneShape { wheels: about.wheels, wheel_stride: 1, rays: about.rays };
        let at = Circumstances {
            streams: &raw const about.key,
            memories: &raw const memory,
            ..Circumstances::of_step(about.step.time, about.step.dt)
        };
        // SAFETY: promised by the caller; the call has one lane, and its columns live here.
        unsafe { run(phase, model, shape, columns, 1, &at) };
        outputs
    }
}

/// Calls a phase of `model` for the first `count` lanes.
///
/// # Panics
///
/// If the model faults.
///
/// # Safety
///
/// `phase` belongs to the type of `model`; columns, streams and memories follow its declaration and hold
/// all lanes.
unsafe fn run<M>(
    phase: &Phase,
    model: &M,
    shape: LaneShape,
    columns: PhaseColumns,
    count: usize,
    at: &Circumstances<'_>,
) {
    let binding = Binding::new(phase, ptr::from_ref(model).cast(), shape, columns);
    let mut fault = Fault::NONE;
    // SAFETY: promised by the caller.
    let code = unsafe { binding.call(&(0..count), at, &raw mut fault) };
    assert!(code == fault_code::NONE, "the model faulted: {}", fault.message());
}

/// Circumstances of a call.
struct About<'s> {
    wheels: usize,
    rays: usize,
    step: &'s Step,
    key: u64,
    /// Age of each input that is a reading, s; 0 if there are fewer.
    ages: &'s [f64],
}

impl<'s> About<'s> {
    /// Returns the circumstances of a call without wheels, rays and readings.
    fn at(step: &'s Step) -> Self {
        Self { wheels: 0, rays: 0, step, key: step.key().unwrap_or_default(), ages: &[] }
    }
}

#[cfg(test)]
mod tests;
