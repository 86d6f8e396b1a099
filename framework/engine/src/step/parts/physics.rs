//! Bodies as a part of a simulation.

use simhost_scene::{Pose2, Pose3};
use simhost_world::{BodyRef, Joint};

use crate::blueprint::{Blueprint, Mover};
use crate::divergence;
use crate::physics::{Body, JointEnd, Physics, wall_outline};
use crate::quantity_list::{Entity, QuantityList, Source};
use crate::readings::Units;
use crate::result_hash::Items;
use crate::state::State;
use crate::step::continuation::{Continuation, TakeOverError, World};
use crate::step::part::{Part, StepError, Substep, refuse};

impl Part for Physics {
    /// Lets rapier move the bodies that can touch something.
    fn solve(of: &mut State, _: &Blueprint, substep: &Substep<'_>) -> Result<(), StepError> {
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
    fn measure(of: &mut State, _: &Blueprint, _: &Substep<'_>) -> Result<(), StepError> {
        of.physics.settle_placed();
        Ok(())
    }

    fn check(of: &State) -> Result<(), StepError> {
        refuse(of, divergence::in_bodies(&of.tables, &of.physics, &of.limits))
    }

    fn quiet_steps(of: &State, most: u64) -> u64 {
        if of.physics.is_free() { most } else { 0 }
    }

    /// Adds the blocks and actors that can move; tables add the vehicles.
    fn add_results(of: &State, blueprint: &Blueprint, items: &mut Items) {
        for (label, Mover { body, .. }) in blueprint.mover_names.iter().zip(&blueprint.movers) {
            let (state, [low, high]) =
                (of.physics.bodies.state(*body), of.physics.bodies.heights(*body));
            let (pose, [vx, vy]) = (state.pose(), state.velocity);
            items.add(format!("{label}/pose"), &[pose.x, pose.y, pose.yaw, low, high]);
            items.add(format!("{label}/twist"), &[vx, vy, state.omega]);
        }
    }

    /// Adds poses and twists of blocks and actors, and the distances and angles of joints.
    fn add_quantities(
        of: &State,
        blueprint: &Blueprint,
        world: &simhost_world::World,
        to: &mut QuantityList<'_>,
    ) {
        let mut bodies = vec![None; world.blocks.len()];
        let mut actors = Vec::new();
        for mover in &blueprint.movers {
            match mover.block {
                Some(number) => bodies[number] = Some(mover.body),
                None => actors.push(mover.body),
            }
        }
        for (number, (block, body)) in world.blocks.iter().zip(bodies).enumerate() {
            let entity = Entity::Block(number);
            let Some(body) = body else {
                let doc = "Origin of the outline; the block does not move.";
                let Pose3 { x, y, z, yaw, pitch, roll } = block.pose;
                let source = || Source::Constant(vec![x, y, z, yaw, pitch, roll]);
                to.add_host(entity, "pose", Units::Pose, doc, source);
                continue;
            };
            add_body(entity, body, to);
        }
        for (number, body) in actors.into_iter().enumerate() {
            add_body(Entity::Actor(number), body, to);
        }
        for (number, joint) in world.joints.iter().enumerate() {
            let entity = Entity::Joint(number);
            let distance = ("distance", Units::All("m"));
            to.add_host(entity, distance.0, distance.1, "Distance between the anchors.", || {
                Source::Distance(ends(joint, world, of, blueprint), joint.anchors)
            });
            let doc = "Yaw of the second body relative to the first.";
            let source = || Source::Angle(ends(joint, world, of, blueprint));
            to.add_host(entity, "angle", Units::All("rad"), doc, source);
        }
    }

    fn take_over(
        of: &mut State,
        _: &Blueprint,
        from: &mut Continuation<'_>,
    ) -> Result<(), TakeOverError> {
        let old = &from.old.physics;
        match from.world {
            World::Same => of.physics.copy_states(old).map_err(TakeOverError::World)?,
            World::Changed(_) => of.physics.copy_known_states(old),
        }
        for table in &mut of.tables {
            table.vehicles.read_bodies(of.physics.bodies.range(&table.vehicles.bodies));
        }
        Ok(())
    }
}

/// Adds the pose and the twist of a body.
fn add_body(entity: Entity, body: Body, to: &mut QuantityList<'_>) {
    let doc = "Origin of the outline: x, y, z; yaw, pitch, roll; world frame.";
    to.add_host(entity, "pose", Units::Pose, doc, || Source::BodyPose(body));
    let doc = "Velocity of the centre of mass along x and y, yaw rate; world frame.";
    to.add_host(entity, "twist", Units::Twist, doc, || Source::BodyTwist(body));
}

/// Returns the ends of a joint.
fn ends(
    joint: &Joint,
    world: &simhost_world::World,
    of: &State,
    blueprint: &Blueprint,
) -> [JointEnd; 2] {
    joint.bodies.map(|body| match body {
        BodyRef::Vehicle(number) => JointEnd::Body(of.body_of(blueprint.places[number])),
        BodyRef::Block(number) => {
            let mover = blueprint.mover_of_block(number);
            let Pose3 { x, y, yaw, .. } = world.blocks[number].pose;
            let fixed = JointEnd::Fixed(Pose2 { x, y, yaw });
            mover.map_or(fixed, |mover| JointEnd::Body(mover.body))
        }
        BodyRef::Wall(number) => JointEnd::Fixed(wall_outline(&world.walls[number]).1.pose()),
    })
}

/// Overwrites the velocities of bodies that rapier has moved, where their contacts permit it.
fn impose_on_solved(of: &mut State, dt: f64) {
    let State { tables, physics, .. } = of;
    if physics.is_free() {
        return;
    }
    let mut imposes = false;
    for table in tables {
        let bodies = table.vehicles.bodies.clone();
        imposes |= table.impose_on_solved(physics.bodies.range_mut(&bodies));
    }
    if imposes {
        physics.limit_prescribed(dt);
    }
}
