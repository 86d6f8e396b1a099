//! The learned model: submodels that are connected by the names of their signals.
//!
//! The signals are the commands `VX_DES` (m/s) and `STEER_DES` (rad), the states `POS_X`, `POS_Y` (m),
//! `YAW` (rad), `YAW_RATE` (rad/s), `VX`, `VY` (m/s) and `STEER` (rad), and those that submodels add. In
//! each step all submodels read the signals of its start. Source: Autoware `simple_planning_simulator`
//! 1.0.0, model `LEARNED_STEER_VEL`, whose submodels are Python classes; here they are types that
//! implement [`Submodel`](simhost_sdk::submodel::Submodel).
//!
//! A plugin with submodels of its own implements [`Catalogue`] and declares
//! `Planned<Learned<OwnCatalogue>>` as a dynamics class.

pub mod catalogue;
pub mod examples;
pub mod settings;

use std::marker::PhantomData;

use simhost_sdk::abi::{ParamDesc, ParamScaling, StateDesc, StateKind, Str, Value};
use simhost_sdk::prelude::*;
use simhost_sdk::submodel::Wiring;

use crate::models::Model;
use crate::models::rolling::mean_acceleration;
use crate::models::state::Moving;
use crate::params::Car;
use crate::ports::{Command, VelocityInputs};
pub use catalogue::Catalogue;
use examples::Examples;

/// The commands, in the order of the inputs of the wiring.
const COMMANDS: [&str; 2] = ["VX_DES", "STEER_DES"];
/// The states of the car, in the order of the states of the wiring.
const STATES: [&str; 7] = ["POS_X", "POS_Y", "YAW", "YAW_RATE", "VX", "VY", "STEER"];

/// Parameters of a learned model.
#[derive(Params)]
pub struct LearnedParameters {
    /// Arithmetic and geometry. The wheelbase turns the wheels of pictures; a submodel computes the
    /// kinematics.
    #[param(flatten)]
    car: Car,
    /// Module of each submodel: `builtin` for the examples.
    model_module_paths: Vec<String>,
    /// File with the parameters of each submodel; `-` for its defaults.
    model_param_paths: Vec<Option<BinaryFile>>,
    /// Class of each submodel, in the order in which they are listed. Without it, the classes are
    /// `KinematicModel`, `SteerExample` and `DriveExample` of the module `builtin`.
    model_class_names: Vec<String>,
}

/// The model of learned or written submodels.
pub struct Learned<C> {
    given: LearnedParameters,
    wiring: Option<Wiring>,
    catalogue: PhantomData<fn() -> C>,
}

/// The dynamics class with the submodels of this crate.
pub type LearnedSteerVel = crate::models::adapter::Planned<Learned<Examples>>;

impl<C: Catalogue> Params for Learned<C> {
    const DOC: &'static str = C::DOC;
    const PARAMS: &'static [ParamDesc] = LearnedParameters::PARAMS;
    const ALIASES: &'static [Str] = C::ALIASES;
    const SCALINGS: &'static [ParamScaling] = LearnedParameters::SCALINGS;
    fn read(values: &[Value]) -> Self {
        let given = <LearnedParameters as Params>::read(values);
        Self { given, wiring: None, catalogue: PhantomData }
    }
}

/// Module, class and file of a submodel.
type Listed<'a> = (&'a str, &'a str, Option<&'a BinaryFile>);

impl LearnedParameters {
    /// Returns module, class and file of each submodel.
    fn listed(&self) -> Result<Vec<Listed<'_>>, String> {
        let Self { model_module_paths, model_param_paths, model_class_names, .. } = self;
        let count = model_class_names.len();
        for (name, length) in [
            ("model_module_paths", model_module_paths.len()),
            ("model_param_paths", model_param_paths.len()),
        ] {
            if length != 0 && length != count {
                return Err(format!(
                    "`{name}` has {length} items and `model_class_names` {count}; expected one for \
                     each class"
                ));
            }
        }
        if count == 0 {
            return Ok(examples::CLASSES.map(|class| (examples::MODULE, class, None)).to_vec());
        }
        let module =
            |number: usize| model_module_paths.get(number).map_or(examples::MODULE, String::as_str);
        let file = |number: usize| model_param_paths.get(number).and_then(Option::as_ref);
        let classes = model_class_names.iter().enumerate();
        Ok(classes.map(|(number, class)| (module(number), class.as_str(), file(number))).collect())
    }
}

impl<C: Catalogue> Learned<C> {
    fn wired(&self) -> Result<Wiring, String> {
        let mut submodels = Vec::new();
        for (module, class, file) in self.given.listed()? {
            let mut submodel = C::create(module, class)?;
            if let Some(file) = file {
                submodel.load(file)?;
            }
            submodels.push(submodel);
        }
        Wiring::new(&COMMANDS, &STATES, submodels)
    }
}

/// Places of the slots of the model.
const YAW_RATE: usize = 0;
const VY: usize = 1;
const COMMANDED: usize = 2;

const OWN: &[StateDesc] = &[
    StateDesc::slot("yaw_rate", "rad/s", StateKind::Continuous, "Yaw rate."),
    StateDesc::slot("lateral_speed", "m/s", StateKind::Continuous, "Leftward velocity."),
    StateDesc::slot(
        "commanded_speed",
        "m/s",
        StateKind::Continuous,
        "Speed that was commanded last.",
    ),
];

impl<C: Catalogue> Model for Learned<C> {
    type Inputs = VelocityInputs;
    type Memory = Vec<f64>;
    const OWN: &'static [StateDesc] = OWN;

    fn prepare(&mut self) -> Result<(), String> {
        self.wiring = Some(self.wired()?);
        Ok(())
    }

    fn car(&self) -> &Car {
        &self.given.car
    }

    fn memory(&self) -> Vec<f64> {
        self.wiring.as_ref().map(Wiring::start).unwrap_or_default()
    }

    fn forget(&self, memory: &mut Remembered<Vec<f64>>) {
        if let Some(wiring) = &self.wiring {
            wiring.reset(memory);
        }
    }

    fn advance(
        &self,
        command: &Command,
        state: &mut Moving,
        memory: &mut Remembered<Vec<f64>>,
        dt: f64,
    ) {
        let Some(wiring) = &self.wiring else { return };
        if memory.len() != wiring.len() {
            // a snapshot of other submodels
            **memory = wiring.start();
        }
        let before = state.vx;
        let Moving { x, y, yaw, vx, steer, own, .. } = *state;
        let mut states = [x, y, yaw, own[YAW_RATE], vx, own[VY], steer];
        let steering = self.given.car.within_steer(command.steer);
        wiring.step(memory, &[command.velocity, steering], &mut states, dt);
        let [x, y, yaw, yaw_rate, vx, vy, steer] = states;
        *state = Moving { x, y, yaw, vx, steer, ..*state };
        (state.own[YAW_RATE], state.own[VY]) = (yaw_rate, vy);
        state.reported = if self.given.car.is_compatible() {
            (command.velocity - state.own[COMMANDED]) / dt
        } else {
            mean_acceleration(before, vx, dt)
        };
        state.own[COMMANDED] = command.velocity;
    }

    fn motion(&self, state: &Moving) -> Motion {
        let Moving { x, y, yaw, vx, own, .. } = *state;
        Motion { x, y, yaw, vx, vy: own[VY], omega: own[YAW_RATE] }
    }
}

#[cfg(test)]
mod tests;
