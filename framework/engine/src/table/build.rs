//! Construction of a table from the vehicles that share it.
//!
//! The stages are: the instances of the models (`instances`), the constants of every vehicle
//! (`parts`), the columns of the host and the wiring of all phases (`wiring`), and the bodies
//! (`lanes`).

mod actuation;
mod demand;
mod group;
mod instances;
mod lanes;
mod parts;
mod wiring;

use std::sync::Arc;

use simhost_world::{Integrator, Settings, Vehicle, WheelTurning};

use super::blueprint::TableBlueprint;
use super::extrapolation::Extrapolation;
use super::kept::Kept;
use super::odometry::Odometry;
use super::port_faults::PortFaults;
use super::step::Table;
use super::vehicles::{Environment, Vehicles, Wheels};
use crate::columns::{self, Layout};
use crate::physics::Physics;

pub(crate) use group::Group;
use instances::Instances;
pub(crate) use parts::TableError;
use parts::VehicleParts;
use wiring::TableWiring;

/// Number of vehicles of a table. The columns of a table should stay in the second level of the cache
/// from one phase to the next, at some 2 KB per vehicle, and tables are divided among threads.
const LANES: usize = 128;

/// Builds the tables of a group and the bodies of its vehicles.
///
/// # Errors
/// [`TableError`] if a model cannot be used or a body cannot exist.
pub(crate) fn build(
    group: &Group<'_>,
    settings: &Settings,
    physics: &mut Physics,
    tables: &mut Vec<Table>,
) -> Result<(), TableError> {
    let models = instances::TableInstances::new(group, settings)?;
    let lanes = if models.need_one_table() { group.vehicles.len() } else { LANES };
    let mut first = 0;
    for part in group.parts(lanes) {
        let end = first + part.vehicles.len();
        let mut table = build_table(&part, &models.part(first..end), settings, physics)?;
        if group.is_open {
            // lanes of ensembles are copied often
            table.vehicles.columns.divide(part.vehicles.len());
        }
        tables.push(table);
        first = end;
    }
    Ok(())
}

fn build_table(
    group: &Group<'_>,
    models: &instances::TableInstances,
    settings: &Settings,
    physics: &mut Physics,
) -> Result<Table, TableError> {
    let (first, count) = (group.first(), group.vehicles.len());
    let mut layout = Layout::default();
    let instances = Instances::new(models, group, &mut layout)?;
    let parts = VehicleParts::of_all(&group.vehicles, instances.dynamics.instances(), settings)?;
    let wiring = TableWiring::new(group, &instances, &parts, settings, &mut layout)?;
    let extrapolated = settings.integrator == Integrator::Extrapolated;
    let history = extrapolated.then(|| Extrapolation::history(count, &mut layout));
    let port_faults = PortFaults::new(faulty_ports(group), &mut layout);

    let mut columns = layout.finish();
    wiring.fill_setpoints(group, &mut columns);
    let TableWiring { calls, host, driving, imposed, brakes, commands, measurements, .. } = wiring;
    let sensor_inputs = wiring.sensor_inputs;
    let (models, wheels) = (calls.bind(settings.faults, &columns), first.wheels.len());
    let mut vehicles = Vehicles {
        columns,
        host: Arc::new(host),
        lanes: Vec::with_capacity(count),
        bodies: physics.bodies.len()..physics.bodies.len() + count,
        wheels: Arc::new(Wheels { count: wheels, names: group.wheel_names() }),
        any_disabled: false,
        any_springs: false,
        is_tipping: false,
        level_loads: Arc::default(),
        environment: Environment {
            gravity: settings.gravity,
            air_density: settings.air_density,
            dynamic_loads: brakes.is_some() && !driving.sets_pose(),
        },
    };
    let mut shared = lanes::SharedContacts::default();
    for ((number, vehicle), parts) in group.vehicles.iter().zip(&parts) {
        lanes::add_lane(&mut vehicles, *number, vehicle, parts, settings, physics, &mut shared)?;
    }
    for (lane, ((_, vehicle), parts)) in group.vehicles.iter().zip(&parts).enumerate() {
        lanes::fill_columns(&mut vehicles, lane, vehicle, parts, settings);
    }
    let moved_by_forces = imposed.is_none() && !driving.sets_pose();
    if !moved_by_forces {
        vehicles.lanes.iter().for_each(|lane| physics.bodies.set_prescribed(lane.body));
    }
    let extrapolation = history
        .filter(|_| moved_by_forces)
        .map(|history| Extrapolation::new(history, &vehicles, &models, first, has_casters(&parts)))
        .transpose()?;
    let mut finite = models.finite_columns();
    finite.extend(vehicles.host.own.odometry);
    let blueprint = TableBlueprint {
        driving,
        imposed,
        odometry: Odometry::new(&measurements),
        brakes,
        commands,
        measurements,
        sensor_inputs,
        has_memory: models.stateful().any(|call| call.memories().is_some()),
        finite_spans: columns::spans(&finite),
        finite,
        roads: group.roads.cloned(),
    };
    Ok(Table {
        vehicles,
        models,
        blueprint: Arc::new(blueprint),
        port_faults,
        books: None,
        extrapolation,
        kept: Kept::default(),
        stopped: None,
        leaves_search: true,
        is_sound: true,
        faults: Default::default(),
    })
}

/// Returns whether wheels of the vehicles of a table swivel.
fn has_casters(parts: &[Arc<VehicleParts>]) -> bool {
    parts.iter().any(|part| part.turning.contains(&WheelTurning::Swivelling))
}

/// Returns the largest number of values of ports on which the faults of some vehicles act.
fn faulty_ports(group: &Group<'_>) -> usize {
    let of_vehicle = |vehicle: &Vehicle| {
        let faults = vehicle.faults.iter().filter(|fault| fault.effect.is_some());
        faults.count() * vehicle.wheels.len().max(1)
    };
    group.vehicles.iter().map(|(_, vehicle)| of_vehicle(vehicle)).sum()
}
