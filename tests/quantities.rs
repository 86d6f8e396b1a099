//! `simhost quantities` and `--record`: every quantity has a name, and any of them can be written.

use simhost_engine::{QuantityInfo, QuantityScope};

use crate::support::world::{World, differential, model};

/// A vehicle of each kind of drive, and one object of each kind that has quantities.
const INSIDE: &str = r#"
  <vehicle name="car">
    <init_pose>0 0 0</init_pose>
    <dynamics class="ackermann">
      <controller class="twist_front_steer_pid"><V>1</V><W>10</W></controller>
    </dynamics>
    <sensor class="laser" name="scan">
      <nrays>3</nrays><sensor_period>0.05</sensor_period><range_std_noise>0</range_std_noise>
    </sensor>
  </vehicle>
  <vehicle name="cart">
    <init_pose>0 5 0</init_pose>
    <dynamics class="differential"><controller class="twist_pid"><V>1</V></controller></dynamics>
  </vehicle>
  <block name="crate"><init_pose>10 0 0</init_pose><mass>5</mass>
    <init_vel>1 0 0</init_vel>
    <shape><pt>-0.5 -0.5</pt><pt>0.5 -0.5</pt><pt>0.5 0.5</pt><pt>-0.5 0.5</pt></shape></block>
  <block name="crate"><init_pose>20 1 90</init_pose><static>true</static>
    <shape><pt>-0.5 -0.5</pt><pt>0.5 -0.5</pt><pt>0.5 0.5</pt><pt>-0.5 0.5</pt></shape></block>
  <actor name="walker"><init_pose>0 -5 0</init_pose></actor>
  <joint type="rope" name="leash" body_a="cart" body_b="crate" max_length="50"/>
  <joint type="rope" body_a="cart" body_b="car" max_length="50"/>
  <element class="horizontal_plane"><z>0</z></element>
  <element class="vertical_plane" name="gate">
    <x0>30</x0><x1>30</x1><y0>-1</y0><y1>1</y1>
  </element>
"#;

fn world() -> World {
    World::new().step(0.01).xml(INSIDE)
}

/// Returns the names of quantities as a list shows them.
fn names(infos: &[QuantityInfo]) -> Vec<String> {
    let name = |info: &QuantityInfo| match info.len {
        Some(len) => format!("{}[{len}]", info.name),
        None => info.name.clone(),
    };
    infos.iter().map(name).collect()
}

#[test]
fn everything_in_a_world_has_quantities_with_unit_scope_source_and_description() {
    let all = world().quantities(&["**"]);
    let names = names(&all);
    for expected in [
        "world/time",
        "car/pose[6]",
        "car/twist[3]",
        "car/odometry_pose[6]",
        "car/mass",
        "car/controller/command_vx",
        "car/controller/torque_front_left",
        "car/dynamics/odometry_vx",
        "car/wheel/fl/spin",
        "car/wheel/fl/steer",
        "car/wheel/rr/normal_force",
        "car/wheel/rl/longitudinal_force",
        "car/sensor/scan/range[3]",
        "cart/wheel/l/spin",
        "crate/pose[6]",
        "crate/twist[3]",
        "crate#2/pose[6]",
        "walker/pose[6]",
        "leash/distance",
        "joint2/angle",
        "horizontal_plane1/pose[6]",
        "gate/pose[6]",
    ] {
        assert!(names.iter().any(|name| name == expected), "{expected} is missing in {names:?}");
    }
    let unique: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(unique.len(), names.len(), "names are unique");
    let of = |name: &str| all.iter().find(|one| one.name == name).unwrap();
    let spin = of("car/wheel/fl/spin");
    assert_eq!(spin.units.to_string(), "rad/s");
    assert_eq!((spin.scope, spin.source.as_str()), (QuantityScope::Wheel, "host"));
    assert_eq!(spin.doc, "Spin, positive when rolling forwards.");
    assert_eq!(of("crate/pose").units.of(3), "rad");
    assert_eq!(of("car/controller/torque_front_left").source, "simhost/twist_front_steer_pid");
    for one in &all {
        assert!(one.doc.ends_with('.'), "{}: {}", one.name, one.doc);
        assert!(one.units.to_string() != "", "{}", one.name);
    }
}

