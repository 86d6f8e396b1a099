//! Tests of the parts that all drivers share.

use super::*;

#[test]
fn the_point_ahead_is_on_the_path() {
    let track = DriverTrack::through(&[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]]);
    for (at, ahead, point, deviation, direction) in [
        ([2.0, 1.0], 3.0, [5.0, 0.0], 1.0, 0.0),
        ([2.0, -1.0], 10.0, [10.0, 2.0], -1.0, 0.0),
        ([11.0, 8.0], 1.0, [10.0, 9.0], -1.0, std::f64::consts::FRAC_PI_2),
        // beyond the ends
        ([-3.0, 4.0], 1.0, [1.0, 0.0], 5.0, 0.0),
        ([9.0, 15.0], 2.0, [10.0, 17.0], 1.0, std::f64::consts::FRAC_PI_2),
    ] {
        let place = track.nearest(at);
        assert_eq!((track.ahead(place, ahead), place.deviation), (point, deviation), "{at:?}");
        assert!((track.direction(place) - direction).abs() < 1e-15);
    }
}

/// A straight line of 100 m, and an arc to the left of the radius 50 m with corners every 0.5 m.
#[test]
fn the_driver_slows_down_ahead_of_a_curve() {
    let arc = (1..200).map(|number| 0.01 * f64::from(number));
    let arc = arc.map(|angle| [100.0 + 50.0 * angle.sin(), 50.0 - 50.0 * angle.cos()]);
    let corners: Vec<_> = [[0.0, 0.0], [100.0, 0.0]].into_iter().chain(arc).collect();
    let track = DriverTrack {
        speed: 30.0,
        lateral_acceleration: Some(2.0),
        ..DriverTrack::through(&corners)
    };
    let at = |x: f64, y: f64| track.speed_at(track.nearest([x, y]), 30.0);
    for x in [0.0_f64, 20.0, 60.0, 95.0] {
        let expected = (2.0 * 50.0 + 2.0 * 2.0 * (100.0 - x)).sqrt().min(30.0);
        assert!((at(x, 0.5) / expected - 1.0).abs() < 5e-3, "{x}: {} {expected}", at(x, 0.5));
    }
    let inside = at(100.0 + 50.0 * f64::sin(1.0), 50.0 - 50.0 * f64::cos(1.0));
    assert!((inside - 10.0).abs() < 0.01, "{inside}");
    // behind the curve
    let [x, y] = corners[corners.len() - 1];
    assert_eq!(at(x + 30.0 * f64::cos(1.985), y + 30.0 * f64::sin(1.985)), 30.0);
    let straight = DriverTrack::through(&[[0.0, 0.0], [9.0, 0.0], [20.0, 0.0]]);
    let careful = DriverTrack { lateral_acceleration: Some(0.1), ..straight };
    assert_eq!(careful.speed_at(careful.nearest([0.0, 0.0]), 10.0), 10.0);
}

#[test]
fn wrong_paths_are_refused() {
    for corners in [&[[0.0, 0.0]][..], &[[1.0, 2.0], [1.0, 2.0]]] {
        assert!(DriverTrack::through(corners).prepare().is_err());
    }
    let mut none = DriverTrack::through(&[]);
    assert_eq!(none.prepare(), Ok(()));
    assert_eq!(none.ahead(none.nearest([3.0, 1.0]), 2.0), [5.0, 0.0]);
}

const STEP: Step = Step::new(0.0, 0.01);

