//! Slopes, load transfer, aerodynamics and brakes against closed-form solutions.

use crate::support::runs::Run;
use crate::support::world::{World, model, vehicle};

/// A car of 1000 kg with four wheels of 2 kg and radius 0.2 m, without rolling resistance.
fn car(pose: &str, inside: &str, pedals: &str, more: &str) -> String {
    let friction = "<friction class=\"default\"><mu>0.8</mu><C_damping>0</C_damping></friction>";
    format!(
        "<vehicle name=\"car\"><init_pose>{pose}</init_pose><dynamics class=\"ackermann\">{inside}\
         <chassis mass=\"1000\" zmin=\"0.2\" zmax=\"1.2\"><shape><pt>-0.8 -1</pt><pt>1.8 -1</pt>\
         <pt>1.8 1</pt><pt>-0.8 1</pt></shape></chassis><controller class=\"pedals\">{pedals}\
         </controller></dynamics>{friction}{more}</vehicle>"
    )
}

const MASS: f64 = 1008.0;
/// Mass plus the moment of inertia of four wheels, ½ m R² each, referred to their rims, kg.
const ROLLING_MASS: f64 = MASS + 4.0 * 0.5 * 2.0;
const GRAVITY: f64 = 9.81;

fn world(content: &str) -> World {
    World::new().step(0.005).xml(content)
}

fn load(run: &Run) -> f64 {
    ["fl", "fr", "rl", "rr"].map(|wheel| run.wheel(wheel, "normal_n")).iter().sum()
}

/// Distance from the initial position, m.
fn moved(run: &Run) -> f64 {
    let along = |name| {
        let values = run.column("car", name);
        values[values.len() - 1] - values[0]
    };
    (along("x_m").powi(2) + along("y_m").powi(2) + along("z_m").powi(2)).sqrt()
}

fn close(value: f64, expected: f64, part: f64) {
    assert!((value - expected).abs() <= part * expected.abs(), "{value} instead of {expected}");
}

#[test]
fn a_car_in_neutral_rolls_down_with_g_sin_theta() {
    for (degrees, yaw) in [(10.0f64, 0.0), (10.0, 180.0), (20.0, 0.0)] {
        let world = world(&car(&format!("0 0 {yaw}"), "", "", ""));
        let run = world.slope(degrees).run(2.0);
        let down = GRAVITY * degrees.to_radians().sin() * MASS / ROLLING_MASS;
        let backwards = if yaw == 0.0 { -1.0 } else { 1.0 };
        close(run.last("car", "vx_mps"), backwards * 2.0 * down, 2e-3);
        // distance along the slope, not in the plane
        close(moved(&run), 0.5 * down * 4.0, 5e-3);
        close(load(&run), MASS * GRAVITY * degrees.to_radians().cos(), 1e-6);
    }
}

/// The wheels, 2 kg each with a diameter of 0.4 m and a width of 0.2 m, are added to the chassis.
#[test]
fn a_chassis_has_the_centre_of_mass_and_the_yaw_inertia_that_are_given() {
    let given = "mass=\"1000\" cg_x=\"0.55\" cg_y=\"-0.02\" yaw_inertia=\"1400\"";
    let car = car("0 0 0", "", "", "").replace("mass=\"1000\"", given);
    let run = world(&car).record("car/*").run(0.1);
    let quantity = |name: &str| run.table("quantities.csv").last(name);
    let [x, y] = [(1000.0 * 0.55 + 2.0 * 2.0 * 1.3) / MASS, 1000.0 * -0.02 / MASS];
    close(quantity("car/centre_x [m]"), x, 1e-12);
    close(quantity("car/centre_y [m]"), y, 1e-12);
    let about = |[ax, ay]: [f64; 2]| (ax - x).powi(2) + (ay - y).powi(2);
    let wheels = [[0.0, 0.9], [0.0, -0.9], [1.3, 1.0], [1.3, -1.0]];
    let wheels: f64 =
        wheels.map(|at| 2.0 * (0.4 * 0.4 / 16.0 + 0.2 * 0.2 / 12.0 + about(at))).iter().sum();
    close(
        quantity("car/yaw_inertia [kg·m²]"),
        1400.0 + 1000.0 * about([0.55, -0.02]) + wheels,
        1e-12,
    );
    // the axle that is nearer to the centre of mass carries more
    let [front, rear] = [["fl", "fr"], ["rl", "rr"]]
        .map(|axle| axle.map(|wheel| run.wheel(wheel, "normal_n")).iter().sum::<f64>());
    close(front / (front + rear), x / 1.3, 1e-3);
}

