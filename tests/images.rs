//! Images of cameras, from the world to the files.

use std::path::Path;

use serde_json::Value;

use crate::support::images::Image;
use crate::support::runs::Run;
use crate::support::world::{World, model, vehicle};
use crate::support::{Outcome, Workspace};

const TIME: &str = "0000000000200000000";

/// Returns a world with a camera on a vehicle, which sees a wall at x = 5 m and a crate before it.
fn world(camera: &str) -> World {
    let chassis = "<chassis mass=\"15\" zmin=\"0.05\" zmax=\"0.4\"/>";
    let robot = vehicle(model("differential").xml(chassis)).controller("twist_ideal");
    let robot = robot.pose(1, 0, 0).xml(&format!(
        "<sensor class=\"camera\" name=\"eye\"><pose_3d>0.1 0 1 -90 0 -90</pose_3d>\
         <sensor_period>0.1</sensor_period><ncols>64</ncols><nrows>48</nrows>\
         <fx>40</fx><fy>40</fy><cx>31.5</cx><cy>23.5</cy>{camera}</sensor>\n"
    ));
    let block = "<block name=\"crate\"><static>true</static><init_pose>3 1 0</init_pose>\
                 <shape_from_visual/><geometry type=\"box\" lx=\"0.8\" ly=\"0.8\" lz=\"0.8\"/></block>\n";
    let world = World::new().step(0.01).set("duration", 0.3).vehicle("car", robot).xml(block);
    world.wall([5.0, -20.0], [5.0, 20.0], 3.0)
}

const ALL: &str = "<sense_depth>true</sense_depth><sense_class>true</sense_class>\
    <sense_instance>true</sense_instance>";

