#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_assets::mesh::Format;

fuzz_target!(|bytes: &[u8]| simhost_fuzz::mesh(bytes, Format::Collada));