#[test]
fn rolling_resistance_is_taken_from_what_pulls_down() {
    let car = car("0 0 0", "", "", "").replace("<C_damping>0", "<C_rr>0.02</C_rr><C_damping>0");
    let theta = 10f64.to_radians();
    let down = GRAVITY * (theta.sin() - 0.02 * theta.cos()) * MASS / ROLLING_MASS;
    close(world(&car).slope(10.0).run(2.0).last("car", "vx_mps"), -2.0 * down, 1e-2);
}

#[test]
fn brakes_hold_on_a_slope_for_a_minute_whichever_axle_and_wherever_it_points() {
    let frictions = ["default", "ellipse", "wardiagnemma"];
    let rear = "<brake_bias>0</brake_bias>";
    for (friction, inside, yaw) in
        [(0, "", "0"), (0, rear, "0"), (0, rear, "37"), (0, "", "90"), (1, "", "0"), (2, "", "180")]
    {
        let held = car(&format!("0 0 {yaw}"), inside, "<brake_torque>4000</brake_torque>", "");
        let held = held.replace(
            "class=\"default\"><mu>0.8</mu>",
            &format!("class=\"{}\">", frictions[friction]),
        );
        let moved = moved(&world(&held).slope(10.0).every(1.0).run(60.0));
        assert!(moved < 1e-3, "{} {inside} {yaw}: moved by {moved} m", frictions[friction]);
    }
}

#[test]
fn brakes_that_are_too_weak_do_not_hold_and_a_hill_needs_torque() {
    let weight = MASS * GRAVITY * 10f64.to_radians().sin() * 0.2;
    for part in [0.9, 1.1] {
        let braked = format!("<brake_torque>{}</brake_torque>", part * weight);
        // equal axles, so that no wheel reaches its grip limit first
        let held = world(&car("0 0 0", "", &braked, "")).slope(10.0).run(3.0);
        let moved = moved(&held);
        assert_eq!(moved < 1e-3, part > 1.0, "{part}: moved by {moved} m");
        if part < 1.0 {
            // the part of the weight that the brakes do not hold
            let down = (1.0 - part) * weight / 0.2 / ROLLING_MASS;
            close(held.last("car", "vx_mps"), -3.0 * down, 2e-2);
        }
        let driven = format!("<drive_torque>{}</drive_torque>", part * weight);
        let driven = world(&car("0 0 0", "", &driven, "")).slope(10.0);
        let vx = driven.run(3.0).last("car", "vx_mps");
        let a = (part - 1.0) * weight / 0.2 / ROLLING_MASS;
        close(vx, 3.0 * a, 2e-2);
    }
}

#[test]
fn loads_shift_backwards_when_a_car_accelerates_and_outwards_when_it_turns() {
    let torque = 0.2 * 2000.0;
    let driven = format!("<drive_torque>{torque}</drive_torque>");
    let run = world(&car("0 0 0", "", &driven, "")).run(2.0);
    // chassis 0.5 m ahead of the rear axle at a height of 0.7 m, wheelbase 1.3 m; wheels at 0.2 m
    let acceleration = torque / 0.2 / ROLLING_MASS;
    let moment = (1000.0 * 0.7 + 8.0 * 0.2) * acceleration;
    let rest = 2.0 * 2.0 * GRAVITY + 1000.0 * GRAVITY * 0.5 / 1.3;
    let front = run.wheel("fl", "normal_n") + run.wheel("fr", "normal_n");
    close(front, rest - moment / 1.3, 2e-3);

    let turning =
        car("0 0 0", "", "<steer_ang_deg>6</steer_ang_deg>", "<init_vel>8 0 0</init_vel>");
    let run = world(&turning).run(1.0);
    let lateral = run.last("car", "vx_mps") * run.last("car", "omega_radps");
    let pairs = [("fr", "fl", 2.0), ("rr", "rl", 1.8)];
    let moment: f64 = pairs
        .iter()
        .map(|(right, left, track)| {
            0.5 * track * (run.wheel(right, "normal_n") - run.wheel(left, "normal_n"))
        })
        .sum();
    close(moment, (1000.0 * 0.7 + 8.0 * 0.2) * lateral, 2e-2);
}

