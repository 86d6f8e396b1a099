//! Fingerprints of worlds.

use std::io::Read;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::tree::Element;

/// Number of bytes that are hashed together: most texts are too short to be hashed one by one.
const BLOCK: usize = 4096;

/// Elements of the root that change only when a run ends, what it writes and what watches it.
const OF_THE_RUN: &[&str] = &["duration", "record", "stream", "observer"];

/// Returns the fingerprint of an expanded tree, its profile and the files that it refers to. White
/// space, the location of files, the duration of a run, what it records and its
/// observers do not matter. At most `max_bytes` of each
/// file are read.
pub(crate) fn of_world(root: &Element, profile: &str, files: &[PathBuf], max_bytes: u64) -> u128 {
    let mut hash = Hash { hasher: Xxh3::new(), waiting: Vec::with_capacity(2 * BLOCK) };
    hash.add_text(profile);
    let is_of_run = |child: &&Element| OF_THE_RUN.contains(&child.name.as_str());
    let omitted = root.children.iter().filter(is_of_run).count();
    hash.add_head(root, root.children.len() - omitted);
    root.children
        .iter()
        .filter(|child| !is_of_run(child))
        .for_each(|child| hash.add_element(child));
    for file in files {
        hash.add(&hash_of_file(file, max_bytes).to_le_bytes());
    }
    hash.hasher.update(&hash.waiting);
    hash.hasher.digest128()
}

/// The hash of everything that has been added, which does not depend on the division into blocks.
struct Hash {
    hasher: Xxh3,
    /// Bytes that have not been hashed yet.
    waiting: Vec<u8>,
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= BLOCK {
            self.hasher.update(&self.waiting);
            self.waiting.clear();
        }
    }

    /// Adds a text and its length, which separates it from what follows.
    fn add_text(&mut self, text: &str) {
        self.add_count(text.len());
        self.add(text.as_bytes());
    }

    fn add_count(&mut self, count: usize) {
        self.add(&(count as u64).to_le_bytes());
    }

    fn add_element(&mut self, element: &Element) {
        self.add_head(element, element.children.len());
        element.children.iter().for_each(|child| self.add_element(child));
    }

    /// Adds an element and the number of its children, which follow.
    fn add_head(&mut self, element: &Element, children: usize) {
        self.add_text(&element.name);
        self.add_count(element.attributes.len());
        for attribute in &element.attributes {
            self.add_text(&attribute.name);
            self.add_text(&attribute.text.content);
        }
        self.add_text(element.text.as_ref().map_or("", |text| &text.content));
        self.add_count(children);
    }
}

/// Returns the hash of a file, or 0 if it cannot be read, which has been reported.
fn hash_of_file(file: &Path, max_bytes: u64) -> u128 {
    let mut bytes = Vec::new();
    let mut read = || simhost_files::open(file)?.take(max_bytes).read_to_end(&mut bytes);
    if read().is_ok() { xxh3_128(&bytes) } else { 0 }
}
