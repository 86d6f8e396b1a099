//! Calls for the enabled lanes of a table or sensor group, which continue after a fault.

use std::ops::Range;

use simhost_abi::Fault;

use super::evidence::Evidence;
use crate::columns::Columns;
use crate::model::{Call, Capture};
use crate::moment::Moment;

/// The lanes of a call and which of them are enabled.
pub(crate) trait LaneSet {
    /// Returns the number of lanes.
    fn count(&self) -> usize;

    /// Returns whether all lanes are enabled.
    fn all_enabled(&self) -> bool;

    /// Returns whether a lane is enabled.
    fn is_enabled(&self, lane: usize) -> bool;

    /// Records the fault of a lane. The lane is not called again, whether or not this disables it;
    /// other lanes that this disables are not called either.
    fn record(&mut self, lane: usize, evidence: Evidence);
}

/// A phase that is called for the lanes of a table or sensor group.
pub(crate) struct LaneCall<'c> {
    pub call: &'c Call,
    pub moment: &'c Moment<'c>,
    /// Random stream of each lane; empty for a model that does not draw.
    pub streams: &'c [u64],
    /// Buffer for the state columns before the call.
    pub before: &'c mut Vec<f64>,
}

impl LaneCall<'_> {
    /// Calls the phase for every enabled lane, in as few batches as possible. After a fault the lanes that
    /// have not been reached are called in further batches. Copies the state columns before the call.
    pub fn run(&mut self, columns: &mut Columns, lanes: &mut impl LaneSet) {
        self.call.save_states(columns, self.before);
        match self.call.capture().filter(|capture| capture.claims(self.moment.time())) {
            None => self.run_all(columns, lanes),
            Some(capture) => self.run_captured(columns, lanes, capture),
        }
    }

    /// Records a fault of a lane in its call or in what the call returned.
    pub fn record(&self, columns: &Columns, lanes: &mut impl LaneSet, lane: usize, fault: &Fault) {
        lanes.record(lane, self.evidence(columns, lane, fault));
    }

    fn evidence(&self, columns: &Columns, lane: usize, fault: &Fault) -> Evidence {
        let Self { call, moment, streams, before } = self;
        Evidence::gather(call, columns, before, lane, moment, fault, streams)
    }

    /// Calls the phase for every enabled lane, and keeps the evidence of a lane.
    #[cold]
    fn run_captured(&self, columns: &mut Columns, lanes: &mut impl LaneSet, capture: &Capture) {
        let lane = capture.lane();
        let evidence = self.evidence(columns, lane, &Fault::NONE);
        self.run_all(columns, lanes);
        capture.keep(evidence.with_outputs(self.call, columns, lane).to_text());
    }

    /// Calls the phase for every enabled lane.
    #[inline(always)]
    fn run_all(&self, columns: &mut Columns, lanes: &mut impl LaneSet) {
        let all = 0..lanes.count();
        if !lanes.all_enabled() {
            return self.run_enabled(columns, lanes, all);
        }
        let Some((fault, rest)) = self.call.run(columns, all, self.moment, self.streams) else {
            return;
        };
        self.record(columns, lanes, fault.lane as usize, &fault);
        self.run_enabled(columns, lanes, rest);
    }

    /// Calls the phase for the enabled lanes of a range, in ascending order.
    fn run_enabled(&self, columns: &mut Columns, lanes: &mut impl LaneSet, mut todo: Range<usize>) {
        // a fault can disable lanes that follow
        while let Some(batch) = first_enabled(lanes, todo.clone()) {
            todo.start = batch.end;
            if let Some((fault, rest)) = self.call.run(columns, batch, self.moment, self.streams) {
                self.record(columns, lanes, fault.lane as usize, &fault);
                todo.start = rest.start;
            }
        }
    }
}

/// Returns the first enabled lanes within a range that follow each other.
fn first_enabled(lanes: &impl LaneSet, mut within: Range<usize>) -> Option<Range<usize>> {
    let end = within.end;
    let start = within.find(|lane| lanes.is_enabled(*lane))?;
    Some(start..within.find(|lane| !lanes.is_enabled(*lane)).unwrap_or(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Flags(Vec<bool>);

    impl LaneSet for Flags {
        fn count(&self) -> usize {
            self.0.len()
        }

        fn all_enabled(&self) -> bool {
            false
        }

        fn is_enabled(&self, lane: usize) -> bool {
            self.0[lane]
        }

        fn record(&mut self, lane: usize, _: Evidence) {
            self.0[lane] = false;
        }
    }

    #[test]
    fn disabled_lanes_divide_a_range() {
        let lanes = Flags(vec![true, false, true, true, false]);
        let first = |within| first_enabled(&lanes, within);
        assert_eq!([first(0..5), first(1..5), first(4..5)], [Some(0..1), Some(2..4), None]);
        assert_eq!([first(2..4), first(3..3)], [Some(2..4), None]);
    }
}
