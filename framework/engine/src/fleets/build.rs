//! Construction of fleets.

use simhost_abi::Kind;
use simhost_abi::host::LaneShape;
use simhost_abi::host_port::FLEET_INPUTS;
use simhost_model::Entities;
use simhost_model::ports::fleet_command;
use simhost_world::{FleetUse, World};

use super::{Fleet, Fleets, TableMembers};
use crate::columns::{Column, Layout};
use crate::model::{
    LaneInstances, Lengths, ModelError, ModelLanes, PortMap, UnboundCall, create_instance,
    incomplete,
};
use crate::table::{SensorTarget, Table};

impl Fleets {
    /// Builds the fleets of a world whose vehicles are in the lanes `places` of `tables`.
    ///
    /// # Errors
    /// [`ModelError`] if a model cannot be used.
    pub fn build(
        world: &World,
        tables: &[Table],
        places: &[(usize, usize)],
    ) -> Result<Self, ModelError> {
        let fleets = world.fleets.iter();
        let fleets = fleets.map(|fleet| Fleet::build(fleet, world, tables, places));
        Ok(Self { fleets: fleets.collect::<Result<_, _>>()? })
    }
}

impl Fleet {
    fn build(
        fleet: &FleetUse,
        world: &World,
        tables: &[Table],
        places: &[(usize, usize)],
    ) -> Result<Self, ModelError> {
        let (instance, span) = (create_instance(&fleet.model)?, fleet.model.span);
        let lanes = fleet.vehicles.len();
        let lengths = Lengths { lanes, wheels: 0, rays: 0 };
        let shape = LaneShape { wheels: 0, wheel_stride: lanes, rays: 0 };
        let names = fleet.vehicles.iter().map(|vehicle| world.vehicles[*vehicle].name.clone());
        let names: Vec<String> = names.collect();
        let entity = |vehicle| format!("fleet '{}', vehicle '{vehicle}'", fleet.name);
        let numbers = fleet.vehicles.iter().map(|vehicle| *vehicle as u32).collect();
        let entities = Entities::owners(names.iter().map(entity).collect()).numbered(numbers);
        let mut layout = Layout::default();
        let model = ModelLanes::new(
            LaneInstances::equal(instance),
            span,
            lengths,
            shape,
            entities,
            &mut layout,
        )?;
        let phase = model.phase(&["command"])?;
        let (mut inputs, mut outputs) = (PortMap::default(), PortMap::default());
        let readings = Readings::new(fleet, world, &mut layout);
        let unbound =
            model.wire(phase, &[&readings.ports()], &mut inputs, &mut outputs, &mut layout);
        let parts = parts(fleet, tables, places, &inputs, &readings, &outputs)?;
        let columns = layout.finish();
        Ok(Self {
            name: fleet.name.clone(),
            call: UnboundCall::bind(unbound, &columns),
            columns,
            vehicles: fleet.vehicles.to_vec(),
            names,
            parts,
            enabled: inputs.get(FLEET_INPUTS[0].name),
            streams: Vec::new(),
            before: Vec::new(),
            disabled: false,
        })
    }
}

/// Inputs of a fleet that read sensors.
struct Readings(Vec<(&'static str, SensorTarget)>);

impl Readings {
    /// Adds the columns of the inputs, which have room for the longest reading of a vehicle.
    fn new(fleet: &FleetUse, world: &World, layout: &mut Layout) -> Self {
        let mut longest: Vec<(&'static str, Option<usize>, f64)> = Vec::new();
        let vehicles = fleet.vehicles.iter().map(|vehicle| &world.vehicles[*vehicle]);
        let all = vehicles.flat_map(|vehicle| vehicle.readings.iter());
        for reading in all.filter(|reading| reading.reader == Kind::Fleet) {
            match longest.iter_mut().find(|(name, ..)| *name == reading.input) {
                Some((_, capacity, _)) => *capacity = (*capacity).max(reading.capacity),
                None => longest.push((reading.input, reading.capacity, reading.default)),
            }
        }
        let lanes = fleet.vehicles.len();
        let target = |(name, capacity, default): (&'static str, Option<usize>, f64)| {
            (name, SensorTarget::new(lanes, capacity, default, layout))
        };
        Self(longest.into_iter().map(target).collect())
    }

    /// Returns the columns by the names of the inputs.
    fn ports(&self) -> PortMap {
        let mut ports = PortMap::default();
        self.0.iter().for_each(|(name, target)| target.add_to(name, &mut ports));
        ports
    }
}

/// Divides the vehicles of a fleet by tables and connects the columns.
fn parts(
    fleet: &FleetUse,
    tables: &[Table],
    places: &[(usize, usize)],
    inputs: &PortMap,
    readings: &Readings,
    outputs: &PortMap,
) -> Result<Vec<TableMembers>, ModelError> {
    let mut lanes: Vec<Vec<(usize, usize)>> = vec![Vec::new(); tables.len()];
    for (lane, vehicle) in fleet.vehicles.iter().enumerate() {
        let (table, source) = places[*vehicle];
        lanes[table].push((source, lane));
    }
    let used = lanes.into_iter().enumerate().filter(|(_, lanes)| !lanes.is_empty());
    let part = |(number, lanes): (usize, Vec<(usize, usize)>)| {
        let table = &tables[number];
        let own: usize = table.vehicles.lanes.len();
        let source = |(name, to): (&str, Column)| {
            let from = table.blueprint.measurements.get(name)?;
            (from.len() == own).then_some((from, to))
        };
        let outputs = command_columns(fleet, table, outputs)?;
        let reading = |(name, to): &(&'static str, SensorTarget)| {
            Some((table.blueprint.sensor_inputs.target((Kind::Fleet, 0), name)?, *to))
        };
        let readings = readings.0.iter().filter_map(reading).collect();
        let inputs = inputs.iter().filter_map(source).collect();
        Ok(TableMembers { table: number, lanes, inputs, readings, outputs })
    };
    used.map(part).collect()
}

/// Returns the outputs of a fleet and the columns of a table to which they are copied.
fn command_columns(
    fleet: &FleetUse,
    table: &Table,
    outputs: &PortMap,
) -> Result<Vec<(Column, Column)>, ModelError> {
    let class = &fleet.model.model;
    let command = fleet_command(class.model, table.controller().model)
        .map_err(|fault| incomplete(class, fault.text, fleet.model.span))?;
    let columns = |(output, input): (&str, &str)| {
        Some((outputs.get(output)?, table.blueprint.commands.get(input)?))
    };
    Ok(command.values.into_iter().filter_map(columns).collect())
}
