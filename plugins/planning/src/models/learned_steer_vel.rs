//! The model that consists of submodels, which are wired by the names of their signals.

use std::marker::PhantomData;

use simhost_sdk::abi::{ParamDesc, StateDesc, StateKind, Str, Value};
use simhost_sdk::prelude::*;

use super::Model;
use super::ideal_steer_vel::report_command;
use super::state::{Moving, slot};
use crate::learned::{Catalogue, Examples, Pool, Wanted, wanted};
use crate::params::Car;
use crate::ports::{Command, VelocityInputs};

/// A submodel with its parameters.
#[derive(Params)]
pub struct SubmodelParameters {
    /// Module of the submodel; optional for a class that is known without it.
    #[param(default = "")]
    module: String,
    /// Name of the class.
    #[param(required)]
    class: String,
    /// File of its parameters.
    params: Option<TextFile>,
}

/// Planning model `LEARNED_STEER_VEL` of Autoware: submodels of speed, steering and motion.
#[derive(Params)]
#[param(alias = "LEARNED_STEER_VEL")]
pub struct LearnedParameters {
    /// Arithmetic and geometry.
    #[param(flatten)]
    car: Car,
    /// Modules of the submodels, separated by spaces or commas, or as a list in brackets. By default the
    /// modules of the examples.
    #[param(default = "")]
    model_module_paths: String,
    /// Parameter files of the submodels, as a list of the same length. A built-in submodel has none:
    /// `""`. Files are given with `submodel`.
    #[param(default = "")]
    model_param_paths: String,
    /// Class names of the submodels, as a list of the same length. By default `KinematicModel`,
    /// `SteerExample` and `DriveExample`.
    #[param(default = "")]
    model_class_names: String,
    /// A submodel with module, class and parameter file, in place of the three lists.
    submodel: Vec<SubmodelParameters>,
    /// Step of the submodels with `compat="autoware-1.0"`. Without it, it is the time step.
    #[param(above = 0.0, range = ..=10000.0, unit = "ms", scale = 0.001)]
    timer_sampling_time_ms: Option<f64>,
}

/// A model of submodels from a catalogue. A plugin with submodels of its own registers a class
/// `Planned<Learned<C>>` with its catalogue `C`.
pub struct Learned<C> {
    parameters: LearnedParameters,
    pool: Pool,
    catalogue: PhantomData<fn() -> C>,
}

/// The dynamics class with the built-in submodels.
pub type LearnedSteerVel = super::adapter::Planned<Learned<Examples>>;

impl<C: Catalogue> Params for Learned<C> {
    const DOC: &'static str = LearnedParameters::DOC;
    const PARAMS: &'static [ParamDesc] = LearnedParameters::PARAMS;
    const ALIASES: &'static [Str] = C::ALIASES;
    fn read(values: &[Value]) -> Self {
        let parameters = LearnedParameters::read(values);
        Self { parameters, pool: Pool::default(), catalogue: PhantomData }
    }
}

/// Indices of the slots of the model.
const YAW_RATE: usize = 1;
const VY: usize = 2;

use StateKind::Continuous;

impl<C: Catalogue> Model for Learned<C> {
    type Inputs = VelocityInputs;
    type Memory = Vec<f64>;
    const OWN: &'static [StateDesc] = &[
        slot("commanded_speed", "m/s", Continuous, "Speed that was commanded last."),
        slot("yaw_rate", "rad/s", Continuous, "Yaw rate."),
        slot("leftward_speed", "m/s", Continuous, "Leftward velocity."),
    ];

    fn prepare(&mut self) -> Result<(), String> {
        let given = &self.parameters;
        let elements = given.submodel.iter().map(|one| Wanted {
            module: one.module.clone(),
            class: one.class.clone(),
            params: one.params.clone(),
        });
        let lists = [&given.model_module_paths, &given.model_param_paths, &given.model_class_names];
        let wanted = wanted(elements.collect(), lists)?;
        let made = wanted.iter().map(C::create).collect::<Result<Vec<_>, _>>()?;
        self.pool = Pool::of(made)?;
        Ok(())
    }

    fn car(&self) -> &Car {
        &self.parameters.car
    }

    fn memory(&self) -> Vec<f64> {
        self.pool.memory()
    }

    fn forget(&self, memory: &mut Remembered<Vec<f64>>) {
        self.pool.reset(memory);
    }

    fn advance(
        &self,
        command: &Command,
        state: &mut Moving,
        memory: &mut Remembered<Vec<f64>>,
        dt: f64,
    ) {
        let car = self.car();
        let timer = self.parameters.timer_sampling_time_ms.filter(|_| car.is_compatible());
        let Moving { x, y, yaw, vx, steer, .. } = *state;
        let before = [x, y, yaw, state.own[YAW_RATE], vx, state.own[VY], steer];
        let inputs = [command.velocity, command.steer];
        let after = self.pool.step(memory, before, inputs, timer.unwrap_or(dt));
        let [x, y, yaw, yaw_rate, vx, vy, steer] = after;
        let last = state.own[0];
        report_command(car, state, last, command.velocity, dt);
        *state = Moving { x, y, yaw, vx, steer, ..*state };
        (state.own[YAW_RATE], state.own[VY]) = (yaw_rate, vy);
        state.acceleration = state.reported;
    }

    fn motion(&self, state: &Moving) -> Motion {
        let Moving { x, y, yaw, vx, .. } = *state;
        Motion { x, y, yaw, vx, vy: state.own[VY], omega: state.own[YAW_RATE] }
    }
}
