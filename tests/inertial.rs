//! Sensors of motion and position: `imu`, `gnss`, `magnetometer`, `barometer`, `encoders`, `odometry`.

use crate::support::Table;
use crate::support::world::{World, ackermann, differential, model, vehicle};

const GRAVITY: f64 = 9.81;

/// An `imu` without noise, with a sample every 10 ms.
fn exact_imu(pose: &str, more: &str) -> String {
    sensor(
        "imu",
        0.01,
        &format!(
            "<pose_3d>{pose}</pose_3d>\
             <angular_velocity_white_noise_std_noise>0</angular_velocity_white_noise_std_noise>\
             <linear_acceleration_white_noise_std_noise>0</linear_acceleration_white_noise_std_noise>\
             {more}"
        ),
    )
}

fn sensor(class: &str, period: f64, content: &str) -> String {
    format!(
        "<sensor class=\"{class}\" name=\"one\"><sensor_period>{period}</sensor_period>{content}\
         </sensor>"
    )
}

/// Returns a world with a robot that stands, or that has an imposed forward velocity and yaw rate.
fn world(twist: Option<[f64; 2]>, sensors: &str, more: &str) -> World {
    let controller = match twist {
        None => model("raw"),
        Some([vx, omega]) => model("twist_ideal").set("V", vx).set("W", omega.to_degrees()),
    };
    let robot = differential().controller(controller).pose(3, 2, 30).xml(sensors);
    World::new().step(0.005).xml(more).vehicle("robot", robot)
}

/// Returns the readings of the sensor `one` of the robot.
fn readings(world: &World, seconds: f64) -> Table {
    world.run(seconds).readings("one").clone()
}

/// Returns the last value of columns that have `start` in common.
fn last<const N: usize>(table: &Table, columns: [&str; N]) -> [f64; N] {
    columns.map(|column| *table.numbers(column).last().unwrap())
}

const RATE: [&str; 3] =
    ["angular_velocity_x_radps", "angular_velocity_y_radps", "angular_velocity_z_radps"];
const FORCE: [&str; 3] =
    ["linear_acceleration_x_mps2", "linear_acceleration_y_mps2", "linear_acceleration_z_mps2"];

fn is_close(found: &[f64], expected: &[f64], tolerance: f64) {
    for (one, other) in found.iter().zip(expected) {
        assert!((one - other).abs() <= tolerance, "{found:?}, expected {expected:?}");
    }
}

#[test]
fn a_sensor_at_rest_feels_gravity_upwards() {
    let table = readings(&world(None, &exact_imu("0.2 0.1 0.3 0 0 0", ""), ""), 1.0);
    is_close(&last(&table, RATE), &[0.0; 3], 1e-6);
    is_close(&last(&table, FORCE), &[0.0, 0.0, GRAVITY], 1e-6);
    // pitched by 30°, nose down
    let table = readings(&world(None, &exact_imu("0 0 0 0 30 0", ""), ""), 1.0);
    let (sin, cos) = 30f64.to_radians().sin_cos();
    is_close(&last(&table, FORCE), &[-sin * GRAVITY, 0.0, cos * GRAVITY], 1e-6);
}

#[test]
fn gravity_tilts_with_a_slope() {
    let at_rest = Some([0.0, 0.0]);
    let world = world(at_rest, &exact_imu("0 0 0 0 0 0", ""), "").slope(10.0);
    let table = readings(&world, 1.0);
    let (slope, heading) = (10f64.to_radians(), 30f64.to_radians());
    // the slope rises along x of the world, 30° to the right of the vehicle
    let [x, y, z] = last(&table, FORCE);
    assert!((x * x + y * y + z * z).sqrt() - GRAVITY < 1e-6);
    is_close(&[z], &[GRAVITY * slope.cos()], 1e-6);
    assert!(x > 0.0 && y < 0.0, "{x} {y}");
    let up = (x * x + y * y).sqrt();
    is_close(&[up], &[GRAVITY * slope.sin()], 1e-6);
    let along = (heading.cos() * slope.cos()).hypot(heading.sin());
    let pitch = (heading.cos() * slope.sin() / along).abs();
    assert!((x / GRAVITY - pitch).abs() < 0.01, "{x} {pitch}");
}

#[test]
fn a_circle_has_centripetal_acceleration() {
    let (speed, omega) = (2.0, 0.8);
    for ([x, y], yaw) in [([0.0, 0.0], 0.0), ([0.5, -0.3], 0.0), ([0.5, -0.3], 40.0)] {
        let pose = format!("{x} {y} 0.4 {yaw} 0 0");
        let table = readings(&world(Some([speed, omega]), &exact_imu(&pose, ""), ""), 2.0);
        let (sin, cos) = f64::to_radians(yaw).sin_cos();
        let (ahead, left) = (-omega * omega * x, speed * omega - omega * omega * y);
        let expected = [cos * ahead + sin * left, cos * left - sin * ahead, GRAVITY];
        is_close(&last(&table, FORCE), &expected, 1e-3 * speed * omega);
        is_close(&last(&table, RATE), &[0.0, 0.0, omega], 1e-6);
    }
}

