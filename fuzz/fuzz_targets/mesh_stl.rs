#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_assets::mesh::MeshFormat;

fuzz_target!(|bytes: &[u8]| simhost_fuzz::mesh(bytes, MeshFormat::Stl));
