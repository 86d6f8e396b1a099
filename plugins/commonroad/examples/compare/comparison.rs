//! The models compared with reference numbers: the worst error of each model and kind.

use std::collections::BTreeMap;

use simhost_commonroad::defects::Defects;
use simhost_commonroad::models::{drift, kinematic, multi_body, single_track, trailer};
use simhost_commonroad::parameters::VehicleParameters;
use simhost_commonroad::rk4;
use simhost_commonroad::tyre::{self, Contact};

use super::file::File;

/// Largest errors, relative to the larger of 1 and the number.
pub const RATES: f64 = 1e-9;
pub const STATES: f64 = 1e-8;
pub const FORCES: f64 = 1e-9;
pub const PARAMETERS: f64 = 0.0;

/// The worst of many numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worst {
    /// How many cases there were, and how many of a model or with a vehicle that is not known.
    pub cases: usize,
    pub unknown: usize,
    /// Relative to the larger of 1 and the number.
    pub error: f64,
    /// Which case and which of its numbers.
    pub place: String,
    /// What may be.
    pub tolerance: f64,
    /// As `error`, of the corrected models: what the corrections change.
    pub corrected: f64,
}

impl Worst {
    /// Whether the reference is met.
    pub fn holds(&self) -> bool {
        self.error <= self.tolerance && self.unknown == 0
    }

    fn meet(&mut self, found: &[f64], expected: &[f64], place: impl Fn(usize) -> String) {
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            let error = apart(*found, *expected);
            if error > self.error {
                (self.error, self.place) = (error, place(i));
            }
        }
        if found.len() != expected.len() {
            self.unknown += 1;
        }
    }
}

/// Relative to the larger of 1 and the number; what is missing on both sides is alike.
fn apart(found: f64, expected: f64) -> f64 {
    if found.is_nan() && expected.is_nan() {
        return 0.0;
    }
    let error = (found - expected).abs() / expected.abs().max(1.0);
    if error.is_nan() { f64::INFINITY } else { error }
}

fn worst(found: &[f64], expected: &[f64]) -> f64 {
    found.iter().zip(expected).map(|(a, b)| apart(*a, *b)).fold(0.0, f64::max)
}

type Rates<'a> = Box<dyn Fn(&[f64]) -> Option<Vec<f64>> + 'a>;

/// The rates of a model by its name in the file.
fn rates<'a>(
    model: &str,
    vehicle: &'a VehicleParameters,
    input: [f64; 2],
    defects: Defects,
) -> Option<Rates<'a>> {
    macro_rules! call {
        ($of:expr) => {
            Box::new(move |x: &[f64]| {
                Some($of(vehicle, x.try_into().ok()?, input, defects).to_vec())
            })
        };
    }
    Some(match model {
        "KS" => Box::new(move |x| {
            Some(kinematic::derivative(vehicle, x.try_into().ok()?, input).to_vec())
        }),
        "KST" => call!(trailer::derivative),
        "ST" => call!(single_track::derivative),
        "STD" => call!(drift::derivative),
        "MB" => call!(multi_body::derivative),
        _ => return None,
    })
}

/// States of a trajectory at the times of `rows`.
pub fn drive(
    model: &str,
    vehicle: &VehicleParameters,
    input: [f64; 2],
    h: f64,
    rows: &[Vec<f64>],
    defects: Defects,
) -> Option<Vec<Vec<f64>>> {
    macro_rules! drive {
        ($of:ident, $call:expr) => {{
            let mut x: [f64; $of::STATES] = rows.first()?.get(1..)?.try_into().ok()?;
            let (mut done, mut states) = (0, Vec::new());
            for row in rows {
                let until = (row[0] / h).round() as u64;
                while done < until {
                    x = rk4::step(&x, h, $call);
                    done += 1;
                }
                states.push(x.to_vec());
            }
            Some(states)
        }};
    }
    match model {
        "KS" => drive!(kinematic, |x| kinematic::derivative(vehicle, x, input)),
        "KST" => drive!(trailer, |x| trailer::derivative(vehicle, x, input, defects)),
        "ST" => drive!(single_track, |x| single_track::derivative(vehicle, x, input, defects)),
        "STD" => drive!(drift, |x| drift::derivative(vehicle, x, input, defects)),
        "MB" => drive!(multi_body, |x| multi_body::derivative(vehicle, x, input, defects)),
        _ => None,
    }
}

