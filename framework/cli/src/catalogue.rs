//! Collects the models and tells what was found.

use std::collections::BTreeSet;
use std::time::Duration;

use simhost_abi::Kind;
use simhost_registry::{
    Catalogue, Folder, Options, Refusal, Source, State, Trial, memory_file, user_folder,
};

use crate::arguments::{Models, Without};
use crate::exit::{Code, Failure};
use crate::terminal;

/// Time that a file may take when it is tried in a process of its own.
const LIMIT: Duration = Duration::from_secs(5);

/// The models that worlds may use. Files that are skipped are reported.
pub fn collect(models: &Models) -> Result<Catalogue, Failure> {
    let catalogue = search(models, false)?;
    report(&catalogue, models.verbose);
    Ok(catalogue)
}

/// As [`collect`], from folders that stand for those that the arguments name.
pub fn collect_from(models: &Models, folders: Vec<Folder>) -> Result<Catalogue, Failure> {
    let options = Options { without: without(&models.builtin), folders, trial: trial(false) };
    let catalogue =
        Catalogue::collect(options).map_err(|error| Failure::new(Code::BadInput, error))?;
    report(&catalogue, models.verbose);
    Ok(catalogue)
}

/// As [`collect`], without a report.
pub fn search(models: &Models, rescan: bool) -> Result<Catalogue, Failure> {
    let options = Options {
        without: without(&models.builtin),
        folders: folders(models),
        trial: trial(rescan),
    };
    Catalogue::collect(options).map_err(|error| Failure::new(Code::BadInput, error))
}

/// Tries files with this very program. Without a way to call it they are loaded as they are.
pub fn trial(rescan: bool) -> Option<Trial> {
    Some(Trial {
        program: std::env::current_exe().ok()?,
        arguments: ["plugin", "probe", "--"].map(Into::into).to_vec(),
        limit: LIMIT,
        memory: memory_file(),
        rescan,
    })
}

/// Directories in the order of the search; one that is named twice is searched once.
pub fn folders(models: &Models) -> Vec<Folder> {
    let folder = |source| move |path| Folder { path, source };
    let variable = std::env::var_os("SIMHOST_PLUGIN_PATH").unwrap_or_default();
    let path = std::env::split_paths(&variable).filter(|path| !path.as_os_str().is_empty());
    let mut folders: Vec<Folder> =
        models.plugin_dir.iter().cloned().map(folder(Source::PluginDir)).collect();
    folders.extend(path.map(folder(Source::PluginPath)));
    folders.extend(user_folder().map(folder(Source::UserFolder)));
    let mut seen = BTreeSet::new();
    folders.retain(|folder| {
        seen.insert(folder.path.canonicalize().unwrap_or_else(|_| folder.path.clone()))
    });
    folders
}

fn without(wanted: &[Without]) -> BTreeSet<Kind> {
    wanted
        .iter()
        .flat_map(|without| match without {
            Without::All => Kind::ALL.to_vec(),
            Without::Kind(kind) => vec![*kind],
        })
        .collect()
}

fn report(catalogue: &Catalogue, verbose: bool) {
    if verbose {
        tell_all(catalogue);
    }
    let mut other_files = 0;
    for library in catalogue.libraries() {
        match &library.refusal {
            Some(Refusal::NotALibraryName) if !verbose => other_files += 1,
            Some(refusal) => {
                terminal::warning(&format!("skipped {}: it {refusal}", library.place()));
            }
            None => {}
        }
    }
    if other_files > 0 {
        let suffix = std::env::consts::DLL_SUFFIX;
        terminal::remark(&format!(
            "skipped {other_files} files in plugin directories whose names do not end in {suffix} \
             (-v lists them)"
        ));
    }
}

fn tell_all(catalogue: &Catalogue) {
    terminal::remark("models are looked for in this order:");
    for folder in catalogue.folders() {
        terminal::remark(&format!("  {} ({})", folder.path.display(), folder.source.name()));
    }
    terminal::remark("  linked in");
    for library in catalogue.libraries().iter().filter(|library| library.file.is_some()) {
        if library.refusal.is_none() {
            terminal::remark(&format!("loaded {}", library.place()));
        }
        for remark in &library.remarks {
            terminal::remark(&format!("  {remark}"));
        }
    }
    for entry in catalogue.entries() {
        let (kind, full_name) = (entry.kind.tag(), entry.full_name());
        match catalogue.state(entry) {
            State::Ambiguous => terminal::remark(&format!(
                "  {kind} {full_name}, by its full name only: '{}' is ambiguous",
                entry.class
            )),
            _ if catalogue.libraries()[entry.library].file.is_some() => {
                terminal::remark(&format!("  {kind} {full_name}"));
            }
            _ => {}
        }
    }
}
