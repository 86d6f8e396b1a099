//! Tables of vehicles as a part of a simulation.

use std::collections::HashMap;

use crate::blueprint::Blueprint;
use crate::divergence;
use crate::moment::Moment;
use crate::quantity_list::{Entity, QuantityInfo, QuantityList, QuantityScope, Section, Source};
use crate::result_hash::Items;
use crate::state::{State, seen};
use crate::step::continuation::{Continuation, TakeOverError, World};
use crate::step::part::{Part, StepError, Substep, refuse};
use crate::table::{self, Field, Table};
use crate::workers::Workers;

impl Part for Table {
    fn start(of: &mut State, _: &Blueprint) -> Result<(), StepError> {
        let State { tables, physics, clock, ground, seed, perception, .. } = of;
        let moment = Moment::new(*clock, *seed, ground).with(seen(perception));
        for table in tables {
            table.start(&moment, physics.bodies.range(&table.vehicles.bodies));
        }
        Ok(of.settle_table_faults()?)
    }

    /// Runs controllers and dynamics classes in the first substep, and computes the velocities of the bodies
    /// from friction and other forces.
    fn push(of: &mut State, _: &Blueprint, substep: &Substep<'_>) -> Result<(), StepError> {
        let State { tables, physics, ground, seed, perception, .. } = of;
        let moment = |clock| Moment::new(clock, *seed, ground).with(seen(perception));
        let [step, part] = [substep.start, substep.clock].map(moment);
        table::for_each(substep.crew, tables, physics, &|table, bodies| {
            table.begin_substep([&step, &part], substep.is_first(), bodies);
        });
        Ok(())
    }

    fn prescribe(of: &mut State, _: &Blueprint, _: &Substep<'_>) -> Result<(), StepError> {
        Ok(of.settle_table_faults()?)
    }

    /// Moves the bodies that rapier does not move. Reads all bodies and measures after the last substep.
    fn advance(of: &mut State, _: &Blueprint, substep: &Substep<'_>) -> Result<(), StepError> {
        let measures_later = of.measures_later();
        let State { tables, physics, ground, seed, limits, .. } = of;
        let step = Moment::new(substep.start, *seed, ground);
        let (dt, is_last) = (substep.clock.dt, substep.is_last());
        table::for_each(substep.crew, tables, physics, &|table, bodies| {
            table.finish_substep(dt, bodies);
            if is_last && measures_later {
                table.end_motion(&step, bodies);
            } else if is_last {
                table.post(&step, bodies);
                table.check_states(limits, bodies);
            }
        });
        Ok(())
    }

    /// Measures after the motion of all bodies, for a dynamics class that perceives the others.
    fn measure(of: &mut State, _: &Blueprint, substep: &Substep<'_>) -> Result<(), StepError> {
        if !of.measures_later() {
            return Ok(());
        }
        let State { tables, physics, ground, seed, limits, perception, .. } = of;
        let step = Moment::new(substep.start, *seed, ground).with(seen(perception));
        table::for_each(substep.crew, tables, physics, &|table, bodies| {
            table.measure(&step);
            table.check_states(limits, bodies);
        });
        Ok(())
    }

    fn finish(of: &mut State, _: &Blueprint, _: &Workers) -> Result<(), StepError> {
        Ok(of.settle_table_faults()?)
    }

    fn check(of: &State) -> Result<(), StepError> {
        refuse(of, divergence::in_tables(&of.tables, &of.limits))
    }

    fn quiet_steps(of: &State, most: u64) -> u64 {
        if of.tables.iter().all(Table::can_return) { most } else { 0 }
    }

    fn add_results(of: &State, _: &Blueprint, items: &mut Items) {
        for table in &of.tables {
            for lane in 0..table.vehicles.lanes.len() {
                table.add_results(lane, items);
            }
        }
    }

