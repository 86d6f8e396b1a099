//! Contents of a plot, and the signals that they name.

use std::collections::BTreeSet;

use crate::error::PictureError;
use crate::signals::{self, NamedRun, Signal};

/// Contents of a plot.
#[derive(Clone, Debug, Default)]
pub struct PlotOptions {
    /// Presets and patterns of quantities; each has a separate panel, and quantities that `+` joins
    /// share a panel.
    pub of: Vec<String>,
    /// Preset or quantity of the horizontal axis; otherwise the time.
    pub against: Option<String>,
    /// Vehicles to show; otherwise all.
    pub vehicles: Vec<String>,
    /// Parameter of a model whose value in each run decides the colour of its lines, such as
    /// `car/friction/mu`; otherwise each run has a colour.
    pub colour: Option<String>,
    /// Width and height of the whole plot, pixels; otherwise what its panels need.
    pub size: Option<[u32; 2]>,
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

/// Returns the signals of all runs for the selected vehicles.
pub(super) fn signals_of(
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
