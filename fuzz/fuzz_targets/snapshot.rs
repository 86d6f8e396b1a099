#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|damage: (Option<u16>, Vec<(u16, u8)>)| {
    let (cut, edits) = damage;
    simhost_fuzz::snapshot(cut, &edits);
});
