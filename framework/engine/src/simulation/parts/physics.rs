//! Bodies as a part of a simulation.

use crate::divergence;
use crate::physics::Physics;
use crate::result_hash::Items;
use crate::simulation::continuation::{Continuation, TakeOverError, World};
use crate::simulation::part::{Part, Substep, state_in};
use crate::simulation::{Mover, Simulation, StepError};

impl Part for Physics {
    /// Lets rapier move the bodies that can touch something.
    fn solve(of: &mut Simulation, substep: &Substep<'_>) -> Result<(), StepError> {
        // plans, ledges and ropes may have changed what the tables have checked
        let checked = of.plans.is_empty() && of.ground.is_level();
        let stay = checked && !of.tables.iter().any(|table| table.leaves_search);
        let vehicles = of.tables.first().map(|table| table.vehicles.bodies.start);
        of.physics.step_solved(vehicles.filter(|_| stay));
        if substep.is_last() {
            impose_on_solved(of, substep.clock.dt);
        }
        Ok(())
    }

    /// Informs rapier of bodies that dynamics classes have placed.
    fn measure(of: &mut Simulation, _: &Substep<'_>) -> Result<(), StepError> {
        of.physics.settle_placed();
        Ok(())
    }

    fn check(of: &Simulation) -> Result<(), StepError> {
        of.refuse(divergence::in_bodies(&of.tables, &of.physics, &of.limits))
    }

    fn quiet_steps(of: &Simulation, most: u64) -> u64 {
        if of.physics.is_free() { most } else { 0 }
    }

    state_in! { physics }

    /// Adds the blocks and actors that can move; tables add the vehicles.
    fn add_results(of: &Simulation, items: &mut Items) {
        for Mover { label, body, .. } in &of.movers {
            let (state, [low, high]) = (of.physics.state(*body), of.physics.heights(*body));
            let (pose, [vx, vy]) = (state.pose(), state.velocity);
            items.add(format!("{label}/pose"), &[pose.x, pose.y, pose.yaw, low, high]);
            items.add(format!("{label}/twist"), &[vx, vy, state.omega]);
        }
    }

    fn take_over(of: &mut Simulation, from: &mut Continuation<'_>) -> Result<(), TakeOverError> {
        let old = &from.old.physics;
        match from.world {
            World::Same => of.physics.copy_states(old).map_err(TakeOverError::World)?,
            World::Changed(_) => of.physics.copy_known_states(old),
        }
        for table in &mut of.tables {
            table.vehicles.read_bodies(of.physics.bodies(&table.vehicles.bodies));
        }
        Ok(())
    }
}

/// Overwrites the velocities of bodies that rapier has moved, where their contacts permit it.
fn impose_on_solved(of: &mut Simulation, dt: f64) {
    let Simulation { tables, physics, .. } = of;
    if physics.is_free() {
        return;
    }
    let mut imposes = false;
    for table in tables {
        let bodies = table.vehicles.bodies.clone();
        imposes |= table.impose_on_solved(physics.bodies_mut(&bodies));
    }
    if imposes {
        physics.limit_prescribed(dt);
    }
}
