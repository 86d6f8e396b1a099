//! Size limits of files and functions, without exceptions. Beauty is decided in the tail.

use syn::visit::Visit;

use super::source::{Functions, parse, root, rust_files};

/// Nine of ten files have at most this many lines.
const FILE_P90: usize = 260;
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

#[test]
fn functions_are_short() {
    let root = root();
    let mut lengths = Vec::new();
    let mut longest = Vec::new();
    let mut finds_this = false;
    for path in rust_files(&root) {
        let mut functions = Functions::default();
        functions.visit_file(&parse(&path));
        for (name, lines) in functions.lengths {
            finds_this |= name == "functions_are_short";
            lengths.push(lines);
            if lines > FUNCTION_MAX {
                let file = path.strip_prefix(&root).unwrap().display();
                longest.push(format!("{file}: {name} has {lines}"));
            }
        }
    }
    assert!(finds_this, "this function is not among those that were found");
    assert!(longest.is_empty(), "functions over {FUNCTION_MAX} lines: {longest:#?}");
    lengths.sort_unstable();
    let p95 = quantile(&lengths, 0.95);
    assert!(
        p95 <= FUNCTION_P95,
        "one function of twenty has more than {p95} lines; expected {FUNCTION_P95}"
    );
}
