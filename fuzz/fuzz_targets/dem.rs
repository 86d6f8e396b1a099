#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_assets::terrain::{self, DemOptions, Lattice};
use simhost_assets::{cloud, matrix};

fuzz_target!(|bytes: &[u8]| {
    let limits = simhost_fuzz::limits();
    let options = DemOptions { resolution: 1.0, offset: [0.0; 3] };
    if let Ok(field) = terrain::dem_from_bytes(bytes, &options, &limits) {
        simhost_fuzz::terrain(&field);
    }
    let _ = cloud::from_bytes(bytes, &limits);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(matrix) = matrix::parse(text, &limits) {
        let lattice = Lattice { resolution: 1.0, corner: [None; 2] };
        let _ = terrain::from_matrix(&matrix, 0.5, &lattice);
    }
    let _ = matrix::parse_kernel(text, &limits);
    let _ = matrix::parse_transformation(text, &limits);
});
