#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| simhost_world::fuzz_expression(text));
