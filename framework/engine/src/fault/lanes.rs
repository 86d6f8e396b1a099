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

/// Calls a phase for every enabled lane, in as few batches as possible. After a fault the lanes that
/// have not been reached are called in further batches. `streams` holds a random stream for each lane,
/// or is empty. Copies the state columns before the call to `before`.
pub(crate) fn call_lanes(
    call: &Call,
    columns: &mut Columns,
    lanes: &mut impl LaneSet,
    moment: &Moment,
    streams: &[u64],
    before: &mut Vec<f64>,
) {
    call.save_states(columns, before);
    match call.capture().filter(|capture| capture.claims(moment.time())) {
        None => call_all(call, columns, lanes, moment, streams, before),
        Some(capture) => call_captured(call, columns, lanes, moment, streams, before, capture),
    }
}

/// Calls a phase for every enabled lane, see [`call_lanes`], and keeps the evidence of a lane.
#[cold]
fn call_captured(
    call: &Call,
    columns: &mut Columns,
    lanes: &mut impl LaneSet,
    moment: &Moment,
    streams: &[u64],
    before: &[f64],
    capture: &Capture,
) {
    let (lane, fault) = (capture.lane(), &Fault::NONE);
    let evidence = Evidence::gather(call, columns, before, lane, moment, fault, streams);
    call_all(call, columns, lanes, moment, streams, before);
    capture.keep(evidence.with_outputs(call, columns, lane).to_text());
}

/// Calls a phase for every enabled lane, see [`call_lanes`].
#[inline(always)]
fn call_all(
    call: &Call,
    columns: &mut Columns,
    lanes: &mut impl LaneSet,
    moment: &Moment,
    streams: &[u64],
    before: &[f64],
) {
    let all = 0..lanes.count();
    if !lanes.all_enabled() {
        return call_enabled(call, columns, lanes, moment, streams, before, vec![all]);
    }
    let Some((fault, rest)) = call.run(columns, all, moment, streams) else { return };
    record(call, columns, lanes, moment, streams, before, &fault);
    call_enabled(call, columns, lanes, moment, streams, before, vec![rest]);
}

/// Calls a phase for the enabled lanes of the ranges in `todo`, the last one first.
fn call_enabled(
    call: &Call,
    columns: &mut Columns,
    lanes: &mut impl LaneSet,
    moment: &Moment,
    streams: &[u64],
    before: &[f64],
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
        if let Some((fault, rest)) = call.run(columns, first, moment, streams) {
            record(call, columns, lanes, moment, streams, before, &fault);
            todo.push(rest);
        }
    }
}

fn record(
    call: &Call,
    columns: &Columns,
    lanes: &mut impl LaneSet,
    moment: &Moment,
    streams: &[u64],
    before: &[f64],
    fault: &Fault,
) {
    let lane = fault.lane as usize;
    lanes.record(lane, Evidence::gather(call, columns, before, lane, moment, fault, streams));
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
