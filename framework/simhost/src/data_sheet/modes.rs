//! Oscillations of a body whose springs the dynamics class computes.
//!
//! The simulation itself is linearised while the vehicle drives straight ahead: each number on which its motion depends is
//! changed by a small amount in both directions, and the differences after a short time are the columns of the transition
//! matrix Φ. Its eigenvalues μ belong to the oscillations: with s = ln μ/T, the undamped natural frequency is |s|/2π and the
//! damping ratio −Re s/|s|. Heave, pitch and roll are the three oscillations in which the body takes the greatest part, by the
//! participation factors of I. J. Pérez-Arriaga, G. C. Verghese and F. C. Schweppe, "Selective modal analysis with applications
//! to electric power systems", IEEE Transactions on Power Apparatus and Systems 101(9), 1982; each has one name.

use std::f64::consts::TAU;

use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{Complex, DMatrix, DVector};
use simhost_engine::{CommandKind, Simulation, TimedCommand};

use super::SheetInput;
use crate::Error;

/// Displacement of a number, in its unit: m, rad, m/s or rad/s.
const DISPLACEMENT: f64 = 1e-6;
/// Time over which the motion is followed, s: short against the period of a wheel on its tyre.
const TIME: f64 = 0.01;
/// Frequencies of bodies on springs, Hz.
const FREQUENCIES: [f64; 2] = [0.1, 25.0];
/// Iterations after which no eigenvalues are expected any more.
const MOST_ITERATIONS: usize = 10_000;
/// Smallest part of the motion of the body in the oscillation that is called after it.
const LEAST_PART: f64 = 0.25;

/// Longest time that a vehicle is given to settle on its springs, s.
const SETTLING: f64 = 10.0;
/// Change of the height of a body in a second at which it stands, m.
const STANDS: f64 = 1e-9;

/// Time that a vehicle drives straight ahead before its oscillations are measured, s.
const RUN_UP: f64 = 2.0;

/// Lets a vehicle with springs of the dynamics class stand until it has settled.
pub(super) fn settle(simulation: &mut Simulation, number: usize, name: &str) -> Result<(), Error> {
    let height = |simulation: &Simulation| simulation.ride(number).map(|numbers| numbers[0]);
    let Some(mut before) = height(simulation) else { return Ok(()) };
    // a vehicle that drives in its world stands here, without drive torque and steering
    let _ = simulation.set_velocity(name, [0.0; 3]);
    for CommandKind { name: kind, values } in simulation.command_kinds(number) {
        let (vehicle, values) = (name.to_owned(), vec![0.0; values.len()]);
        // a controller that refuses it keeps its start values
        let _ = simulation.command(&TimedCommand { time: 0.0, vehicle, kind, values });
    }
    let second = (1.0 / simulation.clock().dt).ceil() as u64;
    while simulation.clock().time() < SETTLING {
        simulation.run(second)?;
        let now = height(simulation).unwrap_or(before);
        if (now - before).abs() < STANDS {
            break;
        }
        before = now;
    }
    Ok(())
}

/// An oscillation.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mode {
    /// Undamped natural frequency, Hz.
    frequency: f64,
    /// Damping relative to critical damping.
    damping_ratio: f64,
    /// Parts of heave, pitch and roll of the body in the motion.
    parts: [f64; 3],
}

/// Heave, pitch and roll of a vehicle; none for a motion in which the body does not swing.
pub(super) struct Modes([Option<Mode>; 3]);

impl Modes {
    /// Linearises a simulation about its present state. Returns the reason if the vehicle has no springs of its class.
    pub fn new(simulation: &Simulation, vehicle: usize) -> Result<Self, String> {
        let dt = simulation.clock().dt;
        let steps = (TIME / dt).round().max(1.0);
        let transition = transition(simulation, vehicle, steps as u64)?;
        Ok(Self::of_body(modes(&transition, steps * dt)))
    }

    /// Gives oscillations their names: the greatest part first.
    fn of_body(modes: Vec<Mode>) -> Self {
        let pairs = modes.iter().enumerate();
        let mut pairs: Vec<_> = pairs
            .flat_map(|(number, mode)| [0, 1, 2].map(|motion| (mode.parts[motion], motion, number)))
            .filter(|pair| pair.0 >= LEAST_PART)
            .collect();
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut named = [None; 3];
        for (_, motion, number) in pairs {
            if named[motion].is_none() && !named.contains(&Some(number)) {
                named[motion] = Some(number);
            }
        }
        Self(named.map(|number| Some(modes[number?])))
    }

    /// Returns frequency, Hz, and damping ratio of a motion of the body: 0 for heave, 1 for pitch, 2 for roll.
    pub fn of(&self, motion: usize) -> Result<[f64; 2], String> {
        let found = self.0[motion].map(|mode| [mode.frequency, mode.damping_ratio]);
        found.ok_or_else(|| "the body does not swing: this motion is overdamped".to_owned())
    }
}

