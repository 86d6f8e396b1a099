//! Sensors as a part of a simulation.

use simhost_world::World;

use crate::blueprint::Blueprint;
use crate::moment::Moment;
use crate::quantity_list::{Entity, QuantityInfo, QuantityList, QuantityScope, Section, Source};
use crate::result_hash::Items;
use crate::sensors::Sensors;
use crate::state::{State, seen};
use crate::step::continuation::{Continuation, TakeOverError};
use crate::step::part::{Part, StepError};
use crate::workers::Workers;

/// Number of rays from which a sample is divided among threads: 5000 take about 0.1 ms.
const RAYS_FOR_THREADS: usize = 5000;

impl Part for Sensors {
    /// Samples the sensors that are due.
    fn finish(of: &mut State, blueprint: &Blueprint, workers: &Workers) -> Result<(), StepError> {
        if of.sensors.is_empty() {
            return Ok(());
        }
        let is_scanned = of.sensors.is_scan_due(&of.clock);
        let State { tables, physics, plans, clock, ground, seed, perception, .. } = of;
        if let Some(seen) = perception.as_mut().filter(|seen| seen.demand.in_samples || is_scanned)
        {
            seen.update(tables, physics, clock.time());
        }
        let (sensors, perception) = (&mut of.sensors, &of.perception);
        let end = Moment::new(*clock, *seed, ground).with(seen(perception));
        let crew = workers.crew(sensors.due_rays(clock) >= RAYS_FOR_THREADS);
        let faults = sensors.sample(&end, tables, physics, plans, &blueprint.policy, crew);
        let faults = faults.map_err(StepError::Scan)?;
        sensors.deliver(tables, &of.clock);
        Ok(of.settle_faults(faults)?)
    }

    fn quiet_steps(of: &State, most: u64) -> u64 {
        if of.sensors.is_empty() {
            return most;
        }
        (0..most).take_while(|step| !of.sensors.is_any_due(&of.after(step + 1))).count() as u64
    }

    fn catch_up(of: &mut State) {
        of.sensors.skip();
    }

    fn add_results(of: &State, _: &Blueprint, items: &mut Items) {
        of.sensors.add_results(items);
    }

    /// Adds the readings and the states of sensors. Those without a vehicle come last and belong to the world.
    fn add_quantities(of: &State, _: &Blueprint, world: &World, to: &mut QuantityList<'_>) {
        let vehicles = world.vehicles.iter().enumerate();
        let mounted = vehicles.flat_map(|(number, vehicle)| {
            let sensors = vehicle.sensors.iter().filter(|sensor| sensor.gives_readings());
            sensors.map(move |_| Entity::Vehicle(number))
        });
        let owners = mounted.chain(std::iter::repeat(Entity::World));
        let sensors = of.sensors.infos().iter().zip(of.sensors.places());
        for (owner, (sensor, place)) in owners.zip(sensors) {
            for field in of.sensors.fields(*place) {
                let info = QuantityInfo {
                    name: format!("sensor/{}/{}", sensor.sensor, field.name),
                    units: field.units,
                    len: field.len,
                    scope: match field.len {
                        Some(_) => QuantityScope::Ray,
                        None => QuantityScope::Sensor,
                    },
                    source: field.source,
                    doc: field.doc.to_owned(),
                };
                to.add((owner, Section::Sensors), info, || Source::Sensor(field.place));
            }
        }
    }

    fn take_over(
        of: &mut State,
        _: &Blueprint,
        from: &mut Continuation<'_>,
    ) -> Result<(), TakeOverError> {
        let old = from.old;
        match from.is_same() {
            true => of.sensors.take_over(&old.sensors)?,
            false => of.sensors.continue_known(&old.sensors, &old.clock)?,
        }
        Ok(())
    }
}
