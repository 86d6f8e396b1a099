//! Quantities that the host computes for tyres and drives on demand: wheel angle and force, camber, and the ground.

use crate::support::{Table, Workspace, bad_plugins};

/// Runs a vehicle with the models of `tests/plugins/c/contact.c` for half a second, and returns the
/// recorded quantities.
fn record(more: &str, dynamics: &str) -> Table {
    let workspace = Workspace::new(&format!(
        "<mvsim_world><simul_timestep>0.01</simul_timestep>{more}<vehicle name=\"a\">\
         <init_pose>0 0 0</init_pose>{dynamics}<friction class=\"contact\"/></vehicle></mvsim_world>"
    ));
    bad_plugins::build_of("contact.c", &workspace.path("plugins"), "contact", &[]);
    let outcome = workspace.run(&[
        "world.xml",
        "--plugin-dir",
        "plugins",
        "--duration",
        "0.5",
        "--out",
        "out",
        "--record",
        "a/**",
    ]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    Table::read(&workspace.path("out/quantities.csv"))
}

const LEANING: &str = "<dynamics class=\"leaning\"><controller class=\"summing\"/></dynamics>";

fn last(table: &Table, name: &str) -> f64 {
    *table.numbers(name).last().unwrap()
}

#[test]
fn angle_and_force_of_the_wheels_are_those_of_the_step_before() {
    let table = record("", LEANING);
    let time = table.numbers("time_s");
    let of = |name: &str| table.numbers(&format!("a/{name}"));
    let (angle, read_angle) = (of("wheel/l/angle [rad]"), of("wheel/l/read_wheel_angle [rad]"));
    let (force, read_force) = (of("wheel/l/fx [N]"), of("wheel/l/read_wheel_fx [N]"));
    let (angles, forces) = (of("controller/angle [rad]"), of("controller/force [N]"));
    let right = (of("wheel/r/angle [rad]"), of("wheel/r/fx [N]"));
    assert!(time.len() > 3 && last(&table, "a/wheel/l/angle [rad]") > 0.1, "{angle:?}");
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
    let table = record("", LEANING);
    for (name, expected) in [
        ("wheel/l/read_camber [rad]", 0.1),
        ("wheel/r/read_camber [rad]", -0.2),
        ("wheel/l/read_camber_rate [rad/s]", 0.01),
        ("wheel/r/read_camber_rate [rad/s]", 0.02),
        ("dynamics/lean [rad]", 0.1 - 0.2),
    ] {
        assert_eq!(last(&table, &format!("a/{name}")), expected, "{name}");
    }
    let upright = "<dynamics class=\"differential\"><controller class=\"twist_pid\"><V>1</V>\
                   </controller></dynamics>";
    let table = record("", upright);
    assert_eq!(last(&table, "a/wheel/l/read_camber [rad]"), 0.0);
}

#[test]
fn normal_and_surface_are_those_of_the_ground() {
    let seen = |table: &Table| {
        ["contact_normal_x [1]", "contact_normal_y [1]", "contact_normal_z [1]", "surface [1]"]
            .map(|name| last(table, &format!("a/wheel/l/read_{name}")))
    };
    assert_eq!(seen(&record("", LEANING)), [0.0, 0.0, 1.0, 0.0]);
    // the ground rises along x by 1 in 5
    let row = |x: usize| vec![format!("{}", 0.2 * x as f64); 21].join(" ");
    let rows: Vec<String> = (0..21).map(row).collect();
    let slope = format!(
        "<element class=\"elevation_map\"><elevation_data_matrix>[{}]</elevation_data_matrix>\
         <resolution>1</resolution><corner_min_x>-10</corner_min_x><corner_min_y>-10</corner_min_y>\
         </element><element class=\"property_region\"><y_min>0</y_min><y_max>9</y_max>\
         <property_name>surface</property_name><value_double>3</value_double></element>",
        rows.join("; ")
    );
    let table = record(&slope, LEANING);
    let [x, y, z, surface] = seen(&table);
    let length = 1.04f64.sqrt();
    // terrain has heights of single precision
    assert!((x + 0.2 / length).abs() < 1e-6 && y.abs() < 1e-6, "{x} {y}");
    assert!((z - 1.0 / length).abs() < 1e-6, "{z}");
    assert_eq!(surface, 3.0);
    assert_eq!(last(&table, "a/wheel/r/read_surface [1]"), 0.0);
    assert!((last(&table, "a/controller/normal [1]") - 2.0 / length).abs() < 1e-6);
}
