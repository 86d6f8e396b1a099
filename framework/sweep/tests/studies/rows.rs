//! Rows equal sessions, and do not depend on what simulates them.

use simhost::{Difference, Differences, Options, Session, Variation};
use simhost_sweep::{Existing, Hands, RunStatus, Study, StudyFolder, StudyPlan};

use crate::{demo, plan, refused, run_in, world};

/// Returns the result hash of a session with differences.
fn hash_of(seed: u64, differences: &[&str], steps: u64) -> String {
    let options = Options { seed: Some(seed), ..Options::default() };
    let mut session = Session::open(world("demo.world.xml"), options).unwrap();
    let all: Vec<Variation> = differences.iter().map(|one| one.parse().unwrap()).collect();
    let all = Differences::new(all, &session, 1, 0).unwrap().of_member(0, 0);
    all.iter().for_each(|one: &Difference| one.apply(&mut session).unwrap());
    session.run_steps(steps).unwrap();
    format!("{:032x}", session.simulation().result_hash())
}

#[test]
fn rows_equal_sessions_and_the_table_depends_on_nothing_else() {
    let study = || {
        let mut study = demo(&[
            "robot/cmd_vel/vx=list:0.5,1",
            "robot/friction/mu=uniform:0.3:1",
            "robot/pose/x=lhs:-1:1",
        ]);
        study.samples = Some(40.into());
        study.failed = Some("speed > 0.9".to_owned().into());
        study
    };
    let folder = tempfile::tempdir().unwrap();
    let (rows, table) = run_in(&folder.path().join("one"), study(), &Hands::default());
    assert_eq!(rows.len(), 80);
    for row in [&rows[0], &rows[1], &rows[53]] {
        let names = ["robot/cmd_vel/vx", "robot/friction/mu", "robot/pose/x"];
        let values = names.iter().zip(&row.values).map(|(name, value)| format!("{name}={value}"));
        let values: Vec<String> = values.collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        assert_eq!(row.hash, hash_of(5 + row.run, &values, row.steps), "{row:?}");
        assert_eq!((row.seed, row.time_s), (5 + row.run, 1.0));
        let expected = if row.run % 2 == 0 { RunStatus::Ok } else { RunStatus::Failed };
        assert_eq!(row.status, expected, "{row:?}");
    }
    let columns = "run,id,seed,robot/cmd_vel/vx,robot/friction/mu,robot/pose/x,speed [m/s],x [m],status,time_s,steps,\
                   result_hash,reason";
    assert_eq!(table.lines().next().unwrap(), columns);
    let hands = Hands { threads: 3, ..Hands::default() };
    let (_, other) = run_in(&folder.path().join("three"), study(), &hands);
    assert_eq!(other, table);
    // without knowing the batches: every run has its own identifier
    let mut ids: Vec<&str> = rows.iter().map(|row| &*row.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 80);
}

/// Both coefficients of a tyre are below the values of the world file; a pair that the tyre rejects
/// fails only its own row.
#[test]
fn values_are_checked_with_all_that_differs_in_a_run() {
    let of = |lines: &str| {
        let text = format!(
            "world = 'validation/iso_3888_lane_change.world.xml'\nduration = 0.1\n[vary]\n{lines}"
        );
        Study::from_text(&text, &world("study.toml")).unwrap()
    };
    let study = of(
        "'car/friction/u_max' = [0.5, 0.6]\n'car/friction/u_min' = [0.55, 0.4]\n'car/friction/C_rr' = 0.01",
    );
    let folder = tempfile::tempdir().unwrap();
    let (rows, _) = run_in(&folder.path().join("study"), study, &Hands::default());
    let status: Vec<RunStatus> = rows.iter().map(|row| row.status).collect();
    assert_eq!(status, [RunStatus::Refused, RunStatus::Ok, RunStatus::Ok, RunStatus::Ok]);
    assert!(rows[0].reason.contains("expected at most u_max, 0.5"), "{}", rows[0].reason);
    // a session alone, in whatever order the values are given
    for order in [["u_max=0.5", "u_min=0.4"], ["u_min=0.4", "u_max=0.5"]] {
        let options = Options { seed: Some(rows[1].seed), ..Options::default() };
        let path = world("validation/iso_3888_lane_change.world.xml");
        let mut session = Session::open(path, options).unwrap();
        let all = order.iter().chain(&["C_rr=0.01"]);
        let all = all.map(|one| format!("car/friction/{one}").parse().unwrap());
        Differences::new(all.collect(), &session, 1, 0).unwrap().apply(0, &mut session).unwrap();
        session.run_steps(rows[1].steps).unwrap();
        assert_eq!(format!("{:032x}", session.simulation().result_hash()), rows[1].hash);
    }
    let never = of("'car/friction/u_max' = 0.5\n'car/friction/u_min' = [0.6, 0.7]");
    let error = StudyPlan::new(never, None).map(drop).unwrap_err().to_string();
    assert!(
        error.contains("study.toml:5:1: cannot vary 'car/friction/u_min': 0.5, 0.6 is"),
        "{error}"
    );
    let alone = StudyPlan::new(of("'car/friction/u_max' = [0.95, 0.5]"), None).map(drop);
    assert!(alone.unwrap_err().to_string().contains("expected at most u_max, 0.5"));
}

