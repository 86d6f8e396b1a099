//! Parts of a world that have no effect, or do not fit, because of other parts.

use std::collections::HashSet;
use std::sync::Arc;

use simhost_abi::WheelUse;

use super::description::World;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::vehicle::Vehicle;

/// Built-in friction classes whose forces do not depend on a friction coefficient.
const WITHOUT_COEFFICIENT: &[&str] = &["simhost/ellipse"];

/// Warns of parts that have no effect, and of tyres that do not fit their wheels.
pub(super) fn check(context: &mut Context<'_>, world: &World) {
    check_regions(context, world);
    check_tyres(context, world);
}

/// Warns of regions that change the friction coefficient of vehicles that have none.
fn check_regions(context: &mut Context<'_>, world: &World) {
    let mut regions = world.regions.iter().filter(|region| region.property == "friction_mu");
    let Some(first) = regions.next() else { return };
    for class in WITHOUT_COEFFICIENT {
        let models = world.vehicles.iter().map(|vehicle| &vehicle.friction.model);
        let of_class: Vec<_> = models.filter(|model| *model.full_name == **class).collect();
        let (count, class) = (of_class.len(), of_class.first().map_or("", |model| model.id()));
        if count == 0 {
            continue;
        }
        let noun = if count == 1 { "vehicle" } else { "vehicles" };
        let message =
            format!("`friction_mu` has no effect on {count} {noun} with friction `{class}`");
        let warning = Diagnostic::warning(message)
            .label("ignored by them")
            .note(format!("the forces of `{class}` do not depend on a friction coefficient"));
        for region in std::iter::once(first).chain(regions.clone()) {
            context.report.push(warning.clone().at(region.span));
        }
    }
}

/// Reports the warnings of friction models about the wheels that use them, once for vehicles that share both.
fn check_tyres(context: &mut Context<'_>, world: &World) {
    let mut seen = HashSet::new();
    for vehicle in &world.vehicles {
        let shared = (
            Arc::as_ptr(&vehicle.friction),
            Arc::as_ptr(&vehicle.wheel_friction).cast::<()>(),
            Arc::as_ptr(&vehicle.wheels).cast::<()>(),
            vehicle.chassis.mass.to_bits(),
        );
        if seen.insert(shared) {
            check_tyres_of(context, vehicle, world.settings.gravity);
        }
    }
}

fn check_tyres_of(context: &mut Context<'_>, vehicle: &Vehicle, gravity: f64) {
    let mass = vehicle.chassis.mass + vehicle.wheels.iter().map(|wheel| wheel.mass).sum::<f64>();
    let load = mass * gravity / vehicle.wheels.len().max(1) as f64;
    let wheels = vehicle.wheels.iter().map(|wheel| WheelUse { radius: wheel.diameter / 2.0, load });
    let own = &vehicle.wheel_friction;
    let of_vehicle: Vec<WheelUse> = (0..)
        .zip(wheels.clone())
        .filter(|(index, _)| own.iter().all(|one| one.wheel != *index))
        .map(|(_, wheel)| wheel)
        .collect();
    if !of_vehicle.is_empty() {
        vehicle.friction.warn_of_wheels(context, &of_vehicle);
    }
    for one in own.iter() {
        let wheel: Vec<WheelUse> = wheels.clone().skip(one.wheel).take(1).collect();
        one.model.warn_of_wheels(context, &wheel);
    }
}
