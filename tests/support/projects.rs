//! Builds plugins that are separate projects, and families of the workspace as shared libraries.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// Returns a name that no other thread of any test process has at the same time.
pub fn unique_name() -> String {
    format!("{}.{:?}", std::process::id(), std::thread::current().id())
}

/// Returns the folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns a folder that persists between test runs.
pub fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

/// Returns the file name of a library.
pub fn library_name(name: &str) -> String {
    format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

fn cargo(directory: &Path, arguments: &[&str], target: &Path) {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(directory)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Held while a library is built and copied, which two tests must not do at the same time.
static BUILDING: Mutex<()> = Mutex::new(());

/// Builds a project and returns a folder that holds just its library.
pub fn project(folder: &str, library: &str) -> PathBuf {
    let _building = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    let target = scratch("plugins");
    cargo(&root().join(folder), &["build", "--locked"], &target);
    alone(&target.join("debug"), library)
}

/// Builds a family of the workspace as a shared library, in the target folder of the tests, whose
/// libraries it shares. Returns a folder that holds just this library.
pub fn family(package: &str, features: &[&str]) -> PathBuf {
    let _building = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let mut arguments = vec!["rustc", "-p", package, "--lib", "--crate-type", "cdylib"];
    for feature in features {
        arguments.extend(["--features", feature]);
    }
    cargo(&root(), &arguments, target);
    alone(&target.join("debug"), &package.replace('-', "_"))
}

/// Returns a folder that holds just the library of `plugins/platforms`, which cargo builds with the tests.
pub fn platforms() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    alone(tests.parent().unwrap(), "simhost_platforms")
}

fn alone(from: &Path, library: &str) -> PathBuf {
    let folder = scratch(&format!("alone-{library}"));
    let library = library_name(library);
    // a mapped file must not be overwritten
    let fresh = folder.join(format!("{library}.{}", std::process::id()));
    std::fs::copy(from.join(&library), &fresh).unwrap();
    std::fs::rename(&fresh, folder.join(&library)).unwrap();
    folder
}
