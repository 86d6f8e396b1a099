//! Fleets: controllers of many vehicles.

use std::collections::HashSet;
use std::sync::Arc;

use simhost_abi::Kind;
use simhost_model::ports::{PortFault, fleet_command, fleet_faults, kind_faults};
use wildmatch::WildMatch;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::models::{CONNECT_ENTRY, Connect, ModelUse, named, report_ports};
use crate::reader::{FromElement, declare};
use crate::sources::Span;
use crate::tree::{Element, Text};
use crate::vehicle::{ReadingUse, Vehicle, readings_of_fleet};
use crate::vocabulary::field::attribute;
use crate::vocabulary::{Value, element};

/// Largest number of vehicles that a message lists.
const MAX_LISTED: usize = 5;

/// A fleet.
#[derive(Clone, Debug)]
pub struct FleetUse {
    /// Name, unique among fleets.
    pub name: String,
    /// The model with its parameters.
    pub model: ModelUse,
    /// Indices of its vehicles, ascending. No vehicle is in two fleets.
    pub vehicles: Arc<[usize]>,
}

declare! {
    /// Commands many vehicles, with the parameters of its class.
    section = element("fleet").with_model(Kind::Fleet);

    /// A fleet whose vehicles are still patterns.
    #[derive(Clone, Debug)]
    pub(crate) struct UnboundFleet {
        /// Class of the fleet.
        model: ModelUse = attribute(Value::Class(Kind::Fleet)).named("class").required();
        /// Name, unique among fleets.
        name: String = attribute(Value::Text).or_else("the class and a number");
        /// Names of its vehicles, separated by spaces. `*` matches any letters, `?` matches one.
        vehicles: Text = attribute(Value::Text).required();
        /// Connections of its inputs.
        connects: Arc<[Connect]> = CONNECT_ENTRY;
        /// Position of its name, or of its element.
        span: Span => |reader| reader.span_of("name");
    }
}

/// Reads a `<fleet>`. `fleets` are the earlier ones.
pub(crate) fn read_fleet(
    context: &mut Context<'_>,
    element: &Element,
    fleets: &[UnboundFleet],
) -> Option<UnboundFleet> {
    let UnboundFleet { model, name, vehicles, connects, span } =
        UnboundFleet::read_element(context, element)?;
    let taken: Vec<&str> = fleets.iter().map(|fleet| fleet.name.as_str()).collect();
    let name = named(context, name, &model, &taken, span);
    let model = ModelUse { connects: Arc::clone(&connects), ..model };
    Some(UnboundFleet { model, name, vehicles, connects, span })
}

/// Looks up the vehicles of all fleets. `names` are the names of all vehicles, with or without
/// errors.
pub(crate) fn bind_fleets(
    context: &mut Context<'_>,
    vehicles: &[Vehicle],
    names: &[&str],
    fleets: Vec<UnboundFleet>,
) -> Vec<FleetUse> {
    let mut owners: Vec<Option<usize>> = vec![None; vehicles.len()];
    let mut bound: Vec<FleetUse> = Vec::with_capacity(fleets.len());
    for UnboundFleet { name, model, vehicles: given, .. } in fleets {
        let patterns: Vec<String> = given.content.split_whitespace().map(str::to_owned).collect();
        let span = given.span;
        report_unmatched(context, &patterns, span, names);
        let is_member =
            |vehicle: &Vehicle| patterns.iter().any(|pattern| matches(pattern, &vehicle.name));
        let members: Vec<usize> =
            (0..vehicles.len()).filter(|number| is_member(&vehicles[*number])).collect();
        report_shared(context, vehicles, &members, &owners, &bound, &name, span);
        let number = bound.len();
        members.iter().for_each(|member| owners[*member] = Some(number));
        bound.push(FleetUse { name, model, vehicles: members.into() });
    }
    bound
}

/// Reports patterns that no vehicle matches.
fn report_unmatched(context: &mut Context<'_>, patterns: &[String], span: Span, names: &[&str]) {
    if patterns.is_empty() {
        let help = "write the names of the vehicles, such as vehicles=\"r* van\"";
        context.report.push(Diagnostic::error("a fleet without vehicles").at(span).help(help));
    }
    for pattern in patterns {
        if names.iter().any(|name| matches(pattern, name)) {
            continue;
        }
        let stem: String = pattern.chars().filter(|letter| !matches!(letter, '*' | '?')).collect();
        let hint = context.report.hint(&stem, names.iter().copied());
        let hint = match (hint.is_empty(), names) {
            (false, _) => hint,
            (true, []) => "the world has no vehicles".to_owned(),
            (true, names) => format!("the vehicles are {}", listed(names)),
        };
        let error = Diagnostic::error(format!("no vehicle matches `{pattern}`")).at(span);
        context.report.push(error.label(hint).help("`*` stands for any letters, `?` for one"));
    }
}

