//! The source of the SDK as one compressed file, which `plugin new` unpacks into a project.
//!
//! For each file, in the order of the paths: the path below the folder of the copy, a line feed, the number of bytes, a line
//! feed, and the bytes; then all of it is compressed with deflate.

use std::collections::BTreeMap;
use std::io::{Result, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// Folders of the crates below the root of the repository.
const CRATES: [&str; 4] = ["sdk", "sdk/abi", "sdk/derive", "sdk/vectors"];
/// Sections of their manifests that a copy without tests cannot have.
const TESTS: [&str; 3] = ["[[test]]", "[dev-dependencies]", "[lints]"];

/// Writes `sdk.deflate` to the folder of the build.
///
/// # Errors
/// Reading the source or writing the file fails.
pub fn pack() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut manifests = String::new();
    for name in CRATES {
        let folder = root.join(name);
        println!("cargo:rerun-if-changed={}", folder.join("src").display());
        println!("cargo:rerun-if-changed={}", folder.join("Cargo.toml").display());
        let manifest = without_tests(&fs::read_to_string(folder.join("Cargo.toml"))?);
        manifests += &manifest;
        files.insert(format!("{name}/Cargo.toml"), manifest.into_bytes());
        add(&folder.join("src"), &format!("{name}/src"), &mut files)?;
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        files.insert(licence.to_owned(), fs::read(root.join(licence))?);
    }
    let workspace = workspace(&fs::read_to_string(root.join("Cargo.toml"))?, &manifests);
    files.insert("Cargo.toml".to_owned(), workspace.into_bytes());

    let to = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("sdk.deflate");
    let mut to = DeflateEncoder::new(fs::File::create(to)?, Compression::best());
    for (path, bytes) in files {
        write!(to, "{path}\n{}\n", bytes.len())?;
        to.write_all(&bytes)?;
    }
    to.finish().map(drop)
}

/// Adds all files of a folder but unit tests in separate files.
fn add(folder: &Path, name: &str, files: &mut BTreeMap<String, Vec<u8>>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            add(&entry.path(), &name, files)?;
        } else if !name.ends_with("/tests.rs") {
            files.insert(name, fs::read(entry.path())?);
        }
    }
    Ok(())
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
