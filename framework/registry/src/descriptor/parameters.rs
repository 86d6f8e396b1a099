//! The rules for parameters.

use simhost_abi::{ParamDesc, ParamKind, Value, param_flag, value_tag};

use super::names;
use super::reading::{Reader, once};

/// Deepest nesting of groups, which bounds a group that contains itself.
const MAX_DEPTH: usize = 16;

/// Common part of all errors about defaults.
pub(super) const DEFAULT: &str = ": its default ";

/// Checks the parameters of a model or of a group.
pub(super) fn check_parameters(
    read: Reader<'_>,
    params: &'static [ParamDesc],
    depth: usize,
) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err(format!(
            "its groups of parameters are nested more than {MAX_DEPTH} levels deep"
        ));
    }
    let mut keys = Vec::new();
    for param in params {
        let key = names::key(read, "the name of a parameter", param.key)?;
        keys.push(key);
        for alias in read.items(&format!("the aliases of parameter '{key}'"), param.aliases)? {
            keys.push(names::key(read, &format!("an alias of parameter '{key}'"), *alias)?);
        }
        check_parameter(read, param, depth).map_err(|what| format!("parameter '{key}': {what}"))?;
    }
    once("parameter", keys)
}

fn check_parameter(
    read: Reader<'_>,
    param: &'static ParamDesc,
    depth: usize,
) -> Result<(), String> {
    if param.size as usize != size_of::<ParamDesc>() {
        return Err(format!("it has {} bytes, expected {}", param.size, size_of::<ParamDesc>()));
    }
    read.text("its description", param.doc)?;
    read.text("its unit", param.unit)?;
    check_per_lane(param, depth)?;
    let kind = ParamKind::from_u32(param.kind)
        .ok_or_else(|| format!("its kind is {}, expected 1 to 12", param.kind))?;
    if matches!(kind, ParamKind::Number | ParamKind::Integer | ParamKind::List) {
        check_range(param)?;
    }
    let choices = read.items("its choices", param.choices)?;
    if kind == ParamKind::Choice && choices.is_empty() {
        return Err("it is a choice without names".into());
    }
    let choices = choices.iter().map(|choice| read.name("a choice", *choice));
    let choices = choices.collect::<Result<Vec<_>, _>>()?;
    check_default(read, kind, param, &choices)?;
    once("choice", choices)?;
    check_parameters(read, read.items("its parts", param.children)?, depth + 1)
}

/// Checks a parameter that can differ between lanes.
fn check_per_lane(param: &ParamDesc, depth: usize) -> Result<(), String> {
    if param.flags & param_flag::PER_LANE == 0 {
        return Ok(());
    }
    if param.kind != ParamKind::Number as u32 {
        return Err("only a number can differ between lanes: its kind is not a number".into());
    }
    if depth > 0 {
        return Err(
            "it differs between lanes, but it is a part of a group, expected a parameter of \
                    the model itself"
                .into(),
        );
    }
    if param.default.tag == value_tag::NONE && param.flags & param_flag::REQUIRED == 0 {
        return Err("it differs between lanes, so it needs a default or has to be required".into());
    }
    Ok(())
}

fn check_range(param: &ParamDesc) -> Result<(), String> {
    let (min, max) = (param.min, param.max);
    if min.is_nan() || max.is_nan() || min > max {
        return Err(format!("its smallest value is {min}, its greatest {max}: the range is empty"));
    }
    if !param.scale.is_finite() || param.scale == 0.0 {
        return Err(format!("its scale is {}, expected a number other than 0", param.scale));
    }
    Ok(())
}

fn check_default(
    read: Reader<'_>,
    kind: ParamKind,
    param: &ParamDesc,
    choices: &[&str],
) -> Result<(), String> {
    let default = &param.default;
    if default.tag == value_tag::NONE {
        return Ok(());
    }
    let (expected, what) = match kind {
        ParamKind::Number | ParamKind::Integer => (value_tag::NUMBER, "a number"),
        ParamKind::Bool => (value_tag::BOOL, "a boolean"),
        ParamKind::Text
        | ParamKind::Choice
        | ParamKind::Path
        | ParamKind::File
        | ParamKind::BinaryFile => (value_tag::TEXT, "a text"),
        ParamKind::List | ParamKind::Group | ParamKind::Words | ParamKind::BinaryFiles => {
            (value_tag::ITEMS, "a list")
        }
    };
    if default.tag != expected {
        return Err(format!(
            "its default has the tag {}, expected {expected}: {what}",
            default.tag
        ));
    }
    match kind {
        ParamKind::Number => in_range(param, default.number),
        ParamKind::Integer if default.number.fract() != 0.0 => {
            Err(format!("its default is {}, expected an integer", default.number))
        }
        ParamKind::Integer => in_range(param, default.number),
        ParamKind::List => check_list(param, read.items("its default", default.items)?),
        ParamKind::Choice => match read.text("its default", default.text)? {
            word if choices.contains(&word) => Ok(()),
            word => Err(format!("its default is '{word}', expected one of {}", choices.join(", "))),
        },
        _ => read.text("its default", default.text).map(drop),
    }
}

fn check_list(param: &ParamDesc, list: &[Value]) -> Result<(), String> {
    let count = param.count as usize;
    if count != 0 && list.len() != count {
        return Err(format!("its default has {} numbers, expected {count}", list.len()));
    }
    list.iter()
        .filter(|item| item.tag == value_tag::NUMBER)
        .try_for_each(|item| in_range(param, item.number))
}

fn in_range(param: &ParamDesc, value: f64) -> Result<(), String> {
    let open = |flag| param.flags & flag != 0;
    let (above, below) = (open(param_flag::ABOVE_MIN), open(param_flag::BELOW_MAX));
    let too_small = if above { value <= param.min } else { value < param.min };
    let too_large = if below { value >= param.max } else { value > param.max };
    if value.is_nan() || too_small || too_large {
        let least = if above { "more than" } else { "at least" };
        let most = if below { "less than" } else { "at most" };
        return Err(format!(
            "its default is {value}, expected {least} {} and {most} {}",
            param.min, param.max
        ));
    }
    Ok(())
}
