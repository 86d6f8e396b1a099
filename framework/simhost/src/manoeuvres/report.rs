//! The result of a manoeuvre, and its table.

use std::fmt::Write;

use super::frequency::{self, FrequencyResponse};
use super::motion::{DrivenRun, SPUN};
use super::{Manoeuvre, Metric, table};

/// The result of a manoeuvre.
#[derive(Clone, Debug)]
pub struct ManoeuvreReport {
    /// The manoeuvre.
    pub manoeuvre: Manoeuvre,
    /// Speed at its start, m/s.
    pub speed: f64,
    /// Time at which it begins in its run, after the run-up of a vehicle with an engine, s.
    pub begin: f64,
    /// The metrics of the standard.
    pub metrics: Vec<Metric>,
    /// Time at which the vehicle spins in the last run, s, if it does.
    pub spun: Option<f64>,
    /// The run from which the metrics are computed: the only run, the run with the greatest
    /// amplitude, or the best run of a driver who practises.
    pub run: DrivenRun,
}

impl ManoeuvreReport {
    /// Returns the metrics as a table in Markdown, and the frequency response below it if the manoeuvre has one.
    pub fn table(&self) -> String {
        let mut text = format!(
            "# {}: {}\n\nInitial speed {:.1} km/h{}.\n\n| Metric | Value | Unit | Limit |\n|---|---|---|---|\n",
            self.manoeuvre.name(),
            self.manoeuvre.title(),
            3.6 * self.speed,
            if self.begin > 0.0 {
                format!(", reached in a run-up of {:.2} s", self.begin)
            } else {
                String::new()
            }
        );
        for metric in &self.metrics {
            let (Metric { name, unit, .. }, value) = (metric, metric.text());
            let _ = writeln!(text, "| {name} | {value} | {unit} | {} |", metric.verdict());
        }
        let response = self.response();
        if !response.is_empty() {
            text.push('\n');
            text.push_str(frequency::HEADING);
        }
        for one in &response {
            let _ = writeln!(text, "{}", one.row());
        }
        if let Some(time) = self.spun {
            let _ = writeln!(
                text,
                "\nThe vehicle spins: its sideslip exceeds {}° at {time:.2} s of the manoeuvre.",
                SPUN
            );
        }
        text
    }

    /// Returns the frequency response to the steering angle; empty for manoeuvres without one.
    pub fn response(&self) -> Vec<FrequencyResponse> {
        if table::ROWS[self.manoeuvre as usize].has_response {
            frequency::responses(&self.run.samples)
        } else {
            Vec::new()
        }
    }
}
