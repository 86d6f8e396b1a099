//! Comparison of a vehicle with its mirror image.
//!
//! The signs of quantities of the host are known. A quantity of the model's own, such as the angle of a joint, has the
//! sign that its name says, or any other one with which all results agree.

use std::collections::BTreeMap;
use std::sync::Arc;

use simhost_abi::host_port::{
    DRIVE_OUTPUTS, MEASUREMENTS, MOTION_OUTPUTS, ODOMETRY, SPATIAL_OUTPUTS, WRENCH_OUTPUTS,
};
use simhost_abi::{PortDesc, model_flag};
use simhost_model::{RigPhase, View};
use simhost_sdk::testing::mirror as image;

use crate::case::Case;
use crate::instance::{Instance, Outcome, Stop, fail_for, of_seed, skip};
use crate::rig::{DT, Rig, When, inputs, outputs, slots};

/// Largest difference relative to the largest output. It is not 0 because some classes solve
/// iteratively over their wheels.
const DIFFERENCE: f64 = 0.02;

/// `dynamics-mirror`
pub(crate) fn mirror(case: &Case) -> Outcome {
    let instance = case.instance()?;
    if instance.has_flag(model_flag::RANDOM) {
        return skip("it draws random numbers");
    }
    let rig = Rig::new(&instance, 1, case.seed)?;
    let Some(partners) = partners(&rig) else {
        return skip("its wheels are not symmetric");
    };
    let (signs, outputs) = (Signs::of(&rig), unread_outputs(&rig));
    let first = compare_all(case, &instance, &partners, &signs, &mut Sided::default());
    if !matches!(first, Err(Stop::Fail(_))) {
        return first;
    }
    // names do not say how quantities of the model's own behave in a mirror, such as the angle of a joint
    let is_image = |signs: &Signs| {
        let mut sided = Sided::of(&outputs);
        compare_all(case, &instance, &partners, signs, &mut sided).is_ok()
    };
    if signs.others().iter().any(is_image) { Ok(()) } else { first }
}

/// Compares a vehicle with its mirror image in all random cases.
fn compare_all(
    case: &Case,
    instance: &Arc<Instance>,
    partners: &[usize],
    signs: &Signs,
    sided: &mut Sided,
) -> Outcome {
    for seed in case.seeds() {
        let mut rig = Rig::new(instance, 1, seed)?;
        rig.fill(0);
        let mut mirrored = Rig::new(instance, 1, seed)?;
        for (to, from) in mirrored.phases.iter_mut().zip(&rig.phases) {
            let ports = named(inputs(from.phase));
            to.inputs = reflect(&ports, &from.inputs, partners, signs);
        }
        mirrored.states = reflect(&named_states(&rig), &rig.states, partners, signs);
        for rig in [&mut rig, &mut mirrored] {
            let when = When { step: 0, dt: DT };
            let result = rig.phases_of_step(when);
            result.or_else(|fault| rig.blame(&fault, when))?;
        }
        for (one, other) in rig.phases.iter().zip(&mirrored.phases) {
            of_seed(seed, compare(&rig, [one, other], partners, signs, sided))?;
        }
    }
    Ok(())
}

fn compare(
    rig: &Rig,
    [one, other]: [&RigPhase; 2],
    partners: &[usize],
    signs: &Signs,
    sided: &mut Sided,
) -> Outcome {
    let ports = outputs(one.phase);
    let expected = reflect(&named(ports), &one.outputs, partners, signs);
    let all = expected.iter().flatten();
    let size = all.fold(0.0_f64, |most, value| most.max(value.abs()));
    let differ = |expected: f64, found: f64| (expected - found).abs() > DIFFERENCE * size + 1e-9;
    for ((port, expected), found) in ports.iter().zip(&expected).zip(&other.outputs) {
        let mut pairs = expected.iter().zip(found);
        if let Some(allowed) = sided.0.get_mut(port.name()) {
            allowed[0] &= !pairs.clone().any(|(expected, found)| differ(*expected, *found));
            allowed[1] &= !pairs.clone().any(|(expected, found)| differ(-expected, *found));
            if allowed.contains(&true) {
                continue;
            }
        }
        if let Some((expected, found)) = pairs.find(|(expected, found)| differ(**expected, **found))
        {
            let what = format!(
                "output {} of the mirrored vehicle is {found}, expected {expected}; {}",
                port.name(),
                image::rule(port.name())
            );
            return fail_for(what, rig.inputs_of(0, When { step: 0, dt: DT }));
        }
    }
    Ok(())
}

/// Largest number of quantities for which all combinations of signs are tried.
const MANY: usize = 10;

/// The sign of each quantity in the mirror image, by the first one of the names of left and right.
struct Signs {
    signs: BTreeMap<String, f64>,
    /// Inputs and states of the model's own, whose names may not say their signs.
    open: Vec<String>,
}

