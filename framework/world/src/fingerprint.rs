//! Fingerprints of worlds.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::tree::Element;

/// Returns the fingerprint of an expanded tree, its profile and the files that it refers to. White
/// space and the location of files do not matter. At most `max_bytes` of each file are read.
pub(crate) fn of(root: &Element, profile: &str, files: &[PathBuf], max_bytes: u64) -> u128 {
    let mut hash = Xxh3::new();
    add_text(&mut hash, profile);
    add_element(&mut hash, root);
    for file in files {
        hash.update(&hash_of_file(file, max_bytes).to_le_bytes());
    }
    hash.digest128()
}

fn add_element(hash: &mut Xxh3, element: &Element) {
    add_text(hash, &element.name);
    add_count(hash, element.attributes.len());
    for attribute in &element.attributes {
        add_text(hash, &attribute.name);
        add_text(hash, &attribute.text.content);
    }
    add_text(hash, element.text.as_ref().map_or("", |text| &text.content));
    add_count(hash, element.children.len());
    element.children.iter().for_each(|child| add_element(hash, child));
}

/// Adds a text and its length, which separates it from what follows.
fn add_text(hash: &mut Xxh3, text: &str) {
    add_count(hash, text.len());
    hash.update(text.as_bytes());
}

fn add_count(hash: &mut Xxh3, count: usize) {
    hash.update(&(count as u64).to_le_bytes());
}

/// Returns the hash of a file, or 0 if it cannot be read, which has been reported.
fn hash_of_file(file: &Path, max_bytes: u64) -> u128 {
    let is_file = std::fs::metadata(file).is_ok_and(|metadata| metadata.is_file());
    let mut bytes = Vec::new();
    let mut read = || File::open(file)?.take(max_bytes).read_to_end(&mut bytes);
    if is_file && read().is_ok() { xxh3_128(&bytes) } else { 0 }
}
