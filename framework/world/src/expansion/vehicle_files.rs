//! `<vehicle file="car.json">`: a vehicle whose class is described in a separate file.
//!
//! The file becomes a class that all vehicles with this file share, and precedes the first of them. It is
//! named after the file.

use std::rc::Rc;

use compact_str::{CompactString, format_compact};

use super::evaluation::value_of;
use super::includes::is_remote;
use super::open::open_vehicle;
use super::scope::{NameContext, Scope};
use super::state::Expansion;
use crate::diagnostics::Diagnostic;
use crate::tree::{Attribute, Element, Origin, Text};

/// The attribute that names the file.
pub(super) const ATTRIBUTE: &str = "file";
/// The element that the class of a vehicle file becomes.
const CLASS: &str = "vehicle:class";

/// The class of a vehicle file.
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
