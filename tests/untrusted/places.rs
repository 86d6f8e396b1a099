//! File names of pipes, devices and folders.

use std::process::Command;

use super::files::world;
use super::{Case, case};

use crate::support::Workspace;

/// Creates a pipe without a writer.
fn pipe(workspace: &Workspace, name: &str) {
    assert!(Command::new("mkfifo").arg(workspace.path(name)).status().unwrap().success());
}

/// Returns every element that can name a file, with one name.
fn everywhere(workspace: &Workspace, name: &str) {
    let tags = [
        format!("<include file=\"{name}\"/>"),
        format!("<element class=\"occupancy_grid\"><file>{name}</file></element>"),
        format!(
            "<element class=\"elevation_map\"><elevation_image>{name}</elevation_image></element>"
        ),
        format!(
            "<element class=\"elevation_map\"><dem_xyzrgb_file>{name}</dem_xyzrgb_file></element>"
        ),
        format!("<element class=\"pointcloud\"><file_txt_3d>{name}</file_txt_3d></element>"),
        format!(
            "<block><visual><model_uri>{name}</model_uri></visual><shape_from_visual/></block>"
        ),
        format!("<walls><model_uri>{name}</model_uri></walls>"),
        format!(
            "<vehicle><dynamics class=\"differential\"/><friction class=\"magic_formula\"><tir>{name}</tir></friction>\
             <init_pose>0 0 0</init_pose></vehicle>"
        ),
    ];
    world(workspace, &tags.join("\n"));
}

/// Returns the expected positions of all elements.
const EACH: &[&str] = &[
    "world.xml:2:",
    "world.xml:3:",
    "world.xml:4:",
    "world.xml:5:",
    "world.xml:6:",
    "world.xml:7:",
    "world.xml:8:",
    "world.xml:9:",
];

/// All cases with special files.
pub const CASES: &[Case] = &[
    Case { name: "/dev/zero everywhere", write: |w| everywhere(w, "/dev/zero"), said: EACH },
    Case { name: "/dev/stdin everywhere", write: |w| everywhere(w, "/dev/stdin"), said: EACH },
    case("a pipe everywhere", EACH, |w| {
        pipe(w, "pipe.obj");
        everywhere(w, "pipe.obj");
    }),
    case("a folder everywhere", EACH, |w| {
        std::fs::create_dir(w.path("a.png")).unwrap();
        everywhere(w, "a.png");
    }),
    case("a file that waits for news of the kernel", EACH, |w| everywhere(w, "/proc/kmsg")),
    Case { name: "a file of the system", write: |w| everywhere(w, "/proc/self/mem"), said: EACH },
    case("a map of the memory", EACH, |w| everywhere(w, "/proc/self/pagemap")),
    case("a link to itself", EACH, |w| {
        std::os::unix::fs::symlink("a.png", w.path("a.png")).unwrap();
        everywhere(w, "a.png");
    }),
    case("a pipe as the world", &["world.xml", "not a regular file"], |w| {
        std::fs::remove_file(w.path("world.xml")).unwrap();
        pipe(w, "world.xml");
    }),
    case("/dev/zero as the world", &["world.xml", "not a regular file"], |w| {
        std::fs::remove_file(w.path("world.xml")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", w.path("world.xml")).unwrap();
    }),
    case(
        "a download without permission",
        &["world.xml:2:", "not a local file", "world.xml:7:", "--allow net"],
        |w| everywhere(w, "http://127.0.0.1:9/a.obj"),
    ),
];
