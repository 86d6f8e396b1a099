//! Compiled modules in the cache folder of the user, so that a module is compiled once and not in every run.
//!
//! A file is named after the SHA-256 of its module and the settings of the compiler. It contains machine code, which is trusted
//! like the libraries in the same folder: whoever can write there can run programs of the user.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};
use wasmtime::{Engine, Module};

/// Most compiled modules that are kept.
const MOST: usize = 64;

/// Returns a compiled module. Without a folder that can be written, it is compiled each time.
///
/// # Errors
/// If the module is invalid.
pub(crate) fn compiled(engine: &Engine, bytes: &[u8]) -> wasmtime::Result<Module> {
    let Some(folder) = folder() else { return Module::new(engine, bytes) };
    let file = folder.join(name(engine, bytes));
    // SAFETY: files in this folder are trusted; wasmtime rejects those of other versions and settings.
    if let Ok(module) = unsafe { Module::deserialize_file(engine, &file) } {
        return Ok(module);
    }
    let module = Module::new(engine, bytes)?;
    if let Ok(code) = module.serialize() {
        // without the file, the next program compiles it
        let _ = keep(&folder, &file, &code);
    }
    Ok(module)
}

/// Returns the folder, next to the file that remembers which libraries can be loaded.
fn folder() -> Option<PathBuf> {
    Some(simhost_registry::memory_file()?.parent()?.join("modules"))
}

fn name(engine: &Engine, bytes: &[u8]) -> String {
    /// Feeds the settings to a digest.
    struct Settings(Sha256);
    impl Hasher for Settings {
        fn finish(&self) -> u64 {
            0
        }
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }
    }
    let mut settings = Settings(Sha256::new_with_prefix(bytes));
    engine.precompile_compatibility_hash().hash(&mut settings);
    settings.0.finalize().iter().fold(String::new(), |mut name, byte| {
        let _ = write!(name, "{byte:02x}");
        name
    })
}

/// Writes a file, and removes the oldest ones.
fn keep(folder: &Path, file: &Path, code: &[u8]) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
    fresh.write_all(code)?;
    fresh.persist(file)?;
    let mut files: Vec<(SystemTime, PathBuf)> = std::fs::read_dir(folder)?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
        })
        .collect();
    files.sort();
    for (_, old) in files.iter().rev().skip(MOST) {
        std::fs::remove_file(old)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..MOST + 3 {
            keep(folder.path(), &folder.path().join(format!("{number:03}")), b"code").unwrap();
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let mut names: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names.len(), MOST);
        assert_eq!(names[0], "003");
    }

    #[test]
    fn names_depend_on_the_module() {
        let engine = Engine::default();
        assert_ne!(name(&engine, b"a"), name(&engine, b"b"));
        assert_eq!(name(&engine, b"a").len(), 64);
    }
}
