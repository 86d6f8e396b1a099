//! Builds small defective plugins in C, and examines them in the process of the test.

use std::path::{Path, PathBuf};
use std::process::Command;

use simhost_registry::Catalogue;
use simhost_validator::{Subject, Test, Verdict, perform};

use super::projects;

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
    let fresh = folder.join(format!("{name}.{}.fresh", projects::unique_name()));
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

/// Returns why a library is not used, or an empty text.
pub fn refusal(library: &Path) -> String {
    let catalogue = Catalogue::of_file(library, None);
    let found = catalogue.libraries().iter().find(|library| library.file.is_some()).unwrap();
    found.refusal.as_ref().map(ToString::to_string).unwrap_or_default()
}

/// Returns what a test of the validator finds wrong with a library and its models, which must not crash in it.
pub fn failures(library: &Path, test: &str) -> Vec<String> {
    let catalogue = Catalogue::of_file(library, None);
    let found = catalogue.libraries().iter().find(|library| library.file.is_some()).unwrap();
    let file = || Some(library.to_owned());
    let mut subjects = vec![Subject::of_plugin(file(), found.plugin)];
    subjects.extend(found.plugin.iter().flat_map(|plugin| Subject::models(file(), plugin)));
    subjects.retain(|subject| Test::named(test).unwrap().is_of(subject));
    assert!(!subjects.is_empty(), "{test} applies to nothing in {}", library.display());
    let report = tempfile::NamedTempFile::new().unwrap();
    let verdict = |subject: &Subject| {
        // seed and number of cases are those of `simhost plugin check`
        let job = serde_json::json!({
            "test": test, "subject": subject, "seed": 1, "cases": 25, "report": report.path()
        });
        perform(&job.to_string()).unwrap();
        match serde_json::from_slice(&std::fs::read(report.path()).unwrap()).unwrap() {
            Verdict::Fail(failure) => Some(failure.what),
            _ => None,
        }
    };
    subjects.iter().filter_map(verdict).collect()
}
