//! How long a call takes, lane by lane and in batches.

use std::time::{Duration, Instant};

use serde::Serialize;
use simhost_abi::Model;
use simhost_model::View;

use crate::case::Case;
use crate::instance::{kind, told};
use crate::rig::Rig;
use crate::verdict::{Outcome, Stop};

/// Lanes of a batch.
pub const BATCHES: [usize; 5] = [1, 4, 16, 64, 1024];
/// Lanes of a model, so that every batch is met at least twice.
const LANES: usize = 2048;
/// Times that everything is measured, by turns.
const ROUNDS: usize = 7;
/// Time that one measurement takes, about.
const LONG_ENOUGH: Duration = Duration::from_millis(2);

/// Time of a batch.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Timing {
    /// Of the batch.
    pub lanes: usize,
    /// ns.
    pub ns_per_lane: f64,
}

/// Time of a lane for each number of lanes of [`BATCHES`].
#[derive(Clone, Debug, Serialize)]
pub struct Speed {
    /// `vendor/class`.
    pub class: String,
    /// Tag of its kind.
    pub kind: &'static str,
    /// From the smallest batch on.
    pub batches: Vec<Timing>,
}

impl Speed {
    /// How many times faster the best batch is than lane by lane.
    pub fn gain(&self) -> f64 {
        let single = self.batches.first().map_or(0.0, |timing| timing.ns_per_lane);
        let best =
            self.batches.iter().skip(1).map(|timing| timing.ns_per_lane).fold(f64::MAX, f64::min);
        single / best
    }
}

struct Measured {
    rig: Rig,
    phases: Vec<usize>,
    speed: Speed,
    repeats: [usize; BATCHES.len()],
}

/// Measures models by turns, so that whatever else goes on meets all of them.
///
/// # Errors
/// What a model says that cannot be instance or stepped.
pub fn bench(models: &[(String, &'static View<Model>)]) -> Result<Vec<Speed>, String> {
    let instance = models.iter().map(|(class, model)| Measured::new(class, model));
    let mut all = instance.collect::<Outcome<Vec<_>>>().map_err(said)?;
    for _ in 0..ROUNDS {
        for one in &mut all {
            one.round().map_err(said)?;
        }
    }
    Ok(all.into_iter().map(|one| one.speed).collect())
}

fn said(stop: Stop) -> String {
    match stop {
        Stop::Skip(reason) => reason,
        Stop::Fail(failure) => failure.what,
    }
}

impl Measured {
    fn new(class: &str, model: &'static View<Model>) -> Outcome<Self> {
        let instance = Case { model, seed: 1, cases: 1 }.instance()?;
        // a sensor has much to do in one lane
        let lanes = if instance.rays() > 16 { 1024 } else { LANES };
        let mut rig = Rig::new(&instance, lanes, 1)?;
        rig.fill(0);
        let own = |bound: &crate::rig::Bound| !matches!(bound.phase.id(), "measure" | "rates");
        let phases = (0..rig.phases.len()).filter(|place| own(&rig.phases[*place])).collect();
        let speed = Speed {
            class: class.to_owned(),
            kind: kind(model).tag(),
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
                    crate::verdict::fail(format!("a step answered {}", told(&fault)))
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