/// Terrain z = A sin(k x) from x = −10 m on, with samples at this distance, m.
fn sine_road([amplitude, k]: [f64; 2], resolution: f64) -> World {
    let count = (90.0 / resolution) as usize;
    let height = |row: usize| amplitude * (k * (resolution * row as f64 - 10.0)).sin();
    let across = (4.0 / resolution) as usize + 1;
    let rows: Vec<_> = (0..count).map(|row| vec![height(row); across]).collect();
    World::new().terrain(&rows, resolution, [-10.0, -2.0]).step(0.001)
}

#[test]
fn wheel_loads_and_inertial_sensors_follow_the_curvature_of_a_sine_road() {
    let [amplitude, k] = [0.08, std::f64::consts::TAU / 10.0];
    // the car of these tests is 1.3 m long between its axles; it coasts at about 10 m/s
    let (ahead, lever) = (1.3, 1.0);
    let imu = format!(
        "<init_vel>10 0 0</init_vel><sensor class=\"imu\" name=\"imu\"><pose_3d>{lever} 0 0.3 0 0 0</pose_3d>\
         <sensor_period>0.001</sensor_period>\
         <angular_velocity_white_noise_std_noise>0</angular_velocity_white_noise_std_noise>\
         <linear_acceleration_white_noise_std_noise>0</linear_acceleration_white_noise_std_noise></sensor>"
    );
    // the sensor is away from the centre, where the angular acceleration counts
    for (resolution, tolerance, of_sensor) in [(0.1, 0.12, 0.15), (1.0, 0.5, 1.0)] {
        let car = car("0 0 0", "", "", &imu);
        let world = sine_road([amplitude, k], resolution).xml(&car);
        let run = world.record("car/wheel/*/normal_force").record("car/centre_x").run(4.0);
        let table = run.table("quantities.csv");
        let load = |row: usize| -> f64 {
            let one = |wheel| table.numbers(&format!("car/wheel/{wheel}/normal_force [N]"))[row];
            ["fl", "fr", "rl", "rr"].map(one).iter().sum()
        };
        let centre = table.last("car/centre_x [m]");
        let felt = run.readings("imu").numbers("linear_acceleration_z_mps2");
        let [x, vx] = ["x_m", "vx_mps"].map(|name| run.column("car", name));
        let (mut greatest, mut worst, mut apart) = (0.0f64, 0.0f64, 0.0f64);
        for row in (200..4000).step_by(7) {
            // z̈ of a point between the axles, whose heights are those of the road
            let lift = |part: f64| {
                let bend = |at: f64| -amplitude * k * k * (k * at).sin();
                vx[row] * vx[row] * ((1.0 - part) * bend(x[row]) + part * bend(x[row] + ahead))
            };
            let slope = amplitude * ((k * (x[row] + ahead)).sin() - (k * x[row]).sin()) / ahead;
            let upright = 1.0 / (1.0 + slope * slope).sqrt();
            let expected = upright * (GRAVITY + lift(centre / ahead));
            greatest = greatest.max((expected - GRAVITY).abs());
            worst = worst.max((load(row) / MASS - expected).abs());
            apart = apart.max((felt[row - 1] - upright * (GRAVITY + lift(lever / ahead))).abs());
        }
        assert!(greatest > 2.5, "{greatest}");
        assert!(worst < tolerance, "{resolution} m: loads differ by {worst} m/s²");
        assert!(apart < of_sensor, "{resolution} m: the sensor differs by {apart} m/s²");
    }
}

