//! What it costs to load plugins that are known, beside a bare `dlopen` of copies of the same file.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "support/bad_plugins.rs"]
mod bad_plugins;
mod support;

use std::ffi::{CString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bad_plugins::{build, library_name};
use simhost_registry::{Catalogue, Folder, Options, Source, Trial};
use support::Workspace;

unsafe extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
}
const RTLD_NOW: c_int = 2;

/// Copies that are loaded for a measurement.
const COPIES: usize = 40;

/// The lower quartile: what the machine does beside only makes it slower.
fn undisturbed(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 4]
}

fn bare(file: &Path) -> Duration {
    let path = CString::new(file.as_os_str().as_bytes()).unwrap();
    let began = Instant::now();
    // SAFETY: the library is our own and its constructors do nothing.
    let handle = unsafe { dlopen(path.as_ptr(), RTLD_NOW) };
    let took = began.elapsed();
    assert!(!handle.is_null());
    took
}

fn collect(folder: &Path) -> Duration {
    let trial = Trial {
        program: support::SIMHOST.into(),
        arguments: ["plugin", "probe", "--"].map(Into::into).to_vec(),
        limit: Duration::from_secs(20),
        memory: Some(folder.with_extension("cache").join("simhost/plugins.json")),
        rescan: false,
    };
    let folders = vec![Folder { path: folder.to_path_buf(), source: Source::PluginDir }];
    let options = Options { folders, trial: Some(trial), ..Options::default() };
    let began = Instant::now();
    let catalogue = Catalogue::collect(options).unwrap();
    let took = began.elapsed();
    assert!(catalogue.libraries()[0].refusal.is_none(), "{:?}", catalogue.libraries()[0].refusal);
    took
}

/// Folders with a copy of a library each.
fn copies(workspace: &Workspace, library: &Path, name: &str) -> Vec<PathBuf> {
    let copies = (0..COPIES).map(|copy| {
        // a file that is mapped must not be written over
        let stem = library.file_stem().unwrap().to_string_lossy();
        let folder = workspace.path(&format!("{stem}-{name}{copy}"));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::copy(library, folder.join(library_name("copy"))).unwrap();
        folder
    });
    copies.collect()
}

#[test]
fn a_known_plugin_costs_at_most_three_times_a_bare_dlopen() {
    let workspace = Workspace::new("");
    let extra: Vec<PathBuf> =
        std::env::var_os("LOAD_COST_OF").map(PathBuf::from).into_iter().collect();
    let small = build(&workspace.path("built"), "magic", &[]);
    for library in std::iter::once(&small).chain(&extra) {
        let known = copies(&workspace, library, "known");
        // a process of its own learns them, so that this one has not loaded them
        for folder in &known {
            let mut command = workspace.command();
            command.env("XDG_CACHE_HOME", folder.with_extension("cache"));
            command.args(["plugin", "list", "--plugin-dir"]).arg(folder);
            assert!(command.output().unwrap().status.success());
        }
        let fresh = copies(&workspace, library, "fresh");
        // by turns, so that whatever else goes on meets both
        let pairs = fresh
            .iter()
            .zip(&known)
            .map(|(fresh, known)| (bare(&fresh.join(library_name("copy"))), collect(known)));
        let (bare, loaded): (Vec<_>, Vec<_>) = pairs.unzip();
        let (bare, loaded) = (undisturbed(bare), undisturbed(loaded));
        let ratio = loaded.as_secs_f64() / bare.as_secs_f64();
        println!("{}: bare {bare:?}, known {loaded:?}: {ratio:.2} times", library.display());
        assert!(ratio < 3.0, "{ratio:.2} times");
    }
}
