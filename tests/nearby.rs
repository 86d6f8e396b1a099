//! Sensors of what is near a vehicle, against closed forms: `bumper`, `objects`, `radar`, `uwb`, `sonar`.

use crate::support::Table;
use crate::support::world::{Vehicle, World, model, vehicle};

/// Returns a sensor with a sample every 10 ms, the length of the step.
fn sensor(class: &str, content: &str) -> String {
    format!(
        "<sensor class=\"{class}\" name=\"one\"><sensor_period>0.01</sensor_period>{content}</sensor>"
    )
}

/// Returns a robot at a pose that imposes a forward velocity, m/s, and a yaw rate, deg/s. Its
/// outline is a rectangle of 1 m by 0.8 m, and its box reaches from the ground to 1.2 m.
fn robot([x, y, yaw_deg]: [f64; 3], [v, w]: [f64; 2], more: &str) -> Vehicle {
    let chassis = "<chassis mass=\"50\" zmin=\"0.2\" zmax=\"1.2\"><shape><pt>-0.5 -0.4</pt>\
                   <pt>0.5 -0.4</pt><pt>0.5 0.4</pt><pt>-0.5 0.4</pt></shape></chassis>";
    vehicle(model("differential").xml(chassis))
        .controller(model("twist_ideal").set("V", v).set("W", w))
        .pose(x, y, yaw_deg)
        .xml(more)
}

/// Returns a world with vehicle `a` that has the sensor `one`.
fn world(pose: [f64; 3], twist: [f64; 2], class: &str, content: &str) -> World {
    World::new().step(0.01).vehicle("a", robot(pose, twist, &sensor(class, content)))
}

const ORIGIN: [f64; 3] = [0.0; 3];
const STILL: [f64; 2] = [0.0; 2];
/// Height of walls, m.
const HEIGHT: f64 = 12.0;

/// Returns a block that stands still, with this geometry.
fn block(name: &str, pose: &str, geometry: &str) -> String {
    format!(
        "<block name=\"{name}\"><init_pose>{pose}</init_pose><static>true</static>\
         <geometry {geometry}/></block>\n"
    )
}

/// Returns the readings of the sensor `one`.
fn readings(world: &World, seconds: f64) -> Table {
    world.run(seconds).readings("one").clone()
}

/// Sectors to the right, ahead, to the left and behind.
const BUMPER: &str = "<pose>0 0 45</pose><sectors>4</sectors>";

fn pressed(table: &Table) -> Vec<[f64; 4]> {
    let columns = [0, 1, 2, 3].map(|sector| table.numbers(&format!("pressed_{sector}")));
    (0..columns[0].len()).map(|row| [0, 1, 2, 3].map(|sector| columns[sector][row])).collect()
}

#[test]
fn a_bumper_feels_a_wall_ahead_when_the_vehicle_reaches_it() {
    let world = world(ORIGIN, [1.0, 0.0], "bumper", BUMPER);
    let table = readings(&world.wall([2.0, -3.0], [2.0, 3.0], HEIGHT), 3.0);
    let (times, pressed) = (table.numbers("time_s"), pressed(&table));
    for (time, pressed) in times.iter().zip(&pressed) {
        // the front reaches the wall after 1.5 s, less half the thickness of the wall
        if *time < 1.3 {
            assert_eq!(*pressed, [0.0; 4], "{time} s");
        } else if *time > 1.6 {
            assert_eq!(*pressed, [0.0, 1.0, 0.0, 0.0], "{time} s");
        }
    }
    assert_eq!(table.last("any"), 1.0);
}

#[test]
fn the_force_of_a_bumper_balances_the_wheels() {
    let chassis = "<chassis mass=\"50\" zmin=\"0.05\" zmax=\"0.4\"/>";
    let car = vehicle(model("differential").xml(chassis))
        .controller("raw")
        .pose(0, 0, 0)
        .friction(model("default").set("mu", 0.8))
        .xml(&sensor("bumper", BUMPER));
    let world = World::new().step(0.01).wall([1.5, -3.0], [1.5, 3.0], HEIGHT).vehicle("a", car);
    let world = world.command(0.0, "a", "torque", &[1.5, 1.5]).record("a/wheel/*/fx");
    let run = world.run(10.0);
    let (table, forces) = (run.readings("one"), run.table("quantities.csv"));
    let driving = forces.last("a/wheel/l/fx [N]") + forces.last("a/wheel/r/fx [N]");
    let found = table.last("force_n_1");
    assert_eq!(table.last("pressed_1"), 1.0);
    assert!(driving > 5.0 && (found / driving - 1.0).abs() < 0.02, "{found} {driving}");
}

