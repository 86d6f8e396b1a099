#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_assets::ros_parameters;

fuzz_target!(|bytes: &[u8]| {
    let Ok(found) = ros_parameters::from_bytes(bytes) else { return };
    assert!(!found.is_empty());
    assert!(found.iter().all(|one| one.line > 0 && one.line <= bytes.len() + 1));
});
