//! The vocabulary of the root element.

use super::elements::ELEMENTS;
use super::faults::FAULTS;
use super::settings::Settings;
use super::unused;
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
use crate::reader::{Fields, declare};
use crate::sensor::STANDALONE;
use crate::stream::STREAM;
use crate::vehicle::{self, VEHICLE};
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, Section, Value, count, joined, section};
use crate::walls::WALLS;

pub(crate) static WORLD: Section =
    section("mvsim_world", "A world.", &joined::<{ count(LISTS) }>(LISTS));

const LISTS: &[&[Entry]] = &[ATTRIBUTES, Settings::ENTRIES, CONTENTS, LANGUAGE, unused::ENTRIES];

declare! {
    const ATTRIBUTES {
        /// Version of the format, MAJOR.MINOR. Only its form is checked.
        version = attribute(Value::Text).or("1.0");
        /// Name of the profile.
        compat = attribute(Value::Text).or("corrected");
        /// Marks the output of `simhost print`, in which nothing is evaluated again.
        flat = attribute(Value::Bool).or("false");
    }
}

declare! {
    const CONTENTS {
        /// What happens when a model faults.
        plugin_faults = child(Value::Element(&FAULTS)).repeats();
        /// Declares a class of vehicles.
        vehicle_class = child(Value::Element(&vehicle::CLASS)).named("vehicle:class").repeats();
        /// A vehicle.
        vehicle = child(Value::Element(&VEHICLE)).repeats();
        /// Declares a class of blocks.
        block_class = child(Value::Element(&block::CLASS)).named("block:class").repeats();
        /// An obstacle.
        block = child(Value::Element(&BLOCK)).repeats();
        /// Declares a class of actors.
        actor_class = child(Value::Element(&actor::CLASS)).named("actor:class").repeats();
        /// A person that follows a path.
        actor = child(Value::Element(&ACTOR)).repeats();
        /// Whether a gamepad drives the selected vehicle in the page.
        joystick_enabled = child(Value::Bool).or_else("a gamepad drives it");
        /// Ground, walls, regions or surroundings.
        element = child(Value::ElementByClass(ELEMENTS)).repeats();
        /// A sensor without a vehicle.
        sensor = child(Value::Element(&STANDALONE)).repeats();
        /// Wind, ground or gravity of the world.
        environment = child(Value::Element(&ENVIRONMENT)).repeats();
        /// A controller of many vehicles.
        fleet = child(Value::Element(&FLEET)).repeats();
        /// Reads quantities of the run, changes nothing, and can end the run.
        observer = child(Value::Element(&OBSERVER)).repeats();
        /// Straight walls.
        walls = child(Value::Element(&WALLS)).repeats();
        /// A joint between two bodies.
        joint = child(Value::Element(&JOINT)).repeats();
        /// A drawn line.
        marker = child(Value::Element(&MARKER)).repeats();
        /// Pattern of quantities that a run with output writes to quantities.csv: `*` does not cross `/`, `**` does, `!` excludes.
        record = child(Value::Text).repeats();
        /// Groups quantities into a stream.
        stream = child(Value::Element(&STREAM)).repeats();
        /// The window and its camera.
        gui = child(Value::Element(&GUI)).repeats();
        /// The sun and its shadows.
        lights = child(Value::Element(&LIGHTS)).repeats();
        /// The position of the world on Earth.
        georeference = child(Value::Element(&GEOREFERENCE));
    }
}

const LANGUAGE: &[Entry] = &[INCLUDE_ENTRY, VARIABLE_ENTRY, FOR_ENTRY, IF_ENTRY];

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
