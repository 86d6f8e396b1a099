//! Cameras in worlds: depth compared with a lidar, unusual mountings, and mistakes.

use crate::support::Workspace;
use crate::support::images::Image;
use crate::support::runs::Run;
use crate::support::world::{World, model, vehicle};

/// Returns a world with a sensor on a vehicle, with things of all shapes before it.
fn world(sensors: &str) -> World {
    let chassis = "<chassis mass=\"15\" zmin=\"0.05\" zmax=\"0.4\"/>";
    let robot = vehicle(model("differential").xml(chassis)).controller("twist_ideal");
    let robot = robot.pose(0, 0, 20).xml(&format!("{sensors}\n"));
    World::new().step(0.01).set("duration", 0.1).vehicle("car", robot).xml(
        "<block name=\"ball\"><static>true</static><init_pose>3 1.5 0</init_pose><shape_from_visual/>\
         <geometry type=\"sphere\" radius=\"0.7\"/></block>\
         <block name=\"post\"><static>true</static><init_pose>4 0.2 0</init_pose><shape_from_visual/>\
         <geometry type=\"cylinder\" radius=\"0.2\" length=\"3\"/></block>\
         <block name=\"box\"><static>true</static><init_pose>5 3 30</init_pose><zmin>0</zmin>\
         <zmax>2</zmax></block>\
         <walls><wallHeight>2</wallHeight><shape><pt>9 -9</pt><pt>9 9</pt></shape></walls>",
    )
}

/// Returns the depth image of a run, mm.
fn depth_of(run: &Run) -> Vec<u16> {
    Image::read(&run.path("car.eye/depth/0000000000100000000.png")).numbers()
}