    /// Adds the quantities of vehicles and of their wheels.
    fn add_quantities(
        of: &State,
        blueprint: &Blueprint,
        _: &simhost_world::World,
        to: &mut QuantityList<'_>,
    ) {
        let fields: Vec<Vec<Field>> = of.tables.iter().map(Table::fields).collect();
        for (number, &(table, lane)) in blueprint.places.iter().enumerate() {
            let vehicle = Entity::Vehicle(number);
            let source = |wheel, field, read| Source::Table { table, lane, wheel, field, read };
            let numbered = || fields[table].iter().enumerate();
            for (number, field) in numbered().filter(|(_, field)| !field.of_wheel) {
                let info = QuantityInfo { scope: QuantityScope::Vehicle, ..info("", field) };
                to.add((vehicle, Section::Own), info, || source(0, number, field.read));
            }
            let names = QuantityList::wheel_names(&of.tables[table].vehicles.wheels.names);
            for (wheel, name) in names.enumerate() {
                let prefix = format!("wheel/{name}/");
                let own =
                    |field: &Field| field.of_wheel && field.wheel.is_none_or(|only| only == wheel);
                for (number, field) in numbered().filter(|(_, field)| own(field)) {
                    let info = info(&prefix, field);
                    to.add((vehicle, Section::Wheels), info, || source(wheel, number, field.read));
                }
            }
        }
    }

    fn take_over(
        of: &mut State,
        blueprint: &Blueprint,
        from: &mut Continuation<'_>,
    ) -> Result<(), TakeOverError> {
        let (old, old_blueprint) = (from.old, from.old_blueprint);
        match from.world {
            World::Same => {
                for (&(table, lane), &(old_table, old_lane)) in
                    blueprint.places.iter().zip(&old_blueprint.places)
                {
                    of.tables[table].take_over(lane, &old.tables[old_table], old_lane)?;
                }
            }
            World::Changed(is_changed) => {
                from.measured =
                    continue_vehicles(of, blueprint, old, from.old_blueprint, is_changed)?;
            }
        }
        Ok(())
    }

    /// Measures in tables whose vehicles have changed.
    fn resume(
        of: &mut State,
        _: &Blueprint,
        from: &mut Continuation<'_>,
    ) -> Result<(), TakeOverError> {
        if !from.measured.contains(&true) {
            return Ok(());
        }
        of.perceive(of.clock);
        let State { tables, physics, clock, ground, seed, perception, .. } = of;
        let moment = Moment::new(*clock, *seed, ground).with(seen(perception));
        for (table, _) in tables.iter_mut().zip(&from.measured).filter(|(_, measured)| **measured) {
            table.start(&moment, physics.bodies.range(&table.vehicles.bodies));
        }
        Ok(())
    }
}

/// Returns the description of a quantity of a wheel, with the part of its name before that of the field.
fn info(prefix: &str, field: &Field) -> QuantityInfo {
    QuantityInfo {
        name: format!("{prefix}{}", field.name),
        units: field.units,
        len: field.read.len(),
        scope: QuantityScope::Wheel,
        source: field.source.clone(),
        doc: field.doc.to_owned(),
    }
}

/// Continues the vehicles that `old` has. Returns for each table whether it has to measure anew.
fn continue_vehicles(
    of: &mut State,
    blueprint: &Blueprint,
    old: &State,
    old_blueprint: &Blueprint,
    is_changed: &dyn Fn(&str) -> bool,
) -> Result<Vec<bool>, TakeOverError> {
    let known = old_blueprint.names.iter().zip(&old_blueprint.places);
    // names are unique
    let known: HashMap<&str, (usize, usize)> =
        known.map(|(name, place)| (name.as_str(), *place)).collect();
    let mut measured = vec![false; of.tables.len()];
    for (name, &(table, lane)) in blueprint.names.iter().zip(&blueprint.places) {
        let is_exact = match known.get(name.as_str()) {
            None => false,
            Some(&(old_table, old_lane)) if is_changed(name) => {
                of.tables[table].take_over(lane, &old.tables[old_table], old_lane)?;
                false
            }
            Some(&(old_table, old_lane)) => {
                of.tables[table].continue_lane(lane, &old.tables[old_table], old_lane)?
            }
        };
        measured[table] |= !is_exact;
    }
    Ok(measured)
}
