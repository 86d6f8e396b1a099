//! Classes whose models are declared by files: `class="fmu" file="…"`.

use std::rc::Rc;

use simhost_abi::Kind;
use simhost_model::{FileClassError, FileRequest, ModelRef, PortMap};

use crate::diagnostics::Diagnostic;
use crate::files;
use crate::reader::{ElementReader, FromElement as _, declare};
use crate::sources::Span;
use crate::tree::{Element, Text};
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, Value, element, number};

/// Name of the elements that connect ports to variables.
const MAP: &str = "map";

declare! {
    /// Connects a port of a model to a variable of its file, if their names differ.
    section = element("map");

    /// A `<map>` element.
    #[derive(Clone, Debug)]
    struct MapElement {
        /// Port of the model, `spin[2]` for one wheel. Without a port, the variable is not connected.
        port: Option<String> = attribute(Value::Text);
        /// Input or output of the file.
        variable: String = attribute(Value::Text).required();
        /// Factor from the variable, in the unit of the port, to the port.
        scale: f64 = attribute(number("1")).or("1");
        /// Unit of a variable for which the file gives none.
        unit: Option<String> = attribute(Value::Text);
    }
}

/// The elements that connect ports, for elements whose class has one model per file.
pub(crate) const MAP_ENTRY: Entry = child(Value::Element(MapElement::SECTION))
    .named(MAP)
    .doc("Port of the model with a variable of another name.")
    .repeats();

/// Returns the model that the file of an element declares. Reports a missing or unusable file.
pub(super) fn find(
    reader: &mut ElementReader<'_, '_, '_>,
    kind: Kind,
    class: &str,
    span: Span,
) -> Option<Rc<[ModelRef]>> {
    let element = reader.element;
    let Some(text) = text_of(element, "file") else {
        let error = Diagnostic::error(format!("missing `file` in `<{}>`", element.name));
        let help = format!("write class=\"{class}\" file=\"…\"");
        reader.context.report.push(error.at(span).label("expected a path").help(help));
        return None;
    };
    let file = files::local_path(reader.context, text)?;
    let Some(place) = reader.context.assets.code_place(&file) else {
        let error = Diagnostic::error(format!("`{}` contains code", file.display()));
        let help = format!("if you trust it, allow its code to run with `--allow {class}`");
        let error = error.at(text.span).label("worlds cannot run code by default");
        reader.context.report.push(error.help(help));
        return None;
    };
    let (maps, spans) = maps(reader)?;
    let request = FileRequest { kind, class, file: &file, maps: &maps, place };
    match reader.context.catalogue.find_in_file(request) {
        Ok(model) => Some(Rc::new([model])),
        Err(error) => {
            let FileClassError { text: what, help, map } = error;
            let place = map.and_then(|map| spans.get(map)).copied().unwrap_or(text.span);
            let error = Diagnostic::error(what).at(place);
            let help = Some(help).filter(|help| !help.is_empty());
            reader.context.report.push(help.into_iter().fold(error, Diagnostic::help));
            None
        }
    }
}

/// Takes the `<map>` elements of an element whose class has one model per file.
pub(super) fn claim_maps(reader: &mut ElementReader<'_, '_, '_>) {
    let class = reader.element.attribute("class").and_then(Text::value);
    if class.is_some_and(|class| reader.context.catalogue.is_file_class(class)) {
        reader.claim(|name| name == MAP);
    }
}

/// Returns the maps of an element with their positions; `None` if one of them is invalid.
fn maps(reader: &mut ElementReader<'_, '_, '_>) -> Option<(Vec<PortMap>, Vec<Span>)> {
    let elements = reader.element.children.iter().filter(|child| child.name == MAP);
    let all = elements.map(|map| {
        let MapElement { port, variable, scale, unit } =
            MapElement::read_element(reader.context, map)?;
        let port = port.unwrap_or_default();
        Some((PortMap { port, variable, scale, unit }, map.name_span))
    });
    // each error is reported before the first one ends the model
    all.collect::<Vec<_>>()
        .into_iter()
        .collect::<Option<Vec<_>>>()
        .map(|maps| maps.into_iter().unzip())
}

/// Returns the text of the last attribute or child with a name.
fn text_of<'e>(element: &'e Element, name: &str) -> Option<&'e Text> {
    let child = element.children.iter().rev().find(|child| child.name == name);
    let child = child.and_then(|child| child.text.as_ref());
    child.or_else(|| element.attribute(name))
}
