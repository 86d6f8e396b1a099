//! Measurement of the time of calls, per lane and in batches.

mod observer;
mod timing;

use std::time::Instant;

use simhost_abi::Kind;
use simhost_model::ModelRef;

use crate::bench::observer::MeasuredObserver;
use crate::bench::timing::LONG_ENOUGH;
pub use crate::bench::timing::{Speed, Timing};
use crate::case::Case;
use crate::instance::{describe, kind};
use crate::rig::Rig;
use crate::verdict::{Outcome, Stop};

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
                    crate::verdict::fail(format!("a step returned {}", describe(&fault)))
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
