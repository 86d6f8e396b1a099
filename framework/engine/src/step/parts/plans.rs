//! Plans as a part of a simulation.

use simhost_world::World;

use crate::blueprint::Blueprint;
use crate::clock::Clock;
use crate::plan::Plans;
use crate::quantity_list::{Entity, QuantityList, Source};
use crate::readings::Units;
use crate::state::State;
use crate::step::continuation::{Continuation, TakeOverError};
use crate::step::part::{Part, StepError, Substep};

impl Part for Plans {
    /// Moves actors and animated bodies.
    fn prescribe(of: &mut State, _: &Blueprint, substep: &Substep<'_>) -> Result<(), StepError> {
        if !of.plans.is_empty() {
            let clock = substep.clock;
            let end = Clock { steps: clock.steps + 1, ..clock };
            of.plans.advance(end.time(), clock.dt, &mut of.physics);
        }
        Ok(())
    }

    fn quiet_steps(of: &State, most: u64) -> u64 {
        if of.plans.is_empty() { most } else { 0 }
    }

    /// Adds the poses of planes, which follow their plans without a body.
    fn add_quantities(_: &State, _: &Blueprint, world: &World, to: &mut QuantityList<'_>) {
        let doc = "Frame of the plane: x, y, z; yaw, pitch, roll; world frame.";
        let horizontal = world.horizontal_planes.iter();
        let horizontal = horizontal.map(|plane| (plane.pose, &plane.animation));
        let vertical = world.vertical_planes.iter();
        let vertical = vertical.map(|plane| (plane.pose, &plane.animation));
        for (number, (pose, animation)) in horizontal.chain(vertical).enumerate() {
            to.add_host(Entity::Plane(number), "pose", Units::Pose, doc, || Source::Animated {
                pose,
                animation: animation.clone(),
            });
        }
    }

    fn take_over(
        of: &mut State,
        _: &Blueprint,
        from: &mut Continuation<'_>,
    ) -> Result<(), TakeOverError> {
        of.plans.take_over(&from.old.plans);
        Ok(())
    }
}