#[test]
fn the_speed_is_kept_by_motors_or_brakes() {
    let track = DriverTrack::through(&[[0.0, 0.0], [1.0, 0.0]]);
    let vehicle = |odometry_vx| Driven::moving(PlanarPose::default(), odometry_vx);
    let place = track.nearest([0.0; 2]);
    let memory = &mut DriverMemory::default();
    let mut torque = |vehicle: &Driven| track.torque(vehicle, place, &STEP, memory);
    let [slow, standing, fast] = [8.0, 0.0, 11.0].map(vehicle);
    let slow = DrivenFront::new(&slow, torque(&slow), 0.9, place).actuators;
    assert_eq!(
        (slow.torque_front_left, slow.torque_front_right, slow.brake_torque, slow.steer),
        (500.0, 500.0, 0.0, 0.5)
    );
    let standing = DrivenEngine::new(&standing, torque(&standing), 0.0, place).actuators;
    assert_eq!((standing.torque_engine, standing.brake_torque), (1500.0, 0.0));
    let fast = DrivenEngine::new(&fast, torque(&fast), -0.9, place).actuators;
    assert_eq!((fast.torque_engine, fast.brake_torque, fast.steer), (0.0, 500.0, -0.5));
    assert_eq!(memory.integral, 0.0);
}

/// Drives a point mass of 1,500 kg on wheels of 0.3 m along a cycle against a drag, N. Returns the error of the speed at
/// each second, m/s.
fn errors(track: &mut DriverTrack, cycle: &str, drag: f64) -> Vec<f64> {
    track.cycle = Some(TextFile { path: "cycle.csv".into(), text: cycle.into() });
    assert_eq!(track.prepare(), Ok(()));
    let (mut vx, mut memory, mut errors) = (0.0, DriverMemory::default(), Vec::new());
    for number in 0..40_000 {
        let time = 1e-3 * f64::from(number);
        let (vehicle, step) = (Driven::moving(PlanarPose::default(), vx), Step::new(time, 1e-3));
        if number % 1000 == 0 {
            errors.push(track.target(track.nearest([0.0; 2]), time).speed - vx);
        }
        let place = track.nearest([0.0; 2]);
        let torque = track.torque(&vehicle, place, &step, &mut memory);
        let brakes = torque < 0.0 && vx <= 0.0;
        let force = if brakes { 0.0 } else { torque / 0.3 - drag };
        vx = (vx + 1e-3 * force / 1500.0).max(0.0);
    }
    errors
}

const RAMP: &str = "time,speed\n0,0\n5,0\n30,25\n60,25\n";

/// The corner of the ramp passes as exp(−t/τ) with τ = m R/k = 0.9 s. Without feed-forward, the speed would lag by a τ = 0.9 m/s.
/// Drag F shifts it by F R/k, and the integral removes this with the time constant k/k_i = 2.5 s.
#[test]
fn a_point_mass_follows_a_ramp_without_lag() {
    let mut track = DriverTrack::through(&[[0.0, 0.0], [1.0, 0.0]]);
    let free = errors(&mut track, RAMP, 0.0);
    assert!(free[20..29].iter().all(|error| error.abs() < 1e-6), "{free:?}");
    assert!(free[2].abs() < 1e-12 && free[39].abs() < 1e-3, "{free:?}");
    let dragged = errors(&mut track, RAMP, 200.0);
    assert!(dragged[20..29].iter().all(|error| (error - 0.12).abs() < 1e-6), "{dragged:?}");
    track.speed_integral_gain = 200.0;
    let integrated = errors(&mut track, RAMP, 200.0);
    assert!(integrated[25..29].iter().all(|error| error.abs() < 2e-3), "{integrated:?}");
}

/// A ramp of 5 m/s² is more than the motors can follow; the integral is held meanwhile.
#[test]
fn the_integral_is_held_at_the_limit_and_cleared_at_rest() {
    let mut track = DriverTrack::through(&[[0.0, 0.0], [1.0, 0.0]]);
    track.speed_integral_gain = 200.0;
    let cycle = "time,speed\n0,0\n4,20\n10,20\n30,0\n31,0\n";
    let limited = errors(&mut track, cycle, 0.0);
    assert!(limited[4] > 5.0 && limited[10..30].iter().all(|error| *error > -0.7), "{limited:?}");
    let place = track.nearest([0.0; 2]);
    let mut memory = DriverMemory { integral: 300.0 };
    let rest = Step::new(40.0, 0.01);
    let vehicle = Driven::moving(PlanarPose::default(), 0.5);
    assert_eq!(track.torque(&vehicle, place, &rest, &mut memory), -250.0);
    assert_eq!(memory.integral, 0.0);
}
