//! Tests of sensors.

use simhost_abi::{ParamKind, Scope, model_flag};

use crate::case::Case;
use crate::draw;
use crate::instance::{Outcome, fail, skip};
use crate::process::compare_trace;
use crate::rig::{DT, Rig, When, outputs};
use crate::surroundings::Surroundings;

/// A value that no sensor returns.
const UNWRITTEN: f64 = -7.25e77;

/// Returns the rig of a sensor with readings.
fn measuring(case: &Case) -> Outcome<Rig> {
    let rig = case.rig(2)?;
    match rig.phase("read") {
        Some(read) if !rig.phases[read].outputs.is_empty() => Ok(rig),
        _ => skip("the sensor has no readings"),
    }
}

/// `sensor-rate`
pub(crate) fn rate(case: &Case) -> Outcome {
    let mut rig = measuring(case)?;
    let read = rig.phase("read").map(|phase| &rig.phases[phase]);
    let mut readings = read.into_iter().flat_map(|bound| outputs(bound.phase));
    let per_ray = readings.find(|port| port.scope == Scope::Ray as u32);
    if let Some(port) = per_ray.filter(|_| rig.shape.rays == 0) {
        let name = port.name();
        return fail(format!(
            "it casts no rays with its defaults, though `{name}` has one value per ray"
        ));
    }
    for step in 0..20 {
        for bound in &mut rig.phases {
            bound.outputs.iter_mut().for_each(|column| column.fill(UNWRITTEN));
        }
        // samples come at the rate of the world file
        let when = When { step: step * (1 + step % 3), dt: DT };
        rig.sound(when)?;
        for bound in &rig.phases {
            for (port, column) in outputs(bound.phase).iter().zip(&bound.outputs) {
                if column.contains(&UNWRITTEN) {
                    return fail(format!(
                        "sample {} has no `{}`: the call left it as it was",
                        step + 1,
                        port.name()
                    ));
                }
            }
        }
        let rays = rig.instance.rays();
        if rays != rig.shape.rays {
            return fail(format!("it had {} rays, and {rays} after a sample", rig.shape.rays));
        }
    }
    Ok(())
}

/// `sensor-seed`
pub(crate) fn seed(case: &Case) -> Outcome {
    // a sensor of the position on Earth has readings with noise only if the host knows it, and one that
    // perceives only if something is there
    let perceives = case.model.flags & model_flag::PERCEIVES != 0;
    let surroundings = if perceives { Surroundings::Crowded } else { Surroundings::Empty };
    let located = || -> Outcome<Rig> { Ok(Rig { surroundings, ..measuring(case)? }) };
    let first = located()?.trace(0..3)?;
    compare_trace(&first, &located()?.trace(0..3)?, "with the same seed")?;
    let mut other = located()?;
    let mut bits = Vec::new();
    for step in 0..3 {
        other.fill(step);
        other.streams.iter_mut().for_each(|stream| *stream ^= 0x5EED);
        let when = When { step, dt: DT };
        let result = other.phases_of_step(when);
        result.or_else(|fault| other.blame(&fault, when))?;
        bits.extend(other.bits());
    }
    match noise(case) {
        Some(key) if bits == first => fail(format!(
            "another seed gives the same readings, though `{key}` says that there is noise"
        )),
        _ => Ok(()),
    }
}

/// Returns a parameter that enables noise, unless another one has turned all noise off.
fn noise(case: &Case) -> Option<&'static str> {
    let mut params = draw::params(case.model).iter();
    let is_off = params.clone().any(|param| {
        let boolean = param.kind == ParamKind::Bool as u32;
        boolean && param.key().contains("noise") && param.default.number == 0.0
    });
    if is_off {
        return None;
    }
    let noisy = params.find(|param| {
        let number = param.kind == ParamKind::Number as u32;
        number && param.key().contains("noise") && param.default.number > 0.0
    });
    noisy.map(|param| param.key())
}
