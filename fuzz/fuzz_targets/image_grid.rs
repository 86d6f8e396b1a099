#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_assets::grid::{self, GridOptions};
use simhost_assets::image;
use simhost_assets::terrain::{self, Lattice};

fuzz_target!(|bytes: &[u8]| {
    let Ok(image) = image::from_bytes(bytes, &simhost_fuzz::limits()) else { return };
    let options = GridOptions { resolution: 0.1, center_pixel: [-1.0; 2] };
    if let Ok(map) = grid::from_image(&image, &options) {
        simhost_fuzz::grid(&map);
    }
    let lattice = Lattice { resolution: 1.0, corner: [None; 2] };
    if let Ok(field) = terrain::from_image(&image, [0.0, 5.0], &lattice) {
        simhost_fuzz::terrain(&field);
    }
});
