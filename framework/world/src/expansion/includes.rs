//! `<include file="…" name="value" …/>`: the file and the scope of its contents.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use compact_str::{CompactString, format_compact};

use super::evaluation::value_of;
use super::files::{File, decode};
use super::flow::check_content;
use super::foreign_vehicles;
use super::state::Expansion;
use super::variables::{Argument, NameContext, Scope};
use crate::diagnostics::Diagnostic;
use crate::expression::Key;
use crate::sources::{Span, directory_of};
use crate::tree::{Attribute, Element, Origin, Text};
use crate::{json, xml};

/// Maximum nesting of includes.
const MAX_NESTING: usize = 32;

/// Opens the file of an `<include>` and puts it on the stack of open files. Returns the file and
/// the context of its contents.
#[inline(never)]
pub(super) fn enter(
    expansion: &mut Expansion,
    element: &Element,
    context: &NameContext,
) -> Option<(Rc<File>, NameContext)> {
    check_content(expansion, element, false);
    let Some(attribute) = element.attribute("file") else {
        let error =
            Diagnostic::error("an include without a file").help("write <include file=\"…\"/>");
        expansion.report.push(error.at(element.name_span));
        return None;
    };
    let name = value_of(expansion, attribute, context)?;
    let span = attribute.span;
    if is_remote(expansion, &name, span) {
        return None;
    }
    let path = context.scope.directory.join(&name);
    let cost = expansion.budget.count(1);
    if !expansion.within_limits(cost, element.name_span) {
        return None;
    }
    let file = open_included(expansion, &path, span)?;
    if !push(expansion, &file.identity, &name, span) {
        return None;
    }
    for argument in element.attributes.iter().filter(|attribute| attribute.name != "file") {
        if !file.reads(&argument.name) {
            let message = format!("the included file does not read `{}`", argument.name);
            expansion.report.warning(argument.name_span, message, "has no effect");
        }
    }
    let scope = Scope {
        directory: Rc::clone(&file.directory),
        included: true,
        arguments: arguments(element, context),
    };
    let position = expansion.position_key(element.name_span, context.origin);
    let path = context.path.with(position.0);
    Some((file, NameContext { scope: Rc::new(scope), path, ..context.clone() }))
}

/// Reports a name that is an address and not a local file. Returns whether it is one.
pub(super) fn is_remote(expansion: &mut Expansion, name: &str, span: Span) -> bool {
    let start = name.to_lowercase();
    let is_remote = ["http://", "https://"].iter().any(|scheme| start.starts_with(scheme));
    if is_remote {
        let error = Diagnostic::error(format!("`{name}` is not a local file"))
            .at(span)
            .help("download the file and name its local path");
        expansion.report.push(error);
    }
    is_remote
}

/// Puts a file on the stack of open files, unless it is there or the stack is full.
fn push(expansion: &mut Expansion, identity: &Path, name: &str, span: Span) -> bool {
    if expansion.open_files.iter().any(|open| open == identity) {
        let message = format!("`{name}` includes itself");
        expansion.report.error(span, message, "this include closes the cycle");
        return false;
    }
    if expansion.open_files.len() >= MAX_NESTING {
        let message = format!("includes are nested more than {MAX_NESTING} deep");
        expansion.report.error(span, message, "");
        return false;
    }
    expansion.open_files.push(identity.to_owned());
    true
}

fn arguments(element: &Element, context: &NameContext) -> Vec<Argument> {
    let given = element.attributes.iter().filter(|attribute| attribute.name != "file");
    given
        .map(|attribute| Argument {
            name: attribute.name.clone(),
            text: attribute.text.content.clone(),
            span: attribute.text.span,
            scope: Rc::clone(&context.scope),
        })
        .collect()
}

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
fn open_included(expansion: &mut Expansion, path: &Path, from: Span) -> Option<Rc<File>> {
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
    let root = match foreign_vehicles::format_of(path) {
        Some(format) => foreign_vehicles::parse(expansion, path, file, &text, format)?,
        None => json::parse(&text, file, class, &mut expansion.budget, &mut expansion.report)?,
    };
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

/// The attribute that names the file.
pub(super) const ATTRIBUTE: &str = "file";
/// The element that the class of a vehicle file becomes.
const CLASS: &str = "vehicle:class";

/// The class of a vehicle file.
///
/// The file becomes a class that all vehicles with this file share, and precedes the first of them. It is
/// named after the file.
pub(super) struct Described {
    /// Its name.
    pub class: Text,
    /// The class and the context of its contents, unless a vehicle before has declared it.
    pub declaration: Option<(Element, NameContext)>,
}

/// Returns the class of a vehicle with a vehicle file. Returns `None` for another element, and after
/// reporting an error.
#[inline(never)]
pub(super) fn class_of(
    expansion: &mut Expansion,
    element: &Element,
    context: &NameContext,
) -> Option<Described> {
    let attribute = element.attribute(ATTRIBUTE).filter(|_| element.name == "vehicle")?;
    let (name, span) = (value_of(expansion, attribute, context)?, attribute.span);
    if let Some(class) = element.attribute("class") {
        let error = Diagnostic::error("a vehicle with both `class` and `file`")
            .at(class.span)
            .help("remove one of them");
        expansion.report.push(error);
        return None;
    }
    if is_remote(expansion, &name, span) {
        return None;
    }
    let path = context.scope.directory.join(&name);
    let file = open_vehicle(expansion, &path, span)?;
    let text = |content: CompactString| Text { content, span, origin: Origin::Computed };
    if let Some(known) = expansion.vehicle_files.get(&file.identity) {
        return Some(Described { class: text(known.clone()), declaration: None });
    }
    let class = free_name(expansion, name);
    expansion.vehicle_files.insert(file.identity.clone(), class.clone());
    let mut root = file.roots.first()?.clone();
    let name_span = root.name_span;
    if let Some(given) = root.attributes.iter().find(|attribute| attribute.name == "name") {
        let error = Diagnostic::error("a vehicle file with a name").at(given.name_span);
        expansion.report.push(error.help("name the vehicle in the world file"));
        return None;
    }
    let attribute = Attribute { name: "name".into(), name_span, text: text(class.clone()) };
    root.attributes.push(attribute);
    let scope =
        Scope { directory: Rc::clone(&file.directory), included: true, arguments: Vec::new() };
    let inner = NameContext { scope: Rc::new(scope), ..context.clone() };
    Some(Described { class: text(class), declaration: Some((root, inner)) })
}

/// Returns a name that no class of vehicles has.
fn free_name(expansion: &Expansion, name: CompactString) -> CompactString {
    let is_free = |name: &CompactString| {
        !expansion.classes.classes.contains_key(&(CLASS, name.clone()))
            && !expansion.classes.definitions.contains(&(CLASS, name.clone()))
    };
    let numbered = (2..).map(|number| format_compact!("{name}#{number}"));
    std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
}
