//! Tests of states and memories.

use simhost_sdk::Random;

use crate::case::Case;
use crate::instance::{Outcome, describe, fail, of_seed, refuses, skip};
use crate::process::compare_trace;
use crate::rig::Rig;

/// Number of lanes, and of steps before a state is saved.
const LANES: usize = 3;
const STEPS: u64 = 10;
/// Number of truncations of the saved bytes.
const CUTS: usize = 64;

/// Returns a rig after some steps, if its model has memory.
fn lived(case: &Case) -> Outcome<Rig> {
    let mut rig = case.rig(LANES)?;
    if rig.memories.is_none() {
        return skip("the model has no memory in addition to its state slots");
    }
    rig.trace(0..STEPS)?;
    Ok(rig)
}

fn saved(rig: &Rig, lane: usize) -> Outcome<Vec<u8>> {
    let Some(memories) = &rig.memories else { return Ok(Vec::new()) };
    memories.save(lane).or_else(|fault| fail(format!("`save` returned {}", describe(&fault))))
}

/// `state-roundtrip`
pub(crate) fn roundtrip(case: &Case) -> Outcome {
    let rig = lived(case)?;
    for lane in 0..LANES {
        let bytes = saved(&rig, lane)?;
        load(&rig, lane, &bytes)?;
        let again = saved(&rig, lane)?;
        if again != bytes {
            let place = again.iter().zip(&bytes).position(|(one, other)| one != other);
            return fail(format!(
                "{} saved bytes come back as {} bytes, the first difference at byte {}",
                bytes.len(),
                again.len(),
                place.unwrap_or(again.len().min(bytes.len()))
            ));
        }
    }
    Ok(())
}

fn load(rig: &Rig, lane: usize, bytes: &[u8]) -> Outcome {
    let Some(memories) = &rig.memories else { return Ok(()) };
    let schema = rig.instance.model().schema;
    let description = |fault| format!("`load` of saved bytes returned {}", describe(&fault));
    memories.load(lane, schema, bytes).or_else(|fault| fail(description(fault)))
}

/// `state-truncated`
pub(crate) fn truncated(case: &Case) -> Outcome {
    let mut rig = lived(case)?;
    let bytes = saved(&rig, 0)?;
    let stride = bytes.len().div_ceil(CUTS).max(1);
    (0..bytes.len()).step_by(stride).try_for_each(|length| {
        attempt(&mut rig, &bytes[..length], &format!("{length} of {} saved bytes", bytes.len()))
    })
}

/// `state-random-bytes`
pub(crate) fn random_bytes(case: &Case) -> Outcome {
    let mut rig = lived(case)?;
    let good = saved(&rig, 0)?;
    for seed in case.seeds() {
        let mut random = Random::new(seed);
        let length = match random.bits() % 2 {
            0 => good.len(),
            _ => random.bits() as usize % 256,
        };
        let bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
        of_seed(seed, attempt(&mut rig, &bytes, &format!("{length} random bytes")))?;
    }
    Ok(())
}

/// Checks that invalid bytes are rejected with a message, or that a step with the loaded memory
/// returns.
fn attempt(rig: &mut Rig, bytes: &[u8], what: &str) -> Outcome {
    let Some(memories) = &rig.memories else { return Ok(()) };
    match memories.load(0, rig.instance.model().schema, bytes) {
        Err(fault) if refuses(&fault) => Ok(()),
        Err(fault) => {
            let description = describe(&fault);
            fail(format!(
                "`load` of {what} returned {description}, expected a rejection with a message"
            ))
        }
        // the memory can hold any numbers, but a step has to return
        Ok(()) => {
            let _ = rig.trace(STEPS..STEPS + 2);
            Ok(())
        }
    }
}

/// `state-resume-bitwise`
pub(crate) fn resume(case: &Case) -> Outcome {
    let expected = case.rig(LANES)?.trace(0..2 * STEPS)?;
    let mut first = case.rig(LANES)?;
    let mut found = first.trace(0..STEPS)?;
    let mut second = case.rig(LANES)?;
    second.states.clone_from(&first.states);
    for lane in 0..LANES {
        let bytes = saved(&first, lane)?;
        load(&second, lane, &bytes)?;
    }
    // outputs are not part of the state: each step writes all of them
    found.extend(second.trace(STEPS..2 * STEPS)?);
    compare_trace(&expected, &found, "when a new instance restores states and memory")
}
