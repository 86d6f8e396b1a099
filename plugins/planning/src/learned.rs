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

pub mod examples;

use std::marker::PhantomData;

use simhost_sdk::abi::{ParamDesc, ParamScaling, StateDesc, StateKind, Str, Value};
use simhost_sdk::prelude::*;
use simhost_sdk::submodel::Wiring;

use crate::models::Model;
use crate::models::rolling::mean_acceleration;
use crate::models::state::Moving;
use crate::params::Car;
use crate::ports::{Command, VelocityInputs};
pub use examples::Catalogue;
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
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::examples::{CLASSES, DriveExample, Examples, SteerExample};
    use super::*;
    use crate::params::Compat;
    use simhost_sdk::submodel::{Submodel, Wiring};

    fn file(text: &str) -> BinaryFile {
        BinaryFile { path: "car.txt".into(), bytes: text.as_bytes().to_vec() }
    }

    /// Returns the state of a submodel with one state after each call.
    fn run(submodel: &dyn Submodel, actions: &[f64], dt: f64) -> Vec<f64> {
        let mut memory = vec![0.0; submodel.memory_len()];
        let mut state = [0.0];
        let step = |action: &f64| {
            let before = state;
            submodel.forward(&[*action], &before, dt, &mut memory, &mut state);
            state[0]
        };
        actions.iter().map(step).collect()
    }

    #[test]
    fn the_steering_approaches_its_command_with_a_limited_rate() {
        let found = run(&SteerExample::default(), &[0.2; 12], 0.025);
        for (k, (found, expected)) in found.iter().zip([0.075, 0.1375, 0.16875]).enumerate() {
            assert!((found - expected).abs() < 1e-15, "{k}: {found} {expected}");
        }
        assert!((found[11] - 0.2).abs() < 1e-4);
    }

    #[test]
    fn the_drive_delays_by_four_steps_and_repeats_the_first_command() {
        let mut commands = [5.0; 8];
        commands[0] = 0.0;
        let found = run(&DriveExample::default(), &commands, 0.025);
        assert_eq!(found[..6], [0.0, 0.0, 0.0, 0.0, 0.0, 0.025]);
        // with the same first command there is no delay
        assert_eq!(run(&DriveExample::default(), &[5.0; 2], 0.025), [0.025, 0.05]);
    }

    #[test]
    fn files_of_parameters_are_read() {
        let mut steer = SteerExample::default();
        steer.load(&file("# from a test drive\ntime_constant = 0.1\n\n")).unwrap();
        assert_eq!((steer.time_constant, steer.rate_limit), (0.1, 3.0));
        for (text, expected) in [
            (
                "time_konstant = 1",
                "car.txt:1: unknown parameter: `time_konstant`; expected one of: time_constant, rate_limit",
            ),
            ("\nrate_limit = fast", "car.txt:2: `rate_limit` is fast, expected a finite number"),
            ("rate_limit 3", "car.txt:1: found `rate_limit 3`, expected `name = value`"),
            ("rate_limit = 3\nrate_limit = 3", "car.txt:2: `rate_limit` is given twice"),
            ("rate_limit = 0", "car.txt: `rate_limit` is 0, expected a number above 0"),
        ] {
            assert_eq!(steer.load(&file(text)).unwrap_err(), expected);
        }
        let error = steer.load(&BinaryFile { path: "a.npz".into(), bytes: vec![b'P', 0xff] });
        assert_eq!(error.unwrap_err(), "a.npz: byte 1: not UTF-8");
    }

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn learned(classes: &str, modules: &str) -> Result<Learned<Examples>, String> {
        let given = LearnedParameters {
            car: Car::of(Compat::None, 2.74),
            model_module_paths: words(modules),
            model_param_paths: Vec::new(),
            model_class_names: words(classes),
        };
        let mut model = Learned { given, wiring: None, catalogue: PhantomData };
        Model::prepare(&mut model)?;
        Ok(model)
    }

    #[test]
    fn lists_have_one_item_for_each_class() {
        let error = |classes, modules| learned(classes, modules).err().unwrap_or_default();
        assert_eq!(
            error("KinematicModel SteerExample", "builtin"),
            "`model_module_paths` has 1 items and `model_class_names` 2; expected one for each class"
        );
        let known = "expected one of: KinematicModel, SteerExample, DriveExample";
        assert!(error("DriveExmple", "").ends_with(known));
        assert!(error("DriveExample", "drive.py").starts_with("unknown module: `drive.py`"));
        assert!(error("DriveExample DriveExample", "").contains("both compute the signal `VX`"));
        assert_eq!(error("DriveExample", "builtin"), "");
    }

    #[test]
    fn the_examples_drive_a_car() {
        let model = learned("", "").unwrap();
        let mut memory = Remembered::new(model.memory());
        let mut state = Moving::default();
        let submodels = CLASSES.map(|class| examples::create(examples::MODULE, class).unwrap());
        let wiring = Wiring::new(&COMMANDS, &STATES, submodels.into()).unwrap();
        let (mut pool, mut expected) = (wiring.start(), [0.0; 7]);
        for _ in 0..100 {
            let command = Command { velocity: 3.0, steer: 0.1, ..Command::default() };
            model.advance(&command, &mut state, &mut memory, 0.025);
            wiring.step(&mut pool, &[3.0, 0.1], &mut expected, 0.025);
        }
        let motion = model.motion(&state);
        assert_eq!([motion.x, motion.y, motion.yaw, motion.omega], expected[..4]);
        assert!((state.vx - 2.5).abs() < 1e-9 && (state.reported - 1.0).abs() < 1e-9, "{state:?}");
        // the yaw rate is that of the states one step before
        let rate = (state.vx - 0.025) * math::tan(state.steer) / 2.74;
        assert!((motion.omega - rate).abs() < 1e-9, "{} {rate}", motion.omega);
        model.forget(&mut memory);
        assert_eq!(*memory, wiring.start());
    }
}
