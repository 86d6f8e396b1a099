#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_cosim::{FmuArchive, FmuDescription};

// the first byte decides between an archive, and a description without one
fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let text = match choice % 2 {
        0 => FmuArchive::read(bytes.to_vec()).and_then(|mut archive| archive.description()).ok(),
        _ => std::str::from_utf8(bytes).ok().map(str::to_owned),
    };
    if let Some(text) = text {
        let _ = FmuDescription::read(&text);
    }
});
