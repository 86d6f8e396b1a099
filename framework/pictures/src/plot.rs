//! Plots of quantities of one or several runs.

mod divergence;
mod layout;
mod panel;

use std::collections::BTreeSet;

pub use divergence::{Divergence, largest_distance};
#[cfg(feature = "film")]
pub(crate) use panel::pose_at;

use crate::drawing::Drawing;
use crate::error::PictureError;
use crate::signals::{self, NamedRun, PATH, Signal};
use panel::Panel;

/// Contents of a plot.
#[derive(Clone, Debug, Default)]
pub struct PlotOptions {
    /// Presets and patterns of quantities; each has a panel of its own.
    pub of: Vec<String>,
    /// Preset or quantity of the horizontal axis; otherwise the time.
    pub against: Option<String>,
    /// Vehicles to show; otherwise all.
    pub vehicles: Vec<String>,
}

impl PlotOptions {
    /// Returns the patterns of the series that the plot needs.
    pub fn patterns(&self) -> Vec<String> {
        let mut patterns: BTreeSet<String> =
            self.of.iter().chain(&self.against).flat_map(|of| signals::patterns(of)).collect();
        // for the names of the vehicles
        patterns.insert("*/pose".to_owned());
        patterns.into_iter().collect()
    }
}

/// Draws quantities of runs, one panel above the other. Runs are aligned by time; several runs have one
/// colour each, and the moment at which they differ most is marked.
///
/// # Errors
/// [`PictureError`] if a run does not hold a quantity or a vehicle, or has no samples.
pub fn plot(runs: &[NamedRun], options: &PlotOptions) -> Result<Drawing, PictureError> {
    check_vehicles(runs, &options.vehicles)?;
    let mut panels: Vec<Panel> = Vec::new();
    for of in &options.of {
        match of == PATH {
            true => panels.push(panel::path(runs, options)?),
            false => panels.extend(panel::of_quantity(of, runs, options)?),
        }
    }
    Ok(layout::draw(runs, &panels))
}

/// Checks that each vehicle is in one of the runs.
///
/// # Errors
/// [`PictureError::Vehicle`] if it is in none.
pub fn check_vehicles(runs: &[NamedRun], vehicles: &[String]) -> Result<(), PictureError> {
    let known: BTreeSet<&str> =
        runs.iter().flat_map(|named| &named.run.vehicles).map(String::as_str).collect();
    match vehicles.iter().find(|name| !known.contains(name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let nearest = simhost_model::nearest(name, known.iter().copied()).map(str::to_owned);
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            Err(PictureError::Vehicle { name: name.clone(), nearest, known })
        }
    }
}

/// Returns the signals of all runs, those of the chosen vehicles only.
fn signals_of(
    of: &str,
    runs: &[NamedRun],
    options: &PlotOptions,
) -> Result<Vec<Signal>, PictureError> {
    let mut all = Vec::new();
    for (index, named) in runs.iter().enumerate() {
        if named.run.is_empty() {
            return Err(PictureError::Empty {
                run: named.run.path.display().to_string(),
                what: None,
            });
        }
        let mut signals = signals::of_run(of, index, named)?;
        let is_chosen =
            |name: &String| options.vehicles.is_empty() || options.vehicles.contains(name);
        signals.retain(|signal| is_chosen(&signal.entity));
        if signals.iter().all(|signal| signal.values.is_empty()) {
            let run = named.run.path.display().to_string();
            return Err(PictureError::Empty { run, what: Some(format!("`{of}`")) });
        }
        all.extend(signals);
    }
    Ok(all)
}

#[cfg(test)]
mod tests;
