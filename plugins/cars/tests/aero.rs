//! Tables of the forces of the air.

use simhost_cars::aero::{AIR_DENSITY, AeroTable};
use simhost_sdk::TextFile;
use simhost_sdk::vectors::Vec3;

const TABLE: &str = "yaw_deg,ride_height_mm,drag,side,lift_front,lift_rear,yaw_moment\n\
    0,-40,0.60,0,-0.10,-0.20,0\n0,0,0.64,0,0.05,-0.05,0\n\
    10,-40,0.66,-0.5,-0.08,-0.16,0.3\n10,0,0.70,-0.6,0.09,-0.01,0.4\n\
    20,-40,0.70,-1.1,-0.02,-0.10,0.7\n20,0,0.76,-1.2,0.2,0.05,0.8\n";

fn read(text: &str) -> Result<AeroTable, String> {
    AeroTable::read(&TextFile { path: "aero.csv".into(), text: text.into() })
}

const AXLES: [f64; 2] = [-1.5, 1.2];

#[test]
fn the_points_of_a_table_are_forces_per_dynamic_pressure() {
    let table = read(TABLE).expect("the table is correct");
    let (sin, cos) = 10.0_f64.to_radians().sin_cos();
    let speed = 40.0;
    let pressure = 0.5 * AIR_DENSITY * speed * speed;
    for (height, [drag, side, front, rear, yaw]) in
        [(0.0, [0.70, 0.6, 0.09, -0.01, 0.4]), (-0.04, [0.66, 0.5, -0.08, -0.16, 0.3])]
    {
        for sign in [1.0, -1.0] {
            let velocity = Vec3::new(speed * cos, sign * speed * sin, 0.0);
            let found = table.force(velocity, height, AXLES);
            let expected =
                [[-drag, -sign * side, front + rear], [0.0, -1.2 * front + 1.5 * rear, sign * yaw]];
            for (found, expected) in [found.force, found.moment].into_iter().zip(expected) {
                for (found, expected) in found.to_array().into_iter().zip(expected) {
                    let expected = pressure * expected;
                    assert!((found - expected).abs() < 1e-9, "{found}, expected {expected}");
                }
            }
        }
    }
}

#[test]
fn beyond_a_table_the_values_at_its_limits_hold() {
    let table = read(TABLE).expect("the table is correct");
    let at = |degrees: f64, height: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        table.force(Vec3::new(30.0 * cos, 30.0 * sin, 0.0), height, AXLES)
    };
    let (far, edge) = (at(70.0, 0.3), at(20.0, 0.0));
    assert!((far.force - edge.force).length() < 1e-9, "{far:?} and {edge:?}");
    assert!((far.moment - edge.moment).length() < 1e-9, "{far:?} and {edge:?}");
}

#[test]
fn tables_that_are_wrong_are_refused_with_their_line() {
    for (text, part) in [
        (TABLE.replace("drag", "cd"), "line 1: unknown column `cd`"),
        (TABLE.replace("10,0,", "10,5,"), "line 5, column `ride_height_mm`"),
        ("yaw_deg,drag\n0,0.6\n".into(), "less than two values of `yaw_deg`"),
    ] {
        let error = read(&text).expect_err("the table is wrong");
        assert!(error.starts_with("aero_table aero.csv: ") && error.contains(part), "{error}");
    }
}
