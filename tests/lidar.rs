//! Lidars in space, from the world to the files.

use std::path::Path;

use crate::support::bad_plugins;
use crate::support::clouds::Cloud;
use crate::support::runs::Run;
use crate::support::world::{Vehicle, World, differential, model, vehicle};

/// Returns a robot with an imposed forward velocity, m/s, and yaw rate, deg/s, and a lidar.
fn robot([v, w]: [f64; 2], lidar: &str) -> Vehicle {
    let chassis = "<chassis mass=\"15\" zmin=\"0.05\" zmax=\"0.4\"/>";
    vehicle(model("differential").xml(chassis))
        .controller(model("twist_ideal").set("V", v).set("W", w))
        .pose(0, 0, 0)
        .xml(&format!(
            "<sensor class=\"lidar3d\" name=\"lidar\"><pose_3d>0 0 0.8 0 0 0</pose_3d>{lidar}</sensor>\n"
        ))
}

/// Returns a world with a lidar on a vehicle, and 2 m high walls at x = ±5 m and y = ±4 m around it.
fn moving(twist: [f64; 2], lidar: &str) -> World {
    World::new().step(0.01).set("duration", 0.3).vehicle("car", robot(twist, lidar)).xml(
        "<walls><wallHeight>2</wallHeight><shape><pt>-5 -4</pt><pt>5 -4</pt><pt>5 -4</pt><pt>5 4</pt>\
         <pt>5 4</pt><pt>-5 4</pt><pt>-5 4</pt><pt>-5 -4</pt></shape></walls>",
    )
}

/// Returns such a world with a vehicle that stands still and a lidar without noise.
fn world(lidar: &str) -> World {
    moving([0.0; 2], &format!("<range_std_noise>0</range_std_noise>{lidar}"))
}

/// Runs a world and returns the sample of its lidar at a time in tenths of seconds. Each tenth has
/// a sample.
fn cloud(world: &World, tenths: usize) -> Cloud {
    world.run(0.3).clouds("car.lidar").remove(tenths - 1)
}

#[test]
fn a_cloud_lies_on_the_walls_and_on_the_ground() {
    let cloud = cloud(&world("<vert_nrays>9</vert_nrays><horz_nrays>72</horz_nrays>"), 1);
    let start = "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n\
        FIELDS x y z range intensity ring time entity class return\nSIZE 4 4 4 4 4 2 4 4 2 2\n\
        TYPE F F F F F U F U U U\nCOUNT 1 1 1 1 1 1 1 1 1 1\n";
    assert!(cloud.header.starts_with(start), "{}", cloud.header);
    assert!(cloud.header.contains("\nHEIGHT 1\nVIEWPOINT 0 0 0.8 1 0 0 0\n"), "{}", cloud.header);
    // the rays of the highest rings pass above the walls only where these are far
    assert!(cloud.len() > 500, "{} points", cloud.len());
    for ([x, y, z], range) in cloud.points().zip(cloud.field("range")) {
        let is_on_wall = (x.abs() - 5.0).abs() < 0.11 || (y.abs() - 4.0).abs() < 0.11;
        let is_on_ground = (z + 0.8).abs() < 1e-5;
        let is_on_car = x.abs() < 0.5 && y.abs() < 0.5;
        assert!(is_on_wall || is_on_ground || is_on_car, "{x} {y} {z}");
        assert!((range - (x * x + y * y + z * z).sqrt()).abs() < 1e-5);
    }
    let rings = cloud.field("ring");
    let keys: Vec<_> = cloud.field("time").iter().zip(rings).collect();
    assert!(keys.is_sorted_by(|a, b| a <= b), "ordered by time and ring");
    assert!(cloud.field("intensity").iter().all(|value| (0.0..=1.0).contains(value)));
}

#[test]
fn numbers_have_names() {
    let run = world("<vert_nrays>9</vert_nrays>").run(0.3);
    let cloud = &run.clouds("car.lidar")[2];
    let (classes, instances) = (run.names("classes.csv"), run.names("instances.csv"));
    let mut seen: Vec<(&str, &str)> = (0..cloud.len())
        .map(|k| {
            let [entity, class] = ["entity", "class"].map(|name| cloud.field(name)[k] as u32);
            (instances[&entity].as_str(), classes[&class].as_str())
        })
        .collect();
    seen.sort_unstable();
    seen.dedup();
    for pair in [("wall1", "wall"), ("wall4", "wall"), ("ground", "ground")] {
        assert!(seen.contains(&pair), "{pair:?}: {seen:?}");
    }
}

