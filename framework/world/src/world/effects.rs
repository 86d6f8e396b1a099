//! Parts of a world that have no effect because of other parts.

use super::description::World;
use crate::context::Context;
use crate::diagnostics::Diagnostic;

/// Built-in friction classes whose forces do not depend on a friction coefficient.
const WITHOUT_COEFFICIENT: &[&str] = &["simhost/ellipse"];

/// Warns of regions that change the friction coefficient of vehicles that have none.
pub(super) fn check(context: &mut Context<'_>, world: &World) {
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
