//! Tests of `fall`.

use super::*;

const AHEAD: Course = Course { heading: [1.0, 0.0], velocity: [1.0, 0.0] };

const WHEELS: [[f64; 2]; 4] = [[0.5, 0.4], [-0.5, 0.4], [0.5, -0.4], [-0.5, -0.4]];

/// Returns a vehicle over ground at these heights, with its centre of mass in the middle.
fn over(heights: [f64; 4]) -> Stance {
    Stance {
        points: WHEELS.into_iter().collect(),
        heights: heights.into_iter().collect(),
        centre: [0.0; 2],
        gyration: [0.1; 2],
    }
}

/// The ground falls away by 2 m below a level vehicle.
#[test]
fn a_vehicle_above_an_edge_falls_with_g_and_lands_without_a_bounce() {
    let (mut fall, dt) = (Fall::default(), 1e-3);
    let (mut pose, ground) = (Pose3 { z: 2.0, ..Pose3::default() }, Pose3::default());
    let mut landed = None;
    for step in 1..1000 {
        pose = fall.advance(&pose, &ground, &over([ground.z; 4]), AHEAD, [9.81, dt]);
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
        pose = fall.advance(&pose, &ground, &over([ground.z; 4]), AHEAD, [9.81, dt]);
        lifted += u32::from(fall.is_lifted());
    }
    // until it has the speed of the ground
    assert!(f64::from(lifted) * dt < 0.25, "{lifted}");
    let ground = Pose3 { z: pose.z + 0.2, ..Pose3::default() };
    for _ in 0..10 {
        pose = fall.advance(&pose, &ground, &over([ground.z; 4]), AHEAD, [9.81, dt]);
        assert_eq!(pose.z, ground.z);
    }
}

/// The front has left an edge: it turns about the rear wheels, with θ̈ = g a/(k² + a²). When these leave it, too, the
/// body keeps its rates, where it took those of the front.
#[test]
fn a_vehicle_turns_over_an_edge_and_goes_on_turning() {
    let (mut fall, dt) = (Fall::default(), 1e-3);
    let (mut pose, ground) =
        (Pose3 { z: 5.0, ..Pose3::default() }, Pose3 { z: 5.0, ..Pose3::default() });
    for _ in 0..200 {
        let mut stance = over([0.0, 5.0, 0.0, 5.0]);
        stance.points.iter_mut().for_each(|point| point[0] *= math::cos(pose.pitch));
        pose = fall.advance(&pose, &ground, &stance, AHEAD, [9.81, dt]);
        assert!(fall.is_lifted() && !fall.is_free() && fall.lifts(0) && !fall.lifts(1));
        let rear = pose.z + 0.5 * math::sin(pose.pitch);
        assert!((rear - 5.0).abs() < 1e-3, "the rear stands: {rear}");
    }
    let turning = 9.81 * 0.5 / (0.1 + 0.25);
    assert!((pose.pitch - 0.5 * turning * 0.04).abs() < 0.05 * pose.pitch, "{}", pose.pitch);
    // the part that the rear wheels carry
    assert!((fall.carried - 0.1 / 0.35).abs() < 0.1, "{}", fall.carried);
    let (start, rising) = (pose, fall.rising().expect("it is lifted"));
    let (mut last, mut rate) = (pose, 0.2 * turning);
    for step in 1..=300 {
        pose = fall.advance(&pose, &Pose3::default(), &over([0.0; 4]), AHEAD, [9.81, dt]);
        let time = f64::from(step) * dt;
        let falls = start.z + time * rising - 0.5 * 9.81 * time * time;
        assert!(fall.is_free() && (pose.z - falls).abs() < 1e-6, "{} instead of {falls}", pose.z);
        let now = (pose.pitch - last.pitch) / dt;
        let allowed = if step == 1 { 0.05 } else { 1e-3 };
        assert!((now - rate).abs() < allowed * rate, "{now} rad/s after {time} s");
        (last, rate) = (pose, now);
    }
}
