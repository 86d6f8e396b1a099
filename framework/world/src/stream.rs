//! Streams of quantities that the user groups.

use std::ops::Range;
use std::path::PathBuf;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::reader::{ElementReader, leaf_text};
use crate::record::QuantityPattern;
use crate::sources::Span;
use crate::stream_request::StreamRequest;
use crate::vocabulary::{Section, Value, attribute, child, either, positive, section};

/// Path that a request of the command line has in messages.
const PLACE: &str = "--stream";

/// A stream of quantities.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamUse {
    /// Name, unique among the streams of the world.
    pub name: String,
    /// Time between samples in s; `None` if there is one after each step.
    pub period: Option<f64>,
    /// Patterns of the names of its quantities.
    pub quantities: Vec<QuantityPattern>,
    /// Position of its name, or of its element.
    pub span: Span,
}

pub(crate) static STREAM: Section = section(
    "stream",
    "Groups quantities into a stream, which recordings and clients can take like any other.",
    &[
        attribute("name", Value::Text, "Name, such as `robot/drive`.").required(),
        either("every", positive("s"), "Time between samples.").or_else("every step"),
        child(
            "quantity",
            Value::Text,
            "Pattern of quantities: `*` does not cross `/`, `**` does, `!` excludes.",
        )
        .repeats(),
    ],
);

/// Reads a `<stream>`. `earlier` are those before it.
pub(crate) fn read_stream(
    mut reader: ElementReader<'_, '_, '_>,
    earlier: &[StreamUse],
) -> Option<StreamUse> {
    let element = reader.element;
    let given = reader.text_of("name");
    let name = given.and_then(|text| text.value()).map(|name| name.trim().to_owned());
    let name = reader.require("name", name);
    let period = reader.given_number("every");
    let patterns = reader.children(&["quantity"]);
    let context = reader.finish();
    let mut quantities = Vec::new();
    for element in patterns {
        let Some(text) = leaf_text(context, element) else { continue };
        let Some(pattern) = text.value() else { continue };
        quantities.push(QuantityPattern { pattern: pattern.trim().to_owned(), span: text.span });
    }
    let name = name?;
    let span = given.map_or(element.name_span, |text| text.span);
    if name.split('/').any(|part| part.trim().is_empty()) {
        let error = Diagnostic::error(format!("the name of a stream has an empty part: `{name}`"))
            .at(span)
            .label("expected a name such as `robot/drive`");
        context.report.push(error);
    }
    if quantities.is_empty() {
        let message = format!("the stream `{name}` has no quantities");
        let help = "add `<quantity>PATTERN</quantity>`; `simhost quantities WORLD` lists all";
        context.report.push(Diagnostic::error(message).at(element.name_span).help(help));
    }
    if earlier.iter().any(|stream| stream.name == name) {
        let error = Diagnostic::duplicate_name("stream", &name, span);
        context.report.push(error.help("give each stream its own name"));
    }
    Some(StreamUse { name, period, quantities, span })
}

/// Adds the requested streams to those of the world, which records `recorded`.
pub(crate) fn add_requested(
    context: &mut Context<'_>,
    (streams, recorded): (&mut Vec<StreamUse>, &[QuantityPattern]),
    requests: &[StreamRequest],
) {
    for request in requests {
        if request.is_record && recorded.is_empty() && request.patterns.is_empty() {
            continue;
        }
        let place = if request.is_record { "--record" } else { PLACE };
        let (file, text) = context.sources.add(PathBuf::from(place), request.text.clone());
        let span =
            |range: &Range<usize>| Span { file, start: range.start as u32, end: range.end as u32 };
        let mut name = text[request.name.clone()].to_owned();
        if request.is_record {
            let is_free = |name: &String| !streams.iter().any(|stream| stream.name == *name);
            let mut names = (2..).map(|number| format!("{name}_{number}"));
            name =
                Some(name.clone()).filter(is_free).or_else(|| names.find(is_free)).unwrap_or(name);
        }
        if streams.iter().any(|stream| stream.name == name) {
            let error = Diagnostic::duplicate_name("stream", &name, span(&request.name));
            context
                .report
                .push(error.help("choose another name; `simhost streams WORLD` lists all streams"));
        }
        let patterns = request.patterns.iter().map(|range| QuantityPattern {
            pattern: text[range.clone()].to_owned(),
            span: span(range),
        });
        let of_world = recorded.iter().filter(|_| request.is_record).cloned();
        streams.push(StreamUse {
            name,
            period: request.period,
            quantities: of_world.chain(patterns).collect(),
            span: span(&request.name),
        });
    }
}
