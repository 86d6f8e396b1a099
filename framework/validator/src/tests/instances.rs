//! Tests of several instances of a model.

use std::sync::Arc;

use simhost_sdk::Random;

use crate::case::Case;
use crate::instance::{Instance, Outcome, fail};
use crate::process::compare_trace;
use crate::rig::Rig;

/// Number of compared steps.
const STEPS: u64 = 20;
/// Number of compared lanes.
const LANES: usize = 3;
/// Largest growth of the process by a thousand instances, bytes.
pub(crate) const MOST_GROWTH: usize = 4 << 20;

/// `create-destroy-1000`
pub(crate) fn create_destroy(case: &Case) -> Outcome {
    let values = case.values();
    // memory allocated once for all instances is not a leak
    for _ in 0..50 {
        Instance::accepted(&case.class, &values)?;
    }
    let before = resident();
    for _ in 0..1000 {
        Instance::accepted(&case.class, &values)?;
    }
    let grown = resident().saturating_sub(before);
    if grown > MOST_GROWTH {
        return fail(format!(
            "the process grew by {} KiB in 1000 instances: `destroy` does not free everything",
            grown / 1024
        ));
    }
    Ok(())
}

/// Returns the memory of this process, bytes, or 0 if unknown.
pub(crate) fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split_whitespace().nth(1)?.parse::<usize>().ok());
    pages.unwrap_or(0) * 4096
}

/// `two-instances-independent`
pub(crate) fn independent(case: &Case) -> Outcome {
    let alone = case.rig(LANES)?.trace(0..STEPS)?;
    let mut rig = case.rig(LANES)?;
    let mut other = other(case)?;
    let mut beside = Vec::new();
    for step in 0..STEPS {
        // other tests cover faults of the other instance
        let _ = other.trace(step..step + 1);
        beside.extend(rig.trace(step..step + 1)?);
    }
    compare_trace(&alone, &beside, "with another instance stepping beside it")
}

/// Returns an instance with other parameters if the model accepts them.
fn other(case: &Case) -> Outcome<Rig> {
    let mut random = Random::new(case.seed);
    let drawn = (0..20).find_map(|_| {
        let values = case.with_few_rays(case.drawn(&mut random));
        Instance::new(&case.class, &values).ok().filter(|instance| instance.arranged().is_ok())
    });
    let instance = drawn.map_or_else(|| case.instance(), |instance| Ok(Arc::new(instance)))?;
    Rig::new(&instance, LANES, case.seed.wrapping_add(1))
}

/// `instances-parallel`
pub(crate) fn parallel(case: &Case) -> Outcome {
    let run = |number: u64| {
        let mut rig = Rig::new(&case.instance()?, LANES, case.seed.wrapping_add(number))?;
        rig.trace(0..5 * STEPS)
    };
    let alone = (0..4).map(run).collect::<Outcome<Vec<_>>>()?;
    let together = std::thread::scope(|scope| {
        let threads = (0..4).map(|number| scope.spawn(move || run(number)));
        let threads: Vec<_> = threads.collect();
        let joined = threads.into_iter().map(|thread| thread.join().expect("no test panics"));
        joined.collect::<Outcome<Vec<_>>>()
    })?;
    alone.iter().zip(&together).try_for_each(|(alone, together)| {
        compare_trace(alone, together, "with three instances stepping on other threads")
    })
}
