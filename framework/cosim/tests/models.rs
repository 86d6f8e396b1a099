//! Models from FMUs at the boundary: steps, units, states, faults.

use std::path::Path;
use std::sync::Arc;

use simhost_abi::{Fault, Kind, fault_code};
use simhost_model::{
    Classes, FileClassError, FileRequest, Instance, Memories, ModelRef, ModelRig, ParamValue,
    PortMap, RigShape,
};
use simhost_registry::{Catalogue, Options};

use crate::fmu::{Fmu, VERSIONS, Variant};

/// Length of a step, s.
const STEP: f64 = 0.01;

/// A controller that reads the speed in half metres per second, and publishes its integral and the time.
pub const CONTROLLER: [&str; 7] = [
    r#"Speed|0|input|Real|unit="km/h" start="0""#,
    r#"gain|2|parameter|Real|start="1" min="0" max="20""#,
    r#"torque|3|output|Real|unit="N.m""#,
    r#"torque_right|7|output|Real|unit="N.m""#,
    r#"way|5|output|Real|unit="km/h""#,
    r#"elapsed|6|output|Real|unit="s""#,
    r#"count|9|output|Integer|"#,
];

/// Damping of each wheel: fx = -c vx, fy = -c vy.
pub const FRICTION: [&str; 6] = [
    r#"vx|0|input|Real|unit="m/s" start="0""#,
    r#"vy|1|input|Real|unit="m/s" start="0""#,
    r#"damping.c|2|parameter|Real|start="1" min="0""#,
    r#"fx|3|output|Real|unit="N""#,
    r#"fy|4|output|Real|unit="N""#,
    r#"spin_torque|7|output|Real|unit="N.m""#,
];

fn map(port: &str, variable: &str, scale: f64) -> PortMap {
    PortMap { port: port.to_owned(), variable: variable.to_owned(), scale, unit: None }
}

/// Returns the result of a call that has no fault.
#[track_caller]
fn done<T>(outcome: Result<T, Fault>) -> T {
    outcome.unwrap_or_else(|fault| panic!("{}", fault.message()))
}

/// Returns the model of a file.
fn import(kind: Kind, file: &Path, maps: &[PortMap]) -> Result<ModelRef, FileClassError> {
    let catalogue = Catalogue::collect(Options::default()).unwrap();
    assert!(catalogue.is_file_class("fmu"));
    let place = crate::PLACE;
    crate::fmu::prepare();
    catalogue.find_in_file(FileRequest { kind, class: "fmu", file, maps, place })
}

/// Creates an instance with a value of its first parameter, as the host does, and columns for two lanes.
fn rig(model: &ModelRef, file: &Path, value: f64) -> ModelRig {
    let mut values = vec![ParamValue::Text(file.display().to_string())];
    // the world takes the maps from the declaration
    values.extend(
        model.model.params().iter().find(|one| one.key() == "map").map(ParamValue::default_of),
    );
    values.push(ParamValue::Number(value));
    let instance = Arc::new(done(Instance::new(model, values)));
    let shape = RigShape { lanes: 2, ..RigShape::default() };
    done(ModelRig::new(&instance, &ModelRig::labels(model), shape))
}

/// Returns a controller of an FMU in a folder with a value of its gain; `None` without a compiler.
fn controller(fmu: &Fmu, folder: &Path, gain: f64) -> Option<ModelRig> {
    let file = fmu.write(folder)?;
    let maps = [map("vx", "Speed", 1.0), map("torque_left", "torque", -1.0)];
    let model = import(Kind::Controller, &file, &maps).unwrap();
    Some(rig(&model, &file, gain))
}

/// Takes a step with a speed per lane.
fn step(rig: &mut ModelRig, number: u32, speeds: [f64; 2]) {
    rig.phases[0].input("vx").unwrap().copy_from_slice(&speeds);
    done(rig.call(0, 0..2, [f64::from(number) * STEP, STEP]));
}

fn output(rig: &ModelRig, name: &str) -> Vec<f64> {
    rig.phases[0].output(name).unwrap().to_vec()
}

