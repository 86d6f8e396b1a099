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
