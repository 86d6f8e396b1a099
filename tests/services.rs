//! Models that ask about the world around their vehicle.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::world::{Vehicle, World, model, vehicle};
use crate::support::{Workspace, bad_plugins};

/// Builds `tests/plugins/c/seer.c` and returns the folder of the library.
fn plugins(name: &str, changes: &[&str]) -> PathBuf {
    // tests of one name run at the same time
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("{name}-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("services").join(name);
    bad_plugins::build_of("seer.c", &folder, "seer", changes);
    folder
}

fn seer([x, y, yaw_deg]: [f64; 3], speed: f64, more: &str) -> Vehicle {
    let chassis = "<chassis mass=\"9\" zmin=\"0.1\" zmax=\"0.6\"><shape><pt>-0.5 -0.4</pt>\
                   <pt>0.7 -0.4</pt><pt>0.7 0.4</pt><pt>-0.5 0.4</pt></shape></chassis>";
    vehicle(model("differential").xml(chassis))
        .controller(model("seer").set("speed", speed).xml(more))
        .pose(x, y, yaw_deg)
}

/// Returns three vehicles in a row, a crate, a wall and regions of the ground.
fn world(more: &str) -> World {
    let region = |x: f64, name: &str, value: f64| {
        format!(
            "<element class=\"property_region\"><x_min>{x}</x_min><x_max>99</x_max><y_min>-99</y_min>\
             <y_max>99</y_max><property_name>{name}</property_name><value_double>{value}</value_double>\
             </element>\n"
        )
    };
    World::new()
        .step(0.01)
        .set("duration", 1)
        .vehicle("a", seer([0.0, 0.0, 0.0], 1.0, more))
        .vehicle("b", seer([6.0, 0.0, 90.0], 0.0, ""))
        .vehicle("c", seer([-3.0, 0.0, 0.0], -1.0, ""))
        .xml(
            "<block name=\"crate\"><static>true</static><shape_from_visual/>\
             <geometry type=\"box\" lx=\"2\" ly=\"1\" lz=\"1\"/><init_pose>0 8 0</init_pose></block>\n\
             <walls><shape><pt>-20 12</pt><pt>20 12</pt></shape></walls>\n",
        )
        .xml(&region(-99.0, "friction_mu", 0.4))
        .xml(&region(0.505, "surface", 3.0))
        .record("*/controller/*")
}

/// Runs the world and returns an output of a vehicle in each step.
fn outputs(plugins: &Path) -> impl Fn(&str, &str) -> Vec<f64> + use<> {
    let table = world("").plugins(plugins).run(1.0).table("quantities.csv").clone();
    move |vehicle, output| table.numbers(&format!("{vehicle}/controller/{output}"))
}

#[test]
fn a_controller_in_c_perceives_known_geometry() {
    let of = outputs(&plugins("right", &[]));
    // the row of a step shows what the controller has seen at its start
    for step in [2, 50, 100] {
        let travelled = (step - 1) as f64 * 0.01;
        let close = |output: &str, expected: f64| {
            let found = of("a", output)[step];
            assert!((found - expected).abs() < 1e-9, "{output} in step {step}: {found}");
        };
        // the outer side of a wheel of b, which stands across: 0.6 to either side of x = 6
        close("ahead [m]", 5.4 - travelled);
        close("ahead_entity [1]", 1.0);
        close("ahead_normal [1]", -1.0);
        // the wall is 0.1 m thick, and rays with its mask pass through the crate
        close("left [m]", 11.95);
        // straight down on the own roof
        close("own_top [m]", 9.0 - 0.6);
        close("total [1]", 3.0);
        // c drives away from a, and the crate is number 3, after the vehicles
        close("first [1]", 2.0);
        close("first_distance [m]", 3.0 + 2.0 * travelled);
        close("first_vx [m/s]", -1.0);
        close("own [1]", 1.0);
        close("mu [1]", 0.4);
        close("surface [1]", if travelled > 0.505 { 3.0 } else { 0.0 });
    }
    assert_eq!(of("c", "first [1]")[2], 0.0);
    assert_eq!(of("c", "second [1]")[2], 3.0);
    assert_eq!(of("c", "second_length [m]").len(), 101);
    assert_eq!(of("c", "own [1]")[2], 3.0);
}

#[test]
fn every_kind_of_entity_is_met() {
    let mut world = World::new().step(0.01);
    for i in 0..4 {
        world = world.vehicle(&format!("v{i}"), seer([0.0, f64::from(10 * i), 0.0], 0.0, ""));
    }
    let world = world.xml(
        "<actor:class name=\"person\"><walking_speed>1</walking_speed><collision_radius>0.25\
         </collision_radius></actor:class><actor name=\"p\" class=\"person\"><init_pose>5 10 0\
         </init_pose><path><waypoint>9 10 0</waypoint></path></actor>\n\
         <block name=\"parcel\"><shape><pt>-0.5 -1</pt><pt>0.5 -1</pt><pt>0.5 1</pt><pt>-0.5 1</pt>\
         </shape><init_pose>5 0 0</init_pose></block>\n\
         <element class=\"vertical_plane\"><x0>5</x0><y0>18</y0><x1>5</x1><y1>22</y1><height>2</height>\
         <thickness>0.2</thickness></element>\n\
         <element class=\"vertical_plane\"><x0>5</x0><y0>28</y0><x1>5</x1><y1>32</y1><height>2</height>\
         <thickness>0.2</thickness><door name=\"d\" position=\"0.5\" width=\"2\" z_max=\"1.5\"/></element>\n\
         <walls><shape><pt>8 28</pt><pt>8 32</pt></shape></walls>\n",
    );
    let run = world.record("*/controller/*").plugins(&plugins("right", &[])).run(0.5);
    let table = run.table("quantities.csv");
    let ahead = |vehicle: usize, step: usize| {
        let of = |name: &str| table.numbers(&format!("v{vehicle}/controller/{name}"))[step];
        (of("ahead [m]"), of("ahead_entity [1]"))
    };
    let close = |(range, entity): (f64, f64), expected: (f64, f64)| {
        assert!((range - expected.0).abs() < 1e-9 && entity == expected.1, "{range}, {entity}");
    };
    // vehicles are 0 to 3, the block 4, the actor 5, the wall 6, and the planes 7 and 8
    close(ahead(0, 1), (4.5, 4.0));
    close(ahead(1, 1), (4.75, 5.0));
    // the actor walks away, with a corner of its outline towards the vehicle
    close(ahead(1, 41), (4.75 + 0.4, 5.0));
    close(ahead(2, 1), (4.9, 7.0));
    // through the door of the plane 8
    close(ahead(3, 1), (7.95, 6.0));
}

#[test]
fn without_the_flag_nothing_is_found() {
    let of = outputs(&plugins("blind", &["FLAGS=0"]));
    assert_eq!(of("a", "total [1]")[50], 0.0);
    assert_eq!(of("a", "own [1]")[50], 0.0);
    assert_eq!(of("a", "ahead [m]")[50], -1.0);
    assert_eq!(of("a", "mu [1]")[50], -1.0);
}

/// So many vehicles are divided among threads.
#[test]
fn what_is_perceived_does_not_depend_on_threads_or_snapshots() {
    let mut world =
        World::new().step(0.01).record("v7/controller/*").plugins(&plugins("many", &[]));
    for i in 0..2025_u16 {
        let pose = [i % 45 * 3, i / 45 * 3, i * 7].map(f64::from);
        world = world.vehicle(&format!("v{i}"), seer(pose, f64::from(i % 5), ""));
    }
    world.every(0.05).repeats(0.05, 0.1);
}

#[test]
fn a_replay_of_a_fault_has_no_surroundings() {
    let world = world("<fear>3.5</fear>").plugins(&plugins("right", &[]));
    let fault = world.fault(1.0, &["too near"]);
    let mut replay = fault.replay_of(fault.evidence()).unwrap();
    assert!(replay.perceives());
    assert_eq!(replay.step().fault.0, simhost_abi::fault_code::NONE);
}

/// The validator has a bad plugin for each of its tests of models that perceive.
#[test]
fn the_validator_finds_what_is_wrong_with_perception() {
    let tests = ["perception-declared", "perception-answers", "perception-lanes"];
    for (change, failing) in [
        ("", None),
        ("FLAGS=0", Some("perception-declared")),
        ("NULLED", Some("perception-answers")),
        ("BEYOND", Some("perception-answers")),
        ("FIRST", Some("perception-lanes")),
    ] {
        let changes: Vec<&str> =
            Some(change).filter(|change| !change.is_empty()).into_iter().collect();
        let name = format!("checked{}", change.trim_end_matches("=0"));
        let library = plugins(&name, &changes).join(bad_plugins::library_name("seer"));
        let arguments = ["plugin", "check", library.to_str().unwrap(), "--only"];
        // a plugin that crashes does so in the other tests, too
        let judged = tests.iter().filter(|test| failing.is_none_or(|failing| failing == **test));
        for test in judged {
            let outcome = Workspace::new("").run(&[&arguments[..], &[test]].concat());
            assert_eq!(outcome.code != 0, failing.is_some(), "{change} {test}\n{}", outcome.stdout);
        }
    }
}
