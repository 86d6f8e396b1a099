//! A number that tells worlds apart.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::xml::Element;

/// The fingerprint of a plain tree, read with the numbers of a profile, and of the files that it points
/// to. Neither white space nor the place of a file counts.
pub(crate) fn of(root: &Element, profile: &str, files: &[PathBuf], longest: u64) -> u128 {
    let mut hash = Xxh3::new();
    text(&mut hash, profile);
    element(&mut hash, root);
    for file in files {
        hash.update(&content(file, longest).to_le_bytes());
    }
    hash.digest128()
}

fn element(hash: &mut Xxh3, tag: &Element) {
    text(hash, &tag.name);
    count(hash, tag.attributes.len());
    for attribute in &tag.attributes {
        text(hash, &attribute.name);
        text(hash, &attribute.text.content);
    }
    text(hash, tag.text.as_ref().map_or("", |text| &text.content));
    count(hash, tag.children.len());
    tag.children.iter().for_each(|child| element(hash, child));
}

/// With its length, so that what follows cannot be taken for a part of it.
fn text(hash: &mut Xxh3, text: &str) {
    count(hash, text.len());
    hash.update(text.as_bytes());
}

fn count(hash: &mut Xxh3, count: usize) {
    hash.update(&(count as u64).to_le_bytes());
}

/// A file that cannot be read has been told, or something stands for it.
fn content(file: &Path, longest: u64) -> u128 {
    let is_file = std::fs::metadata(file).is_ok_and(|about| about.is_file());
    let mut bytes = Vec::new();
    let mut read = || File::open(file)?.take(longest).read_to_end(&mut bytes);
    if is_file && read().is_ok() { xxh3_128(&bytes) } else { 0 }
}
