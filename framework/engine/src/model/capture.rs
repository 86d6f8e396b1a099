//! Requests for the evidence of calls without a fault.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// A request for the evidence of a call: the first one for a lane at or after a time.
#[derive(Debug)]
pub struct Capture {
    lane: usize,
    /// Start of the step, s.
    time: f64,
    is_open: AtomicBool,
    evidence: Mutex<Option<String>>,
}

/// Difference of times that are equal, s.
const SAME_TIME: f64 = 1e-9;

impl Capture {
    /// Creates a request.
    pub(crate) fn new(lane: usize, time: f64) -> Self {
        Self { lane, time, is_open: AtomicBool::new(true), evidence: Mutex::default() }
    }

    /// Returns the content of an evidence file, unless there has been no such call yet.
    pub fn evidence(&self) -> Option<String> {
        self.evidence.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the lane.
    pub(crate) fn lane(&self) -> usize {
        self.lane
    }

    /// Returns whether a call that begins at a time, s, is the one to keep. Only the first one is.
    pub(crate) fn claims(&self, time: f64) -> bool {
        time >= self.time - SAME_TIME && self.is_open.swap(false, Ordering::Relaxed)
    }

    /// Keeps the content of an evidence file.
    pub(crate) fn keep(&self, evidence: String) {
        *self.evidence.lock().unwrap_or_else(PoisonError::into_inner) = Some(evidence);
    }
}
