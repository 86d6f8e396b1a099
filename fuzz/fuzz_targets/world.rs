#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|text: &[u8]| -> Corpus {
    match simhost_fuzz::world(text) {
        true => Corpus::Keep,
        false => Corpus::Reject,
    }
});
