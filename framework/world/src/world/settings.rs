//! Settings of the whole world.

use std::sync::Arc;

use super::faults::FaultPolicy;
use crate::context::Context;
use crate::environment::EnvironmentUse;
use crate::models::ModelUse;
use crate::profile::Profile;
use crate::reader::leaf_text;
use crate::tree::Element;
use crate::value;
use crate::vocabulary::{Entry, Section, Value, child, integer, non_negative, positive, section};

/// Settings of the whole world.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Simulated time of a run in s.
    pub duration: Option<f64>,
    /// Seed of all random draws.
    pub seed: Option<u64>,
    /// Time step in s. `None` or 0 chooses it automatically.
    pub timestep: Option<f64>,
    /// Gravity in m/s².
    pub gravity: f64,
    /// Density of the air in kg/m³.
    pub air_density: f64,
    /// Models of wind, ground and gravity, in the order of the file.
    pub environments: Vec<EnvironmentUse>,
    /// Number of substeps per time step.
    pub substeps: u32,
    /// Integration method of a substep.
    pub integrator: Integrator,
    /// Distance below which the stream `collision` of a vehicle is true, m.
    pub collision_threshold: f64,
    /// Profile.
    pub profile: Profile,
    /// Reactions to faults of models.
    pub faults: FaultPolicy,
    /// The friction model that replaces a failed one, if the fault policy asks for it.
    pub fallback_friction: Option<Arc<ModelUse>>,
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

/// Form of a seed.
const SEED: &str = "a whole number from 0 to 18446744073709551615";

pub(super) const ENTRIES: &[Entry] = &[
    child("duration", positive("s"), "Simulated time of a run."),
    child("random_seed", Value::Formatted(SEED), "Seed of all random draws.").or("0"),
    child(
        "simul_timestep",
        non_negative("s"),
        "Time step; 0 is 5 ms or the shortest period of a sensor.",
    )
    .or("0"),
    child("gravity", non_negative("m/s²"), "Gravity.").or("9.81"),
    child("air_density", non_negative("kg/m³"), "Density of the air.").or("1.225"),
    child(
        "substeps",
        integer("").at_least(1.0).at_most(1000.0),
        "Number of substeps per time step in which wheels and bodies move. Controllers and sensors are called once per time step.",
    )
    .or("1"),
    child(
        "integrator",
        Value::Choice(&["euler", "extrapolated"]),
        "Integration method of a substep: semi-implicit Euler, or its second-order extrapolation.",
    )
    .or("euler"),
    child(
        "collision_threshold",
        non_negative("m"),
        "Distance below which a vehicle counts as touching something in its stream `collision`. A larger value reports a near miss.",
    )
    .or("0.03"),
];

/// The settings alone, for their defaults.
static SETTINGS: Section = section("settings", "Settings of the whole world.", ENTRIES);

impl Settings {
    /// Returns the settings of a world that does not give any.
    pub(crate) fn new(profile: Profile) -> Self {
        Self {
            duration: None,
            seed: None,
            timestep: None,
            gravity: SETTINGS.default_number("gravity"),
            air_density: SETTINGS.default_number("air_density"),
            environments: Vec::new(),
            substeps: SETTINGS.default_number("substeps") as u32,
            integrator: Integrator::default(),
            collision_threshold: SETTINGS.default_number("collision_threshold"),
            profile,
            faults: FaultPolicy::default(),
            fallback_friction: None,
        }
    }

    /// Reads a setting. Returns `false` if the entry is not a setting.
    pub(super) fn read(
        &mut self,
        context: &mut Context<'_>,
        entry: &'static Entry,
        element: &Element,
    ) -> bool {
        if !ENTRIES.iter().any(|known| known.name == entry.name) {
            return false;
        }
        let Some(text) = leaf_text(context, element) else { return true };
        match entry.name {
            "random_seed" => match text.value().map(str::parse) {
                Some(Ok(seed)) => self.seed = Some(seed),
                Some(Err(_)) => {
                    let message = format!("`random_seed` is not a seed: `{}`", text.content);
                    context.report.error(text.span, message, &format!("expected {SEED}"));
                }
                None => {}
            },
            "integrator" => {
                value::check(context, entry, text);
                self.integrator = match text.content.trim() {
                    "extrapolated" => Integrator::Extrapolated,
                    _ => Integrator::Euler,
                };
            }
            _ => {
                if let Some(number) = value::entry_number(context, entry, text) {
                    self.set(entry.name, number);
                }
            }
        }
        true
    }

    fn set(&mut self, name: &str, number: f64) {
        match name {
            "duration" => self.duration = Some(number),
            "simul_timestep" => self.timestep = Some(number),
            "gravity" => self.gravity = number,
            "air_density" => self.air_density = number,
            "substeps" => self.substeps = number as u32,
            "collision_threshold" => self.collision_threshold = number,
            _ => {}
        }
    }
}