/// What observers write at the end of a run is a metric, in batches of any size.
#[test]
fn metrics_come_from_observers() {
    let text = "\
world = 'stop.world.xml'
duration = 20
period = 0.005
[vary]
'robot/friction/mu' = [0.4, 0.8]
[metrics]
fastest = 'observed:speeds.json:quantities:robot/twist[0]:max'
way = 'observed:way.csv:robot/pose[1] [m]'
none = 'observed:way.csv:robot/pose[9]'
difference = 'fastest - max(robot/twist[0])'
end = 'final(robot/pose[0])'
";
    let study = Study::from_text(text, &world("study.toml")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (rows, table) = run_in(&folder.path().join("study"), study.clone(), &Hands::default());
    assert!(
        table.starts_with("run,id,seed,robot/friction/mu,fastest,way [m],none,difference,end [m],"),
        "{table}"
    );
    for row in &rows {
        assert_eq!((row.status, row.metrics[2], row.metrics[3]), (RunStatus::Ok, None, Some(0.0)));
        assert!(row.metrics[0].is_some_and(|v| v > 1.0) && row.metrics[1].is_some_and(|y| y > 1.0));
        assert!(row.metrics[4].is_some_and(|x| x < -1.0));
        let parts =
            ["observer 'around'", "; way.csv: found no column 'robot/pose[9]'; expected one of"];
        assert!(parts.iter().all(|part| row.reason.contains(part)), "{}", row.reason);
    }
    let hands = Hands { threads: 2, ..Hands::default() };
    assert_eq!(run_in(&folder.path().join("two"), study, &hands).1, table);
    let error =
        refused("world = 'demo.world.xml'\nduration = 1\n[metrics]\nv = 'observed:a.csv:v'");
    assert!(error.contains("study.toml:4:5: ") && error.contains("has no observers"), "{error}");
    let error = refused("world = 'stop.world.xml'\nduration = 1\n[metrics]\nv = 'observed:a.csv'");
    assert!(error.contains("expected observed:FILE:COLUMN"), "{error}");
}

/// A value that a model refuses costs its own row.
#[test]
fn a_run_that_the_world_refuses_is_a_row_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let text = "<mvsim_world version=\"1.0\"><duration>0.1</duration><variable name=\"n\" value=\"1\"/>\
                <variable name=\"mu\" value=\"0.5\"/>\
                <for var=\"i\" from=\"1\" to=\"$(n)\"><vehicle name=\"r${i}\"><init_pose>${i} 0 0</init_pose>\
                <dynamics class=\"differential\"><controller class=\"twist_ideal\"/></dynamics>\
                <friction><mu>${mu}</mu></friction></vehicle></for></mvsim_world>"
        .replace("$(n)", "${n}");
    let path = folder.path().join("w.xml");
    std::fs::write(&path, text).unwrap();
    let study = Study::new(&path).metric("x", "final(r1/pose[0])");
    let study =
        study.vary("variable/mu=list:0.5,-3,0.7").unwrap().vary("variable/n=list:1,2").unwrap();
    let (rows, table) = run_in(&folder.path().join("study"), study.clone(), &Hands::default());
    let status: Vec<RunStatus> = rows.iter().map(|row| row.status).collect();
    let (ok, refused) = (RunStatus::Ok, RunStatus::Refused);
    assert_eq!(status, [ok, ok, refused, refused, ok, ok]);
    assert!(rows[2].reason.contains("mu"), "{}", rows[2].reason);
    assert_ne!(rows[0].hash, rows[1].hash);
    assert_eq!(rows[0].metrics, [Some(1.0)]);
    let hands = Hands { threads: 2, ..Hands::default() };
    assert_eq!(run_in(&folder.path().join("two"), study, &hands).1, table);
}

