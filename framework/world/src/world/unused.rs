//! Settings of MVSim that are accepted and have no effect.

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::reader::leaf_text;
use crate::tree::Element;
use crate::value;
use crate::vocabulary::{Effect, Entry, Value, child, integer, number, positive};

/// Reason why settings of MVSim's solver have no effect.
const OTHER_SOLVER: &str = "the solver chooses the number of iterations itself";

pub(super) const ENTRIES: &[Entry] = &[
    child("b2d_vel_iters", integer("").at_least(1.0), "Velocity iterations of MVSim's solver.")
        .or("8")
        .ignored(OTHER_SOLVER),
    child("b2d_pos_iters", integer("").at_least(1.0), "Position iterations of MVSim's solver.")
        .or("3")
        .ignored(OTHER_SOLVER),
    child("server_address", Value::Text, "Host of MVSim's message server.")
        .or("localhost")
        .unused("there is no message server"),
    child("save_to_rawlog", Value::Text, "File of MVSim's sensor log.")
        .or("")
        .ignored("readings are written as CSV files, see `simhost run --out`"),
    child("rawlog_odometry_rate", positive("Hz"), "Rate of odometry in that log.")
        .or("10")
        .unused("there is no such log"),
    child("save_ground_truth_trajectory", Value::Text, "File of the true trajectory.")
        .or("")
        .ignored("trajectories are written as CSV files, see `simhost run --out`"),
    child("ground_truth_rate", positive("Hz"), "Rate of that file.")
        .or("50")
        .unused("there is no such file"),
    child("max_slope_to_collide", number("1"), "Steepest slope that vehicles climb.")
        .or("0.3")
        .unused("MVSim reads it, but does not use it"),
    child("min_slope_to_collide", number("1"), "Steepest slope that vehicles descend.")
        .or("-0.5")
        .unused("MVSim reads it, but does not use it"),
    child("light", Value::Presence, "A name in MVSim's manual.").ignored("write <lights>"),
    child("visual", Value::Presence, "Part of a vehicle, a block or a sensor.")
        .ignored("it belongs in a vehicle, a block or a sensor"),
    child("animation", Value::Presence, "Part of a vehicle, a block or a plane.")
        .ignored("it belongs in a vehicle, a block, an actor or a plane"),
];

/// Checks the value of a setting without an effect, and warns if that matters.
pub(super) fn check(context: &mut Context<'_>, entry: &'static Entry, element: &Element) {
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
