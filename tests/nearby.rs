//! Sensors of what is near a vehicle, against closed forms: `bumper`, `objects`, `radar`, `uwb`, `sonar`.

use crate::support::{Table, Workspace};

/// Returns a sensor with a sample every 10 ms, the length of the step.
fn sensor(class: &str, content: &str) -> String {
    format!(
        "<sensor class=\"{class}\" name=\"one\"><sensor_period>0.01</sensor_period>{content}</sensor>"
    )
}

/// Returns a robot at a pose that imposes a forward velocity, m/s, and a yaw rate, deg/s. Its outline is that of a
/// rectangle of 1 m by 0.8 m, and its box reaches from the ground to 1.2 m.
fn robot(name: &str, pose: &str, [v, w]: [f64; 2], more: &str) -> String {
    format!(
        "<vehicle name=\"{name}\"><init_pose>{pose}</init_pose><dynamics class=\"differential\">\
         <chassis mass=\"50\" zmin=\"0.2\" zmax=\"1.2\"><shape><pt>-0.5 -0.4</pt><pt>0.5 -0.4</pt>\
         <pt>0.5 0.4</pt><pt>-0.5 0.4</pt></shape></chassis><controller class=\"twist_ideal\">\
         <V>{v}</V><W>{w}</W></controller></dynamics>\n{more}</vehicle>\n"
    )
}

fn world(content: &str) -> String {
    format!("<mvsim_world><simul_timestep>0.01</simul_timestep>\n{content}</mvsim_world>")
}

fn wall([x0, y0]: [f64; 2], [x1, y1]: [f64; 2]) -> String {
    format!(
        "<element class=\"vertical_plane\"><x0>{x0}</x0><y0>{y0}</y0><x1>{x1}</x1><y1>{y1}</y1>\
         <height>12</height></element>\n"
    )
}

/// Returns a block that stands still, with this geometry.
fn block(name: &str, pose: &str, geometry: &str) -> String {
    format!(
        "<block name=\"{name}\"><init_pose>{pose}</init_pose><static>true</static>\
         <geometry {geometry}/></block>\n"
    )
}

/// Runs a world, and returns its folder.
fn run(content: &str, seconds: &str) -> Workspace {
    let workspace = Workspace::new(&world(content));
    workspace.simulate(&["--duration", seconds]);
    workspace
}

/// Returns the readings of the sensor `one` of the vehicle `a`.
fn readings(content: &str, seconds: &str) -> Table {
    run(content, seconds).table("a.one.csv")
}

fn last(table: &Table, column: &str) -> f64 {
    *table.numbers(column).last().unwrap()
}

/// Returns the message of a world with an error.
fn error(content: &str) -> String {
    let workspace = Workspace::new(&world(content));
    let outcome = workspace.run(&["world.xml", "--duration", "0.1"]);
    assert_ne!(outcome.code, 0, "{content}");
    outcome.stderr
}

/// Sectors to the right, ahead, to the left and behind.
const BUMPER: &str = "<pose>0 0 45</pose><sectors>4</sectors>";

fn pressed(table: &Table) -> Vec<[f64; 4]> {
    let columns = [0, 1, 2, 3].map(|sector| table.numbers(&format!("pressed_{sector}")));
    (0..columns[0].len()).map(|row| [0, 1, 2, 3].map(|sector| columns[sector][row])).collect()
}

#[test]
fn a_bumper_feels_a_wall_ahead_when_the_vehicle_reaches_it() {
    let ahead = wall([2.0, -3.0], [2.0, 3.0]);
    let table = readings(
        &format!("{ahead}{}", robot("a", "0 0 0", [1.0, 0.0], &sensor("bumper", BUMPER))),
        "3",
    );
    let (times, pressed) = (table.numbers("time_s"), pressed(&table));
    for (time, pressed) in times.iter().zip(&pressed) {
        // the front reaches the wall after 1.5 s, less half the thickness of the wall
        if *time < 1.3 {
            assert_eq!(*pressed, [0.0; 4], "{time} s");
        } else if *time > 1.6 {
            assert_eq!(*pressed, [0.0, 1.0, 0.0, 0.0], "{time} s");
        }
    }
    assert_eq!(last(&table, "any"), 1.0);
}