#[test]
fn a_bumper_feels_who_comes_from_behind() {
    let still = world(ORIGIN, STILL, "bumper", BUMPER);
    let table = readings(&still.vehicle("b", robot([-3.0, 0.1, 0.0], [1.0, 0.0], "")), 3.0);
    assert_eq!(pressed(&table).first(), Some(&[0.0; 4]));
    assert_eq!(pressed(&table).last(), Some(&[0.0, 0.0, 0.0, 1.0]));
    // it drives on until its front is far from the back of the other
    let world = world([0.4, 0.0, 0.0], [-0.5, 0.0], "bumper", BUMPER);
    let table = readings(&world.wall([1.0, -3.0], [1.0, 3.0], HEIGHT), 2.0);
    assert_eq!(pressed(&table).last(), Some(&[0.0; 4]));
}

const OBJECTS: &str = "<pose_3d>0.3 0 0.5 90 0 0</pose_3d><max_range>20</max_range>\
     <max_objects>3</max_objects>";

#[test]
fn objects_are_listed_by_distance_relative_to_the_sensor() {
    let other = robot([6.0, 2.0, 90.0], [2.0, -10.0], "");
    let post = block("post", "1 5 0", "type=\"cylinder\" radius=\"0.5\" length=\"2\"");
    let far = block("far", "1 40 0", "type=\"box\" lx=\"1\" ly=\"1\" lz=\"1\"");
    let world = world([1.0, 2.0, 30.0], [1.0, 20.0], "objects", OBJECTS);
    let world = world.vehicle("b", other).xml(&post).xml(&far);
    let run = world.run(2.0);
    let table = run.readings("one");
    let place = |name: &str| {
        ["x_m", "y_m", "yaw_rad", "vx_mps", "omega_radps"].map(|column| run.last(name, column))
    };
    let ([x, y, yaw, v, w], [bx, by, byaw, bv, bw]) = (place("a"), place("b"));
    let (sin, cos) = yaw.sin_cos();
    let sensor = [x + 0.3 * cos, y + 0.3 * sin];
    // the sensor looks to the left of the vehicle
    let see = |[dx, dy]: [f64; 2]| [-sin * dx + cos * dy, -cos * dx - sin * dy];
    let found = |reading: &str, place: usize| table.last(&format!("{reading}_{place}"));
    assert_eq!((table.last("count"), table.last("total")), (2.0, 2.0));
    let near =
        |found: f64, expected: f64| assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    let row = (0..2).find(|place| found("entity", *place) == 1.0).unwrap();
    let [px, py] = see([bx - sensor[0], by - sensor[1]]);
    near(found("position_x_m", row), px);
    near(found("position_y_m", row), py);
    near(found("position_z_m", row), 0.6 - 0.5);
    near(found("distance_m", row), (px * px + py * py + 0.01).sqrt());
    let (bsin, bcos) = byaw.sin_cos();
    let own_velocity = [v * cos - w * 0.3 * sin, v * sin + w * 0.3 * cos];
    let [vx, vy] = see([bv * bcos - own_velocity[0], bv * bsin - own_velocity[1]]);
    near(found("velocity_x_mps", row), vx);
    near(found("velocity_y_mps", row), vy);
    near(found("yaw_rate_radps", row), bw);
    let turn = (found("heading_rad", row) - (byaw - yaw - std::f64::consts::FRAC_PI_2)).sin();
    near(turn, 0.0);
    assert_eq!(
        [found("kind", row), found("length_m", row), found("width_m", row)],
        [1.0, 1.0, 0.8]
    );
    near(found("height_m", row), 1.2);
    // entities: vehicles 0 and 1, blocks 2 and 3
    assert_eq!([found("entity", 1 - row), found("kind", 1 - row)], [2.0, 2.0]);
    assert_eq!(found("entity", 2), -1.0);
    assert!(found("distance_m", 0) <= found("distance_m", 1));
    let (session, _) = world.open();
    let class = |place: usize| &*session.simulation().classes()[found("class", place) as usize];
    assert_eq!([class(row), class(1 - row)], ["vehicle", "block"]);
}

