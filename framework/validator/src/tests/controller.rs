//! Tests of controllers.

use std::sync::Arc;

use simhost_abi::{ParamDesc, ParamKind, port_flag};
use simhost_model::{ParamValue, View};
use simhost_sdk::Random;

use crate::case::Case;
use crate::draw;
use crate::instance::{Instance, Outcome, fail_for, of_seed, skip};
use crate::rig::{DT, Rig, When, inputs, key, outputs};
use crate::tests::held::halving;

/// Setpoints and measurements beyond the range of any vehicle.
const EXTREMES: [f64; 7] = [0.0, 1.0, -1.0, 1e3, -1e3, 1e6, -1e6];

/// Fills the inputs with extreme values; parameters of the vehicle stay plausible.
fn fill(rig: &mut Rig, step: u64) {
    rig.fill(step);
    let seed = rig.seed;
    let Some(phase) = rig.phase("control") else { return };
    let bound = &mut rig.phases[phase];
    for (place, (port, column)) in inputs(bound.phase).iter().zip(&mut bound.inputs).enumerate() {
        let limit = port.name().starts_with("max_");
        if limit || !matches!(port.unit(), "m/s" | "rad/s" | "N·m" | "N") {
            continue;
        }
        // like a command, an extreme value lasts for some steps
        let mut random = Random::new(key(seed, &[step / 8, place as u64]));
        column.fill(EXTREMES[random.bits() as usize % EXTREMES.len()]);
    }
}

/// Sets everything that moves or is commanded to 0: a vehicle at rest at the origin, at its goal.
fn rest(rig: &mut Rig) {
    rig.fill(0);
    let Some(phase) = rig.phase("control") else { return };
    let bound = &mut rig.phases[phase];
    let pose = ["x", "y", "z", "yaw", "pitch", "roll"];
    for (port, column) in inputs(bound.phase).iter().zip(&mut bound.inputs) {
        let moves = matches!(port.unit(), "m/s" | "rad/s" | "N·m" | "N");
        if moves || pose.contains(&port.name()) || port.flags & port_flag::COMMAND != 0 {
            column.fill(0.0);
        }
    }
}

/// Runs steps with extreme values and checks each.
fn drive(rig: &mut Rig, look: impl Fn(&Rig, When) -> Outcome) -> Outcome {
    for step in 0..40 {
        fill(rig, step);
        let when = When { step, dt: DT };
        let result = rig.phases_of_step(when);
        result.or_else(|fault| rig.blame(&fault, when))?;
        look(rig, when)?;
    }
    Ok(())
}

/// `controller-finite`
pub(crate) fn finite(case: &Case) -> Outcome {
    let instance = case.instance()?;
    let mut rig = Rig::new(&instance, 1, case.seed)?;
    rest(&mut rig);
    let when = When { step: 0, dt: DT };
    rig.phases_of_step(when).or_else(|fault| rig.blame(&fault, when))?;
    if let Some((what, _, value)) = rig.first_not_finite() {
        return fail_for(format!("{what} is {value} at rest at the goal"), rig.inputs_of(0, when));
    }
    for seed in case.seeds() {
        let mut rig = Rig::new(&instance, 1, seed)?;
        let looked = drive(&mut rig, |rig, when| match rig.first_not_finite() {
            None => Ok(()),
            Some((what, _, value)) => {
                fail_for(format!("{what} is {value}"), rig.inputs_of(0, when))
            }
        });
        of_seed(seed, looked)?;
    }
    Ok(())
}

/// `controller-saturation`
pub(crate) fn saturation(case: &Case) -> Outcome {
    for_each_limit(case, |instance, param, limit| {
        let limited = limited_outputs(instance, param);
        if limited.is_empty() {
            return Ok(false);
        }
        for seed in case.seeds() {
            let mut rig = Rig::new(instance, 1, seed)?;
            of_seed(seed, drive(&mut rig, |rig, when| within(rig, when, param, limit, &limited)))?;
        }
        Ok(true)
    })
}

/// `controller-halving-dt`
pub(crate) fn halving_dt(case: &Case) -> Outcome {
    halving(case, "control", 1, |rig, _| {
        rig.fill(0);
        true
    })
}

/// Examines an instance for each parameter `max_…`, which has a value that inputs exceed. `examine` returns
/// whether the parameter limits an output.
pub(super) fn for_each_limit(
    case: &Case,
    mut examine: impl FnMut(&Arc<Instance>, &'static View<ParamDesc>, f64) -> Outcome<bool>,
) -> Outcome {
    let params = draw::params(case.model);
    let mut limits = 0;
    for (place, param) in params.iter().enumerate().filter(|(_, param)| is_limit(param)) {
        let mut values = case.values();
        let limit = 5.0_f64.clamp(param.min, param.max) * param.scale;
        values[place] = ParamValue::Number(limit);
        let instance = Arc::new(Instance::accepted(&case.class, &values)?);
        limits += usize::from(examine(&instance, param, limit)?);
    }
    if limits == 0 {
        return skip("no parameter `max_…` has the unit of an output");
    }
    Ok(())
}

fn is_limit(param: &'static View<ParamDesc>) -> bool {
    param.kind == ParamKind::Number as u32 && param.key().starts_with("max_")
}

/// Returns the unit of the model's values.
pub(super) fn unit(param: &'static View<ParamDesc>) -> &'static str {
    match param.unit() {
        "deg" if param.scale != 1.0 => "rad",
        "deg/s" if param.scale != 1.0 => "rad/s",
        unit => unit,
    }
}

/// Returns the names of the outputs that a parameter limits: of those that have its unit, those that
/// begin with its name, `torque_left` for `max_torque`, or all if none does.
fn limited_outputs(instance: &Instance, param: &'static View<ParamDesc>) -> Vec<&'static str> {
    let all = instance.phases().iter().flat_map(outputs);
    let all = all.filter(|port| port.unit() == unit(param)).map(|port| port.name());
    let quantity = param.key().trim_start_matches("max_");
    let (named, others): (Vec<_>, Vec<_>) = all.partition(|name| name.starts_with(quantity));
    if named.is_empty() { others } else { named }
}

fn within(
    rig: &Rig,
    when: When,
    param: &'static View<ParamDesc>,
    limit: f64,
    limited: &[&str],
) -> Outcome {
    for bound in rig.phases.iter().filter(|bound| bound.phase.id() == "control") {
        for (port, column) in outputs(bound.phase).iter().zip(&bound.outputs) {
            let value = column[0];
            let is_limited = limited.contains(&port.name());
            if is_limited && (value.abs() > limit * (1.0 + 1e-9) || value.is_nan()) {
                let what = format!(
                    "output {} is {value} {}, though {} is {limit}",
                    port.name(),
                    port.unit(),
                    param.key()
                );
                return fail_for(what, rig.inputs_of(0, when));
            }
        }
    }
    Ok(())
}
