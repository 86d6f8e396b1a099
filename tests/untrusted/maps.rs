//! Maps, terrain and point clouds that claim to be huge.

use super::files::{bytes, gzip, hole, repeat, world};
use super::{Case, case};

use crate::support::Workspace;

/// Writes a world with an occupancy grid from this file.
fn floor_plan(workspace: &Workspace, name: &str) {
    world(workspace, &format!("<element class=\"occupancy_grid\"><file>{name}</file></element>"));
}

/// Writes a world with terrain from a list of points.
fn terrain(workspace: &Workspace, points: &str) {
    workspace.write("a.txt", points);
    terrain_of_file(workspace);
}

fn terrain_of_file(workspace: &Workspace) {
    let tag = "<dem_xyzrgb_file>a.txt</dem_xyzrgb_file>";
    world(workspace, &format!("<element class=\"elevation_map\">{tag}</element>"));
}

/// Writes a world with terrain from heights in the world file.
fn matrix(workspace: &Workspace, heights: &str) {
    let tag = format!("<elevation_data_matrix>{heights}</elevation_data_matrix>");
    world(workspace, &format!("<element class=\"elevation_map\">{tag}</element>"));
}

/// Returns the header of an MRPT grid map.
fn head(size: [u32; 2]) -> Vec<u8> {
    let mut head = b"\x93COccupancyGridMap2D\x06\x08".to_vec();
    size.iter().for_each(|count| head.extend(count.to_le_bytes()));
    [0.0f32, 1.0, 0.0, 1.0, 0.1].iter().for_each(|number| head.extend(number.to_le_bytes()));
    head
}

/// All cases with maps.
pub const CASES: &[Case] = &[
    case(
        "a grid map of 4 billion x 4 billion cells",
        &["world.xml:2:", "a.gridmap", "--max-pixels"],
        |w| {
            bytes(w, "a.gridmap", &head([u32::MAX; 2]));
            floor_plan(w, "a.gridmap");
        },
    ),
    case(
        "a grid map of 10^8 cells that has none",
        &["world.xml:2:", "a.gridmap", "cells are missing"],
        |w| {
            bytes(w, "a.gridmap", &head([10_000; 2]));
            floor_plan(w, "a.gridmap");
        },
    ),
    case("a packed grid map that unfolds to 2 GB", &["world.xml:2:", "a.gridmap.gz"], |w| {
        bytes(w, "a.gridmap.gz", &gzip(&head([0; 2]), 2 << 30));
        floor_plan(w, "a.gridmap.gz");
    }),
    case("a thousand packed grid maps of 10^7 cells", &["world.xml:2:", "exceed 400 MiB"], |w| {
        bytes(w, "a.gridmap.gz", &gzip(&head([1000, 10_000]), 10_000_000));
        let tag = "<element class=\"occupancy_grid\"><file>a.gridmap.gz</file></element>";
        world(w, &format!("<for var=\"i\" from=\"1\" to=\"1000\">{tag}</for>"));
    }),
    case(
        "a terrain of two points far apart",
        &["world.xml:2:", "a.txt", "samples of the terrain"],
        |w| terrain(w, "0 0 0\n1e9 1e9 0\n"),
    ),
    case("a terrain of points beyond all numbers", &["world.xml:2:", "a.txt"], |w| {
        terrain(w, "-1.7e308 0 0\n1.7e308 1.7e308 0\n1e999 0 0")
    }),
    case("a terrain of 64 MB of points", &["world.xml:2:", "a.txt", "at most 5000000"], |w| {
        repeat(w, "a.txt", "", "1 2 3\n", "", 63);
        terrain_of_file(w);
    }),
    case("a terrain of one long line", &["world.xml:2:", "a.txt"], |w| {
        repeat(w, "a.txt", "", "1 ", "\n", 63);
        terrain_of_file(w);
    }),
    case("a terrain of 200 MB", &["world.xml:2:", "a.txt", "--max-file-size"], |w| {
        hole(&w.path("a.txt"), 200 << 20);
        terrain_of_file(w);
    }),
    case("a matrix of twenty million heights", &["world.xml:2:", "values of the matrix"], |w| {
        matrix(w, &"1 ".repeat(20_000_000))
    }),
    case("a matrix of rows of different length", &["world.xml:2:", "expected 2"], |w| {
        matrix(w, &format!("{}1", "1 2;".repeat(1_000_000)))
    }),
    case("a map description of aliases of aliases", &["world.xml:2:", "a.yaml"], |w| {
        let row = |n| format!("a{n}: &a{n} [{}]\n", format!("*a{},", n - 1).repeat(9));
        let rows: String = (1..20).map(row).collect();
        w.write("a.yaml", &format!("a0: &a0 [x]\n{rows}image: *a19\n"));
        floor_plan(w, "a.yaml");
    }),
    case("a map description of nested lists", &["world.xml:2:", "a.yaml"], |w| {
        w.write("a.yaml", &format!("image: {}", "[".repeat(60_000)));
        floor_plan(w, "a.yaml");
    }),
    case("a map description of 200 MB", &["world.xml:2:", "a.yaml"], |w| {
        hole(&w.path("a.yaml"), 200 << 20);
        floor_plan(w, "a.yaml");
    }),
];
