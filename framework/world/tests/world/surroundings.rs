//! Elements, blocks and walls from 3D models, actors, joints and scenery.

use simhost_model::ParamValue;
use simhost_world::{
    BlockTop, BodyRef, Gait, JointKind, LoadOptions, Loaded, MissingAssets, OpeningKind,
    PropertyValue,
};

use crate::{compat, errors, warnings, world, world_with};

/// OBJ file of a cuboid from (0, 0, 0) to (2, 1, 4).
const CUBOID: &str = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nv 0 0 4\nv 2 0 4\nv 2 1 4\nv 0 1 4\n\
    f 1 2 3\nf 1 3 4\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 3 4 8\nf 3 8 7\nf 2 3 7\nf 2 7 6\nf 1 4 8\nf 1 8 5\n";
/// Image with a black and a white pixel, side by side.
const PICTURE: &str = "P2\n2 1\n255\n0 255\n";

fn in_world(inside: &str, files: &[(&str, &str)]) -> Loaded {
    let text = format!("<mvsim_world>{inside}</mvsim_world>");
    world_with(&text, files, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn mistakes(inside: &str) -> String {
    errors(world(&format!("<mvsim_world>{inside}</mvsim_world>")))
}

#[test]
fn maps_terrain_and_regions_are_read_with_their_defaults() {
    let loaded = in_world(
        "<element class=\"occupancy_grid\"><file>map.pgm</file><resolution>0.5</resolution>\
         <centerpixel_x>1</centerpixel_x><centerpixel_y>0</centerpixel_y></element>\
         <element class=\"elevation_map\"><elevation_data_matrix>[0 1; 2 3]</elevation_data_matrix>\
         <elevation_data_matrix_scale>2</elevation_data_matrix_scale><texture_size_x>1</texture_size_x></element>\
         <element class=\"property_region\"><property_name>friction_mu</property_name>\
         <value_double>0.1</value_double><z_max>2</z_max></element>\
         <element class=\"point_cloud\"><file_txt_2d>p.txt</file_txt_2d></element>",
        &[("map.pgm", PICTURE), ("p.txt", "1 2\n3 4\n")],
    );
    let world = &loaded.world;
    let grid = &world.grids[0];
    assert_eq!(
        (grid.grid.corner(), grid.grid.size(), grid.grid.resolution()),
        ([-0.5, 0.0], [2, 1], 0.5)
    );
    assert_eq!((grid.restitution, grid.lateral_friction), (0.01, 0.5));
    assert!(grid.grid.is_solid(0, 0) && !grid.grid.is_solid(1, 0));
    let field = &world.elevation_maps[0].field;
    assert_eq!((field.corner(), field.height(1, 1)), ([-0.5, -0.5], Some(6.0)));
    let region = &world.regions[0];
    assert_eq!((region.value.clone(), region.max), (PropertyValue::Number(0.1), [1.0, 1.0, 2.0]));
    assert_eq!(*world.point_clouds[0].points, [[1.0, 2.0, 0.0], [3.0, 4.0, 0.0]]);
    let text = warnings(&loaded);
    assert!(text.contains("`texture_size_x` has no effect"), "{text}");
}

#[test]
fn a_kind_of_ground_sets_friction_and_rolling_resistance() {
    let loaded = in_world(
        "<element class=\"property_region\"><property_name>terrain</property_name>\
         <value_string>sand</value_string><x_max>7</x_max></element>",
        &[],
    );
    let regions = loaded.world.regions.iter();
    let found: Vec<_> =
        regions.map(|one| (one.property.as_str(), one.value.clone(), one.max[0])).collect();
    let number = PropertyValue::Number;
    assert_eq!(found, [("friction_mu", number(0.4), 7.0), ("friction_C_rr", number(0.15), 7.0)]);
}

#[test]
fn an_image_gives_a_region_a_value_per_pixel() {
    let loaded = in_world(
        "<element class=\"property_region\"><property_name>friction_mu</property_name>\
         <x_min>10</x_min><x_max>16</x_max><y_min>-2</y_min><y_max>2</y_max>\
         <value_image>grip.pgm</value_image><value_image_min>0.1</value_image_min>\
         <value_image_max>0.9</value_image_max></element>",
        &[("grip.pgm", "P2\n3 2\n255\n0 255 51\n102 153 204\n")],
    );
    let region = &loaded.world.regions[0];
    let at = |x: f64, y: f64| region.number("friction_mu", [x, y, 0.0]);
    // the first row of the image is at the largest y
    let expected = [[0.1, 0.9, 0.26], [0.42, 0.58, 0.74]];
    for (row, y) in [(0, [0.01, 2.0]), (1, [-2.0, -0.01])] {
        for (column, x) in [(0, [10.0, 11.99]), (1, [12.0, 13.99]), (2, [14.0, 16.0])] {
            for (x, y) in [(x[0], y[0]), (x[1], y[1])] {
                let found = at(x, y).unwrap();
                assert!((found - expected[row][column]).abs() < 1e-12, "{x} {y}: {found}");
            }
        }
    }
    assert_eq!((at(9.99, 0.0), at(11.0, 2.01)), (None, None));
    assert_eq!(region.number("surface", [11.0, 0.0, 0.0]), None);
}

#[test]
fn planes_have_openings_and_animations() {
    let loaded = in_world(
        "<element class=\"vertical_plane\"><x1>10</x1><y1>-10</y1><door position=\"0.25\" z_end=\"2\"/>\
         <window><position>0.75</position><width>2</width><z_min>1</z_min></window></element>\
         <element class=\"horizontal_plane\"><z>3</z><init_pose3d>1 2 3 90 0 0</init_pose3d>\
         <animation type=\"keyframes\"><time_pose>0 0 0 0</time_pose><time_pose3d>5 0 0 1 0 0 0</time_pose3d>\
         </animation></element>",
        &[],
    );
    let wall = &loaded.world.vertical_planes[0];
    assert_eq!((wall.from, wall.to, wall.height), ([-10.0, -10.0], [10.0, -10.0], 3.0));
    let [door, window] = &*wall.openings else { panic!() };
    assert_eq!(
        (door.kind, door.position, door.width, door.z_max),
        (OpeningKind::Door, 0.25, 1.0, 2.0)
    );
    assert_eq!((window.kind, window.z_min, window.z_max), (OpeningKind::Window, 1.0, 2.1));
    let lift = &loaded.world.horizontal_planes[0];
    assert_eq!((lift.pose.z, lift.z, lift.x), (3.0, 3.0, [-10.0, 10.0]));
    let keys = &lift.animation.as_ref().unwrap().keyframes;
    assert_eq!((keys.len(), keys[1].0, keys[1].1.z), (2, 5.0, 1.0));
}

#[test]
fn a_block_takes_its_shape_from_visuals_within_its_heights() {
    let visual = "<visual><model_uri>a.obj</model_uri><model_scale>0.5</model_scale>\
        <model_offset_x>1</model_offset_x></visual>";
    let files = [("a.obj", CUBOID)];
    let loaded = in_world(
        &format!(
            "<block:class name=\"b\">{visual}<shape_from_visual/></block:class>\
             <block class=\"b\"><init_pose>0 0 0</init_pose></block>\
             <block class=\"b\"><init_pose>0 0 0</init_pose><zmin>0.5</zmin><zmax>1.5</zmax></block>\
             <block class=\"b\"><init_pose>0 0 0</init_pose><visual><model_uri>a.obj</model_uri></visual></block>"
        ),
        &files,
    );
    let bounds = |index: usize| {
        let block = &loaded.world.blocks[index];
        let x = block.polygon.iter().map(|point| point[0]);
        (x.clone().fold(9.0, f64::min), x.fold(-9.0, f64::max), block.z_min, block.z_max)
    };
    assert_eq!(bounds(0), (1.0, 2.0, 0.0, 2.0));
    assert_eq!(bounds(1), (1.0, 2.0, 0.5, 1.5));
    assert_eq!(bounds(2), (0.0, 2.0, 0.0, 4.0));
    assert_eq!(loaded.world.blocks[2].visuals.len(), 2);
}

/// A Collada file with a box of 2 × 3 × 0.5 units along its own axes, with these elements in `<asset>`.
fn collada(asset: &str) -> String {
    format!(
        r##"<COLLADA version="1.4.1"><asset>{asset}</asset><library_geometries><geometry id="g"><mesh>
        <source id="p"><float_array id="n" count="12">0 0 0 2 3 0 0 3 0.5 2 0 0.5</float_array><technique_common>
        <accessor source="#n" count="4" stride="3"><param type="float"/><param type="float"/>
        <param type="float"/></accessor></technique_common></source>
        <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
        <triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 1 2 3</p></triangles>
        </mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s">
        <node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
        <scene><instance_visual_scene url="#s"/></scene></COLLADA>"##
    )
}

/// The table of axes and units in the book.
#[test]
fn models_that_lie_are_reported_once_nothing_turns_them() {
    // 2 × 3 × 0.5 m
    let flat = "v 0 0 0\nv 2 3 0\nv 0 3 0.5\nv 2 0 0.5\nf 1 2 3\nf 2 3 4\n";
    // as CUBOID, 2 × 1 × 4 m
    let z_up = collada(r#"<unit meter="0.1"/><up_axis>Z_UP</up_axis>"#);
    let y_up = collada("<up_axis>Y_UP</up_axis>");
    let files = [("flat.obj", flat), ("high.obj", CUBOID), ("z.dae", &*z_up), ("y.dae", &*y_up)];
    let found = |content: &str| {
        let block = format!(
            "<block><init_pose>0 0 0</init_pose><shape_from_visual/><visual>{content}</visual></block>"
        );
        let loaded = in_world(&block, &files);
        let block = &loaded.world.blocks[0];
        let x = block.polygon.iter().map(|point| point[0]).fold(-9.0, f64::max);
        let height = block.z_max - block.z_min;
        let rounded = [x, height].map(|size| (size * 1e6).round() / 1e6);
        (rounded, warnings(&loaded))
    };
    let upright = "<model_roll>90</model_roll>";
    for (file, size, message) in [
        // as they are
        ("flat.obj", [2.0, 0.5], "much longer and wider than high"),
        ("high.obj", [2.0, 4.0], ""),
        // in metres with y up, whatever axis is up in the file
        ("z.dae", [0.2, 0.3], "its y axis"),
        ("y.dae", [2.0, 0.5], "its y axis"),
    ] {
        let uri = format!("<model_uri>{file}</model_uri>");
        let (found_size, text) = found(&uri);
        assert_eq!(found_size, size, "{file}");
        match message {
            "" => assert!(text.is_empty(), "{file}: {text}"),
            _ => {
                assert!(text.contains(message), "{file}: {text}");
                assert!(text.contains("help: write <model_roll>90</model_roll>"), "{text}");
            }
        }
        for turned in [upright, "<model_roll>0</model_roll>", "<model_pitch>5</model_pitch>"] {
            let (_, text) = found(&format!("{uri}{turned}"));
            assert!(text.is_empty(), "{file}, {turned}: {text}");
        }
    }
    let upright_size = |file: &str| found(&format!("<model_uri>{file}</model_uri>{upright}")).0;
    // z up in the file, and y up in the file
    assert_eq!(upright_size("z.dae"), [0.2, 0.05]);
    assert_eq!(upright_size("y.dae"), [2.0, 3.0]);
}

#[test]
fn every_geometry_has_an_outline_and_a_surface() {
    let geometry = |attributes: &str| {
        let text = format!(
            "<block><init_pose>0 0 0</init_pose><shape_from_visual/><geometry {attributes}/></block>"
        );
        in_world(&text, &[]).world.blocks.remove(0)
    };
    let ramp = geometry("type=\"ramp\" lx=\"4\" ly=\"2\" lz=\"1\"");
    assert_eq!((ramp.top, ramp.z_max), (BlockTop::Ramp { length: 4.0, height: 1.0 }, 1.0));
    let bump = geometry("type=\"semi_cylinder_bump\" lx=\"4\" ly=\"2\" lz=\"1\"");
    assert_eq!(bump.top, BlockTop::Bump { width: 2.0, height: 1.0 });
    assert_eq!(geometry("type=\"cylinder\" radius=\"1\" length=\"3\"").polygon.len(), 10);
    assert_eq!(geometry("type=\"sphere\" radius=\"1\" vertex_count=\"7\"").polygon.len(), 7);
    assert_eq!(geometry("type=\"box\" lx=\"1\" ly=\"1\" lz=\"2\"").z_max, 2.0);
    let text =
        mistakes("<block><init_pose>0 0 0</init_pose><geometry type=\"ramp\" lx=\"1\"/></block>");
    assert!(text.contains("missing `ly`") && text.contains("missing `lz`"), "{text}");
}

#[test]
fn walls_are_read_from_the_lines_of_a_model() {
    let loaded = in_world(
        "<walls><model_uri>w.obj</model_uri><wallThickness>0.2</wallThickness></walls>",
        &[("w.obj", "v 0 0 0\nv 3 0 0\nv 0 5 0\nv 3 5 0\nl 1 2\nl 3 4\n")],
    );
    let walls = &loaded.world.walls;
    assert_eq!((walls.len(), walls[1].from, walls[1].to), (2, [0.0, 5.0], [3.0, 5.0]));
}

/// Errors of what follows are reported in the same pass.
#[test]
fn a_block_without_a_pose_reports_the_errors_of_its_shape() {
    let visual = "<visual><model_uri>gone.obj</model_uri></visual><shape_from_visual/>";
    let text = mistakes(&format!("<block name=\"b\">{visual}</block>"));
    assert!(text.contains("block `b` has no pose") && text.contains("gone.obj"), "{text}");
}

#[test]
fn missing_models_are_errors_or_left_out() {
    let text = "<mvsim_world><block><init_pose>0 0 0</init_pose><shape_from_visual/>\
        <visual><model_uri>none.dae</model_uri></visual></block></mvsim_world>";
    let message = errors(world(text));
    assert!(
        message.contains("file not found") && message.contains("--missing-assets"),
        "{message}"
    );
    let options =
        LoadOptions { missing_assets: MissingAssets::Placeholder, ..LoadOptions::default() };
    let loaded = world_with(text, &[], &options).unwrap();
    assert!(warnings(&loaded).contains("file not found"));
    assert_eq!(loaded.world.blocks[0].polygon.len(), 4);
    let net = text.replace("none.dae", "http://127.0.0.1:1/a.dae");
    assert!(errors(world(&net)).contains("--allow net"));
}

#[test]
fn actors_inherit_from_their_class() {
    let loaded = in_world(
        "<actor:class name=\"p\"><walking_speed>2</walking_speed><animation_run>sprint</animation_run>\
         <path loop=\"false\"><waypoint pause=\"3\" animation=\"run\">1 2 90</waypoint></path></actor:class>\
         <actor name=\"a\" class=\"p\"><init_pose>0 0 0</init_pose><collision_radius>0.4</collision_radius></actor>\
         <actor class=\"p\"><init_pose>5 0 0</init_pose><walking_speed>1</walking_speed>\
         <path><waypoint>0 0 0</waypoint></path></actor>",
        &[],
    );
    let [first, second] = loaded.world.actors.as_slice() else { panic!() };
    assert_eq!((first.walking_speed, first.running_speed, first.collision_radius), (2.0, 3.5, 0.4));
    assert_eq!(
        (first.path.repeats, first.path.waypoints[0].pause, first.path.waypoints[0].gait),
        (false, 3.0, Gait::Run)
    );
    assert_eq!(first.clips, ["idle", "walk", "sprint"]);
    assert_eq!(
        (second.name.as_str(), second.walking_speed, second.path.repeats),
        ("actor2", 1.0, true)
    );
}

#[test]
fn joints_and_cameras_refer_to_existing_bodies() {
    let bodies = "<block name=\"box\"><init_pose>0 0 0</init_pose></block>\
        <walls><shape><pt>0 5</pt><pt>1 5</pt></shape></walls>";
    let loaded = in_world(
        &format!(
            "{bodies}<joint type=\"pin\" body_a=\"box\" body_b=\"wall_0001\" anchor_b=\"1 2\" \
             enable_limit=\"true\" lower_angle_deg=\"-180\" upper_angle_deg=\"180\"/>\
             <joint type=\"rope\" body_a=\"box\" body_b=\"wall_0001\" stiffness=\"7\" enable_limit=\"true\"/>"
        ),
        &[],
    );
    let [pin, rope] = loaded.world.joints.as_slice() else { panic!() };
    assert_eq!(
        (pin.bodies, pin.anchors),
        ([BodyRef::Block(0), BodyRef::Wall(0)], [[0.0; 2], [1.0, 2.0]])
    );
    let pi = std::f64::consts::PI;
    assert_eq!(pin.kind, JointKind::Pin { limits: Some([-pi, pi]) });
    let JointKind::Rope { max_length, stiffness, .. } = rope.kind else { panic!() };
    assert_eq!((max_length, stiffness), (5.0, 7.0));
    assert!(warnings(&loaded).contains("`enable_limit` has no effect"));
    let text = mistakes(&format!(
        "{bodies}<joint type=\"pin\" body_a=\"bax\" body_b=\"box\"/><joint type=\"pen\" body_a=\"box\" \
         body_b=\"box\"/><gui><follow_vehicle>nobody</follow_vehicle></gui>"
    ));
    for expected in [
        "unknown body `bax`",
        "did you mean `box`?",
        "did you mean `pin`?",
        "unknown vehicle `nobody`",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn georeference_and_scenery_are_checked() {
    let loaded = in_world(
        "<georeference><latitude>90</latitude><longitude>-180</longitude><height>5</height></georeference>\
         <gui><cam_azimuth>90</cam_azimuth><win_w>100</win_w></gui><lights><light_azimuth>180</light_azimuth></lights>\
         <marker type=\"line_strip\"><points>0 0 0 1 1 1</points><translation>0 0 2</translation></marker>\
         <element class=\"ground_grid\"><interval>2</interval></element>",
        &[],
    );
    let scenery = &loaded.world.scenery;
    let place = scenery.georeference.unwrap();
    assert_eq!((place.latitude, place.height), (std::f64::consts::FRAC_PI_2, 5.0));
    assert_eq!(
        (scenery.gui.size, scenery.gui.camera_azimuth),
        ([100, 600], std::f64::consts::FRAC_PI_2)
    );
    assert_eq!(scenery.lights.azimuth, std::f64::consts::PI);
    assert_eq!(scenery.markers[0].points, [[0.0, 0.0, 2.0], [1.0, 1.0, 3.0]]);
    assert_eq!((scenery.ground_grids[0].interval, scenery.ground_grids[0].x), (2.0, [-25.0, 25.0]));
    for (inside, expected) in [
        ("<world_is_utm>true</world_is_utm>", "UTM"),
        ("<latitude>91</latitude>", "at most 90"),
        ("<latitud>1</latitud>", "did you mean `latitude`?"),
    ] {
        let text = mistakes(&format!("<georeference>{inside}</georeference>"));
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn settings_that_mvsim_ignores_are_warnings() {
    let loaded = in_world(
        "<light/><vehicle><init_pose>0 0 0</init_pose><dynamics class=\"differential\">\
         <chassis mass=\"5\"><linear_damping>10</linear_damping></chassis>\
         <controller class=\"twist_pid\"><l_torque>1</l_torque></controller></dynamics></vehicle>\
         <block static=\"true\"><init_pose>0 0 0</init_pose></block>",
        &[],
    );
    let text = warnings(&loaded);
    for name in ["`<light>`", "`linear_damping`", "`l_torque`", "`static`"] {
        assert!(text.contains(&format!("{name} has no effect")), "{name}: {text}");
    }
    assert!(!loaded.world.blocks[0].is_static);
}

#[test]
fn a_sensor_can_exist_without_a_vehicle() {
    let loaded = in_world("<sensor class=\"laser\"/><sensor class=\"laser\" name=\"x\"/>", &[]);
    let names: Vec<_> = loaded.world.sensors.iter().map(|sensor| sensor.name.as_str()).collect();
    assert_eq!(names, ["laser1", "x"]);
}

#[test]
fn a_sensor_class_without_readings_is_reported_once() {
    let inside = "<sensor class=\"camera\"/><sensor class=\"camera\"/>";
    let text = warnings(&in_world(inside, &[]));
    assert_eq!(text.matches("do not give readings yet").count(), 1, "{text}");
}

#[test]
fn a_receiver_without_a_georeference_is_reported_once() {
    let inside = "<sensor class=\"gnss\"/><sensor class=\"gnss\"/>";
    let text = warnings(&in_world(inside, &[]));
    assert_eq!(text.matches("without a <georeference>").count(), 1, "{text}");
    let place = "<georeference><latitude>1</latitude></georeference>";
    let text = warnings(&in_world(&format!("{place}{inside}"), &[]));
    assert!(!text.contains("without a <georeference>"), "{text}");
}

#[test]
fn friction_without_a_class_depends_on_the_profile() {
    let text = "<mvsim_world><vehicle:class name=\"c\"><dynamics class=\"differential\"/>\
        <friction class=\"wardiagnemma\"><R1>0.3</R1></friction></vehicle:class>\
        <vehicle class=\"c\"><init_pose>0 0 0</init_pose><friction><mu>0.2</mu></friction></vehicle>\
        <vehicle class=\"c\"><init_pose>0 0 0</init_pose><friction class=\"wardiagnemma\"/></vehicle></mvsim_world>";
    let r1 = |world: &simhost_world::World, vehicle: usize| {
        let friction = &world.vehicles[vehicle].friction;
        (friction.model.full_name.to_string(), friction.values.get(4).cloned())
    };
    use simhost_model::ParamValue::Number;
    let ward = "simhost/wardiagnemma".to_owned();
    let corrected = world(text).unwrap().world;
    assert_eq!(r1(&corrected, 0), (ward.clone(), Some(Number(0.3))));
    assert_eq!(r1(&corrected, 1), (ward, Some(Number(0.5))), "a class named stands alone");
    let peer = world_with(text, &[], &compat()).unwrap().world;
    assert_eq!(r1(&peer, 0), ("simhost/default".to_owned(), None));
}

#[test]
fn invalid_values_of_elements_report_what_was_expected() {
    for (inside, expected) in [
        (
            "<element class=\"property_region\"><property_name>friction_mu</property_name><value_bool>1</value_bool></element>",
            "expected <value_double>",
        ),
        (
            "<element class=\"property_region\"><property_name>friction_mu</property_name><value_image>none.png</value_image></element>",
            "none.png",
        ),
        (
            "<element class=\"property_region\"><property_name>terrain</property_name><value_string>gravle</value_string></element>",
            "did you mean `gravel`?",
        ),
        ("<element class=\"elevation_map\"/>", "without heights"),
        (
            "<element class=\"elevation_map\"><elevation_data_matrix>[1 2; 3]</elevation_data_matrix></element>",
            "cannot parse",
        ),
        ("<element class=\"horizontal_plane\"><x_min>20</x_min></element>", "not above"),
        ("<element class=\"skybox\"><textures>a.png</textures></element>", "one %s"),
        ("<element class=\"occupancy_grid\"/>", "missing `file`"),
        ("<block><init_pose>0 0 0</init_pose><mass>inf</mass></block>", "`mass` is not a number"),
        ("<block><init_pose>0 0 0</init_pose><color>red</color></block>", "expected #RRGGBB"),
        ("<block><init_pose>0 0 0</init_pose><shape_from_visual/></block>", "without a visual"),
        (
            "<actor><init_pose>0 0 0</init_pose><walking_speed>0</walking_speed></actor>",
            "greater than 0",
        ),
        (
            "<block><init_pose>0 0 0</init_pose><animation type=\"keyframes\"/></block>",
            "without a keyframe",
        ),
        (
            "<vehicle><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/><friction><mew>1</mew></friction></vehicle>",
            "did you mean `mu`?",
        ),
    ] {
        let text = mistakes(inside);
        assert!(text.contains(expected), "{inside}: {text}");
    }
}

#[test]
fn the_appearance_of_wheels_chassis_and_planes_is_read() {
    let options =
        LoadOptions { missing_assets: MissingAssets::Placeholder, ..LoadOptions::default() };
    let text = "<mvsim_world><vehicle><init_pose>0 0 0</init_pose>\
        <visual><model_uri>body.stl</model_uri><name>rim</name></visual>\
        <dynamics class=\"differential\"><chassis color=\"#102030\"/>\
        <l_wheel pos=\"0 0.5\" color=\"#405060\" linked_yaw=\"rim\" linked_yaw_offset_deg=\"90\">\
        <visual><model_uri>wheel.stl</model_uri></visual></l_wheel></dynamics></vehicle>\
        <element class=\"horizontal_plane\"><cull_face>BACK</cull_face></element>\
        <element class=\"vertical_plane\"><enable_shadows>false</enable_shadows></element></mvsim_world>";
    let world = world_with(text, &[], &options).unwrap().world;
    let (chassis, wheel) = (&world.vehicles[0].chassis, &world.vehicles[0].wheels[0]);
    assert_eq!(chassis.color, Some([0x10, 0x20, 0x30, 0xff]));
    assert_eq!((wheel.color, wheel.visuals.len()), ([0x40, 0x50, 0x60, 0xff], 1));
    assert_eq!(wheel.linked_yaw.as_deref(), Some("rim"));
    assert!((wheel.linked_yaw_offset - 90f64.to_radians()).abs() < 1e-12);
    assert_eq!(world.horizontal_planes[0].surface.cull_face, "BACK");
    assert!(
        world.horizontal_planes[0].surface.shadows && !world.vertical_planes[0].surface.shadows
    );
    let wrong = errors(world_with(&text.replace("\"rim\"", "\"rin\""), &[], &options));
    assert!(wrong.contains("unknown visual `rin`"), "{wrong}");
    assert!(wrong.contains("did you mean `rim`?"), "{wrong}");
}

#[test]
fn relative_poses_refer_to_existing_objects() {
    let text = |objects: &str| {
        format!(
            "<mvsim_world><block name=\"crate\"><init_pose>0 0 0</init_pose><publish>\
             <publish_relative_pose_topic>/t</publish_relative_pose_topic>\
             <publish_relative_pose_objects>{objects}</publish_relative_pose_objects></publish>\
             </block><block name=\"shelf\"><init_pose>5 0 0</init_pose></block></mvsim_world>"
        )
    };
    assert!(world(&text("shelf, crate")).is_ok());
    let wrong = errors(world(&text("shelf, crat")));
    assert!(wrong.contains("unknown object `crat`") && wrong.contains("`crate`?"), "{wrong}");
}

#[test]
fn a_georeference_has_a_utm_zone() {
    let text = |latitude: &str, utm: bool| {
        format!(
            "<mvsim_world><georeference><latitude>{latitude}</latitude><longitude>2.2945</longitude>\
             <world_is_utm>{utm}</world_is_utm></georeference></mvsim_world>"
        )
    };
    let loaded = world(&text("48.8582", true)).unwrap();
    let utm = loaded.world.scenery.georeference.unwrap().utm.unwrap();
    assert_eq!((utm.zone, utm.band), (31, 'U'));
    assert!((utm.easting - 448_251.9).abs() < 1.0 && (utm.northing - 5_411_932.68).abs() < 1.0);
    assert_eq!(world(&text("85", false)).unwrap().world.scenery.georeference.unwrap().utm, None);
    assert!(errors(world(&text("85", true))).contains("the poles have no zone"));
}

#[test]
fn placeholders_of_models_are_warnings() {
    let options =
        LoadOptions { missing_assets: MissingAssets::Placeholder, ..LoadOptions::default() };
    let block = |model: &str, more: &str| {
        format!(
            "<mvsim_world><block><init_pose>0 0 0</init_pose><shape_from_visual/>\n<visual>\
             <model_uri>{model}</model_uri></visual>{more}</block></mvsim_world>"
        )
    };
    let none = world_with(&block("none.stl", "<zmax>0.4</zmax>"), &[], &options).unwrap();
    assert!(warnings(&none).contains("a square of 1 m from 0 m to 0.4 m"), "{}", warnings(&none));
    let shape = "<shape><pt>0 0</pt><pt>2 0</pt><pt>0 2</pt></shape>";
    let shaped = world_with(&block("none.stl", shape), &[], &options).unwrap();
    assert!(warnings(&shaped).contains("its <shape> from 0 m to 1 m"), "{}", warnings(&shaped));
    assert_eq!(shaped.world.blocks[0].polygon.len(), 3);
    let broken = [("half.obj", "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0.5\nf 1 2 9\n")];
    let half = world_with(&block("half.obj", ""), &broken, &options).unwrap();
    let text = warnings(&half);
    assert!(text.contains("the bounding box of its vertices, 2 × 1 × 0.5"), "{text}");
    assert!(text.contains("world.xml:2:20"), "it points at the file name: {text}");
    let area = simhost_scene::polygon::area(&half.world.blocks[0].polygon).abs();
    assert!((area - 2.0).abs() < 0.1, "{area}");
    let strict = errors(world_with(&block("half.obj", ""), &broken, &LoadOptions::default()));
    assert!(strict.contains("world.xml:2:20") && !strict.contains("have no outline"), "{strict}");
}

#[test]
fn the_compatible_profile_reads_integers_like_c() {
    let text = "<mvsim_world><vehicle><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/>\
        <sensor class=\"laser\"><nrays>010</nrays></sensor></vehicle></mvsim_world>";
    let rays = |options: &LoadOptions| {
        let loaded = world_with(text, &[], options).unwrap();
        (loaded.world.vehicles[0].sensors[0].model.values[3].clone(), loaded.warnings.len())
    };
    assert_eq!(rays(&LoadOptions::default()), (ParamValue::Number(10.0), 0));
    assert_eq!(rays(&compat()), (ParamValue::Number(8.0), 1));
}
