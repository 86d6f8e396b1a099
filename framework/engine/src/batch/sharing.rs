//! What the members of a variant can share.

use simhost_abi::model_flag;

use crate::clock::Clock;
use crate::columns::Column;
use crate::commands;
use crate::model::Call;
use crate::simulation::Simulation;
use crate::state::State;
use crate::table::Table;

/// Largest number of vehicles of one table that a member may have. With more, its tables are wide enough by themselves.
pub(super) const MOST_LANES: usize = 32;

impl Simulation {
    /// Returns why members of a batch of its world cannot share tables; nothing if they can. Members watch no
    /// collisions, even if this simulation does.
    pub fn why_not_shared(&self) -> Vec<String> {
        obstacles(&self.state)
    }
}

/// Returns why members of the world of a state cannot share tables.
pub(super) fn obstacles(state: &State) -> Vec<String> {
    let mut found = Vec::new();
    let mut note = |applies: bool, text: &str| {
        if applies {
            found.push(text.to_owned());
        }
    };
    let State { tables, physics, ground, plans, environments, fleets, .. } = state;
    note(tables.is_empty(), "the world has no vehicles");
    note(
        tables.iter().any(|table| table.vehicles.lanes.len() > MOST_LANES),
        "more than 32 vehicles share their models, which fills tables already",
    );
    note(physics.always_solves(), "blocks that can be pushed, actors or joints");
    let is_near = physics.has_solved() && !physics.always_solves();
    note(is_near, "something is near a vehicle at the start");
    note(!plans.is_empty(), "actors or animated bodies move");
    note(!ground.is_level(), "the ground is not level");
    note(ground.has_properties(), "the ground has regions with properties");
    note(!environments.is_empty(), "environments act on all vehicles in each step");
    note(!fleets.is_empty(), "fleets drive vehicles in each step");
    let perceives = state.perception.as_ref().is_some_and(|seen| seen.demand.by_models);
    note(perceives, "models perceive what is around their vehicles in each step");
    note(state.robot_faults.is_used(), "robots have faults");
    for table in tables {
        found.extend(table.why_not_shared());
    }
    found
}

/// Returns whether members at different steps compute the same as members at the same one.
pub(super) fn are_time_invariant(state: &State) -> bool {
    // readings of sensors have an age, and planned commands act at their times
    !state.sensors.deliver_any()
        && state.commands.resolved.is_empty()
        && state.tables.iter().flat_map(Table::calls).all(Call::is_time_invariant)
}

/// Returns for each table the numbers of the columns that sensors read when they sample. `None` if a sample needs more of
/// the vehicles: their models read the sensors, or rays are cast in space.
pub(super) fn sampled_parts(state: &State) -> Option<Vec<Vec<usize>>> {
    let State { tables, sensors, perception, .. } = state;
    let needs_more = sensors.deliver_to_vehicles() || perception.is_some();
    let parts = tables.iter().enumerate().map(|(number, table)| {
        let sources = sensors.sources_in(number);
        let columns: Vec<Column> = sources.chain(table.vehicles.pose_columns()).collect();
        table.vehicles.parts_of(&columns)
    });
    (!needs_more).then(|| parts.collect())
}

/// Returns whether a model draws random numbers.
pub(super) fn draws(state: &State) -> bool {
    let vehicles = state.tables.iter().flat_map(Table::calls);
    vehicles.chain(state.sensors.calls()).any(Call::is_random)
}

/// Returns the number of completed steps after which each planned command acts.
pub(super) fn command_steps(state: &State) -> Vec<u64> {
    let clock = &state.clock;
    let of_command = |time: f64| {
        let (step, _) = clock.last_step(time.max(0.0));
        let acts = |steps: &u64| commands::acts(time, Clock { steps: *steps, ..*clock }.time());
        (step.saturating_sub(1)..).find(acts).unwrap_or(step)
    };
    state.commands.resolved.iter().map(|command| of_command(command.time)).collect()
}

impl Table {
    fn why_not_shared(&self) -> impl Iterator<Item = String> {
        let whole = |call: &&Call| call.instance().has_flag(model_flag::WHOLE_BATCH);
        let whole = self.calls().filter(whole).map(|call| {
            format!("{} computes all vehicles of a world at once", call.class().full_name)
        });
        let memory = self.calls().filter(|call| call.memories().is_some());
        let memory =
            memory.map(|call| format!("{} keeps a memory of its own", call.class().full_name));
        let space = self.vehicles.host.spatial.then(|| "vehicles move in space".to_owned());
        let found: Vec<String> = whole.chain(memory).chain(space).collect();
        found.into_iter()
    }
}
