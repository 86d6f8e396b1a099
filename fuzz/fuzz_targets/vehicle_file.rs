#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| simhost_world::fuzz_vehicle_file(bytes));
