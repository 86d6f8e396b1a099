#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_assets::crg::{self, CrgOptions};

fuzz_target!(|bytes: &[u8]| {
    let limits = simhost_fuzz::limits();
    let Ok(road) = crg::from_bytes(bytes, &limits) else { return };
    for resolution in [None, Some(0.5)] {
        let options = CrgOptions { resolution, offset: [0.0; 3] };
        if let Ok(field) = road.to_field(&options, &limits) {
            simhost_fuzz::terrain(&field);
        }
    }
});