#[test]
fn a_wall_hides_objects_only_with_line_of_sight() {
    let count = |more: &str| {
        let world = world(ORIGIN, STILL, "objects", &format!("{OBJECTS}{more}"))
            .vehicle("b", robot([6.0, 0.0, 0.0], STILL, ""))
            .vehicle("c", robot([0.0, 6.0, 0.0], STILL, ""))
            .wall([3.0, -2.0], [3.0, 2.0], HEIGHT);
        let table = readings(&world, 0.1);
        (table.last("count"), table.last("entity_0"))
    };
    assert_eq!(count("").0, 2.0);
    assert_eq!(count("<line_of_sight>true</line_of_sight>"), (1.0, 2.0));
    // the sensor looks to the left
    assert_eq!(count("<fov_degrees>90</fov_degrees>"), (1.0, 2.0));
    assert_eq!(count("<vehicles>false</vehicles>").0, 0.0);
    assert_eq!(count("<drop_out>1</drop_out>").0, 0.0);
}

const RADAR: &str = "<pose_3d>0.5 0 0.7 0 0 0</pose_3d><range_std_noise>0</range_std_noise>\
     <azimuth_std_noise_deg>0</azimuth_std_noise_deg><speed_std_noise>0</speed_std_noise>";

#[test]
fn a_radar_measures_the_speed_of_approach() {
    let world = world(ORIGIN, [2.0, 0.0], "radar", RADAR);
    let table = readings(&world.vehicle("b", robot([40.0, 0.0, 180.0], [5.0, 0.0], "")), 1.0);
    let ([range, speed, azimuth], times) = (
        ["range_m_0", "radial_speed_mps_0", "azimuth_rad_0"].map(|name| table.numbers(name)),
        table.numbers("time_s"),
    );
    for (row, time) in times.iter().enumerate() {
        // from front to front
        let distance = 40.0 - 1.0 - 7.0 * time;
        // the wheels are further away, and part of the detection
        let lag = range[row] - distance;
        assert!((0.0..0.2).contains(&lag), "{} m at {time} s", range[row]);
        assert!((speed[row] + 7.0).abs() < 0.01, "{} m/s at {time} s", speed[row]);
        assert!(azimuth[row].abs() < 1e-3, "{}", azimuth[row]);
    }
    assert_eq!((table.last("count"), table.last("entity_0")), (1.0, 1.0));
}

#[test]
fn a_radar_in_the_middle_of_a_circle_measures_no_speed() {
    let radar = format!(
        "{RADAR}<horz_fov_degrees>360</horz_fov_degrees><horz_nrays>720</horz_nrays>\
         <azimuth_resolution_deg>15</azimuth_resolution_deg>"
    )
    .replace("0.5 0 0.7", "0 0 0.7");
    // a robot on a circle of 10 m, on which the sensor of the other turns by the same angle
    let other = robot([10.0, 0.0, 90.0], [5.0, 0.5f64.to_degrees()], "");
    let table = readings(&world(ORIGIN, STILL, "radar", &radar).vehicle("b", other), 3.0);
    let [speed, azimuth] = ["radial_speed_mps_0", "azimuth_rad_0"].map(|name| table.numbers(name));
    for (row, time) in table.numbers("time_s").iter().enumerate() {
        assert!(speed[row].abs() < 0.15, "{} m/s at {time} s", speed[row]);
        let expected = 0.5 * time;
        assert!((azimuth[row] - expected).abs() < 0.02, "{} at {time} s", azimuth[row]);
    }
    // driven past, a wall recedes with the cosine of its azimuth
    let world = world(ORIGIN, [3.0, 0.0], "radar", RADAR);
    let table = readings(&world.wall([-50.0, 5.0], [150.0, 5.0], HEIGHT), 0.2);
    let count = table.last("count") as usize;
    assert!(count > 4, "{count}");
    for place in 0..count {
        let of = |name: &str| table.last(&format!("{name}_{place}"));
        let expected = -3.0 * of("azimuth_rad").cos();
        assert!((of("radial_speed_mps") - expected).abs() < 0.02, "{}", of("radial_speed_mps"));
        let expected = 5.0 / of("azimuth_rad").sin();
        assert!((of("range_m") / expected - 1.0).abs() < 0.02, "{} {expected}", of("range_m"));
    }
}

