//! Worlds with models from FMUs.

use simhost::{Ensemble, EnsembleOptions, Error, Options, Session};
use tempfile::TempDir;

use crate::fmu::{Fmu, VERSIONS, Variant};
use crate::models::{CONTROLLER, FRICTION};

/// Length of a step, s.
pub const STEP: f64 = 0.01;

/// Opens a world whose folder contains the FMU, if there is a compiler.
pub fn open(
    fmu: &Fmu,
    controller: &str,
    friction: &str,
) -> Option<Result<(Session, TempDir), Error>> {
    let folder = tempfile::tempdir().unwrap();
    fmu.write(folder.path())?;
    Some(open_in(&folder, controller, friction).map(|session| (session, folder)))
}

/// Opens a world in a folder.
pub fn open_in(folder: &TempDir, controller: &str, friction: &str) -> Result<Session, Error> {
    Session::from_text(&text(controller, friction), folder.path().join("w.xml"), allowed())
}

/// Options that allow the code of FMUs.
pub fn allowed() -> Options {
    crate::fmu::prepare();
    let mut options = Options::default();
    options.load.allow.file_models = Some(crate::PLACE);
    options
}

/// A chassis whose centre of mass is the reference point, so that drag at the wheels does not turn the vehicle.
const CHASSIS: &str = r#"<chassis mass="18" zmin="0.05" zmax="0.5">
    <shape><pt>1 1</pt><pt>-1 1</pt><pt>-1 -1</pt><pt>1 -1</pt></shape></chassis>"#;

/// A world with one vehicle of two wheels.
pub fn text(controller: &str, friction: &str) -> String {
    format!(
        r#"<mvsim_world><simul_timestep>{STEP}</simul_timestep>
        <vehicle name="r"><init_pose>0 0 0</init_pose><init_vel>4 2 0</init_vel>
          <dynamics class="differential">
            <l_wheel pos="0 0.5" mass="1" width="0.1" diameter="0.4"/><r_wheel pos="0 -0.5" mass="1" width="0.1" diameter="0.4"/>
            {CHASSIS}
            {controller}
          </dynamics>{friction}
        </vehicle></mvsim_world>"#
    )
}

/// Returns the present values of quantities.
pub fn values(session: &Session, names: &[&str]) -> Vec<f64> {
    let quantities = session.quantities(names).unwrap();
    let mut values = Vec::new();
    quantities.read(session.simulation(), &mut values);
    values
}

pub const CONTROLLED: &str = r#"<controller class="fmu" file="tested.fmu"><gain>0</gain>
    <map port="vx" variable="Speed"/><map port="torque_left" variable="torque" scale="-1"/></controller>"#;

const RAW: &str = r#"<controller class="raw"/>"#;

pub fn controller(version: u32) -> Fmu {
    Fmu::new(version, &CONTROLLER)
}

const PUBLISHED: [&str; 3] = ["r/controller/way", "r/controller/elapsed", "r/controller/count"];

#[test]
fn a_controller_reads_converted_inputs_and_publishes_its_outputs() {
    for version in VERSIONS {
        let Some(opened) = open(&controller(version), CONTROLLED, RUBBER) else { return };
        let (mut session, _folder) = opened.unwrap();
        let (mut way, mut elapsed) = (0.0, 0.0);
        for count in 1..=50 {
            let speed = values(&session, &["r/twist"])[0];
            session.run_steps(1).unwrap();
            // the unit is half a metre per second
            way += STEP * (speed / 0.5);
            elapsed += STEP;
            let [found, time, steps] = values(&session, &PUBLISHED)[..] else { panic!() };
            assert_eq!(found, way * 0.5, "FMI {version}, step {count}");
            assert_eq!((time, steps), (elapsed, f64::from(count)));
        }
    }
}

#[test]
fn a_friction_model_damps_as_the_explicit_euler_method() {
    for version in VERSIONS {
        let friction =
            r#"<friction class="fmu" file="tested.fmu"><damping.c>25</damping.c></friction>"#;
        let Some(opened) = open(&Fmu::new(version, &FRICTION), RAW, friction) else { return };
        let (mut session, _folder) = opened.unwrap();
        session.run_steps(40).unwrap();
        // two wheels, 20 kg, and two components of the velocity
        let factor = (1.0 - 2.0 * 25.0 * STEP / 20.0_f64).powi(40);
        let found = values(&session, &["r/twist"]);
        for (found, expected) in found.iter().zip([4.0 * factor, 2.0 * factor]) {
            assert!((found / expected - 1.0).abs() < 1e-9, "FMI {version}: {found} {expected}");
        }
    }
}

