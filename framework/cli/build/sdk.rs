//! The source of the SDK as one compressed file, which `plugin new` unpacks into a project.
//!
//! For each file, in the order of the paths: the path below the folder of the copy, a line feed, the number of bytes, a line
//! feed, and the bytes; then all of it is compressed with deflate.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Folders of the crates below the root of the repository.
const CRATES: [&str; 4] = ["sdk", "sdk/abi", "sdk/derive", "sdk/vectors"];
/// Sections of their manifests that a copy without tests cannot have.
const TESTS: [&str; 3] = ["[[test]]", "[dev-dependencies]", "[lints]"];

/// Writes `sdk.deflate` to the folder of the build.
pub fn pack() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut manifests = String::new();
    for name in CRATES {
        let folder = root.join(name);
        println!("cargo:rerun-if-changed={}", folder.join("src").display());
        println!("cargo:rerun-if-changed={}", folder.join("Cargo.toml").display());
        let manifest = without_tests(&read(&folder.join("Cargo.toml")));
        manifests += &manifest;
        files.insert(format!("{name}/Cargo.toml"), manifest.into_bytes());
        add(&folder.join("src"), &format!("{name}/src"), &mut files);
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        files.insert(licence.to_owned(), read(&root.join(licence)).into_bytes());
    }
    let workspace = workspace(&read(&root.join("Cargo.toml")), &manifests);
    files.insert("Cargo.toml".to_owned(), workspace.into_bytes());

    let to = PathBuf::from(env::var("OUT_DIR").unwrap()).join("sdk.deflate");
    let file = fs::File::create(to).unwrap();
    let mut to = flate2::write::DeflateEncoder::new(file, flate2::Compression::best());
    for (path, bytes) in files {
        write!(to, "{path}\n{}\n", bytes.len()).unwrap();
        to.write_all(&bytes).unwrap();
    }
    to.finish().unwrap();
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Adds all files of a folder but unit tests in separate files.
fn add(folder: &Path, name: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{name}/{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            add(&path, &name, files);
        } else if !name.ends_with("/tests.rs") {
            files.insert(name, fs::read(&path).unwrap());
        }
    }
}

/// Returns a manifest without the sections that concern tests.
fn without_tests(manifest: &str) -> String {
    let mut kept = String::new();
    let mut is_kept = true;
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_kept = !TESTS.contains(&line);
        }
        if is_kept && line != "autotests = false" {
            kept = kept + line + "\n";
        }
    }
    kept
}

/// Returns the manifest of the copy: the keys and dependencies that its crates take from the workspace of `root`.
fn workspace(root: &str, manifests: &str) -> String {
    let section = |name: &str| {
        let lines = root.lines().skip_while(|line| *line != name).skip(1);
        lines.take_while(|line| !line.starts_with('[')).collect::<Vec<_>>()
    };
    let is_used = |line: &&str| {
        let name = line.split([' ', '=']).next().unwrap_or_default();
        let uses = [format!("{name}.workspace = true"), format!("{name} = {{ workspace = true")];
        !name.is_empty()
            && uses.iter().any(|used| manifests.lines().any(|line| line.starts_with(used)))
    };
    let package = section("[workspace.package]");
    let dependencies = section("[workspace.dependencies]");
    let used: Vec<&str> = dependencies.into_iter().filter(is_used).collect();
    format!(
        "[workspace]\nresolver = \"3\"\nmembers = {CRATES:?}\n\n[workspace.package]\n{}\n\
         [workspace.dependencies]\n{}\n",
        package.join("\n"),
        used.join("\n")
    )
}
