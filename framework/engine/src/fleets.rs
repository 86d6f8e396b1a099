//! Fleets: models that command the vehicles of several tables in one call per step.
//!
//! A lane is a vehicle, in the order of the world file. Before the controllers of a step, the inputs of
//! all vehicles are copied from the columns of their tables, the model is called once on one thread, and
//! its commands are copied to the inputs of the controllers. After a fault the model is not called any
//! more, and its vehicles keep their last commands.

mod build;

use std::collections::HashMap;

use simhost_abi::{Fault, fault_code};
use simhost_world::FaultPolicy;

use crate::columns::{Column, Columns};
use crate::encoding::SnapshotError;
use crate::fault::{Evidence, FaultReport};
use crate::live_state::live_state;
use crate::model::{Call, MemoryCopies, MigrationError, copy_states};
use crate::moment::Moment;
use crate::random::{Purpose, stream};
use crate::readings::Units;
use crate::result_hash::Items;
use crate::table::{SensorTarget, Table, state_doc};

/// All fleets of a world.
#[derive(Clone, Default)]
pub(crate) struct Fleets {
    fleets: Vec<Fleet>,
}

/// A fleet.
#[derive(Clone)]
struct Fleet {
    name: String,
    call: Call,
    /// Columns of the model, one lane per vehicle.
    columns: Columns,
    /// Indices of the vehicles in the world file.
    vehicles: Vec<usize>,
    /// Names of the vehicles.
    names: Vec<String>,
    parts: Vec<TableMembers>,
    /// Column that is 0 for vehicles whose models are not called any more, if the model reads it.
    enabled: Option<Column>,
    /// Random streams of the vehicles.
    streams: Vec<u64>,
    /// Buffer for the state columns before a call.
    before: Vec<f64>,
    /// Whether the model has faulted, so that it is not called any more.
    disabled: bool,
}

/// The vehicles of a fleet that share a table.
#[derive(Clone)]
struct TableMembers {
    table: usize,
    /// Lanes in the table and in the fleet.
    lanes: Vec<(usize, usize)>,
    /// Columns of the table and the inputs of the fleet to which they are copied.
    inputs: Vec<(Column, Column)>,
    /// Readings of sensors in the table, and the inputs of the fleet to which they are copied.
    readings: Vec<(SensorTarget, SensorTarget)>,
    /// Outputs of the fleet and the columns of the table to which they are copied.
    outputs: Vec<(Column, Column)>,
}

live_state! {
    Fleet {
        state { columns, disabled, call }
        world { name, vehicles, names, parts, enabled }
        step { streams, before }
    }
}

live_state! { Fleets { state { fleets } } }