#[test]
fn the_force_of_a_bumper_balances_the_wheels() {
    let car = |more: &str| {
        format!(
            "{}<vehicle name=\"a\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\">\
             <chassis mass=\"50\" zmin=\"0.05\" zmax=\"0.4\"/><controller class=\"raw\"/></dynamics>\
             <friction class=\"default\"><mu>0.8</mu></friction>{more}</vehicle>",
            wall([1.5, -3.0], [1.5, 3.0])
        )
    };
    let workspace = Workspace::new(&world(&car(&sensor("bumper", BUMPER))));
    workspace.write("commands.csv", "time_s,vehicle,kind,v1,v2\n0,a,torque,1.5,1.5\n");
    let record = ["--commands", "commands.csv", "--record", "a/wheel/*/fx"];
    workspace.simulate(&[&["--duration", "10"][..], &record].concat());
    let (table, forces) = (workspace.table("a.one.csv"), workspace.table("quantities.csv"));
    let driving = last(&forces, "a/wheel/l/fx [N]") + last(&forces, "a/wheel/r/fx [N]");
    let found = last(&table, "force_n_1");
    assert_eq!(last(&table, "pressed_1"), 1.0);
    assert!(driving > 5.0 && (found / driving - 1.0).abs() < 0.02, "{found} {driving}");
}

#[test]
fn a_bumper_feels_who_comes_from_behind() {
    let still = robot("a", "0 0 0", [0.0, 0.0], &sensor("bumper", BUMPER));
    let table = readings(&format!("{still}{}", robot("b", "-3 0.1 0", [1.0, 0.0], "")), "3");
    assert_eq!(pressed(&table).first(), Some(&[0.0; 4]));
    assert_eq!(pressed(&table).last(), Some(&[0.0, 0.0, 0.0, 1.0]));
    // it drives on until its front is far from the back of the other
    let table = readings(
        &format!(
            "{}{}",
            wall([1.0, -3.0], [1.0, 3.0]),
            robot("a", "0.4 0 0", [-0.5, 0.0], &sensor("bumper", BUMPER))
        ),
        "2",
    );
    assert_eq!(pressed(&table).last(), Some(&[0.0; 4]));
}

const OBJECTS: &str = "<pose_3d>0.3 0 0.5 90 0 0</pose_3d><max_range>20</max_range>\
     <max_objects>3</max_objects>";

#[test]
fn objects_are_listed_by_distance_relative_to_the_sensor() {
    let own = robot("a", "1 2 30", [1.0, 20.0], &sensor("objects", OBJECTS));
    let other = robot("b", "6 2 90", [2.0, -10.0], "");
    let post = block("post", "1 5 0", "type=\"cylinder\" radius=\"0.5\" length=\"2\"");
    let far = block("far", "1 40 0", "type=\"box\" lx=\"1\" ly=\"1\" lz=\"1\"");
    let workspace = run(&format!("{own}{other}{post}{far}"), "2");
    let (table, truth) = (workspace.table("a.one.csv"), workspace.table("trajectory.csv"));
    let place = |name: &str| {
        let table = truth.only("vehicle", name);
        ["x_m", "y_m", "yaw_rad", "vx_mps", "omega_radps"].map(|column| last(&table, column))
    };
    let ([x, y, yaw, v, w], [bx, by, byaw, bv, bw]) = (place("a"), place("b"));
    let (sin, cos) = yaw.sin_cos();
    let sensor = [x + 0.3 * cos, y + 0.3 * sin];
    // the sensor looks to the left of the vehicle
    let see = |[dx, dy]: [f64; 2]| [-sin * dx + cos * dy, -cos * dx - sin * dy];
    let found = |reading: &str, place: usize| last(&table, &format!("{reading}_{place}"));
    assert_eq!((last(&table, "count"), last(&table, "total")), (2.0, 2.0));
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
    let classes = std::fs::read_to_string(workspace.path("out/classes.csv")).unwrap();
    let class = |place: usize| {
        let number = format!("{},", found("class", place));
        let line = classes.lines().find(|line| line.starts_with(&number));
        line.unwrap().split_once(',').unwrap().1.to_owned()
    };
    assert_eq!([class(row), class(1 - row)], ["vehicle", "block"]);
}

