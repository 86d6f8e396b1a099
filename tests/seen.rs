//! What lidars see: wheels, visuals, semantic classes, blocks without contacts and heights of maps.

use std::collections::BTreeMap;

use crate::support::Workspace;
use crate::support::clouds::Cloud;
use crate::support::world::World;

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
        Self::within(&Workspace::new(""), content)
    }

    fn within(workspace: &Workspace, content: &str) -> Self {
        workspace.write("world.xml", &world(content).text());
        workspace.simulate(&["--duration", "0.1"]);
        let names = |file: &str| -> BTreeMap<usize, String> {
            let text = std::fs::read_to_string(workspace.path("out").join(file)).unwrap();
            let rows = text.lines().skip(1).map(|line| line.split_once(',').unwrap());
            rows.map(|(number, name)| (number.parse().unwrap(), name.to_owned())).collect()
        };
        let (classes, instances) = (names("classes.csv"), names("instances.csv"));
        let folder = std::fs::read_dir(workspace.path("out/world.lidar")).unwrap();
        let mut files: Vec<_> = folder.map(|file| file.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "pcd"));
        files.sort();
        let cloud = Cloud::read(files.last().unwrap());
        let (entity, class) = (cloud.field("entity"), cloud.field("class"));
        let points = cloud.points().zip(entity.iter().zip(class));
        let points = points.map(|(point, (entity, class))| {
            (point, instances[&(*entity as usize)].clone(), classes[&(*class as usize)].clone())
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
    assert!(wheels.len() > 50, "{} points on wheels", wheels.len());
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
    let workspace = Workspace::new("");
    // a square of 2 m, 1 m wide at y = 0, that stands upright
    let model = "v 0 -1 0\nv 0 1 0\nv 0 1 2\nv 0 -1 2\nf 1 2 3\nf 1 3 4\n";
    workspace.write("sign.obj", model);
    let block = |more: &str| {
        format!(
            "<block name=\"sign\"><init_pose>4 0 0</init_pose><static>true</static>\
             <visual {more}><model_uri>sign.obj</model_uri><model_scale>0.5</model_scale>\
             <model_offset_x>0.25</model_offset_x></visual></block>"
        )
    };
    let seen = Seen::within(&workspace, &block(""));
    let points: Vec<_> = seen.of_class("block").collect();
    assert!(points.len() > 50, "{} points", points.len());
    for [x, y, z] in points {
        assert!((x - 4.25).abs() < 1e-4 && y.abs() < 0.501 && z + 0.5 < 1.001, "{x} {y} {z}");
    }
    // the shape is a square of 1 m around the pose
    let hidden = Seen::within(&workspace, &block("enabled=\"false\""));
    let nearest = hidden.of_class("block").map(|[x, ..]| x).fold(f64::INFINITY, f64::min);
    assert!((nearest - 3.5).abs() < 1e-4, "{nearest}");
}

#[test]
fn a_model_that_cannot_be_read_is_reported_with_its_line() {
    let block = "<block name=\"sign\"><init_pose>4 0 0</init_pose>\n\
        <visual><model_uri>bad.obj</model_uri></visual></block>";
    let world = world(block);
    let workspace = world.workspace();
    workspace.write("bad.obj", "v 0 0\nf 1 2 3\n");
    let outcome = workspace.run(&["world.xml", "--duration", "0.1"]);
    assert_ne!(outcome.code, 0);
    assert!(outcome.stderr.contains("bad.obj"), "{}", outcome.stderr);
    let place = format!("world.xml:{}", world.line_with("<model_uri"));
    assert!(outcome.stderr.contains(&place), "{}", outcome.stderr);
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
    let workspace = Workspace::new("");
    // the column at x = 4 m to 5 m is solid
    let row = "255 255 255 255 255 255 255 255 255 0 255 255\n";
    workspace.write("map.pgm", &format!("P2\n12 12\n255\n{}", row.repeat(12)));
    let content = |height: &str| {
        format!(
            "<element class=\"occupancy_grid\"><file>map.pgm</file><resolution>1</resolution>\
             <centerpixel_x>5</centerpixel_x><centerpixel_y>6</centerpixel_y>{height}</element>\
             <element class=\"vertical_plane\"><x0>9</x0><y0>-9</y0><x1>9</x1><y1>9</y1>\
             <height>6</height></element>"
        )
    };
    let high = Seen::within(&workspace, &content(""));
    assert!(high.of_class("map").count() > 500);
    assert!(high.of_class("map").any(|[_, _, z]| z > 1.0));
    assert!(high.of_class("wall").all(|[_, y, _]| y.abs() > 5.0), "the map hides the wall");
    let low = Seen::within(&workspace, &content("<height>1</height>"));
    let top = low.of_class("map").map(|[_, _, z]| z + 0.5).fold(0.0, f64::max);
    assert!((0.9..1.001).contains(&top), "{top}");
    assert!(low.of_class("wall").filter(|[_, y, _]| y.abs() < 4.0).count() > 500);
    let wrong = world(&content("<height>-1</height>"));
    workspace.write("world.xml", &wrong.text());
    let outcome = workspace.run(&["check", "world.xml"]);
    let place = format!("world.xml:{}", wrong.line_with("<height>-1"));
    assert!(outcome.code != 0 && outcome.stderr.contains(&place), "{}", outcome.stderr);
}

#[test]
fn an_empty_semantic_class_is_an_error() {
    for class in ["<semantic/>", "<semantic class=\" \"/>"] {
        let block = format!("<block name=\"a\"><init_pose>1 0 0</init_pose>\n{class}</block>");
        world(&block).fails("<semantic", &["class"]);
    }
}
