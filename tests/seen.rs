//! What lidars see: wheels, visuals, semantic classes, blocks without contacts and heights of maps.

use std::path::Path;

use crate::support::runs::Run;
use crate::support::world::{World, model, vehicle};

/// Points that a lidar at the origin, 0.5 m above the ground, sees.
struct Seen {
    /// Position in the frame of the sensor, entity and class of each point.
    points: Vec<([f64; 3], String, String)>,
}

/// Returns a world with the lidar.
fn world(content: &str) -> World {
    let sensor = "<sensor class=\"lidar3d\" name=\"lidar\"><pose_3d>0 0 0.5 0 0 0</pose_3d>\n\
        <range_std_noise>0</range_std_noise><vert_nrays>48</vert_nrays><horz_nrays>720</horz_nrays>\n\
        <vert_fov_degrees>60</vert_fov_degrees></sensor>\n";
    World::new().xml(sensor).xml(content)
}

impl Seen {
    fn of(content: &str) -> Self {
        Self::by(&world(content).run(0.1))
    }

    /// Sees a world whose files are in a folder.
    fn within(folder: &Path, content: &str) -> Self {
        Self::by(&world(content).folder(folder).run(0.1))
    }

    fn by(run: &Run) -> Self {
        let (classes, instances) = (run.names("classes.csv"), run.names("instances.csv"));
        let clouds = run.clouds("world.lidar");
        let cloud = clouds.last().unwrap();
        let (entity, class) = (cloud.field("entity"), cloud.field("class"));
        let points = cloud.points().zip(entity.iter().zip(class));
        let points = points.map(|(point, (entity, class))| {
            (point, instances[&(*entity as u32)].clone(), classes[&(*class as u32)].clone())
        });
        Self { points: points.collect() }
    }

    fn of_class<'s>(&'s self, class: &'s str) -> impl Iterator<Item = [f64; 3]> + 's {
        self.points.iter().filter(move |(.., own)| own == class).map(|(point, ..)| *point)
    }
}

#[test]
fn wheels_stand_at_their_steering_angle() {
    let car = |steer: &str| {
        format!(
            "<vehicle name=\"car\"><init_pose>5 0 0</init_pose><dynamics class=\"ackermann\">\
             <chassis mass=\"1500\" zmin=\"0.9\" zmax=\"1.4\"/>\
             <controller class=\"twist_front_steer_pid\"><W>{steer}</W><V>0.5</V></controller>\
             </dynamics></vehicle>"
        )
    };
    let seen = Seen::of(&car("0"));
    let wheels: Vec<_> = seen.of_class("wheel").collect();
    assert!(wheels.len() > 30, "{} points on wheels", wheels.len());
    // the wheels of the rear axle at x = 5 m have a diameter of 0.4 m and a width of 0.2 m
    let off = |[x, y, z]: &[f64; 3]| {
        let to_axle = |axle: f64| ((x - axle).powi(2) + (z + 0.5 - 0.2).powi(2)).sqrt();
        let on_tread = (to_axle(5.0) - 0.2).abs().min((to_axle(6.3) - 0.2).abs());
        let on_face = (y.abs() - 0.8).abs().min((y.abs() - 0.9).abs());
        on_tread.min(on_face)
    };
    let largest = wheels.iter().map(off).fold(0.0, f64::max);
    assert!(largest < 0.01, "{largest} m beside the wheels");
    assert!(seen.of_class("vehicle").all(|[_, _, z]| z + 0.5 > 0.899), "nothing below the chassis");
    let all = seen.points.iter().filter(|(.., class)| class == "wheel");
    assert!(all.into_iter().all(|(_, entity, _)| entity == "car"));
}

