#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_assets::grid::{self, GridOptions};
use simhost_assets::image;
use simhost_assets::terrain::{self, Lattice};

fuzz_target!(|bytes: &[u8]| {
    let Ok(image) = image::from_bytes(bytes, &simhost_fuzz::limits()) else { return };
    if let Ok(map) = grid::from_image(&image, &GridOptions::default()) {
        simhost_fuzz::grid(&map);
    }
    if let Ok(field) = terrain::from_image(&image, [0.0, 5.0], &Lattice::default()) {
        simhost_fuzz::terrain(&field);
    }
});