#[test]
fn a_sphere_has_its_cross_section() {
    let radar = format!(
        "{RADAR}<horz_fov_degrees>8</horz_fov_degrees><vert_fov_degrees>8</vert_fov_degrees>\
         <horz_nrays>200</horz_nrays><vert_nrays>200</vert_nrays><range_resolution>3</range_resolution>\
         <azimuth_resolution_deg>20</azimuth_resolution_deg><reflectivity>0.6</reflectivity>"
    );
    let radar = radar.replace("0.5 0 0.7", "0.5 0 0");
    let cross_section = |x: f64| {
        let ball = block("ball", &format!("{x} 0 0"), "type=\"sphere\" radius=\"0.8\"");
        let table = readings(&world(ORIGIN, STILL, "radar", &radar).xml(&ball), 0.02);
        assert_eq!(table.last("count"), 1.0);
        table.last("cross_section_m2_0")
    };
    for x in [20.0, 40.0] {
        // 4ρ ∫ cos²θ dA over the visible part, which is 8/3 ρπr² for a distant sphere
        let (r, d): (f64, f64) = (0.8, x - 0.5);
        let last = (r / d).acos();
        let part = |k: usize| {
            let (sin, cos) = (last * (k as f64 + 0.5) / 1e4).sin_cos();
            let square = d * d + r * r - 2.0 * d * r * cos;
            (d * cos - r).powi(2) / square * sin
        };
        let sum: f64 = (0..10_000).map(part).sum::<f64>() * last / 1e4;
        let expected = 8.0 * 0.6 * std::f64::consts::PI * r * r * sum;
        let distant = 8.0 / 3.0 * 0.6 * std::f64::consts::PI * r * r;
        assert!((expected / distant - 1.0).abs() < 1.5 * r / d, "{expected} {distant}");
        let found = cross_section(x);
        assert!((found / expected - 1.0).abs() < 0.01, "{found}, expected {expected}");
    }
}

#[test]
fn a_weak_object_is_not_detected() {
    let count = |reach: &str| {
        let radar = format!("{RADAR}<detection_range>{reach}</detection_range>");
        // a front of 1 m² has 4 · 0.5 · 1 m²
        let other = robot([40.0, 0.0, 0.0], STILL, "");
        readings(&world(ORIGIN, STILL, "radar", &radar).vehicle("b", other), 0.02).last("count")
    };
    // (2/10)^(1/4) · 60 m = 40 m
    assert_eq!([count("50"), count("70")], [0.0, 1.0]);
}

#[test]
fn a_tag_measures_distances_to_anchors() {
    let anchor = |[x, y]: [f64; 2]| format!("<anchor><x>{x}</x><y>{y}</y><z>3</z></anchor>");
    let anchors = [[10.0, 0.0], [0.0, 10.0], [-10.0, 0.0], [60.0, 0.0]].map(anchor).concat();
    let uwb = format!(
        "<pose_3d>0.2 0.1 1 0 0 0</pose_3d>{anchors}<range_std_noise>0</range_std_noise>\
         <nlos_drop_out>0</nlos_drop_out><nlos_bias>0.5</nlos_bias>"
    );
    // between the robot and the third anchor
    let world = world(ORIGIN, [1.0, 30.0], "uwb", &uwb).wall([-5.0, -9.0], [-5.0, 9.0], HEIGHT);
    let run = world.run(2.0);
    let table = run.readings("one");
    let [x, y, yaw] = ["x_m", "y_m", "yaw_rad"].map(|column| run.last("a", column));
    let tag = [x + 0.2 * yaw.cos() - 0.1 * yaw.sin(), y + 0.2 * yaw.sin() + 0.1 * yaw.cos()];
    let distance =
        |[ax, ay]: [f64; 2]| ((ax - tag[0]).powi(2) + (ay - tag[1]).powi(2) + 4.0).sqrt();
    for (place, anchor) in [[10.0, 0.0], [0.0, 10.0]].into_iter().enumerate() {
        let found = table.last(&format!("range_m_{place}"));
        assert!((found - distance(anchor)).abs() < 1e-6, "{found} {}", distance(anchor));
        assert_eq!(table.last(&format!("line_of_sight_{place}")), 1.0);
    }
    // the late path is 0.5 m longer on average
    let blocked = table.numbers("range_m_2");
    let excess = blocked.last().unwrap() - distance([-10.0, 0.0]);
    assert!(excess > 0.0, "{excess}");
    assert!(table.numbers("line_of_sight_2").iter().all(|clear| *clear == 0.0));
    assert_eq!(
        [table.last("valid_3"), table.last("range_m_3"), table.last("count")],
        [0.0, 0.0, 3.0]
    );
}

