//! Fleets command the vehicles of several drives in one call.

mod perception;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::runs::Run;
use crate::support::waiting::{Program, wait_for};
use crate::support::world::{Vehicle, World, ackermann, differential, model, vehicle};
use crate::support::{Workspace, assert_parts, bad_plugins, projects};

type Vehicles = Vec<(&'static str, Vehicle)>;

/// Three drives, each 1 m ahead of the previous drive, and a robot without a fleet.
fn vehicles() -> Vehicles {
    vec![
        ("r1", differential().controller("twist_pid").pose(0, 0, 0)),
        ("r2", ackermann().controller("twist_front_steer_pid").pose(1, 10, 0)),
        ("r3", vehicle("differential_4_wheels").controller("twist_ideal").pose(2, 20, 0)),
        ("alone", differential().controller(model("twist_pid").set("V", 0)).pose(0, 30, 0)),
    ]
}

fn world(fleets: &str, vehicles: Vehicles) -> World {
    let world = World::new().step(0.01).set("duration", 10).xml(&format!("{fleets}\n"));
    vehicles.into_iter().fold(world, |world, (name, vehicle)| world.vehicle(name, vehicle))
}

/// Returns a folder with the fleet `abreast`, changed by macros.
fn plugin(name: &str, macros: &[&str]) -> PathBuf {
    installed("fleet", name, macros)
}

/// Compiles a plugin and moves it into a folder of this name, because tests build the same one at the
/// same time.
fn installed(source: &str, name: &str, macros: &[&str]) -> PathBuf {
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fleets");
    let (fresh, folder) = (all.join(projects::unique_name()), all.join(name));
    let built = bad_plugins::build_of(&format!("{source}.c"), &fresh, source, macros);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::rename(built, folder.join(bad_plugins::library_name(source))).unwrap();
    folder
}

const FLEET: &str = "<fleet class=\"abreast\" name=\"line\" vehicles=\"r*\"><gain>1</gain></fleet>";

/// Returns a value of a quantity at every step.
fn quantity(run: &Run, name: &str) -> Vec<f64> {
    run.table("quantities.csv").numbers(name)
}

#[test]
fn vehicles_of_three_drives_follow_one_fleet() {
    let world = world(FLEET, vehicles()).record("r*/fleet/*").plugins(&plugin("good", &[]));
    let run = world.run(10.0);
    let ends = ["r1", "r2", "r3"].map(|vehicle| run.last(vehicle, "x_m"));
    for x in ends {
        assert!((x - 11.0).abs() < 0.3, "{ends:?}");
    }
    assert!((ends[0] - ends[2]).abs() < 0.05, "{ends:?}");
    assert!(run.last("alone", "x_m").abs() < 1e-6);
    // commands, published outputs and states are quantities of the vehicle
    let behind = quantity(&run, "r3/fleet/behind [m]");
    assert!((behind[1] + 1.0).abs() < 0.01, "{}", behind[1]);
    assert_eq!(quantity(&run, "r1/fleet/calls [1]").last(), Some(&1000.0));
    assert!(quantity(&run, "r2/fleet/vx [m/s]").iter().all(|vx| (0.0..2.5).contains(vx)));
}

#[test]
fn a_fleet_wins_over_commands_of_its_vehicles_only() {
    let world = world(FLEET, vehicles()).plugins(&plugin("good", &[]));
    let ways = |world: &World| {
        let run = world.run(10.0);
        ["r1", "alone"].map(|vehicle| run.column(vehicle, "x_m"))
    };
    let [free, still] = ways(&world);
    let twist = |world: World, time: f64, vehicle: &str, vx: f64| {
        world.command(time, vehicle, "twist", &[vx, 0.0, 0.0])
    };
    let alone = twist(world.clone(), 0.0, "alone", 1.0);
    let warned = twist(twist(alone, 1.0, "r2", 1.0), 2.0, "alone", 1.0);
    let (session, _) = warned.open();
    assert_eq!(session.simulation().overridden_commands(), [("r2", "line")]);
    let commanded = twist(twist(world, 0.0, "r1", -5.0), 1.0, "r1", 3.0);
    let [commanded, moved] = ways(&twist(commanded, 2.0, "alone", 1.0));
    assert_eq!(free, commanded);
    assert!(still.last().unwrap().abs() < 1e-6 && *moved.last().unwrap() > 5.0);
}

/// Each change of the world, and parts of the error.
#[test]
fn mistakes_in_the_world_file_are_explained() {
    let plugins = plugin("good", &[]);
    let in_two = "<fleet class=\"abreast\" vehicles=\"alone r1\"/>";
    let many = "<fleet class=\"abreast\" name=\"line\" vehicles=\"alone\"/>";
    let with = |more: &str| world(&format!("{FLEET}{more}"), vehicles());
    let replaced = |from: &str, to: &str| {
        assert!(FLEET.contains(from), "{from}");
        world(&FLEET.replacen(from, to, 1), vehicles())
    };
    let raw = vec![("r1", differential().controller("raw").pose(0, 0, 0))];
    for (world, line, parts) in [
        (
            replaced("vehicles=\"r*\"", "vehicles=\"r1 r4\""),
            "<fleet",
            &["no vehicle matches `r4`", "did you mean `r1`?"][..],
        ),
        (
            replaced("vehicles=\"r*\"", "vehicles=\"q*\""),
            "<fleet",
            &["no vehicle matches `q*`", "the vehicles are `alone`, `r1`, `r2`, `r3`"],
        ),
        (replaced("vehicles=\"r*\"", "vehicles=\" \""), "<fleet", &["a fleet without vehicles"]),
        (
            replaced(" vehicles=\"r*\"", ""),
            "<fleet",
            &["missing `vehicles` in `<fleet class=\"abreast\">`"],
        ),
        (replaced(" class=\"abreast\"", ""), "<fleet", &["missing `class` in `<fleet>`"]),
        (
            replaced("abreast", "abrest"),
            "<fleet",
            &["unknown fleet class `abrest`", "did you mean `abreast`?"],
        ),
        (with(in_two), "<fleet", &["vehicle `r1` is in two fleets: `line` and `abreast2`"]),
        (with(many), "<fleet", &["duplicate fleet name: `line`"]),
        (
            world(FLEET, raw),
            "name=\"r1\"",
            &[
                "fleet `line` cannot command vehicle `r1`",
                "controller `raw` accepts `torque`; fleet `abreast` gives `twist`",
            ],
        ),
        (replaced("<gain>1", "<gain>9"), "<fleet", &["gain is too large for this fleet"]),
        (replaced("<gain>1", "<gain>90"), "<fleet", &["`gain`", "at most 10"]),
    ] {
        world.plugins(&plugins).fails(line, parts);
    }
}

/// Each change of the model, and parts of the error.
#[test]
fn ports_that_do_not_fit_are_explained() {
    for (name, change, parts) in [
        (
            "wheel",
            "INPUT=SIMHOST_WHEEL_PORT(\"spin\",\"rad/s\",\"spin of a wheel\")",
            &["input `spin` of phase `command` has one value per wheel", "differ in their wheels"]
                [..],
        ),
        (
            "unknown",
            "INPUT=SIMHOST_PORT(\"yav\",\"rad\",\"heading\",0)",
            &["nothing provides input `yav` of phase `command`", "did you mean `yaw`?"],
        ),
        (
            "rpm",
            "OMEGA=SIMHOST_PORT(\"omega\",\"rpm\",\"yaw rate\",0)",
            &["output `omega` of phase `command` is in rpm", "`twist_pid` has it in rad/s"],
        ),
        (
            "two",
            "VALUES={SIMHOST_STR(\"vx\"),SIMHOST_STR(\"omega\")}",
            &["`twist` of fleet `abreast` has 2 values (vx, omega)", "expects 3 (command_vx, "],
        ),
        (
            "misspelt",
            "VALUES={SIMHOST_STR(\"vx\"),SIMHOST_STR(\"\"),SIMHOST_STR(\"omga\")}",
            &[
                "command `twist` has the value `omga`, which is not an output",
                "did you mean `omega`?",
                "output `omega` of phase `command` is not a value of a command",
            ],
        ),
        ("none", "COMMANDS=SIMHOST_EMPTY", &["a fleet has to give at least one kind of command"]),
        ("kind", "KIND=\"torque\"", &["accepts `twist`; fleet `abreast` gives `torque`"]),
    ] {
        let folder = plugin(name, &[change]);
        let errors = world(FLEET, vehicles()).plugins(&folder).errors();
        for part in parts {
            let is_in = errors.iter().any(|error| error.text.contains(part));
            assert!(is_in, "{name}: no `{part}` in {errors:#?}");
        }
    }
}

const LATE: &str = "if(batch->time>1.0)";
const FAILS: &str = "return simhost_fail(fault,SIMHOST_FAULT_PANIC,1,\"lost the plan\")";

#[test]
fn a_fault_names_the_fleet_and_is_replayed_with_all_vehicles() {
    for (name, failure, parts) in [
        ("fails", FAILS, &["panicked in `command`: lost the plan"][..]),
        ("nan", "batch->outputs[0][2]=NAN", &["output `vx` of vehicle 'r3' is not finite"]),
    ] {
        let plugins = plugin(name, &[&format!("FAILURE={LATE}{failure}")]);
        let common =
            ["at 1.01 s, fleet 'line': test/abreast", "enabled = 1 1 1", "calls = 101 101 101"];
        let world = world(FLEET, vehicles()).plugins(&plugins);
        let fault = world.fault(10.0, &[&common[..], parts].concat());
        let evidence = fault.evidence();
        let inputs = evidence["inputs"].as_array().unwrap();
        let enabled = inputs.iter().find(|input| input["name"] == "enabled").unwrap();
        assert_eq!(enabled["values"], serde_json::json!([1.0, 1.0, 1.0]));
        fault.replay();
        // evidence with too few numbers is not passed on
        let mut evidence = evidence;
        evidence["lanes"] = 4.into();
        let error = fault.replay_of(evidence).err().unwrap();
        assert!(error.contains("input `x` has 3 values, expected 4"), "{error}");
    }
}

#[test]
fn the_program_says_how_to_continue_without_a_fleet() {
    let plugins = plugin("fails", &[&format!("FAILURE={LATE}{FAILS}")]);
    let arguments = ["world.xml", "--plugin-dir", plugins.to_str().unwrap()];
    let outcome = world(FLEET, vehicles()).workspace().run(&arguments);
    assert_eq!(outcome.code, 11, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("without the commands of that fleet"), "{}", outcome.stderr);
}

#[test]
fn vehicles_keep_their_last_command_when_the_fleet_is_disabled() {
    let plugins = plugin("fails", &[&format!("FAILURE={LATE}{FAILS}")]);
    let disable = format!("<plugin_faults action=\"disable\"/>{FLEET}");
    let run = world(&disable, vehicles()).plugins(&plugins).record("r3/fleet/*").run(10.0);
    assert_parts(&run.faults.concat(), &["at 1.01 s, fleet 'line'"]);
    assert_eq!(quantity(&run, "r3/fleet/calls [1]").last(), Some(&102.0));
    let vx = quantity(&run, "r3/fleet/vx [m/s]");
    assert!(vx[102] == vx[101] && vx[1000] == vx[101] && vx[101] != vx[100]);
    assert!(run.last("r3", "x_m") > 5.0);
}

#[test]
fn a_state_that_is_not_finite_is_a_divergence() {
    let plugins = plugin("state", &[&format!("FAILURE={LATE}batch->states[0][2]=NAN")]);
    let expected = "fleet 'line', vehicle 'r3' diverged: state `calls` is not a finite number";
    world(FLEET, vehicles()).plugins(&plugins).diverges(10.0, &[expected]);
}

#[test]
fn a_vehicle_whose_model_has_faulted_stays_in_the_fleet_and_is_not_enabled() {
    let mut vehicles = vehicles();
    vehicles[0].1 = vehicles[0].1.clone().friction("bursts");
    let disable = format!("<plugin_faults action=\"disable\"/>{FLEET}");
    let world = world(&disable, vehicles).plugins(&plugin("good", &[]));
    let run = world.record("r*/fleet/behind").run(10.0);
    assert_parts(&run.faults.concat(), &["vehicle 'r1'"]);
    // the others are abreast of each other, not of r1
    let table = run.table("quantities.csv");
    let behind = ["r2", "r3"].map(|name| table.last(&format!("{name}/fleet/behind [m]")));
    assert!((behind[0] + behind[1]).abs() < 1e-9, "{behind:?}");
    assert_eq!(table.numbers("r1/fleet/behind [m]").len(), 1001);
}

/// More vehicles than a single thread steps alone, of three drives.
const MANY: &str = r#"
  <for var="k" from="0" to="699"><vehicle name="r${k}"><init_pose>$f{3 * k} 0 0</init_pose>
    <dynamics class="differential"><controller class="twist_pid"/></dynamics></vehicle></for>
  <for var="k" from="0" to="699"><vehicle name="s${k}"><init_pose>$f{3 * k} 9 0</init_pose>
    <dynamics class="ackermann"><controller class="twist_front_steer_pid"/></dynamics></vehicle></for>
  <for var="k" from="0" to="699"><vehicle name="t${k}"><init_pose>$f{3 * k} 18 0</init_pose>
    <dynamics class="differential"><controller class="twist_ideal"/></dynamics></vehicle></for>
"#;

#[test]
fn threads_and_snapshots_change_no_bit() {
    let fleet = "<fleet class=\"abreast\" vehicles=\"t* r?* s*\"/>";
    let world = World::new().step(0.01).xml(fleet).xml(MANY).plugins(&plugin("good", &[]));
    world.every(0.1).repeats(0.1, 0.2);
}

#[test]
fn the_verbs_of_plugins_know_fleets() {
    let folder = plugin("good", &[]);
    let library = folder.join(bad_plugins::library_name("fleet"));
    let (file, folder) = (library.to_str().unwrap(), folder.to_str().unwrap());
    for (arguments, parts) in [
        (&["plugin", "list", "--plugin-dir", folder][..], &["fleet       test/abreast"][..]),
        (
            &["plugin", "info", file],
            &["Read in command", "Commands", "twist  vx, (ignored), omega", "calls"],
        ),
        (
            &["plugin", "doc", "abreast", "--plugin-dir", folder],
            &["fleet test/abreast", "<fleet class=\"abreast\" vehicles=\"example\">", "twist_"],
        ),
        (
            &["plugin", "check", "test/abreast", "--plugin-dir", folder, "--fuzz", "5"],
            &["fleet test/abreast"],
        ),
        (&["plugin", "bench", file], &["test/abreast", "fleet"]),
    ] {
        let outcome = Workspace::new("").run(arguments);
        assert_eq!(outcome.code, 0, "{arguments:?}: {}{}", outcome.stdout, outcome.stderr);
        for part in parts {
            assert!(outcome.stdout.contains(part), "no `{part}` in {}", outcome.stdout);
        }
    }
}

/// A rebuilt plugin continues with the states of the old one.
#[cfg(unix)]
#[test]
fn a_fleet_that_is_built_again_remembers() {
    let workspace = world(FLEET, vehicles()).workspace();
    let install = |macros: &[&str]| {
        let folder = workspace.path("built");
        let built = bad_plugins::build_of("fleet.c", &folder, "fleet", macros);
        std::fs::create_dir_all(workspace.path("plugins")).unwrap();
        let name = bad_plugins::library_name("fleet");
        std::fs::rename(built, workspace.path("plugins").join(name)).unwrap();
    };
    install(&[]);
    let mut command = workspace.command();
    command.args(["world.xml", "--plugin-dir", "plugins", "--watch", "--log-period", "0.1"]);
    command.args(["--out", "out", "--duration", "1e9"]);
    let mut child = Program::start(command.stderr(Stdio::piped()).stdout(Stdio::null()));
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let rows = workspace.path("out/trajectory.csv");
    wait_for("rows", || std::fs::read_to_string(&rows).is_ok_and(|rows| rows.contains("\n1,")));
    install(&[
        "FAILURE=char text[64];snprintf(text,64,\"I remember %g calls\",batch->states[0][2]);\
        return simhost_fail(fault,SIMHOST_FAULT_PANIC,0,text)",
    ]);
    let said = lines.find(|line| line.contains("I remember"));
    let said = said.unwrap();
    let calls = said.split("remember ").nth(1).and_then(|text| text.split(' ').next());
    assert!(calls.unwrap().parse::<f64>().unwrap() > 1.0, "{said}");
}
