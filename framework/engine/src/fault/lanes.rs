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
            return self.run_enabled(columns, lanes, vec![all]);
        }
        let Some((fault, rest)) = self.call.run(columns, all, self.moment, self.streams) else {
            return;
        };
        self.record(columns, lanes, fault.lane as usize, &fault);
        self.run_enabled(columns, lanes, vec![rest]);
    }

    /// Calls the phase for the enabled lanes of the ranges in `todo`, the last one first.
    fn run_enabled(
        &self,
        columns: &mut Columns,
        lanes: &mut impl LaneSet,
        mut todo: Vec<Range<usize>>,
    ) {
        while let Some(range) = todo.pop() {
            // an earlier fault may have disabled some of these lanes
            let mut ranges = enabled_ranges(lanes, range);
            if ranges.is_empty() {
                continue;
            }
            let first = ranges.remove(0);
            todo.extend(ranges.into_iter().rev());
            if let Some((fault, rest)) = self.call.run(columns, first, self.moment, self.streams) {
                self.record(columns, lanes, fault.lane as usize, &fault);
                todo.push(rest);
            }
        }
    }
}

/// Returns the enabled lanes within a range, as ranges in ascending order.
fn enabled_ranges(lanes: &impl LaneSet, within: Range<usize>) -> Vec<Range<usize>> {
    if lanes.all_enabled() {
        return std::iter::once(within).collect();
    }
    let mut ranges = Vec::new();
    let mut start = None;
    for lane in within.clone() {
        match (lanes.is_enabled(lane), start) {
            (true, None) => start = Some(lane),
            (false, Some(from)) => {
                ranges.push(from..lane);
                start = None;
            }
            _ => {}
        }
    }
    ranges.extend(start.map(|from| from..within.end));
    ranges
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
        let ranges = |within| -> Vec<(usize, usize)> {
            enabled_ranges(&lanes, within).into_iter().map(|r| (r.start, r.end)).collect()
        };
        assert_eq!(ranges(0..5), [(0, 1), (2, 4)]);
        assert_eq!(ranges(2..4), [(2, 4)]);
        assert_eq!(ranges(4..5), []);
    }
}