#[test]
fn a_sonar_measures_the_nearest_point_in_its_cone() {
    let with = |more: &str, height: f64, fov: f64, place: &dyn Fn(World) -> World| {
        let sonar = format!(
            "<pose_3d>0 0 {height} 0 0 0</pose_3d><fov_degrees>{fov}</fov_degrees><rings>30</rings>\
             <range_std_noise>0</range_std_noise><max_range>10</max_range>{more}"
        );
        let table = readings(&place(world(ORIGIN, STILL, "sonar", &sonar)), 0.02);
        (table.last("range_m"), table.last("valid"))
    };
    let every_angle = "<max_incidence_degrees>90</max_incidence_degrees>";
    let range = |height: f64, fov: f64, place: &dyn Fn(World) -> World| {
        with(every_angle, height, fov, place)
    };
    // the nearest point of a plane whose normal is in the cone lies along the normal
    for degrees in [0.0f64, 20.0, 29.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let along = |side: f64| [4.0 * cos - side * sin, 4.0 * sin + side * cos];
        let (found, valid) = range(6.0, 60.0, &|world| world.wall(along(-9.0), along(9.0), HEIGHT));
        // planes have a thickness, and rays are 1° apart
        assert!((found - 4.0).abs() < 0.11 && valid == 1.0, "{found} m at {degrees}°");
    }
    let ball =
        |x: f64, y: f64| block("ball", &format!("{x} {y} 0"), "type=\"sphere\" radius=\"0.8\"");
    let (found, _) = range(0.6, 30.0, &|world| world.xml(&ball(2.5, 0.2)));
    let expected = (6.25f64 + 0.04 + 0.36).sqrt() - 0.8;
    assert!((found - expected).abs() < 1e-3, "{found}, expected {expected}");
    // the lower edge of the cone meets the ground
    let (found, _) = range(0.6, 30.0, &|world| world.xml(&ball(0.0, 5.0)));
    assert!((found - 0.6 / 15f64.to_radians().sin()).abs() < 1e-3, "{found}");
    assert_eq!(range(6.0, 30.0, &|world| world), (10.0, 0.0));
    // by default, the ground in front reflects the sound away, also from a sonar on the ground
    for (height, fov) in [(0.0, 15.0), (0.0, 30.0), (0.0, 60.0), (0.3, 30.0), (0.3, 60.0)] {
        let wall = |world: World| world.wall([3.0, -9.0], [3.0, 9.0], HEIGHT);
        let (found, valid) = with("", height, fov, &wall);
        assert!((found - 3.0).abs() < 0.11 && valid == 1.0, "{found} m at {height} m");
    }
}

#[test]
fn readings_do_not_depend_on_threads_or_snapshots() {
    let run = World::shared("nearby").repeats(4.6, 5.0);
    assert!(run.readings("bumper").last("any") == 1.0, "the cart pushes a crate");
    for name in ["objects", "radar", "sonar", "uwb"] {
        assert!(!run.readings(name).rows.is_empty(), "{name}");
    }
}

#[test]
fn wrong_parameters_are_reported_with_their_lines() {
    for (class, content, words) in [
        ("bumper", "<sectors>0</sectors>", ["sectors", "0", "1"]),
        ("objects", "<max_objects>1000</max_objects>", ["max_objects", "1000", "128"]),
        ("radar", "<horz_fov_degrees>720</horz_fov_degrees>", ["horz_fov_degrees", "720", "360"]),
        ("radar", "<min_range>9</min_range><max_range>5</max_range>", ["min_range", "9", "5"]),
        ("uwb", "<anchor><x>1</x><y>2</y></anchor>", ["anchor", "`z`", ""]),
        ("uwb", "<max_range>9</max_range>", ["anchor", "", ""]),
        ("radar", "<horz_nray>5</horz_nray>", ["horz_nray", "horz_nrays", ""]),
    ] {
        let own = format!("<sensor class=\"{class}\">\n{content}</sensor>");
        let world = World::new().vehicle("a", robot(ORIGIN, STILL, &own));
        let (errors, place) = (world.errors(), world.line_with("<sensor"));
        let [error] = &errors[..] else { panic!("{errors:#?}") };
        assert!([place, place + 1].contains(&error.at.0), "{error:?}");
        assert!(words.iter().all(|word| error.text.contains(word)), "{words:?}: {error:?}");
    }
}
