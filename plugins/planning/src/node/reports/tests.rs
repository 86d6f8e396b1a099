use simhost_sdk::testing;

use super::*;

fn reports() -> PlanningReports {
    PlanningReports {
        add_measurement_noise: true,
        pos_noise_stddev: 0.01,
        rpy_noise_stddev: 1e-4,
        vel_noise_stddev: Some(0.02),
        angvel_noise_stddev: 0.0,
        steer_noise_stddev: 2e-4,
        x_stddev: 0.1,
        y_stddev: 0.2,
        simulated_frame_id: "base_link".to_owned(),
        origin_frame_id: "odom".to_owned(),
        compat: Compat::None,
    }
}

fn truth() -> Truth {
    Truth {
        x: 1.0,
        y: 2.0,
        z: 0.0,
        yaw: 0.3,
        odometry: Odometry { odometry_vx: 10.0, odometry_vy: 0.0, odometry_omega: 0.2 },
        steer_angle: 0.05,
        longitudinal_acceleration: 1.5,
    }
}

fn read(model: &PlanningReports, key: u64) -> Report {
    testing::Sampler::new(model).read(&truth(), &[], key, &Step::new(0.0, 0.025)).readings
}

/// Returns mean and standard deviation.
fn moments(values: &[f64]) -> [f64; 2] {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    [mean, variance.sqrt()]
}

#[test]
fn without_noise_the_state_is_reported() {
    let report = read(&PlanningReports { add_measurement_noise: false, ..reports() }, 1);
    let truth = truth();
    assert_eq!([report.pose.position_x, report.pose.position_y], [truth.x, truth.y]);
    assert_eq!([report.pose.linear_x, report.pose.angular_z], [10.0, 0.2]);
    assert_eq!(report.steering_tire_angle, 0.05);
    assert_eq!([report.acceleration_x, report.acceleration_y], [1.5, 2.0], "D10: ay = wz·vx");
}

#[test]
fn noise_repeats_and_has_its_deviation() {
    // D6
    let model = reports();
    assert_eq!(read(&model, 7), read(&model, 7));
    assert_ne!(read(&model, 7), read(&model, 8));
    let all: Vec<Report> = (0..100_000).map(|key| read(&model, key)).collect();
    let check = |value: fn(&Report) -> f64, mean: f64, deviation: f64| {
        let values: Vec<f64> = all.iter().map(value).collect();
        let found = moments(&values);
        assert!((found[0] - mean).abs() < 0.02 * deviation, "{found:?} {mean}");
        assert!((found[1] / deviation - 1.0).abs() < 0.01, "{found:?} {deviation}");
    };
    check(|report| report.pose.position_x, 1.0, 0.01);
    check(|report| report.pose.position_y, 2.0, 0.01);
    check(|report| report.pose.orientation_yaw, 0.3, 1e-4);
    check(|report| report.pose.linear_x, 10.0, 0.02);
    check(|report| report.steering_tire_angle, 0.05, 2e-4);
    assert!(all.iter().all(|report| report.pose.angular_z == 0.2 && report.acceleration_x == 1.5));
    // x and y are independent
    let products: Vec<f64> = all
        .iter()
        .map(|report| (report.pose.position_x - 1.0) * (report.pose.position_y - 2.0))
        .collect();
    assert!(moments(&products)[0].abs() < 0.02 * 1e-4, "{}", moments(&products)[0]);
}

#[test]
fn covariances_are_squares_except_in_the_source() {
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-15, "{found}");
    let report = read(&reports(), 1);
    near(report.variance.variance_x, 0.01);
    near(report.variance.variance_y, 0.04);
    let report = read(&PlanningReports { compat: Compat::Autoware, ..reports() }, 1);
    near(report.variance.variance_x, 0.1);
    near(report.variance.variance_y, 0.2);
}

#[test]
fn covariances_state_the_noise() {
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-15, "{found}");
    let noisy = || PlanningReports { angvel_noise_stddev: 0.03, ..reports() };
    let found = read(&noisy(), 1).variance;
    near(found.variance_yaw, 1e-8);
    near(found.variance_linear_x, 4e-4);
    near(found.variance_linear_y, 0.0);
    near(found.variance_angular_z, 9e-4);
    for model in [
        PlanningReports { add_measurement_noise: false, ..noisy() },
        PlanningReports { compat: Compat::Autoware, ..noisy() },
    ] {
        let found = read(&model, 1).variance;
        let others = [found.variance_yaw, found.variance_linear_x, found.variance_angular_z];
        assert_eq!(others, [0.0; 3]);
    }
}

#[test]
fn the_speed_has_the_noise_of_the_manual_or_of_the_code() {
    let quiet = PlanningReports { vel_noise_stddev: None, ..reports() };
    assert_eq!(read(&quiet, 3).pose.linear_x, 10.0);
    let code = PlanningReports { compat: Compat::Autoware, ..quiet };
    assert_ne!(read(&code, 3).pose.linear_x, 10.0);
}
