//! The differences between a program and WebAssembly modules: the simulator in a tab, and models.

use super::source::{root, rust_files};

/// Files outside of the module's own crate that distinguish WebAssembly, with the number of places in each.
const PLACES: &[(&str, usize)] = &[
    // waiting for an input needs a second thread
    ("framework/simhost/src/inputs.rs", 1),
    // shared libraries
    ("framework/registry/src/lib.rs", 1),
    // a panic is a trap, and a module with models has no host that it is linked into
    ("sdk/src/export.rs", 2),
    // a module exports functions for its host
    ("sdk/src/lib.rs", 1),
];

/// Files, the clock and processes go through the standard library, which the page implements with WASI.
#[test]
fn web_assembly_differs_in_few_places() {
    const MOST: usize = 5;
    let mut found: Vec<(String, usize)> = Vec::new();
    for folder in ["framework", "plugins", "sdk"] {
        for file in rust_files(&root().join(folder)) {
            let name = file.strip_prefix(root()).unwrap().display().to_string();
            let text = std::fs::read_to_string(&file).unwrap();
            let words =
                ["target_family = \"wasm\"", "target_arch = \"wasm32\"", "target_os = \"wasi\""];
            let count = words.iter().map(|word| text.matches(word).count()).sum();
            if count > 0 && !name.starts_with("framework/wasm/") && name != "sdk/src/module.rs" {
                found.push((name, count));
            }
        }
    }
    let expected: Vec<_> =
        PLACES.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
    let sorted = |mut list: Vec<(String, usize)>| {
        list.sort();
        list
    };
    assert_eq!(sorted(found), sorted(expected.clone()));
    assert!(expected.iter().map(|(_, count)| count).sum::<usize>() <= MOST);
}
