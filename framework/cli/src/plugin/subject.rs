//! Resolves class names given on the command line.

use std::collections::BTreeSet;
use std::path::Path;

use simhost_abi::Kind;
use simhost_registry::{Catalogue, Entry};

use crate::exit::{Code, Failure};
use crate::process::Process;

/// Returns the classes of all kinds with this short or full name, or with an old name that worlds can
/// still use; or those that a file with models in Python declares.
///
/// # Errors
/// Fails if no class has the name, if several classes of one kind have it, or if the file has not been run.
pub fn classes<'c>(catalogue: &'c Catalogue, name: &str) -> Result<Vec<&'c Entry>, Failure> {
    let file = Path::new(name);
    if is_python(file) {
        let mut found = Vec::new();
        for class in Process::present().python_classes(file)? {
            found.extend(named(catalogue, class)?);
        }
        return Ok(found);
    }
    named(catalogue, name)
}

fn named<'c>(catalogue: &'c Catalogue, name: &str) -> Result<Vec<&'c Entry>, Failure> {
    let mut found = Vec::new();
    for kind in Kind::ALL {
        let present = simhost_world::present_class(kind, name);
        let known = match catalogue.named(kind, name) {
            none if none.is_empty() => present.map(|class| catalogue.named(kind, class)),
            found => Some(found),
        };
        match known.unwrap_or_default().as_slice() {
            [] => {}
            [entry] => found.push(*entry),
            several => return Err(ambiguous(catalogue, kind, name, several)),
        }
    }
    if found.is_empty() { Err(unknown(catalogue, name)) } else { Ok(found) }
}

fn ambiguous(catalogue: &Catalogue, kind: Kind, name: &str, several: &[&Entry]) -> Failure {
    let places = several.iter().map(|entry| {
        format!("  {} ({})", entry.full_name(), catalogue.libraries()[entry.library].place())
    });
    let places = places.collect::<Vec<_>>().join("\n");
    let kind = kind.tag();
    Failure::new(
        Code::BadInput,
        format!(
            "`{name}` is ambiguous: {} {kind} classes have this name:\n{places}\nhelp: use one of \
             the full names",
            several.len()
        ),
    )
}

fn unknown(catalogue: &Catalogue, name: &str) -> Failure {
    let names: BTreeSet<String> = catalogue
        .entries()
        .iter()
        .flat_map(|entry| [entry.class.clone(), entry.full_name()])
        .collect();
    let hint = match simhost_model::nearest(name, names.iter().map(String::as_str)) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "run `simhost plugin list` for all classes, and for files that are not used".into(),
    };
    let searched = if catalogue.folders().is_empty() {
        "; no plugin directory is given (--plugin-dir DIR)"
    } else {
        ""
    };
    Failure::new(Code::BadInput, format!("unknown class `{name}`{searched}\nhelp: {hint}"))
}

/// Returns whether an argument names a file rather than a class.
pub fn is_file(name: &Path) -> bool {
    let is_library = name.to_string_lossy().ends_with(std::env::consts::DLL_SUFFIX);
    is_library || (name.is_file() && !is_python(name))
}

/// Returns whether an argument names a file with models in Python.
pub fn is_python(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension == "py")
}
