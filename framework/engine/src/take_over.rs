//! A simulation goes on from where another one of the same world is: the models may be others.

use simhost_abi::{Fault, MIGRATE_ABILITY, MigrateTable, Slice, StateDesc, Str, fault_code};
use simhost_model::View;

use crate::columns::Columns;
use crate::model::Call;
use crate::simulation::Simulation;

/// Why a simulation cannot go on from another one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TakeOverError {
    /// They are not of the same world.
    #[error("the worlds differ: {0}")]
    World(String),
    /// A model does not take what its predecessor remembers.
    #[error("{entity}: {class} does not take what it remembers over: {text}")]
    State {
        /// Whose.
        entity: String,
        /// Full name of the class.
        class: String,
        /// What the model says.
        text: String,
    },
}

impl Simulation {
    /// Goes on from `old`: clock, bodies, plans, wheels, odometry, set-points, what models remember,
    /// and when sensors are due. Slots are carried over by name, as the model's `migrate` mends them;
    /// new ones begin at their initial values. Commands must have been loaded.
    ///
    /// # Errors
    /// [`TakeOverError`]; `old` then is as it was.
    pub fn take_over(&mut self, old: &mut Self) -> Result<(), TakeOverError> {
        self.carry(old)?;
        std::mem::swap(&mut self.plans, &mut old.plans);
        self.faults = std::mem::take(&mut old.faults);
        Ok(())
    }

    fn carry(&mut self, old: &Self) -> Result<(), TakeOverError> {
        if self.names != old.names {
            return Err(TakeOverError::World("the vehicles are others".to_owned()));
        }
        self.physics.carry(&old.physics).map_err(TakeOverError::World)?;
        self.clock = old.clock;
        self.next_command = old.next_command;
        for (&(table, lane), &(old_table, old_lane)) in self.places.iter().zip(&old.places) {
            let from = &old.tables[old_table];
            self.tables[table].carry(lane, from, old_lane)?;
        }
        for table in &mut self.tables {
            table.read_back(&self.physics);
        }
        self.sensors.carry(&old.sensors)
    }
}

/// Carries what lanes of a call remember to those of another; each pair is (new, old).
///
/// # Errors
/// What the model says against it.
pub(crate) fn carry_states(
    call: &Call,
    columns: &mut Columns,
    old: &Call,
    old_columns: &Columns,
    lanes: impl Iterator<Item = (usize, usize)>,
) -> Result<(), TakeOverError> {
    if call.class().full_name != old.class().full_name {
        return Ok(());
    }
    let (slots, old_slots) = (slots(call), slots(old));
    let names: Vec<Str> = old_slots.iter().map(|slot| slot.name).collect();
    for (lane, old_lane) in lanes {
        let refused = |text: String| TakeOverError::State {
            entity: call.entity(lane).to_owned(),
            class: call.class().full_name.to_string(),
            text,
        };
        let values: Vec<f64> =
            old.states().iter().map(|column| old_columns.get(*column)[old_lane]).collect();
        let mut now: Vec<f64> = slots
            .iter()
            .map(|slot| {
                let before = old_slots.iter().position(|old| old.name() == slot.name());
                before.map_or(slot.initial, |place| values[place])
            })
            .collect();
        migrate(call, old.schema(), &names, &values, &mut now).map_err(refused)?;
        for (column, value) in call.states().iter().zip(now) {
            columns.get_mut(*column)[lane] = value;
        }
        if let Some(bytes) = old.memory(old_lane) {
            call.remember(lane, old.schema(), &bytes).map_err(refused)?;
        }
    }
    Ok(())
}

fn slots(call: &Call) -> &'static [View<StateDesc>] {
    call.class().model.states()
}

/// Lets a model of another schema mend its slots.
fn migrate(
    call: &Call,
    schema: u32,
    names: &[Str],
    values: &[f64],
    slots: &mut [f64],
) -> Result<(), String> {
    if schema == call.schema() {
        return Ok(());
    }
    // SAFETY: under this id a model answers with this table or null; it is static data.
    let table = unsafe { call.ability(MIGRATE_ABILITY).cast::<MigrateTable>().as_ref() };
    let Some(table) = table else { return Ok(()) };
    let mut fault = Fault::NONE;
    // SAFETY: handle and table are of one model; names, values and slots live during the call.
    let code = unsafe {
        let (names, values) = (Slice::borrowed(names), Slice::borrowed(values));
        (table.migrate)(call.handle(), schema, names, values, slots.as_mut_ptr(), &raw mut fault)
    };
    if code == fault_code::NONE { Ok(()) } else { Err(fault.message()) }
}
