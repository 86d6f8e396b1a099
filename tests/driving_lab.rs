//! Cars of the driving lab in a world: motion in space, sensors on them, obstacles, and reports of actuators.

use crate::support::world::World;
use crate::support::{Table, assert_parts};

const GRAVITY: f64 = 9.81;
const DYNAMICS: &str = "<dynamics class=\"four_mass_body\" drag_coefficient=\"0\" \
    rolling_constant=\"0\" rolling_pressure=\"0\" rolling_speed=\"0\">\
    <controller class=\"actuator_targets\"/></dynamics>";

fn world(step: f64, inside: &str) -> World {
    World::new().step(step).xml(inside)
}

fn car(pose: &str, more: &str) -> String {
    format!("<vehicle name=\"car\"><init_pose3d>{pose}</init_pose3d>{DYNAMICS}{more}</vehicle>")
}

fn last(table: &Table, column: &str) -> f64 {
    *table.numbers(column).last().unwrap()
}

/// A car that is put into the air falls with g, and its sensors fall with it.
#[test]
fn a_car_in_the_air_falls_freely() {
    let imu = "<skip_elevation_adjust/><sensor class=\"imu\" name=\"one\">\
        <sensor_period>0.1</sensor_period>\
        <angular_velocity_white_noise_std_noise>0</angular_velocity_white_noise_std_noise>\
        <linear_acceleration_white_noise_std_noise>0</linear_acceleration_white_noise_std_noise>\
        </sensor><init_vel>3 0 0</init_vel>";
    let run = world(0.01, &car("1 2 50 90 20 10", imu)).run(2.0);
    let table = run.table("trajectory.csv");
    let (times, heights) = (table.numbers("time_s"), table.numbers("z_m"));
    for (time, z) in times.iter().zip(&heights) {
        let up = -3.0 * 20_f64.to_radians().sin();
        let expected = 50.0 + up * time - 0.5 * GRAVITY * time * time;
        assert!((z - expected).abs() < 1e-6, "{z} m at {time} s, expected {expected}");
    }
    // the attitude does not change without torque
    assert!((last(table, "pitch_rad") - 20_f64.to_radians()).abs() < 1e-9);
    assert!((last(table, "roll_rad") - 10_f64.to_radians()).abs() < 1e-9);
    let readings = run.readings("one");
    for axis in ["x", "y", "z"] {
        let column = format!("linear_acceleration_{axis}_mps2");
        assert!(last(readings, &column).abs() < 1e-6, "{column}: {}", last(readings, &column));
    }
}

/// After a fall the car rests on its wheels, level and still.
#[test]
fn a_car_lands_and_comes_to_rest() {
    let run = world(0.01, &car("0 0 1 0 5 0", "<skip_elevation_adjust/>")).run(6.0);
    let table = run.table("trajectory.csv");
    assert!(last(table, "z_m").abs() < 1e-4, "{}", last(table, "z_m"));
    assert!(last(table, "pitch_rad").abs() < 1e-5, "{}", last(table, "pitch_rad"));
    // it went down before, into its tyres
    let lowest = table.numbers("z_m").into_iter().fold(0.0, f64::min);
    assert!((-0.3..-0.005).contains(&lowest), "{lowest}");
}

/// On a slope of 10° a car rolls down with g sin 10°, along the slope and not off it.
#[test]
fn a_car_rolls_down_a_slope() {
    let height = 400.0 * 10_f64.to_radians().tan();
    let heights = [vec![height; 2], vec![0.0; 2]];
    let world = World::new().step(0.01).terrain(&heights, 400.0, [0.0, -200.0]);
    let run = world.xml(&car("50 0 0 0 0 0", "")).run(4.0);
    let table = run.table("trajectory.csv");
    assert!((last(table, "vx_mps") / 4.0 - 1.70349).abs() < 2e-5, "{}", last(table, "vx_mps"));
    assert!((last(table, "pitch_rad") - 10_f64.to_radians()).abs() < 1e-5);
    let (x, z) = (last(table, "x_m"), last(table, "z_m"));
    assert!((z - (400.0 - x) * 10_f64.to_radians().tan()).abs() < 1e-4, "{x} {z}");
}

/// An obstacle stops the car, which rolls back slowly from it.
#[test]
fn a_wall_stops_a_car() {
    let wall = "<element class=\"vertical_plane\"><x0>20</x0><x1>20</x1><y0>-4</y0><y1>4</y1>\
        </element>";
    let inside = wall.to_owned() + &car("0 0 0 0 0 0", "<init_vel>10 0 0</init_vel>");
    let run = world(0.005, &inside).every(0.05).run(4.0);
    let table = run.table("trajectory.csv");
    let most = table.numbers("x_m").into_iter().fold(0.0, f64::max);
    assert!((17.5..18.0).contains(&most), "{most}");
    assert!(last(table, "vx_mps").abs() < 1.0, "{}", last(table, "vx_mps"));
    assert!(table.numbers("z_m").into_iter().all(|z| z.abs() < 0.2));
}

