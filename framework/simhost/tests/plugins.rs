//! Sessions share plugins.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use simhost::{Options, Session};

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/demo.world.xml");

/// Builds a library with the symbol of a plugin that appends a byte to a file each time it is loaded.
fn build(folder: &Path, note: &Path) {
    let source = folder.join("counts.c");
    let text = format!(
        "#include <stdio.h>\nconst char simhost_plugin_v1[256] = {{0}};\n__attribute__((constructor)) static void loaded(void) {{\n  FILE* f = \
         fopen(\"{}\", \"ab\");\n  if (f) {{ fputc('x', f); fclose(f); }}\n}}\n",
        note.display()
    );
    std::fs::write(&source, text).unwrap();
    let library = folder.join(format!("libcounts{}", std::env::consts::DLL_SUFFIX));
    let built =
        Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(library).arg(source).status();
    assert!(built.unwrap().success());
}

/// Opening further sessions with the catalogue of the first one, its forks and resets load no plugin again.
#[test]
fn a_second_session_loads_no_plugin_again() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("loaded.txt");
    build(folder.path(), &note);
    let loads = || std::fs::read(&note).map_or(0, |bytes| bytes.len());
    let folders = vec![folder.path().to_owned()];
    let first = Options { plugin_folders: folders.clone(), ..Options::default() };
    let mut first = Session::open(DEMO, first).unwrap();
    let once = loads();
    assert!(once > 0, "the library has been opened");
    let catalogue = Some(first.world().catalogue().clone());
    let options = Options { catalogue, plugin_folders: folders, ..Options::default() };
    let mut second = Session::open(DEMO, options).unwrap();
    let listed = |sim: &Session| {
        let files =
            sim.world().catalogue().libraries().iter().filter_map(|library| library.file.clone());
        files.collect::<Vec<_>>()
    };
    assert!(!listed(&first).is_empty() && listed(&second) == listed(&first));
    second.edit().reset(3).unwrap();
    drop(first.fork().unwrap());
    assert_eq!(loads(), once);
}
