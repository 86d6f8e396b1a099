//! Quantities that the host computes for tyres and drives on demand: wheel angle and force, camber, and the ground.

use std::path::Path;

use crate::support::world::{Vehicle, World, differential, model, vehicle};
use crate::support::{Table, bad_plugins};

/// Runs a vehicle with the models of `tests/plugins/c/contact.c` for half a second, and returns the
/// recorded quantities.
fn record(world: World, vehicle: Vehicle) -> Table {
    let plugins = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contact");
    bad_plugins::build_of("contact.c", &plugins, "contact", &[]);
    let vehicle = vehicle.friction("contact").pose(0, 0, 0);
    let world = world.step(0.01).vehicle("a", vehicle).record("a/**").plugins(&plugins);
    let run = world.run(0.5);
    assert!(run.warnings.is_empty(), "{:?}", run.warnings);
    run.table("quantities.csv").clone()
}

/// Returns the quantities of a vehicle with leaning wheels.
fn leaning(world: World) -> Table {
    record(world, vehicle("leaning").controller("summing"))
}

#[test]
fn angle_and_force_of_the_wheels_are_those_of_the_step_before() {
    let table = leaning(World::new());
    let time = table.numbers("time_s");
    let of = |name: &str| table.numbers(&format!("a/{name}"));
    let (angle, read_angle) = (of("wheel/l/angle [rad]"), of("wheel/l/read_wheel_angle [rad]"));
    let (force, read_force) = (of("wheel/l/fx [N]"), of("wheel/l/read_wheel_fx [N]"));
    let (angles, forces) = (of("controller/angle [rad]"), of("controller/force [N]"));
    let right = (of("wheel/r/angle [rad]"), of("wheel/r/fx [N]"));
    assert!(time.len() > 3 && table.last("a/wheel/l/angle [rad]") > 0.1, "{angle:?}");
    assert!(force.iter().any(|force| *force > 0.1), "{force:?}");
    // rows are steps
    for (before, now) in (0..time.len()).zip(1..time.len()) {
        assert_eq!(read_angle[now], angle[before]);
        assert_eq!(read_force[now], force[before]);
        assert_eq!(angles[now], angle[before] + right.0[before]);
        assert_eq!(forces[now], force[before] + right.1[before]);
    }
}

#[test]
fn the_camber_is_that_of_the_dynamics_class() {
    let table = leaning(World::new());
    for (name, expected) in [
        ("wheel/l/read_camber [rad]", 0.1),
        ("wheel/r/read_camber [rad]", -0.2),
        ("wheel/l/read_camber_rate [rad/s]", 0.01),
        ("wheel/r/read_camber_rate [rad/s]", 0.02),
        ("dynamics/lean [rad]", 0.1 - 0.2),
    ] {
        assert_eq!(table.last(&format!("a/{name}")), expected, "{name}");
    }
    let upright = differential().controller(model("twist_pid").set("V", 1));
    let table = record(World::new(), upright);
    assert_eq!(table.last("a/wheel/l/read_camber [rad]"), 0.0);
}

#[test]
fn normal_and_surface_are_those_of_the_ground() {
    let seen = |table: &Table| {
        ["contact_normal_x [1]", "contact_normal_y [1]", "contact_normal_z [1]", "surface [1]"]
            .map(|name| table.last(&format!("a/wheel/l/read_{name}")))
    };
    assert_eq!(seen(&leaning(World::new())), [0.0, 0.0, 1.0, 0.0]);
    // the ground rises along x by 1 in 5
    let heights: Vec<_> = (0..21).map(|x| vec![0.2 * f64::from(x); 21]).collect();
    let slope = World::new().terrain(&heights, 1.0, [-10.0, -10.0]).xml(
        "<element class=\"property_region\"><y_min>0</y_min><y_max>9</y_max>\
         <property_name>surface</property_name><value_double>3</value_double></element>\n",
    );
    let table = leaning(slope);
    let [x, y, z, surface] = seen(&table);
    let length = 1.04f64.sqrt();
    // terrain has heights of single precision
    assert!((x + 0.2 / length).abs() < 1e-6 && y.abs() < 1e-6, "{x} {y}");
    assert!((z - 1.0 / length).abs() < 1e-6, "{z}");
    assert_eq!(surface, 3.0);
    assert_eq!(table.last("a/wheel/r/read_surface [1]"), 0.0);
    assert!((table.last("a/controller/normal [1]") - 2.0 / length).abs() < 1e-6);
}
