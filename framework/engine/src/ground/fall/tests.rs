//! Tests of `fall`.

use super::*;

const AHEAD: Course = Course { heading: [1.0, 0.0], velocity: [1.0, 0.0] };

fn corners() -> Corners {
    Corners::around(&[[0.5, 0.4], [-0.5, 0.4], [0.5, -0.4], [-0.5, -0.4]])
}

/// The ground falls away by 2 m below a level vehicle.
#[test]
fn a_vehicle_above_an_edge_falls_with_g_and_lands_without_a_bounce() {
    let (mut fall, dt) = (Fall::default(), 1e-3);
    let (mut pose, ground) = (Pose3 { z: 2.0, ..Pose3::default() }, Pose3::default());
    let mut landed = None;
    for step in 1..1000 {
        pose = fall.advance(&pose, &ground, &corners(), AHEAD, [9.81, dt]);
        let time = f64::from(step) * dt;
        if landed.is_none() && pose.z > 0.0 {
            assert!((pose.z - (2.0 - 0.5 * 9.81 * time * time)).abs() < 1e-9);
            assert!(fall.is_free());
        } else {
            landed.get_or_insert(time);
            assert!(pose.z == 0.0 && !fall.is_lifted());
        }
    }
    let expected = (2.0f64 * 2.0 / 9.81).sqrt();
    assert!((landed.expect("it lands") - expected).abs() < 2.0 * dt);
}

#[test]
fn a_vehicle_on_sinking_ground_does_not_hop_and_one_that_climbs_a_step_is_not_thrown() {
    let (mut fall, dt) = (Fall::default(), 5e-3);
    let mut pose = Pose3::default();
    let mut lifted = 0;
    for step in 1..400 {
        let ground = Pose3 { z: -f64::from(step) * dt, ..Pose3::default() };
        pose = fall.advance(&pose, &ground, &corners(), AHEAD, [9.81, dt]);
        lifted += u32::from(fall.is_lifted());
    }
    // until it has the speed of the ground
    assert!(f64::from(lifted) * dt < 0.25, "{lifted}");
    let ground = Pose3 { z: pose.z + 0.2, ..Pose3::default() };
    for _ in 0..10 {
        pose = fall.advance(&pose, &ground, &corners(), AHEAD, [9.81, dt]);
        assert_eq!(pose.z, ground.z);
    }
}
