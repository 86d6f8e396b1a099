//! Environments as a part of a simulation.

use simhost_world::World;

use crate::blueprint::Blueprint;
use crate::environments::Environments;
use crate::moment::Moment;
use crate::quantity_list::{Entity, QuantityInfo, QuantityList, QuantityScope, Section, Source};
use crate::readings::Units;
use crate::result_hash::Items;
use crate::state::{State, seen};
use crate::step::continuation::{Continuation, TakeOverError};
use crate::step::part::{Part, StepError};

impl Part for Environments {
    fn surround(of: &mut State, blueprint: &Blueprint) -> Result<(), StepError> {
        let State { tables, physics, clock, ground, seed, environments, perception, .. } = of;
        let moment = Moment::new(*clock, *seed, ground).with(seen(perception));
        environments.start(&moment, tables, physics);
        Ok(of.settle_environment_faults(&blueprint.policy)?)
    }

    /// Updates the states of environments and the gravity.
    fn begin(of: &mut State, blueprint: &Blueprint) -> Result<(), StepError> {
        if of.environments.is_empty() {
            return Ok(());
        }
        if of.perception.as_ref().is_some_and(|seen| seen.demand.in_weather) {
            of.perceive(of.clock);
        }
        let State { tables, physics, clock, ground, seed, environments, perception, .. } = of;
        let moment = Moment::new(*clock, *seed, ground).with(seen(perception));
        environments.update(&moment, tables, physics);
        Ok(of.settle_environment_faults(&blueprint.policy)?)
    }

    /// Sets the wind that blows on the vehicles, and the ground at their wheels.
    fn supply(of: &mut State, _: &Blueprint) -> Result<(), StepError> {
        let State { tables, clock, ground, seed, environments, perception, .. } = of;
        if !environments.is_empty() {
            let moment = Moment::new(*clock, *seed, ground).with(seen(perception));
            environments.apply(&moment, tables);
        }
        Ok(())
    }

    /// Settles the faults of [`Self::supply`], when the properties of the ground are known.
    fn command(of: &mut State, blueprint: &Blueprint) -> Result<(), StepError> {
        Ok(of.settle_environment_faults(&blueprint.policy)?)
    }

    fn quiet_steps(of: &State, most: u64) -> u64 {
        if of.environments.is_empty() { most } else { 0 }
    }

    fn add_results(of: &State, _: &Blueprint, items: &mut Items) {
        of.environments.add_results(items);
    }

    /// Adds gravity, and the quantities of the environments.
    fn add_quantities(of: &State, _: &Blueprint, _: &World, to: &mut QuantityList<'_>) {
        let gravity = ("gravity", Units::All("m/s²"));
        to.add_host(Entity::World, gravity.0, gravity.1, "Gravity of the world.", || {
            Source::Gravity
        });
        for field in of.environments.fields() {
            let info = QuantityInfo {
                name: format!("environment/{}", field.name),
                units: Units::All(field.unit),
                len: None,
                scope: QuantityScope::World,
                source: field.source,
                doc: field.doc.to_owned(),
            };
            to.add((Entity::World, Section::Own), info, || Source::Environment(field.place));
        }
    }

    fn take_over(
        of: &mut State,
        _: &Blueprint,
        from: &mut Continuation<'_>,
    ) -> Result<(), TakeOverError> {
        of.environments.take_over(&from.old.environments)?;
        if !from.is_same() {
            of.environments.keep_disabled(&from.old.environments);
        }
        Ok(())
    }
}
