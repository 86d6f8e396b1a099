//! Collects the available models and reports files that are skipped.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use simhost_abi::Kind;
use simhost_registry::{
    Catalogue, FileState, FolderSource, Library, Options, PluginFolder, Refusal, Substitutes,
    Trial, memory_file, user_folder,
};

use crate::arguments::{Models, Without};
use crate::process::{Code, Failure, Process};
use crate::skipped::condense;
use crate::{guard, interrupt, terminal, working_folder};

// the registry finds its loader of modules
#[cfg(feature = "sandbox")]
use simhost_sandbox as _;

/// Time limit for the trial of a plugin file in a separate process.
const LIMIT: Duration = Duration::from_secs(5);

/// Collects the models that worlds can use, and reports files that are skipped.
pub fn collect(models: &Models) -> Result<Catalogue, Failure> {
    let catalogue = search(models, false)?;
    report(&catalogue, models.verbose);
    Ok(catalogue)
}

/// Like [`collect`], but with substitutes for the files in the folders.
pub fn collect_with(models: &Models, substitutes: Substitutes) -> Result<Catalogue, Failure> {
    check_python(models)?;
    let substitutes = Some(substitutes);
    let (without, folders) = (without(&models.builtin), folders(models));
    let options = Options { without, folders, substitutes, trial: trial(false) };
    let catalogue = collected(options)?;
    report(&catalogue, models.verbose);
    Ok(catalogue)
}

/// Like [`collect`], but without a report.
pub fn search(models: &Models, rescan: bool) -> Result<Catalogue, Failure> {
    check_python(models)?;
    let options = Options {
        without: without(&models.builtin),
        folders: folders(models),
        substitutes: None,
        trial: trial(rescan),
    };
    collected(options)
}

/// Returns the catalogue of one plugin file, without a report. A known file is tried again if `rescan`
/// is set.
pub fn of_file(file: &Path, rescan: bool) -> Result<Catalogue, Failure> {
    let catalogue = Catalogue::of_file(file, trial(rescan).as_ref());
    working_folder::restore();
    if interrupt::is_requested() { Err(interrupt::failure()) } else { Ok(catalogue) }
}

/// Checks that files with models in Python have been run, before the command line was parsed.
fn check_python(models: &Models) -> Result<(), Failure> {
    let process = Process::present();
    models.python.iter().try_for_each(|file| process.python_classes(file).map(drop))
}

fn collected(options: Options) -> Result<Catalogue, Failure> {
    let catalogue = Catalogue::collect(options);
    working_folder::restore();
    // the trial of unknown files can have been stopped
    if interrupt::is_requested() {
        return Err(interrupt::failure());
    }
    catalogue.map_err(|error| Failure::new(Code::BadInput, error))
}

/// Returns how plugin files are tried: in a child process of this program. Without the path of the
/// program, files are loaded without a trial.
fn trial(rescan: bool) -> Option<Trial> {
    let process = Process::present();
    Some(Trial {
        program: process.program.clone()?,
        arguments: process.verb(["plugin", "probe", "--"]),
        limit: LIMIT,
        memory: memory_file(),
        rescan,
        stop: interrupt::flag(),
    })
}

/// Returns the directories to search, in order and without duplicates.
pub fn folders(models: &Models) -> Vec<PluginFolder> {
    let folder = |source| move |path| PluginFolder { path, source };
    let variable = std::env::var_os("SIMHOST_PLUGIN_PATH").unwrap_or_default();
    let path = std::env::split_paths(&variable).filter(|path| !path.as_os_str().is_empty());
    let mut folders: Vec<PluginFolder> =
        models.plugin_dir.iter().cloned().map(folder(FolderSource::PluginDir)).collect();
    folders.extend(path.map(folder(FolderSource::PluginPath)));
    folders.extend(user_folder().map(folder(FolderSource::UserFolder)));
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
        report_all(catalogue);
    }
    let (others, refused): (Vec<_>, Vec<_>) = refused(catalogue)
        .partition(|(_, refusal)| !verbose && **refusal == Refusal::NotALibraryName);
    let group = |(library, refusal): &(&Library, &Refusal)| (folder(library), refusal.plural());
    let (listed, more) = condense(refused, group, verbose);
    for (library, refusal) in listed {
        terminal::warning(&format!("skipped {}: it {refusal}", library.place()));
    }
    for line in more {
        terminal::warning(&format!("skipped {line} (-v lists them)"));
    }
    guard::warn_of_floats();
    let other_files = others.len();
    if other_files > 0 {
        let suffix = simhost_registry::plugin_suffixes();
        let what = match other_files {
            1 => "1 file in a plugin directory whose name does not end".to_owned(),
            many => format!("{many} files in plugin directories whose names do not end"),
        };
        terminal::remark(&format!("skipped {what} in {suffix} (-v lists them)"));
    }
}

/// Returns the libraries that are not used, with the reason.
fn refused(catalogue: &Catalogue) -> impl Iterator<Item = (&Library, &Refusal)> {
    catalogue.libraries().iter().filter_map(|one| Some((one, one.refusal.as_ref()?)))
}

/// Returns the folder of a library, empty for a built-in one.
fn folder(library: &Library) -> String {
    let folder = library.file.as_ref().and_then(|file| file.parent());
    folder.map_or_else(String::new, |folder| folder.display().to_string())
}

fn report_all(catalogue: &Catalogue) {
    terminal::remark("models are searched in this order:");
    for folder in catalogue.folders() {
        terminal::remark(&format!("  {} ({})", folder.path.display(), folder.source.name()));
    }
    terminal::remark("  built-in models");
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
            FileState::Ambiguous => terminal::remark(&format!(
                "  {kind} {full_name} (full name required: `{}` is ambiguous)",
                entry.class
            )),
            _ if catalogue.libraries()[entry.library].file.is_some() => {
                terminal::remark(&format!("  {kind} {full_name}"));
            }
            _ => {}
        }
    }
}