#[test]
fn semantic_classes_have_names() {
    let content = "<block:class name=\"post\"><semantic class=\"pole\"/><shape><pt>0 0</pt>\
        <pt>0.5 0</pt><pt>0.5 0.5</pt><pt>0 0.5</pt></shape><static>true</static></block:class>\
        <block name=\"a\" class=\"post\"><init_pose>3 0 0</init_pose></block>\
        <block name=\"b\" class=\"post\"><init_pose>0 3 0</init_pose><semantic class=\"tree\"/></block>\
        <block name=\"c\"><init_pose>0 -3 0</init_pose></block>\
        <walls><shape><pt>-4 -4</pt><pt>-4 4</pt></shape><semantic class=\"fence\"/></walls>\
        <element class=\"vertical_plane\"><x0>6</x0><y0>-4</y0><x1>6</x1><y1>4</y1></element>";
    let seen = Seen::of(content);
    let mut pairs: Vec<_> =
        seen.points.iter().map(|(_, entity, class)| (entity.as_str(), class.as_str())).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let expected = [
        ("block/a", "pole"),
        ("block/b", "tree"),
        ("block/c", "block"),
        ("ground", "ground"),
        ("plane/vertical_plane1", "wall"),
        ("wall1", "fence"),
    ];
    assert_eq!(pairs, expected);
}

#[test]
fn a_block_is_seen_as_its_visual() {
    let folder = tempfile::tempdir().unwrap();
    // a square of 2 m, 1 m wide at y = 0, that stands upright
    let model = "v 0 -1 0\nv 0 1 0\nv 0 1 2\nv 0 -1 2\nf 1 2 3\nf 1 3 4\n";
    std::fs::write(folder.path().join("sign.obj"), model).unwrap();
    let block = |more: &str| {
        format!(
            "<block name=\"sign\"><init_pose>4 0 0</init_pose><static>true</static>\
             <visual {more}><model_uri>sign.obj</model_uri><model_scale>0.5</model_scale>\
             <model_offset_x>0.25</model_offset_x></visual></block>"
        )
    };
    let seen = Seen::within(folder.path(), &block(""));
    let points: Vec<_> = seen.of_class("block").collect();
    assert!(points.len() > 50, "{} points", points.len());
    for [x, y, z] in points {
        assert!((x - 4.25).abs() < 1e-4 && y.abs() < 0.501 && z + 0.5 < 1.001, "{x} {y} {z}");
    }
    // the shape is a square of 1 m around the pose
    let hidden = Seen::within(folder.path(), &block("enabled=\"false\""));
    let nearest = hidden.of_class("block").map(|[x, ..]| x).fold(f64::INFINITY, f64::min);
    assert!((nearest - 3.5).abs() < 1e-4, "{nearest}");
}

#[test]
fn a_model_that_cannot_be_read_is_reported_with_its_line() {
    let block = "<block name=\"sign\"><init_pose>4 0 0</init_pose>\n\
        <visual><model_uri>bad.obj</model_uri></visual></block>";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.obj"), "v 0 0\nf 1 2 3\n").unwrap();
    let world = world(block).folder(folder.path());
    world.has_error("<model_uri", &["bad.obj"]);
}

#[test]
fn blocks_without_contacts_and_simple_bodies_are_seen() {
    let content = "<block name=\"ball\"><init_pose>4 0 0</init_pose><intangible>true</intangible>\
        <static>true</static><geometry type=\"sphere\" radius=\"1\"/></block>";
    let seen = Seen::of(content);
    let points: Vec<_> = seen.of_class("block").collect();
    assert!(points.len() > 200, "{} points", points.len());
    for [x, y, z] in points {
        let radius = ((x - 4.0).powi(2) + y * y + (z + 0.5).powi(2)).sqrt();
        assert!((radius - 1.0).abs() < 1e-4, "{x} {y} {z}");
    }
}

