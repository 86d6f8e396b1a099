//! Fleets as a part of a simulation.

use simhost_world::World;

use crate::blueprint::Blueprint;
use crate::divergence;
use crate::fleets::Fleets;
use crate::moment::Moment;
use crate::quantity_list::{Entity, QuantityInfo, QuantityList, QuantityScope, Section, Source};
use crate::result_hash::Items;
use crate::state::{State, seen};
use crate::step::continuation::{Continuation, TakeOverError};
use crate::step::part::{Part, StepError, refuse};

impl Part for Fleets {
    /// Sets the inputs of the controllers of the vehicles of fleets.
    fn command(of: &mut State, blueprint: &Blueprint) -> Result<(), StepError> {
        if of.fleets.is_empty() {
            return Ok(());
        }
        let State { tables, clock, ground, seed, fleets, perception, .. } = of;
        let moment = Moment::new(*clock, *seed, ground).with(seen(perception));
        let faults = fleets.command(&moment, tables, &blueprint.policy);
        Ok(of.settle_faults(faults)?)
    }

    fn check(of: &State) -> Result<(), StepError> {
        refuse(of, divergence::in_fleets(&of.fleets))
    }

    fn quiet_steps(of: &State, most: u64) -> u64 {
        if of.fleets.is_empty() { most } else { 0 }
    }

    fn add_results(of: &State, _: &Blueprint, items: &mut Items) {
        of.fleets.add_results(items);
    }

    /// Adds the quantities of vehicles that their fleets compute.
    fn add_quantities(of: &State, _: &Blueprint, world: &World, to: &mut QuantityList<'_>) {
        for (number, place) in of.fleets.places(world.vehicles.len()).into_iter().enumerate() {
            for field in place.into_iter().flat_map(|place| of.fleets.fields(place)) {
                let info = QuantityInfo {
                    name: format!("fleet/{}", field.name),
                    units: field.units,
                    len: None,
                    scope: QuantityScope::Vehicle,
                    source: field.source,
                    doc: field.doc.to_owned(),
                };
                to.add((Entity::Vehicle(number), Section::Own), info, || {
                    Source::Fleet(field.place)
                });
            }
        }
    }

    fn take_over(
        of: &mut State,
        _: &Blueprint,
        from: &mut Continuation<'_>,
    ) -> Result<(), TakeOverError> {
        of.fleets.take_over(&from.old.fleets)?;
        if !from.is_same() {
            of.fleets.keep_disabled(&from.old.fleets);
        }
        Ok(())
    }
}