/// The results do not depend on the number of threads, and a run continues from a snapshot with the same bits.
#[test]
fn a_motion_in_space_is_part_of_the_state() {
    let cars: String = (0..5)
        .map(|number| {
            car(&format!("{} 0 {number} 0 {number} 3", 8 * number), "<skip_elevation_adjust/>")
                .replace("\"car\"", &format!("\"car{number}\""))
        })
        .collect();
    world(0.01, &cars).repeats(0.5, 1.0);
}

/// A target out of range is limited, and the run shows it.
#[test]
fn an_actuator_reports_a_target_out_of_range() {
    let dynamics = "<dynamics class=\"four_mass_body\"><controller class=\"actuator_targets\"/>\
        <actuator class=\"vehicle_actuator\" port=\"motor\" kind=\"motor\" name=\"motor\"/>\
        </dynamics><init_pose>0 0 0</init_pose>";
    let inside = format!(
        "<vehicle name=\"car\">{dynamics}</vehicle><observer class=\"recorder\" name=\"motor\">\
         <quantities>car/actuator/motor/*</quantities></observer>"
    );
    let target = |world: World, (time, target): (f64, f64)| {
        world.command(time, "car", "actuator_targets", &[target, 0.0, 0.0, 0.0, 0.0, 0.0])
    };
    let targets = [(0.0, 9.0), (1.0, 2.0), (2.0, -7.0)];
    let run = targets.into_iter().fold(world(0.01, &inside), target).run(3.0);
    let table = run.table("motor.csv");
    let rejected = table.numbers("car/actuator/motor/rejected [1]");
    assert_eq!(*rejected.last().unwrap(), 2.0);
    assert!(
        table.numbers("car/actuator/motor/target [m/s²]").into_iter().fold(0.0, f64::max) == 3.5
    );
}

/// The lab's engine shows its forces; here they were inside of the class.
#[test]
fn the_forces_on_a_car_are_quantities_and_explain_its_acceleration() {
    let run = |set: &str| {
        let inside = format!(
            "<vehicle name=\"car\"><init_pose>0 0 0</init_pose><init_vel>25 0 0</init_vel>\
             <dynamics class=\"four_mass_body\"><controller class=\"actuator_targets\">{set}\
             </controller></dynamics></vehicle>"
        );
        world(0.005, &inside).record("car/*").record("car/dynamics/*").run(2.0)
    };
    let of = |run: &crate::support::runs::Run, name: &str| last(run.table("quantities.csv"), name);
    let close = |found: f64, expected: f64, part: f64| {
        assert!((found - expected).abs() <= part * expected.abs(), "{found} {expected}");
    };
    let coasting = run("");
    let force = |name: &str| of(&coasting, &format!("car/dynamics/{name} [N]"));
    let speed = of(&coasting, "car/twist[0] [m/s]");
    close(force("air_force_x"), -0.5 * 1.225 * 0.3 * 2.422912 * speed * speed, 1e-3);
    let hundreds = 3.6 * speed / 100.0;
    let rolling = 0.005 + (0.01 + 0.0095 * hundreds * hundreds) / 2.5;
    close(force("rolling_force_x"), -rolling * 1800.0 * GRAVITY, 1e-2);
    close(force("gravity_force_z"), -1800.0 * GRAVITY, 1e-4);
    let along = force("air_force_x") + force("rolling_force_x") + force("gravity_force_x");
    close(along, 1800.0 * of(&coasting, "car/longitudinal_acceleration [m/s²]"), 0.03);

    let turning = run("<STEER_ANG>1</STEER_ANG>");
    let lateral = of(&turning, "car/lateral_acceleration [m/s²]");
    assert!(lateral > 1.0, "{lateral}");
    close(of(&turning, "car/dynamics/side_force_y [N]"), 1800.0 * lateral, 0.05);
}

/// A mistake in a vehicle file has a file, a line and a column, and the nearest name.
#[test]
fn a_mistake_in_a_vehicle_file_has_a_place() {
    let folder = tempfile::tempdir().unwrap();
    let text = "{\n  \"version\": 1,\n  \"dynamisc\": {}\n}\n";
    std::fs::write(folder.path().join("car.json"), text).unwrap();
    let world = world(0.01, "<vehicle name=\"car\" file=\"car.json\"/>").folder(folder.path());
    let rendered: String = world.errors().into_iter().map(|error| error.rendered).collect();
    assert_parts(&rendered, &["car.json:3:3", "dynamisc", "did you mean", "dynamics"]);
}