#[test]
fn quantities_are_listed_as_a_table_and_as_json() {
    let workspace = world().workspace();
    let list = |arguments: &[&str]| {
        let outcome = workspace.run(&[&["quantities", "world.xml"], arguments].concat());
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
        outcome.stdout
    };
    let all = names(&world().quantities(&["**"]));
    let table = list(&[]);
    let first = table.lines().skip(1).filter_map(|line| line.split_whitespace().next());
    assert!(first.eq(all.iter().map(String::as_str)), "{table}");
    let json: Vec<serde_json::Value> = serde_json::from_str(&list(&["--json"])).unwrap();
    assert_eq!(json.len(), all.len());
    let [spin] =
        &json.iter().filter(|one| one["name"] == "car/wheel/fl/spin").collect::<Vec<_>>()[..]
    else {
        panic!("{json:#?}")
    };
    assert_eq!(
        (&spin["unit"], &spin["scope"], &spin["source"]),
        (&"rad/s".into(), &"wheel".into(), &"host".into())
    );
    assert_eq!(spin["description"], "Spin, positive when rolling forwards.");
    let pose = json.iter().find(|one| one["name"] == "crate/pose").unwrap();
    assert_eq!((&pose["unit"][3], &pose["length"]), (&"rad".into(), &6.into()));
    let selected = list(&["car/*", "!car/*_*", "!car/mass"]);
    assert_eq!(selected.lines().count(), 4, "{selected}");
}

#[test]
fn patterns_select_and_exclude() {
    let of = |patterns: &[&str]| names(&world().quantities(patterns)).join(" ");
    assert_eq!(
        of(&["*/pose", "!gate/*"]),
        "car/pose[6] cart/pose[6] crate/pose[6] \
        crate#2/pose[6] walker/pose[6] horizontal_plane1/pose[6]"
    );
    assert_eq!(of(&["car/wheel/f?/spin"]), "car/wheel/fl/spin car/wheel/fr/spin");
    assert_eq!(of(&["**/torque", "!car/**"]), "cart/wheel/l/torque cart/wheel/r/torque");
    assert_eq!(of(&["car/*", "!car/*_*", "!car/mass"]), "car/pose[6] car/twist[3] car/sideslip");
}

#[test]
fn recorded_quantities_are_those_of_the_standard_files() {
    let patterns = ["*/pose", "*/twist", "cart/wheel/**", "car/sensor/**", "leash/*", "!**/brake*"];
    let run = patterns.into_iter().fold(world(), World::record).run(0.1);
    let quantities = run.table("quantities.csv");
    let same = |file: &str, only: &[(&str, &str)], columns: &[(&str, &str)]| {
        let mut table = run.table(file).clone();
        for (column, value) in only {
            table = table.only(column, value);
        }
        for (column, quantity) in columns {
            assert_eq!(table.numbers(column), quantities.numbers(quantity), "{quantity}");
        }
    };
    let motion = [
        ("time_s", "time_s"),
        ("x_m", "car/pose[0] [m]"),
        ("yaw_rad", "car/pose[3] [rad]"),
        ("vx_mps", "car/twist[0] [m/s]"),
        ("omega_radps", "car/twist[2] [rad/s]"),
    ];
    same("trajectory.csv", &[("vehicle", "car")], &motion);
    let wheel = [
        ("spin_radps", "cart/wheel/r/spin [rad/s]"),
        ("angle_rad", "cart/wheel/r/angle [rad]"),
        ("torque_nm", "cart/wheel/r/torque [N·m]"),
        ("normal_n", "cart/wheel/r/normal_force [N]"),
        ("vx_mps", "cart/wheel/r/vx [m/s]"),
        ("fx_n", "cart/wheel/r/fx [N]"),
    ];
    same("wheels.csv", &[("vehicle", "cart"), ("wheel", "r")], &wheel);

    // a reading exists from the first sample on
    let ranges = quantities.numbers("car/sensor/scan/range[0] [m]");
    assert!(ranges[..5].iter().all(|range| range.is_nan()), "{ranges:?}");
    assert!(ranges[5..].iter().all(|range| !range.is_nan()), "{ranges:?}");
    // cart at (0, 5) and crate at (10, 0) at the start
    let rope = quantities.numbers("leash/distance [m]");
    assert!((rope[0] - 125_f64.sqrt()).abs() < 1e-12, "{rope:?}");
    assert!(rope[10] != rope[0]);
    assert!(!run.read("quantities.csv").contains("brake"));
}

