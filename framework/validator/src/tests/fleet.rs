//! Tests of fleets.

use std::sync::Arc;

use simhost_abi::{PortDesc, port_flag};
use simhost_model::View;
use simhost_sdk::Random;

use crate::case::Case;
use crate::instance::{Instance, Outcome, fail_for, of_seed};
use crate::rig::{DT, Rig, When, inputs, key, outputs};
use crate::tests::controller::{for_each_limit, unit};
use crate::tests::held::halving;

/// Numbers of vehicles.
const SIZES: [usize; 4] = [1, 2, 3, 40];
/// Distances from the origin, m, speeds, m/s, and yaw rates, rad/s.
const EXTREMES: [f64; 5] = [0.0, 1.0, -1.0, 1e6, -1e6];
/// Number of steps of a case.
const STEPS: u64 = 20;

/// A way in which the vehicles of a fleet stand.
#[derive(Clone, Copy)]
enum Scene {
    /// All at the origin, at rest, with the same heading.
    Together,
    /// Far away and fast, some in the same place.
    Extreme,
    /// As [`Self::Extreme`], and not enabled except the first one.
    Disabled,
}

impl Scene {
    const ALL: [Self; 3] = [Self::Together, Self::Extreme, Self::Disabled];

    fn words(self) -> &'static str {
        match self {
            Self::Together => "at rest in one place",
            Self::Extreme => "up to 1000 km apart",
            Self::Disabled => "of which only the first one is enabled",
        }
    }
}

/// Fills the inputs of a step.
fn fill(rig: &mut Rig, scene: Scene, step: u64) {
    rig.fill(step);
    let seed = rig.seed;
    let Some(phase) = rig.phase("command") else { return };
    let bound = &mut rig.phases[phase];
    for (place, (port, column)) in inputs(bound.phase).iter().zip(&mut bound.inputs).enumerate() {
        let moves = matches!(port.name(), "x" | "y" | "z" | "vx" | "vy" | "omega");
        for (lane, value) in column.iter_mut().enumerate() {
            let mut random = Random::new(key(seed, &[step / 4, place as u64, lane as u64]));
            match (scene, port.name()) {
                (Scene::Disabled, "enabled") => *value = f64::from(u8::from(lane == 0)),
                (Scene::Together, name) if moves || name == "yaw" => *value = 0.0,
                (Scene::Extreme | Scene::Disabled, _) if moves => {
                    *value = EXTREMES[random.bits() as usize % EXTREMES.len()];
                }
                _ => {}
            }
        }
    }
}

/// Runs fleets of all sizes in all scenes, and checks each step.
fn drive(
    case: &Case,
    instance: &Arc<Instance>,
    look: impl Fn(&Rig, Scene, When) -> Outcome,
) -> Outcome {
    for seed in case.seeds() {
        for (size, scene) in SIZES.iter().flat_map(|size| Scene::ALL.map(|scene| (*size, scene))) {
            let mut rig = Rig::new(instance, size, seed)?;
            for step in 0..STEPS {
                fill(&mut rig, scene, step);
                let when = When { step, dt: DT };
                let result = rig.phases_of_step(when);
                let looked = result.or_else(|fault| rig.blame(&fault, when));
                of_seed(seed, looked.and_then(|()| look(&rig, scene, when)))?;
            }
        }
    }
    Ok(())
}

/// `fleet-finite`
pub(crate) fn finite(case: &Case) -> Outcome {
    drive(case, &case.instance()?, |rig, scene, when| match rig.first_not_finite() {
        None => Ok(()),
        Some((what, lane, value)) => {
            let (count, words) = (rig.lanes, scene.words());
            let noun = if count == 1 { "vehicle" } else { "vehicles" };
            let what = format!("{what} is {value} with {count} {noun} {words}");
            fail_for(what, rig.inputs_of(lane, when))
        }
    })
}

/// `fleet-halving-dt`
pub(crate) fn halving_dt(case: &Case) -> Outcome {
    halving(case, "command", 3, |rig, _| {
        rig.fill(0);
        true
    })
}

/// `fleet-saturation`
pub(crate) fn saturation(case: &Case) -> Outcome {
    for_each_limit(case, |instance, param, limit| {
        let is_command = |port: &&'static View<PortDesc>| {
            port.unit() == unit(param) && port.flags & port_flag::OPTIONAL == 0
        };
        let of_unit: Vec<&str> = instance
            .phases()
            .iter()
            .flat_map(outputs)
            .filter(is_command)
            .map(View::<PortDesc>::name)
            .collect();
        drive(case, instance, |rig, _, when| {
            for name in &of_unit {
                let values = rig.phase("command").and_then(|phase| rig.output(phase, name));
                let exceeds = |value: &f64| value.abs() > limit * (1.0 + 1e-9) || value.is_nan();
                let Some(values) = values else { continue };
                if let Some(lane) = values.iter().position(exceeds) {
                    let (value, unit, key) = (values[lane], unit(param), param.key());
                    let what = format!("output {name} is {value} {unit}, though {key} is {limit}");
                    return fail_for(what, rig.inputs_of(lane, when));
                }
            }
            Ok(())
        })?;
        Ok(!of_unit.is_empty())
    })
}
