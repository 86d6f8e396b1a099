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
