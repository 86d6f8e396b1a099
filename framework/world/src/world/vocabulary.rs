//! The vocabulary of the root element.

use super::elements::ELEMENTS;
use super::faults::FaultRule;
use super::settings::Settings;
use super::unused;
use crate::actor::{self, ACTOR};
use crate::block::{self, BLOCK};
use crate::environment::EnvironmentUse;
use crate::expansion::{FOR_ENTRY, IF_ENTRY, INCLUDE_ENTRY, VARIABLE_ENTRY};
use crate::fleet::UnboundFleet;
use crate::georeference::Georeference;
use crate::gui::Gui;
use crate::joint::UnboundJoint;
use crate::lights::Lights;
use crate::marker::Marker;
use crate::observer::ObserverUse;
use crate::reader::{Fields, declare};
use crate::requirement;
use crate::sensor::STANDALONE;
use crate::stream::StreamUse;
use crate::vehicle::{self, VEHICLE};
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, Section, Value, count, joined, section};
use crate::walls::GivenWalls;

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
        /// Reaction to a model fault.
        plugin_faults = child(Value::Element(FaultRule::SECTION)).repeats();
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
        environment = child(Value::Element(EnvironmentUse::SECTION)).repeats();
        /// A controller of many vehicles.
        fleet = child(Value::Element(UnboundFleet::SECTION)).repeats();
        /// A plugin that the world needs.
        require = child(Value::Element(requirement::SECTION)).repeats();
        /// Reads quantities of the run, changes nothing, and can end the run.
        observer = child(Value::Element(ObserverUse::SECTION)).repeats();
        /// Straight walls.
        walls = child(Value::Element(GivenWalls::SECTION)).repeats();
        /// A joint between two bodies.
        joint = child(Value::Element(UnboundJoint::SECTION)).repeats();
        /// A drawn line.
        marker = child(Value::Element(Marker::SECTION)).repeats();
        /// Pattern of quantities that a run with output writes to quantities.csv: `*` does not cross `/`, `**` does, `!` excludes.
        record = child(Value::Text).repeats();
        /// Groups quantities into a stream.
        stream = child(Value::Element(StreamUse::SECTION)).repeats();
        /// The window and its camera.
        gui = child(Value::Element(Gui::SECTION)).repeats();
        /// The sun and its shadows.
        lights = child(Value::Element(Lights::SECTION)).repeats();
        /// The position of the world on Earth.
        georeference = child(Value::Element(Georeference::SECTION));
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
