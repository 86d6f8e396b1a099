//! When a run has lost its footing: numbers that are none, speeds beyond reason, contacts that explode.
//!
//! What is checked after each step, in this order, for all that has not been disabled:
//!
//! 1. state slots of models and spins of wheels are finite (slots whose initial value is not are left out),
//! 2. positions, headings, velocities and yaw rates are finite and within [`Limits`],
//! 3. no contact has thrown a body away, see [`Limits::contact_gain`].

use crate::model::Call;
use crate::physics::Blast;
use crate::simulation::Simulation;
use crate::table::Table;

/// What no sane run goes beyond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Greatest speed of a body, m/s.
    pub speed: f64,
    /// Greatest yaw rate of a body, rad/s.
    pub yaw_rate: f64,
    /// Contacts of a step may give a body so many times the greatest speed that any point of the bodies that
    /// touch each other had before. Two bodies that meet elastically explain a factor of 2, a chain of three
    /// that get lighter one of 4.
    pub contact_gain: f64,
    /// Speed that a contact may always give, m/s: overlaps are pushed apart.
    pub contact_margin: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { speed: 1000.0, yaw_rate: 1e4, contact_gain: 4.0, contact_margin: 5.0 }
    }
}

/// Where and how a run diverged.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// End of the step, s.
    pub time: f64,
    /// Number of the step.
    pub step: u64,
    /// Vehicle, block or actor, with the wheel or sensor where there is one.
    pub entity: String,
    /// What is wrong with it.
    pub what: String,
    /// The models that move it, each with kind, name, version and where it comes from.
    pub models: Vec<String>,
    /// What may help.
    pub advice: &'static str,
}

impl std::fmt::Display for Divergence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { time, step, entity, what, models, .. } = self;
        write!(f, "at {time} s (step {step}), {entity} diverged: {what}")?;
        models.iter().try_for_each(|model| write!(f, "\n  {model}"))
    }
}

const STIFF: &str = "a smaller <simul_timestep> may do, or gains and stiffnesses are too large";
const BLOWN: &str = "a smaller <simul_timestep> may do, or something stands in something else, is far \
                     lighter than what hits it, or has a restitution above 1";

/// What was found, before it is told.
struct Found {
    entity: String,
    what: String,
    models: Vec<String>,
    advice: &'static str,
}

impl Simulation {
    /// Sets what no sane run goes beyond.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// What has diverged in the last step.
    pub(crate) fn divergence(&self) -> Option<Divergence> {
        let found = self.tables.iter().find_map(Table::first_astray);
        let found = found.or_else(|| self.body_astray()).or_else(|| self.blown())?;
        let Found { entity, what, models, advice } = found;
        let (time, step) = (self.clock.time(), self.clock.steps);
        Some(Divergence { time, step, entity, what, models, advice })
    }

    fn body_astray(&self) -> Option<Found> {
        let Limits { speed, yaw_rate, .. } = self.limits;
        let (entity, state) = self.physics.first_astray(speed, yaw_rate)?;
        let what = format!(
            "position {:?} m, velocity {:?} m/s, yaw rate {} rad/s; reasonable are {speed} m/s and \
             {yaw_rate} rad/s",
            state.position, state.velocity, state.omega
        );
        Some(self.found(entity, what, STIFF))
    }

    fn blown(&self) -> Option<Found> {
        let Limits { contact_gain, contact_margin, .. } = self.limits;
        let Blast { entity, before, after, group } =
            self.physics.blast(contact_gain, contact_margin)?;
        let what = format!(
            "a contact exploded: from {before} m/s it went to {after} m/s in one step, while no point of \
             what touches was faster than {group} m/s"
        );
        Some(self.found(&entity, what, BLOWN))
    }

    fn found(&self, entity: &str, what: String, advice: &'static str) -> Found {
        let own = |table: &Table| table.lanes.iter().any(|lane| entity == lane.entity());
        let table = self.tables.iter().find(|table| own(table));
        let models = table.map_or(Vec::new(), |table| table.calls().map(told).collect());
        Found { entity: entity.to_owned(), what, models, advice }
    }
}

/// A model as a message names it.
fn told(call: &Call) -> String {
    let class = call.class();
    let kind = class.model.kind_tag();
    let version = class.model.version();
    format!("{kind} {} {version} ({})", class.full_name, class.source)
}

impl Table {
    fn first_astray(&self) -> Option<Found> {
        self.calls().find_map(|call| self.state_astray(call)).or_else(|| self.spin_astray())
    }

    fn state_astray(&self, call: &Call) -> Option<Found> {
        let (slot, index) =
            call.first_lost_state(&self.columns, |index| self.is_out(call, index))?;
        // a column of a dynamics class may have a number for each wheel
        let lane = if call.shape().wheels == 0 { index } else { index % self.lanes.len() };
        Some(Found {
            entity: call.entity(lane).to_owned(),
            what: format!("state `{slot}` is no finite number"),
            models: vec![told(call)],
            advice: STIFF,
        })
    }

    /// Whether nobody calls a model for a number any more: what it remembers counts for nothing.
    fn is_out(&self, call: &Call, index: usize) -> bool {
        let lane = &self.lanes[index % self.lanes.len()];
        lane.disabled || lane.falls_back && call.name() == "force"
    }

    fn spin_astray(&self) -> Option<Found> {
        let spin = self.columns.get(self.host.spin);
        if spin.iter().map(|spin| spin * 0.0).sum::<f64>() == 0.0 {
            return None;
        }
        let count = self.lanes.len();
        let index = spin
            .iter()
            .enumerate()
            .position(|(index, spin)| !spin.is_finite() && !self.lanes[index % count].disabled)?;
        let wheel = &self.wheel_names[index / count];
        Some(Found {
            entity: format!("{}, wheel {wheel}", self.lanes[index % count].entity()),
            what: format!("it spins at {} rad/s", spin[index]),
            models: self.calls().map(told).collect(),
            advice: STIFF,
        })
    }
}
