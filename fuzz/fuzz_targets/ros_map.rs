#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use simhost_assets::grid::RosMap;
use simhost_assets::image::{self, GreyImage};

/// Four grey levels, as a PGM.
static IMAGE: LazyLock<GreyImage> = LazyLock::new(|| {
    let bytes = b"P5 2 2 255 \x00\x80\xcd\xfe";
    image::from_bytes(bytes, &simhost_fuzz::limits()).expect("a valid picture")
});

fuzz_target!(|bytes: &[u8]| {
    if let Ok(map) = RosMap::from_bytes(bytes).and_then(|map| map.grid(&IMAGE)) {
        simhost_fuzz::grid(&map);
    }
});
