#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_assets::grid;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(map) = grid::mrpt_from_reader(bytes, &simhost_fuzz::limits()) {
        simhost_fuzz::grid(&map);
    }
});
