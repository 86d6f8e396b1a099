//! Ranges of quantities, where something declares them.
//!
//! | Declaration | Range |
//! |---|---|
//! | the pose of a vehicle, also by odometry | angles from −π to π |
//! | a parameter `max_NAME` of the sensor, dynamics class or controller, for the port `NAME` | from 0 for a distance, from −`max_reverse_NAME` where that exists, otherwise from −`max_NAME` |
//! | a description such as `Throttle, 0 to 1.` | these numbers |
//! | a description such as `1 for a return, 0 for none.` | the least and the greatest number |
//! | the ratios of a gearbox, for the port `gear` | from −1 to their number |
//!
//! A range applies to a model without noise and faults.

use std::f64::consts::PI;

use simhost_engine::{QuantityInfo, QuantityScope, Units};
use simhost_model::{ParamValue, unit_factor};
use simhost_world::{ModelUse, World};

/// Smallest and largest value; infinite where nothing is known.
pub type QuantityRange = (f64, f64);

const UNKNOWN: QuantityRange = (f64::NEG_INFINITY, f64::INFINITY);

/// Returns the range of a value of a quantity.
pub fn quantity_range(world: Option<&World>, info: &QuantityInfo, index: usize) -> QuantityRange {
    match info.units {
        Units::Pose if info.scope == QuantityScope::Vehicle && index > 2 => (-PI, PI),
        Units::All(unit) => {
            let known = world.and_then(|world| of_parameters(world, &info.name, unit));
            known.or_else(|| of_description(&info.doc)).unwrap_or(UNKNOWN)
        }
        _ => UNKNOWN,
    }
}

/// Returns the range that the parameters of the model of a quantity declare.
fn of_parameters(world: &World, quantity: &str, unit: &str) -> Option<QuantityRange> {
    let mut parts = quantity.split('/');
    let vehicle = world.vehicles.iter().find(|one| Some(&*one.name) == parts.clone().next())?;
    let (role, last) = (parts.nth(1)?, parts.next_back()?);
    let models = match role {
        "sensor" => {
            let name = parts.next()?;
            vec![&vehicle.sensors.iter().find(|one| one.name == name)?.model]
        }
        "dynamics" | "controller" => vec![&*vehicle.dynamics, &*vehicle.controller],
        _ => return None,
    };
    let name = last.trim_start_matches("command_").trim_end_matches("_angle");
    if name == "gear" {
        return Some((-1.0, models.iter().find_map(|model| gears(model))?));
    }
    let limit = |prefix| models.iter().find_map(|model| limit(model, prefix, name, unit));
    let high = limit("max_")?;
    let low = match limit("max_reverse_") {
        Some(reverse) => -reverse,
        None if unit == "m" => 0.0,
        None => -high,
    };
    Some((low, high))
}

/// Returns the positive value of a parameter with a prefix and the name of a port, in the unit of the port. Keys of angles
/// in degrees have a suffix.
fn limit(model: &ModelUse, prefix: &str, name: &str, unit: &str) -> Option<f64> {
    let params = model.model.model.params();
    let is_meant = |key: &str| {
        let key = key.strip_suffix("_deg").map_or(key, |key| key.trim_end_matches("_ang"));
        key.strip_prefix(prefix) == Some(name)
    };
    let place = params.iter().position(|param| is_meant(param.key()))?;
    unit_factor(params[place].unit(), unit)?;
    match model.values.get(place)? {
        // 0 is often for no limit
        ParamValue::Number(number) if *number > 0.0 => Some(*number),
        _ => None,
    }
}

/// Returns the number of forward gears.
fn gears(model: &ModelUse) -> Option<f64> {
    let params = model.model.model.params();
    let place = params.iter().position(|param| param.key() == "gearbox")?;
    let ratios = params[place].children().iter().position(|param| param.key() == "ratios")?;
    let ParamValue::Items(values) = model.values.get(place)? else { return None };
    match values.get(ratios)? {
        ParamValue::Items(ratios) => Some(ratios.len() as f64),
        _ => None,
    }
}

/// Returns the range that a description states in its first sentence.
fn of_description(doc: &str) -> Option<QuantityRange> {
    let doc = doc.replace('−', "-");
    let sentence = doc.split_once(". ").map_or(&*doc, |(first, _)| first).trim_end_matches('.');
    let number = |text: &str| text.parse::<f64>().ok();
    let cases: Option<Vec<f64>> = sentence
        .split(", ")
        .map(|case| case.split_once(' ').and_then(|(value, _)| number(value)))
        .collect();
    if let Some(cases) = cases.filter(|cases| cases.len() > 1) {
        let ends = |(low, high): QuantityRange, case: f64| (low.min(case), high.max(case));
        return Some(cases.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), ends));
    }
    let words: Vec<&str> = sentence.split(' ').collect();
    words.windows(3).enumerate().find_map(|(place, three)| {
        let is_end = place + 3 == words.len() || three[2].ends_with([';', ':']);
        let high = number(three[2].trim_end_matches([';', ':']))?;
        (three[1] == "to" && is_end).then_some((number(three[0])?, high))
    })
}
