//! Selects the inputs, outputs and parameters of an FMU by patterns.

use simhost::{QuantityInfo, Session, quantity_range};
use simhost_model::{Patterns, nearest};
use simhost_world::{ParameterInfo, World};

use crate::error::FmuError;
use crate::interface::{CommandGroup, Role, StartValue, Variable};

/// Returns the variable of simulated time.
pub fn time() -> Variable {
    Variable {
        name: "time".to_owned(),
        role: Role::Time,
        start: StartValue::Number(None),
        unit: "s".to_owned(),
        description: "Simulated time.".to_owned(),
        min: None,
        max: None,
    }
}

/// Returns a bound, unless it is infinite.
pub fn bound(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

/// Fails if one of some patterns selects none of some names.
fn check<'n>(
    what: &'static str,
    patterns: &[String],
    names: impl Iterator<Item = &'n str> + Clone,
) -> Result<(), FmuError> {
    for found in patterns.iter().filter(|pattern| !pattern.starts_with('!') && *pattern != "**") {
        let pattern = Patterns::new([found.as_str()]);
        if names.clone().any(|name| pattern.select(name)) {
            continue;
        }
        let help = match (nearest(found, names.clone()), names.clone().next()) {
            (Some(nearest), _) => format!("did you mean '{nearest}'?"),
            (None, Some(first)) => format!("expected, for instance: '{first}'"),
            (None, None) => "the world has none".to_owned(),
        };
        return Err(FmuError::Unknown { what, found: found.clone(), help });
    }
    Ok(())
}

/// Adds the values of the commands whose input streams match.
///
/// # Errors
/// [`FmuError::Unknown`] if a pattern selects none.
pub fn inputs(
    session: &Session,
    patterns: &[String],
    commands: &mut Vec<CommandGroup>,
    variables: &mut Vec<Variable>,
) -> Result<(), FmuError> {
    // no patterns select everything
    if patterns.is_empty() {
        return Ok(());
    }
    let streams = session.world().streams()?;
    let all = streams.iter().filter_map(|stream| match &stream.effect {
        Some(simhost::Effect::Command { vehicle, kind }) => Some((stream, vehicle, kind)),
        _ => None,
    });
    check("command", patterns, all.clone().map(|(stream, ..)| stream.name.as_str()))?;
    let selected = Patterns::new(patterns.iter().map(String::as_str));
    for (stream, vehicle, kind) in all.filter(|(stream, ..)| selected.select(&stream.name)) {
        let simulation = session.simulation();
        let number = simulation.vehicle_names().number(vehicle).unwrap_or_default();
        let mut kinds = simulation.command_kinds(number).into_iter();
        let Some(known) = kinds.find(|known| known.name == *kind) else { continue };
        for (index, port) in known.values.iter().enumerate() {
            let Some(port) = port else { continue };
            let role = Role::Input { command: commands.len(), index };
            let short = port.strip_prefix("command_").unwrap_or(port);
            let name = format!("{}/{short}", stream.name);
            variables.push(input(session, name, role, &format!("{vehicle}/controller/{port}")));
        }
        let (vehicle, kind, width) = (vehicle.clone(), kind.clone(), known.values.len());
        commands.push(CommandGroup { stream: stream.name.clone(), vehicle, kind, width });
    }
    Ok(())
}

/// Returns an input. Unit, description, range and the value at the start come from the quantity of the port.
fn input(session: &Session, name: String, role: Role, quantity: &str) -> Variable {
    let known = session.quantities([quantity]).ok();
    let info = known.as_ref().and_then(|known| known.infos().first());
    let world = session.world().description().map(|world| &**world);
    let mut present = Vec::new();
    if let Some(known) = &known {
        known.read(session.simulation(), &mut present);
    }
    let (min, max) = info.map_or((None, None), |info| limits(world, info, 0));
    let start = present.first().copied().filter(|value| value.is_finite()).unwrap_or(0.0);
    Variable {
        name,
        role,
        start: StartValue::Number(Some(start)),
        unit: info.map_or("1", |info| info.units.of(0)).to_owned(),
        description: info.map_or(String::new(), |info| info.doc.clone()),
        // a value outside of a range at the start contradicts the range
        min: min.filter(|min| *min <= start),
        max: max.filter(|max| *max >= start),
    }
}

fn limits(world: Option<&World>, info: &QuantityInfo, index: usize) -> (Option<f64>, Option<f64>) {
    let (min, max) = quantity_range(world, info, index);
    (bound(min), bound(max))
}

/// Adds the values of the quantities that match.
///
/// # Errors
/// [`FmuError::World`] if a pattern selects none.
pub fn outputs(
    session: &Session,
    patterns: &[String],
    variables: &mut Vec<Variable>,
) -> Result<(), FmuError> {
    if patterns.is_empty() {
        return Ok(());
    }
    let world = session.world().description().map(|world| &**world);
    let quantities = session.quantities(patterns)?;
    for info in quantities.infos() {
        for index in 0..info.count() {
            let name = info.name_of(index);
            let (min, max) = limits(world, info, index);
            variables.push(Variable {
                name,
                role: Role::Output { quantity: info.name.clone(), index },
                start: StartValue::Number(None),
                unit: info.units.of(index).to_owned(),
                description: info.doc.clone(),
                min,
                max,
            });
        }
    }
    Ok(())
}

/// Adds the parameters that match.
///
/// # Errors
/// [`FmuError::Unknown`] if a pattern selects none.
pub fn parameters(
    session: &Session,
    patterns: &[String],
    variables: &mut Vec<Variable>,
) -> Result<(), FmuError> {
    let Some(world) = session.world().description().filter(|_| !patterns.is_empty()) else {
        return Ok(());
    };
    let infos = world.parameter_infos();
    let all = world.parameters();
    check("parameter", patterns, all.iter().map(|(name, _)| name.as_str()))?;
    let selected = Patterns::new(patterns.iter().map(String::as_str));
    for (name, value) in all.into_iter().filter(|(name, _)| selected.select(name)) {
        let info = infos.iter().find(|info| info.name == name);
        variables.push(parameter(name, &value, info));
    }
    Ok(())
}

fn parameter(name: String, value: &str, info: Option<&ParameterInfo>) -> Variable {
    let has_choices = info.is_some_and(|info| !info.choices.is_empty());
    let start = match (value.parse::<bool>(), value.parse::<f64>()) {
        (Ok(truth), _) => StartValue::Truth(truth),
        (_, Ok(number)) if number.is_finite() && !has_choices => StartValue::Number(Some(number)),
        _ => StartValue::Text(value.to_owned()),
    };
    let is_number = matches!(start, StartValue::Number(_));
    let [min, max] = info.map_or([f64::NEG_INFINITY, f64::INFINITY], |info| info.range);
    let choices = info.map_or(String::new(), |info| match has_choices {
        true => format!(" One of: {}.", info.choices.join(", ")),
        false => String::new(),
    });
    Variable {
        name,
        role: Role::Parameter,
        start,
        unit: info.filter(|_| is_number).map_or("", |info| info.unit).to_owned(),
        description: info.map_or("", |info| info.doc).to_owned() + &choices,
        min: bound(min).filter(|_| is_number),
        max: bound(max).filter(|_| is_number),
    }
}
