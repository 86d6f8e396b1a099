//! Vehicles whose parameters differ are computed together, each as if it were alone.

use std::path::{Path, PathBuf};

use crate::support::runs::Run;
use crate::support::world::{World, differential, model};
use crate::support::{assert_parts, bad_plugins};

/// Number of robots, more than fit into one vector.
const ROBOTS: usize = 21;
const FILES: [&str; 3] = ["trajectory.csv", "odometry.csv", "wheels.csv"];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("per_lane").join(name)
}

/// Builds the tyre in C with these macros, and returns its folder.
fn tyre(name: &str, macros: &[&str]) -> PathBuf {
    let folder = folder(name);
    bad_plugins::build_of("lanes.c", &folder, "lanes", macros);
    folder
}

/// Returns a number between two others that is another one for each key.
fn between(low: f64, high: f64, key: usize) -> f64 {
    low + (high - low) * (key as f64 * 0.618_033_988_749_895).fract()
}

/// Returns a robot with distinct numbers, far from the others.
fn robot(number: usize, friction: &str) -> String {
    let draw = |low, high, what: usize| between(low, high, 7 * number + 1000 * what + 1);
    format!(
        "<vehicle name=\"r{number}\"><init_pose>0 {y} 0</init_pose><dynamics class=\"differential\">\
         <chassis mass=\"{mass}\" zmin=\"0.05\" zmax=\"0.6\"/>\
         <l_wheel pos=\"0 0.25\" mass=\"4\" width=\"0.2\" diameter=\"{left}\"/>\
         <r_wheel pos=\"0 -0.25\" mass=\"4\" width=\"0.2\" diameter=\"{right}\" inertia=\"{inertia}\"/>\
         <controller class=\"twist_pid\"><KP>{kp}</KP><KI>{ki}</KI><KD>{kd}</KD>\
         <max_torque>{most}</max_torque><V>1.5</V><W>{w}</W></controller></dynamics>\
         <friction class=\"{friction}\"><mu>{mu}</mu></friction>\
         <sensor class=\"laser\" name=\"laser\"><nrays>7</nrays><sensor_period>0.2</sensor_period>\
         <range_std_noise>{noise}</range_std_noise></sensor></vehicle>\n",
        y = 50 * number,
        mass = draw(10.0, 20.0, 1),
        left = draw(0.3, 0.4, 2),
        right = draw(0.3, 0.4, 3),
        inertia = draw(0.05, 0.1, 4),
        kp = draw(3.0, 12.0, 5),
        ki = draw(0.5, 3.0, 6),
        kd = draw(0.0, 0.1, 7),
        most = draw(3.0, 30.0, 8),
        w = draw(-40.0, 40.0, 9),
        mu = draw(0.2, 0.9, 10),
        noise = draw(0.0, 0.1, 11),
    )
}

/// Returns a world of robots, each with a block in front of it.
fn world(robots: &[usize], friction: &str) -> World {
    let robots: String = robots.iter().map(|number| robot(*number, friction)).collect();
    let block = |number: usize| {
        format!(
            "<block name=\"b{number}\"><mass>5</mass><init_pose>20 {} 0</init_pose></block>",
            50 * number
        )
    };
    let blocks: String = (0..ROBOTS).map(block).collect();
    World::new().step(0.005).xml(&robots).xml(&blocks)
}

#[test]
fn each_robot_moves_as_if_it_were_alone() {
    let plugins = tyre("right", &[]);
    let all: Vec<usize> = (0..ROBOTS).collect();
    for friction in ["default", "wardiagnemma", "lane_tyre"] {
        let together = world(&all, friction).plugins(&plugins).run(2.0);
        for number in [0, 1, 8, ROBOTS - 1] {
            let alone = world(&[number], friction).plugins(&plugins).run(2.0);
            let name = format!("r{number}");
            // noise depends on the place of a sensor in the world
            for file in FILES {
                let rows = |run: &Run| run.table(file).only("vehicle", &name).rows;
                assert!(!rows(&alone).is_empty(), "{friction}: {name} in {file}");
                assert!(rows(&alone) == rows(&together), "{friction}: {name} in {file}");
            }
        }
    }
}

#[test]
fn threads_and_snapshots_change_nothing() {
    let all: Vec<usize> = (0..ROBOTS).collect();
    world(&all, "lane_tyre").plugins(&tyre("right_again", &[])).repeats(1.0, 2.0);
}

/// Two robots on tyres with these coefficients.
fn two(first: &str, second: &str) -> World {
    let robot = |y: u32, mu: &str| {
        let robot = differential().controller(model("twist_pid").set("V", 1));
        robot.friction(model("lane_tyre").set("mu", mu)).pose(0, y, 0)
    };
    World::new().step(0.01).vehicle("a", robot(0, first)).vehicle("b", robot(50, second))
}