/// The worst errors of a file, by kind and model.
pub fn compare(file: &File) -> BTreeMap<(&'static str, String), Worst> {
    let mut table = BTreeMap::new();
    derivatives(file, &mut table);
    trajectories(file, &mut table);
    tyres(file, &mut table);
    parameters(file, &mut table);
    table
}

type Table = BTreeMap<(&'static str, String), Worst>;

fn entry<'t>(table: &'t mut Table, kind: &'static str, model: &str, most: f64) -> &'t mut Worst {
    let worst = table.entry((kind, model.to_owned())).or_default();
    worst.tolerance = most;
    worst.cases += 1;
    worst
}

fn derivatives(file: &File, table: &mut Table) {
    for (number, case) in file.derivatives.iter().enumerate() {
        let worst_of = entry(table, "derivative", &case.model, RATES);
        let vehicle = file.vehicle(case.vehicle);
        let of = |defects| {
            let vehicle = vehicle.as_ref()?;
            rates(&case.model, vehicle, case.input, defects)?(&case.state)
        };
        let (Some(found), Some(corrected)) = (of(Defects::UPSTREAM), of(Defects::NONE)) else {
            worst_of.unknown += 1;
            continue;
        };
        worst_of.meet(&found, &case.rates, |i| {
            format!("derivatives[{number}].f[{i}], vehicle {}", case.vehicle)
        });
        worst_of.corrected = worst_of.corrected.max(worst(&corrected, &case.rates));
    }
}

fn trajectories(file: &File, table: &mut Table) {
    for (number, case) in file.trajectories.iter().enumerate() {
        let worst_of = entry(table, "trajectory", &case.model, STATES);
        let vehicle = file.vehicle(case.vehicle);
        let of = |defects| {
            drive(&case.model, vehicle.as_ref()?, case.input, case.h, &case.rows, defects)
        };
        let (Some(found), Some(corrected)) = (of(Defects::UPSTREAM), of(Defects::NONE)) else {
            worst_of.unknown += 1;
            continue;
        };
        for (row, (expected, (found, corrected))) in
            case.rows.iter().zip(found.iter().zip(&corrected)).enumerate()
        {
            worst_of.meet(found, &expected[1..], |i| {
                let vehicle = case.vehicle;
                format!("trajectories[{number}].rows[{row}][{}], vehicle {vehicle}", i + 1)
            });
            worst_of.corrected = worst_of.corrected.max(worst(corrected, &expected[1..]));
        }
    }
}

fn tyres(file: &File, table: &mut Table) {
    let Some((_, VehicleParameters { tyre: set, .. })) =
        file.parameters.first().copied().or_else(|| Some((2, VehicleParameters::of_vehicle(2)?)))
    else {
        return;
    };
    for (number, point) in file.tire.iter().enumerate() {
        let worst_of = entry(table, "tire", "Magic Formula", FORCES);
        let contact =
            Contact { kappa: point.kappa, alpha: point.alpha, gamma: point.gamma, f_z: point.f_z };
        let of = |defects| {
            let pure = tyre::pure(&set, &contact, defects);
            let [f_x, f_y] = tyre::combined(&set, &contact, defects);
            [pure.f_x, pure.f_y, pure.mu_y, f_x, f_y]
        };
        worst_of.meet(&of(Defects::UPSTREAM), &point.expected, |i| {
            format!("tire[{number}].{}", ["Fx0", "Fy0", "mu_y", "Fx", "Fy"][i])
        });
        worst_of.corrected = worst_of.corrected.max(worst(&of(Defects::NONE), &point.expected));
    }
}

/// Vehicles of the file that are built in have the same numbers. Others are used as they are.
fn parameters(file: &File, table: &mut Table) {
    for (number, theirs) in &file.parameters {
        let Some(ours) = VehicleParameters::of_vehicle(*number) else { continue };
        let worst_of = entry(table, "parameters", &format!("vehicle {number}"), PARAMETERS);
        // the text of a struct names every number in it
        if format!("{ours:?}") != format!("{theirs:?}") {
            (worst_of.error, worst_of.place) = (f64::INFINITY, format!("parameters.{number}"));
        }
    }
}