#[test]
fn a_lidar_sees_over_a_map_with_a_height() {
    let folder = tempfile::tempdir().unwrap();
    // the column at x = 4 m to 5 m is solid
    let row = "255 255 255 255 255 255 255 255 255 0 255 255\n";
    let map = format!("P2\n12 12\n255\n{}", row.repeat(12));
    std::fs::write(folder.path().join("map.pgm"), map).unwrap();
    let content = |height: &str| {
        format!(
            "<element class=\"occupancy_grid\"><file>map.pgm</file><resolution>1</resolution>\
             <centerpixel_x>5</centerpixel_x><centerpixel_y>6</centerpixel_y>{height}</element>\
             <element class=\"vertical_plane\"><x0>9</x0><y0>-9</y0><x1>9</x1><y1>9</y1>\
             <height>6</height></element>"
        )
    };
    let high = Seen::within(folder.path(), &content(""));
    assert!(high.of_class("map").count() > 500);
    assert!(high.of_class("map").any(|[_, _, z]| z > 1.0));
    assert!(high.of_class("wall").all(|[_, y, _]| y.abs() > 5.0), "the map hides the wall");
    let low = Seen::within(folder.path(), &content("<height>1</height>"));
    let top = low.of_class("map").map(|[_, _, z]| z + 0.5).fold(0.0, f64::max);
    assert!((0.9..1.001).contains(&top), "{top}");
    assert!(low.of_class("wall").filter(|[_, y, _]| y.abs() < 4.0).count() > 500);
    let wrong = world(&content("<height>-1</height>")).folder(folder.path());
    let (errors, line) = (wrong.errors(), wrong.line_with("<height>-1"));
    assert!(errors.iter().any(|error| error.at.0 == line), "{errors:?}");
}

#[test]
fn an_empty_semantic_class_is_an_error() {
    for class in ["<semantic/>", "<semantic class=\" \"/>"] {
        let block = format!("<block name=\"a\"><init_pose>1 0 0</init_pose>\n{class}</block>");
        world(&block).fails("<semantic", &["class"]);
    }
}

/// The classes of vehicles, and their controllers.
const CLASSES: [(&str, &str); 19] = [
    ("differential", "twist_ideal"),
    ("differential_3_wheels", "twist_ideal"),
    ("differential_4_wheels", "twist_ideal"),
    ("ackermann", "raw"),
    ("ackermann_drivetrain", "raw"),
    ("ackermann_powertrain", "pedals"),
    ("double_track", "wheel_torques"),
    ("ideal_steer_vel", "planning_raw"),
    ("ideal_steer_acc", "planning_raw"),
    ("delay_steer_vel", "planning_raw"),
    ("delay_steer_acc", "planning_raw"),
    ("delay_steer_acc_geared", "planning_raw"),
    ("four_mass_body", "actuator_targets"),
    ("kinematic_single_track", "steering_rate_acceleration"),
    ("kinematic_single_track_trailer", "steering_rate_acceleration"),
    ("single_track", "steering_rate_acceleration"),
    ("single_track_drift", "steering_rate_acceleration"),
    ("multi_body", "steering_rate_acceleration"),
    ("f1tenth_single_track", "steering_rate_acceleration"),
];

#[test]
fn the_wheels_of_every_class_are_seen_where_the_manifest_has_them() {
    for (class, controller) in CLASSES {
        let car = vehicle(model(class).xml("<chassis zmin=\"1.4\" zmax=\"1.5\"/>"))
            .controller(controller)
            .pose(4, 1.5, 30);
        let run = world(&World::new().vehicle("car", car).content()).run(0.1);
        let seen = Seen::by(&run);
        let manifest: serde_json::Value = serde_json::from_str(&run.read("manifest.json")).unwrap();
        let wheels = manifest["vehicles"][0]["wheels"].as_array().unwrap();
        let (sin, cos) = 30f64.to_radians().sin_cos();
        let places = wheels.iter().map(|wheel| {
            let [x, y] = [0, 1].map(|axis| wheel["position_m"][axis].as_f64().unwrap());
            [4.0 + cos * x - sin * y, 1.5 + sin * x + cos * y]
        });
        let places: Vec<_> = places.collect();
        let near = |at: &[f64; 2], point: &[f64; 3]| (at[0] - point[0]).hypot(at[1] - point[1]);
        let points: Vec<_> = seen.of_class("wheel").collect();
        // no wheel reaches further from its centre
        const REACH: f64 = 0.45;
        for point in &points {
            let away = places.iter().map(|at| near(at, point)).fold(f64::INFINITY, f64::min);
            assert!(away < REACH, "{class}: {point:?} is {away} m away from all wheels");
        }
        // the nearer wheels hide others
        let is_seen = |at: &&[f64; 2]| points.iter().any(|point| near(at, point) < REACH);
        let seen = places.iter().filter(is_seen).count();
        assert!(2 * seen >= places.len() && seen > 0, "{class}: {seen} wheels are seen");
    }
}