/// Friction that changes the speed, so that the integral of the controller depends on its state.
pub const RUBBER: &str = r#"<friction class="default"><mu>0.7</mu></friction>"#;

#[test]
fn snapshots_and_forks_continue_with_the_same_bits() {
    for version in VERSIONS {
        let Some(opened) = open(&controller(version), CONTROLLED, RUBBER) else { return };
        let (mut session, _folder) = opened.unwrap();
        session.run_steps(20).unwrap();
        let snapshot = session.snapshot().unwrap();
        let mut fork = session.fork().unwrap();
        session.run_steps(30).unwrap();
        let expected = values(&session, &["**"]);
        fork.run_steps(30).unwrap();
        assert_eq!(values(&fork, &PUBLISHED), values(&session, &PUBLISHED));
        session.restore(&snapshot).unwrap();
        assert_ne!(values(&session, &["r/controller/elapsed"])[0], 0.5);
        session.run_steps(30).unwrap();
        let bits = |values: &[f64]| values.iter().map(|one| one.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&values(&session, &["**"])), bits(&expected), "FMI {version}");
    }
}

#[test]
fn an_fmu_without_a_state_runs_and_names_itself_where_a_state_is_needed() {
    for (has_state, variant, reason) in [
        (false, Variant::Steps, "cannot save and serialise"),
        (true, Variant::Forgets, "the test of its state has failed"),
    ] {
        let fmu = Fmu { has_state, variant, ..controller(2) };
        let Some(opened) = open(&fmu, CONTROLLED, RUBBER) else { return };
        let (mut session, _folder) = opened.unwrap();
        session.run_steps(5).unwrap();
        for error in [session.snapshot().err().unwrap(), session.fork().err().unwrap()] {
            let text = error.to_string();
            assert!(text.contains("tested.fmu") && text.contains(reason), "{text}");
        }
        session.run_steps(5).unwrap();
        assert_eq!(values(&session, &["r/controller/count"]), [10.0]);
    }
}

#[test]
fn a_failing_step_is_a_fault_with_the_variable() {
    let mut fmu = controller(3);
    fmu.variables.push(r#"hyperbola|8|output|Real|"#);
    let controlled = CONTROLLED.replace("<gain>0</gain>", "<gain>13</gain>");
    let Some(opened) = open(&fmu, &controlled, RUBBER) else { return };
    let (mut session, _folder) = opened.unwrap();
    let error = session.run_steps(1).err().map(|error| error.to_string());
    let faults = session.simulation().faults().iter().map(|fault| format!("{fault:?}"));
    let text = error.into_iter().chain(faults).collect::<Vec<_>>().join("\n");
    assert!(text.contains("hyperbola") && text.contains("inf"), "{text}");
}

#[test]
fn members_of_an_ensemble_have_instances_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    if controller(3).write(folder.path()).is_none() {
        return;
    }
    let options = EnsembleOptions { session: allowed(), ..EnsembleOptions::members(3) };
    let options = options.vary("r/controller/gain=list:0,0.5,1".parse().unwrap());
    let path = folder.path().join("w.xml");
    let mut ensemble = Ensemble::from_text(&text(CONTROLLED, RUBBER), &path, options).unwrap();
    ensemble.step(50).unwrap();
    let selected = ensemble.select(["r/pose", PUBLISHED[0], PUBLISHED[2]]).unwrap();
    let mut matrix = vec![0.0; 3 * selected.width()];
    ensemble.read(&selected, &mut matrix).unwrap();
    for (row, gain) in matrix.chunks(selected.width()).zip(["0", "0.5", "1"]) {
        let controlled = CONTROLLED.replace("<gain>0<", &format!("<gain>{gain}<"));
        let mut alone = open_in(&folder, &controlled, RUBBER).unwrap();
        alone.run_steps(50).unwrap();
        assert_eq!(row, values(&alone, &["r/pose", PUBLISHED[0], PUBLISHED[2]]), "gain {gain}");
    }
    assert_ne!(matrix[..6], matrix[selected.width()..][..6], "the gain changes the motion");
}

#[test]
fn an_ensemble_whose_fmu_has_no_state_is_refused_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    if (Fmu { has_state: false, ..controller(2) }).write(folder.path()).is_none() {
        return;
    }
    let options = EnsembleOptions { session: allowed(), ..EnsembleOptions::members(3) };
    let path = folder.path().join("w.xml");
    let refused = Ensemble::from_text(&text(CONTROLLED, RUBBER), &path, options);
    let error = refused.err().unwrap().to_string();
    assert!(error.contains("tested.fmu") && error.contains("cannot save"), "{error}");
}

