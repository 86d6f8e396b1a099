//! Results with inputs that do not change, in steps of several lengths.
//!
//! With constant inputs, the outputs of a model approach the outputs for infinitely short steps. An
//! output that is multiplied by the step, or that adds to a state without multiplying by the step,
//! keeps changing by a share of its size.

use simhost_abi::model_flag;

use crate::case::Case;
use crate::instance::{Outcome, fail_for, skip};
use crate::rig::{DT, Rig, When, outputs};

/// Time for which the inputs are held, s.
const HELD: f64 = 0.25;
/// Change from steps of half their length to a quarter, relative to the size of the output, that shows a dependence on
/// the step.
const CHANGE: f64 = 0.3;
/// Smallest value of an output that is compared.
const LEAST: f64 = 1e-9;

/// The cases in which an output changes with the step, and all cases in which it is not 0.
#[derive(Clone, Default)]
struct Tally {
    changed: usize,
    all: usize,
    first: Option<(String, String)>,
}

/// Checks that the outputs of a phase do not depend on the length of the step. `prepare` sets the inputs of a random
/// case, or returns `false` to leave it out. A single case can differ, because something happens in its last step.
pub(super) fn halving(
    case: &Case,
    phase: &str,
    lanes: usize,
    prepare: impl Fn(&mut Rig, u64) -> bool,
) -> Outcome {
    let instance = case.instance()?;
    if instance.has_flag(model_flag::RANDOM) {
        return skip("it draws random numbers");
    }
    let mut tallies: Vec<Tally> = Vec::new();
    for seed in case.seeds() {
        let held = |parts: u64| -> Outcome<Option<Rig>> {
            let mut rig = Rig::new(&instance, lanes, seed)?;
            if !prepare(&mut rig, seed) {
                return Ok(None);
            }
            rig.counted = DT / parts as f64;
            for step in 0..(HELD / DT).round() as u64 * parts {
                let when = When { step, dt: rig.counted };
                rig.phases_of_step(when).or_else(|fault| rig.blame(&fault, when))?;
            }
            Ok(Some(rig))
        };
        let (Some(coarse), Some(middle), Some(fine)) = (held(1)?, held(2)?, held(4)?) else {
            continue;
        };
        let Some(place) = fine.phase(phase) else { return skip("the model has no such phase") };
        let ports = outputs(fine.phases[place].phase);
        tallies.resize(ports.len(), Tally::default());
        for (number, tally) in tallies.iter_mut().enumerate() {
            let values = [&coarse, &middle, &fine].map(|rig| &*rig.phases[place].outputs[number]);
            tally.add(ports[number].name(), values, || fine.inputs_of(0, When { step: 0, dt: DT }));
        }
    }
    let systematic = tallies.into_iter().find(|tally| 2 * tally.changed > tally.all);
    match systematic.and_then(|tally| tally.first) {
        Some((what, input)) => fail_for(what, input),
        None => Ok(()),
    }
}

impl Tally {
    /// Adds the values of an output after steps of a length, half and a quarter of it.
    fn add(&mut self, name: &str, values: [&[f64]; 3], input: impl Fn() -> String) {
        let [coarse, middle, fine] = values;
        for lane in 0..fine.len() {
            let [whole, half, quarter] = [coarse[lane], middle[lane], fine[lane]];
            if quarter.is_nan() || quarter.abs() <= LEAST {
                continue;
            }
            self.all += 1;
            if (half - quarter).abs() > CHANGE * quarter.abs() {
                self.changed += 1;
                self.first.get_or_insert_with(|| {
                    let what = format!(
                        "output {name} is {whole}, {half} and {quarter} after {HELD} s with the same inputs in steps \
                         of {DT}, {} and {} s",
                        0.5 * DT,
                        0.25 * DT
                    );
                    (what, input())
                });
            }
        }
    }
}
