#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_planning::maps;
use simhost_sdk::TextFile;

fuzz_target!(|text: &str| {
    let file = TextFile { path: "a.csv".to_owned(), text: text.to_owned() };
    let map = match maps::read(&file) {
        Ok(map) => map,
        Err(error) => return drop(error.to_string()),
    };
    for at in [-1e9, 0.0, 0.3, 1e9] {
        let _ = (map.lookup(at, at), map.row_of(at, at));
    }
});