impl Signs {
    /// Returns the signs that names say.
    fn of(rig: &Rig) -> Self {
        let mut signs = Self { signs: BTreeMap::new(), open: Vec::new() };
        let given = rig.phases.iter().flat_map(|bound| named(inputs(bound.phase)));
        for (name, _) in given.chain(named_states(rig)) {
            let name = one_name(name);
            if !is_of_host(&name) && !signs.open.contains(&name) {
                signs.open.push(name);
            }
        }
        signs
    }

    fn of_name(&self, name: &str) -> f64 {
        self.signs.get(&one_name(name)).copied().unwrap_or_else(|| sign(name))
    }

    /// Returns all other combinations of signs, the most similar ones first. With many quantities, at most two have
    /// another sign than their names say.
    fn others(&self) -> Vec<Self> {
        let count = self.open.len();
        let mut sets: Vec<Vec<usize>> = if count <= MANY {
            let set = |bits: usize| (0..count).filter(|place| bits >> place & 1 == 1).collect();
            (0..1 << count).map(set).collect()
        } else {
            let pairs = (0..count).flat_map(|one| (one..count).map(move |other| vec![one, other]));
            std::iter::once(Vec::new()).chain(pairs).collect()
        };
        sets.sort_by_key(Vec::len);
        let changed = sets.into_iter().map(|set| {
            let names = set.into_iter().map(|place| self.open[place].clone());
            Self {
                signs: names.map(|name| (name.clone(), -sign(&name))).collect(),
                open: self.open.clone(),
            }
        });
        changed.collect()
    }
}

/// Whether each output of the model's own can have the sign that its name says, and the other one.
#[derive(Default)]
struct Sided(BTreeMap<&'static str, [bool; 2]>);

impl Sided {
    fn of(names: &[&'static str]) -> Self {
        Self(names.iter().map(|name| (*name, [true; 2])).collect())
    }
}

/// Returns the outputs of the model's own that are none of its inputs and states.
fn unread_outputs(rig: &Rig) -> Vec<&'static str> {
    let read = Signs::of(rig).open;
    let names = rig.phases.iter().flat_map(|bound| named(outputs(bound.phase)));
    let names = names.map(|(name, _)| name);
    names.filter(|name| !is_of_host(name) && !read.contains(&one_name(name))).collect()
}

/// Returns the name that stands for a quantity on the left and on the right.
fn one_name(name: &str) -> String {
    image::name(name).min(name.to_owned())
}

/// Returns whether the host has a quantity of this name, whose sign is known.
fn is_of_host(name: &str) -> bool {
    let tables =
        [MEASUREMENTS, ODOMETRY, DRIVE_OUTPUTS, WRENCH_OUTPUTS, MOTION_OUTPUTS, SPATIAL_OUTPUTS];
    tables.iter().any(|table| table.iter().any(|port| port.name == name))
}

/// Returns names and scopes of ports.
fn named(ports: &'static [View<PortDesc>]) -> Vec<(&'static str, u32)> {
    ports.iter().map(|port| (port.name(), port.scope)).collect()
}

/// Returns names and scopes of states.
fn named_states(rig: &Rig) -> Vec<(&'static str, u32)> {
    slots(&rig.instance).iter().map(|slot| (slot.name(), slot.scope)).collect()
}

/// Returns the index of the mirrored wheel for each wheel, or `None` if a wheel has no counterpart.
fn partners(rig: &Rig) -> Option<Vec<usize>> {
    let places: Vec<[f64; 2]> = rig.wheels.iter().map(|wheel| [wheel.x, wheel.y]).collect();
    image::wheels(&places)
}

/// Returns the columns of the mirrored vehicle.
fn reflect(
    ports: &[(&'static str, u32)],
    columns: &[Vec<f64>],
    partners: &[usize],
    signs: &Signs,
) -> Vec<Vec<f64>> {
    let mirrored = ports.iter().enumerate().map(|(place, (name, scope))| {
        let source = image::name(name);
        let source = ports.iter().position(|(name, _)| *name == source).unwrap_or(place);
        let column = &columns[source];
        let sign = signs.of_name(name);
        let wheels = column.len() == partners.len() && *scope != 0;
        let value = |at: usize| sign * column[if wheels { partners[at] } else { at }];
        (0..column.len()).map(value).collect()
    });
    mirrored.collect()
}

/// Returns −1 for a quantity that changes its sign in the mirror image, and 1 for any other. Rotations
/// about the axis across the vehicle keep their sign, those about the other axes change it.
fn sign(name: &str) -> f64 {
    match name {
        "body_rate_y" | "body_angular_acceleration_y" => 1.0,
        _ if name.starts_with("body_rate_") => -1.0,
        _ if name.starts_with("body_angular_acceleration_") => -1.0,
        _ => image::sign(name),
    }
}