/// A car with measured tyres in a turn at 15 m/s.
fn measured_tyres(tyre: &str, wheel: &str) -> Run {
    let pedals = "<steer_ang_deg>1</steer_ang_deg>";
    let fronts = format!("<fl_wheel mass=\"2\" {wheel}/><fr_wheel mass=\"2\" {wheel}/>");
    let car = car("0 0 0", &fronts, pedals, "<init_vel>15 0 0</init_vel>");
    let (before, _) = car.split_once("<friction").unwrap();
    let friction = format!("<friction class=\"magic_formula\">{tyre}</friction>");
    let (_, after) = car.split_once("</friction>").unwrap();
    let world = World::new().step(0.002).xml(&format!("{before}{friction}{after}"));
    world.record("car/steering_torque").record("car/wheel/*/aligning_moment").run(1.5)
}

#[test]
fn aligning_moments_turn_a_car_out_of_a_curve_and_load_its_steering() {
    let trail = "<coefficients>QBZ1 8; QCZ1 1.1; QDZ1 0.12; UNLOADED_RADIUS 0.3</coefficients>";
    let quantity = |run: &Run, name: &str| run.table("quantities.csv").last(name);
    let torque = |run: &Run| quantity(run, "car/steering_torque [N·m]");
    let (without, with) = (measured_tyres("", ""), measured_tyres(trail, ""));
    assert_eq!(torque(&without), 0.0);
    let front = |run: &Run| -> f64 {
        ["fl", "fr"]
            .map(|wheel| quantity(run, &format!("car/wheel/{wheel}/aligning_moment [N·m]")))
            .iter()
            .sum()
    };
    assert!(front(&with) < -10.0, "{}", front(&with));
    close(torque(&with), front(&with), 1e-12);
    let omega = |run: &Run| run.last("car", "omega_radps");
    assert!(omega(&with) < 0.995 * omega(&without), "{} {}", omega(&with), omega(&without));
    // a mechanical trail adds its part of the lateral force
    let trailing = measured_tyres("", "mechanical_trail=\"0.02\"");
    let lateral: f64 = ["fl", "fr"]
        .map(|wheel| {
            let steer = trailing.wheel(wheel, "steer_rad");
            trailing.wheel(wheel, "fy_n") * steer.cos()
                - trailing.wheel(wheel, "fx_n") * steer.sin()
        })
        .iter()
        .sum();
    close(torque(&trailing), -0.02 * lateral, 1e-9);
}

#[test]
fn camber_pushes_a_wheel_to_the_side_of_its_top_and_scales_replace_those_of_the_file() {
    // both tops to the right
    let [upright, leaning] = ["", "camber_deg=\"4\""].map(|wheel| measured_tyres("", wheel));
    let omega = |run: &Run| run.last("car", "omega_radps");
    assert!(omega(&leaning) < 0.99 * omega(&upright), "{} {}", omega(&leaning), omega(&upright));
    let scaled = measured_tyres("<LMUY>0.7</LMUY><LKY>0.8</LKY>", "");
    let listed = measured_tyres("<coefficients>LMUY 0.7; LKY 0.8</coefficients>", "");
    assert_eq!(omega(&scaled), omega(&listed));
    assert_ne!(omega(&scaled), omega(&upright));
}

#[test]
fn a_rough_road_shakes_a_car_with_its_class() {
    let shaken = |class: &str| {
        let road = format!(
            "<element class=\"elevation_map\"><roughness>{class}</roughness><roughness_length>120</roughness_length>\
             <roughness_width>6</roughness_width><resolution>0.1</resolution></element>"
        );
        let car = car("-40 0 0", "", "", "<init_vel>10 0 0</init_vel>");
        let run = World::new()
            .step(0.002)
            .xml(&road)
            .xml(&car)
            .record("car/wheel/rl/normal_force")
            .run(5.0);
        let loads = run.table("quantities.csv").numbers("car/wheel/rl/normal_force [N]");
        let mean = loads.iter().sum::<f64>() / loads.len() as f64;
        (loads.iter().map(|load| (load - mean).powi(2)).sum::<f64>() / loads.len() as f64).sqrt()
    };
    // a class is twice as high as the one before
    let [good, better] = [shaken("B"), shaken("A")];
    assert!(better > 1.0 && (good / better - 2.0).abs() < 0.2, "{better} N, {good} N");
    let degree = shaken("64e-6");
    assert!((degree / good - 1.0).abs() < 1e-12);
}

