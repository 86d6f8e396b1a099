//! Environments: wind, ground and gravity of a world, over space and time.

use std::ffi::c_void;

use simhost_abi::host_port::{
    GRAVITY_OUTPUTS, HostPort, POINT_INPUTS, SURFACE_OUTPUTS, WIND_OUTPUTS,
};
use simhost_abi::{Batch, CallFn, Fault, Kind, Model, Phase, PortDesc, Slice};

use crate::batch::{self, Independent, Lanes, Varied};
use crate::columns::{port, shared_state_of};
use crate::descriptor::{self, phase};
use crate::lanes::PerLane;
use crate::{ModelCore, Step, fault};

/// Friction and rolling resistance of the ground at a point, where an environment sets them. By
/// default it gives none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surface {
    /// Friction coefficient, at least 0.
    pub mu: Option<f64>,
    /// Rolling resistance coefficient, at least 0.
    pub c_rr: Option<f64>,
}

/// Weather and ground of a world. The implementing struct holds the parameters. All methods except
/// [`prepare`](ModelCore::prepare) take `&self`, and several threads can call them at the same time.
///
/// An environment has one state for the whole world, which [`Self::update`] advances once per step. The
/// other methods are optional, and one that a model leaves out costs nothing. They read the state that
/// `update` has set, and the host keeps their results for the whole step, whatever the number of
/// substeps.
///
/// A world can have several environments. Their winds add up. For friction, rolling resistance and
/// gravity, the last one in the world file that gives a value wins; a `<region>` of the ground wins over
/// all of them.
///
#[doc = include_str!("environment/examples/rain.md")]
pub trait Environment: ModelCore {
    /// Whether the model has [`Self::wind`]. The attribute `#[model]` sets it.
    const WIND: bool = false;
    /// Whether the model has [`Self::surface`]. The attribute `#[model]` sets it.
    const SURFACE: bool = false;
    /// Whether the model has [`Self::gravity`]. The attribute `#[model]` sets it.
    const GRAVITY: bool = false;

    /// Advances the state by one step, to the values that hold for this step. By default it does
    /// nothing. [`Environment`](#example) has an example.
    ///
    /// Called once per step, before everything else that happens in it, on any thread. It must not
    /// allocate, print, or keep anything outside `state`.
    fn update(&self, _step: &Step, _state: &mut Self::State) {}

    /// Returns the velocity of the air at a point, m/s; both are in the world frame, the point in m.
    ///
    /// The forces on a vehicle follow from its velocity relative to the air and from the coefficients of
    /// its `<aerodynamics>`. Called once per step for each vehicle that has them, at its centre of
    /// pressure, on any thread and in any order. It must not allocate or print.
    #[doc = include_str!("environment/examples/wind.md")]
    fn wind(&self, _point: [f64; 3], _step: &Step, _state: &Self::State) -> [f64; 3] {
        [0.0; 3]
    }

    /// Returns friction and rolling resistance of the ground at a point, m, world frame.
    /// [`Environment`](#example) has an example.
    ///
    /// Called once per step for each wheel of the world, at its contact point, on any thread and in any
    /// order. It must not allocate or print.
    fn surface(&self, _point: [f64; 3], _step: &Step, _state: &Self::State) -> Surface {
        Surface::default()
    }

    /// Returns the gravity of the world, m/s², at least 0, or `None` to keep the gravity of
    /// previous environments or of the world file.
    ///
    /// Called once per step, after [`Self::update`], and once before the first step, on any thread. It
    /// must not allocate or print.
    #[doc = include_str!("environment/examples/gravity.md")]
    fn gravity(&self, _step: &Step, _state: &Self::State) -> Option<f64> {
        None
    }
}

/// Number that represents a value that an environment does not set.
const NONE: f64 = -1.0;

/// Returns the descriptors of ports of the host.
const fn described<const N: usize>(ports: &[HostPort]) -> [PortDesc; N] {
    assert!(ports.len() == N, "the numbers of ports agree");
    let mut descs = [port(ports[0].name, ports[0].unit, ports[0].scope, ports[0].doc); N];
    let mut i = 0;
    while i < N {
        descs[i] = port(ports[i].name, ports[i].unit, ports[i].scope, ports[i].doc);
        i += 1;
    }
    descs
}

const POINT: [PortDesc; 3] = described(POINT_INPUTS);
const WIND: [PortDesc; 3] = described(WIND_OUTPUTS);
const SURFACE: [PortDesc; 2] = described(SURFACE_OUTPUTS);
const GRAVITY: [PortDesc; 1] = described(GRAVITY_OUTPUTS);

#[repr(transparent)]
struct Update<M>(M);

impl<M: Environment> Varied for Update<M> {
    const PER_LANE: PerLane = PerLane::NONE;
    fn set_lane(&mut self, _: impl Fn(usize) -> f64) {}
}

