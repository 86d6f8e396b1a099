//! State and readings that a member of an ensemble keeps between two samples of its sensors.

use smallvec::SmallVec;

use super::Sensors;
use super::fields::SensorPlace;
use super::group::SensorGroup;
use crate::clock::Clock;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};

/// State and last readings of the sensors of a member. Short lists are stored in it, so that fewer pointers have to be
/// followed through the memory of many members.
#[derive(Clone, Default)]
pub(crate) struct SensorState {
    columns: KeptColumns,
    /// How far each group is.
    progress: SmallVec<[SampleProgress; 1]>,
    /// For each sensor, group by group, whether its model has faulted.
    disabled: SmallVec<[bool; 8]>,
    /// For each sensor whether it has a sample.
    sampled: SmallVec<[bool; 8]>,
    /// Memories of the models, and samples that have not arrived.
    bytes: Vec<u8>,
}

/// How far a group of sensors is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SampleProgress {
    /// Number of the last sample.
    pub samples: u64,
    /// Whether the group was sampled in the last step.
    pub fresh: bool,
    /// Whether there are readings.
    pub has_readings: bool,
    /// Whether there were readings before the last sample.
    pub had_readings: bool,
}

/// Copies of columns, one after the other.
///
/// Of a column whose numbers are equal, such as flags that all rays are valid, only one is written, because the memory of
/// many members is slower than a comparison.
#[derive(Clone, Default)]
struct KeptColumns {
    /// Numbers of all columns. Those of columns of equal numbers are out of date.
    numbers: Vec<f64>,
    /// The number that all of a column are, if they are equal.
    equal: SmallVec<[Option<f64>; 4]>,
}

impl KeptColumns {
    /// Keeps the next column, whose first number has the index `first`. Returns the index for the one after it.
    fn push(&mut self, first: usize, values: &[f64]) -> usize {
        let end = first + values.len();
        if self.numbers.len() < end {
            self.numbers.resize(end, 0.0);
        }
        let equal = all_equal(values);
        if equal.is_none() {
            self.numbers[first..end].copy_from_slice(values);
        }
        self.equal.push(equal);
        end
    }

    /// Copies a column, whose first number has the index `first`, to `to`.
    fn load(&self, column: usize, first: usize, to: &mut [f64]) {
        match self.equal[column] {
            Some(value) => to.fill(value),
            None => to.copy_from_slice(&self.numbers[first..][..to.len()]),
        }
    }
}

/// Returns the number that all are, with the same bits.
fn all_equal(values: &[f64]) -> Option<f64> {
    let first = values.first()?;
    let differ = |values: &[f64]| {
        values.iter().fold(0, |all, value| all | (value.to_bits() ^ first.to_bits())) != 0
    };
    let (tiles, rest) = values.as_chunks::<64>();
    let is_same = !differ(rest) && !tiles.iter().any(|tile| differ(tile));
    is_same.then_some(*first)
}

/// Place of the values of a quantity among what [`Sensors::save`] keeps.
pub(crate) struct KeptPlace {
    /// Index of the column.
    column: usize,
    /// Index of the first value among the numbers of all columns.
    first: usize,
    /// Distance of the next one.
    stride: usize,
    len: usize,
    /// The sensor of a reading, without whose sample there is no value.
    reading_of: Option<usize>,
}

impl KeptPlace {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.len
    }
}

impl SensorState {
    /// Becomes like another state, in the memory that this one has.
    pub fn copy_from(&mut self, other: &Self) {
        let Self { columns, progress, disabled, sampled, bytes } = self;
        columns.numbers.clone_from(&other.columns.numbers);
        columns.equal.clone_from(&other.columns.equal);
        progress.clone_from(&other.progress);
        disabled.clone_from(&other.disabled);
        sampled.clone_from(&other.sampled);
        bytes.clone_from(&other.bytes);
    }

    /// Copies the values of a quantity, or as many as fit, to the start of `to`; NaN for readings that do not exist yet.
    pub fn copy<T: Copy>(&self, place: &KeptPlace, to: &mut [T], convert: &impl Fn(f64) -> T) {
        let KeptPlace { column, first, stride, len, reading_of } = *place;
        let len = len.min(to.len());
        let to = &mut to[..len];
        if reading_of.is_some_and(|sensor| !self.sampled[sensor]) {
            return to.fill(convert(f64::NAN));
        }
        let numbers = &self.columns.numbers;
        match self.columns.equal[column] {
            Some(value) => to.fill(convert(value)),
            None if stride == 1 => {
                to.iter_mut().zip(&numbers[first..]).for_each(|(to, value)| *to = convert(*value));
            }
            None => {
                let to = to.iter_mut().enumerate();
                to.for_each(|(at, to)| *to = convert(numbers[first + at * stride]));
            }
        }
    }
}

