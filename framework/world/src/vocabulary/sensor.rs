//! Sensors.

use simhost_abi::Kind;

use super::publish::PUBLISH;
use super::visual::VISUAL;
use super::{Entry, Section, Value, attribute, child, number, section};

pub(crate) static SENSOR: Section =
    section("sensor", "A sensor, with the parameters of its class.", ENTRIES)
        .with_model(Kind::Sensor);

pub(crate) static STANDALONE: Section = section(
    "sensor",
    "A sensor that no vehicle carries: its poses are in the world frame.",
    ENTRIES,
)
.with_model(Kind::Sensor);

const ENTRIES: &[Entry] = &[
    attribute("class", Value::Class(Kind::Sensor), "Which.").required(),
    attribute("name", Value::Text, "Unique within the vehicle.").or_else("the class and a number"),
    child("sensor_period", number("s").above(0.0), "Between samples.").or("0.1"),
    child("publish", Value::Tag(&PUBLISH), "What other processes are told."),
    child("visual", Value::Tag(&VISUAL), "How it looks.").repeats(),
    child("preview_win_visible", Value::Bool, "Opens a window for it.")
        .or("true")
        .unmissed("matters to a picture only"),
];
