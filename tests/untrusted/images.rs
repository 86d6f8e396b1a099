//! Images that claim to be huge, decompress to a huge size, or are truncated.

use super::files::{bytes, packed_zeros, world};
use super::{Case, case};

use crate::support::Workspace;

/// Number of pixels along a side that exceeds the limit.
const SIDE: u32 = 60_000;

/// Writes a world with an occupancy grid.
fn floor_plan(workspace: &Workspace, name: &str, image: &[u8]) {
    bytes(workspace, name, image);
    world(workspace, &format!("<element class=\"occupancy_grid\"><file>{name}</file></element>"));
}

/// Writes a world with terrain.
fn terrain(workspace: &Workspace, name: &str, image: &[u8]) {
    bytes(workspace, name, image);
    let tag = format!("<elevation_image>{name}</elevation_image>");
    world(workspace, &format!("<element class=\"elevation_map\">{tag}</element>"));
}

fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut sum = flate2::Crc::new();
    sum.update(name);
    sum.update(content);
    let length = (content.len() as u32).to_be_bytes();
    [&length[..], name, content, &sum.sum().to_be_bytes()].concat()
}

/// Returns a PNG of black pixels with `pixel` bytes each that contains only `rows` rows.
fn png([width, height]: [u32; 2], depth: u8, colour: u8, pixel: u64, rows: u64) -> Vec<u8> {
    let mut head = [width.to_be_bytes(), height.to_be_bytes()].concat();
    head.extend([depth, colour, 0, 0, 0]);
    let content = packed_zeros(rows * (1 + pixel * u64::from(width)));
    let mut image = b"\x89PNG\r\n\x1a\n".to_vec();
    image.extend(chunk(b"IHDR", &head));
    image.extend(chunk(b"IDAT", &content));
    image.extend(chunk(b"IEND", b""));
    image
}

fn bmp(side: u32) -> Vec<u8> {
    let mut image = b"BM\x36\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
    image.extend([side.to_le_bytes(), side.to_le_bytes()].concat());
    image.extend(b"\x01\0\x18\0");
    image.resize(2000, 0);
    image
}

fn gif(side: u16) -> Vec<u8> {
    let size = [side.to_le_bytes(), side.to_le_bytes()].concat();
    let frame = [b",\0\0\0\0", &size[..], b"\0\x02\x02\x4c\x01\0;"].concat();
    [b"GIF89a", &size[..], b"\x80\0\0\0\0\0\xff\xff\xff", &frame].concat()
}

fn tiff(side: u32) -> Vec<u8> {
    let entry = |tag: u16, value: u32| {
        let head = [tag.to_le_bytes(), 4u16.to_le_bytes()].concat();
        [&head[..], &1u32.to_le_bytes(), &value.to_le_bytes()].concat()
    };
    let tags = [(256, side), (257, side), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1)];
    let tags = tags.into_iter().chain([(278, side), (279, 100)]);
    let entries: Vec<u8> = tags.flat_map(|(tag, value)| entry(tag, value)).collect();
    [b"II\x2a\0\x08\0\0\0\x09\0", &entries[..], &[0; 200]].concat()
}

fn jpeg(side: u16) -> Vec<u8> {
    let size = [side.to_be_bytes(), side.to_be_bytes()].concat();
    let frame = [b"\xff\xc0\0\x0b\x08", &size[..], b"\x01\x01\x11\0"].concat();
    let table = [&b"\xff\xdb\0\x43\0"[..], &[1; 64]].concat();
    let scan = b"\xff\xda\0\x08\x01\x01\0\0\x3f\0\0\0\xff\xd9";
    [&b"\xff\xd8"[..], &table, &frame, scan].concat()
}

fn tga(side: u16) -> Vec<u8> {
    let size = [side.to_le_bytes(), side.to_le_bytes()].concat();
    [&b"\0\0\x0a\0\0\0\0\0\0\0\0\0"[..], &size, b"\x18\0", &[0; 100]].concat()
}

