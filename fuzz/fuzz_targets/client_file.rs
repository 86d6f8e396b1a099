#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|fragment: &[u8]| simhost_fuzz::addition(fragment));
