//! Odometry of exact motions, and the errors of a published implementation.

use simhost_sdk::kinematics::ackermann_angles;
use simhost_sdk::testing;

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
        symmetric_wheelbase: false,
        threshold_decoder: false,
        flipped_reverse: false,
        mean_wheel_speed: false,
        mean_steering: false,
        late_heading: false,
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
        Rolled { x, y, way: way * part, tick: 0.0, sign: way.signum(), steer, is_steered: x > 0.0 }
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
    let wrong = Odometry { symmetric_wheelbase: true, ..odometry() };
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
    let wrong = Odometry { mean_wheel_speed: true, ..odometry() };
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
    is_near(end(Odometry { late_heading: true, ..odometry() }), 0.0, 1e-9);
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
    let wrong = end(Odometry { flipped_reverse: true, ..odometry() });
    // the heading is right, the way to the side is not
    is_near(wrong[2], 0.0, 1e-12);
    assert!(wrong[1].abs() > 0.01, "{wrong:?}");
}

#[test]
fn a_differential_vehicle_turns_about_a_wheel_that_stands() {
    let differential = Odometry { vehicle: VehicleModel::Differential, ..odometry() };
    let wheel = |y: f64, way: f64| Rolled {
        x: 0.0,
        y,
        way,
        tick: 0.0,
        sign: 1.0,
        steer: 0.0,
        is_steered: false,
    };
    let found = differential.increment(&[wheel(0.25, 0.0), wheel(-0.25, 0.1)], 0.4);
    assert_eq!(found, Increment { ahead: 0.0, way: 0.05, slip: 0.0, turn: 0.2 });
}

/// Returns the inputs of a sample: angles of the wheels and of the steering, rad, for a wheel radius of 0.1 m.
fn inputs(places: &[[f64; 2]], angles: &[f64], steers: &[f64]) -> Inputs {
    let leaked = |values: Vec<f64>| PerWheel::of(values.leak());
    let count = angles.len();
    Inputs {
        wheel_angle: leaked(angles.to_vec()),
        spin: leaked(vec![0.0; count]),
        wheel_steer: leaked(steers.to_vec()),
        steers: leaked(places.iter().map(|[x, _]| f64::from(*x > 0.0)).collect()),
        radius: leaked(vec![0.1; count]),
        wheel_x: leaked(places.iter().map(|[x, _]| *x).collect()),
        wheel_y: leaked(places.iter().map(|[_, y]| *y).collect()),
        centre_x: 0.0,
        pose: PlanarPose::default(),
        sample_period: 0.1,
    }
}

/// Drives random robots with coarse encoders and with exact ones. The errors are those that the variances state.
#[test]
fn variances_are_those_of_the_errors_of_coarse_encoders() {
    let mut random = Random::new(3);
    // sums of squares of errors and of variances: yaw, vx, yaw rate, and the position
    let (mut errors, mut stated) = ([0.0; 4], [0.0; 4]);
    for _ in 0..300 {
        let exact = Odometry { vehicle: VehicleModel::Differential, range: 0.0, ..odometry() };
        let coarse = Odometry {
            vehicle: VehicleModel::Differential,
            range: 0.0,
            ticks: (40.0 + 400.0 * random.uniform()).round(),
            ..odometry()
        };
        let (mut exactly, mut coarsely) =
            (testing::Sampler::new(&exact), testing::Sampler::new(&coarse));
        let places = [[0.0, 0.2], [0.0, -0.2]];
        let mut angles = [6.0 * random.uniform(), 6.0 * random.uniform()];
        let speeds = [1.0 + random.uniform(), 1.0 + random.uniform()];
        for sample in 0..40 {
            let step = Step::new(0.1 * f64::from(sample), 0.1);
            let inputs = inputs(&places, &angles, &[0.0; 2]);
            let right = exactly.read(&inputs, &[], 0, &step).readings;
            let found = coarsely.read(&inputs, &[], 0, &step).readings;
            assert_eq!(right.variance, OdometryVariance::default());
            let of = |estimate: &Estimate| {
                let one = estimate.reading;
                [one.orientation_yaw, one.linear_x, one.angular_z, one.position_x, one.position_y]
            };
            let (right, measured, variance) = (of(&right), of(&found), found.variance);
            let square = |part: usize| {
                let error = measured[part] - right[part];
                if part == 0 { math::wrap_angle(error).powi(2) } else { error * error }
            };
            if sample > 0 {
                let position = square(3) + square(4);
                for (sum, one) in errors.iter_mut().zip([square(0), square(1), square(2), position])
                {
                    *sum += one;
                }
                let position = variance.variance_x + variance.variance_y;
                let [yaw, vx] = [variance.variance_yaw, variance.variance_linear_x];
                let all = [yaw, vx, variance.variance_angular_z, position];
                stated.iter_mut().zip(all).for_each(|(sum, one)| *sum += one);
            }
            angles = [0, 1].map(|wheel| angles[wheel] + speeds[wheel]);
        }
    }
    for part in 0..3 {
        let ratio = errors[part] / stated[part];
        assert!((ratio - 1.0).abs() < 0.15, "{part}: {ratio}");
    }
    // the heading between start and end is right on average, so the position is better than the bound
    let ratio = errors[3] / stated[3];
    assert!(ratio > 0.1 && ratio < 1.0, "{ratio}");
}

#[test]
fn the_heading_drifts_by_coarse_steering_encoders() {
    let model = Odometry { steering_ticks: 360.0, ..odometry() };
    let mut sampler = testing::Sampler::new(&model);
    let places = [[-REAR, 0.8], [-REAR, -0.8], [FRONT, 0.8], [FRONT, -0.8]];
    let mut before = -1.0;
    for sample in 0..10 {
        let angles = [2.0 * f64::from(sample); 4];
        let inputs = inputs(&places, &angles, &[0.0, 0.0, 0.1, 0.1]);
        let step = Step::new(0.1 * f64::from(sample), 0.1);
        let found = sampler.read(&inputs, &[], 0, &step).readings.variance;
        if sample > 0 {
            assert!(found.variance_yaw > before && found.variance_angular_z > 0.0, "{found:?}");
        }
        before = found.variance_yaw;
    }
}