#[test]
fn values_are_converted_and_each_lane_has_an_instance() {
    for version in VERSIONS {
        let folder = tempfile::tempdir().unwrap();
        let Some(mut rig) = controller(&Fmu::new(version, &CONTROLLER), folder.path(), 3.0) else {
            return;
        };
        let (mut way, mut elapsed) = ([0.0; 2], 0.0);
        for number in 0..50 {
            let speeds = [0.1 * f64::from(number), -2.0];
            step(&mut rig, number, speeds);
            // the unit is half a metre per second
            for (way, speed) in way.iter_mut().zip(speeds) {
                *way += STEP * (speed / 0.5);
            }
            elapsed += STEP;
            assert_eq!(output(&rig, "way"), way.map(|way| way * 0.5), "FMI {version}");
            assert_eq!(output(&rig, "torque_left"), speeds.map(|speed| 3.0 * (speed / 0.5)));
            assert_eq!(output(&rig, "elapsed"), [elapsed; 2]);
            assert_eq!(output(&rig, "count"), [f64::from(number + 1); 2]);
        }
    }
}

#[test]
fn a_friction_model_damps_as_the_explicit_euler_method() {
    for version in VERSIONS {
        let folder = tempfile::tempdir().unwrap();
        let Some(file) = Fmu::new(version, &FRICTION).write(folder.path()) else { return };
        let model = import(Kind::Friction, &file, &[]).unwrap();
        assert_eq!(model.model.keys(), ["file", "damping.c"]);
        let mut rig = rig(&model, &file, 25.0);
        let (mass, mut speed) = (20.0, 4.0);
        for number in 0..40 {
            rig.phases[0].input("vy").unwrap().fill(speed);
            done(rig.call(0, 0..2, [f64::from(number) * STEP, STEP]));
            speed += STEP * output(&rig, "fy").iter().sum::<f64>() / mass;
        }
        let expected = 4.0 * (1.0 - 2.0 * 25.0 * STEP / mass).powi(40);
        assert!((speed / expected - 1.0).abs() < 1e-12, "FMI {version}: {speed} {expected}");
    }
}

#[test]
fn a_saved_state_continues_with_the_same_bits() {
    for version in VERSIONS {
        let folder = tempfile::tempdir().unwrap();
        let Some(mut rig) = controller(&Fmu::new(version, &CONTROLLER), folder.path(), 1.0) else {
            return;
        };
        let steps = |rig: &mut ModelRig, from: u32| {
            (from..from + 30).for_each(|number| step(rig, number, [1.1 * f64::from(number), 0.3]));
            [output(rig, "way"), output(rig, "elapsed")]
                .concat()
                .iter()
                .map(|one| one.to_bits())
                .collect::<Vec<_>>()
        };
        steps(&mut rig, 0);
        let memories = rig.memories.clone().unwrap();
        let copy = done(memories.duplicate().map_err(|(_, fault)| fault));
        let expected = steps(&mut rig, 30);
        assert_ne!(steps(&mut rig, 60), expected);
        rig.memories = Some(copy);
        assert_eq!(steps(&mut rig, 30), expected, "FMI {version}");
    }
}

#[test]
fn a_state_is_only_of_the_fmu_that_saved_it() {
    let folder = tempfile::tempdir().unwrap();
    let Some(rig) = controller(&Fmu::new(2, &CONTROLLER), folder.path(), 1.0) else { return };
    let memories: Arc<Memories> = rig.memories.clone().unwrap();
    let bytes = done(memories.save(0));
    done(memories.load(1, 1, &bytes));
    let mut other = bytes.clone();
    other[8] ^= 1;
    for (bytes, text) in [(&other[..], "the saved state is of FMU"), (&bytes[..20], "ends early")] {
        let fault = memories.load(1, 1, bytes).unwrap_err();
        assert!(fault.message().contains(text), "{}", fault.message());
    }
}

