#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_assets::terrain::{self, DemOptions, Lattice};
use simhost_assets::{cloud, matrix};

fuzz_target!(|bytes: &[u8]| {
    let limits = simhost_fuzz::limits();
    if let Ok(field) = terrain::dem_from_bytes(bytes, &DemOptions::default(), &limits) {
        simhost_fuzz::terrain(&field);
    }
    let _ = cloud::from_bytes(bytes, &limits);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(matrix) = matrix::parse(text, &limits) {
        let _ = terrain::from_matrix(&matrix, 0.5, &Lattice::default());
    }
    let _ = matrix::parse_kernel(text, &limits);
    let _ = matrix::parse_transformation(text, &limits);
});
