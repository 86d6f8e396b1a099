//! The largest force of a friction model.

use simhost_abi::{ParamDesc, ParamKind};
use simhost_model::View;
use simhost_sdk::Random;

use super::{LOAD, Motion, Wheel, motion};
use crate::case::Case;
use crate::draw;
use crate::draw::RADIUS;
use crate::instance::{Outcome, fail_for, of_seed};

/// Largest force per normal load of a model without a friction coefficient.
const MOST_GRIP: f64 = 5.0;

/// Returns the default friction coefficient, if the model declares one.
fn declared_mu(case: &Case) -> Option<f64> {
    let params = draw::params(case.model);
    let mut named = params.iter().filter(|param| {
        let key = param.key().to_lowercase();
        let number = param.kind == ParamKind::Number as u32;
        number && (key == "mu" || key.starts_with("mu_") || key.starts_with("friction_coeff"))
    });
    let first = named.next()?.default.number;
    Some(named.map(|param| param.default.number).fold(first, f64::max))
}

/// A resistance that grows with the speed, which adds to the force that friction allows.
#[derive(Clone, Copy, Debug)]
enum Resistance {
    /// Force per speed, N·s/m.
    Linear(f64),
    /// Force per squared speed, N·s²/m².
    Quadratic(f64),
    /// Force per normal load and speed, s/m.
    OfLoad(f64),
    /// Torque about the axle per spin, N·m·s/rad.
    OfSpin(f64),
}

impl Resistance {
    /// Returns the resistance that a parameter declares by its unit, with its default.
    fn of(param: &'static View<ParamDesc>) -> Option<Self> {
        let value = param.default.number.abs() * param.scale;
        let unit = param.unit().replace([' ', '*'], "·").replace("^2", "²");
        let number = param.kind == ParamKind::Number as u32;
        Some(match unit.as_str() {
            _ if !number => return None,
            "N·s/m" | "Ns/m" | "N/(m/s)" | "kg/s" => Self::Linear(value),
            "N·s²/m²" | "Ns²/m²" | "N/(m/s)²" | "kg/m" => Self::Quadratic(value),
            "s/m" | "1/(m/s)" => Self::OfLoad(value),
            "N·m·s/rad" | "N·m·s" | "Nms/rad" | "N·m/(rad/s)" => Self::OfSpin(value),
            _ => return None,
        })
    }

    /// Returns the largest force, N, against a speed.
    fn at(self, speed: f64) -> f64 {
        match self {
            Self::Linear(factor) => factor * speed.abs(),
            Self::Quadratic(factor) => factor * speed * speed,
            Self::OfLoad(factor) => factor * LOAD * speed.abs(),
            Self::OfSpin(factor) => factor * speed.abs() / (RADIUS * RADIUS),
        }
    }
}

/// Returns the force, N, by which a component may exceed the limit of friction: the force of the
/// declared resistances at the fastest of the speeds that it opposes.
fn excess(resistances: &[Resistance], force: f64, speeds: &[f64]) -> f64 {
    let opposed = speeds.iter().filter(|speed| force * **speed < 0.0);
    let at = |speed: &f64| resistances.iter().map(|one| one.at(*speed)).sum::<f64>();
    opposed.map(at).fold(0.0, f64::max)
}

/// `friction-limit`
pub(crate) fn limit(case: &Case) -> Outcome {
    let mu = declared_mu(case);
    let most = mu.unwrap_or(MOST_GRIP) * LOAD;
    let params = draw::params(case.model).iter();
    let resistances: Vec<Resistance> = params.filter_map(Resistance::of).collect();
    let mut wheel = Wheel::new(case)?;
    for seed in case.seeds() {
        let Motion { vx, vy, spin } = motion(&mut Random::new(seed));
        for factor in [0.01, 1.0, 30.0] {
            let moving = Motion { vx: factor * vx, vy: factor * vy, spin: factor * spin };
            let [fx, fy] = wheel.force(moving)?;
            let rolling = moving.spin * RADIUS;
            let along = excess(&resistances, fx, &[moving.vx, rolling, moving.vx - rolling]);
            let aside = excess(&resistances, fy, &[moving.vy]);
            let exceeds = |force: f64, more: f64| force.abs() > (most + more) * (1.0 + 1e-9);
            if exceeds(fx, along) || exceeds(fy, aside) || fx.is_nan() || fy.is_nan() {
                let why = match mu {
                    Some(mu) => format!("mu = {mu} at a load of {LOAD} N allows {most} N"),
                    None => format!("expected at most {MOST_GRIP} times the normal load, {most} N"),
                };
                let more = match resistances.len() {
                    0 => String::new(),
                    _ => format!(", and its viscous parameters allow ({along}, {aside}) N more"),
                };
                let what = format!("the force is ({fx}, {fy}) N: {why}{more}");
                return of_seed(seed, fail_for(what, wheel.given()));
            }
        }
    }
    Ok(())
}