impl SheetInput<'_> {
    /// Returns the oscillations of the body at the speed of the sheet, if the dynamics class computes its springs.
    pub fn modes(&self) -> Option<Result<Modes, String>> {
        self.simulation.ride(self.number)?;
        let drive = || {
            let mut simulation = self.simulation.duplicate().map_err(|error| error.to_string())?;
            let speed = [self.options.speed, 0.0, 0.0];
            simulation
                .set_velocity(&self.vehicle.name, speed)
                .map_err(|error| error.to_string())?;
            let run_up = (RUN_UP / simulation.clock().dt).ceil() as u64;
            simulation.run(run_up).map_err(|error| error.to_string())?;
            Modes::new(&simulation, self.number)
        };
        Some(drive())
    }
}

/// Returns the transition matrix over a number of steps.
fn transition(simulation: &Simulation, vehicle: usize, steps: u64) -> Result<DMatrix<f64>, String> {
    let missing = || "the dynamics class does not move the body in space".to_owned();
    let rest = simulation.ride(vehicle).ok_or_else(missing)?;
    let after = |place: usize, displacement: f64| -> Result<DVector<f64>, String> {
        let mut copy = simulation.duplicate().map_err(|error| error.to_string())?;
        let mut values = rest.clone();
        values[place] += displacement;
        copy.set_ride(vehicle, &values);
        copy.run(steps).map_err(|error| error.to_string())?;
        Ok(DVector::from_vec(copy.ride(vehicle).ok_or_else(missing)?))
    };
    let columns = (0..rest.len()).map(|place| {
        let change = after(place, DISPLACEMENT)? - after(place, -DISPLACEMENT)?;
        Ok(change / (2.0 * DISPLACEMENT))
    });
    let transition = DMatrix::from_columns(&columns.collect::<Result<Vec<_>, String>>()?);
    match transition.iter().all(|entry| entry.is_finite()) {
        true => Ok(transition),
        false => Err("the motion of the vehicle is not smooth here".to_owned()),
    }
}

/// Returns the oscillations of a transition matrix over `time`, s, whose first six rows and columns are height, pitch, roll and
/// their rates.
fn modes(transition: &DMatrix<f64>, time: f64) -> Vec<Mode> {
    let mut balanced = transition.clone();
    balance_parlett_reinsch(&mut balanced);
    let Some(schur) = balanced.try_schur(1e-14, MOST_ITERATIONS) else { return Vec::new() };
    let values = schur.complex_eigenvalues();
    let oscillations = values.iter().filter(|value| value.im > 0.0 && value.norm() > 1e-6);
    let found = oscillations.filter_map(|&value| {
        let rate = value.ln() / time;
        let frequency = rate.norm() / TAU;
        let [least, most] = FREQUENCIES;
        (least..=most).contains(&frequency).then_some(())?;
        let [right, left] =
            [transition.clone(), transition.transpose()].map(|matrix| eigenvector(&matrix, value));
        let product = right?.component_mul(&left?);
        let whole = product.sum().norm();
        let part = |axis: usize| (product[axis] + product[axis + 3]).norm() / whole;
        let damping_ratio = -rate.re / rate.norm();
        Some(Mode { frequency, damping_ratio, parts: [part(0), part(1), part(2)] })
    });
    found.collect()
}

/// Returns an eigenvector by inverse iteration.
fn eigenvector(matrix: &DMatrix<f64>, value: Complex<f64>) -> Option<DVector<Complex<f64>>> {
    let count = matrix.nrows();
    // next to the eigenvalue, where the matrix can be solved
    let shift = value * (1.0 + 1e-9);
    let shifted = matrix.map(|entry| Complex::new(entry, 0.0))
        - DMatrix::from_diagonal_element(count, count, shift);
    let solver = shifted.lu();
    let mut vector = DVector::from_fn(count, |row, _| Complex::new(1.0, 0.1 * row as f64));
    for _ in 0..3 {
        vector = solver.solve(&vector)?;
        vector /= Complex::new(vector.norm(), 0.0);
    }
    Some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Height and roll of a body on springs, as x'' = −ω² x − 2 ζ ω x', over 0.01 s by the exponential series.
    #[test]
    fn oscillations_of_a_known_system_are_found_by_their_names() {
        let given = [(1.3, 0.28), (0.0, 0.0), (1.7, 0.35)];
        let mut rates = DMatrix::<f64>::zeros(7, 7);
        for (axis, (frequency, ratio)) in given.into_iter().enumerate() {
            let omega: f64 = TAU * frequency;
            rates[(axis, axis + 3)] = 1.0;
            rates[(axis + 3, axis)] = -omega * omega;
            rates[(axis + 3, axis + 3)] = -2.0 * ratio * omega;
        }
        let mut term = DMatrix::identity(7, 7);
        let mut transition = term.clone();
        for order in 1..20 {
            term = &term * &rates * (TIME / f64::from(order));
            transition += &term;
        }
        let modes = Modes::of_body(modes(&transition, TIME));
        for (axis, (frequency, ratio)) in given.into_iter().enumerate() {
            match modes.of(axis) {
                Ok(found) => {
                    assert!((found[0] - frequency).abs() < 1e-9, "{found:?}");
                    assert!((found[1] - ratio).abs() < 1e-9, "{found:?}");
                }
                Err(reason) => assert!(axis == 1 && reason.contains("overdamped")),
            }
        }
    }
}