/// Reports vehicles that are in an earlier fleet.
fn report_shared(
    context: &mut Context<'_>,
    vehicles: &[Vehicle],
    members: &[usize],
    owners: &[Option<usize>],
    fleets: &[FleetUse],
    name: &str,
    span: Span,
) {
    for (number, other) in fleets.iter().enumerate() {
        let shared = members.iter().filter(|member| owners[**member] == Some(number));
        let shared: Vec<&str> = shared.map(|member| vehicles[*member].name.as_str()).collect();
        if shared.is_empty() {
            continue;
        }
        let (noun, verb) = if shared.len() == 1 { ("vehicle", "is") } else { ("vehicles", "are") };
        let all = listed(&shared);
        let message = format!("{noun} {all} {verb} in two fleets: `{}` and `{name}`", other.name);
        let error = Diagnostic::error(message).at(span);
        context.report.push(error.help("change `vehicles` of one of them"));
    }
}

/// Lists names.
fn listed(names: &[&str]) -> String {
    let first: Vec<_> = names.iter().take(MAX_LISTED).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(MAX_LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    first.join(", ") + &more
}

/// Reports ports of fleets that do not fit, and vehicles that accept none of the commands. Adds the
/// readings of fleets to the readings of their vehicles.
pub(crate) fn check(context: &mut Context<'_>, vehicles: &mut [Vehicle], fleets: &[FleetUse]) {
    for fleet in fleets {
        let owner = format!("fleet `{}`", fleet.name);
        let model = fleet.model.model.model;
        let of_kind = kind_faults(model);
        let is_sound = of_kind.is_empty();
        report_ports(context, &fleet.model.model, of_kind, &owner, fleet.model.span);
        if is_sound {
            check_members(context, vehicles, fleet, &owner);
            add_readings(context, vehicles, fleet);
        }
    }
}

/// Reports vehicles that do not fit their fleet, once for each pair of controller and dynamics class.
fn check_members(context: &mut Context<'_>, vehicles: &[Vehicle], fleet: &FleetUse, owner: &str) {
    let model = fleet.model.model.model;
    // only looked up, never iterated
    let mut checked = HashSet::new();
    for vehicle in fleet.vehicles.iter().map(|number| &vehicles[*number]) {
        let [controller, dynamics] =
            [&vehicle.controller, &vehicle.dynamics].map(|of| of.model.model);
        let pair = [controller, dynamics].map(|model| std::ptr::from_ref(model).addr());
        if !checked.insert(pair) {
            continue;
        }
        if let Err(fault) = fleet_command(model, controller) {
            let same =
                |other: &&usize| std::ptr::eq(vehicles[**other].controller.model.model, controller);
            let count = fleet.vehicles.iter().filter(same).count();
            report_unfit(context, vehicle, count, &fleet.name, &fault);
        }
        let faults = fleet_faults(model, dynamics);
        report_ports(context, &fleet.model.model, faults, owner, fleet.model.span);
    }
}

type VehicleReadings = Arc<[ReadingUse]>;

/// Adds the inputs of a fleet that read sensors to the readings of its vehicles.
fn add_readings(context: &mut Context<'_>, vehicles: &mut [Vehicle], fleet: &FleetUse) {
    // the vehicle before and the readings of both, which most vehicles share
    let mut last: Option<(usize, VehicleReadings, VehicleReadings)> = None;
    for number in fleet.vehicles.iter().copied() {
        let own = Arc::clone(&vehicles[number].readings);
        if let Some((other, before, after)) = &last
            && Arc::ptr_eq(&vehicles[*other].sensors, &vehicles[number].sensors)
            && Arc::ptr_eq(&vehicles[*other].dynamics, &vehicles[number].dynamics)
            && (Arc::ptr_eq(before, &own) || before.is_empty() && own.is_empty())
        {
            vehicles[number].readings = Arc::clone(after);
            continue;
        }
        let found = readings_of_fleet(context, &fleet.model, &vehicles[number]);
        if !found.is_empty() {
            vehicles[number].readings = own.iter().cloned().chain(found).collect();
        }
        last = Some((number, own, Arc::clone(&vehicles[number].readings)));
    }
}

/// Reports a vehicle whose controller does not accept the commands of its fleet. `count` vehicles
/// have the controller.
fn report_unfit(
    context: &mut Context<'_>,
    vehicle: &Vehicle,
    count: usize,
    fleet: &str,
    fault: &PortFault,
) {
    let name = &vehicle.name;
    let message = format!("fleet `{fleet}` cannot command vehicle `{name}`: {}", fault.text);
    let mut error = Diagnostic::error(message).at(vehicle.span);
    if count > 1 {
        error = error.note(format!("the same controller is on {count} vehicles of the fleet"));
    }
    context.report.push(error.help(&fault.help));
}

/// Returns whether a name matches a pattern in which `*` stands for any letters and `?` for one.
fn matches(pattern: &str, name: &str) -> bool {
    WildMatch::new(pattern).matches(name)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_and_question_marks_match_letters() {
        for (pattern, name, expected) in [
            ("r1", "r1", true),
            ("r1", "r11", false),
            ("r*", "r", true),
            ("r*", "robot7", true),
            ("*7", "robot77", true),
            ("*o*t?", "robot7", true),
            ("*o*t?", "robot", false),
            ("r?", "r", false),
            ("r??", "r1ä", true),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("**", "x/y", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
