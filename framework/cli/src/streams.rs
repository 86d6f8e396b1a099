//! `simhost streams`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use simhost::{Count, Field, Stream, ros};
use simhost_engine::Patterns;

use crate::arguments::{Loading, Models, StreamGroups, pattern};
use crate::process::{Code, Failure};
use crate::{opening, terminal};

/// Arguments of `simhost streams`.
#[derive(Args, Clone, Debug)]
pub struct ListStreams {
    /// World file.
    pub world: PathBuf,

    /// List streams that match: `*` does not cross `/`, `**` does, `!` excludes [default: all].
    #[arg(value_name = "PATTERN", value_parser = pattern)]
    pub patterns: Vec<String>,

    #[command(flatten)]
    pub groups: StreamGroups,

    /// Print a JSON array, with the definitions of the messages.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub models: Models,

    #[command(flatten)]
    pub loading: Loading,
}

/// Lists the streams of a world.
pub fn list(arguments: &ListStreams) -> Result<Code, Failure> {
    let options = arguments.groups.add_to(arguments.loading.load_options());
    let (models, seed) = (&arguments.models, arguments.loading.seed);
    let (loaded, simulation) = opening::simulation(&arguments.world, &options, models, seed)?;
    if let Some(error) = simhost::check_streams(&loaded.world, &simulation) {
        let text = error.render(&loaded.sources, terminal::colours());
        return Err(Failure::new(Code::BadInput, text));
    }
    let all = simhost::streams_of(&loaded.world, &simulation);
    let streams = select(all, &arguments.patterns)?;
    let text = if arguments.json { json(&streams) } else { table(&streams) };
    terminal::document(&text)?;
    Ok(Code::Done)
}

/// Returns the streams that patterns select.
///
/// # Errors
/// Fails if a pattern stands for no stream.
fn select(streams: Vec<Arc<Stream>>, patterns: &[String]) -> Result<Vec<Arc<Stream>>, Failure> {
    if patterns.is_empty() {
        return Ok(streams);
    }
    let patterns = Patterns::new(patterns.iter().map(String::as_str));
    let matches_none = |pattern: &&simhost_engine::Pattern| {
        !streams.iter().any(|stream| pattern.matches(&stream.name))
    };
    if let Some(pattern) = patterns.list().iter().find(matches_none) {
        let pattern = pattern.to_string();
        let names = streams.iter().map(|stream| stream.name.as_str());
        let hint = match simhost_model::nearest(&pattern, names) {
            Some(nearest) => format!("; did you mean `{nearest}`?"),
            None => String::new(),
        };
        let text = format!(
            "no stream matches `{pattern}`{hint}\nhelp: `simhost streams WORLD` lists all streams"
        );
        return Err(Failure::new(Code::Usage, text));
    }
    Ok(streams.into_iter().filter(|stream| patterns.select(&stream.name)).collect())
}

/// Returns the streams as a table.
fn table(streams: &[Arc<Stream>]) -> String {
    let head = ["name", "direction", "message", "rate", "source", "fields"].map(str::to_owned);
    let rows = streams.iter().map(|stream| {
        let fields = stream.kind.fields.iter().map(|field| shown_field(stream, field));
        [
            stream.name.clone(),
            direction(stream).to_owned(),
            stream.kind.message.replace("/msg/", "/"),
            stream.rate(),
            stream.source.clone(),
            fields.collect::<Vec<_>>().join(", "),
        ]
    });
    let rows: Vec<[String; 6]> = std::iter::once(head).chain(rows).collect();
    terminal::table(&rows)
}

fn direction(stream: &Stream) -> &'static str {
    if stream.is_input() { "input" } else { "output" }
}

/// Returns name, number of values and unit of a field.
fn shown_field(stream: &Stream, field: &Field) -> String {
    let count = match field.count {
        Count::One | Count::Text => String::new(),
        Count::Fixed(count) => format!("[{count}]"),
        Count::PerLabel(count) => format!("[{}]", count * stream.labels.len()),
        Count::Rest | Count::Texts(_) | Count::Bytes => "[]".to_owned(),
    };
    match field.unit.is_empty() {
        true => format!("{}{count}", field.name),
        false => format!("{}{count} {}", field.name, field.unit),
    }
}

fn json(streams: &[Arc<Stream>]) -> String {
    let list = streams.iter().map(|stream| {
        let fields = stream.kind.fields.iter().map(|field| {
            let count = match field.count {
                Count::One | Count::Text => serde_json::Value::Null,
                Count::Fixed(count) => count.into(),
                Count::PerLabel(count) => (count * stream.labels.len()).into(),
                Count::Rest | Count::Texts(_) | Count::Bytes => "variable".into(),
            };
            serde_json::json!({
                "name": field.name,
                "unit": field.unit,
                "length": count,
                "description": field.doc,
            })
        });
        let constants = stream.constants.iter();
        let constants: serde_json::Map<_, _> =
            constants.map(|(name, value)| (name.to_string(), (*value).into())).collect();
        serde_json::json!({
            "name": stream.name,
            "topic": stream.topic(),
            "direction": direction(stream),
            "type": stream.kind.name,
            "message": stream.kind.message,
            "definition": ros::schema(&stream.kind).text,
            "description": stream.description(),
            "fields": fields.collect::<Vec<_>>(),
            "labels": stream.labels,
            "constants": constants,
            "frame": stream.frame,
            "child_frame": stream.child_frame,
            "rate": stream.rate(),
            "period": stream.period,
            "source": stream.source,
        })
    });
    let list = serde_json::Value::Array(list.collect());
    format!("{list:#}\n")
}
