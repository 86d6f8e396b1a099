//! Comparison of a vehicle with its mirror image, by the names of quantities.

use simhost_abi::{PortDesc, model_flag};
use simhost_model::View;
use simhost_sdk::testing::mirror as image;

use crate::case::Case;
use crate::rig::{Bound, DT, Rig, When, inputs, outputs};
use crate::verdict::{Outcome, fail_for, of_seed, skip};

/// Largest difference relative to the largest output. It is not 0 because some classes solve
/// iteratively over their wheels.
const DIFFERENCE: f64 = 0.02;

/// `dynamics-mirror`
pub(crate) fn mirror(case: &Case) -> Outcome {
    let instance = case.instance()?;
    if instance.has_flag(model_flag::RANDOM) {
        return skip("it draws random numbers");
    }
    let Some(partners) = partners(&Rig::new(&instance, 1, case.seed)?) else {
        return skip("its wheels are not symmetric");
    };
    for seed in case.seeds() {
        let mut rig = Rig::new(&instance, 1, seed)?;
        rig.fill(0);
        let mut mirrored = Rig::new(&instance, 1, seed)?;
        for (to, from) in mirrored.phases.iter_mut().zip(&rig.phases) {
            to.inputs = reflect(inputs(from.phase), &from.inputs, &partners);
        }
        for rig in [&mut rig, &mut mirrored] {
            let when = When { step: 0, dt: DT };
            let result = rig.phases_of_step(when);
            result.or_else(|fault| rig.blame(&fault, when))?;
        }
        for (one, other) in rig.phases.iter().zip(&mirrored.phases) {
            of_seed(seed, compare(&rig, one, other, &partners))?;
        }
    }
    Ok(())
}

fn compare(rig: &Rig, one: &Bound, other: &Bound, partners: &[usize]) -> Outcome {
    let ports = outputs(one.phase);
    let expected = reflect(ports, &one.outputs, partners);
    let all = expected.iter().flatten();
    let size = all.fold(0.0_f64, |most, value| most.max(value.abs()));
    for ((port, expected), found) in ports.iter().zip(&expected).zip(&other.outputs) {
        for (expected, found) in expected.iter().zip(found) {
            if (expected - found).abs() > DIFFERENCE * size + 1e-9 {
                let what = format!(
                    "output {} of the mirrored vehicle is {found}, expected {expected}; {}",
                    port.name(),
                    image::rule(port.name())
                );
                return fail_for(what, rig.inputs_of(0, When { step: 0, dt: DT }));
            }
        }
    }
    Ok(())
}

/// Returns the index of the mirrored wheel for each wheel, or `None` if a wheel has no counterpart.
fn partners(rig: &Rig) -> Option<Vec<usize>> {
    let places: Vec<[f64; 2]> = rig.wheels.iter().map(|wheel| [wheel.x, wheel.y]).collect();
    image::wheels(&places)
}

/// Returns the columns of the mirrored vehicle.
fn reflect(
    ports: &'static [View<PortDesc>],
    columns: &[Vec<f64>],
    partners: &[usize],
) -> Vec<Vec<f64>> {
    let mirrored = ports.iter().enumerate().map(|(place, port)| {
        let name = port.name();
        let source = image::name(name);
        let source = ports.iter().position(|port| port.name() == source).unwrap_or(place);
        let column = &columns[source];
        let sign = sign(name);
        let wheels = column.len() == partners.len() && port.scope != 0;
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
