//! The adapter that turns a vehicle model of this crate into a dynamics class of the host.
//!
//! A class contributes what is its own: parameters, state slots, wheels, and the equations of its
//! model. The adapter integrates the states and keeps them in step with the body.

use std::marker::PhantomData;

use simhost_sdk::abi::{ParamDesc, Scope, StateDesc, StateKind, Str, Value, WheelGeometry};
use simhost_sdk::prelude::*;
use simhost_sdk::{Columns, Params, Ports, State};

use crate::embedding::{self, Inputs, Model};

/// A dynamics class whose model has `N` states.
pub trait Class<const N: usize>: Model<N> + Params {
    /// Measurements of the class.
    type Measurements: Ports;
    /// The wheels, in the order of the wheel indices in all methods.
    const WHEELS: &'static [WheelPlace];
    /// Default chassis.
    const CHASSIS: Chassis;
    /// State slots of the model in its order, then [`BEGUN`].
    const SLOTS: &'static [StateDesc];

    /// Checks the parameters and computes derived values.
    fn prepare(&mut self) -> Result<(), String>;

    /// Places the wheels.
    fn arrange(&self, wheels: &mut [WheelGeometry]);

    /// Longest step of the integration, s.
    fn integration_step(&self) -> f64;

    /// Returns the steering angle of the vehicle, rad.
    fn steer(&self, wheels: &WheelMotion) -> f64;

    /// Sets steering angles and spins of the wheels after a step.
    fn turn_wheels(&self, wheels: &mut Wheels, state: &[f64; N], motion: &Motion);

    /// Returns the measurements.
    fn measure(&self, wheels: &WheelMotion) -> Self::Measurements;
}

/// A class as a dynamics class of the host.
#[repr(transparent)]
pub struct Adapter<C, const N: usize>(pub C);

/// States of a model, and whether they have begun.
pub struct States<C, const N: usize> {
    values: [f64; N],
    begun: f64,
    class: PhantomData<C>,
}

impl<C: Params, const N: usize> Params for Adapter<C, N> {
    const DOC: &'static str = C::DOC;
    const PARAMS: &'static [ParamDesc] = C::PARAMS;
    fn read(values: &[Value]) -> Self {
        Self(C::read(values))
    }
}

impl<C, const N: usize> Columns for States<C, N> {
    const COUNT: usize = N + 1;
    #[inline(always)]
    fn load(get: impl Fn(usize) -> f64) -> Self {
        Self { values: std::array::from_fn(&get), begun: get(N), class: PhantomData }
    }
    #[inline(always)]
    fn store(&self, mut put: impl FnMut(usize, f64)) {
        for (slot, value) in self.values.into_iter().enumerate() {
            put(slot, value);
        }
        put(N, self.begun);
    }
}

impl<C: Class<N>, const N: usize> State for States<C, N> {
    const STATES: &'static [StateDesc] = {
        assert!(C::SLOTS.len() == N + 1, "a class declares the slots of its model and BEGUN");
        C::SLOTS
    };
    type Memory = ();
}

#[model]
impl<C: Class<N>, const N: usize> Dynamics for Adapter<C, N> {
    type Actuators = Inputs;
    type Output = Motion;
    type Measurements = C::Measurements;
    type State = States<C, N>;
    const WHEELS: &'static [WheelPlace] = C::WHEELS;
    const CHASSIS: Chassis = C::CHASSIS;

    fn prepare(&mut self) -> Result<(), String> {
        self.0.prepare()
    }

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        self.0.arrange(wheels);
        Ok(())
    }

    fn drive(
        &self,
        inputs: &Inputs,
        wheels: &mut Wheels,
        step: &Step,
        states: &mut States<C, N>,
    ) -> Motion {
        let Self(class) = self;
        let span = [step.dt, class.integration_step()];
        let begun = states.begun != 0.0;
        let steer = class.steer(wheels);
        let motion = embedding::advance(class, inputs, steer, span, &mut states.values, begun);
        states.begun = 1.0;
        class.turn_wheels(wheels, &states.values, &motion);
        motion
    }

    fn measure(&self, wheels: &WheelMotion) -> C::Measurements {
        self.0.measure(wheels)
    }
}

/// Declares a state slot that starts at 0.
pub const fn slot(
    name: &'static str,
    unit: &'static str,
    kind: StateKind,
    doc: &'static str,
) -> StateDesc {
    StateDesc {
        size: size_of::<StateDesc>() as u32,
        scope: Scope::Instance as u32,
        kind: kind as u32,
        reserved: 0,
        name: Str::new(name),
        unit: Str::new(unit),
        doc: Str::new(doc),
        initial: 0.0,
        initial_key: Str::new(""),
    }
}

/// Position of the reference point, world frame.
pub const X: StateDesc =
    slot("x", "m", StateKind::Continuous, "Position of the reference point, world frame.");
/// Position of the reference point, world frame.
pub const Y: StateDesc =
    slot("y", "m", StateKind::Continuous, "Position of the reference point, world frame.");
/// Steering angle.
pub const STEER: StateDesc = slot("steer", "rad", StateKind::Continuous, "Steering angle.");
/// Speed along the path, or of the rear axle.
pub const SPEED: StateDesc =
    slot("speed", "m/s", StateKind::Continuous, "Speed along the path, or of the rear axle.");
/// Heading, positive counter-clockwise from the world x axis.
pub const YAW: StateDesc = slot(
    "yaw",
    "rad",
    StateKind::Angle,
    "Heading, positive counter-clockwise from the world x axis.",
);
/// Yaw rate.
pub const YAW_RATE: StateDesc = slot("yaw_rate", "rad/s", StateKind::Continuous, "Yaw rate.");
/// Slip angle at the centre of gravity.
pub const BETA: StateDesc =
    slot("beta", "rad", StateKind::Continuous, "Slip angle at the centre of gravity.");
/// 1 once the states have been initialised from the body.
pub const BEGUN: StateDesc = slot(
    "begun",
    "1",
    StateKind::Discrete,
    "1 once the states have been initialised from the body.",
);