#[test]
fn a_wall_hides_objects_only_with_line_of_sight() {
    let count = |more: &str| {
        let own = robot("a", "0 0 0", [0.0; 2], &sensor("objects", &format!("{OBJECTS}{more}")));
        let hidden = robot("b", "6 0 0", [0.0; 2], "");
        let seen = robot("c", "0 6 0", [0.0; 2], "");
        let table =
            readings(&format!("{own}{hidden}{seen}{}", wall([3.0, -2.0], [3.0, 2.0])), "0.1");
        (last(&table, "count"), last(&table, "entity_0"))
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
    let own = robot("a", "0 0 0", [2.0, 0.0], &sensor("radar", RADAR));
    let table = readings(&format!("{own}{}", robot("b", "40 0 180", [5.0, 0.0], "")), "1");
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
    assert_eq!((last(&table, "count"), last(&table, "entity_0")), (1.0, 1.0));
}

#[test]
fn a_radar_in_the_middle_of_a_circle_measures_no_speed() {
    let radar = format!(
        "{RADAR}<horz_fov_degrees>360</horz_fov_degrees><horz_nrays>720</horz_nrays>\
         <azimuth_resolution_deg>15</azimuth_resolution_deg>"
    )
    .replace("0.5 0 0.7", "0 0 0.7");
    let own = robot("a", "0 0 0", [0.0; 2], &sensor("radar", &radar));
    // a robot on a circle of 10 m, on which the sensor of the other turns by the same angle
    let other = robot("b", "10 0 90", [5.0, 0.5f64.to_degrees()], "");
    let table = readings(&format!("{own}{other}"), "3");
    let [speed, azimuth] = ["radial_speed_mps_0", "azimuth_rad_0"].map(|name| table.numbers(name));
    for (row, time) in table.numbers("time_s").iter().enumerate() {
        assert!(speed[row].abs() < 0.15, "{} m/s at {time} s", speed[row]);
        let expected = 0.5 * time;
        assert!((azimuth[row] - expected).abs() < 0.02, "{} at {time} s", azimuth[row]);
    }
    // driven past, a wall recedes with the cosine of its azimuth
    let own = robot("a", "0 0 0", [3.0, 0.0], &sensor("radar", RADAR));
    let table = readings(&format!("{own}{}", wall([-50.0, 5.0], [150.0, 5.0])), "0.2");
    let count = last(&table, "count") as usize;
    assert!(count > 4, "{count}");
    for place in 0..count {
        let of = |name: &str| last(&table, &format!("{name}_{place}"));
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
    let own = robot("a", "0 0 0", [0.0; 2], &sensor("radar", &radar));
    let cross_section = |x: f64| {
        let ball = block("ball", &format!("{x} 0 0"), "type=\"sphere\" radius=\"0.8\"");
        let table = readings(&format!("{own}{ball}"), "0.02");
        assert_eq!(last(&table, "count"), 1.0);
        last(&table, "cross_section_m2_0")
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
        let own = robot("a", "0 0 0", [0.0; 2], &sensor("radar", &radar));
        // a front of 1 m² has 4 · 0.5 · 1 m²
        let table = readings(&format!("{own}{}", robot("b", "40 0 0", [0.0; 2], "")), "0.02");
        last(&table, "count")
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
    let own = robot("a", "0 0 0", [1.0, 30.0], &sensor("uwb", &uwb));
    // between the robot and the third anchor
    let workspace = run(&format!("{own}{}", wall([-5.0, -9.0], [-5.0, 9.0])), "2");
    let (table, truth) = (workspace.table("a.one.csv"), workspace.table("trajectory.csv"));
    let [x, y, yaw] = ["x_m", "y_m", "yaw_rad"].map(|column| last(&truth, column));
    let tag = [x + 0.2 * yaw.cos() - 0.1 * yaw.sin(), y + 0.2 * yaw.sin() + 0.1 * yaw.cos()];
    let distance =
        |[ax, ay]: [f64; 2]| ((ax - tag[0]).powi(2) + (ay - tag[1]).powi(2) + 4.0).sqrt();
    for (place, anchor) in [[10.0, 0.0], [0.0, 10.0]].into_iter().enumerate() {
        let found = last(&table, &format!("range_m_{place}"));
        assert!((found - distance(anchor)).abs() < 1e-6, "{found} {}", distance(anchor));
        assert_eq!(last(&table, &format!("line_of_sight_{place}")), 1.0);
    }
    // the late path is 0.5 m longer on average
    let blocked = table.numbers("range_m_2");
    let excess = blocked.last().unwrap() - distance([-10.0, 0.0]);
    assert!(excess > 0.0, "{excess}");
    assert!(table.numbers("line_of_sight_2").iter().all(|clear| *clear == 0.0));
    assert_eq!(
        [last(&table, "valid_3"), last(&table, "range_m_3"), last(&table, "count")],
        [0.0, 0.0, 3.0]
    );
}

#[test]
fn a_sonar_measures_the_nearest_point_in_its_cone() {
    let range = |height: f64, fov: f64, content: &str| {
        let sonar = format!(
            "<pose_3d>0 0 {height} 0 0 0</pose_3d><fov_degrees>{fov}</fov_degrees><rings>30</rings>\
             <range_std_noise>0</range_std_noise><max_range>10</max_range>"
        );
        let own = robot("a", "0 0 0", [0.0; 2], &sensor("sonar", &sonar));
        let table = readings(&format!("{own}{content}"), "0.02");
        (last(&table, "range_m"), last(&table, "valid"))
    };
    // the nearest point of a plane whose normal is in the cone lies along the normal
    for degrees in [0.0f64, 20.0, 29.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let along = |side: f64| [4.0 * cos - side * sin, 4.0 * sin + side * cos];
        let (found, valid) = range(6.0, 60.0, &wall(along(-9.0), along(9.0)));
        // planes have a thickness, and rays are 1° apart
        assert!((found - 4.0).abs() < 0.11 && valid == 1.0, "{found} m at {degrees}°");
    }
    let ball =
        |x: f64, y: f64| block("ball", &format!("{x} {y} 0"), "type=\"sphere\" radius=\"0.8\"");
    let (found, _) = range(0.6, 30.0, &ball(2.5, 0.2));
    let expected = (6.25f64 + 0.04 + 0.36).sqrt() - 0.8;
    assert!((found - expected).abs() < 1e-3, "{found}, expected {expected}");
    // the lower edge of the cone meets the ground
    let (found, _) = range(0.6, 30.0, &ball(0.0, 5.0));
    assert!((found - 0.6 / 15f64.to_radians().sin()).abs() < 1e-3, "{found}");
    assert_eq!(range(6.0, 30.0, ""), (10.0, 0.0));
}

#[test]
fn readings_do_not_depend_on_threads_or_snapshots() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let file = |suffix: &str| folder.join(format!("nearby.{suffix}")).display().to_string();
    let (path, commands) = (file("world.xml"), file("commands.csv"));
    let workspace = Workspace::new("");
    let names = ["bumper", "objects", "radar", "sonar", "uwb"];
    // the last line of each file
    let take = |more: &[&str]| {
        let run = ["--commands", &commands, "--duration", "5", "--out", "out"];
        let outcome = workspace.run(&[&[path.as_str()][..], &run, more].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        names.map(|name| {
            let text = std::fs::read_to_string(workspace.path(&format!("out/cart.{name}.csv")));
            text.unwrap().lines().last().unwrap().to_owned()
        })
    };
    let first = take(&["--snapshot-every", "4.6", "--snapshot-dir", "kept"]);
    assert!(first[0].starts_with("5,1,"), "the cart pushes a crate: {}", first[0]);
    assert_eq!(take(&["--threads", "4"]), first, "four threads");
    let kept = std::fs::read_dir(workspace.path("kept")).unwrap().next().unwrap().unwrap().path();
    assert_eq!(take(&["--resume", kept.to_str().unwrap()]), first, "resumed");
}

#[test]
fn wrong_parameters_are_reported_with_their_lines() {
    let car = |class: &str, content: &str| {
        robot("a", "0 0 0", [0.0; 2], &format!("<sensor class=\"{class}\">\n{content}</sensor>"))
    };
    for (class, content, words) in [
        ("bumper", "<sectors>0</sectors>", ["sectors", "0", "1"]),
        ("objects", "<max_objects>1000</max_objects>", ["max_objects", "1000", "128"]),
        ("radar", "<horz_fov_degrees>720</horz_fov_degrees>", ["horz_fov_degrees", "720", "360"]),
        ("radar", "<min_range>9</min_range><max_range>5</max_range>", ["min_range", "9", "5"]),
        ("uwb", "<anchor><x>1</x><y>2</y></anchor>", ["anchor", "`z`", ""]),
        ("uwb", "<max_range>9</max_range>", ["anchor", "", ""]),
        ("radar", "<horz_nray>5</horz_nray>", ["horz_nray", "horz_nrays", ""]),
    ] {
        let text = error(&car(class, content));
        assert!(text.contains("world.xml:3") || text.contains("world.xml:4"), "{text}");
        assert!(words.iter().all(|word| text.contains(word)), "{words:?}: {text}");
    }
}
