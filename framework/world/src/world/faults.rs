//! Handling of models that fail.

use crate::reader::{Words, declare, words};
use crate::vocabulary::field::attribute;
use crate::vocabulary::{Value, element};

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

words!(FaultAction { "stop" => Stop, "disable" => Disable, "fallback" => Fallback });

declare! {
    /// Reaction to a model fault. A later element overrides an earlier one.
    section = element("plugin_faults");

    /// A `<plugin_faults>` element.
    #[derive(Clone)]
    pub(super) struct FaultRule {
        /// Kind of fault: a panic, a number that is not finite, or a time step that is too large for the model.
        on: String = attribute(Value::Choice(&["all", "panic", "non_finite", "step_too_large"])).or("all");
        /// `stop` ends the run, `disable` continues without the vehicle's models, `fallback` replaces a friction model by `default`.
        pub action: FaultAction = attribute(Value::Choice(FaultAction::WORDS)).required();
    }
}

impl FaultRule {
    /// Changes the policy.
    pub fn apply(&self, policy: &mut FaultPolicy) {
        for (name, target) in [
            ("panic", &mut policy.panic),
            ("non_finite", &mut policy.non_finite),
            ("step_too_large", &mut policy.step_too_large),
        ] {
            if self.on == "all" || self.on == name {
                *target = self.action;
            }
        }
    }
}
