//! The vocabulary of the root element.

use super::elements::ELEMENTS;
use super::faults::FAULTS;
use super::{settings, unused};
use crate::actor::{self, ACTOR};
use crate::block::{self, BLOCK};
use crate::environment::ENVIRONMENT;
use crate::expansion::{FOR_ENTRY, IF_ENTRY, INCLUDE_ENTRY, VARIABLE_ENTRY};
use crate::fleet::FLEET;
use crate::georeference::GEOREFERENCE;
use crate::gui::GUI;
use crate::joint::JOINT;
use crate::lights::LIGHTS;
use crate::marker::MARKER;
use crate::observer::OBSERVER;
use crate::sensor::STANDALONE;
use crate::stream::STREAM;
use crate::vehicle::{self, VEHICLE};
use crate::vocabulary::{Entry, Section, Value, attribute, child, count, joined, section};
use crate::walls::WALLS;

pub(crate) static WORLD: Section =
    section("mvsim_world", "A world.", &joined::<{ count(LISTS) }>(LISTS));

const LISTS: &[&[Entry]] = &[ATTRIBUTES, settings::ENTRIES, CONTENTS, unused::ENTRIES];

const ATTRIBUTES: &[Entry] = &[
    attribute(
        "version",
        Value::Text,
        "Version of the format, MAJOR.MINOR. Only its form is checked.",
    )
    .or("1.0"),
    attribute("compat", Value::Text, "Name of the profile.").or("corrected"),
    attribute(
        "flat",
        Value::Bool,
        "Marks the output of `simhost print`, in which nothing is evaluated again.",
    )
    .or("false"),
];

const CONTENTS: &[Entry] = &[
    child("plugin_faults", Value::Element(&FAULTS), "What happens when a model faults.").repeats(),
    child("vehicle:class", Value::Element(&vehicle::CLASS), "Declares a class of vehicles.")
        .repeats(),
    child("vehicle", Value::Element(&VEHICLE), "A vehicle.").repeats(),
    child("block:class", Value::Element(&block::CLASS), "Declares a class of blocks.").repeats(),
    child("block", Value::Element(&BLOCK), "An obstacle.").repeats(),
    child("actor:class", Value::Element(&actor::CLASS), "Declares a class of actors.").repeats(),
    child("actor", Value::Element(&ACTOR), "A person that follows a path.").repeats(),
    child(
        "joystick_enabled",
        Value::Bool,
        "Whether a gamepad drives the selected vehicle in the page.",
    )
    .or_else("a gamepad drives it"),
    child("element", Value::ElementByClass(ELEMENTS), "Ground, walls, regions or surroundings.")
        .repeats(),
    child("sensor", Value::Element(&STANDALONE), "A sensor without a vehicle.").repeats(),
    child("environment", Value::Element(&ENVIRONMENT), "Wind, ground or gravity of the world.")
        .repeats(),
    child("fleet", Value::Element(&FLEET), "A controller of many vehicles.").repeats(),
    child(
        "observer",
        Value::Element(&OBSERVER),
        "Reads quantities of the run, changes nothing, and can end the run.",
    )
    .repeats(),
    child("walls", Value::Element(&WALLS), "Straight walls.").repeats(),
    child("joint", Value::Element(&JOINT), "A joint between two bodies.").repeats(),
    child("marker", Value::Element(&MARKER), "A drawn line.").repeats(),
    child(
        "record",
        Value::Text,
        "Pattern of quantities that a run with output writes to quantities.csv: `*` does not cross `/`, `**` does, `!` excludes.",
    )
    .repeats(),
    child("stream", Value::Element(&STREAM), "Groups quantities into a stream.").repeats(),
    child("gui", Value::Element(&GUI), "The window and its camera.").repeats(),
    child("lights", Value::Element(&LIGHTS), "The sun and its shadows.").repeats(),
    child("georeference", Value::Element(&GEOREFERENCE), "The position of the world on Earth."),
    INCLUDE_ENTRY,
    VARIABLE_ENTRY,
    FOR_ENTRY,
    IF_ENTRY,
];

/// Returns all sections that the root reaches, each once, starting with the root.
pub(crate) fn sections() -> Vec<&'static Section> {
    let mut found: Vec<&'static Section> = vec![&WORLD];
    let mut next = 0;
    while next < found.len() {
        for entry in found[next].entries {
            for section in entry.value.sections() {
                if !found.iter().any(|known| std::ptr::eq(*known, section)) {
                    found.push(section);
                }
            }
        }
        next += 1;
    }
    found
}
