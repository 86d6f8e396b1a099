//! Properties of a fleet that gathers.

use simhost_sdk::testing::{self, Named, Squad};
use template_name::TemplateName;

const SPACING: f64 = 2.0;
const MAX_SPEED: f64 = 1.5;

/// Returns the commands of vehicles at these positions, which head along x.
fn commands(places: &[[f64; 2]]) -> Vec<Named> {
    let mut squad = Squad::new::<TemplateName>(places.len(), &[("max_speed", "1.5")]);
    for (inputs, [x, y]) in squad.inputs.iter_mut().zip(places) {
        inputs["x"] = *x;
        inputs["y"] = *y;
    }
    squad.command(&testing::step())
}

#[test]
fn vehicles_near_the_centre_stand_still() {
    for twist in commands(&[[0.0, 0.0], [0.9 * SPACING, 0.0], [0.0, 0.9 * SPACING]]) {
        assert_eq!((twist["vx"], twist["omega"]), (0.0, 0.0));
    }
}

#[test]
fn vehicles_turn_and_drive_towards_the_centre() {
    let commands = commands(&[[-10.0, 0.0], [10.0, 0.0], [0.0, -10.0], [0.0, 10.0]]);
    assert_eq!(commands[0]["vx"], MAX_SPEED);
    assert_eq!(commands[0]["omega"], 0.0);
    assert!(commands[1]["vx"] < MAX_SPEED, "the centre is behind it");
    assert!(commands[2]["omega"] > 0.0 && commands[3]["omega"] < 0.0);
    assert!(commands.iter().all(|twist| twist["distance"] == 10.0));
}

#[test]
fn a_vehicle_that_is_not_enabled_does_not_move_the_centre() {
    let mut squad = Squad::new::<TemplateName>(3, &[]);
    squad.inputs[1]["x"] = 6.0;
    squad.inputs[2]["x"] = 1e3;
    squad.inputs[2]["enabled"] = 0.0;
    let commands = squad.command(&testing::step());
    assert_eq!(commands[0]["distance"], 3.0);
}

#[test]
fn no_place_exceeds_the_limits() {
    for x in [-1e9, -3.0, 0.0, 1e-9, 3.0, 1e9] {
        for y in [-1e9, -3.0, 0.0, 1e-9, 3.0, 1e9] {
            for twist in commands(&[[0.0, 0.0], [x, y]]) {
                assert!(twist["vx"].abs() <= MAX_SPEED && twist["omega"].abs() <= 1.0, "{twist:?}");
            }
        }
    }
}
