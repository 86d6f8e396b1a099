//! The vocabulary of the root element.

use super::elements::ELEMENTS;
use super::settings::{FaultRule, Settings};
use crate::actor::ACTOR;
use crate::block::BLOCK;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::environment::EnvironmentUse;
use crate::expansion::{FOR_ENTRY, IF_ENTRY, INCLUDE_ENTRY, VARIABLE_ENTRY};
use crate::fleet::UnboundFleet;
use crate::georeference::Georeference;
use crate::gui::Gui;
use crate::joint::UnboundJoint;
use crate::marker::Marker;
use crate::observer::ObserverUse;
use crate::reader::{Fields, declare, leaf_text};
use crate::sensor::STANDALONE;
use crate::sky::Lights;
use crate::stream::StreamUse;
use crate::tree::Element;
use crate::vehicle::VEHICLE;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{
    Effect, Entry, Section, Value, count, integer, joined, number, positive, section,
};
use crate::walls::GivenWalls;
use crate::{actor, block, requirement, value, vehicle};

pub(crate) static WORLD: Section =
    section("mvsim_world", "A world.", &joined::<{ count(LISTS) }>(LISTS));

const LISTS: &[&[Entry]] = &[ATTRIBUTES, Settings::ENTRIES, CONTENTS, LANGUAGE, UNUSED_ENTRIES];

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

/// Reason why settings of MVSim's solver have no effect.
const OTHER_SOLVER: &str = "the solver chooses the number of iterations itself";

declare! {
    pub(super) const UNUSED_ENTRIES {
        /// Velocity iterations of MVSim's solver.
        b2d_vel_iters = child(integer("").at_least(1.0)).or("8").ignored(OTHER_SOLVER);
        /// Position iterations of MVSim's solver.
        b2d_pos_iters = child(integer("").at_least(1.0)).or("3").ignored(OTHER_SOLVER);
        /// Host of MVSim's message server.
        server_address = child(Value::Text).or("localhost").unused("simhost has no message server");
        /// File of MVSim's sensor log.
        save_to_rawlog =
            child(Value::Text).or("").ignored("readings are written as CSV files, see `simhost run --out`");
        /// Rate of odometry in this log.
        rawlog_odometry_rate = child(positive("Hz")).or("10").unused("simhost does not write this log");
        /// File of the true trajectory.
        save_ground_truth_trajectory =
            child(Value::Text).or("").ignored("trajectories are written as CSV files, see `simhost run --out`");
        /// Rate of this file.
        ground_truth_rate = child(positive("Hz")).or("50").unused("simhost does not write this file");
        /// Steepest slope that vehicles climb.
        max_slope_to_collide = child(number("1")).or("0.3").unused("MVSim reads it, but does not use it");
        /// Steepest slope that vehicles descend.
        min_slope_to_collide = child(number("1")).or("-0.5").unused("MVSim reads it, but does not use it");
        /// A name in MVSim's manual.
        light = child(Value::Presence).ignored("write <lights>");
        /// Part of a vehicle, a block or a sensor.
        visual = child(Value::Presence).ignored("it belongs in a vehicle, a block or a sensor");
        /// Part of a vehicle, a block or a plane.
        animation = child(Value::Presence).ignored("it belongs in a vehicle, a block, an actor or a plane");
    }
}

/// Checks the value of a setting without an effect, and warns if that matters.
pub(super) fn check_unused(context: &mut Context<'_>, entry: &'static Entry, element: &Element) {
    // an empty text switches the setting off
    if matches!(entry.value, Value::Text) && element.text.is_none() {
        return;
    }
    if !matches!(entry.value, Value::Presence)
        && let Some(text) = leaf_text(context, element)
    {
        value::check(context, entry, text);
    }
    if let Effect::Ignored(reason) = entry.effect {
        let warning = Diagnostic::warning(format!("`<{}>` has no effect", element.name))
            .at(element.name_span)
            .label("ignored")
            .note(reason);
        context.report.push(warning);
    }
}