impl Fleets {
    /// Returns fleets in the same state.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn duplicate(&self, copies: &mut MemoryCopies) -> Result<Self, SnapshotError> {
        let mut copy = self.clone();
        for Fleet { call, columns, .. } in &mut copy.fleets {
            call.bind(columns, copies)?;
        }
        Ok(copy)
    }

    /// Returns whether there are no fleets.
    pub fn is_empty(&self) -> bool {
        self.fleets.is_empty()
    }

    /// Returns the calls that hold the states and memories of all models.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.fleets.iter().map(|fleet| &fleet.call)
    }

    /// Returns the name of the fleet that sets all of some columns of the vehicle in a lane of a table.
    pub fn overriding(&self, table: usize, lane: usize, columns: &[Column]) -> Option<&str> {
        let sets = |part: &TableMembers| {
            let is_set = |column: &Column| part.outputs.iter().any(|(_, to)| to == column);
            part.table == table
                && part.lanes.iter().any(|(target, _)| *target == lane)
                && columns.iter().all(is_set)
        };
        let fleet = self.fleets.iter().find(|fleet| fleet.parts.iter().any(sets));
        fleet.map(|fleet| fleet.name.as_str())
    }

    /// Commands all vehicles in the step that starts at `moment`. Returns the faults of the models.
    pub fn command(
        &mut self,
        moment: &Moment,
        tables: &mut [Table],
        policy: &FaultPolicy,
    ) -> Vec<FaultReport> {
        let mut faults = Vec::new();
        for fleet in self.fleets.iter_mut().filter(|fleet| !fleet.disabled) {
            faults.extend(fleet.command(moment, tables, policy));
        }
        faults
    }

    /// Returns the first state that is not finite: the fleet and vehicle, the slot, and the model.
    pub fn first_non_finite_state(&self) -> Option<(String, &'static str, &Call)> {
        self.fleets.iter().filter(|fleet| !fleet.disabled).find_map(|fleet| {
            let (slot, lane) = fleet.call.first_non_finite_state(&fleet.columns, |_| false)?;
            Some((fleet.call.entity(lane).to_string(), slot, &fleet.call))
        })
    }

    /// Adds the model states of every vehicle to the items of a result hash.
    pub fn add_results(&self, items: &mut Items) {
        for fleet in &self.fleets {
            for (lane, name) in fleet.names.iter().enumerate() {
                let label = format!("vehicle/{name}/fleet");
                items.add_states(&label, &fleet.call, &fleet.columns, lane);
            }
        }
    }

    /// Copies the states of the fleets of another simulation of the same vehicles.
    ///
    /// # Errors
    /// [`MigrationError`] if a model rejects the state of its predecessor.
    pub fn take_over(&mut self, old: &Self) -> Result<(), MigrationError> {
        for fleet in &mut self.fleets {
            let Some(from) = old.fleets.iter().find(|from| from.name == fleet.name) else {
                continue;
            };
            let lanes = from.names.iter().enumerate();
            let lanes: HashMap<&str, usize> =
                lanes.map(|(lane, vehicle)| (vehicle.as_str(), lane)).collect();
            let own = fleet.names.iter().enumerate();
            let pairs =
                own.filter_map(|(lane, vehicle)| Some((lane, *lanes.get(vehicle.as_str())?)));
            copy_states(&fleet.call, &mut fleet.columns, &from.call, &from.columns, pairs)?;
        }
        Ok(())
    }

    /// Continues without the models that are no longer called in another simulation.
    pub fn keep_disabled(&mut self, old: &Self) {
        for fleet in &mut self.fleets {
            let is_same = |from: &&Fleet| from.name == fleet.name;
            fleet.disabled |= old.fleets.iter().find(is_same).is_some_and(|from| from.disabled);
        }
    }
}

impl Fleet {
    /// Calls the model and passes its commands on. Returns its fault.
    fn command(
        &mut self,
        moment: &Moment,
        tables: &mut [Table],
        policy: &FaultPolicy,
    ) -> Option<FaultReport> {
        self.gather(tables, moment.time());
        self.set_streams(moment);
        let Self { call, columns, streams, before, .. } = self;
        call.save_states(columns, before);
        let all = 0..self.vehicles.len();
        let fault = call.run(columns, all, moment, streams).map(|(fault, _)| fault);
        let Some(fault) = fault.or_else(|| self.non_finite()) else {
            self.scatter(tables);
            return None;
        };
        let Self { name, call, columns, streams, before, .. } = self;
        let evidence = Evidence {
            entity: format!("fleet '{name}'"),
            ..Evidence::of_all(call, columns, before, moment, &fault, streams)
        };
        self.disable(tables);
        Some(FaultReport::new(evidence, policy))
    }

    /// Copies the inputs from the tables at the start of a step at `time`, s.
    fn gather(&mut self, tables: &[Table], time: f64) {
        let Self { parts, columns, enabled, .. } = self;
        for part in parts {
            let vehicles = &tables[part.table].vehicles;
            for (from, to) in &part.inputs {
                let (from, to) = (vehicles.columns.get(*from), columns.get_mut(*to));
                part.lanes.iter().for_each(|(source, lane)| to[*lane] = from[*source]);
            }
            for (from, to) in &part.readings {
                for (source, lane) in &part.lanes {
                    from.copy(&vehicles.columns, *source, *to, &mut *columns, *lane, time);
                }
            }
            if let Some(enabled) = *enabled {
                let to = columns.get_mut(enabled);
                for (source, lane) in &part.lanes {
                    to[*lane] = f64::from(u8::from(!vehicles.lanes[*source].disabled));
                }
            }
        }
    }

