//! Settings of MVSim that are accepted and have no effect.

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::reader::{declare, leaf_text};
use crate::tree::Element;
use crate::value;
use crate::vocabulary::field::child;
use crate::vocabulary::{Effect, Entry, Value, integer, number, positive};

/// Reason why settings of MVSim's solver have no effect.
const OTHER_SOLVER: &str = "the solver chooses the number of iterations itself";

declare! {
    pub(super) const ENTRIES {
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
