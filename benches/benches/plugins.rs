//! What it costs to load a plugin, beside a bare dlopen of copies of the same file in the same run, and
//! what it costs that a panic stays inside.

#![allow(missing_docs)]

use std::cell::Cell;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, criterion_group};
use simhost_benches::{Ratio, Rig, is_test_run, report, shared_friction_library};
use simhost_registry::{Catalogue, Folder, Options, Source, Trial};

/// Copies for each side: a library that is loaded already costs nothing.
const COPIES: usize = 210;

/// Folders with a copy each.
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

/// Opens, negotiates, checks and describes a file that is known to be sound.
fn collect(folder: &Path) -> Catalogue {
    let folders = vec![Folder { path: folder.to_path_buf(), source: Source::PluginDir }];
    let without = simhost_abi::Kind::ALL.into();
    let trial = Trial {
        program: std::env::current_exe().expect("this program has a name"),
        arguments: vec![PROBE.into()],
        limit: std::time::Duration::from_secs(20),
        memory: Some(folder.with_extension("json")),
        rescan: false,
    };
    let catalogue = Catalogue::collect(Options { without, folders, trial: Some(trial) });
    catalogue.expect("the folder can be read")
}

/// The first argument of a process that learns folders, or that tries files for such a one.
const LEARN: &str = "learn";
const PROBE: &str = "probe";

/// In a process of its own, so that this one has not loaded what it learns.
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
        "plugins: open, negotiate, check, describe, construct by a bare dlopen (medians in turns)",
    );
    report(&format!(
        "  simhost_friction: {:.0} us, dlopen {:.0} us, ratio {:.2} (bound 3, aim 1.5)",
        ratio.first * 1e6,
        ratio.second * 1e6,
        ratio.value()
    ));
}

/// A call like that of [`simhost_sdk::contained`] that contains nothing.
#[inline(never)]
fn called<T>(run: impl FnOnce() -> T) -> Option<T> {
    Some(run())
}

/// Calls of one round.
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
        report(&format!(
            "plugins: a panic that would be contained costs {ns:.2} ns a call (bound 1)"
        ));
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
