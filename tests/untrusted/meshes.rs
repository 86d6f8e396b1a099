//! Meshes with indices out of range, huge counts or deep nesting.

use super::files::{bytes, packed_zeros, repeat, world};
use super::{Case, case};

use crate::support::Workspace;

/// Writes a world with a block that takes its outline from a mesh.
fn outline(workspace: &Workspace, name: &str) {
    let visual = format!("<visual><model_uri>{name}</model_uri></visual>");
    let tags = format!("<init_pose>0 0 0</init_pose>{visual}<shape_from_visual/>");
    world(workspace, &format!("<block name=\"b\">{tags}</block>"));
}

fn mesh(workspace: &Workspace, name: &str, content: &[u8]) {
    bytes(workspace, name, content);
    outline(workspace, name);
}

fn stl(count: u32, content: &[u8]) -> Vec<u8> {
    [&[b' '; 80][..], &count.to_le_bytes(), content].concat()
}

/// Returns the seed file of the fuzz target of a format.
fn seed(name: &str) -> Vec<u8> {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds");
    std::fs::read(format!("{seeds}/{name}")).unwrap()
}

/// Returns the seed file with a piece of its text replaced.
fn changed(name: &str, from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(seed(name)).unwrap();
    assert!(text.contains(from), "no {from} in {name}");
    text.replacen(from, to, 1).into_bytes()
}

/// Returns an FBX file with another first vertex.
fn fbx(corner: i32) -> Vec<u8> {
    let mut file = seed("mesh_fbx/plain.fbx");
    let name = b"PolygonVertexIndex";
    let at = file.windows(name.len()).position(|part| part == name).unwrap() + name.len();
    // type, count, compression, length
    file[at + 13..at + 17].copy_from_slice(&corner.to_le_bytes());
    file
}

const BEYOND: &[&str] = &["world.xml:2:", "cannot be used"];