/// A car with a track of 1.8 to 2 m on a turn at a lateral acceleration of up to 0.8 g, the most that its
/// tyres allow. The static limit is T/2h.
fn turns(height: f64, more: &str) -> Run {
    let pedals = "<steer_ang_deg>6</steer_ang_deg>";
    let car = car("0 0 0", "", pedals, &format!("<init_vel>14 0 0</init_vel>{more}"))
        .replace("mass=\"1000\"", &format!("mass=\"1000\" cg_height=\"{height}\""));
    world(&car).record("car/load_transfer_ratio").run(4.0)
}

/// The greatest part of the load of the inner wheels that moved to the outer ones.
fn transfer(run: &Run) -> f64 {
    let ratios = run.table("quantities.csv").numbers("car/load_transfer_ratio [1]");
    ratios.iter().copied().fold(0.0, f64::max)
}

#[test]
fn a_car_with_a_high_centre_of_mass_tips_over_and_slides_on_its_side() {
    let roll = |run: &Run| run.last("car", "roll_rad").to_degrees();
    let acceleration = |run: &Run, row: usize| {
        run.column("car", "vx_mps")[row] * run.column("car", "omega_radps")[row] / GRAVITY
    };
    let suspension = "<suspension stiffness=\"60000\" damping=\"4000\"/>";
    for more in ["", suspension] {
        // limit of 1.9 g
        let low = turns(0.5, more);
        assert!(
            roll(&low).abs() < 5.0 && transfer(&low) < 0.6,
            "{} {}",
            roll(&low),
            transfer(&low)
        );
        assert!(acceleration(&low, 200) > 0.5, "{}", acceleration(&low, 200));
        // limit of 0.38 g: the body cannot turn at twice that for more than the time that it takes to fall
        let high = turns(2.5, more);
        assert!((roll(&high) - 90.0).abs() < 1.0, "{}", roll(&high));
        assert!((transfer(&high) - 1.0).abs() < 1e-9, "{}", transfer(&high));
        let vx = high.column("car", "vx_mps");
        assert!(acceleration(&high, 600).abs() < 0.05, "{}", acceleration(&high, 600));
        assert!(load(&high) < 1.0, "{}", load(&high));
        // it slides at 0.5 g until it stops
        let slowing = (vx[500] - vx[700]) / 1.0 / GRAVITY;
        assert!((slowing - 0.5).abs() < 0.05 || vx[500] < 5.0, "{slowing}");
    }
}

#[test]
fn a_car_tips_at_its_static_limit() {
    // what the tyres allow would lift the inner wheels at this height
    let critical = 0.5 / transfer(&turns(0.5, ""));
    for (part, tips) in [(0.93, false), (1.1, true)] {
        let height = part * critical;
        let run = turns(height, "");
        let roll = run.last("car", "roll_rad").to_degrees();
        assert_eq!(roll > 45.0, tips, "{height}: {roll}°");
    }
}

/// With all of its defaults at full throttle, it turned over backwards.
#[test]
fn a_car_that_accelerates_beyond_its_limit_stands_on_one_axle() {
    let car = vehicle(model("ackermann_powertrain")).controller("pedals").friction("default");
    let world = World::new().step(0.005).vehicle("car", car.pose(0, 0, 0));
    let world = world.command(0.0, "car", "drive", &[1.0, 0.0, 0.0, 1.0]);
    let names = ["car/wheel/*/normal_force", "car/mass", "car/pitch_transfer_ratio"];
    let run = names.into_iter().fold(world, World::record).run(0.5);
    let table = run.table("quantities.csv");
    let [rear, front] = [["rl", "rr"], ["fl", "fr"]].map(|axle| {
        axle.map(|wheel| table.last(&format!("car/wheel/{wheel}/normal_force [N]")))
            .iter()
            .sum::<f64>()
    });
    let weight = table.last("car/mass [kg]") * GRAVITY;
    // the chassis rests on the rear axle, and the front wheels carry their own weight
    close(rear + front, weight, 1e-9);
    assert!(front < 0.01 * weight, "{front} of {weight}");
    assert_eq!(table.last("car/pitch_transfer_ratio [1]"), 1.0);
    assert!(run.last("car", "vx_mps") > 2.0 && run.last("car", "pitch_rad").abs() < 0.2);
}