#[test]
fn the_attitude_is_measured_on_request() {
    let attitude = ["orientation_yaw_rad", "orientation_pitch_rad", "orientation_roll_rad"];
    let table = readings(&world(None, &exact_imu("0 0 0 10 0 0", ""), ""), 0.1);
    assert!(last(&table, attitude).iter().all(|angle| angle.is_nan()));
    let measured = "<measure_orientation>true</measure_orientation>\
                    <orientation_std_noise>0</orientation_std_noise>";
    let place = "<georeference><latitude>48</latitude><longitude>11</longitude>\
                 <world_to_enu_rotation_deg>20</world_to_enu_rotation_deg></georeference>";
    let table = readings(&world(None, &exact_imu("0 0 0 10 0 0", measured), place), 0.1);
    is_close(&last(&table, attitude), &[60f64.to_radians(), 0.0, 0.0], 1e-9);
}

/// A receiver without noise.
const EXACT_GNSS: &str = "<pose>1 0 0</pose><horizontal_std_noise>0</horizontal_std_noise>\
     <vertical_std_noise>0</vertical_std_noise><velocity_std_noise>0</velocity_std_noise>";

#[test]
fn a_receiver_shows_position_and_velocity_where_satellites_are_received() {
    let place = "<georeference><latitude>48.2625</latitude><longitude>11.6679</longitude>\
                 <height>480</height></georeference>";
    let gnss = sensor("gnss", 0.5, EXACT_GNSS);
    let table = readings(&world(Some([1.0, 0.0]), &gnss, place), 1.0);
    let [latitude, longitude, altitude, status] =
        last(&table, ["latitude_deg", "longitude_deg", "altitude_m", "status"]);
    assert_eq!(status, 0.0);
    // 2 m along 30° from (3, 2), the antenna included
    let (east, north) = (3.0 + 2.0 * 30f64.to_radians().cos(), 2.0 + 1.0);
    is_close(&[latitude], &[48.2625 + north / 111_197.0], 2e-8);
    is_close(&[longitude], &[11.6679 + east / 74_245.0], 2e-7);
    is_close(&[altitude], &[480.0], 1e-5);
    let found = last(&table, ["velocity_east_mps", "velocity_north_mps", "velocity_up_mps"]);
    is_close(&found, &[30f64.to_radians().cos(), 0.5, 0.0], 1e-9);
    assert_eq!(last(&table, ["utm_zone", "utm_band"]), [32.0, f64::from(b'U')]);

    let tunnel = format!(
        "{place}<element class=\"property_region\"><x_min>0</x_min><x_max>9</x_max><y_min>0</y_min>\
         <y_max>9</y_max><property_name>gps_no_coverage</property_name>\
         <value_bool>true</value_bool></element>"
    );
    for more in [&*tunnel, ""] {
        let table = readings(&world(Some([1.0, 0.0]), &gnss, more), 1.0);
        assert_eq!(last(&table, ["status"]), [-1.0]);
        assert!(last(&table, ["latitude_deg"])[0].is_nan());
    }
}

#[test]
fn a_world_at_latitude_and_longitude_0_has_a_position() {
    let place = "<georeference><latitude>0</latitude><longitude>0</longitude></georeference>";
    let table = readings(&world(None, &sensor("gnss", 0.5, EXACT_GNSS), place), 1.0);
    assert_eq!(last(&table, ["status"]), [0.0]);
    is_close(&last(&table, ["latitude_deg", "longitude_deg"]), &[0.0; 2], 1e-4);
}

/// At 60° N, 4.1° west of the central meridian of zone 32, grid north is 3.5523° to the west of north.
#[test]
fn velocities_in_utm_coordinates_turn_by_the_convergence_of_the_meridians() {
    let place = "<georeference><latitude>60</latitude><longitude>4.9</longitude>\
        <world_is_utm>true</world_is_utm></georeference>";
    let table = readings(&world(Some([1.0, 0.0]), &sensor("gnss", 0.5, EXACT_GNSS), place), 1.0);
    let [east, north] = last(&table, ["velocity_east_mps", "velocity_north_mps"]);
    let heading = 33.5523f64.to_radians();
    is_close(&[east, north], &[heading.cos(), heading.sin()], 1e-5);
}

#[test]
fn a_receiver_without_georeference_is_reported() {
    let warnings = world(None, &sensor("gnss", 0.5, ""), "").open().1;
    assert!(warnings.iter().any(|warning| warning.contains("`gnss`")), "{warnings:?}");
}

