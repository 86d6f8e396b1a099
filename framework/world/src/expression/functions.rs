//! Functions of `$f{…}`, from one portable source so that a world means the same everywhere.

use super::{Draws, truth};

/// Calls a function.
pub(super) fn call(name: &str, arguments: &[f64], draws: &mut Draws) -> Result<f64, String> {
    let value = match arguments {
        [] => nullary(name, draws),
        [x] => unary(name, *x, draws),
        [x, y] => binary(name, *x, *y, draws),
        [x, y, z] => ternary(name, *x, *y, *z),
        _ => None,
    };
    let value = value.or_else(|| many(name, arguments));
    value.ok_or_else(|| match arity(name) {
        Some(count) => format!("`{name}` takes {count} values, not {}", arguments.len()),
        None => format!("unknown function `{name}`"),
    })
}

fn nullary(name: &str, draws: &mut Draws) -> Option<f64> {
    match name {
        "rand" => Some(draws.uniform()),
        "randn" => Some(draws.normal()),
        _ => None,
    }
}

fn unary(name: &str, x: f64, draws: &mut Draws) -> Option<f64> {
    Some(match name {
        "sin" => libm::sin(x),
        "cos" => libm::cos(x),
        "tan" => libm::tan(x),
        "asin" => libm::asin(x),
        "acos" => libm::acos(x),
        "atan" => libm::atan(x),
        "sinh" => libm::sinh(x),
        "cosh" => libm::cosh(x),
        "tanh" => libm::tanh(x),
        "sqrt" => libm::sqrt(x),
        "exp" => libm::exp(x),
        "log" => libm::log(x),
        "log10" => libm::log10(x),
        "log2" => libm::log2(x),
        "abs" => x.abs(),
        "ceil" => libm::ceil(x),
        "floor" => libm::floor(x),
        "round" => libm::round(x),
        "trunc" => libm::trunc(x),
        "frac" => x - libm::trunc(x),
        "sgn" => truth(x > 0.0) - truth(x < 0.0),
        "deg2rad" => x.to_radians(),
        "rad2deg" => x.to_degrees(),
        "randomize" => {
            draws.0 = x as i64 as u64;
            0.0
        }
        _ => return None,
    })
}

fn binary(name: &str, x: f64, y: f64, draws: &mut Draws) -> Option<f64> {
    Some(match name {
        "atan2" => libm::atan2(x, y),
        "pow" => libm::pow(x, y),
        "hypot" => libm::hypot(x, y),
        "mod" => libm::fmod(x, y),
        "unifrnd" => x + (y - x) * draws.uniform(),
        _ => return None,
    })
}

fn ternary(name: &str, x: f64, y: f64, z: f64) -> Option<f64> {
    Some(match name {
        "if" => {
            if x != 0.0 {
                y
            } else {
                z
            }
        }
        // low, value, high
        "clamp" => y.max(x).min(z),
        _ => return None,
    })
}

fn many(name: &str, values: &[f64]) -> Option<f64> {
    match name {
        "min" => values.iter().copied().reduce(f64::min),
        "max" => values.iter().copied().reduce(f64::max),
        "sum" => Some(values.iter().sum()),
        _ => None,
    }
}

/// How many values a known function takes.
fn arity(name: &str) -> Option<&'static str> {
    let mut unused = Draws(0);
    if nullary(name, &mut unused).is_some() {
        Some("0")
    } else if unary(name, 0.0, &mut unused).is_some() {
        Some("1")
    } else if binary(name, 0.0, 0.0, &mut unused).is_some() {
        Some("2")
    } else if ternary(name, 0.0, 0.0, 0.0).is_some() {
        Some("3")
    } else {
        many(name, &[0.0]).map(|_| "one or more")
    }
}
