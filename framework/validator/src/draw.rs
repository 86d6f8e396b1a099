//! Random parameters within their bounds, and plausible inputs.

use simhost_abi::{Model, ParamDesc, ParamKind, PortDesc, param_flag, value_tag};
use simhost_model::{ParamValue, View};
use simhost_sdk::Random;

/// Combines several numbers into a key.
pub(crate) fn key(seed: u64, parts: &[u64]) -> u64 {
    parts
        .iter()
        .fold(seed, |key, part| Random::new(key ^ part.wrapping_mul(0xD6E8_FEB8_6659_FD93)).bits())
}

/// Rolling radius of a wheel in a test, m.
pub(crate) const RADIUS: f64 = 0.2;
/// Longest list and largest integer that are drawn without a declared bound.
const MANY: f64 = 64.0;

/// Returns the parameters of a model.
pub(crate) fn params(model: &'static View<Model>) -> &'static [View<ParamDesc>] {
    model.params()
}

/// Returns the defaults of parameters. A required parameter has a random value within its bounds,
/// derived from `key`.
pub(crate) fn defaults(params: &'static [View<ParamDesc>], key: u64) -> Vec<ParamValue> {
    params.iter().map(|param| default(param, key)).collect()
}

fn default(param: &'static View<ParamDesc>, key: u64) -> ParamValue {
    match param.kind() {
        Some(ParamKind::Group) => ParamValue::Items(defaults(param.children(), key)),
        _ if param.default.tag != value_tag::NONE => ParamValue::default_of(param),
        _ if param.flags & param_flag::REQUIRED != 0 => drawn(param, &mut Random::new(key)),
        _ => ParamValue::None,
    }
}

/// Draws parameters within their bounds. A quarter of the values are at a bound and a quarter at
/// the default.
pub(crate) fn drawn_all(
    params: &'static [View<ParamDesc>],
    random: &mut Random,
) -> Vec<ParamValue> {
    params
        .iter()
        .map(|param| match random.bits() % 4 {
            0 => default(param, 1),
            _ => drawn(param, random),
        })
        .collect()
}

/// Returns parameters with one number at a bound of its range, for each bound that belongs to the
/// range. The others have the values of `usual`.
pub(crate) fn at_bounds(
    params: &'static [View<ParamDesc>],
    usual: &[ParamValue],
) -> Vec<Vec<ParamValue>> {
    let mut all = Vec::new();
    let numbers = params.iter().enumerate();
    for (place, param) in numbers.filter(|(_, param)| param.kind() == Some(ParamKind::Number)) {
        let bounds = [(param.min, param_flag::ABOVE_MIN), (param.max, param_flag::BELOW_MAX)];
        for (bound, excluded) in bounds {
            if bound.is_finite() && param.flags & excluded == 0 {
                let mut values = usual.to_vec();
                values[place] = ParamValue::Number(bound * param.scale);
                all.push(values);
            }
        }
    }
    all
}

/// Returns whether only the author of a model knows values of a parameter: a text, a path or a file, or a group
/// with one.
pub(crate) fn is_for_author(param: &'static View<ParamDesc>) -> bool {
    match param.kind() {
        Some(
            ParamKind::Text
            | ParamKind::Words
            | ParamKind::Path
            | ParamKind::File
            | ParamKind::BinaryFile
            | ParamKind::BinaryFiles,
        ) => true,
        Some(ParamKind::Group | ParamKind::List) => param.children().iter().any(is_for_author),
        _ => false,
    }
}

/// Returns whether a parameter is required, and only its author knows values of it.
pub(crate) fn is_missing(param: &'static View<ParamDesc>) -> bool {
    let is_required = param.flags & param_flag::REQUIRED != 0;
    let is_group = param.kind() == Some(ParamKind::Group);
    is_required && is_for_author(param) || is_group && param.children().iter().any(is_missing)
}

fn drawn(param: &'static View<ParamDesc>, random: &mut Random) -> ParamValue {
    match param.kind() {
        Some(ParamKind::Number) => ParamValue::Number(number(param, random) * param.scale),
        Some(ParamKind::Integer) => ParamValue::Number(whole(param, random) * param.scale),
        Some(ParamKind::Bool) => ParamValue::Bool(random.bits() & 1 == 1),
        Some(ParamKind::Choice) => {
            let mut choices = param.choices();
            let choice = choices.nth(random.bits() as usize % choices.len());
            ParamValue::Text(choice.unwrap_or_default().to_owned())
        }
        Some(ParamKind::List) if param.children().is_empty() => list(param, random),
        Some(ParamKind::List) => {
            let count = random.bits() % 4;
            let part = |_| ParamValue::Items(drawn_all(param.children(), random));
            ParamValue::Items((0..count).map(part).collect())
        }
        Some(ParamKind::Group) => ParamValue::Items(drawn_all(param.children(), random)),
        // a text has a meaning that only its author knows, and a path has to exist
        _ if param.default.tag != value_tag::NONE => ParamValue::default_of(param),
        Some(ParamKind::Words | ParamKind::BinaryFiles) => ParamValue::Items(Vec::new()),
        _ if param.flags & param_flag::REQUIRED != 0 => ParamValue::Text("text".into()),
        _ => ParamValue::None,
    }
}

/// Draws a number within the bounds of a parameter, in the unit of the model.
pub(crate) fn within(param: &'static View<ParamDesc>, random: &mut Random) -> ParamValue {
    ParamValue::Number(number(param, random) * param.scale)
}

fn list(param: &'static View<ParamDesc>, random: &mut Random) -> ParamValue {
    let count = match param.count {
        0 => random.bits() % 8,
        count => u64::from(count),
    };
    let item = |_| ParamValue::Number(number(param, random) * param.scale);
    ParamValue::Items((0..count).map(item).collect())
}

/// Draws a number in the unit of the world file, of the magnitude of the default where there is no
/// bound.
fn number(param: &'static View<ParamDesc>, random: &mut Random) -> f64 {
    let size = 10.0 * param.default.number.abs().max(0.1);
    let low = if param.min.is_finite() { param.min } else { param.max.min(0.0) - size };
    let high = if param.max.is_finite() { param.max } else { low.max(0.0) + size };
    let inside = low + (high - low) * (0.001 + 0.998 * random.uniform());
    match random.bits() % 6 {
        0 if param.flags & param_flag::ABOVE_MIN == 0 && param.min.is_finite() => low,
        1 if param.flags & param_flag::BELOW_MAX == 0 && param.max.is_finite() => high,
        _ => inside,
    }
}

fn whole(param: &'static View<ParamDesc>, random: &mut Random) -> f64 {
    let low = if param.min.is_finite() { param.min } else { -MANY };
    let most = low.max(param.default.number) + MANY;
    let high = if random.bits().is_multiple_of(16) {
        param.max.min(low + 1e5)
    } else {
        param.max.min(most)
    };
    (low + (high - low) * random.uniform()).round()
}

/// Formats parameters as in a world file, for a message.
pub(crate) fn listed(model: &'static View<Model>, values: &[ParamValue]) -> String {
    let given =
        params(model).iter().zip(values).filter(|(param, value)| default(param, 1) != **value);
    let given = given.map(|(param, value)| format!("{}={}", param.key(), shown(param, value)));
    let given: Vec<String> = given.collect();
    if given.is_empty() { "all parameters at their defaults".into() } else { given.join(" ") }
}

fn shown(param: &'static View<ParamDesc>, value: &ParamValue) -> String {
    match value {
        ParamValue::None => "(none)".into(),
        ParamValue::Number(number) => (number / param.scale).to_string(),
        ParamValue::Bool(value) => value.to_string(),
        ParamValue::Text(text) => format!("{text:?}"),
        ParamValue::Items(items) => {
            let items: Vec<String> = items.iter().map(|item| shown(param, item)).collect();
            format!("({})", items.join(" "))
        }
        ParamValue::Bytes(bytes) => format!("({} bytes)", bytes.len()),
    }
}

/// Returns a constant of a vehicle, from toys to trucks, which all inputs of this name have; `None` for other inputs,
/// and for vehicle 0.
pub(crate) fn constant(port: &'static View<PortDesc>, vehicle: u64) -> Option<f64> {
    if vehicle == 0 {
        return None;
    }
    // the size of the vehicle, relative to one of 50 kg
    let size = 10.0_f64.powf(3.0 * Random::new(vehicle).uniform() - 1.0);
    let name = port.name().bytes().fold(0, |sum: u64, byte| sum * 31 + u64::from(byte));
    let share = 0.5 + Random::new(key(vehicle, &[name])).uniform();
    let length = size.cbrt() * share;
    match (port.name(), port.unit()) {
        ("x" | "y" | "z" | "range", _) => None,
        ("radius" | "wheel_radius", _) => Some(RADIUS * length),
        ("centre_x" | "centre_y", _) => Some(0.1 * (length - size.cbrt())),
        (_, "kg") => Some(50.0 * size * share),
        (_, "kg·m²") => Some(5.0 * size * length * length),
        (_, "m") => Some(0.7 * length),
        _ => None,
    }
}

/// Draws a plausible value of an input from its name and unit.
pub(crate) fn input(port: &'static View<PortDesc>, random: &mut Random) -> f64 {
    let mut within = |low: f64, high: f64| low + (high - low) * random.uniform();
    match port.name() {
        "gravity" => 9.81,
        "radius" | "wheel_radius" => RADIUS,
        "normal_force" => within(5.0, 150.0),
        "inertia" | "yaw_inertia" => {
            within(0.5, 2.0) * if port.name() == "inertia" { 0.05 } else { 2.0 }
        }
        "mu_override" | "c_rr_override" | "coupling" => port.default,
        "range" => match within(0.0, 1.0) {
            far if far > 0.9 => f64::INFINITY,
            near => 0.1 + 20.0 * near,
        },
        "cos_incidence" | "reflectivity" | "red" | "green" | "blue" => within(0.0, 1.0),
        "entity" | "class" => within(0.0, 20.0).floor(),
        "max_steer" => 0.6,
        "enabled" => port.default,
        "sample_period" => within(0.01, 1.0),
        "centre_x" | "centre_y" => within(-0.1, 0.1),
        "slope_ax" | "slope_ay" => within(-2.0, 2.0),
        "pitch" | "roll" => within(-0.1, 0.1),
        "x" | "y" => within(-10.0, 10.0),
        _ => by_unit(port, within),
    }
}

fn by_unit(port: &'static View<PortDesc>, mut within: impl FnMut(f64, f64) -> f64) -> f64 {
    match port.unit() {
        "m/s" => within(-3.0, 3.0),
        "rad/s" => within(-10.0, 10.0),
        "rad" => within(-0.5, 0.5),
        "N·m" => within(-20.0, 20.0),
        "N" => within(-30.0, 30.0),
        "m" => within(0.2, 1.5),
        "kg" => within(10.0, 100.0),
        "kg·m²" => within(0.5, 10.0),
        "m/s²" => within(-2.0, 2.0),
        _ => port.default,
    }
}
