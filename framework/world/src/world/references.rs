//! Lookup of names that refer to other parts of the world.

use std::collections::{HashMap, HashSet};

use super::description::World;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::joint::{BodyRef, Joint, UnboundJoint};
use crate::sources::Span;
use crate::vehicle::Vehicles;

/// Looks up the bodies of all joints.
pub(super) fn bind_joints(context: &mut Context<'_>, world: &mut World, joints: Vec<UnboundJoint>) {
    let bodies = if joints.is_empty() { HashMap::new() } else { bodies_by_name(world) };
    for (number, joint) in joints.into_iter().enumerate() {
        let (kind, anchors) = (joint.kind(), joint.anchors());
        let UnboundJoint { name, bodies: names, span, .. } = joint;
        let name = name.unwrap_or_else(|| format!("joint{}", number + 1));
        let [first, second] =
            names.map(|(name, span)| find_body(context, world, &bodies, &name, span));
        let (Some(first), Some(second)) = (first, second) else { continue };
        if first == second {
            context.report.error(span, "a joint between a body and itself", "");
            continue;
        }
        world.joints.push(Joint { name, kind, bodies: [first, second], anchors, span });
    }
}

/// Returns the first vehicle or block of each name, and whether it is intangible.
fn bodies_by_name(world: &World) -> HashMap<String, (BodyRef, bool)> {
    let mut bodies = HashMap::new();
    for (index, vehicle) in world.vehicles.iter().enumerate() {
        bodies.entry(vehicle.name.clone()).or_insert((BodyRef::Vehicle(index), false));
    }
    for (index, block) in world.blocks.iter().enumerate() {
        let body = (BodyRef::Block(index), block.intangible);
        bodies.entry(block.name.clone()).or_insert(body);
    }
    bodies
}

/// Returns the vehicle, block or wall with a name. Reports a body that cannot have a joint.
fn find_body(
    context: &mut Context<'_>,
    world: &World,
    bodies: &HashMap<String, (BodyRef, bool)>,
    name: &str,
    span: Span,
) -> Option<BodyRef> {
    let wall = || wall_named(name, world.walls.len()).map(|body| (body, false));
    match bodies.get(name).copied().or_else(wall) {
        Some((body, false)) => Some(body),
        Some((_, true)) => {
            let message = format!("block `{name}` is intangible");
            context.report.error(span, message, "expected a body that has contacts");
            None
        }
        None => {
            let vehicles = world.vehicles.iter().map(|vehicle| vehicle.name.as_str());
            let blocks = world.blocks.iter().map(|block| block.name.as_str());
            let error = Diagnostic::error(format!("unknown body `{name}`"))
                .at(span)
                .label(context.report.hint(name, vehicles.chain(blocks)))
                .help("name a vehicle, a block or a wall (wall_0001, …)");
            context.report.push(error);
            None
        }
    }
}

/// Returns the wall with a name. The first one is `wall_0001`.
fn wall_named(name: &str, count: usize) -> Option<BodyRef> {
    let number: usize = name.strip_prefix("wall_")?.parse().ok()?;
    (1..=count).contains(&number).then(|| BodyRef::Wall(number - 1))
}

/// Reports names of vehicles and objects that do not exist, and sensors that need a georeference.
pub(super) fn check(context: &mut Context<'_>, world: &World, vehicles: &Vehicles) {
    for (name, span) in std::mem::take(&mut context.references.vehicles) {
        if !vehicles.names.contains(&name) {
            let known = world.vehicles.iter().map(|vehicle| vehicle.name.as_str());
            let label = context.report.hint(&name, known);
            context.report.error(span, format!("unknown vehicle `{name}`"), &label);
        }
    }
    check_objects(context, world);
    check_periods(context, world);
    let place = world.scenery.georeference;
    let is_known = place.is_some_and(|place| place.is_known);
    if let Some(span) = context.references.georeference.filter(|_| !is_known) {
        let message = "a `gnss` sensor has no fix without a <georeference>";
        let warning = Diagnostic::warning(message)
            .at(span)
            .help("write <georeference> with <latitude> and <longitude>");
        context.report.push(warning);
    }
}

/// Reports sensors that would be sampled more than once per step.
fn check_periods(context: &mut Context<'_>, world: &World) {
    // the step that simhost chooses itself is short
    let Some(step) = world.settings.timestep.filter(|step| *step > 0.0) else { return };
    let mounted = world.vehicles.iter().flat_map(|vehicle| vehicle.sensors.iter());
    let mut reported = HashSet::new();
    for sensor in mounted.chain(&world.sensors) {
        // decimal fractions are not exact
        let is_too_short = sensor.period < step * (1.0 - 1e-9);
        if !sensor.gives_readings() || !is_too_short || !reported.insert(sensor.period_span) {
            continue;
        }
        let (name, period) = (&sensor.name, sensor.period);
        let error = Diagnostic::error(format!(
            "sensor `{name}` has a period of {period} s, shorter than the time step of {step} s"
        ));
        let error = error.at(sensor.period_span).label("a step has at most one sample");
        context.report.push(error.help(format!(
            "write <sensor_period>{step}</sensor_period> or longer, or reduce <simul_timestep>"
        )));
    }
}

fn check_objects(context: &mut Context<'_>, world: &World) {
    let objects = std::mem::take(&mut context.references.objects);
    if objects.is_empty() {
        return;
    }
    let vehicles = world.vehicles.iter().map(|vehicle| vehicle.name.as_str());
    let blocks = world.blocks.iter().map(|block| block.name.as_str());
    let actors = world.actors.iter().map(|actor| actor.name.as_str());
    let known: HashSet<&str> = vehicles.chain(blocks).chain(actors).collect();
    let mut sorted: Vec<&str> = known.iter().copied().collect();
    sorted.sort_unstable();
    for (name, span) in objects {
        if !known.contains(name.as_str()) && wall_named(&name, world.walls.len()).is_none() {
            let message = format!("unknown object `{name}`");
            let diagnostic = Diagnostic::new(context.unknown_severity(), message)
                .at(span)
                .label(context.report.hint(&name, sorted.iter().copied()))
                .help("name a vehicle, a block, an actor or a wall");
            context.report.push(diagnostic);
        }
    }
}
