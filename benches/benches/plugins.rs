//! Time to load a plugin compared with a plain dlopen of copies of the same file, and overhead of
//! containing panics.

#![allow(missing_docs)]

use std::cell::Cell;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, criterion_group};
use simhost_benches::{Ratio, Rig, is_test_run, report, shared_friction_library};
use simhost_registry::{Catalogue, FolderSource, Options, PluginFolder, Trial};

/// Number of copies for each side. Every round needs new files, because a loaded library is cached.
const COPIES: usize = 210;

/// Creates folders with one copy of the library each.
fn copies(library: &Path, into: &Path) -> Vec<PathBuf> {
    let copy = |number: usize| {
        let folder = into.join(number.to_string());
        std::fs::create_dir_all(&folder).expect("a temporary folder can be written");
        let name = library.file_name().expect("a library has a name");
        std::fs::copy(library, folder.join(name)).expect("a temporary folder can be written");
        folder
    };
    (0..COPIES).map(copy).collect()
}

/// Opens, checks and describes a library that a trial process has already accepted.
fn collect(folder: &Path) -> Catalogue {
    let folders =
        vec![PluginFolder { path: folder.to_path_buf(), source: FolderSource::PluginDir }];
    let without = simhost_abi::Kind::ALL.into();
    let trial = Trial {
        program: std::env::current_exe().expect("this program has a name"),
        arguments: vec![PROBE.into()],
        limit: std::time::Duration::from_secs(20),
        memory: Some(folder.with_extension("json")),
        rescan: false,
        stop: std::sync::Arc::default(),
    };
    let catalogue =
        Catalogue::collect(Options { without, folders, substitutes: None, trial: Some(trial) });
    catalogue.expect("the folder can be read")
}

/// First argument of a process that tries the libraries of folders and remembers the result.
const LEARN: &str = "learn";
/// First argument of a process that tries library files.
const PROBE: &str = "probe";

/// Tries the libraries of folders in another process, so that this one has not loaded them.
fn learn(folders: &[PathBuf]) {
    let program = std::env::current_exe().expect("this program has a name");
    let status = std::process::Command::new(program).arg(LEARN).args(folders).status();
    assert!(status.expect("this program runs").success());
}

fn loading(_: &mut Criterion) {
    let library = shared_friction_library();
    let temporary = tempfile::tempdir().expect("there is a temporary folder");
    let fresh = copies(&library, &temporary.path().join("fresh"));
    let known = copies(&library, &temporary.path().join("known"));
    let name = library.file_name().expect("a library has a name");
    let (next_fresh, next_known) = (Cell::new(0), Cell::new(0));
    let next = |cell: &Cell<usize>| cell.replace(cell.get() + 1);
    let bare = || {
        let file = fresh[next(&next_fresh)].join(name);
        // SAFETY: the library is our own and its constructors do nothing.
        let opened = unsafe { libloading::Library::new(file) };
        std::mem::forget(opened.expect("the library can be opened"));
    };
    learn(&known);
    let ours = || drop(Rig::new(&collect(&known[next(&next_known)]), "default", 1));
    if is_test_run() {
        bare();
        return ours();
    }
    let ratio = Ratio::measure(COPIES / 21, ours, bare);
    report(
        "plugins: open, check, describe and construct, divided by a plain dlopen (medians of alternating rounds)",
    );
    report(&format!(
        "  simhost_friction: {:.0} us, dlopen {:.0} us, ratio {:.2} (limit 3, target 1.5)",
        ratio.first * 1e6,
        ratio.second * 1e6,
        ratio.value()
    ));
}

/// Calls a closure like [`simhost_sdk::contained`], but does not contain panics.
#[inline(never)]
fn called<T>(run: impl FnOnce() -> T) -> Option<T> {
    Some(run())
}

/// Number of calls per round.
const CALLS: usize = 1000;

fn containment(_: &mut Criterion) {
    let work = |x: f64| black_box(x) * 0.5 + 1.0;
    let contained = || {
        for _ in 0..CALLS {
            let _ = black_box(simhost_sdk::contained(|| work(1.0)));
        }
    };
    let bare = || {
        for _ in 0..CALLS {
            let _ = black_box(called(|| work(1.0)));
        }
    };
    let repeats = if is_test_run() { 1 } else { 1000 };
    let ratio = Ratio::measure(repeats, contained, bare);
    if !is_test_run() {
        let ns = (ratio.first - ratio.second) / CALLS as f64 * 1e9;
        report(&format!("plugins: containing panics costs {ns:.2} ns per call (limit 1)"));
    }
}

criterion_group!(benches, loading, containment);

fn main() {
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next().as_deref().and_then(std::ffi::OsStr::to_str) {
        Some(LEARN) => return arguments.for_each(|folder| drop(collect(Path::new(&folder)))),
        Some(PROBE) => {
            let files: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
            return simhost_registry::try_files(&files).expect("the answer can be written");
        }
        _ => {}
    }
    benches();
}
