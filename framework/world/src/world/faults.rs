//! Handling of models that fail.

use crate::context::Context;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::{Section, Value, attribute, section};

/// Reactions to faults of models, by kind of fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultPolicy {
    /// The model panicked or failed unexpectedly.
    pub panic: FaultAction,
    /// The model returned a number that is not finite.
    pub non_finite: FaultAction,
    /// The model cannot handle a time step of this length.
    pub step_too_large: FaultAction,
}

/// Reaction to a fault of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FaultAction {
    /// The run ends.
    #[default]
    Stop,
    /// The run continues without the models of the vehicle.
    Disable,
    /// As `Disable`, except that the built-in friction model `default` replaces a friction model.
    Fallback,
}

pub(super) static FAULTS: Section = section(
    "plugin_faults",
    "What happens when a model faults. A later element overrides an earlier one.",
    &[
        attribute(
            "on",
            Value::Choice(&["all", "panic", "non_finite", "step_too_large"]),
            "Kind of fault: a panic, a number that is not finite, or a time step that is too large for the model.",
        )
        .or("all"),
        attribute(
            "action",
            Value::Choice(&["stop", "disable", "fallback"]),
            "`stop` ends the run, `disable` continues without the vehicle's models, `fallback` replaces a friction model by `default`.",
        )
        .required(),
    ],
);

/// Reads a `<plugin_faults>` and changes the policy. Returns the action.
pub(super) fn read(
    context: &mut Context<'_>,
    element: &Element,
    policy: &mut FaultPolicy,
) -> Option<FaultAction> {
    let mut reader = ElementReader::new(context, element, &FAULTS);
    let on = reader.given_word("on");
    let action = reader.given_word("action");
    let action = reader.require("action", action);
    reader.finish();
    let action = match action? {
        "disable" => FaultAction::Disable,
        "fallback" => FaultAction::Fallback,
        _ => FaultAction::Stop,
    };
    let all = on.is_none() || on == Some("all");
    for (name, target) in [
        ("panic", &mut policy.panic),
        ("non_finite", &mut policy.non_finite),
        ("step_too_large", &mut policy.step_too_large),
    ] {
        if all || on == Some(name) {
            *target = action;
        }
    }
    Some(action)
}