#[test]
fn the_own_vehicle_is_seen_unless_it_is_left_out() {
    let seen = |tag: &str| {
        // the rays that point steeply down meet the chassis
        let lidar = format!("<vert_fov_degrees>170</vert_fov_degrees>{tag}");
        let cloud = cloud(&world(&lidar), 1);
        cloud.points().filter(|[x, y, z]| x.hypot(*y) < 0.3 && *z > -0.6).count()
    };
    assert!(seen("") > 20);
    assert_eq!(seen("<ignore_parent_body>true</ignore_parent_body>"), 0);
}

#[test]
fn samples_do_not_depend_on_threads_or_snapshots() {
    let lidar = "<range_std_noise>0.02</range_std_noise><spin>10</spin>\
        <angle_std_noise_deg>0.1</angle_std_noise_deg><horz_nrays>700</horz_nrays>";
    let world = moving([1.5, 0.8], lidar);
    let bytes = |run: &Run| std::fs::read(run.path("car.lidar/0000000000300000000.pcd")).unwrap();
    let first = bytes(&world.run(0.3));
    for threads in [2, 4] {
        assert_eq!(bytes(&world.clone().threads(threads).run(0.3)), first, "{threads} threads");
    }
    assert_eq!(bytes(&world.resume(&world.snapshot(0.15), 0.3)), first, "resumed");
}

#[test]
fn a_moving_sensor_distorts_the_points_of_a_sweep() {
    // towards the wall in front at 2 m/s: the wall was 0.2 m farther away at the start of the sweep
    let wall = |spin: &str| -> Vec<[f64; 2]> {
        let lidar = "<range_std_noise>0</range_std_noise><vert_nrays>3</vert_nrays>\
                     <horz_nrays>360</horz_nrays>";
        let cloud = cloud(&moving([2.0, 0.0], &format!("{lidar}{spin}")), 3);
        let points = cloud.points().zip(cloud.field("time"));
        let behind = points.filter(|([x, y, z], _)| *x < -4.0 && y.abs() < 1.0 && z.abs() < 0.1);
        behind.map(|([x, ..], time)| [x, *time]).collect()
    };
    let (flash, sweep) = (wall(""), wall("<spin>10</spin>"));
    let [x, time] = flash[0];
    assert_eq!(time, 0.0);
    assert!(flash.iter().all(|[other, _]| (other - x).abs() < 1e-5));
    assert!(sweep.iter().any(|[_, time]| *time < -0.09) && sweep.iter().any(|[_, t]| *t > -0.01));
    for [other, time] in sweep {
        assert!((other - (x - 2.0 * time)).abs() < 1e-4, "{other} at {time}, {x} at the end");
    }
}

const WALL: &str =
    "<walls><wallHeight>3</wallHeight><shape><pt>5 -9</pt><pt>5 9</pt></shape></walls>";

#[test]
fn a_laser_over_a_full_turn_has_no_ray_twice() {
    let laser = "<sensor class=\"laser\" name=\"scan\"><pose>0 0 0</pose><fov_degrees>360</fov_degrees>\
        <nrays>4</nrays><range_std_noise>0</range_std_noise><angle_std_noise_deg>0</angle_std_noise_deg></sensor>";
    let world = World::new().step(0.01).xml(laser);
    let world = world.wall([-1.0, -9.0], [-1.0, 9.0], 2.0).wall([3.0, -9.0], [3.0, 9.0], 2.0);
    let world = world.wall([-9.0, -2.0], [9.0, -2.0], 2.0).wall([-9.0, 4.0], [9.0, 4.0], 2.0);
    let run = world.run(0.2);
    let table = run.readings("scan");
    let ranges = [0, 1, 2, 3].map(|ray| table.last(&format!("range_m_{ray}")));
    // from behind, counter-clockwise
    for (range, expected) in ranges.iter().zip([1.0, 2.0, 3.0, 4.0]) {
        assert!((range - expected).abs() < 0.11, "{ranges:?}");
    }
}

#[test]
fn a_laser_in_space_scans_a_tilted_plane() {
    let laser = |more: &str| {
        let robot = differential().pose(0, 0, 0).xml(&format!(
            "<sensor class=\"laser\" name=\"eye\"><pose_3d>0 0 1 0 30 0</pose_3d><nrays>3</nrays>\
             <range_std_noise>0</range_std_noise><angle_std_noise_deg>0</angle_std_noise_deg>\
             {more}</sensor>"
        ));
        let world = World::new().step(0.01).vehicle("car", robot).xml(WALL);
        world.run(0.1).readings("eye").numbers("range_m_1")[0]
    };
    // 30° down from a height of 1 m, the ray ahead meets the ground after 2 m
    assert!((laser("<raytrace_3d>true</raytrace_3d>") - 2.0).abs() < 1e-9);
    assert!((laser("") - 4.95).abs() < 0.06);
    // the level scan sees its own body only if the world asks for it
    let own = "<pose_3d>0 0 0.15 0 0 0</pose_3d><ignore_parent_body>false</ignore_parent_body>";
    let text = own.replace("<pose_3d>0 0 0.15 0 0 0</pose_3d>", "<height>0.15</height>");
    assert!(laser(&text) < 1.0);
}