#[test]
fn encoders_and_odometry_follow_a_car_without_slip() {
    let sensors = format!(
        "{}{}",
        sensor("encoders", 0.05, "<ticks>4096</ticks>"),
        sensor("odometry", 0.05, "").replace("\"one\"", "\"two\"")
    );
    let controller = model("twist_front_steer_pid").set("V", 1).set("W", 10);
    let controller = controller.set("KP", 300).set("KI", 50).set("max_torque", 25);
    let car = ackermann().controller(controller).pose(3, 2, 30).xml(&sensors);
    let run = World::new().step(0.005).vehicle("robot", car).run(8.0);
    let (encoders, odometry) = (run.readings("one"), run.readings("two"));
    let truth = run.table("trajectory.csv");
    let pose = last(truth, ["x_m", "y_m", "yaw_rad"]);
    let found = last(odometry, ["position_x_m", "position_y_m", "orientation_yaw_rad"]);
    is_close(&found, &pose, 0.1);
    let steer = last(encoders, ["steer_rad_2", "steer_rad_3"]);
    assert!(steer[0].abs() > 0.01 && steer[1].abs() > 0.01, "{steer:?}");
    // whole ticks, below five revolutions
    for (angle, count) in encoders.numbers("position_rad_0").iter().zip(encoders.numbers("count_0"))
    {
        assert!((angle * 4096.0 / std::f64::consts::TAU - count).abs() < 1e-3, "{angle} {count}");
        assert!(angle.abs() < 10.0 * std::f64::consts::PI && count.fract() == 0.0);
    }
}

#[test]
fn samples_are_due_at_multiples_of_the_period() {
    let sensors = exact_imu("0 0 0 0 0 0", "").replace("0.01", "0.012");
    let times = readings(&world(None, &sensors, ""), 0.1).numbers("time_s");
    // sample n is taken at the first step of 5 ms that reaches n · 12 ms
    assert_eq!(times, [0.015, 0.025, 0.04, 0.05, 0.06, 0.075, 0.085, 0.1]);
}

#[test]
fn a_period_shorter_than_the_step_is_an_error() {
    let world = world(None, &sensor("imu", 0.004, ""), "");
    let text = "period of 0.004 s, shorter than the time step of 0.005 s";
    world.has_error("<sensor ", &[text, "<sensor_period>0.005"]);
}

/// All sensors with all of their errors.
fn noisy() -> String {
    let drift = "<angular_velocity_bias_instability>1e-3</angular_velocity_bias_instability>\
                 <linear_acceleration_random_walk_std_noise>0.1\
                 </linear_acceleration_random_walk_std_noise>\
                 <measure_orientation>true</measure_orientation>";
    [
        ("imu", drift),
        ("gnss", "<horizontal_correlated_error>1</horizontal_correlated_error>"),
        ("magnetometer", "<bias_instability>1e-7</bias_instability>"),
        ("barometer", "<random_walk>1</random_walk>"),
        ("encoders", "<std_noise>0.01</std_noise>"),
        ("odometry", "<model>differential</model><ticks>512</ticks>"),
    ]
    .map(|(class, content)| {
        sensor(class, 0.05, content).replace("\"one\"", &format!("\"{class}\""))
    })
    .concat()
}

#[test]
fn readings_are_the_same_for_any_threads_and_after_a_snapshot() {
    let place = "<georeference><latitude>48</latitude><longitude>11</longitude></georeference>";
    let world = world(Some([1.0, 0.5]), &noisy(), place);
    let run = world.repeats(1.0, 2.0);
    let seeded = world.seed(7).run(2.0);
    for class in ["imu", "gnss", "magnetometer", "barometer", "encoders", "odometry"] {
        assert_eq!(run.readings(class).rows.len(), 40, "{class}");
    }
    assert!(run.readings("imu") != seeded.readings("imu"));
}

/// Without a `model`, odometry takes the model of the vehicle.
#[test]
fn odometry_finds_the_model_of_the_vehicle() {
    let turning = model("twist_ideal").set("V", 1).set("W", 40);
    let robots = [differential(), vehicle("differential_3_wheels")];
    for robot in robots {
        let robot = robot.controller(turning.clone()).pose(3, 2, 30);
        let robot = robot.xml(&sensor("odometry", 0.05, ""));
        let run = World::new().step(0.005).vehicle("robot", robot).run(2.0);
        let pose = last(run.table("trajectory.csv"), ["x_m", "y_m", "yaw_rad"]);
        let columns = ["position_x_m", "position_y_m", "orientation_yaw_rad"];
        let found = last(run.readings("one"), columns);
        assert!((pose[2] - 30_f64.to_radians()).abs() > 1.0, "{pose:?}");
        is_close(&found, &pose, 0.02);
    }
}

#[test]
fn odometry_rejects_a_model_that_does_not_fit() {
    for (robot, wrong, expected) in [
        (
            differential(),
            "bicycle",
            "no wheel of the vehicle steers; expected auto or differential",
        ),
        (ackermann(), "differential", "a wheel of the vehicle steers; expected auto or bicycle"),
    ] {
        let content = format!("<model>{wrong}</model>");
        let robot = robot.controller("raw").pose(0, 0, 0).xml(&sensor("odometry", 0.05, &content));
        let (mut session, _) = World::new().vehicle("robot", robot).open();
        let error = session.run_steps(20).unwrap_err().to_string();
        assert!(error.contains("sensor 'one'") && error.contains(expected), "{error}");
    }
}