#[test]
fn bodies_on_a_slope_tilt_with_their_vehicle() {
    // a lidar above the roof of a car that stands nose down on a plane of 10°
    let car = |tags: &str| {
        vehicle(model("ackermann").xml(
            "<chassis mass=\"1500\" zmin=\"0.3\" zmax=\"1.5\"><shape><pt>-1 -0.9</pt><pt>3.5 -0.9</pt>\
             <pt>3.5 0.9</pt><pt>-1 0.9</pt></shape></chassis>",
        ))
        .controller("raw")
        .pose(0, 0, 180)
        .xml(&format!(
            "<sensor class=\"lidar3d\" name=\"top\"><pose_3d>-0.9 0 1.65 0 0 0</pose_3d>{tags}\
             <range_std_noise>0</range_std_noise><vert_nrays>9</vert_nrays>\
             <horz_nrays>360</horz_nrays><vert_fov_degrees>1</vert_fov_degrees></sensor>"
        ))
    };
    for tags in ["", "<ignore_parent_body>false</ignore_parent_body>"] {
        let cloud = World::new().slope(10.0).vehicle("car", car(tags)).run(0.1);
        let cloud = cloud.clouds("car.top").remove(0);
        // every ray is within 0.5° of the plane of the roof, 15 cm above it, and ends at the ground far away
        let nearest = cloud.field("range").iter().copied().fold(f64::INFINITY, f64::min);
        assert!(nearest > 20.0, "the nearest point is {nearest} m away, the roof");
    }
}

#[test]
fn a_tilted_body_is_seen_with_its_slope() {
    // a car stands along a plane that rises by 10°, and a lidar beside it sees its side
    let car = vehicle(model("ackermann").xml(
        "<chassis mass=\"1500\" zmin=\"0.3\" zmax=\"1.5\"><shape><pt>-1 -0.9</pt><pt>3.5 -0.9</pt>\
         <pt>3.5 0.9</pt><pt>-1 0.9</pt></shape></chassis>",
    ))
    .controller("raw")
    .pose(2, 4, 0);
    // the plane passes through the origin
    let plane =
        "<element class=\"horizontal_plane\"><init_pose3d>0 0 0 0 -10 0</init_pose3d></element>";
    let seen = Seen::of(&World::new().xml(plane).vehicle("car", car).content());
    let slope = 10f64.to_radians();
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    let points: Vec<_> = seen.of_class("vehicle").collect();
    assert!(points.len() > 200, "{}", points.len());
    for [x, _, z] in points {
        // height above the plane, along its normal
        let above = (z + 0.5) * slope.cos() - x * slope.sin();
        (lowest, highest) = (lowest.min(above), highest.max(above));
    }
    assert!(lowest > 0.29 && highest < 1.51, "from {lowest} to {highest} m above the plane");
}

#[test]
fn bodies_with_a_geometry_collide_as_they_are_seen() {
    let ramp = "<block name=\"ramp\"><init_pose>0 0 0</init_pose>\
        <geometry type=\"ramp\" lx=\"8\" ly=\"4\" lz=\"2\"/>";
    for (more, profile, height, corner) in [
        ("", None, 2.0, [8.0, 2.0]),
        ("<shape_from_visual/>", None, 2.0, [8.0, 2.0]),
        ("", Some("mvsim-1.2"), 1.0, [0.5, 0.5]),
        (
            "<shape><pt>-1 -1</pt><pt>1 -1</pt><pt>1 1</pt><pt>-1 1</pt></shape>",
            None,
            1.0,
            [1.0; 2],
        ),
    ] {
        let world = World::new().step(0.01).xml(&format!("{ramp}{more}</block>"));
        let world = profile.map_or(world.clone(), |profile| world.profile(profile));
        let (session, _) = world.open();
        let block = &session.world().description().unwrap().blocks[0];
        let furthest = |axis: usize| block.polygon.iter().map(|at| at[axis]).fold(0.0, f64::max);
        assert_eq!(
            (block.z_max, [furthest(0), furthest(1)]),
            (height, corner),
            "{more} {profile:?}"
        );
    }
}