#[test]
fn runs_that_diverge_or_take_too_long_are_rows_with_their_reasons() {
    let folder = tempfile::tempdir().unwrap();
    let hands = Hands { time_limit: Some(1e-9), ..Hands::default() };
    let (rows, _) =
        run_in(&folder.path().join("slow"), demo(&["robot/friction/mu=list:0.5,0.6"]), &hands);
    assert!(rows.iter().all(|row| row.status == RunStatus::Timeout), "{rows:?}");
    assert!(rows[0].reason.contains("longer than"));
}

#[test]
fn identifiers_depend_on_values_seed_and_world_but_not_on_the_plan() {
    let one = plan(demo(&["robot/friction/mu=list:0.5,0.6"]));
    let mut other = demo(&["robot/friction/mu=list:0.6,0.7"]);
    (other.common_seeds, other.seed) = (true, Some(6));
    let other = plan(other);
    // run 1 of the first plan has mu = 0.6 and seed 6, as run 0 of the second one has
    assert_eq!(one.id(1), other.id(0));
    assert_ne!(one.id(0), one.id(1));
    let mut longer = demo(&["robot/friction/mu=list:0.5,0.6"]);
    longer.duration = Some(2.0.into());
    assert_ne!(plan(longer).id(0), one.id(0));
}

/// A world in which three numbers are free, and nothing moves.
const STANDING: &str = "\
<mvsim_world><simul_timestep>0.01</simul_timestep>
<vehicle:class name=\"r\"><dynamics class=\"differential\"><controller class=\"raw\"/></dynamics></vehicle:class>
<vehicle name=\"a\" class=\"r\"><init_pose>0 0 0</init_pose></vehicle>
<vehicle name=\"b\" class=\"r\"><init_pose>0 99 0</init_pose></vehicle>
</mvsim_world>
";

/// The function of Ishigami over places of vehicles, in a study from its plan to its indices. Closed form: T. Homma,
/// A. Saltelli, Reliability Engineering and System Safety 52, 1996.
#[test]
fn a_study_of_the_function_of_ishigami_gives_its_indices() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("world.xml"), STANDING).unwrap();
    let text = "\
world = 'world.xml'
duration = 0.01
samples = 2048
design = 'saltelli'
[vary]
'a/pose/x' = 'sobol:-3.141592653589793:3.141592653589793'
'a/pose/y' = 'sobol:-3.141592653589793:3.141592653589793'
'b/pose/x' = 'sobol:-3.141592653589793:3.141592653589793'
[metrics]
square = 'first(b/pose[0]) * first(b/pose[0])'
wave = 'sin(first(a/pose[1]))'
f = 'sin(first(a/pose[0])) * (1 + 0.1 * square * square) + 7 * wave * wave'
";
    let plan = plan(Study::from_text(text, &folder.path().join("study.toml")).unwrap());
    let mut rows = StudyFolder::open(&folder.path().join("out"), &plan, Existing::Refuse).unwrap();
    simhost_sweep::run(&plan, &mut rows, &Hands::default()).unwrap();
    let found = simhost_sweep::sobol_indices(&plan, &rows, 2).unwrap();
    assert_eq!((plan.runs(), found.samples), (5 * 2048, 2048));
    let expected = [0.3139, 0.4424, 0.0, 0.5576, 0.4424, 0.2437];
    for (found, expected) in found.first.iter().chain(&found.total).zip(expected) {
        assert!((found - expected).abs() < 0.02, "{found} {expected}");
    }
}
