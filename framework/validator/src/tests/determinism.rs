//! Tests of determinism: repeated, on several threads, and in other batches.

use simhost_abi::model_flag;

use crate::case::Case;
use crate::instance::{Outcome, skip};
use crate::process;
use crate::process::compare_trace;
use crate::rig::{DT, Rig, When, start_at};

const STEPS: u64 = 10;

/// `determinism-repeat`
pub(crate) fn repeat(case: &Case) -> Outcome {
    let expected = case.rig(3)?.trace(0..STEPS)?;
    for _ in 0..2 {
        // a clock has advanced by then
        std::thread::sleep(std::time::Duration::from_millis(2));
        compare_trace(&expected, &case.rig(3)?.trace(0..STEPS)?, "when the steps are repeated")?;
    }
    Ok(())
}

/// `determinism-process`: passes the trace to the program that started this process, which compares
/// it with the trace of another process.
pub(crate) fn processes(case: &Case) -> Outcome {
    let mut bits = Vec::new();
    for start in [0.0, 60.0, 1e5] {
        start_at(start);
        bits.extend(case.rig(3)?.trace(0..STEPS)?);
    }
    process::keep(bits);
    Ok(())
}

/// Times at which the steps of a time-invariant model begin, s.
const TIMES: [f64; 8] = [0.0, 0.73, 2.9, 9.99, 61.0, 3_600.5, 1e5, 1e7];

/// `time-invariant`
pub(crate) fn at_any_time(case: &Case) -> Outcome {
    if !case.instance()?.has_flag(model_flag::TIME_INVARIANT) {
        return skip("it does not declare that it computes the same at any time");
    }
    let traced = |start: f64, tells_time: bool| {
        start_at(start);
        Rig { tells_time, ..case.rig(3)? }.trace(0..STEPS)
    };
    let untold = traced(0.0, false)?;
    for start in TIMES {
        compare_trace(
            &untold,
            &traced(start, true)?,
            &format!("in steps that begin at {start} s"),
        )?;
    }
    Ok(())
}

/// `determinism-thread-count`
pub(crate) fn threads(case: &Case) -> Outcome {
    const LANES: usize = 64;
    let traced = |threads: usize| {
        split(case, LANES, &|lanes| {
            let share = LANES / threads;
            lanes.step_by(share).map(|first| first..first + share).collect()
        })
    };
    let expected = traced(1)?;
    for threads in [2, 4] {
        for _ in 0..3 {
            compare_trace(&expected, &traced(threads)?, &format!("on {threads} threads"))?;
        }
    }
    Ok(())
}

/// `batch-equals-scalar`
pub(crate) fn batch(case: &Case) -> Outcome {
    for lanes in [1, 2, 3, 5, 16, 17, 37] {
        let whole = split(case, lanes, &|lanes| vec![lanes])?;
        let mut rig = widely(case, lanes)?;
        let mut single = Vec::new();
        for step in 0..STEPS {
            rig.fill(step);
            for phase in 0..rig.phases.len() {
                for lane in 0..lanes {
                    let when = When { step, dt: DT };
                    let result = rig.call(phase, lane..lane + 1, when);
                    result.or_else(|fault| rig.blame(&fault, when))?;
                }
            }
            single.extend(rig.bits());
        }
        compare_trace(&single, &whole, &format!("in a batch of {lanes} lanes"))?;
    }
    Ok(())
}

type Lanes = std::ops::Range<usize>;

/// Returns the bits of steps whose lanes are called in these ranges.
fn split(case: &Case, lanes: usize, parts: &dyn Fn(Lanes) -> Vec<Lanes>) -> Outcome<Vec<u64>> {
    let mut rig = widely(case, lanes)?;
    let mut bits = Vec::new();
    for step in 0..STEPS {
        rig.fill(step);
        for phase in 0..rig.phases.len() {
            let when = When { step, dt: DT };
            let result = rig.call_on(phase, &parts(0..lanes), when);
            result.or_else(|fault| rig.blame(&fault, when))?;
        }
        bits.extend(rig.bits());
    }
    Ok(bits)
}

fn widely(case: &Case, lanes: usize) -> Outcome<Rig> {
    let rig = case.rig(lanes)?;
    if rig.instance.is_whole() {
        return skip("its lanes depend on each other");
    }
    Ok(rig)
}
