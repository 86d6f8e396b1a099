//! The times of a model.

use std::time::Duration;

use serde::Serialize;

/// Approximate duration of a measurement.
pub(super) const LONG_ENOUGH: Duration = Duration::from_millis(2);

/// The time of a batch size.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Timing {
    /// Number of lanes in a batch.
    pub lanes: usize,
    /// Time per lane, ns.
    pub ns_per_lane: f64,
}

/// The times of a model for the batch sizes of [`BATCHES`].
#[derive(Clone, Debug, Serialize)]
pub struct Speed {
    /// `vendor/class`.
    pub class: String,
    /// Kind of the model, such as `friction`.
    pub kind: &'static str,
    /// Times in the order of batch sizes; the time of a sample for an observer, which has no lanes.
    pub batches: Vec<Timing>,
}

impl Speed {
    /// Returns the ratio of the time of a single lane to the time of the best batch, or `None` for
    /// an observer.
    pub fn gain(&self) -> Option<f64> {
        let (single, others) = self.batches.split_first()?;
        let best = others.iter().map(|timing| timing.ns_per_lane).min_by(f64::total_cmp)?;
        Some(single.ns_per_lane / best)
    }
}
