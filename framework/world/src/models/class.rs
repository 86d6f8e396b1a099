//! The class that an element names.

use std::rc::Rc;

use simhost_abi::Kind;
use simhost_model::{ClassError, ModelRef};

use super::file_class;
use crate::context::Context;
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::reader::{ElementReader, known_classes, place_of};
use crate::sources::Span;
use crate::spelling;

/// Returns all variants of the class of an element and the position of its name. An element without
/// a class has the built-in class `default`.
pub(crate) fn class_of(
    reader: &mut ElementReader<'_, '_, '_>,
    kind: Kind,
    default: &str,
) -> Option<(Rc<[ModelRef]>, Span)> {
    let (name, span) = match reader.text_of("class") {
        Some(text) => (text.value()?.to_owned(), text.span),
        None => {
            let name = reader.context.catalogue.built_in(kind, default);
            (name, reader.element.name_span)
        }
    };
    if reader.context.catalogue.is_file_class(&name) {
        return Some((file_class::find(reader, kind, &name, span)?, span));
    }
    Some((find(reader.context, kind, &name, span)?, span))
}

/// Returns the first variant of the class that an element has to name, and the position of its name.
pub(crate) fn required_class(
    reader: &mut ElementReader<'_, '_, '_>,
    kind: Kind,
) -> Option<(ModelRef, Span)> {
    if reader.element.attribute("class").is_none() {
        reader.require::<()>("class", None);
        return None;
    }
    let (variants, span) = class_of(reader, kind, "")?;
    Some((variants.first()?.clone(), span))
}

/// Returns all variants of a class. Reports a class that is unknown or ambiguous.
fn find(context: &mut Context<'_>, kind: Kind, class: &str, span: Span) -> Option<Rc<[ModelRef]>> {
    let error = match context.catalogue.find(kind, class) {
        Ok(variants) => return Some(variants),
        Err(ClassError::Unknown { .. }) if spelling::class(kind, class).is_some() => {
            let present = spelling::class(kind, class)?;
            let old = format!("{} class `{class}`", kind.tag());
            spelling::report(context, span, &old, &format!("class=\"{present}\""));
            return find(context, kind, present, span);
        }
        Err(ClassError::Ambiguous { full_names }) => {
            let message = format!("ambiguous {} class `{class}`", kind.tag());
            Diagnostic::error(message)
                .label("several plugins have this class")
                .help(format!("write one of {}", full_names.join(", ")))
        }
        Err(ClassError::Unknown { note }) => unknown(context, kind, class, note),
    };
    context.report.push(error.at(span));
    None
}

fn unknown(context: &mut Context<'_>, kind: Kind, class: &str, note: Option<String>) -> Diagnostic {
    let error = Diagnostic::error(format!("unknown {} class `{class}`", kind.tag()));
    let known = known_classes(&context.catalogue, kind);
    if let Some(of) = other_kind(context, class) {
        return error.label(in_other_element(of, class)).help(place_of(of)).help(known);
    }
    let names = context.catalogue.names(kind);
    let mut error = error.label(did_you_mean(class, names.iter().map(String::as_str)));
    error.notes.extend(note);
    if class == "fmu" {
        return error.help("FMUs need a program with FMI: build it with the feature `fmi`");
    }
    error.help(known)
}

/// Returns the kind of a class that is not of the kind that was looked up, if it has any.
pub(crate) fn other_kind(context: &mut Context<'_>, class: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| {
        let present = spelling::class(*kind, class).unwrap_or(class);
        !matches!(context.catalogue.find(*kind, present), Err(ClassError::Unknown { .. }))
    })
}

/// Returns the correct element of a class that was named in an element of another kind.
pub(crate) fn in_other_element(kind: Kind, class: &str) -> String {
    let tag = kind.tag();
    let noun = match kind {
        Kind::Dynamics | Kind::Friction => format!("{} class", kind.with_article()),
        _ => kind.with_article().to_owned(),
    };
    format!("`{class}` is {noun}; did you mean `<{tag} class=\"{class}\">`?")
}
