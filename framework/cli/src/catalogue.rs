//! Collects the models and tells what was found.

use std::collections::BTreeSet;

use simhost_abi::Kind;
use simhost_registry::{Catalogue, Options, Refusal};

use crate::arguments::{Models, Without};
use crate::exit::{Code, Failure};
use crate::terminal;

/// The models that worlds may use. Files that are skipped are reported.
pub fn collect(models: &Models) -> Result<Catalogue, Failure> {
    let mut directories = models.plugin_dir.clone();
    if let Some(path) = std::env::var_os("SIMHOST_PLUGIN_PATH") {
        directories.extend(std::env::split_paths(&path).filter(|dir| !dir.as_os_str().is_empty()));
    }
    // a directory named twice is searched once
    let mut seen = BTreeSet::new();
    directories.retain(|dir| seen.insert(dir.canonicalize().unwrap_or_else(|_| dir.clone())));
    let catalogue = Catalogue::collect(Options { without: without(&models.builtin), directories })
        .map_err(|error| Failure::new(Code::BadInput, error))?;
    report(&catalogue, models.verbose);
    Ok(catalogue)
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
        terminal::remark("models are looked for in this order:");
        terminal::remark("  linked in");
        for directory in catalogue.directories() {
            terminal::remark(&format!("  {}", directory.display()));
        }
        for plugin in catalogue.plugins() {
            terminal::remark(&format!("loaded {}", plugin.display()));
        }
        for entry in catalogue.entries().iter().filter(|entry| !entry.linked) {
            let kind = entry.kind.tag();
            terminal::remark(&format!("  {kind} {}/{}", entry.vendor, entry.class));
        }
    }
    let mut other_files = 0;
    for skipped in catalogue.skipped() {
        if skipped.refusal == Refusal::NotALibraryName && !verbose {
            other_files += 1;
        } else {
            let (path, refusal) = (skipped.path.display(), &skipped.refusal);
            terminal::warning(&format!("skipped {path}: it {refusal}"));
        }
    }
    if other_files > 0 {
        let suffix = std::env::consts::DLL_SUFFIX;
        terminal::remark(&format!(
            "skipped {other_files} files in plugin directories whose names do not end in {suffix} \
             (-v lists them)"
        ));
    }
    for (entry, full_name) in catalogue.shadowed() {
        let (kind, class) = (entry.kind.tag(), &entry.class);
        terminal::warning(&format!(
            "{kind} '{class}' is linked in and keeps its name; the one of {} is '{full_name}'",
            entry.variants[0].source
        ));
    }
}