#[test]
fn the_model_checks_the_values_of_each_vehicle() {
    let plugins = tyre("checked", &[]);
    let world = two("0.5", "1.25").plugins(&plugins);
    world.fails("<mu>1.25", &["no tyre has a mu of 1.25"]);
    let world = two("0.5", "2.5").plugins(&plugins);
    world.fails("<mu>2.5", &["`mu` is out of range: 2.5"]);
}

#[test]
fn a_fault_has_the_values_of_its_lane_and_is_replayed() {
    let world = two("0.5", "0.75").plugins(&tyre("faulty", &["FAULT_ABOVE=0.7"]));
    let fault = world.fault(1.0, &["at 0.1 s, vehicle 'b', wheel l: faulty/lane_tyre"]);
    assert_eq!(fault.evidence()["parameters"][0], serde_json::json!(["mu", 0.75]));
    assert_parts(&fault.replay().fault.1, &["too much grip"]);
}

#[test]
fn a_state_starts_from_the_value_of_its_vehicle() {
    let plugins = tyre("starting", &[]);
    let world = two("0.5", "0.75").record("*/wheel/*/wear").plugins(&plugins);
    let run = world.run(0.01);
    let table = run.table("quantities.csv");
    for (vehicle, expected) in [("a", 0.5), ("b", 0.75)] {
        assert_eq!(table.numbers(&format!("{vehicle}/wheel/l/wear [1]"))[0], expected);
    }
    let all = world.record("**").run(0.0);
    let names = &all.table("quantities.csv").header;
    assert!(names.iter().any(|name| name.starts_with("a/wheel/l/wear")), "{names:?}");
    assert!(!names.iter().any(|name| name.contains("input_mu")), "{names:?}");
}

/// Mistakes in a declaration, as macros of the tyre, and what the error says.
const MISTAKES: &[(&str, &[&str], &[&str])] = &[
    (
        "unread",
        &["MU_PORT=SIMHOST_PORT(\"gravity\",\"m/s²\",\"gravity\",0)"],
        &["parameter `mu` differs between lanes, but no phase reads it", "SIMHOST_PARAMETER_PORT"],
    ),
    (
        "other_name",
        &["MU_PORT=SIMHOST_PARAMETER_PORT(\"mo\",\"1\",\"coefficient\")"],
        &["input `mo` of phase `force` is not a parameter of the model", "did you mean `mu`?"],
    ),
    (
        "not_per_lane",
        &["MU=SIMHOST_PARAM(\"mu\",\"1\",\"More of it and it slides less.\",0.8,0.0,2.0)"],
        &["input `mu` of phase `force` is a parameter that cannot differ between lanes"],
    ),
    (
        "unit",
        &["MU_PORT=SIMHOST_PARAMETER_PORT(\"mu\",\"N\",\"coefficient\")"],
        &["input `mu` of phase `force` is in N; the value of the parameter in the model is in 1"],
    ),
    (
        "scope",
        &[
            "MU_PORT=SIMHOST_PORT_OF(SIMHOST_SCOPE_WHEEL,SIMHOST_PORT_FLAG_PARAMETER,\"mu\",\"1\",\"mu\",0)",
        ],
        &["input `mu` of phase `force` is a parameter, which has one value per lane"],
    ),
    (
        "flags",
        &["MU_PORT=SIMHOST_PORT_OF(0,SIMHOST_PORT_FLAG_PARAMETER|1,\"mu\",\"1\",\"mu\",0)"],
        &["input `mu` of phase `force` is a parameter, which the host provides"],
    ),
    (
        "side",
        &["MORE_OUT=,SIMHOST_PARAMETER_PORT(\"mu\",\"1\",\"mu\")"],
        &["output `mu` of phase `force` has the flag of a parameter, which only inputs can have"],
    ),
];

#[test]
fn mistakes_in_a_declaration_are_errors() {
    for (name, macros, expected) in MISTAKES {
        let world = two("0.5", "0.6").plugins(&tyre(name, macros));
        let parts = [expected, &["the plugin is "][..]].concat();
        world.fails("<friction", &parts);
    }
}

/// A library whose descriptor contradicts itself is not used.
#[test]
fn only_numbers_with_a_value_differ_between_lanes() {
    let with = |kind: &str, default: &str| {
        format!(
            "MU={{sizeof(simhost_param_desc),{kind},SIMHOST_PARAM_FLAG_PER_LANE,0,SIMHOST_STR(\"mu\"),\
             SIMHOST_EMPTY,SIMHOST_STR(\"d\"),SIMHOST_STR(\"1\"),1.0,0.0,2.0,{default},SIMHOST_EMPTY,\
             SIMHOST_EMPTY}}"
        )
    };
    for (name, kind, default, expected) in [
        ("whole", "SIMHOST_PARAM_INTEGER", "SIMHOST_NUMBER(1)", "only a number can differ"),
        ("empty", "SIMHOST_PARAM_NUMBER", "SIMHOST_NO_VALUE", "it needs a default or has to be"),
    ] {
        let plugins = tyre(name, &[&with(kind, default)]);
        let library = plugins.join(bad_plugins::library_name("lanes"));
        assert_parts(&bad_plugins::refusal(&library), &[expected]);
    }
}