#[test]
fn one_reading_becomes_a_file_with_pictures() {
    let workspace = world("<vert_nrays>9</vert_nrays>").workspace();
    let arguments = ["sense", "world.xml", "--sensor", "car/lidar", "--at", "0.12", "--out", "one"];
    let outcome = workspace.run(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let file =
        |ending: &str| workspace.path(&format!("one/car.lidar/0000000000200000000.{ending}"));
    let sensed = std::fs::read(file("pcd")).unwrap();
    for ending in ["png", "ranges.png"] {
        assert!(std::fs::read(file(ending)).unwrap().starts_with(b"\x89PNG"));
    }
    let run = world("<vert_nrays>9</vert_nrays>").run(0.3);
    let of_run = std::fs::read(run.path("car.lidar/0000000000200000000.pcd")).unwrap();
    assert_eq!(sensed, of_run, "the reading of a run");
    let outcome = workspace.run(&["sense", "world.xml", "--sensor", "car/lidr", "--at", "1"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("did you mean `car/lidar`?"), "{}", outcome.stderr);
}

#[test]
fn mistakes_are_reported_with_their_place() {
    let cases = [
        ("<vert_nrays>0</vert_nrays>", "vert_nrays"),
        ("<horz_nrays>0</horz_nrays>", "horz_nrays"),
        ("<horz_fov_degrees>0</horz_fov_degrees>", "horz_fov_degrees"),
        ("<horz_fov_degrees>720</horz_fov_degrees>", "horz_fov_degrees"),
        ("<vert_fov_degrees>0</vert_fov_degrees>", "vert_fov_degrees"),
        ("<min_range>100</min_range>", "min_range is 100 m, expected less than max_range, 80 m"),
        ("<vertical_ray_angles>1 2 99</vertical_ray_angles>", "vertical_ray_angles"),
        (
            "<vert_nrays>1024</vert_nrays><horz_nrays>100000</horz_nrays>",
            "make 102400000 rays, expected at most 2097152",
        ),
        ("<spin>1e4</spin>", "spin"),
    ];
    for (tags, message) in cases {
        world(tags).fails("<sensor", &[message]);
    }
}

#[test]
fn tags_of_depth_images_are_accepted_with_a_note() {
    let tag = "<horz_resolution_factor>2</horz_resolution_factor>";
    let warnings = world(tag).warnings().concat();
    assert!(warnings.contains("`horz_resolution_factor` has no effect"), "{warnings}");
}

#[test]
fn a_sensor_of_a_plugin_casts_rays_in_space() {
    let dome = "<sensor class=\"dome\" name=\"eye\"><sensor_period>0.1</sensor_period></sensor>";
    let world = World::new().step(0.01).set("duration", 0.1);
    let world = world.vehicle("car", differential().pose(0, 0, 0).xml(dome)).xml(WALL);
    let cloud = |name: &str, macros: &[&str]| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lidar").join(name);
        bad_plugins::build_of("dome.c", &folder, "dome", macros);
        world.clone().plugins(&folder).run(0.1).clouds("car.eye").remove(0)
    };
    let is_near = |a: f64, b: f64| (a - b).abs() < 1e-5;
    let found = cloud("space", &[]);
    assert!(
        found.header.contains("FIELDS x y z class facing\nSIZE 4 4 4 2 4\n"),
        "{}",
        found.header
    );
    let points: Vec<_> = found.points().collect();
    assert!((points[0][0] - 4.95).abs() < 0.06 && points[0][2] == 0.0, "{points:?}");
    assert!(is_near(points[1][0], 1.5) && is_near(points[1][2], -1.5), "{points:?}");
    assert!(is_near(points[2][0], 0.0) && is_near(points[2][2], -1.5), "{points:?}");
    let facing = found.field("facing");
    assert!(is_near(facing[0], 1.0) && is_near(facing[1], 0.5f64.sqrt()), "{facing:?}");
    let class = found.field("class");
    assert!(class[0] != class[1] && class[1] == class[2], "wall and ground: {class:?}");
    // all of its rays stay in the plane, and find the wall ahead
    let flat = cloud("flat", &["FLAT"]);
    let ranges = flat.points().map(|[x, _, z]| x.hypot(z));
    assert!(ranges.into_iter().all(|range| (range - 4.95).abs() < 0.06));
}