#[test]
fn air_slows_a_car_as_the_square_of_its_speed_and_presses_it_down() {
    let air = "<aerodynamics drag_area=\"2\" lift_area=\"-1\"/><init_vel>30 0 0</init_vel>";
    let run = world(&car("-40 0 0", "", "", air)).run(5.0);
    // m v' = −½ ρ A v²
    let rate = 0.5 * 1.225 * 2.0 / ROLLING_MASS;
    let speed = 30.0 / (1.0 + rate * 30.0 * 5.0);
    close(run.last("car", "vx_mps"), speed, 2e-3);
    close(load(&run), MASS * GRAVITY + 0.5 * 1.225 * speed * speed, 2e-3);
}

#[test]
fn a_steering_actuator_follows_with_its_lag_and_its_rate() {
    let steered = |inside: &str| {
        let inside = format!("<steering>{inside}</steering>");
        let run = world(&car("0 0 0", &inside, "<steer_ang_deg>10</steer_ang_deg>", "")).run(0.5);
        // steering angle of the equivalent wheel in the middle
        let cotangent = |wheel| 1.0 / run.wheel(wheel, "steer_rad").tan();
        (2.0 / (cotangent("fl") + cotangent("fr"))).atan().to_degrees()
    };
    assert!((steered("") - 10.0).abs() < 1e-6);
    let lagging = 10.0 * (1.0 - (-0.5f64 / 0.3).exp());
    assert!((steered("<lag>0.3</lag>") - lagging).abs() < 1e-3);
    assert!((steered("<max_rate_deg>8</max_rate_deg>") - 4.0).abs() < 1e-3);
}

#[test]
fn four_parts_of_a_step_are_four_steps() {
    let driven =
        car("0 0 0", "", "<drive_torque>300</drive_torque><steer_ang_deg>8</steer_ang_deg>", "");
    let once = World::new().step(0.005).xml(&driven);
    let parts = World::new().step(0.02).set("substeps", 4).xml(&driven);
    let [a, b] = [once, parts].map(|world| {
        let run = world.run(2.0);
        ["x_m", "y_m", "yaw_rad", "vx_mps"].map(|name| run.last("car", name))
    });
    assert_eq!(a, b);
}

#[test]
fn a_body_on_springs_leans_outwards_and_loads_follow() {
    let springs = "<suspension stiffness=\"20000\" damping=\"1500\"/>";
    let more = springs.to_owned() + "<init_vel>8 0 0</init_vel>";
    let steer = "<steer_ang_deg>6</steer_ang_deg>";
    let soft = world(&car("0 0 0", "", steer, &more)).run(2.0);
    let lateral = soft.last("car", "vx_mps") * soft.last("car", "omega_radps");
    // wheels at ±0.9 m behind and ±1 m in front
    let stiffness = 20000.0 * (2.0 * 0.9 * 0.9 + 2.0);
    let expected = (1000.0 * 0.7 + 8.0 * 0.2) * lateral / (stiffness - 1000.0 * 0.7 * GRAVITY);
    close(soft.last("car", "roll_rad"), expected, 3e-2);
    let early = |more: &str| {
        let run = world(&car("0 0 0", "", steer, more)).run(0.1);
        run.wheel("fr", "normal_n") - run.wheel("fl", "normal_n")
    };
    assert!(early(&more) < 0.7 * early("<init_vel>8 0 0</init_vel>"), "springs take their time");
}