const TOO_MANY: &[&str] = &["world.xml:2:", "3600000000", "--max-pixels"];

/// All cases with images.
pub const CASES: &[Case] = &[
    case("a PNG of 60,000 x 60,000 as floor plan", TOO_MANY, |w| {
        floor_plan(w, "a.png", &png([SIDE; 2], 8, 0, 1, 1))
    }),
    case("a PNG of 60,000 x 60,000 as terrain", TOO_MANY, |w| {
        terrain(w, "a.png", &png([SIDE; 2], 8, 2, 3, 1))
    }),
    case("a PNG of 60,000 x 60,000 as texture", TOO_MANY, |w| {
        bytes(w, "a.png", &png([SIDE; 2], 8, 2, 3, 1));
        let tags = "<x_max>1</x_max><y_max>1</y_max><texture>a.png</texture>";
        world(w, &format!("<element class=\"horizontal_plane\">{tags}</element>"));
    }),
    case("a PNG of 60,000 x 60,000 behind a ROS map", TOO_MANY, |w| {
        bytes(w, "a.png", &png([SIDE; 2], 8, 0, 1, 1));
        let rows = ["image: a.png", "resolution: 0.1", "origin: [0, 0, 0]"];
        let more = ["occupied_thresh: 0.65", "free_thresh: 0.2\n"];
        floor_plan(w, "a.yaml", [&rows[..], &more].concat().join("\n").as_bytes());
    }),
    case("a PGM of 60,000 x 60,000", TOO_MANY, |w| {
        floor_plan(w, "a.pgm", b"P5 60000 60000 255 \0\0\0")
    }),
    case("a PGM of 4 billion x 4 billion", &["world.xml:2:", "a.pgm"], |w| {
        floor_plan(w, "a.pgm", b"P5 4294967295 4294967295 255 \0\0\0")
    }),
    case("a BMP of 60,000 x 60,000", TOO_MANY, |w| floor_plan(w, "a.bmp", &bmp(SIDE))),
    case("a GIF of 60,000 x 60,000", TOO_MANY, |w| floor_plan(w, "a.gif", &gif(SIDE as u16))),
    case("a TIFF of 60,000 x 60,000", TOO_MANY, |w| floor_plan(w, "a.tif", &tiff(SIDE))),
    case("a JPEG of 60,000 x 60,000", TOO_MANY, |w| floor_plan(w, "a.jpg", &jpeg(SIDE as u16))),
    case("a TGA of 60,000 x 60,000", TOO_MANY, |w| floor_plan(w, "a.tga", &tga(SIDE as u16))),
    case(
        "a PNG of 10^8 pixels of eight bytes",
        &["world.xml:2:", "a.png", "bytes of the decoded image"],
        |w| floor_plan(w, "a.png", &png([10_000; 2], 16, 6, 8, 10_000)),
    ),
    case("a PNG that ends within its pixels", &["world.xml:2:", "a.png", "not a valid PNG"], |w| {
        let whole = png([500; 2], 8, 0, 1, 500);
        floor_plan(w, "a.png", &whole[..whole.len() / 2]);
    }),
    case("a PNG that ends within its head", &["world.xml:2:", "a.png", "not a valid PNG"], |w| {
        floor_plan(w, "a.png", &png([500; 2], 8, 0, 1, 500)[..20])
    }),
    case("a PNG with a tenth of its rows", &["world.xml:2:", "a.png", "not a valid PNG"], |w| {
        terrain(w, "a.png", &png([500; 2], 8, 0, 1, 50))
    }),
    case("a JPEG without its scan", &["world.xml:2:", "a.jpg", "not a valid JPEG"], |w| {
        floor_plan(w, "a.jpg", &jpeg(9000))
    }),
    case("a floor plan of noise", &["world.xml:2:", "noise"], |w| {
        let mut state = 1u64;
        let noise = (0..12_500_000).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        });
        let image: Vec<u8> = b"P4 10000 10000 ".iter().copied().chain(noise).collect();
        floor_plan(w, "a.pbm", &image);
    }),
];