    /// Copies the commands to the tables.
    fn scatter(&self, tables: &mut [Table]) {
        for part in &self.parts {
            let columns = &mut tables[part.table].vehicles.columns;
            for (from, to) in &part.outputs {
                let (from, to) = (self.columns.get(*from), columns.get_mut(*to));
                part.lanes.iter().for_each(|(target, lane)| to[*target] = from[*lane]);
            }
        }
    }

    /// Sets the random stream of each vehicle; none for a model that does not draw.
    fn set_streams(&mut self, moment: &Moment) {
        if self.call.is_random() {
            let key = |vehicle: &usize| {
                stream(moment.seed, Purpose::Fleet, *vehicle as u64, moment.clock.steps)
            };
            self.streams.clear();
            self.streams.extend(self.vehicles.iter().map(key));
        }
    }

    /// Returns the fault of an output that is not finite.
    fn non_finite(&self) -> Option<Fault> {
        let (output, lane) = self.call.first_non_finite(&self.columns)?;
        let (name, vehicle) = (self.call.phase.outputs()[output].name(), &self.names[lane]);
        let text = format!("output `{name}` of vehicle '{vehicle}' is not finite");
        Some(Fault::new(fault_code::NON_FINITE, &text))
    }

    /// Stops calling the model. Its outputs become the commands that its vehicles keep.
    fn disable(&mut self, tables: &[Table]) {
        self.disabled = true;
        self.call.zero_outputs(&mut self.columns, |_| true);
        for part in &self.parts {
            let columns = &tables[part.table].vehicles.columns;
            for (output, kept) in &part.outputs {
                let (kept, output) = (columns.get(*kept), self.columns.get_mut(*output));
                part.lanes.iter().for_each(|(source, lane)| output[*lane] = kept[*source]);
            }
        }
    }
}

/// A quantity of a vehicle that its fleet computes.
pub(crate) struct FleetField {
    /// Name of the output or of the state slot.
    pub name: String,
    /// Units of its values.
    pub units: Units,
    /// Meaning, sign convention and frame.
    pub doc: &'static str,
    /// Full name of the class.
    pub source: String,
    /// Place of the value.
    pub place: FleetPlace,
}

/// Place of the value of a quantity of a fleet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FleetPlace {
    fleet: usize,
    lane: usize,
    column: Column,
}

impl Fleets {
    /// Returns fleet and lane of each vehicle that is in a fleet; `count` is the number of all vehicles.
    pub fn places(&self, count: usize) -> Vec<Option<(usize, usize)>> {
        let mut places = vec![None; count];
        for (number, fleet) in self.fleets.iter().enumerate() {
            for (lane, vehicle) in fleet.vehicles.iter().enumerate() {
                places[*vehicle] = Some((number, lane));
            }
        }
        places
    }

    /// Returns the quantities of a vehicle: the outputs of the model, then its states.
    pub fn fields(&self, (fleet, lane): (usize, usize)) -> Vec<FleetField> {
        let call = &self.fleets[fleet].call;
        let class = call.class();
        let field = |name: String, unit, doc, column| FleetField {
            name,
            units: Units::All(unit),
            doc,
            source: class.full_name.to_string(),
            place: FleetPlace { fleet, lane, column },
        };
        let ports = call.phase.outputs().iter().zip(call.outputs());
        let mut fields: Vec<FleetField> = ports
            .map(|(port, column)| field(port.name().to_owned(), port.unit(), port.doc(), *column))
            .collect();
        for (slot, column) in class.model.states().iter().zip(call.states()) {
            let is_taken = fields.iter().any(|field| field.name == slot.name());
            let prefix = if is_taken { "state_" } else { "" };
            let name = format!("{prefix}{}", slot.name());
            fields.push(field(name, slot.unit(), state_doc(slot), *column));
        }
        fields
    }

    /// Returns the present value of a quantity.
    #[inline]
    pub fn value(&self, place: &FleetPlace) -> f64 {
        let FleetPlace { fleet, lane, column } = *place;
        self.fleets[fleet].columns.get(column)[lane]
    }
}
