//! Traces of steps: the bits of everything that a model has written.

use std::sync::{Mutex, PoisonError};

use crate::verdict::{Outcome, fail};

/// Trace of this process, for the program that started it.
static TRACE: Mutex<Option<Vec<u64>>> = Mutex::new(None);

/// Keeps a trace for the program that started this process.
pub(crate) fn keep(bits: Vec<u64>) {
    *TRACE.lock().unwrap_or_else(PoisonError::into_inner) = Some(bits);
}

/// Returns the trace that was kept.
pub(crate) fn take_bits() -> Option<Vec<u64>> {
    TRACE.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Checks that two traces are equal.
pub(crate) fn compare(expected: &[u64], found: &[u64], when: &str) -> Outcome {
    match expected.iter().zip(found).position(|(one, other)| one != other) {
        None if expected.len() == found.len() => Ok(()),
        None => fail(format!("the number of outputs changes {when}")),
        Some(place) => fail(format!(
            "an output changes {when}: {} becomes {} (number {place} of the trace)",
            f64::from_bits(expected[place]),
            f64::from_bits(found[place])
        )),
    }
}