impl Sensors {
    /// Keeps the state and the last readings, for [`Self::load`]. Robot faults must not act on the sensors.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save a memory.
    pub fn save(&self, to: &mut SensorState) -> Result<(), SnapshotError> {
        let SensorState { columns, progress, disabled, sampled, bytes } = to;
        columns.equal.clear();
        progress.clear();
        disabled.clear();
        sampled.clear();
        let mut memory = Writer { bytes: std::mem::take(bytes) };
        memory.bytes.clear();
        let mut first = 0;
        for group in &self.groups {
            let kept = group.kept_columns().map(|column| group.columns.get(column));
            first = kept.fold(first, |first, values| columns.push(first, values));
            progress.push(group.progress());
            disabled.extend(group.members.iter().map(|member| member.disabled));
            sampled.extend((0..group.members.len()).map(|lane| group.has_sample(lane)));
            group.save_memory(&mut memory)?;
        }
        *bytes = memory.bytes;
        Ok(())
    }

    /// Returns to what [`Self::save`] has kept, but not to readings that a sample at the time of `sampling` replaces.
    ///
    /// # Errors
    /// [`DecodeError`] if a model rejects a memory.
    pub fn load(
        &mut self,
        from: &SensorState,
        sampling: Option<&Clock>,
    ) -> Result<(), DecodeError> {
        let mut memory = Reader::new(&from.bytes);
        let mut disabled = from.disabled.iter();
        let (mut column, mut first) = (0, 0);
        for (group, progress) in self.groups.iter_mut().zip(&from.progress) {
            group.set_progress(*progress);
            let is_due = sampling.is_some_and(|clock| group.is_due(clock));
            let is_replaced = is_due && !group.keeps_readings();
            let SensorGroup { read, reads, columns, .. } = &mut *group;
            let states = read.states().iter().map(|own| (*own, false));
            let readings = read.outputs().iter().map(|own| (*own, is_replaced));
            let inputs = reads.columns().map(|own| (own, false));
            for (own, is_replaced) in states.chain(readings).chain(inputs) {
                if !is_replaced {
                    from.columns.load(column, first, columns.get_mut(own));
                }
                (column, first) = (column + 1, first + own.len());
            }
            for (member, disabled) in group.members.iter_mut().zip(&mut disabled) {
                member.disabled = *disabled;
            }
            group.load_memory(&mut memory)?;
        }
        Ok(())
    }

    /// Returns the place of the values of a quantity among what [`Self::save`] keeps.
    pub fn kept_place(&self, place: &SensorPlace) -> KeptPlace {
        let before = self.groups[..place.group].iter();
        let columns = before.clone().flat_map(|group| group.kept_columns());
        let group = &self.groups[place.group];
        let own = group.kept_columns().take_while(|column| *column != place.column);
        let (column, numbers) = columns
            .chain(own)
            .fold((0, 0), |(count, numbers), one| (count + 1, numbers + one.len()));
        let sensors: usize = before.map(|group| group.members.len()).sum();
        let mut places = group.read.shape().places(place.scope, place.lane);
        let first = places.next().unwrap_or(0);
        KeptPlace {
            column,
            first: numbers + first,
            stride: places.next().map_or(1, |second| second - first),
            len: place.len,
            reading_of: place.is_reading.then_some(sensors + place.lane),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_kept_with_their_bits() {
        let mut kept = KeptColumns::default();
        let steps: [&[&[f64]]; 3] = [
            &[&[1.0; 200], &[2.0, 3.0], &[]],
            &[&[0.0; 200], &[-0.0, 0.0], &[]],
            &[&[[7.0; 199].as_slice(), &[8.0]].concat(), &[f64::NAN; 2], &[]],
        ];
        for columns in steps {
            kept.equal.clear();
            columns.iter().fold(0, |first, column| kept.push(first, column));
            let mut first = 0;
            for (number, column) in columns.iter().enumerate() {
                let mut loaded = vec![9.0; column.len()];
                kept.load(number, first, &mut loaded);
                first += column.len();
                let bits =
                    |values: &[f64]| values.iter().map(|one| one.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&loaded), bits(column));
            }
        }
        assert!(kept.equal[0].is_none() && kept.equal[1].is_some());
    }
}
