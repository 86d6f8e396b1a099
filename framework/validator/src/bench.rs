//! Measurement of the time of calls, per lane and in batches.

use std::time::{Duration, Instant};

use serde::Serialize;
use simhost_abi::Kind;
use simhost_model as model;
use simhost_model::ModelRef;

use crate::case::Case;
use crate::instance::{Outcome, Stop, describe, fail, kind};
use crate::rig::{DT, Rig};
use crate::watching::Watching;

/// Measured batch sizes.
pub const BATCHES: [usize; 5] = [1, 4, 16, 128, 1024];
/// Number of lanes of a model, so that there are at least two batches of each size.
const LANES: usize = 2048;
/// Number of rounds.
const ROUNDS: usize = 7;
/// A model that is measured.
enum TimedSubject {
    Phases(Box<Measured>),
    Observer(MeasuredObserver),
}

impl TimedSubject {
    fn new(class: &ModelRef) -> Outcome<Self> {
        Ok(match kind(class.model) {
            Kind::Observer => Self::Observer(MeasuredObserver::new(class)?),
            _ => Self::Phases(Box::new(Measured::new(class)?)),
        })
    }
}

struct Measured {
    rig: Rig,
    phases: Vec<usize>,
    speed: Speed,
    repeats: [usize; BATCHES.len()],
}

/// Measures models in turns, so that other load affects all of them.
///
/// # Errors
///
/// The message of a model that cannot be created or called.
pub fn bench(models: &[ModelRef]) -> Result<Vec<Speed>, String> {
    let instance = models.iter().map(TimedSubject::new);
    let mut all = instance.collect::<Outcome<Vec<_>>>().map_err(said)?;
    for _ in 0..ROUNDS {
        for one in &mut all {
            match one {
                TimedSubject::Phases(one) => one.round(),
                TimedSubject::Observer(one) => one.round(),
            }
            .map_err(said)?;
        }
    }
    let speed = |one| match one {
        TimedSubject::Phases(one) => one.speed,
        TimedSubject::Observer(one) => one.speed,
    };
    Ok(all.into_iter().map(speed).collect())
}

fn said(stop: Stop) -> String {
    match stop {
        Stop::Skip(reason) => reason,
        Stop::Fail(failure) | Stop::Unsuited(failure) => failure.what,
    }
}

impl Measured {
    fn new(class: &ModelRef) -> Outcome<Self> {
        let instance = Case::new(class.clone(), 1, 1).instance()?;
        // a sensor does much work per lane
        let lanes = if instance.rays() > 16 { 1024 } else { LANES };
        let mut rig = Rig::new(&instance, lanes, 1)?;
        rig.fill(0);
        let own =
            |bound: &simhost_model::RigPhase| !matches!(bound.phase.id(), "measure" | "rates");
        let phases = (0..rig.phases.len()).filter(|place| own(&rig.phases[*place])).collect();
        let speed = Speed {
            class: class.full_name.to_string(),
            kind: kind(class.model).tag(),
            batches: BATCHES.map(|lanes| Timing { lanes, ns_per_lane: f64::INFINITY }).to_vec(),
        };
        Ok(Self { rig, phases, speed, repeats: [1; BATCHES.len()] })
    }

    fn round(&mut self) -> Outcome {
        for (place, batch) in BATCHES.into_iter().enumerate() {
            let began = Instant::now();
            for phase in self.phases.clone() {
                let result = self.rig.sweep(phase, batch, self.repeats[place]);
                result.or_else(|fault| {
                    crate::instance::fail(format!("a step returned {}", describe(&fault)))
                })?;
            }
            let took = began.elapsed();
            let calls = (self.repeats[place] * self.rig.lanes) as f64;
            let time = took.as_secs_f64() * 1e9 / calls;
            let best = &mut self.speed.batches[place].ns_per_lane;
            *best = best.min(time);
            if took < LONG_ENOUGH {
                self.repeats[place] = (self.repeats[place] * 4).min(1 << 12);
            }
        }
        Ok(())
    }
}

/// Number of different samples.
const SAMPLES: u64 = 64;
/// Largest number of samples of a round.
const MOST: u64 = 1 << 16;

/// An observer that is measured.
struct MeasuredObserver {
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

/// Approximate duration of a measurement.
const LONG_ENOUGH: Duration = Duration::from_millis(2);

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
