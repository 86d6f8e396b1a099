//! Settings of the whole world.

use std::sync::Arc;

use crate::context::Context;
use crate::environment::EnvironmentUse;
use crate::models::ModelUse;
use crate::profile::Profile;
use crate::reader::{FromElement, Words, declare, words};
use crate::tree::Element;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Value, element, integer, non_negative, positive};

/// Form of a seed.
const SEED: &str = "a whole number from 0 to 18446744073709551615";

declare! {
    /// Settings of the whole world.
    section = element("mvsim_world");

    /// Settings of the whole world.
    #[derive(Clone, Debug)]
    pub struct Settings {
        /// Simulated time of a run.
        pub duration: Option<f64> = child(positive("s"));
        /// Seed of all random draws.
        pub seed: Option<u64> = child(Value::Formatted(SEED)).named("random_seed").or("0");
        /// Time step; 0 is 5 ms or the shortest period of a sensor.
        pub timestep: Option<f64> = child(non_negative("s")).named("simul_timestep").or("0");
        /// Gravity.
        pub gravity: f64 = child(non_negative("m/s²")).or("9.81");
        /// Density of the air.
        pub air_density: f64 = child(non_negative("kg/m³")).or("1.225");
        /// Number of substeps per time step in which wheels and bodies move. Controllers and sensors are called once per time step.
        pub substeps: u32 = child(integer("").at_least(1.0).at_most(1000.0)).or("1");
        /// Integration method of a substep: semi-implicit Euler, or its second-order extrapolation.
        pub integrator: Integrator = child(Value::Choice(Integrator::WORDS)).or("euler");
        /// Distance below which a vehicle counts as touching something in its stream `collision`. A larger value reports a near miss.
        pub collision_threshold: f64 = child(non_negative("m")).or("0.03");
        /// Models of wind, ground and gravity, in the order of the file.
        pub environments: Vec<EnvironmentUse> => |_| Vec::new();
        /// Profile.
        pub profile: Profile => |reader| reader.context.profile;
        /// Reactions to faults of models.
        pub faults: FaultPolicy => |_| FaultPolicy::default();
        /// The friction model that replaces a failed one, if the fault policy asks for it.
        pub fallback_friction: Option<Arc<ModelUse>> => |_| None;
    }
}

impl Settings {
    /// Returns the settings of a world that does not give any.
    pub(super) fn of_nothing(context: &mut Context<'_>, root: &Element) -> Self {
        let settings = Self::read_element(context, &root.without_content());
        settings.expect("no setting is required")
    }
}

/// The integration method of a substep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// Semi-implicit Euler: forces, then velocities, then poses. First order.
    #[default]
    Euler,
    /// Richardson extrapolation of a whole step and two half steps. Second order.
    Extrapolated,
}

words!(Integrator { "euler" => Euler, "extrapolated" => Extrapolated });

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
