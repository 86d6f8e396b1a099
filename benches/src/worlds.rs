//! Worlds of many vehicles.

use std::fmt::Write;

use simhost_engine::{Options, Simulation};
use simhost_registry::Catalogue;
use simhost_scene::Pose2;
use simhost_world::{LoadOptions, load};

use crate::scans::{floor_plan, floor_plan_cells, squares};

/// Returns the text of a world of `count` vehicles of one dynamics class with the friction class
/// `default`, which drive in circles without touching each other, with steps of 5 ms.
pub fn crowd_world(dynamics: &str, count: usize) -> String {
    let (controller, twist) = if dynamics.starts_with("differential") {
        ("twist_pid", "<V>1</V><W>20</W>")
    } else {
        ("twist_front_steer_pid", "<V>2</V><W>20</W>")
    };
    let mut text =
        String::from("<mvsim_world version=\"1.0\"><simul_timestep>0.005</simul_timestep>");
    for i in 0..count {
        let (x, y) = (30 * (i % 32), 30 * (i / 32));
        let _ = write!(
            text,
            "<vehicle name=\"v{i}\"><dynamics class=\"{dynamics}\"><controller \
             class=\"{controller}\">{twist}</controller></dynamics><init_pose>{x} {y} \
             0</init_pose></vehicle>"
        );
    }
    text.push_str("</mvsim_world>");
    text
}

/// Returns the simulation of [`crowd_world`] after its start, on one thread.
///
/// # Panics
/// Panics if the world does not load.
pub fn simulation(catalogue: &Catalogue, dynamics: &str, count: usize) -> Simulation {
    simulation_on_threads(catalogue, dynamics, count, 1)
}

/// As [`simulation`], on a number of threads.
///
/// # Panics
/// Panics if the world does not load.
pub fn simulation_on_threads(
    catalogue: &Catalogue,
    dynamics: &str,
    count: usize,
    threads: usize,
) -> Simulation {
    build(catalogue, &crowd_world(dynamics, count), &[], threads)
}

/// Returns the simulation of a world file after its start. `files` are put into the same folder.
///
/// # Panics
/// Panics if the world does not load.
pub fn build(
    catalogue: &Catalogue,
    text: &str,
    files: &[(&str, &[u8])],
    threads: usize,
) -> Simulation {
    let directory = tempfile::tempdir().expect("the temporary directory is writable");
    for (name, content) in files {
        std::fs::write(directory.path().join(name), content).expect("the directory is writable");
    }
    let path = directory.path().join("bench.world.xml");
    std::fs::write(&path, text).expect("the directory is writable");
    let loaded = load(&path, &LoadOptions::default(), catalogue).expect("the world is correct");
    let mut simulation = Simulation::new(&loaded.world, Options { seed: 0, threads })
        .expect("the models accept their parameters");
    simulation.start().expect("the start has no faults");
    simulation
}

/// Returns a simulation of a floor plan in which `count` robots drive in small circles, each with a
/// laser that takes 361 rays over a full turn every `period` s. A step takes 5 ms. `parameters` are
/// further parameters of the laser.
///
/// # Panics
/// Panics if the world does not load.
pub fn floor_plan_simulation(
    catalogue: &Catalogue,
    count: usize,
    threads: usize,
    period: f64,
    parameters: &str,
) -> Simulation {
    let mut image = b"P5 1000 1000 255\n".to_vec();
    // the first row of an image is the upper one
    for row in floor_plan_cells().chunks(1000).rev() {
        image.extend(row.iter().map(|cell| if *cell > 0 { 255u8 } else { 0 }));
    }
    let mut text = String::from(
        "<mvsim_world version=\"1.0\"><simul_timestep>0.005</simul_timestep><element \
         class=\"occupancy_grid\"><file>plan.pgm</file><resolution>0.05</resolution><centerpixel_x>500</centerpixel_x>\
         <centerpixel_y>500</centerpixel_y></element>",
    );
    for (i, [x, y]) in floor_plan().1.into_iter().take(count).enumerate() {
        let _ = write!(
            text,
            "<vehicle name=\"v{i}\"><dynamics class=\"differential\"><controller \
             class=\"twist_pid\"><V>0.2</V><W>60</W></controller></dynamics><init_pose>{x} {y} \
             0</init_pose><sensor class=\"laser\" name=\"laser\"><fov_degrees>360</fov_degrees>\
             <nrays>361</nrays><sensor_period>{period}</sensor_period><height>0.5</height>{parameters}\
             </sensor></vehicle>"
        );
    }
    text.push_str("</mvsim_world>");
    build(catalogue, &text, &[("plan.pgm", &image)], threads)
}

/// Returns the simulation of a robot that stands among 200 segments, as [`squares`], with a laser that takes 1,080 rays
/// over a full turn in each step of 5 ms. `parameters` are further parameters of the laser.
///
/// # Panics
/// Panics if the world does not load.
pub fn segments_simulation(catalogue: &Catalogue, parameters: &str) -> Simulation {
    let mut text = format!(
        "<mvsim_world version=\"1.0\"><simul_timestep>0.005</simul_timestep><vehicle name=\"robot\">\
         <dynamics class=\"differential\"><controller class=\"twist_pid\"><V>0</V><W>5</W></controller></dynamics>\
         <init_pose>0 0 0</init_pose><sensor class=\"laser\" name=\"laser\"><fov_degrees>360</fov_degrees>\
         <nrays>1080</nrays><sensor_period>0.005</sensor_period><height>0.5</height>{parameters}</sensor></vehicle>"
    );
    for Pose2 { x, y, yaw } in squares(50) {
        let yaw = yaw.to_degrees();
        let _ = write!(
            text,
            "<block><static>true</static><zmax>2</zmax><shape><pt>-0.5 -0.5</pt><pt>0.5 -0.5</pt>\
             <pt>0.5 0.5</pt><pt>-0.5 0.5</pt></shape><init_pose>{x} {y} {yaw}</init_pose></block>"
        );
    }
    text.push_str("</mvsim_world>");
    build(catalogue, &text, &[], 1)
}

/// Returns the simulation of a robot whose camera takes a frame of 640 × 480 pixels with colour and depth in each
/// step of 5 ms, with twelve boxes in view.
///
/// # Panics
/// Panics if the world does not load.
pub fn camera_simulation(catalogue: &Catalogue) -> Simulation {
    let mut text = String::from(
        "<mvsim_world version=\"1.0\"><simul_timestep>0.005</simul_timestep><vehicle name=\"robot\">\
         <dynamics class=\"differential\"><controller class=\"twist_pid\"><V>0</V><W>5</W></controller></dynamics>\
         <init_pose>0 0 0</init_pose><sensor class=\"rgbd_camera\" name=\"camera\">\
         <sensor_period>0.005</sensor_period><pose_3d>0 0 1 0 0 0</pose_3d></sensor></vehicle>",
    );
    for i in 0..12u32 {
        let (sin, cos) = (f64::from(i) * 0.11 - 0.6).sin_cos();
        let distance = f64::from(3 + i * 5 % 7);
        let (x, y, yaw, top) = (distance * cos, distance * sin, 20 * i, 0.6 + 0.1 * f64::from(i));
        let _ = write!(
            text,
            "<block><static>true</static><zmax>{top}</zmax><shape><pt>-0.4 -0.4</pt><pt>0.4 -0.4</pt>\
             <pt>0.4 0.4</pt><pt>-0.4 0.4</pt></shape><init_pose>{x} {y} {yaw}</init_pose></block>"
        );
    }
    text.push_str("</mvsim_world>");
    build(catalogue, &text, &[], 1)
}
