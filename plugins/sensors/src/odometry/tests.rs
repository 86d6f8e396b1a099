//! Odometry of exact motions, and the errors of the thesis.

use simhost_sdk::kinematics::ackermann_angles;

use super::*;

fn odometry() -> Odometry {
    Odometry {
        vehicle: VehicleModel::Bicycle,
        speed_from: SpeedFrom::All,
        driven: Axle::Rear,
        ticks: 0.0,
        range: 1800.0 * math::DEG,
        steering_ticks: 0.0,
        radius_scale: 1.0,
        known_start: true,
        thesis_wheelbase: false,
        thesis_decoder: false,
        thesis_reverse: false,
        thesis_speed: false,
        thesis_steering: false,
        thesis_integration: false,
    }
}

/// Distances from the centre of mass to the axles, and the track, m.
const REAR: f64 = 1.2;
const FRONT: f64 = 1.5;
const TRACK: f64 = 1.6;

/// Returns the wheels of a car whose rear axle advances by `way` with a steering angle.
fn rolled(way: f64, steer: f64) -> Vec<Rolled> {
    let base = REAR + FRONT;
    let (left, right) = ackermann_angles(steer, base, TRACK, 1.4);
    let curvature = math::tan(steer) / base;
    let wheel = |x: f64, y: f64, steer: f64| {
        let (sin, cos) = math::sin_cos(steer);
        let part = (1.0 - y * curvature) * cos + curvature * (x + REAR) * sin;
        Rolled { x, y, way: way * part, sign: way.signum(), steer, is_steered: x > 0.0 }
    };
    let half = 0.5 * TRACK;
    vec![
        wheel(-REAR, half, 0.0),
        wheel(-REAR, -half, 0.0),
        wheel(FRONT, half, left),
        wheel(FRONT, -half, right),
    ]
}

fn at_origin() -> Pose {
    Pose { x: 0.0, y: 0.0, yaw: 0.0, positions: Remembered::new(Vec::new()) }
}

fn is_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() < tolerance, "{found} {expected}");
}

#[test]
fn the_slip_angle_and_the_yaw_rate_are_those_of_the_single_track() {
    let steer = 20.0 * math::DEG;
    let found = odometry().increment(&rolled(1.0, steer), 0.0);
    is_near(found.slip / math::DEG, 9.189, 1e-3);
    is_near(found.turn, math::tan(steer) / (REAR + FRONT), 1e-12);
    is_near(found.way * math::cos(found.slip), 1.0, 1e-12);
    let wrong = Odometry { thesis_wheelbase: true, ..odometry() };
    let wrong = wrong.increment(&rolled(1.0, steer), 0.0);
    is_near(wrong.slip / math::DEG, 10.314, 1e-3);
}

#[test]
fn every_choice_of_wheels_gives_the_same_speed_without_slip() {
    let choices = [
        SpeedFrom::All,
        SpeedFrom::Driven,
        SpeedFrom::Free,
        SpeedFrom::Fastest,
        SpeedFrom::Slowest,
    ];
    for (speed_from, driven) in
        choices.into_iter().flat_map(|one| [(one, Axle::Front), (one, Axle::Rear)])
    {
        let one = Odometry { speed_from, driven, ..odometry() };
        for steer in [-0.6, -0.1, 0.0, 0.3] {
            let found = one.increment(&rolled(0.2, steer), 0.0);
            is_near(found.way * math::cos(found.slip), 0.2, 1e-12);
        }
    }
}

/// A wheel that spins is faster than the car, and one that is braked slower.
#[test]
fn the_fastest_and_the_slowest_wheels_leave_the_others_out() {
    let mut wheels = rolled(0.2, 0.0);
    (wheels[0].way, wheels[1].way) = (0.5, 0.1);
    let way =
        |speed_from: SpeedFrom| Odometry { speed_from, ..odometry() }.increment(&wheels, 0.0).way;
    is_near(way(SpeedFrom::Fastest), 0.5 * (0.5 + 0.2), 1e-12);
    is_near(way(SpeedFrom::Slowest), 0.5 * (0.1 + 0.2), 1e-12);
}

#[test]
fn the_mean_of_all_wheels_is_faster_than_the_rear_axle() {
    let wrong = Odometry { thesis_speed: true, ..odometry() };
    for (degrees, ratio) in [(5.0, 1.0019), (20.0, 1.0324), (30.0, 1.0790)] {
        let found = wrong.increment(&rolled(1.0, degrees * math::DEG), 0.0);
        is_near(found.way, ratio, 1e-4);
    }
}

#[test]
fn a_closed_circle_has_no_error() {
    let steer = 0.4;
    let (base, samples) = (REAR + FRONT, 50.0);
    let way = std::f64::consts::TAU / math::tan(steer) * base / samples;
    let end = |odometry: Odometry| {
        let mut pose = at_origin();
        for _ in 0..samples as usize {
            let motion = odometry.increment(&rolled(way, steer), 0.3);
            odometry.advance(&mut pose, &motion);
        }
        (pose.x * pose.x + pose.y * pose.y).sqrt()
    };
    is_near(end(odometry()), 0.0, 1e-9);
    // the heading at the end turns the whole path, which still closes
    is_near(end(Odometry { thesis_integration: true, ..odometry() }), 0.0, 1e-9);
}

#[test]
fn reversing_takes_back_a_motion() {
    let (ahead, back) = (rolled(0.5, 0.3), rolled(-0.5, 0.3));
    let end = |odometry: Odometry| {
        let mut pose = at_origin();
        for wheels in [&ahead, &back] {
            let motion = odometry.increment(wheels, 0.0);
            odometry.advance(&mut pose, &motion);
        }
        [pose.x, pose.y, pose.yaw]
    };
    end(odometry()).iter().for_each(|found| is_near(*found, 0.0, 1e-12));
    let wrong = end(Odometry { thesis_reverse: true, ..odometry() });
    // the heading is right, the way to the side is not
    is_near(wrong[2], 0.0, 1e-12);
    assert!(wrong[1].abs() > 0.01, "{wrong:?}");
}

#[test]
fn a_differential_vehicle_turns_about_a_wheel_that_stands() {
    let differential = Odometry { vehicle: VehicleModel::Differential, ..odometry() };
    let wheel =
        |y: f64, way: f64| Rolled { x: 0.0, y, way, sign: 1.0, steer: 0.0, is_steered: false };
    let found = differential.increment(&[wheel(0.25, 0.0), wheel(-0.25, 0.1)], 0.4);
    assert_eq!(found, Increment { ahead: 0.0, way: 0.05, slip: 0.0, turn: 0.2 });
}
