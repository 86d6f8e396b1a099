//! Functions of `$f{…}`. All of them come from `libm`, so that results do not depend on the
//! platform.

use super::{Names, truth};

/// Calls a function. Names come from MVSim's expression library and are not case-sensitive.
///
/// # Errors
/// The function is unknown, or the number of arguments is wrong.
pub(super) fn call(name: &str, arguments: &[f64], names: &mut dyn Names) -> Result<f64, String> {
    let lower = name.to_ascii_lowercase();
    let value = match arguments {
        [] => nullary(&lower, names),
        [x] => unary(&lower, *x).or_else(|| randomize(&lower, *x, names)),
        [x, y] => binary(&lower, *x, *y).or_else(|| uniform(&lower, *x, *y, names)),
        [x, y, z] => ternary(&lower, *x, *y, *z),
        _ => None,
    };
    let value = value.or_else(|| variadic(&lower, arguments));
    value.ok_or_else(|| match arity(&lower) {
        Some(count) => format!("`{name}` takes {count} arguments, found {}", arguments.len()),
        None => format!("unknown function `{name}`"),
    })
}

fn nullary(name: &str, names: &mut dyn Names) -> Option<f64> {
    match name {
        "rand" => Some(names.draw().uniform()),
        "randn" => Some(names.draw().normal()),
        _ => None,
    }
}

/// Mixes a seed into all later draws and returns 0.
fn randomize(name: &str, seed: f64, names: &mut dyn Names) -> Option<f64> {
    (name == "randomize").then(|| names.randomize(seed)).map(|()| 0.0)
}

fn uniform(name: &str, x: f64, y: f64, names: &mut dyn Names) -> Option<f64> {
    (name == "unifrnd").then(|| x + (y - x) * names.draw().uniform())
}

fn unary(name: &str, x: f64) -> Option<f64> {
    Some(match name {
        "abs" => x.abs(),
        "ceil" => libm::ceil(x),
        "floor" => libm::floor(x),
        "round" => libm::round(x),
        "trunc" => libm::trunc(x),
        "frac" => x - libm::trunc(x),
        "sgn" => truth(x > 0.0) - truth(x < 0.0),
        "neg" => -x,
        "pos" => x,
        "deg2rad" => x.to_radians(),
        "rad2deg" => x.to_degrees(),
        "deg2grad" => x * 10.0 / 9.0,
        "grad2deg" => x * 0.9,
        _ => return transcendental(name, x),
    })
}

fn transcendental(name: &str, x: f64) -> Option<f64> {
    Some(match name {
        "sin" => libm::sin(x),
        "cos" => libm::cos(x),
        "tan" => libm::tan(x),
        "sec" => 1.0 / libm::cos(x),
        "csc" => 1.0 / libm::sin(x),
        "cot" => 1.0 / libm::tan(x),
        "sinc" => {
            if x == 0.0 {
                1.0
            } else {
                libm::sin(x) / x
            }
        }
        "asin" => libm::asin(x),
        "acos" => libm::acos(x),
        "atan" => libm::atan(x),
        "sinh" => libm::sinh(x),
        "cosh" => libm::cosh(x),
        "tanh" => libm::tanh(x),
        "asinh" => libm::asinh(x),
        "acosh" => libm::acosh(x),
        "atanh" => libm::atanh(x),
        "sqrt" => libm::sqrt(x),
        "exp" => libm::exp(x),
        "expm1" => libm::expm1(x),
        "log" => libm::log(x),
        "log10" => libm::log10(x),
        "log1p" => libm::log1p(x),
        "log2" => libm::log2(x),
        "erf" => libm::erf(x),
        "erfc" => libm::erfc(x),
        "ncdf" => libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0,
        _ => return None,
    })
}

fn binary(name: &str, x: f64, y: f64) -> Option<f64> {
    Some(match name {
        "atan2" => libm::atan2(x, y),
        "pow" => libm::pow(x, y),
        "hypot" => libm::hypot(x, y),
        "mod" => libm::fmod(x, y),
        "logn" => libm::log(x) / libm::log(y),
        "root" => libm::pow(x, 1.0 / y),
        "roundn" => {
            let scale = libm::pow(10.0, libm::trunc(y));
            libm::round(x * scale) / scale
        }
        "equal" => truth(x == y),
        "not_equal" => truth(x != y),
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
        // lower bound, value, upper bound
        "clamp" => y.max(x).min(z),
        "inrange" => truth(x <= y && y <= z),
        // a value within the range is moved to the nearer bound
        "iclamp" => {
            if y <= x || y >= z {
                y
            } else if 2.0 * y <= x + z {
                x
            } else {
                z
            }
        }
        _ => return None,
    })
}

fn variadic(name: &str, values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    match name {
        "min" => values.iter().copied().reduce(f64::min),
        "max" => values.iter().copied().reduce(f64::max),
        "sum" => Some(values.iter().sum()),
        "mul" => Some(values.iter().product()),
        "avg" => Some(values.iter().sum::<f64>() / values.len() as f64),
        "mand" => Some(truth(values.iter().all(|value| *value != 0.0))),
        "mor" => Some(truth(values.iter().any(|value| *value != 0.0))),
        _ => None,
    }
}

/// Returns the number of arguments of a known function.
fn arity(name: &str) -> Option<&'static str> {
    if matches!(name, "rand" | "randn") {
        Some("0")
    } else if name == "randomize" || unary(name, 0.5).is_some() {
        Some("1")
    } else if name == "unifrnd" || binary(name, 1.0, 1.0).is_some() {
        Some("2")
    } else if ternary(name, 0.0, 0.0, 0.0).is_some() {
        Some("3")
    } else {
        variadic(name, &[0.0]).map(|_| "one or more")
    }
}
