//! Streams of quantities that the user groups.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::reader::{ElementReader, FromElement, FromEntry, Given, declare};
use crate::sources::Span;
use crate::stream_request::StreamRequest;
use crate::tree::{Element, Text};
use crate::vocabulary::field::{attribute, child, either};
use crate::vocabulary::{Entry, Value, element, positive};

/// Path that a request of the command line has in messages.
const PLACE: &str = "--stream";

declare! {
    /// Groups quantities into a stream, which recordings and clients can use like any other stream.
    section = element("stream") => check;

    /// A stream of quantities.
    #[derive(Clone, Debug, PartialEq)]
    pub struct StreamUse {
        /// Name, such as `robot/drive`.
        pub name: String = attribute(Value::Text).required();
        /// Time between samples.
        pub period: Option<f64> = either(positive("s")).named("every").or_else("every step");
        /// Pattern of quantities: `*` does not cross `/`, `**` does, `!` excludes.
        pub quantities: Arc<[QuantityPattern]> = child(Value::Text).named("quantity").repeats();
        /// Position of its name, or of its element.
        pub span: Span => |reader| reader.span_of("name");
    }
}

/// Reports a name with an empty part, and a stream without quantities.
fn check(stream: StreamUse, reader: &mut ElementReader<'_, '_, '_>) -> Option<StreamUse> {
    let stream = StreamUse { name: stream.name.trim().to_owned(), ..stream };
    let (name, context) = (&stream.name, &mut *reader.context);
    if name.split('/').any(|part| part.trim().is_empty()) {
        let error = Diagnostic::error(format!("the name of a stream has an empty part: `{name}`"))
            .at(stream.span)
            .label("expected a name such as `robot/drive`");
        context.report.push(error);
    }
    if stream.quantities.is_empty() {
        let message = format!("the stream `{name}` has no quantities");
        let help = "add `<quantity>PATTERN</quantity>`; `simhost quantities WORLD` lists all";
        context.report.push(Diagnostic::error(message).at(reader.element.name_span).help(help));
    }
    Some(stream)
}

/// Reads a `<stream>`. `earlier` are those before it.
pub(crate) fn read_stream(
    context: &mut Context<'_>,
    element: &Element,
    earlier: &[StreamUse],
) -> Option<StreamUse> {
    let stream = StreamUse::read_element(context, element)?;
    if earlier.iter().any(|other| other.name == stream.name) {
        let error = Diagnostic::duplicate_name("stream", &stream.name, stream.span);
        context.report.push(error.help("give each stream its own name"));
    }
    Some(stream)
}

/// Adds the requested streams to the streams of the world, which records `recorded`.
pub(crate) fn add_requested(
    context: &mut Context<'_>,
    streams: &mut Vec<StreamUse>,
    recorded: &[QuantityPattern],
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

/// A pattern of the names of quantities that a run with output records. One that starts with `!`
/// excludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuantityPattern {
    /// The pattern.
    pub pattern: String,
    /// Position of the pattern.
    pub span: Span,
}

impl FromEntry for QuantityPattern {
    fn parse(context: &mut Context<'_>, entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        let text = Text::parse(context, entry, given)?;
        Some(Self { pattern: text.value()?.trim().to_owned(), span: text.span })
    }
}