#[test]
fn a_world_can_record_without_a_change_of_its_results() {
    let plain = world().repeats(0.05, 0.1);
    let recording = world().record("car/pose").record("!**/twist").run(0.1);
    let header = &recording.table("quantities.csv").header;
    assert_eq!(header[1], "car/pose[0] [m]", "{header:?}");
    assert_eq!(recording.hashes, plain.hashes);
    assert!(!plain.path("quantities.csv").exists());
}

#[test]
fn a_pattern_without_a_quantity_is_an_error() {
    let workspace = world().workspace();
    let outcome = workspace.run(&["world.xml", "--out", "out", "--record", "car/wheel/*/spinn"]);
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    let expected = "no quantity matches `car/wheel/*/spinn`; did you mean `car/wheel/*/spin`?";
    assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    assert!(!workspace.path("out").exists(), "nothing is written");

    let outcome = workspace.run(&["world.xml", "--record", "car/pose"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("--out"), "{}", outcome.stderr);
    let outcome = workspace.run(&["world.xml", "--out", "out", "--record", "!"]);
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);

    let world = world().record("crate/poze");
    world.has_error("poze", &["no quantity matches `crate/poze`; did you mean `crate/pose`?\n"]);
}

/// Expectations name vehicles, even after a command has moved one to a separate table.
#[test]
fn expectations_follow_a_parameter_that_a_command_sets() {
    let robot = |y: f64| {
        let robot = differential().controller(model("raw")).friction("burckhardt").pose(0, y, 0);
        robot.velocity(3, 2, 0)
    };
    let world = World::new().step(0.01).vehicle("v0", robot(0.0)).vehicle("v1", robot(20.0));
    let workspace = world.vehicle("v2", robot(40.0)).workspace();
    let commands = "time_s,vehicle,kind,v1,v2\n0.5,,parameter,v1/friction/c1,0.2\n";
    workspace.write("c.commands.csv", commands);
    // vehicles start 20 m apart
    let expect = |name: &str, y: f64| {
        format!("[[expect]]\nquantity = \"{name}/pose[1]\"\nat = 1\nvalue = {y}\ntolerance = 5\n")
    };
    let test = ["world = \"world.xml\"\n", "commands = \"c.commands.csv\"\n"].concat()
        + &expect("v0", 0.0)
        + &expect("v1", 20.0)
        + &expect("v2", 40.0);
    workspace.write("c.test.toml", &test);
    let outcome = workspace.run(&["test", "c.test.toml"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    assert!(outcome.stdout.contains("3 expectations hold"), "{}", outcome.stdout);
}

/// Expectations of a world were checked by programs around simhost only.
#[test]
fn expectations_on_quantities_hold_or_fail_with_a_reason() {
    let robot = differential().controller(model("twist_ideal")).pose(1, 2, 0);
    let robot = robot.velocity(0, 0, 0);
    let workspace = World::new().step(0.01).vehicle("r", robot).workspace();
    std::fs::rename(workspace.path("world.xml"), workspace.path("drive.world.xml")).unwrap();
    workspace.write("drive.commands.csv", "time_s,vehicle,kind,v1,v2,v3\n0,r,twist,1,0,0\n");
    let expectations = "commands = \"drive.commands.csv\"\n\
        [[expect]]\nname = \"drives a metre per second\"\nquantity = \"r/pose[0]\"\nat = 2\nvalue = 3\n\
        tolerance = 0.02\n\
        [[expect]]\nquantity = \"r/twist[0]\"\nfrom = 0.1\nuntil = 2.0\nmin = 0.99\nmax = 1.01\n\
        [[expect]]\nquantity = \"r/pose[0]\"\nuntil = 2\nmin = 2.5\neventually = true\n";
    workspace.write("drive.test.toml", expectations);
    let outcome = workspace.run(&["test", "drive.test.toml", "--junit", "report.xml"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    assert!(outcome.stdout.contains("pass  drive.test.toml: drives a metre per second"));
    assert!(outcome.stdout.contains("3 expectations hold"), "{}", outcome.stdout);
    let report = std::fs::read_to_string(workspace.path("report.xml")).unwrap();
    assert!(report.contains("tests=\"3\" failures=\"0\""), "{report}");

    let wrong = expectations.replace("value = 3\n", "value = 4\n").replace("min = 2.5", "min = 9");
    workspace.write("drive.test.toml", &wrong);
    let outcome = workspace.run(&["test", "drive.test.toml", "--junit", "report.xml"]);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    for part in [
        "FAIL  drive.test.toml: drives a metre per second: r/pose[0] is 2.99",
        " m at 2 s; expected 3.98 to 4.02",
        "r/pose[0] at some time from 0 to 2 s: r/pose[0] is 2.99",
        "; expected at least 9",
        "2 of 3 expectations do not hold",
    ] {
        assert!(outcome.stdout.contains(part), "no `{part}` in {}", outcome.stdout);
    }
    let report = std::fs::read_to_string(workspace.path("report.xml")).unwrap();
    assert!(report.contains("tests=\"3\" failures=\"2\""), "{report}");

    for (from, to, part) in [
        (
            "quantity = \"r/twist[0]\"",
            "quantiti = \"r/twist[0]\"",
            ":9: unknown key `quantiti`; did you mean `quantity`?",
        ),
        ("r/twist[0]", "r/twits[0]", ": no quantity matches `r/twits`; did you mean `r/twist`?"),
        ("r/twist[0]", "r/twist", ": `r/twist` has 3 values; expected an index from 0 to 2"),
        ("at = 2\n", "", ": expected `at`, or `until` with or without `from`"),
        ("tolerance = 0.02\n", "", ": expected `value` and `tolerance` (at least 0), or `min`"),
        ("at = 2\n", "at = \"2\"\n", "`at` is string; expected a number"),
        ("[[expect]]\nname", "[expect]\nname", "drive.test.toml"),
    ] {
        workspace.write("drive.test.toml", &expectations.replacen(from, to, 1));
        let outcome = workspace.run(&["test", "drive.test.toml"]);
        assert_eq!(outcome.code, 12, "{to}: {}{}", outcome.stdout, outcome.stderr);
        assert!(outcome.stderr.contains(part), "no `{part}` in {}", outcome.stderr);
    }
}

#[test]
fn rolling_resistance_is_a_quantity_of_every_friction_model() {
    for friction in ["default", "magic_formula", "ellipse"] {
        let friction = model(friction).set("C_rr", 0.02).set("C_damping", 0);
        let rolling = differential().friction(friction).pose(0, 0, 0).velocity(2, 0, 0);
        let world = World::new().step(0.005).vehicle("r", rolling);
        let run = world.record("r/wheel/*/*").run(0.5);
        let table = run.table("quantities.csv");
        let last = |name: &str, unit: &str| {
            *table.numbers(&format!("r/wheel/l/{name} [{unit}]")).last().unwrap()
        };
        let expected = -0.02 * last("normal_force", "N") * last("radius", "m");
        let found = last("rolling_resistance", "N·m");
        assert!((found / expected - 1.0).abs() < 0.02, "{found} for {expected}");
    }
}
