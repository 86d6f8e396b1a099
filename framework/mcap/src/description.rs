//! Streams as text, which channels carry so that a recording can be read without its world.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Value, json};
use simhost_streams::{Count, Direction, Field, Stream, StreamType, Trigger};

/// Key of the description among the metadata of a channel.
pub const KEY: &str = "simhost.stream";

/// Describes a stream.
pub fn write(stream: &Stream) -> String {
    let fields = stream.kind.fields.iter().map(|field| {
        let (name, unit, doc) = (&field.name, &field.unit, &field.doc);
        json!({ "name": name, "unit": unit, "doc": doc, "count": count(field.count) })
    });
    let constants: Vec<Value> =
        stream.constants.iter().map(|(name, value)| json!([name, value])).collect();
    let description = json!({
        "name": stream.name,
        "topic": stream.topic,
        "type": stream.kind.name,
        "message": stream.kind.message,
        "doc": stream.kind.doc,
        "description": stream.doc,
        "fields": fields.collect::<Vec<_>>(),
        "frame": stream.frame,
        "child_frame": stream.child_frame,
        "labels": stream.labels,
        "label_frames": stream.label_frames,
        "constants": constants,
        "period": stream.period,
        "source": stream.source,
        "trigger": trigger_name(stream.trigger),
    });
    description.to_string()
}

/// Reads a description. `None` if it is not one.
pub fn read(text: &str) -> Option<Stream> {
    let value: Value = serde_json::from_str(text).ok()?;
    let text = |key: &str| value[key].as_str().map(str::to_owned);
    let fields = value["fields"].as_array()?.iter().map(|field| {
        let text = |key: &str| field[key].as_str().map(|text| Cow::Owned(text.to_owned()));
        let count = read_count(&field["count"])?;
        Some(Field { name: text("name")?, unit: text("unit")?, doc: text("doc")?, count })
    });
    let fields = fields.collect::<Option<Vec<_>>>()?;
    let kind = StreamType::new(text("type")?, text("message")?, text("doc")?, fields);
    let list = |key: &str| -> Option<Vec<String>> {
        let texts = value[key].as_array()?.iter();
        texts.map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let constants = value["constants"].as_array()?.iter();
    Some(Stream {
        name: text("name")?,
        topic: text("topic")?,
        kind: Arc::new(kind),
        // older recordings have none
        doc: text("description").unwrap_or_default().into(),
        direction: Direction::Output,
        frame: text("frame")?,
        child_frame: text("child_frame")?,
        labels: list("labels")?,
        label_frames: list("label_frames")?,
        effect: None,
        constants: constants
            .filter_map(|pair| Some((pair[0].as_str()?.to_owned().into(), pair[1].as_f64()?)))
            .collect(),
        period: value["period"].as_f64(),
        source: text("source")?,
        trigger: trigger(value["trigger"].as_str()?)?,
    })
}

fn trigger_name(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Step => "step",
        Trigger::Start => "start",
        Trigger::Event => "event",
    }
}

fn trigger(name: &str) -> Option<Trigger> {
    [Trigger::Step, Trigger::Start, Trigger::Event]
        .into_iter()
        .find(|trigger| trigger_name(*trigger) == name)
}

fn count(count: Count) -> Value {
    match count {
        Count::One => json!("one"),
        Count::Fixed(count) => json!({ "fixed": count }),
        Count::PerLabel(count) => json!({ "per_label": count }),
        Count::Text => json!("text"),
        Count::Texts(count) => json!({ "texts": count }),
        Count::Bytes => json!("bytes"),
        Count::Rest => json!("rest"),
    }
}

fn read_count(value: &Value) -> Option<Count> {
    let number = |key: &str| value[key].as_u64().map(|count| count as usize);
    match value.as_str() {
        Some("one") => Some(Count::One),
        Some("text") => Some(Count::Text),
        Some("bytes") => Some(Count::Bytes),
        Some("rest") => Some(Count::Rest),
        Some(_) => None,
        None => (number("fixed").map(Count::Fixed))
            .or_else(|| number("per_label").map(Count::PerLabel))
            .or_else(|| number("texts").map(Count::Texts)),
    }
}
