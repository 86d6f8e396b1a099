//! Measurement of the time that an observer takes for a sample.

use std::time::Instant;

use simhost_model::{self as model, ModelRef};

use super::timing::{LONG_ENOUGH, Speed, Timing};
use crate::case::Case;
use crate::instance::describe;
use crate::rig::DT;
use crate::verdict::{Outcome, fail};
use crate::watching::Watching;

/// Number of different samples.
const SAMPLES: u64 = 64;
/// Largest number of samples of a round.
const MOST: u64 = 1 << 16;

/// An observer that is measured.
pub(super) struct MeasuredObserver {
    watching: Watching,
    samples: Vec<Vec<f64>>,
    /// Number of samples of a round.
    count: u64,
    pub speed: Speed,
}

impl MeasuredObserver {
    pub fn new(class: &ModelRef) -> Outcome<Self> {
        let watching = Watching::new(class, &Case::new(class.clone(), 1, 1).values())?;
        let samples = (0..SAMPLES).map(|step| watching.values(1, step)).collect();
        let speed = Speed {
            class: class.full_name.to_string(),
            kind: class.model.kind_tag(),
            batches: vec![Timing { lanes: 1, ns_per_lane: f64::INFINITY }],
        };
        Ok(Self { watching, samples, count: SAMPLES, speed })
    }

    /// Measures some samples of a run. A request to end the run is not followed.
    pub fn round(&mut self) -> Outcome {
        let mut run = self.watching.started(None)?;
        let began = Instant::now();
        for step in 0..self.count {
            let values = &self.samples[(step % SAMPLES) as usize];
            let at = model::Instant { step, time: step as f64 * DT, values };
            run.step(&at).or_else(|fault| fail(format!("`step` returned {}", describe(&fault))))?;
        }
        let took = began.elapsed();
        let time = took.as_secs_f64() * 1e9 / self.count as f64;
        let best = &mut self.speed.batches[0].ns_per_lane;
        *best = best.min(time);
        if took < LONG_ENOUGH {
            self.count = (self.count * 4).min(MOST);
        }
        Ok(())
    }
}