/// A lag of the speed, whose state the importer integrates and which jumps by `vy` every 0.25 s.
const LAG: [&str; 6] = [
    r#"vx|0|input|Real|unit="m/s" start="0""#,
    r#"vy|1|input|Real|unit="m/s" start="0""#,
    r#"gain|2|parameter|Real|start="1" min="0" max="20""#,
    r#"torque_left|5|output|Real|unit="N.m""#,
    r#"torque_right|7|output|Real|unit="N.m""#,
    r#"count|9|output|Integer|"#,
];

#[test]
fn states_of_model_exchange_are_integrated_with_stops_at_time_events() {
    for version in VERSIONS {
        let folder = tempfile::tempdir().unwrap();
        let fmu = Fmu { variant: Variant::Exchange, ..Fmu::new(version, &LAG) };
        let Some(file) = fmu.write(folder.path()) else { return };
        let model = import(Kind::Controller, &file, &[]).unwrap();
        let (gain, speed, jump, step) = (3.0, 2.0, 0.5, 0.02);
        let mut rig = rig(&model, &file, gain);
        rig.phases[0].input("vx").unwrap().fill(speed);
        rig.phases[0].input("vy").unwrap().fill(jump);
        let run = |rig: &mut ModelRig, steps: std::ops::Range<u32>| {
            steps
                .map(|number| {
                    done(rig.call(0, 0..2, [f64::from(number) * step, step]));
                    (output(rig, "torque_left")[1], output(rig, "count")[1])
                })
                .collect::<Vec<_>>()
        };
        let first = run(&mut rig, 0..20);
        let memories = rig.memories.clone().unwrap();
        let copy = done(memories.duplicate().map_err(|(_, fault)| fault));
        let second = run(&mut rig, 20..50);
        rig.memories = Some(copy);
        assert_eq!(run(&mut rig, 20..50), second, "FMI {version}");
        for (number, (found, count)) in first.into_iter().chain(second).enumerate() {
            let time = (number + 1) as f64 * step;
            // an event at the end of a step belongs to the next one
            let events = ((time - 1e-9) / 0.25).floor();
            let jumps = (1..=events as u32)
                .map(|event| jump * (-gain * (time - 0.25 * f64::from(event))).exp());
            let expected = speed * (1.0 - (-gain * time).exp()) + jumps.sum::<f64>();
            assert!((found - expected).abs() < 1e-6, "FMI {version}, {time} s: {found} {expected}");
            assert_eq!(count, events, "FMI {version}, {time} s");
        }
    }
}

#[test]
fn an_fmu_without_a_state_runs_and_names_itself_where_a_state_is_needed() {
    for (has_state, variant, reason) in [
        (false, Variant::Steps, "cannot save and serialise"),
        (true, Variant::Forgets, "the test of its state has failed"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let fmu = Fmu { has_state, variant, ..Fmu::new(2, &CONTROLLER) };
        let Some(mut rig) = controller(&fmu, folder.path(), 1.0) else { return };
        let memories = rig.memories.clone().unwrap();
        let fault = memories.save(0).unwrap_err();
        assert_eq!(fault.code, fault_code::REFUSED);
        assert!(fault.message().contains("tested.fmu prevents"), "{}", fault.message());
        assert!(fault.message().contains(reason), "{}", fault.message());
        step(&mut rig, 0, [1.0; 2]);
        assert_eq!(output(&rig, "count"), [1.0; 2]);
    }
}

#[test]
fn a_failing_step_names_its_lane_and_variable() {
    let folder = tempfile::tempdir().unwrap();
    let mut fmu = Fmu::new(3, &CONTROLLER);
    fmu.variables.push("hyperbola|8|output|Real|");
    let Some(mut rig) = controller(&fmu, folder.path(), 13.0) else { return };
    let fault = rig.call(0, 1..2, [0.0, STEP]).unwrap_err();
    assert_eq!((fault.code, fault.lane), (fault_code::NON_FINITE, 1));
    assert!(fault.message().contains("\"hyperbola\" is inf"), "{}", fault.message());
    let fault = rig.call(0, 0..1, [0.0, 0.6]).unwrap_err();
    assert!(
        fault.message().contains("fmi3DoStep from 0 s by 0.6 s returned Discard"),
        "{}",
        fault.message()
    );
}
