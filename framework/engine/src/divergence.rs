//! Detection of divergence: numbers that are not finite, excessive speeds, and contacts that explode.
//!
//! After each step, each part of the simulation checks what it owns, for all vehicles that are not disabled:
//!
//! 1. tables: state slots of models and odometry poses are finite (slots whose initial value is not finite
//!    are skipped), and spins of wheels are within [`Limits`],
//! 2. physics: positions, headings, velocities and yaw rates are finite and within [`Limits`], and no contact
//!    has accelerated a body beyond reason, see [`Limits::contact_gain`], or needs too many parts of a step, and
//!    no more bodies overlap than rapier can solve,
//! 3. fleets: state slots of models are finite.

use crate::clock::Clock;
use crate::fleets::Fleets;
use crate::limits::Limits;
use crate::model::Call;
use crate::physics::{CROWD_ADVICE, Ejection, MOST_PARTS, Physics};
use crate::table::Table;

/// Place and kind of a divergence.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// End of the step, s.
    pub time: f64,
    /// Number of the step.
    pub step: u64,
    /// Vehicle, block or actor, with the wheel or sensor where there is one.
    pub entity: String,
    /// Description of the divergence.
    pub what: String,
    /// Models that move the entity, each with kind, name, version and origin.
    pub models: Vec<String>,
    /// Advice to the user.
    pub advice: &'static str,
}

impl std::fmt::Display for Divergence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { time, step, entity, what, models, .. } = self;
        write!(f, "at {time} s (step {step}), {entity} diverged: {what}")?;
        models.iter().try_for_each(|model| write!(f, "\n  {model}"))
    }
}

const STIFF: &str =
    "reduce <simul_timestep>, or check for gains and stiffnesses that are too large";
const EXPLODED: &str = "reduce <simul_timestep>, or check for objects that overlap, that are far lighter \
                        than what hits them, or that have a restitution above 1";

/// A divergence before time and step are added.
pub(crate) struct Found {
    entity: String,
    what: String,
    models: Vec<String>,
    advice: &'static str,
}

impl Found {
    /// Adds time and step.
    pub fn at(self, clock: Clock) -> Divergence {
        let Self { entity, what, models, advice } = self;
        Divergence { time: clock.time(), step: clock.steps, entity, what, models, advice }
    }
}

/// Returns the first divergence among the states of vehicles.
#[inline]
pub(crate) fn in_tables(tables: &[Table], limits: &Limits) -> Option<Found> {
    tables.iter().filter(|table| !table.is_sound).find_map(|table| diverged_model(table, limits))
}

/// Returns the first divergence among the bodies.
pub(crate) fn in_bodies(tables: &[Table], physics: &Physics, limits: &Limits) -> Option<Found> {
    let range = || out_of_range(tables, physics, limits);
    let contacts = || exploded(tables, physics, limits).or_else(|| stuck(tables, physics));
    crowded(tables, physics).or_else(range).or_else(contacts)
}

fn out_of_range(tables: &[Table], physics: &Physics, limits: &Limits) -> Option<Found> {
    let Limits { speed, yaw_rate, .. } = limits;
    // the bodies of vehicles come last and have been checked with their tables
    let sound = tables.iter().all(|table| table.is_sound);
    let scenery = tables.first().map(|table| table.vehicles.bodies.start).filter(|_| sound);
    let count = scenery.unwrap_or(physics.bodies.len());
    let (entity, state) = physics.bodies.first_out_of_range(count, *speed, *yaw_rate)?;
    let what = format!(
        "position {:?} m, velocity {:?} m/s, yaw rate {:?} rad/s; the limits are {speed} m/s and \
         {yaw_rate} rad/s",
        state.position, state.velocity, state.omega
    );
    let models = models_of(tables, entity);
    Some(Found { entity: entity.to_owned(), what, models, advice: STIFF })
}

fn exploded(tables: &[Table], physics: &Physics, limits: &Limits) -> Option<Found> {
    let Limits { contact_gain, contact_margin, .. } = limits;
    let Ejection { entity, before, after, group } =
        physics.ejection(*contact_gain, *contact_margin)?;
    let what = format!(
        "a contact exploded: the speed rose from {before:?} m/s to {after:?} m/s in one step, although no \
         point of the touching bodies was faster than {group:?} m/s"
    );
    let models = models_of(tables, &entity);
    Some(Found { entity, what, models, advice: EXPLODED })
}

