//! Opening and parsing of files.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use super::files::{File, decode};
use super::scope::Scope;
use super::state::Expansion;
use crate::diagnostics::Diagnostic;
use crate::expression::Key;
use crate::json;
use crate::sources::{Span, directory_of};
use crate::tree::Element;
use crate::xml;

/// Opens the world file. Returns its root elements and its scope.
pub(super) fn open_world(
    expansion: &mut Expansion,
    path: &Path,
) -> Option<(Vec<Element>, Rc<Scope>)> {
    match expansion.files.read(path) {
        Ok(bytes) => open_text(expansion, path, bytes),
        Err(problem) => {
            let message = format!("cannot read `{}`: {problem}", path.display());
            expansion.report.push(Diagnostic::error(message));
            None
        }
    }
}

/// As [`open_world`], for a text that has been read.
pub(super) fn open_text(
    expansion: &mut Expansion,
    path: &Path,
    bytes: Vec<u8>,
) -> Option<(Vec<Element>, Rc<Scope>)> {
    expansion.open_files.push(path.canonicalize().unwrap_or_else(|_| path.to_owned()));
    let directory = directory_of(path);
    expansion.files.home = directory.clone();
    let roots = parse(expansion, path, bytes)?;
    Some((roots, Rc::new(Scope::main(&directory))))
}

/// Opens a file that is named at `from`. Returns `None` after reporting an error.
pub(super) fn open_included(
    expansion: &mut Expansion,
    path: &Path,
    from: Span,
) -> Option<Rc<File>> {
    open(expansion, path, from, parse)
}

/// Opens a vehicle file that is named at `from`. Its only root is a vehicle class without a name. Returns
/// `None` after reporting an error.
pub(super) fn open_vehicle(expansion: &mut Expansion, path: &Path, from: Span) -> Option<Rc<File>> {
    open(expansion, path, from, parse_vehicle)
}

type Parse = fn(&mut Expansion, &Path, Vec<u8>) -> Option<Vec<Element>>;

fn open(expansion: &mut Expansion, path: &Path, from: Span, parse: Parse) -> Option<Rc<File>> {
    let outcome = match expansion.files.parsed.get(path) {
        Some(known) => known.clone(),
        None => {
            let outcome = match expansion.files.read(path) {
                Ok(bytes) => match parse(expansion, path, bytes) {
                    Some(roots) => {
                        let identity = path.canonicalize().unwrap_or_else(|_| path.to_owned());
                        Ok(Rc::new(File::new(&directory_of(path), identity, roots)))
                    }
                    None => {
                        // its errors have been reported; another include gets this one
                        let message = format!("cannot use `{}`: it has errors", path.display());
                        expansion.files.parsed.insert(path.to_owned(), Err(message));
                        return None;
                    }
                },
                Err(problem) => Err(format!("cannot read `{}`: {problem}", path.display())),
            };
            expansion.files.parsed.insert(path.to_owned(), outcome.clone());
            outcome
        }
    };
    outcome.map_err(|message| expansion.report.error(from, message, "")).ok()
}

/// Parses a file into its root elements. Returns `None` if it has errors.
fn parse(expansion: &mut Expansion, path: &Path, bytes: Vec<u8>) -> Option<Vec<Element>> {
    let (file, text) = add_source(expansion, path, bytes);
    let errors = expansion.report.error_count();
    let roots = xml::parse(&text, file, &mut expansion.budget, &mut expansion.report);
    (expansion.report.error_count() == errors).then_some(roots)
}

/// Parses a vehicle file. Returns `None` if it has errors.
fn parse_vehicle(expansion: &mut Expansion, path: &Path, bytes: Vec<u8>) -> Option<Vec<Element>> {
    let class = expansion.vehicle_class?;
    let (file, text) = add_source(expansion, path, bytes);
    let errors = expansion.report.error_count();
    let root = json::parse(&text, file, class, &mut expansion.budget, &mut expansion.report)?;
    (expansion.report.error_count() == errors).then(|| vec![root])
}

/// Adds a file to the sources. Returns its index and its text.
fn add_source(expansion: &mut Expansion, path: &Path, bytes: Vec<u8>) -> (u32, Arc<String>) {
    let (text, invalid_at) = decode(bytes);
    let (file, text) = expansion.sources.add(path.to_owned(), text);
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let name = path.strip_prefix(&expansion.files.home).unwrap_or(&path);
    expansion.files.keys.push(Key::default().named(&name.to_string_lossy()));
    if let Some(at) = invalid_at {
        let span = Span { file, start: at as u32, end: at as u32 + 1 };
        expansion.report.warning(span, "the file is not UTF-8", "invalid bytes are replaced");
    }
    (file, text)
}
