//! The adapter that turns a vehicle model of this crate into a dynamics class of the host.
//!
//! A class contributes what is its own: parameters, state slots, wheels, and the equations of its
//! model. The adapter integrates the states and keeps them in step with the body.

use std::marker::PhantomData;

use simhost_sdk::abi::StateKind::{Angle, Continuous, Discrete};
use simhost_sdk::abi::{ParamDesc, StateDesc, Value, WheelGeometry};
use simhost_sdk::prelude::*;
use simhost_sdk::{Columns, Params, Ports, State};

use crate::embedding::{self, Inputs, Model};

/// Index of the front wheel of a single track.
pub const FRONT: usize = 1;

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

    /// Returns the steering angle of the vehicle, rad: by default the angle of the front wheel of a
    /// single track.
    fn steer(&self, wheels: &WheelMotion) -> f64 {
        wheels.steer(FRONT)
    }

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

/// Declares state slots, whose descriptions are their documentation.
macro_rules! slots {
    ($($slot:ident: $name:literal, $unit:literal, $kind:ident, $doc:literal;)*) => {$(
        #[doc = $doc]
        pub const $slot: StateDesc = StateDesc::slot($name, $unit, $kind, $doc);
    )*};
}

slots! {
    X: "x", "m", Continuous, "Position of the reference point, world frame.";
    Y: "y", "m", Continuous, "Position of the reference point, world frame.";
    STEER: "steer", "rad", Continuous, "Steering angle.";
    SPEED: "speed", "m/s", Continuous, "Speed along the path, or of the rear axle.";
    YAW: "yaw", "rad", Angle, "Heading, positive counter-clockwise from the world x axis.";
    YAW_RATE: "yaw_rate", "rad/s", Continuous, "Yaw rate.";
    BETA: "beta", "rad", Continuous, "Slip angle at the centre of gravity.";
    BEGUN: "begun", "1", Discrete, "1 once the states have been initialised from the body.";
}