/// Each row of pixels of the camera is a ring of a lidar at the same place: the azimuths and elevations of
/// the pixels are listed for it.
#[test]
fn depths_agree_with_the_ranges_of_a_lidar() {
    const SIZE: usize = 41;
    let degrees = |pixel: usize| ((20.0 - pixel as f64) / 30.0).atan().to_degrees();
    // the middle row and the middle column have angles that do not depend on each other
    let list = |angles: Vec<f64>| angles.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    let angles = list((0..SIZE).rev().map(degrees).collect());
    let lidar = |name: &str, more: String| {
        format!(
            "<sensor class=\"lidar3d\" name=\"{name}\"><pose_3d>0.2 0.1 1 0 0 0</pose_3d>\
             <range_std_noise>0</range_std_noise>{more}</sensor>\n"
        )
    };
    let sensors = format!(
        "<sensor class=\"camera\" name=\"eye\"><pose_3d>0.2 0.1 1 -90 0 -90</pose_3d>\
         <ncols>{SIZE}</ncols><nrows>{SIZE}</nrows><fx>30</fx><fy>30</fy><cx>20</cx><cy>20</cy>\
         <sense_depth>true</sense_depth></sensor>\n{}{}",
        lidar(
            "row",
            format!(
                "<vert_nrays>2</vert_nrays><vertical_ray_angles>-60 0</vertical_ray_angles>\
                 <horz_nrays>{SIZE}</horz_nrays>\
                 <horizontal_ray_angles>{angles}</horizontal_ray_angles>"
            )
        ),
        lidar(
            "column",
            format!(
                "<vert_nrays>{SIZE}</vert_nrays><vertical_ray_angles>{angles}</vertical_ray_angles>\
                 <horz_nrays>2</horz_nrays><horizontal_ray_angles>0 90</horizontal_ray_angles>"
            )
        ),
    );
    let run = world(&sensors).run(0.1);
    let depths = depth_of(&run);
    let mut compared = 0;
    for (name, is_row) in [("row", true), ("column", false)] {
        for [x, y, z] in run.clouds(&format!("car.{name}"))[0].points() {
            // points on the optical plane of the row or of the column
            let (across, off) = if is_row { (y, z) } else { (z, y) };
            if x <= 0.0 || off.abs() > 1e-5 * x {
                continue;
            }
            let pixel = (20.0 - 30.0 * across / x).round() as usize;
            let at = if is_row { 20 * SIZE + pixel } else { pixel * SIZE + 20 };
            let difference = f64::from(depths[at]) - 1000.0 * x;
            assert!(difference.abs() < 0.6, "{name} {pixel}: {x} m, {} mm", depths[at]);
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared} pixels are compared");
}

#[test]
fn a_camera_in_a_block_sees_its_inside() {
    let sensors = "<sensor class=\"camera\" name=\"eye\"><pose_3d>0 0 0.7 -90 0 -90</pose_3d>\
         <ncols>5</ncols><nrows>5</nrows><fx>30</fx><fy>30</fy><cx>2</cx><cy>2</cy>\
         <sense_depth>true</sense_depth></sensor>";
    let around = "<block name=\"around\"><static>true</static><intangible>true</intangible>\
         <skip_elevation_adjust/><init_pose>0 0 20</init_pose><zmin>0</zmin><zmax>2</zmax>\
         <shape><pt>-1 -1</pt><pt>1.5 -1</pt><pt>1.5 1</pt><pt>-1 1</pt></shape></block>";
    assert_eq!(depth_of(&world(sensors).xml(around).run(0.1)), [1500; 25]);
}

#[test]
fn mistakes_are_reported_where_they_are() {
    for (given, expected) in [
        ("<ncols>100000</ncols><nrows>100000</nrows>", "16384"),
        ("<ncols>0</ncols>", "out of range"),
        ("<fx>-5</fx>", "out of range"),
        ("<ncols>16384</ncols><nrows>16384</nrows>", "268435456 rays, expected at most 8388608"),
        ("<clip_min>5</clip_min><clip_max>4</clip_max>", "expected less than clip_max"),
        ("<lens_model>fish</lens_model>", "equidistant"),
        (
            "<lens_model>plumb_bob</lens_model><distortion>-3 0 0 0 0</distortion>",
            "distortion folds the image at pixel (0, 0)",
        ),
        ("<lens_model>equidistant</lens_model><distortion>1 2</distortion>", "has 2 numbers"),
    ] {
        let sensor = format!("<sensor class=\"camera\" name=\"eye\">{given}</sensor>");
        world(&sensor).fails("<sensor", &[expected]);
    }
}

/// Returns the camera of the tests, at a place and with further parameters.
fn eye(pose: &str, more: &str) -> String {
    format!(
        "<sensor class=\"camera\" name=\"eye\">{pose}<ncols>4</ncols><nrows>4</nrows><fx>2</fx><fy>2</fy>\
         <cx>1.5</cx><cy>1.5</cy>{more}</sensor>"
    )
}

/// A camera without a pose was upside down.
#[test]
fn a_camera_without_a_pose_is_upright_except_as_in_mvsim() {
    let camera = "<ignore_parent_body>true</ignore_parent_body><sense_depth>true</sense_depth>\
                  <sensor_period>0.1</sensor_period>";
    let depths = |profile| depth_of(&world(&eye("", camera)).profile(profile).run(0.1));
    let (upright, turned) = (depths("corrected"), depths("mvsim-1.2"));
    // the ground is seen in the lower rows, turned by 180°
    assert!(upright[12..].iter().all(|depth| *depth > 0), "{upright:?}");
    assert!(turned.iter().rev().eq(&upright), "{turned:?} {upright:?}");
}

/// The image of terrain was turned by 90° against the heights of the same image.
#[test]
fn an_image_on_terrain_has_the_directions_of_its_heights() {
    // bright in the upper right corner: high where x is small and y is large
    let workspace = Workspace::new("");
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 8, 8);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let pixels: Vec<u8> =
        (0..64).map(|at| if at / 8 < 4 && at % 8 >= 4 { 255 } else { 0 }).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    std::fs::write(workspace.path("corner.png"), bytes).unwrap();
    let terrain = "<element class=\"elevation_map\"><elevation_image>corner.png</elevation_image>\
        <elevation_image_max_z>1</elevation_image_max_z><resolution>1</resolution>\
        <corner_min_x>-3.5</corner_min_x><corner_min_y>-3.5</corner_min_y>\
        <texture_image>corner.png</texture_image></element>\n";
    let camera = |x: f64, y: f64| {
        format!(
            "<sensor class=\"camera\" name=\"at_{x}_{y}\"><pose_3d>{x} {y} 20 0 0 180</pose_3d>\
             <ncols>1</ncols><nrows>1</nrows><fx>100</fx><fy>100</fy><cx>0</cx><cy>0</cy>\
             <sense_depth>true</sense_depth><sensor_period>0.1</sensor_period></sensor>\n"
        )
    };
    let corners = [[-2.0, -2.0], [-2.0, 2.0], [2.0, -2.0], [2.0, 2.0]];
    let cameras: String = corners.iter().map(|[x, y]| camera(*x, *y)).collect();
    let world = World::new().step(0.01).xml(terrain).xml(&cameras);
    let run = world.folder(&workspace.path("")).run(0.1);
    for [x, y] in corners {
        let folder = run.path(&format!("world.at_{x}_{y}"));
        let image = |kind: &str| Image::read(&folder.join(kind).join("0000000000100000000.png"));
        let is_high = image("depth").numbers()[0] < 19_500;
        let is_bright = image("rgb").bytes[0] > 60;
        assert_eq!((is_high, is_bright), ((x, y) == (-2.0, 2.0), is_high), "at {x} {y}");
    }
}

#[test]
fn a_camera_inside_its_chassis_is_warned_of() {
    let warnings = |pose: &str, more: &str| world(&eye(pose, more)).warnings();
    let inside = warnings("<pose_3d>0.1 0 0.2 -90 0 -90</pose_3d>", "");
    assert!(
        inside.len() == 1 && inside[0].contains("sensor `eye` is inside the chassis"),
        "{inside:?}"
    );
    let above = warnings("<pose_3d>0.1 0 0.5 -90 0 -90</pose_3d>", "");
    let without = "<ignore_parent_body>true</ignore_parent_body>";
    let without = warnings("<pose_3d>0.1 0 0.2 -90 0 -90</pose_3d>", without);
    assert!(above.is_empty() && without.is_empty(), "{above:?} {without:?}");
}
