//! Differences between runs.

use crate::signals::{NamedRun, Signal};

/// Moment at which a vehicle is farthest apart in two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct PathDivergence {
    /// Time, s.
    pub time: f64,
    /// Distance, m.
    pub distance: f64,
    /// Name of the vehicle.
    pub vehicle: String,
    /// Its positions in both runs, m.
    pub positions: [[f64; 2]; 2],
}

/// Largest difference of signals of the same name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Time, s.
    pub time: f64,
    /// Difference, in the unit of the signals.
    pub difference: f64,
}

/// Returns the moment at which a vehicle is farthest apart in any two of the runs, at times that both
/// have; `None` if there is one run, or the runs are equal.
pub fn largest_distance(runs: &[NamedRun], vehicles: &[String]) -> Option<PathDivergence> {
    let mut largest: Option<PathDivergence> = None;
    for (k, one) in runs.iter().enumerate() {
        for other in &runs[k + 1..] {
            for vehicle in &one.run.vehicles {
                if !vehicles.is_empty() && !vehicles.contains(vehicle) {
                    continue;
                }
                let name = format!("{vehicle}/pose");
                let (Some(from), Some(to)) = (one.run.get(&name), other.run.get(&name)) else {
                    continue;
                };
                for (at, time) in from.times.iter().enumerate() {
                    let (Some(x), Some(y)) = (to.value_at(0, *time), to.value_at(1, *time)) else {
                        continue;
                    };
                    let start = [from.columns[0][at], from.columns[1][at]];
                    let distance = (x - start[0]).hypot(y - start[1]);
                    if distance > largest.as_ref().map_or(0.0, |found| found.distance) {
                        largest = Some(PathDivergence {
                            time: *time,
                            distance,
                            vehicle: vehicle.clone(),
                            positions: [start, [x, y]],
                        });
                    }
                }
            }
        }
    }
    largest
}

/// Returns the largest difference of signals of the same name in different runs.
pub fn largest_difference(signals: &[Signal]) -> Option<Difference> {
    let mut largest: Option<Difference> = None;
    for (k, one) in signals.iter().enumerate() {
        let same = |other: &&Signal| {
            other.run != one.run
                && other.entity == one.entity
                && other.local_name() == one.local_name()
        };
        for other in signals[k + 1..].iter().filter(same) {
            for (time, value) in one.times.iter().zip(&one.values) {
                let Some(there) = other.at(*time) else { continue };
                let difference = (value - there).abs();
                if difference > largest.map_or(0.0, |found| found.difference) {
                    largest = Some(Difference { time: *time, difference });
                }
            }
        }
    }
    largest
}
