//! Tests of environments.

use simhost_abi::{StateKind, model_flag};

use crate::case::Case;
use crate::instance::{Outcome, fail, fail_for, of_seed, skip};
use crate::rig::{DT, Rig, When, slots};

/// Number of points.
const LANES: usize = 6;
/// Number of steps.
const STEPS: u64 = 20;
/// Number of the longest steps over which states are compared.
const LONG_STEPS: u64 = 200;
/// Part of the range of a state by which it can differ because an event falls into another step.
const EVENT: f64 = 0.1;

/// Largest values of the outputs: name, and value in the unit of the port.
const LARGEST: [(&str, f64); 6] = [
    ("wind_x", 340.0),
    ("wind_y", 340.0),
    ("wind_z", 340.0),
    ("mu", 5.0),
    ("c_rr", 1.0),
    ("gravity", 1000.0),
];

/// Calls `check` after each call of a phase, with the states before it.
fn step_by_step(
    case: &Case,
    mut check: impl FnMut(&Rig, usize, &[Vec<f64>], When) -> Outcome,
) -> Outcome {
    let instance = case.instance()?;
    for seed in case.seeds().take(5) {
        let mut rig = Rig::new(&instance, LANES, seed)?;
        for step in 0..STEPS {
            // far apart, so that weather that comes later has its turn
            let when = When { step: step * 400, dt: DT };
            rig.fill(step);
            for phase in 0..rig.phases.len() {
                let before = rig.states.clone();
                let result = rig.call(phase, 0..LANES, when);
                result.or_else(|fault| rig.blame(&fault, when))?;
                of_seed(seed, check(&rig, phase, &before, when))?;
            }
        }
    }
    Ok(())
}

/// `environment-state`
pub(crate) fn state(case: &Case) -> Outcome {
    step_by_step(case, |rig, phase, before, when| {
        let id = rig.phases[phase].phase.id();
        if id == "update" {
            return Ok(());
        }
        let slots = slots(&rig.instance).iter().zip(&rig.states).zip(before);
        let bits = |column: &[f64]| column.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        let mut changed = slots.filter(|((_, now), before)| bits(now) != bits(before));
        match changed.next() {
            None => Ok(()),
            Some(((slot, now), before)) => {
                let what = format!(
                    "`{id}` changes state `{}` from {} to {}",
                    slot.name(),
                    before[0],
                    now[0]
                );
                fail_for(what, rig.inputs_of(0, when))
            }
        }
    })
}

/// `environment-range`
pub(crate) fn range(case: &Case) -> Outcome {
    step_by_step(case, |rig, phase, _, when| {
        let id = rig.phases[phase].phase.id();
        for (name, largest) in LARGEST {
            let values = rig.output(phase, name).unwrap_or_default();
            // a negative wind has a direction, other negative values are none
            let is_wind = id == "wind";
            let size = |value: f64| if is_wind { value.abs() } else { value };
            if let Some(lane) = values.iter().position(|value| size(*value) > largest) {
                let what = format!("`{id}` returns {name} = {}", values[lane]);
                return fail_for(what, rig.inputs_of(lane, when));
            }
        }
        Ok(())
    })
}

/// `environment-halving-dt`
pub(crate) fn halving_dt(case: &Case) -> Outcome {
    let instance = case.instance()?;
    if instance.has_flag(model_flag::RANDOM) {
        return skip("its states are random");
    }
    let ends = [4, 2, 1].map(|parts| states_after(case, parts));
    let [whole, half, quarter] = ends;
    let (whole, half, quarter) = (whole?, half?, quarter?);
    for (place, slot) in slots(&instance).iter().enumerate() {
        if slot.kind != StateKind::Continuous as u32 {
            continue;
        }
        let [(whole, span), (half, _), (quarter, _)] = [whole[place], half[place], quarter[place]];
        let (first, second) = ((whole - half).abs(), (half - quarter).abs());
        if second > first && second > EVENT * span {
            let (name, dt) = (slot.name(), DT);
            return fail(format!(
                "state `{name}` is {whole}, {half} and {quarter} after the same time in steps of {} s, \
                 {} s and {dt} s",
                4.0 * dt,
                2.0 * dt
            ));
        }
    }
    Ok(())
}

/// Returns the states, and how far each has moved, after steps of so many parts of [`DT`].
fn states_after(case: &Case, parts: u64) -> Outcome<Vec<(f64, f64)>> {
    let mut rig = case.rig(1)?;
    let Some(update) = rig.phase("update") else { return Ok(Vec::new()) };
    let start: Vec<f64> = rig.states.iter().map(|column| column[0]).collect();
    let mut spans = vec![0.0_f64; start.len()];
    for step in (0..4 * LONG_STEPS).step_by(parts as usize) {
        let when = When { step, dt: parts as f64 * DT };
        rig.fill(step);
        let result = rig.call(update, 0..1, when);
        result.or_else(|fault| rig.blame(&fault, when))?;
        for ((span, column), start) in spans.iter_mut().zip(&rig.states).zip(&start) {
            *span = span.max((column[0] - start).abs());
        }
    }
    Ok(rig.states.iter().map(|column| column[0]).zip(spans).collect())
}
