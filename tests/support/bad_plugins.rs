//! Builds small defective plugins in C.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles `tests/plugins/c/magic.c` into a folder, with macros such as `VERSION="2.0.0"`.
pub fn build(folder: &Path, name: &str, macros: &[&str]) -> PathBuf {
    build_of("magic.c", folder, name, macros)
}

/// Compiles a file of `tests/plugins/c` into a folder, with macros. Those that begin with `-` are other
/// options of the compiler.
pub fn build_of(source: &str, folder: &Path, name: &str, macros: &[&str]) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::create_dir_all(folder).unwrap();
    let library = folder.join(library_name(name));
    // a test that builds the same library at the same time sees a whole one
    let thread = std::thread::current().id();
    let fresh = folder.join(format!("{name}.{}.{thread:?}.fresh", std::process::id()));
    let output = Command::new("cc")
        .args(["-std=c99", "-shared", "-fPIC", "-pthread", "-I"])
        .arg(root.join("sdk/c"))
        .args(macros.iter().map(|text| match text.starts_with('-') {
            true => (*text).to_owned(),
            false => format!("-D{text}"),
        }))
        .arg("-o")
        .arg(&fresh)
        .arg(root.join("tests/plugins/c").join(source))
        .arg("-lm")
        .output()
        .unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    std::fs::rename(&fresh, &library).unwrap();
    library
}

/// Returns the file name of a library on this platform.
pub fn library_name(name: &str) -> String {
    format!("{name}{}", std::env::consts::DLL_SUFFIX)
}

/// Writes a copy of a library with some bytes replaced, and returns its path.
pub fn patched(library: &Path, name: &str, at: usize, bytes: &[u8]) -> PathBuf {
    let mut content = std::fs::read(library).unwrap();
    content[at..at + bytes.len()].copy_from_slice(bytes);
    let copy = library.with_file_name(library_name(name));
    std::fs::write(&copy, content).unwrap();
    copy
}
