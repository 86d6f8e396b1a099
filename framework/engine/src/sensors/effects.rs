//! Effects of faults of the robot on the readings of its sensors.

use simhost_world::FaultEffect;

use crate::columns::Columns;
use crate::model::Call;

/// An effect on a sensor.
#[derive(Clone, Copy)]
pub(crate) struct SensorFault {
    /// Index of the fault in the world.
    pub fault: usize,
    /// Index of the output of the phase `read`; `None` for all.
    pub output: Option<usize>,
    /// The effect.
    pub effect: FaultEffect,
}

/// The effects of faults on the sensors of a group.
#[derive(Clone, Default)]
pub(super) struct Effects {
    pub effects: Vec<Effect>,
    /// Whether a fault is present.
    pub is_active: bool,
    /// Readings before a call, of the sensors with faults that are present, in the order of these.
    before: Vec<f64>,
}

/// An effect on one sensor.
#[derive(Clone)]
pub(super) struct Effect {
    pub lane: usize,
    pub fault: SensorFault,
    pub is_present: bool,
    /// Whether the last sample has been dropped.
    pub dropped: bool,
    /// Readings at the onset, or the first ones after it; empty if there are none.
    pub held: Vec<f64>,
}

impl Effects {
    /// Returns whether a fault can act on a sensor.
    pub fn is_empty(&self) -> bool {
        self.effects.is_empty()
    }

    /// Returns whether the last sample of a sensor has been dropped.
    pub fn is_silent(&self, lane: usize) -> bool {
        self.effects.iter().any(|one| one.lane == lane && one.dropped)
    }

    /// Keeps the readings before a call that replaces them.
    pub fn keep(&mut self, read: &Call, columns: &Columns) {
        if !self.is_active {
            return;
        }
        self.before.clear();
        let Self { effects, before, .. } = self;
        for one in effects.iter().filter(|one| one.is_present && one.is_dropout()) {
            before.extend(readings(read, columns, one.lane));
        }
    }

    /// Replaces the readings after a call. `had_sample` is whether the sensors had readings before.
    pub fn apply(&mut self, read: &Call, columns: &mut Columns, had_sample: bool) {
        for one in &mut self.effects {
            one.dropped = one.is_present && one.is_dropout();
        }
        if !self.is_active {
            return;
        }
        let Self { effects, before, .. } = self;
        let mut before = before.drain(..);
        for Effect { lane, fault, held, .. } in effects.iter_mut().filter(|one| one.is_present) {
            let count = readings(read, columns, *lane).count();
            match fault.effect {
                FaultEffect::Dropout if had_sample => {
                    let kept: Vec<f64> = before.by_ref().take(count).collect();
                    replace(read, columns, *lane, None, |number, _| kept[number]);
                }
                FaultEffect::Dropout => {
                    before.by_ref().take(count).for_each(drop);
                    replace(read, columns, *lane, None, |_, _| f64::NAN);
                }
                FaultEffect::Stuck => {
                    if held.is_empty() {
                        *held = readings(read, columns, *lane).collect();
                    }
                    replace(read, columns, *lane, fault.output, |number, _| held[number]);
                }
                FaultEffect::Off => replace(read, columns, *lane, fault.output, |_, _| 0.0),
                FaultEffect::Scale(factor) => {
                    replace(read, columns, *lane, fault.output, |_, value| factor * value);
                }
                FaultEffect::Offset(summand) => {
                    replace(read, columns, *lane, fault.output, |_, value| value + summand);
                }
            }
        }
    }
}

impl Effect {
    fn is_dropout(&self) -> bool {
        self.fault.effect == FaultEffect::Dropout
    }
}

/// Returns the readings of a sensor, output after output.
pub(super) fn readings<'c>(
    read: &'c Call,
    columns: &'c Columns,
    lane: usize,
) -> impl Iterator<Item = f64> + 'c {
    let ports = read.phase.outputs().iter().zip(read.outputs());
    ports.flat_map(move |(port, column)| {
        let places = read.shape().places(port.scope, lane);
        places.map(move |place| columns.get(*column)[place])
    })
}

/// Replaces the readings of an output of a sensor, or of all, by a function of their number and value.
fn replace(
    read: &Call,
    columns: &mut Columns,
    lane: usize,
    output: Option<usize>,
    value: impl Fn(usize, f64) -> f64,
) {
    let mut first = 0;
    for (index, (port, column)) in read.phase.outputs().iter().zip(read.outputs()).enumerate() {
        let places = read.shape().places(port.scope, lane);
        let next = first + places.len();
        if output.is_none_or(|output| output == index) {
            let values = columns.get_mut(*column);
            for (number, place) in (first..next).zip(places) {
                values[place] = value(number, values[place]);
            }
        }
        first = next;
    }
}
