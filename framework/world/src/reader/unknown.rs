//! Messages about unknown names, missing entries and entries without effect.

use simhost_abi::{Kind, ParamDesc};
use simhost_model::View;

use super::Given;
use crate::context::{Catalogue, Context};
use crate::diagnostics::Diagnostic;
use crate::history;
use crate::tree::Element;
use crate::vocabulary::{Effect, Entry, Section, Value};

/// Reports a name that is not known in an element.
pub(super) fn report(
    context: &mut Context<'_>,
    element: &Element,
    section: &'static Section,
    params: &'static [View<ParamDesc>],
    names: &[&'static str],
    given: Given<'_>,
) {
    let (name, owner) = (given.name(), &element.name);
    let is_child = matches!(given, Given::Child(_));
    let message = match is_child {
        true => format!("unknown element `<{name}>` in `<{owner}>`"),
        false => format!("unknown attribute `{name}` in `<{owner}>`"),
    };
    if let Some(warning) = history::warning(owner, name, given.name_span()) {
        context.report.push(warning);
        return;
    }
    // a loop repeats the error, and the hint is expensive
    if context.report.contains(given.name_span(), &message) {
        return;
    }
    let known = |children: bool| known_names(section, params, names, children);
    let (same_form, other_form) = (known(is_child), known(!is_child));
    let label = match (other_form.contains(&name), is_child) {
        (true, false) => format!("write it as an element: <{name}>…</{name}>"),
        (true, true) => format!("write it as an attribute: <{owner} {name}=\"…\">"),
        _ => context.report.hint(name, same_form.iter().chain(&other_form).copied()),
    };
    let advice = match same_form.is_empty() {
        true => "remove it; nothing is expected here".to_owned(),
        false => format!("expected one of {}", same_form.join(", ")),
    };
    let diagnostic = Diagnostic::new(context.unknown_severity(), message)
        .at(given.name_span())
        .label(label)
        .help(advice);
    let other = Kind::ALL.into_iter().find(|kind| is_child && kind.tag() == name);
    let diagnostic = other.into_iter().fold(diagnostic, |error, kind| error.help(place_of(kind)));
    let diagnostic = diagnostic.help(reference(element, section, params));
    context.report.push(diagnostic);
}

/// Returns advice on where the names are documented.
fn reference(element: &Element, section: &Section, params: &[View<ParamDesc>]) -> String {
    if section.model.is_some() && !params.is_empty() {
        let class = element.attribute("class").map_or("CLASS", |text| text.content.as_str());
        if let Some(file) = element.attribute("file").filter(|_| class == "fmu") {
            let (file, kind) = (&file.content, &element.name);
            return format!("run `simhost fmu describe {file} --kind {kind}` for its parameters");
        }
        return format!("run `simhost plugin doc {class}` for its parameters");
    }
    "run `simhost schema --markdown` for all elements and attributes".to_owned()
}

/// Returns the known names of child elements or of attributes that have an effect, sorted.
fn known_names(
    section: &'static Section,
    params: &'static [View<ParamDesc>],
    names: &[&'static str],
    children: bool,
) -> Vec<&'static str> {
    let has_form = |entry: &&Entry| if children { entry.is_child() } else { entry.is_attribute() };
    let is_read = |entry: &&Entry| !matches!(entry.effect, Effect::Ignored(_));
    let entries = section.entries.iter().filter(has_form).filter(is_read);
    let mut known: Vec<_> = entries.map(|entry| entry.name).collect();
    known.extend(names);
    // parameters can be written in either form
    known.extend(params.iter().map(|desc| desc.key()));
    known.sort_unstable();
    known.dedup();
    known
}

/// Returns the error about an entry that has to be given and is not.
pub(super) fn missing(
    element: &Element,
    entry: &'static Entry,
    catalogue: &Catalogue<'_>,
) -> Diagnostic {
    let owner = &element.name;
    // `<element>` alone would be ambiguous
    let class = element.attribute("class").filter(|_| entry.name != "class");
    let of = class.map_or(String::new(), |text| format!(" class=\"{}\"", text.content));
    let written = match entry.is_child() {
        true => format!("<{0}>…</{0}>", entry.name),
        false => format!("<{owner} {}=\"…\">", entry.name),
    };
    let error = Diagnostic::error(format!("missing `{}` in `<{owner}{of}>`", entry.name))
        .at(element.name_span)
        .label(entry.value.expected(entry.name))
        .help(format!("write {written}: {}", entry.doc));
    match entry.value {
        Value::Class(kind) => error.help(known_classes(catalogue, kind)),
        _ => error,
    }
}

/// Returns advice with all classes of a kind.
pub(crate) fn known_classes(catalogue: &Catalogue<'_>, kind: Kind) -> String {
    format!("choose {} class: {}", kind.with_article(), catalogue.names(kind).join(", "))
}

/// Warns once of everything in an element that has no effect. `reason` completes the sentence
/// "`x` has no effect …".
pub(crate) fn report_without_effect(
    context: &mut Context<'_>,
    given: &[Given<'_>],
    reason: &str,
    note: Option<&str>,
) {
    let Some(first) = given.first() else { return };
    let mut names: Vec<String> = Vec::new();
    for given in given {
        let name = format!("`{}`", given.name());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let (verb, label) = match (names.len(), first) {
        (1, Given::Attribute(_)) => ("has", "this attribute is ignored"),
        (1, Given::Child(_)) => ("has", "this element is ignored"),
        _ => ("have", "the first of them"),
    };
    let warning = Diagnostic::warning(format!("{} {verb} no effect {reason}", names.join(", ")));
    let warning = note.into_iter().fold(warning, Diagnostic::note);
    context.report.push(warning.at(first.name_span()).label(label));
}

/// Returns advice on where the element of a kind stands.
pub(crate) fn place_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Controller => "write the <controller> inside the <dynamics> of a vehicle",
        Kind::Dynamics => "write the <dynamics> directly inside a <vehicle>",
        Kind::Friction => "write the <friction> directly inside a <vehicle>, or inside a wheel",
        Kind::Sensor => "write the <sensor> inside a <vehicle> or directly inside the world",
        Kind::Actuator => "write the <actuator> inside the <dynamics> of a vehicle",
        Kind::Environment => "write the <environment> directly inside the world",
        Kind::Fleet => "write the <fleet> directly inside the world",
        Kind::Suspension => "write the <suspension> inside the <dynamics> of a vehicle",
        Kind::Observer => "write the <observer> directly inside the world",
    }
}
