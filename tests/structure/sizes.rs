//! Size limits of files and functions, without exceptions. Beauty is decided in the tail.

use std::path::Path;

use syn::visit::Visit;

use super::source::{Functions, parse, root, rust_files};

/// Nine of ten files have at most this many lines.
const FILE_P90: usize = 330;
/// No file has more lines.
const FILE_MAX: usize = 650;
/// Mean number of lines of the files of the product is at least this. What one reads together is in
/// one file.
const PRODUCT_MEAN: usize = 170;
/// Files of the product with fewer lines only declare modules, or hold a model or a template.
const PRODUCT_MIN: usize = 40;
/// Number of other files that are shorter.
const MOST_SHORT: usize = 56;
/// Folders whose files do not belong to the product.
const NOT_PRODUCT: &[&str] = &["tests", "benches", "examples", "fuzz"];
/// Nineteen of twenty functions have at most this many lines. A parameter can take one.
const FUNCTION_P95: usize = 32;
/// No function has more lines.
const FUNCTION_MAX: usize = 80;

fn quantile(sorted: &[usize], share: f64) -> usize {
    sorted[((sorted.len() - 1) as f64 * share) as usize]
}

#[test]
fn files_are_short() {
    let root = root();
    let mut sizes: Vec<(usize, String)> = rust_files(&root)
        .iter()
        .map(|path| {
            let lines = std::fs::read_to_string(path).unwrap().lines().count();
            (lines, path.strip_prefix(&root).unwrap().display().to_string())
        })
        .collect();
    sizes.sort();
    let longest: Vec<_> = sizes.iter().filter(|(lines, _)| *lines > FILE_MAX).collect();
    assert!(longest.is_empty(), "files over {FILE_MAX} lines: {longest:?}");
    let lengths: Vec<usize> = sizes.iter().map(|(lines, _)| *lines).collect();
    let p90 = quantile(&lengths, 0.9);
    assert!(p90 <= FILE_P90, "one file of ten has more than {p90} lines; expected {FILE_P90}");
}

/// Returns whether a file has items other than modules and imports.
fn has_code(path: &Path) -> bool {
    let mut items = parse(path).items.into_iter();
    items.any(|item| !matches!(item, syn::Item::Mod(_) | syn::Item::Use(_)))
}

#[test]
fn files_hold_what_one_reads_together() {
    let root = root();
    let (mut files, mut lines, mut short) = (0, 0, Vec::new());
    for path in rust_files(&root) {
        let name = path.strip_prefix(&root).unwrap();
        if name.iter().any(|part| NOT_PRODUCT.iter().any(|folder| part == *folder)) {
            continue;
        }
        let length = std::fs::read_to_string(&path).unwrap().lines().count();
        (files, lines) = (files + 1, lines + length);
        let is_alone = name.starts_with("plugins") || name.starts_with("sdk/templates");
        if length < PRODUCT_MIN && !is_alone && has_code(&path) {
            short.push(name.display().to_string());
        }
    }
    let mean = lines / files;
    assert!(mean >= PRODUCT_MEAN, "{files} files have {mean} lines; expected {PRODUCT_MEAN}");
    let most = format!("files under {PRODUCT_MIN} lines, of which {MOST_SHORT} may be left");
    assert!(short.len() <= MOST_SHORT, "{most}: {}: {short:#?}", short.len());
}

/// Lengths of functions.
#[derive(Default)]
pub struct Lengths {
    /// Lines of each function.
    all: Vec<usize>,
    /// Functions that are too long.
    longest: Vec<String>,
    /// Whether this file is among those that were added.
    has_this: bool,
}

impl Lengths {
    /// Adds the functions of a file.
    pub fn add(&mut self, path: &Path, file: &syn::File) {
        let mut functions = Functions::default();
        functions.visit_file(file);
        self.has_this |= path.ends_with("tests/structure/sizes.rs");
        for (name, lines) in functions.lengths {
            self.all.push(lines);
            if lines > FUNCTION_MAX {
                self.longest.push(format!("{}: {name} has {lines}", path.display()));
            }
        }
    }

    /// Checks the lengths.
    pub fn check(mut self) {
        assert!(self.has_this, "this file is not among those that were found");
        let longest = self.longest;
        assert!(longest.is_empty(), "functions over {FUNCTION_MAX} lines: {longest:#?}");
        self.all.sort_unstable();
        let p95 = quantile(&self.all, 0.95);
        assert!(
            p95 <= FUNCTION_P95,
            "one function of twenty has more than {p95} lines; expected {FUNCTION_P95}"
        );
    }
}
