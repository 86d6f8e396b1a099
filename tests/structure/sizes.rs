//! Size limits of files and functions, without exceptions. Beauty is decided in the tail.

use std::path::Path;

use syn::visit::Visit;

use super::source::{Functions, root, rust_files};

/// Nine of ten files have at most this many lines.
const FILE_P90: usize = 300;
/// No file has more lines.
const FILE_MAX: usize = 600;
/// Nineteen of twenty functions have at most this many lines.
const FUNCTION_P95: usize = 30;
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