/// A controller whose torque is the number of its steps.
const COUNTER: [&str; 2] = [r#"vx|0|input|Real|"#, r#"torque_left|9|output|Real|unit="N.m""#];

/// An actuator that multiplies by -gain.
const ACTUATOR: [&str; 3] = [
    r#"command|0|input|Real|"#,
    r#"gain|2|parameter|Real|start="1" min="-20" max="20""#,
    r#"value|3|output|Real|"#,
];

/// A dynamics class that drives the first of two wheels with a torque, and measures the time.
const DYNAMICS: [&str; 5] = [
    r#"torque_left|0|input|Real|unit="N.m" start="0""#,
    r#"gain|2|parameter|Real|start="1" min="-20" max="20""#,
    r#"torque[1]|3|output|Real|unit="N.m""#,
    r#"steer[1]|7|output|Real|unit="rad""#,
    r#"elapsed|6|output|Real|unit="s""#,
];

#[test]
fn a_vehicle_can_have_fmus_of_all_kinds() {
    for version in VERSIONS {
        let folder = tempfile::tempdir().unwrap();
        let parts: [(&str, &[&str]); 4] = [
            ("counter", &COUNTER),
            ("act", &ACTUATOR),
            ("moved", &DYNAMICS),
            ("rubbed", &FRICTION),
        ];
        for (name, variables) in parts {
            let place = folder.path().join(name);
            std::fs::create_dir_all(&place).unwrap();
            if Fmu::new(version, variables).write(&place).is_none() {
                return;
            }
        }
        let text = format!(
            r#"<mvsim_world><simul_timestep>{STEP}</simul_timestep>
            <vehicle name="r"><init_pose>0 0 0</init_pose>
              <dynamics class="fmu" file="moved/tested.fmu"><gain>-2</gain>
                <wheel1 pos="0 0.5" mass="1"/><wheel2 pos="0 -0.5" mass="1"/>
                {CHASSIS}
                <actuator class="fmu" file="act/tested.fmu" port="torque_left"><gain>-3</gain></actuator>
                <controller class="fmu" file="counter/tested.fmu"/>
              </dynamics>
              <friction class="fmu" file="rubbed/tested.fmu"><damping.c>0</damping.c></friction>
            </vehicle></mvsim_world>"#
        );
        let mut session =
            Session::from_text(&text, folder.path().join("w.xml"), allowed()).unwrap();
        session.run_steps(20).unwrap();
        // 1 to 20 N·m, times 3 in the actuator, times 2 in the dynamics, all in the same step, on a solid cylinder of 1 kg and
        // 0.2 m without friction
        let spin = STEP * (210.0 * 3.0 * 2.0) / (0.5 * 0.2_f64.powi(2));
        let found = values(&session, &["r/wheel/*/spin"]);
        assert_eq!(found[0], 0.0);
        assert!((found[1] / spin - 1.0).abs() < 1e-12, "FMI {version}: {found:?} {spin}");
    }
}

#[test]
fn a_variable_without_a_port_is_not_connected() {
    let mut fmu = controller(2);
    fmu.variables.push(r#"spare|1|input|Real|"#);
    let Some(refused) = open(&fmu, CONTROLLED, RUBBER) else { return };
    let error = refused.err().unwrap().to_string();
    assert!(error.contains("`spare`"), "{error}");
    for map in [r#"<map variable="spare"/>"#, r#"<map port="" variable="spare"/>"#] {
        let controlled = CONTROLLED.replace("</controller>", &format!("{map}</controller>"));
        open(&fmu, &controlled, RUBBER).unwrap().unwrap();
    }
}

/// A sensor of the speed: its readings are the integral of the speed, the time, and the number of samples.
const SENSOR: [&str; 4] = [
    r#"vx|0|input|Real|unit="m/s" start="0""#,
    r#"way|5|output|Real|unit="m""#,
    r#"elapsed|6|output|Real|unit="s""#,
    r#"count|9|output|Integer|"#,
];

#[test]
fn a_sensor_takes_a_step_of_its_period_for_each_sample() {
    for version in VERSIONS {
        let folder = tempfile::tempdir().unwrap();
        if Fmu::new(version, &SENSOR).write(folder.path()).is_none() {
            return;
        }
        let sensor = r#"<sensor class="fmu" name="meter" file="tested.fmu"><sensor_period>0.05</sensor_period></sensor></vehicle>"#;
        let text = text(RAW, RUBBER).replace("</vehicle>", sensor);
        let mut session =
            Session::from_text(&text, folder.path().join("w.xml"), allowed()).unwrap();
        let readings = |session: &Session| {
            let (_, values) = session.simulation().samples().readings().next().unwrap();
            values
        };
        let mut way = 0.0;
        for sample in 1..=6 {
            session.run_steps(5).unwrap();
            let [speed, ..] = values(&session, &["r/twist"])[..] else { panic!() };
            way += 0.05 * speed;
            let [found, time, count] = readings(&session)[..] else { panic!() };
            assert_eq!(count, f64::from(sample), "FMI {version}");
            assert!((time - 0.05 * f64::from(sample)).abs() < 1e-12, "FMI {version}: {time}");
            assert!((found - way).abs() < 1e-12, "FMI {version}: {found} {way}");
        }
        let snapshot = session.snapshot().unwrap();
        session.run_steps(10).unwrap();
        let expected = readings(&session);
        session.restore(&snapshot).unwrap();
        session.run_steps(10).unwrap();
        assert_eq!(readings(&session), expected, "FMI {version}");
    }
}

/// An environment whose gravity and wind rise by 1 in a second, and whose friction is 7's value, 0.
const ENVIRONMENT: [&str; 3] = [
    r#"gravity|6|output|Real|unit="m/s2""#,
    r#"wind_y|6|output|Real|unit="m/s""#,
    r#"mu|7|output|Real|"#,
];

#[test]
fn an_environment_sets_wind_gravity_and_friction_everywhere() {
    for version in VERSIONS {
        let folder = tempfile::tempdir().unwrap();
        if Fmu::new(version, &ENVIRONMENT).write(folder.path()).is_none() {
            return;
        }
        let text = text(RAW, RUBBER)
            .replace(
                "<vehicle ",
                r#"<environment class="fmu" name="air" file="tested.fmu"/><vehicle "#,
            )
            .replace("</vehicle>", r#"<aerodynamics drag_area="1" side_area="1"/></vehicle>"#);
        let open =
            |text: &str| Session::from_text(text, folder.path().join("w.xml"), allowed()).unwrap();
        let mut session = open(&text);
        let read = ["world/gravity", "r/wind_x", "r/wind_y"];
        for step in 1..=20 {
            session.run_steps(1).unwrap();
            let [gravity, other, wind] = values(&session, &read)[..] else { panic!() };
            let expected = STEP * f64::from(step);
            assert!((gravity - expected).abs() < 1e-12, "FMI {version}: {gravity} {expected}");
            assert_eq!((wind, other), (gravity, 0.0), "FMI {version}");
        }
        let snapshot = session.snapshot().unwrap();
        session.run_steps(20).unwrap();
        let expected = values(&session, &["**"]);
        let mut other = open(&text);
        other.restore(&snapshot).unwrap();
        other.run_steps(20).unwrap();
        assert_eq!(values(&other, &["**"]), expected, "FMI {version}");
        // the tyres of the other world brake with 0.7 times the gravity
        let unmapped = r#"file="tested.fmu"><map port="" variable="mu"/></environment>"#;
        let mut rough = open(&text.replace(r#"file="tested.fmu"/>"#, unmapped));
        rough.run_steps(40).unwrap();
        let [slides, rolls] = [&session, &rough].map(|one| values(one, &["r/twist"])[1]);
        let braked = 0.7 * STEP * STEP * 820.0;
        assert!((slides - rolls - braked).abs() < 3e-3, "FMI {version}: {slides} {rolls}");
    }
}

#[test]
fn what_an_environment_cannot_have_is_named() {
    let text = |variables: &[&'static str]| {
        let folder = tempfile::tempdir().unwrap();
        Fmu::new(2, variables).write(folder.path())?;
        let text = text(RAW, RUBBER)
            .replace("<vehicle ", r#"<environment class="fmu" file="tested.fmu"/><vehicle "#);
        let opened = Session::from_text(&text, folder.path().join("w.xml"), allowed());
        Some(opened.err().unwrap().to_string())
    };
    for (variable, expected) in [
        ("height|0|input|Real|", "input \"height\" of the FMU cannot be a port of an environment"),
        ("rain|6|output|Real|", "expected wind_x, wind_y, wind_z, mu, c_rr, gravity"),
    ] {
        let Some(found) = text(&[ENVIRONMENT[0], variable]) else { return };
        assert!(found.contains(expected), "{found}");
    }
}