/// All cases with meshes.
pub const CASES: &[Case] = &[
    case("an OBJ with a corner that is not there", BEYOND, |w| {
        mesh(w, "a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4000000000\n")
    }),
    case("an OBJ that counts back too far", BEYOND, |w| {
        mesh(w, "a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -9\n")
    }),
    case("an OBJ with a face of ten million corners", &["world.xml:2:"], |w| {
        repeat(w, "a.obj", "v 0 0 0\nf", " 1", "\n", 20);
        outline(w, "a.obj");
    }),
    case("a glTF that points beyond its vertices", BEYOND, |w| {
        let file = changed("mesh_gltf/embedded.gltf", "AAABAAIA", "AAAB//8A");
        mesh(w, "a.gltf", &file);
    }),
    case("a glTF with an accessor of 2^32 values", BEYOND, |w| {
        let from = "\"componentType\":5126,\"count\":3";
        let to = "\"componentType\":5126,\"count\":4294967296";
        mesh(w, "a.gltf", &changed("mesh_gltf/embedded.gltf", from, to));
    }),
    case("a glTF with a buffer that is not there", BEYOND, |w| {
        let (from, to) = ("\"bufferView\":1", "\"bufferView\":7");
        mesh(w, "a.gltf", &changed("mesh_gltf/embedded.gltf", from, to));
    }),
    case("a glTF whose node is its own child", BEYOND, |w| {
        let (from, to) = ("\"children\":[1]", "\"children\":[0,0,0,0]");
        mesh(w, "a.gltf", &changed("mesh_gltf/embedded.gltf", from, to));
    }),
    case("a glTF of 60 MB of brackets", BEYOND, |w| {
        repeat(w, "a.gltf", "{\"asset\":", "[", "", 60);
        outline(w, "a.gltf");
    }),
    case("a glTF of half a million nested lists", BEYOND, |w| {
        mesh(w, "a.gltf", format!("{{\"extras\":{}", "[".repeat(500_000)).as_bytes())
    }),
    case(
        "a glTF with another file that does not end",
        &["world.xml:2:", "zero", "not a regular file"],
        |w| {
            std::os::unix::fs::symlink("/dev/zero", w.path("zero")).unwrap();
            let text = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[]}],"buffers":[{"uri":"zero","byteLength":8}]}"#;
            mesh(w, "a.gltf", text.as_bytes());
        },
    ),
    case("a Collada file that points beyond its vertices", BEYOND, |w| {
        let file = changed("mesh_collada/quadrangle.dae", "9 0 9 1 9 2", "9 0 9 1 9 99999999");
        mesh(w, "a.dae", &file);
    }),
    case("a Collada file with a stride of 10^18", BEYOND, |w| {
        let (from, to) = ("stride=\"3\"", "stride=\"1000000000000000000\"");
        mesh(w, "a.dae", &changed("mesh_collada/quadrangle.dae", from, to));
    }),
    case("a Collada file of entities of entities", BEYOND, |w| {
        let entity = |n| format!("<!ENTITY e{n} \"{}\">", format!("&e{};", n - 1).repeat(10));
        let entities: String = (1..15).map(entity).collect();
        let text = format!("<!DOCTYPE c [<!ENTITY e0 \"x\">{entities}]><COLLADA>&e14;</COLLADA>");
        mesh(w, "a.dae", text.as_bytes());
    }),
    case("a Collada file of 60 MB of elements", BEYOND, |w| {
        repeat(w, "a.dae", "<COLLADA>", "<a/>", "</COLLADA>", 60);
        outline(w, "a.dae");
    }),
    case("a Collada file of 200,000 nested elements", BEYOND, |w| {
        let (open, close) = ("<node>".repeat(200_000), "</node>".repeat(200_000));
        let scene = format!("<visual_scene id=\"s\">{open}{close}</visual_scene>");
        let link = "<scene><instance_visual_scene url=\"#s\"/></scene>";
        let text = format!(
            "<COLLADA><library_visual_scenes>{scene}</library_visual_scenes>{link}</COLLADA>"
        );
        mesh(w, "a.dae", text.as_bytes());
    }),
    case("an FBX that points beyond its vertices", BEYOND, |w| mesh(w, "a.fbx", &fbx(1_000_000))),
    case("an FBX that ends early", BEYOND, |w| {
        mesh(w, "a.fbx", &seed("mesh_fbx/packed.fbx")[..500])
    }),
    case("a binary STL of 2^32 triangles", BEYOND, |w| mesh(w, "a.stl", &stl(u32::MAX, &[0; 500]))),
    case("a binary STL that ends early", BEYOND, |w| mesh(w, "a.stl", &stl(20, &[0; 120]))),
    case("an STL of 60 MB in one triangle", BEYOND, |w| {
        let head = "solid a\nfacet normal 0 0 1\nouter loop\n";
        repeat(w, "a.stl", head, "vertex 0 0 0\n", "endloop\nendfacet\nendsolid a\n", 60);
        outline(w, "a.stl");
    }),
    case("a mesh of 200 MB", &["world.xml:2:", "a.stl", "--max-file-size"], |w| {
        super::files::hole(&w.path("a.stl"), 200 << 20);
        outline(w, "a.stl");
    }),
    case(
        "a mesh in an archive that unfolds to 2 GB",
        &["world.xml:2:", "a.zip", "--max-file-size"],
        |w| {
            bytes(w, "a.zip", &zip("a.stl", 2 << 30, &packed_zeros(2 << 30)));
            outline(w, "a.zip/a.stl");
        },
    ),
    case("a defective mesh in an archive, in a for", &["world.xml:2:", "a.zip"], |w| {
        bytes(w, "a.zip", &zip("a.stl", 1 << 20, &packed_zeros(1 << 20)));
        let visual = "<visual><model_uri>a.zip/a.stl</model_uri></visual>";
        let tags = format!("<init_pose>0 ${{i}} 0</init_pose>{visual}<shape_from_visual/>");
        world(w, &format!("<for var=\"i\" from=\"1\" to=\"100000\"><block>{tags}</block></for>"));
    }),
    case(
        "a mesh in an archive that lies about its length",
        &["world.xml:2:", "a.zip", "larger than its declared"],
        |w| {
            bytes(w, "a.zip", &zip("a.stl", 100, &packed_zeros(1 << 30)));
            outline(w, "a.zip/a.stl");
        },
    ),
];

/// Returns an archive with one member that claims some size.
fn zip(name: &str, size: u64, zlib: &[u8]) -> Vec<u8> {
    // without the header and the checksum of zlib
    let packed = &zlib[2..zlib.len() - 4];
    let size = u32::try_from(size).unwrap_or(u32::MAX - 1);
    let entry = [
        &b"\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0"[..],
        &(packed.len() as u32).to_le_bytes(),
        &size.to_le_bytes(),
        &(name.len() as u16).to_le_bytes(),
        &[0; 2],
    ]
    .concat();
    let mut file = [&b"PK\x03\x04"[..], &entry, name.as_bytes(), packed].concat();
    let start = file.len() as u32;
    let list = [&b"PK\x01\x02\x14\0"[..], &entry, &[0; 14], name.as_bytes()].concat();
    file.extend(&list);
    file.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    file.extend([(list.len() as u32).to_le_bytes(), start.to_le_bytes()].concat());
    file.extend([0; 2]);
    file
}