impl<M: Environment> Lanes for Update<M> {
    type Inputs = ();
    type Outputs = ();
    type More = ();
    type State = M::State;
    const RANDOM: bool = M::RANDOM;
    #[inline(always)]
    fn lane(&self, _: &(), step: &Step, state: &mut M::State) {
        self.0.update(step, state);
    }
}

/// Builds the descriptor of an environment.
#[doc(hidden)]
pub struct EnvironmentModel<M>(std::marker::PhantomData<M>);

impl<M: Environment> EnvironmentModel<M> {
    const OPTIONAL: [(bool, Phase); 3] = [
        (M::WIND, phase("wind", &POINT, &WIND, Self::wind as CallFn)),
        (M::SURFACE, phase("surface", &POINT, &SURFACE, Self::surface as CallFn)),
        (M::GRAVITY, phase("gravity", &[], &GRAVITY, Self::gravity as CallFn)),
    ];
    /// The phases that the model has, and how many they are.
    const LISTED: &'static ([Phase; 4], usize) = &{
        let mut phases =
            [phase("update", &[], &[], batch::phase::<Independent<Update<M>>> as CallFn); 4];
        let (mut count, mut i) = (1, 0);
        while i < Self::OPTIONAL.len() {
            if Self::OPTIONAL[i].0 {
                phases[count] = Self::OPTIONAL[i].1;
                count += 1;
            }
            i += 1;
        }
        (phases, count)
    };

    /// Returns the descriptor with the class name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        let (phases, count) = Self::LISTED;
        Model {
            phases: Slice::new(phases.split_at(*count).0),
            ..descriptor::model::<M>(Kind::Environment, id, version)
        }
    }

    unsafe extern "C" fn wind(model: *const c_void, batch: *const Batch, fault: *mut Fault) -> u32 {
        // SAFETY: as in `at_points`.
        unsafe { Self::at_points(model, batch, fault, M::wind) }
    }

    unsafe extern "C" fn surface(
        model: *const c_void,
        batch: *const Batch,
        fault: *mut Fault,
    ) -> u32 {
        let surface = |model: &M, point: [f64; 3], step: &Step, state: &M::State| {
            let Surface { mu, c_rr } = model.surface(point, step, state);
            [("mu", mu), ("c_rr", c_rr)].map(|(name, value)| {
                let value = value.unwrap_or(NONE);
                assert!(
                    value >= 0.0 || value == NONE,
                    "`{name}` of the surface is {value}, expected at least 0"
                );
                value
            })
        };
        // SAFETY: as in `at_points`.
        unsafe { Self::at_points(model, batch, fault, surface) }
    }

    unsafe extern "C" fn gravity(
        model: *const c_void,
        batch: *const Batch,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: as in `at_points`.
        unsafe {
            Self::of_world(model, batch, fault, |model, batch, lane, step, state| {
                let gravity = model.gravity(step, state).unwrap_or(NONE);
                // SAFETY: the phase has one output, and the lane is one of the call's.
                *(*batch.outputs).add(lane) = gravity;
            })
        }
    }

    /// Calls `value` for the points of all lanes and stores the `N` numbers that it returns.
    ///
    /// # Safety
    /// `model` came from `create` of this type; the host promises a valid batch with the columns of the
    /// phase, whose inputs are x, y and z and which has `N` outputs. The state columns have one value.
    unsafe fn at_points<const N: usize>(
        model: *const c_void,
        batch: *const Batch,
        fault: *mut Fault,
        value: impl Fn(&M, [f64; 3], &Step, &M::State) -> [f64; N],
    ) -> u32 {
        // SAFETY: promised by the caller, here and below.
        unsafe {
            Self::of_world(model, batch, fault, |model, batch, lane, step, state| {
                // SAFETY: as above; the lane is one of the call's.
                let point = [0, 1, 2].map(|axis| *(*batch.inputs.add(axis)).add(lane));
                let values = value(model, point, step, state);
                for (output, value) in values.into_iter().enumerate() {
                    // SAFETY: as above.
                    *(*batch.outputs.add(output)).add(lane) = value;
                }
            })
        }
    }

    /// Calls `each` for all lanes, with the state of the world.
    ///
    /// # Safety
    /// As for [`Self::at_points`].
    unsafe fn of_world(
        model: *const c_void,
        batch: *const Batch,
        fault: *mut Fault,
        each: impl Fn(&M, &Batch, usize, &Step, &M::State),
    ) -> u32 {
        // SAFETY: promised by the caller.
        let (model, batch) = unsafe { (&*model.cast::<M>(), &*batch) };
        let step = Step::of(batch);
        fault::guard(batch, fault, &|batch, done| {
            // SAFETY: promised by the caller: all lanes share the state of lane 0.
            let state = unsafe { shared_state_of::<M::State>(batch, 0) };
            for lane in batch.first..batch.first + batch.count {
                each(model, batch, lane, &step, &state);
                done.set(lane + 1);
            }
        })
    }
}