fn crowded(tables: &[Table], physics: &Physics) -> Option<Found> {
    let crowd = physics.crowd.as_ref()?;
    let models = models_of(tables, &crowd.name);
    let (entity, what) = (crowd.name.clone(), crowd.to_string());
    Some(Found { entity, what, models, advice: CROWD_ADVICE })
}

fn stuck(tables: &[Table], physics: &Physics) -> Option<Found> {
    let (entity, speed) = physics.stuck()?;
    let what = format!(
        "contacts need more than {MOST_PARTS} parts of a step; no body that touches something is faster: {speed:?} m/s"
    );
    Some(Found {
        entity: entity.to_owned(),
        what,
        models: models_of(tables, entity),
        advice: STIFF,
    })
}

/// Returns the models that move a body.
fn models_of(tables: &[Table], entity: &str) -> Vec<String> {
    let is_own = |table: &&Table| table.vehicles.lanes.iter().any(|lane| entity == lane.entity());
    let table = tables.iter().find(is_own);
    table.map_or(Vec::new(), |table| table.calls().map(Call::description).collect())
}

fn diverged_model(table: &Table, limits: &Limits) -> Option<Found> {
    let states = || table.calls().find_map(|call| diverged_state(table, call));
    states().or_else(|| diverged_spin(table, limits)).or_else(|| diverged_odometry(table))
}

fn diverged_state(table: &Table, call: &Call) -> Option<Found> {
    let vehicles = &table.vehicles;
    let count = vehicles.lanes.len();
    // states of a model that is not called any more do not matter
    let is_out = |index: usize| {
        let lane = &vehicles.lanes[index % count];
        lane.disabled || lane.uses_fallback && call.phase.id() == "force"
    };
    let (slot, index) = call.first_non_finite_state(&vehicles.columns, is_out)?;
    // a state of a dynamics class can have one value per wheel
    let lane = if call.shape().wheels == 0 { index } else { index % count };
    Some(Found {
        entity: call.entity(lane).to_string(),
        what: format!("state `{slot}` is not a finite number"),
        models: vec![call.description()],
        advice: STIFF,
    })
}

/// Returns the first divergence among the states of fleets.
#[inline]
pub(crate) fn in_fleets(fleets: &Fleets) -> Option<Found> {
    let (entity, slot, call) = fleets.first_non_finite_state()?;
    let what = format!("state `{slot}` is not a finite number");
    Some(Found { entity, what, models: vec![call.description()], advice: STIFF })
}

fn diverged_spin(table: &Table, limits: &Limits) -> Option<Found> {
    let vehicles = &table.vehicles;
    let (count, most) = (vehicles.lanes.len(), limits.spin);
    let spin = vehicles.columns.get(vehicles.host.measured.spin);
    let is_bad = |(index, spin): (usize, &f64)| {
        (spin.is_nan() || spin.abs() > most) && !vehicles.lanes[index % count].disabled
    };
    let index = spin.iter().enumerate().position(is_bad)?;
    let wheel = &vehicles.wheels.names[index / count];
    Some(Found {
        entity: format!("{}, wheel {wheel}", vehicles.lanes[index % count].entity()),
        what: format!("it spins at {:?} rad/s; the limit is {most} rad/s", spin[index]),
        models: table.calls().map(Call::description).collect(),
        advice: STIFF,
    })
}

fn diverged_odometry(table: &Table) -> Option<Found> {
    let vehicles = &table.vehicles;
    let enabled = vehicles.lanes.iter().enumerate().filter(|(_, owner)| !owner.disabled);
    let mut poses =
        enabled.map(|(lane, owner)| (owner, vehicles.values(vehicles.host.own.odometry, lane)));
    let (owner, pose) = poses.find(|(_, pose)| pose.iter().any(|value| !value.is_finite()))?;
    Some(Found {
        entity: owner.entity().to_owned(),
        what: format!("its odometry is at {pose:?} m, m, rad"),
        models: table.calls().map(Call::description).collect(),
        advice: STIFF,
    })
}
