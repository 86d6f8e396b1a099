//! Delivery of samples to the models that read them, at once or after a latency.

use simhost_abi::Scope;
use simhost_sdk::Random;
use smallvec::SmallVec;

use super::delivery::{Delivery, Late, Recipient};
use super::group::SensorGroup;
use crate::clock::Clock;
use crate::columns::Columns;
use crate::table::Table;

/// Turns the key of the random numbers of a sample into the key for its latency.
const LATENCY_STREAM: u64 = 0x1A7E_5EED_0000_0001;

/// Tolerance by which a time can be short of an arrival, s.
const TOLERANCE: f64 = 1e-9;

/// The models to which samples are copied.
pub(super) enum Recipients<'r> {
    /// The models of the vehicles in these tables.
    Vehicles(&'r mut [Table]),
    /// The sensors in these groups, and the number of the first of them.
    Sensors(&'r mut [SensorGroup], usize),
}

impl Recipients<'_> {
    /// Returns the columns and the lane of a recipient, if it is one of these.
    fn columns(&mut self, of: Recipient) -> Option<(&mut Columns, usize)> {
        match (self, of) {
            (Self::Vehicles(tables), Recipient::Vehicle(table, lane)) => {
                Some((&mut tables[table].vehicles.columns, lane))
            }
            (Self::Sensors(groups, first), Recipient::Sensor(group, lane)) => {
                Some((&mut groups[group - *first].columns, lane))
            }
            _ => None,
        }
    }
}

impl SensorGroup {
    /// Copies the samples of the last step, and those whose latency has passed, to inputs at `time`, s.
    pub fn deliver_all(&mut self, recipients: &mut Recipients<'_>, time: f64) {
        self.deliver(recipients, time);
        self.deliver_late(recipients, time);
    }

    fn deliver(&mut self, recipients: &mut Recipients<'_>, time: f64) {
        if !self.is_fresh() {
            return;
        }
        let mut sample: SmallVec<[f64; 64]> = SmallVec::new();
        let is_late = self.is_late();
        for Delivery { sensor, output: (column, scope), to, target, late } in &mut self.deliveries {
            let Some((to, lane)) = recipients.columns(*to) else { continue };
            if !self.members[*sensor].is_disabled() && !self.effects.is_silent(*sensor) {
                if is_late {
                    let [latency, jitter] = self.latency;
                    let mut random = Random::new(self.streams[*sensor] ^ LATENCY_STREAM);
                    let due = time + latency + jitter * random.uniform();
                    // no sample overtakes another one
                    let due = late.back().map_or(due, |before| due.max(before.due));
                    let values = self.columns.get(*column);
                    let places = self.read.shape().places(*scope, *sensor);
                    let sample = places.map(|place| values[place]).collect();
                    late.push_back(Late { due, taken: time, sample });
                    continue;
                }
                let values = self.columns.get(*column);
                let places = self.read.shape().places(*scope, *sensor);
                if Scope::from_u32(*scope) == Scope::Wheel {
                    sample.clear();
                    sample.extend(places.map(|place| values[place]));
                    target.put(to, lane, &sample, time);
                } else {
                    let count = places.len();
                    target.put(to, lane, &values[*sensor * count..][..count], time);
                }
            }
        }
    }

    /// Delivers the samples whose latency has passed.
    fn deliver_late(&mut self, recipients: &mut Recipients<'_>, time: f64) {
        for Delivery { to, target, late, .. } in &mut self.deliveries {
            let Some((columns, lane)) = recipients.columns(*to) else { continue };
            while let Some(sample) = late.pop_front_if(|one| one.due <= time + TOLERANCE) {
                target.put(columns, lane, &sample.sample, sample.taken);
            }
        }
    }

    /// Returns whether a model of a vehicle reads one of the sensors.
    pub fn has_vehicle_readers(&self) -> bool {
        self.deliveries.iter().any(|one| matches!(one.to, Recipient::Vehicle(..)))
    }

    /// Returns whether samples arrive after a latency.
    pub fn is_late(&self) -> bool {
        self.latency != [0.0; 2]
    }

    /// Returns whether a sample arrives by the time of `clock`.
    pub fn has_arrival(&self, clock: &Clock) -> bool {
        let mut first = self.deliveries.iter().filter_map(|delivery| delivery.late.front());
        first.any(|late| late.due <= clock.time() + TOLERANCE)
    }
}