#[test]
fn energy_books_explain_every_change_and_tyres_only_take() {
    // racing wheels, or a fall from the edge of the slope, would hide everything else
    let driven = "<drive_torque>300</drive_torque><steer_ang_deg>0.5</steer_ang_deg>";
    let braked = "<brake_torque>400</brake_torque><steer_ang_deg>0.5</steer_ang_deg>";
    let cases = [(driven, "motor_j", "8 0"), (braked, "brake_j", "15 0"), ("", "slip_j", "8 6")];
    for (pedals, worker, velocity) in cases {
        let air = format!("<aerodynamics drag_area=\"4\"/><init_vel>{velocity} 0</init_vel>");
        let car = car("-50 -5 0", "", pedals, &air)
            .replace("<C_damping>0", "<C_rr>0.03</C_rr><C_damping>0")
            .replace("mass=\"1000\"", "mass=\"1000\" linear_damping=\"0.05\"");
        let run = World::new().slope(5.0).xml(&car).energy().run(4.0);
        let table = run.table("energy.csv");
        let change = |name: &str| {
            let values = table.numbers(name);
            values[values.len() - 1] - values[0]
        };
        let energy = change("kinetic_j") + change("potential_j");
        let works =
            ["motor_j", "brake_j", "slip_j", "rolling_j", "damping_j", "drag_j", "contact_j"];
        let work: f64 = works.iter().map(|name| change(name)).sum();
        let worked = change(worker).abs();
        assert!(worked > 1e4, "{worker} is {worked} J");
        assert!((energy - work).abs() < 2e-3 * worked, "{energy} J, explained {work} J");
        for name in ["brake_j", "slip_j", "rolling_j", "damping_j", "drag_j"] {
            let values = table.numbers(name);
            // the slope turns a wheel back after the tyres have held, which returns a little energy
            let late = if worker == "motor_j" { 1e-6 } else { 1e-4 * worked };
            assert!(values.windows(2).all(|pair| pair[1] <= pair[0] + late), "{name} gives");
        }
    }
}

/// Speed after 1 s, m/s, at which a car in neutral rolls down from where it starts on a slope.
fn rolls_down(slope: &str, pose: &str, degrees: f64, backwards: bool) {
    let car = car("0 0 0", "", "", "");
    let car =
        car.replace("<init_pose>0 0 0</init_pose>", &format!("<init_pose3d>{pose}</init_pose3d>"));
    let run = world(&format!("{slope}{car}")).run(1.0);
    let down = GRAVITY * degrees.to_radians().sin() * MASS / ROLLING_MASS;
    let expected = if backwards { -down } else { down };
    let (vx, z) = (run.last("car", "vx_mps"), run.column("car", "z_m"));
    assert!((vx - expected).abs() < 1e-2 * down, "{degrees}°, {pose}: {vx} instead of {expected}");
    assert!(z[z.len() - 1] < z[0], "{degrees}°, {pose}: from {} to {}", z[0], z[z.len() - 1]);
}

#[test]
fn a_car_that_starts_on_a_ramp_or_a_plane_stands_on_all_of_its_wheels() {
    for degrees in [5.0f64, 10.0, 15.0, 30.0, 45.0] {
        let rise = 40.0 * degrees.to_radians().tan();
        let ramp = format!(
            "<block><init_pose>0 0 0</init_pose><static>true</static><intangible>true</intangible>\
             <geometry type=\"ramp\" lx=\"40\" ly=\"20\" lz=\"{rise}\"/><shape_from_visual/></block>"
        );
        let plane = format!(
            "<element class=\"horizontal_plane\"><init_pose3d>20 0 {} 0 -{degrees} 0</init_pose3d>\
             <x_min>-100</x_min><x_max>100</x_max></element>",
            0.5 * rise
        );
        for slope in [&ramp, &plane] {
            let z = 0.5 * rise;
            rolls_down(slope, &format!("20 0 {z} 0 0 0"), degrees, true);
            rolls_down(slope, &format!("20 0 {z} 180 0 0"), degrees, false);
        }
    }
}

#[test]
fn a_plane_is_a_slope_however_steep_it_is() {
    for degrees in [55.0f64, 60.0, 70.0] {
        let plane = format!(
            "<element class=\"horizontal_plane\"><init_pose3d>0 0 500 0 -{degrees} 0</init_pose3d>\
             <x_min>-200</x_min><x_max>200</x_max></element>"
        );
        rolls_down(&plane, "0 0 500 0 0 0", degrees, true);
    }
}