fn run(workspace: &Workspace, more: &[&str]) -> Outcome {
    let outcome = workspace.run(&[&["world.xml", "--out", "out"][..], more].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    outcome
}

/// Reads an image of 64 × 48 pixels.
fn image(path: &Path) -> Image {
    let image = Image::read(path);
    assert_eq!(image.size, (64, 48));
    image
}

/// Returns the number of a name in a file of names.
fn number_of(run: &Run, file: &str, name: &str) -> u16 {
    let names = run.names(file);
    u16::try_from(*names.iter().find(|(_, one)| *one == name).unwrap().0).unwrap()
}

#[test]
fn a_run_writes_an_image_per_kind_and_sample() {
    let run = world(ALL).run(0.3);
    let file = |kind: &str| run.path(&format!("car.eye/{kind}/{TIME}.png"));
    let colours = image(&file("rgb"));
    assert_eq!(colours.kind, (png::ColorType::Rgb, png::BitDepth::Eight));
    assert!(colours.bytes.iter().any(|value| *value != colours.bytes[0]), "the image is empty");
    let at = |column: usize, row: usize| row * 64 + column;
    // the optical axis is level, 3.89 m before the surface of the plane, which is 0.02 m thick
    let depths = image(&file("depth")).numbers();
    assert_eq!([depths[at(60, 20)], depths[at(31, 20)]], [3890; 2]);
    // the ground is 1 m below: 1 m / ((row − 23.5) / 40)
    assert_eq!(depths[at(60, 47)], (40_000.0_f64 / 23.5).round() as u16);
    // above the plane is the sky
    assert_eq!(depths[at(31, 0)], 0);
    // the crate has its corner at its position, to the left and below the axis; its front is 1.9 m ahead
    let left = at((31.5 - 40.0 * 1.4 / 1.9_f64) as usize, (23.5 + 40.0 * 0.6 / 1.9) as usize);
    assert_eq!(depths[left], 1900);
    let instances = image(&file("instance")).numbers();
    let crate_number = number_of(&run, "instances.csv", "block/crate");
    assert_eq!([instances[left], instances[at(31, 0)]], [crate_number, 65_535]);
    let classes = image(&file("class")).numbers();
    let block = number_of(&run, "classes.csv", "block");
    assert_eq!([classes[left], classes[at(31, 0)]], [block, 0]);
    assert!(!run.path("car.eye.csv").exists(), "images are not a table");
}

#[test]
fn calibration_and_poses_belong_to_the_images() {
    let folder = tempfile::tempdir().unwrap();
    let with_depth = world("<sense_depth>true</sense_depth>");
    let run = with_depth.run_into(folder.path(), 0.3, |_, _| {});
    let info: Value = serde_json::from_str(&run.read("car.eye/camera_info.json")).unwrap();
    for image in ["rgb", "depth"] {
        let info = &info[image];
        assert_eq!([info["width"].as_u64(), info["height"].as_u64()], [Some(64), Some(48)]);
        let k = serde_json::json!([40.0, 0.0, 31.5, 0.0, 40.0, 23.5, 0.0, 0.0, 1.0]);
        assert_eq!(info["k"], k);
        assert_eq!(info["distortion_model"], "plumb_bob");
        assert_eq!(info["frame_id"], format!("car/eye/{image}"));
    }
    let frames = run.read("car.eye/frames.csv");
    let rows: Vec<Vec<&str>> = frames.lines().map(|line| line.split(',').collect()).collect();
    // a header, and two images at three times
    assert_eq!(rows.len(), 7);
    for row in &rows[1..] {
        assert!(run.path("car.eye").join(row[2]).exists(), "{row:?}");
        let numbers: Vec<f64> = row[3..].iter().map(|value| value.parse().unwrap()).collect();
        // the camera is 0.1 m ahead of the vehicle at x = 1 m; its z axis is the x axis of the world, and
        // its x axis points to the right
        for (found, expected) in numbers.iter().zip([1.1, 0.0, 1.0, 0.5, -0.5, 0.5, -0.5]) {
            assert!((found - expected).abs() < 1e-9, "{row:?}");
        }
    }
    // a second run without depth leaves no image of the first one
    let run = world("").run_into(folder.path(), 0.1, |_, _| {});
    assert_eq!(std::fs::read_dir(run.path("car.eye/rgb")).unwrap().count(), 1);
    assert!(!run.path("car.eye/depth").exists());
}

#[test]
fn one_reading_becomes_its_images_with_pictures() {
    let workspace = world(ALL).workspace();
    let sense = |at: &str| {
        let arguments = ["sense", "world.xml", "--sensor", "car/eye", "--at", at, "--out", "one"];
        let outcome = workspace.run(&arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        outcome.stdout
    };
    let text = sense("0.12");
    run(&workspace, &[]);
    for kind in ["rgb", "depth", "class", "instance"] {
        let path = format!("car.eye/{kind}/{TIME}.png");
        assert!(text.contains(&path), "{text}");
        let [sensed, run] = ["one", "out"].map(|folder| workspace.path(folder).join(&path));
        assert_eq!(std::fs::read(sensed).unwrap(), std::fs::read(run).unwrap(), "{kind}");
        let picture = workspace.path(&format!("one/car.eye/{TIME}.{kind}.png"));
        assert_eq!(picture.exists(), kind != "rgb");
    }
    // further readings join the first one
    sense("0.25");
    let frames = std::fs::read_to_string(workspace.path("one/car.eye/frames.csv")).unwrap();
    assert_eq!(frames.lines().count(), 1 + 2 * 4);
}

#[test]
fn images_are_streams_with_the_messages_of_ros() {
    let workspace = world("<sense_depth>true</sense_depth>").workspace();
    let outcome = workspace.run(&["streams", "world.xml", "car/eye/**"]);
    for part in [
        "car/eye/rgb/image          output     sensor_msgs/Image       10 Hz",
        "car/eye/rgb/camera_info    output     sensor_msgs/CameraInfo  10 Hz",
        "car/eye/depth/image ",
        "car/eye/depth/camera_info ",
    ] {
        assert!(outcome.stdout.contains(part), "{}", outcome.stdout);
    }
    run(&workspace, &["--mcap"]);
    let again = workspace.run(&["rerun", "out", "--out", "again"]);
    assert_eq!(again.code, 0, "{}{}", again.stdout, again.stderr);
    let difference = workspace.run(&["diff", "out", "again"]);
    assert_eq!(difference.code, 0, "{}{}", difference.stdout, difference.stderr);
}

const SQUARES: [[u8; 3]; 4] = [[200, 0, 0], [0, 180, 0], [0, 0, 160], [220, 210, 30]];

/// Runs a world with a camera at (1.1, 0, 1) that looks ahead, in light that comes from everywhere. Files of the
/// world are in `folder`.
fn look(folder: &Path, pose: &str, content: &str) -> [Image; 2] {
    let robot = vehicle(model("differential")).controller("twist_ideal").pose(1, 0, 0);
    let robot = robot.xml(&format!(
        "<sensor class=\"camera\" name=\"eye\"><pose_3d>0.1 0 1 {pose}</pose_3d>\
         <sensor_period>0.1</sensor_period><ncols>64</ncols><nrows>48</nrows><fx>40</fx><fy>40</fy>\
         <cx>32</cx><cy>24</cy><sense_depth>true</sense_depth></sensor>\n"
    ));
    let world = World::new().step(0.01).vehicle("car", robot).folder(folder);
    let lights = "<lights><light_ambient>1</light_ambient></lights>";
    let run = world.xml(&(lights.to_owned() + content)).run(0.2);
    ["rgb", "depth"].map(|kind| image(&run.path(&format!("car.eye/{kind}/{TIME}.png"))))
}

/// A board of 2 m stands across the line of sight or is turned about its middle, and one behind is bare.
#[test]
fn a_camera_sees_the_images_of_models_where_their_triangles_are() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    Image::write_squares(&folder.path().join("squares.png"), 64, SQUARES);
    write("board.mtl", "newmtl squares\nKd 1 1 1\nmap_Kd squares.png\n");
    let faces = "v 0 1 0\nv 0 -1 0\nv 0 -1 2\nv 0 1 2\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n\
                 usemtl squares\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n";
    write("board.obj", &format!("mtllib board.mtl\n{faces}"));
    for (turn_deg, color) in
        [(0.0f64, ""), (35.0, ""), (35.0, "<model_color>#5a5a5a</model_color>")]
    {
        let board = format!(
            "<block name=\"board\"><static>true</static><init_pose>3.1 0 {turn_deg}</init_pose>\
             <visual><model_uri>board.obj</model_uri>{color}</visual></block>"
        );
        let [colors, depth] = look(folder.path(), "-90 0 -90", &board);
        let (sin, cos) = turn_deg.to_radians().sin_cos();
        for (number, [across, height]) in
            [[0.5, 1.5], [-0.5, 1.5], [0.5, 0.5], [-0.5, 0.5]].into_iter().enumerate()
        {
            // the middle of a square relative to the camera
            let [x, y, z] = [2.0 - sin * across, cos * across, height - 1.0];
            let [column, row] = [32.0 - 40.0 * y / x, 24.0 - 40.0 * z / x].map(f64::round);
            let [column, row] = [column as usize, row as usize];
            let expected = if color.is_empty() { SQUARES[number] } else { [0x5a; 3] };
            assert_eq!(colors.color(column, row), expected, "{turn_deg}° {number}");
            // on the plane of the board, at the pixel
            let slope = (32.0 - column as f64) / 40.0;
            let ahead = 2.0 * cos / (cos + slope * sin);
            let found = f64::from(depth.numbers()[row * 64 + column]);
            assert!((found - 1000.0 * ahead).abs() <= 1.0, "{found} mm, {ahead} m");
        }
    }
}

#[test]
fn a_camera_sees_the_skybox_where_nothing_else_is() {
    let folder = tempfile::tempdir().unwrap();
    let sides = ["Front", "Back", "Down", "Up", "Left", "Right"];
    for (number, side) in (1..).zip(sides) {
        let colors = SQUARES.map(|color| color.map(|part| part + number));
        Image::write_squares(&folder.path().join(format!("sky_{side}.png")), 16, colors);
    }
    let sky = "<element class=\"skybox\"><textures>sky_%s.png</textures></element>";
    let high = "<block name=\"b\"><static>true</static><init_pose>2.1 0 0</init_pose>\
                <geometry type=\"box\" lx=\"0.2\" ly=\"0.1\" lz=\"1.8\"/><color>#5a5a5a</color></block>";
    // yaw, pitch and roll of the optical frame; left, right, and above the horizon or ahead
    for (pose, number, first) in [
        ("-90 0 -90", 1, 0),
        ("90 0 -90", 2, 0),
        ("-90 0 0", 4, 0),
        ("0 0 -90", 5, 0),
        ("180 0 -90", 6, 0),
    ] {
        let [colors, depth] = look(folder.path(), pose, &format!("{sky}{high}"));
        let expected = |square: usize| SQUARES[square].map(|part| part + number);
        // the upper half is above the horizon in all of them
        let seen = [(14, 6), (50, 6)].map(|(column, row)| colors.color(column, row));
        assert_eq!(seen, [expected(first), expected(first + 1)], "{pose}");
        assert_eq!(depth.numbers()[6 * 64 + 14], 0, "{pose}");
        if number == 1 {
            assert_eq!(colors.color(31, 20), [0x5a; 3], "the block hides the sky");
        }
    }
}

/// Returns the optical flow at pixels of a camera 1 m above the ground that looks ahead, px per image.
fn flow_at(world: &World, pixels: &[[usize; 2]]) -> Vec<[f64; 2]> {
    let flow = image(&world.run(0.2).path(&format!("car.eye/flow/{TIME}.png")));
    assert_eq!(flow.kind, (png::ColorType::Rgb, png::BitDepth::Sixteen));
    let number = |at: usize| f64::from(u16::from_be_bytes([flow.bytes[at], flow.bytes[at + 1]]));
    let at = |[column, row]: &[usize; 2]| {
        let first = 6 * (row * 64 + column);
        [0, 2].map(|part| (number(first + part) - 32_768.0) / 64.0)
    };
    pixels.iter().map(at).collect()
}

fn moving(v: f64, w_deg: f64, period: f64, content: &str) -> World {
    let controller = model("twist_ideal").set("V", v).set("W", w_deg);
    let robot = vehicle(model("differential")).controller(controller).pose(0, 0, 0);
    let robot = robot.xml(&format!(
        "<sensor class=\"camera\" name=\"eye\"><pose_3d>0 0 1 -90 0 -90</pose_3d>\
         <sensor_period>{period}</sensor_period><ncols>64</ncols><nrows>48</nrows><fx>40</fx><fy>50</fy>\
         <cx>32</cx><cy>24</cy><sense_rgb>false</sense_rgb><sense_depth>true</sense_depth>\
         <sense_flow>true</sense_flow></sensor>\n"
    ));
    World::new().step(0.01).vehicle("car", robot).xml(content)
}

fn assert_flow(found: &[[f64; 2]], expected: &[[f64; 2]]) {
    for (found, expected) in found.iter().zip(expected) {
        // files have 1/64 px
        let is_near = (0..2).all(|axis| (found[axis] - expected[axis]).abs() < 0.01);
        assert!(is_near, "{found:?} instead of {expected:?}");
    }
}

/// With the point (X, Y, Z) in the optical frame, the flow is T f d/dt (X/Z, Y/Z).
#[test]
fn the_flow_of_a_camera_is_the_motion_of_what_it_sees() {
    // the camera approaches a wall, whose surface is at 4.99 m, and the ground 1 m below
    let wall = World::new().wall([5.0, -20.0], [5.0, 20.0], 3.0).content();
    let pixels = [[32, 24], [52, 14], [10, 20], [32, 44], [50, 46]];
    for period in [0.1, 0.2] {
        let found = flow_at(&moving(2.0, 0.0, period, &wall), &pixels);
        let expected = pixels.map(|[column, row]| {
            let [right, down] = [column as f64 - 32.0, row as f64 - 24.0];
            let to_wall: f64 = 4.99 - 2.0 * 0.2;
            let depth = if down > 0.0 { to_wall.min(50.0 / down) } else { to_wall };
            [right, down].map(|part| part * 2.0 * period / depth)
        });
        assert_flow(&found, &expected);
    }
    // while it turns to the left, all of a standing world moves to the right, the sky included
    let turn = 30.0f64.to_radians() * 0.1;
    let found = flow_at(&moving(0.0, 30.0, 0.1, &wall), &[[32, 24], [52, 4], [12, 30]]);
    let expected = [[0.0, 0.0], [20.0, -20.0], [-20.0, 6.0]]
        .map(|[right, down]| [right / 40.0, down / 50.0])
        .map(|[x, y]| [40.0 * turn * (1.0 + x * x), 50.0 * turn * x * y]);
    assert_flow(&found, &expected);
    // another vehicle crosses from right to left and turns, the camera stands
    let controller = "<controller class=\"twist_ideal\"><V>1.5</V><W>20</W></controller>";
    let other = format!(
        "<vehicle name=\"other\"><init_pose>4 -0.3 90</init_pose><dynamics class=\"differential\">\
         {controller}<chassis mass=\"9\" zmin=\"0\" zmax=\"2\"/></dynamics></vehicle>"
    );
    let run = moving(0.0, 0.0, 0.1, &other).run(0.2);
    let depths = image(&run.path(&format!("car.eye/depth/{TIME}.png"))).numbers();
    let [x, y, yaw] = ["x_m", "y_m", "yaw_rad"].map(|name| run.last("other", name));
    let pixels = [[32, 24], [30, 20], [36, 30]];
    let found = flow_at(&moving(0.0, 0.0, 0.1, &other), &pixels);
    let expected = pixels.map(|[column, row]| {
        let depth = f64::from(depths[row * 64 + column]) / 1000.0;
        assert!((3.0..4.5).contains(&depth), "{depth} m");
        let [right, down] = [(column as f64 - 32.0) / 40.0, (row as f64 - 24.0) / 50.0];
        let turning = 20.0f64.to_radians();
        let [vx, vy] = [
            1.5 * yaw.cos() - turning * (-right * depth - y),
            1.5 * yaw.sin() + turning * (depth - x),
        ];
        [40.0 * 0.1 * (-vy - right * vx) / depth, 50.0 * 0.1 * (-down * vx) / depth]
    });
    assert_flow(&found, &expected);
}
