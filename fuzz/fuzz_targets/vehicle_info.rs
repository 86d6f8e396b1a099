#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_planning::vehicle_info::{KEYS, VehicleInfo};
use simhost_sdk::TextFile;

fuzz_target!(|text: &str| {
    let file = TextFile { path: "vehicle_info.param.yaml".to_owned(), text: text.to_owned() };
    let Ok(info) = VehicleInfo::read(&file) else { return };
    assert!(info.get("wheel_base").is_some_and(|length| length > 0.0));
    assert!(KEYS.iter().filter_map(|key| info.get(key)).all(f64::is_finite));
});
