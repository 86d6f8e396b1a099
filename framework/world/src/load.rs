//! Loading of a world file.

mod tree;

use std::io::Read;
use std::path::{Path, PathBuf};

use simhost_model::Classes;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::context::{Assets, Catalogue, Context, References};
use crate::diagnostics::{Diagnostic, LoadError, Report};
use crate::expansion::{Expanded, expand_file, expand_text};
use crate::flatten;
use crate::options::LoadOptions;
use crate::sources::Sources;
use crate::stream::add_requested;
use crate::tree::Element;
use crate::vehicle::CLASS as VEHICLE_CLASS;
use crate::world::{World, read_world};

pub use tree::{UnknownEntity, WorldTree};

/// A world without errors.
#[derive(Debug)]
pub struct Loaded {
    /// Description of the world.
    pub world: World,
    /// Warnings about parts of the file that may not mean what was intended.
    pub warnings: Vec<Diagnostic>,
    /// The texts that spans refer to.
    pub sources: Sources,
    /// The world as one file, as [`flatten`](crate::flatten) returns it, if
    /// [`LoadOptions::flatten`] is set.
    pub flat: Option<String>,
    /// The files that the world refers to, apart from included ones: images, meshes, tables.
    pub files: Vec<PathBuf>,
    /// The elements of the world, if [`LoadOptions::keep_tree`] is set.
    pub tree: Option<WorldTree>,
}

/// Loads a world file and everything that it includes.
///
/// # Errors
/// [`LoadError`] with every error found: files that cannot be read, unknown names, invalid values.
pub fn load(
    path: &Path,
    options: &LoadOptions,
    classes: &dyn Classes,
) -> Result<Loaded, LoadError> {
    read(expand_file(path, options, &VEHICLE_CLASS), options, classes)
}

/// Loads a world from any bytes, as if they were the content of `path`, which need not exist.
///
/// # Errors
/// As [`load`].
#[doc(hidden)]
pub fn load_text(
    path: &Path,
    text: &[u8],
    options: &LoadOptions,
    classes: &dyn Classes,
) -> Result<Loaded, LoadError> {
    read(expand_text(path, text.to_vec(), options, &VEHICLE_CLASS), options, classes)
}

fn read(
    mut expanded: Expanded,
    options: &LoadOptions,
    classes: &dyn Classes,
) -> Result<Loaded, LoadError> {
    let profile = expanded.profile;
    let Some(root) = expanded.root.take() else {
        let Expanded { sources, report, usage, .. } = expanded;
        return Err(failure(report, sources, usage));
    };
    let children = &mut root.children.iter();
    let random_values = std::mem::take(&mut expanded.random_values);
    let mut loaded = read_tree(expanded, &root, children, options, classes)?;
    let max_bytes = options.asset_limits.max_file_bytes;
    let name = loaded.world.settings.profile.name;
    let fingerprint = of_world(&root, name, &loaded.files, max_bytes);
    loaded.world.fingerprint = fingerprint;
    loaded.world.random_values = random_values.clone();
    loaded.flat = options.flatten.then(|| flatten::text(&root, &loaded.sources, options));
    if options.keep_tree {
        let sources = loaded.sources.clone();
        loaded.tree =
            Some(WorldTree::new(root, sources, profile, options, fingerprint, random_values));
    }
    Ok(loaded)
}

/// Reads a world from a root and its children. The fingerprint is left out.
fn read_tree(
    expanded: Expanded,
    root: &Element,
    children: &mut dyn Iterator<Item = &Element>,
    options: &LoadOptions,
    classes: &dyn Classes,
) -> Result<Loaded, LoadError> {
    let Expanded { sources, report, usage, profile, .. } = expanded;
    let mut context = Context {
        report,
        sources,
        profile,
        lenient: options.lenient || profile.lenient,
        catalogue: Catalogue::new(classes),
        assets: Assets::new(options),
        references: References::default(),
        owner: String::new(),
    };
    let mut world = read_world(&mut context, root, children);
    add_requested(&mut context, &mut world.streams, &world.recorded, &options.streams);
    let Context { report, sources, assets, .. } = context;
    if report.has_errors() {
        return Err(failure(report, sources, usage));
    }
    let files = assets.files().to_vec();
    Ok(Loaded { world, warnings: report.finish(), sources, flat: None, files, tree: None })
}

fn failure(report: Report, sources: Sources, usage: bool) -> LoadError {
    let hidden_errors = report.hidden_errors();
    LoadError { diagnostics: report.finish(), sources, hidden_errors, usage }
}

/// Number of bytes that are hashed together: most texts are too short to be hashed one by one.
const BLOCK: usize = 4096;

/// Elements of the root that change only when a run ends, what it writes and what watches it.
const OF_THE_RUN: &[&str] = &["duration", "record", "stream", "observer"];

/// Returns the fingerprint of an expanded tree, its profile and the files that it refers to. White
/// space, the location of files, the duration of a run, what it records and its
/// observers do not matter. At most `max_bytes` of each
/// file are read.
fn of_world(root: &Element, profile: &str, files: &[PathBuf], max_bytes: u64) -> u128 {
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
