//! The streams of a simulation, and their samples.
//!
//! The catalogue is built from the description of the world, whose quantities are looked up in one pass,
//! whatever the number of streams.

mod bind;
mod catalogue;
mod commands;
mod draft;
mod output;
mod reads;
mod robots;
mod scene;
mod shapes;
mod transforms;
mod vehicles;

use simhost_engine::{BodySearch, Clock, Simulation};
use simhost_streams::{Stream, Trigger};

pub use catalogue::{check, inputs, outputs, streams};
pub use commands::command_stream;
pub use output::{Buffer, Output};
pub use reads::Reads;

/// Choice of streams and of their rate.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Patterns of names as in `--record`: `*` does not cross `/`, `**` does, `!` excludes. None selects
    /// every output stream.
    pub patterns: Vec<String>,
    /// Simulated time between samples, s; by default the period of each stream.
    pub period: Option<f64>,
    /// Simulated time between samples of streams without their own rate, s, if `period` is not
    /// given; otherwise one after each step.
    pub state_period: Option<f64>,
    /// Whether patterns may select no stream; otherwise that is an error.
    pub is_optional: bool,
}

impl Selection {
    /// Returns the simulated time between samples of a stream, s; `None` for one after each step, or at
    /// events.
    pub fn period_of(&self, stream: &Stream) -> Option<f64> {
        let of_states = self.state_period.filter(|_| stream.trigger == Trigger::Step);
        self.period.or(stream.period).or(of_states)
    }
}

/// A vehicle that touches something or does not.
struct Touch {
    /// Index of the vehicle.
    vehicle: usize,
    /// Distance below which it counts as touching, m.
    threshold: f64,
    /// Time of the sample before, s.
    last: f64,
}

impl Touch {
    /// Creates the state of a vehicle, by its index, that counts as touching what is nearer than `threshold`, m.
    pub fn new(vehicle: usize, threshold: f64) -> Self {
        Self { vehicle, threshold, last: f64::NEG_INFINITY }
    }

    /// Continues after the last sample of the same stream of the world before a change.
    pub fn continue_after(&mut self, old: &Self) {
        self.last = old.last;
    }

    /// Appends 1 if the vehicle has touched something since the sample before or is near something, or 0. `search` has
    /// been brought up to the present state.
    pub fn read(&mut self, simulation: &Simulation, search: &BodySearch, numbers: &mut Vec<f64>) {
        let time = simulation.clock().time();
        // time has gone back if the sample before lies ahead
        let since = if self.last <= time { self.last } else { f64::NEG_INFINITY };
        let is_near = simulation.touches().is_near(self.vehicle, self.threshold, since, search);
        numbers.push(if is_near { 1.0 } else { 0.0 });
        self.last = time;
    }
}

/// Returns the name of the message for a class: its words with initial capitals, without the vendor.
fn message_name(class: &str) -> String {
    let name = class.rsplit('/').next().unwrap_or_default();
    let mut text = String::new();
    let mut is_start = true;
    for letter in name.chars() {
        if !letter.is_ascii_alphanumeric() {
            is_start = true;
            continue;
        }
        text.push(if is_start { letter.to_ascii_uppercase() } else { letter });
        is_start = false;
    }
    match text.starts_with(|first: char| first.is_ascii_uppercase()) {
        true => text,
        false => format!("Class{text}"),
    }
}

/// Angles in the last two samples of a stream.
///
/// Models set steering angles and compute no rates, so the rate is the mean since an earlier sample.
#[derive(Clone, Debug, PartialEq)]
struct MeanRates {
    /// Place of the first angle in a sample.
    first: usize,
    /// Angles, rad.
    angles: Vec<f64>,
    /// Mean rates between the samples, rad/s; 0 if there is only one.
    rates: Vec<f64>,
    /// Number of completed steps at the last sample.
    steps: Option<u64>,
}

impl MeanRates {
    /// Creates the state of a number of angles before the first sample.
    pub fn new(first: usize, count: usize) -> Self {
        Self { first, angles: vec![0.0; count], rates: vec![0.0; count], steps: None }
    }

    /// Appends the rates to the numbers of a sample.
    pub fn complete(&mut self, clock: Clock, numbers: &mut Vec<f64>) {
        let angles = &numbers[self.first..self.first + self.angles.len()];
        let passed = self.steps.map_or(0, |steps| clock.steps.saturating_sub(steps));
        if passed > 0 {
            let time = passed as f64 * clock.dt;
            let changes =
                angles.iter().zip(&self.angles).map(|(now, before)| (now - before) / time);
            self.rates.iter_mut().zip(changes).for_each(|(rate, change)| *rate = change);
        } else if self.steps != Some(clock.steps) {
            // the first sample, or time has gone back
            self.rates.fill(0.0);
        }
        self.angles.copy_from_slice(angles);
        self.steps = Some(clock.steps);
        numbers.extend_from_slice(&self.rates);
    }
}

#[cfg(test)]
mod tests {
    use super::{message_name, *};

    #[test]
    fn names_of_messages_are_valid_in_ros() {
        let pairs = [
            ("simhost/laser", "Laser"),
            ("acme/thermal_probe-2", "ThermalProbe2"),
            ("lidar3d", "Lidar3d"),
            ("x/2d_flow", "Class2dFlow"),
            ("x/é", "Class"),
        ];
        for (class, expected) in pairs {
            assert_eq!(message_name(class), expected);
        }
    }

    #[test]
    fn rates_are_means_since_the_sample_before() {
        let mut rates = MeanRates::new(1, 1);
        let mut rate = |steps, angle| {
            let mut numbers = vec![5.0, angle, 6.0];
            rates.complete(Clock { steps, dt: 0.5 }, &mut numbers);
            assert_eq!(numbers[..3], [5.0, angle, 6.0]);
            numbers[3]
        };
        assert_eq!(rate(3, 0.25), 0.0);
        assert_eq!(rate(5, 0.75), 0.5);
        // the same state again
        assert_eq!(rate(5, 0.75), 0.5);
        assert_eq!(rate(6, 0.75), 0.0);
        assert_eq!(rate(1, 0.0), 0.0);
    }
}
