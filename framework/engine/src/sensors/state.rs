//! Sensors in snapshots.

use super::Sensors;
use super::fields::SensorPlace;
use crate::clock::Clock;
use crate::columns::Column;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};

/// Place of the values of a quantity among the numbers that [`Sensors::save`] keeps.
pub(crate) struct KeptPlace {
    /// Index of the first value.
    first: usize,
    /// Distance of the next one.
    stride: usize,
    len: usize,
    /// The sensor of a reading among [`Sensors::have_samples`], without whose sample there is no value.
    pub reading_of: Option<usize>,
}

impl KeptPlace {
    /// Copies the values from the numbers that were kept to the start of `to`.
    pub fn copy<T>(&self, numbers: &[f64], to: &mut [T], convert: &impl Fn(f64) -> T) {
        let Self { first, stride, len, .. } = *self;
        let to = to[..len].iter_mut();
        if stride == 1 {
            to.zip(&numbers[first..][..len]).for_each(|(to, value)| *to = convert(*value));
        } else {
            to.enumerate().for_each(|(at, to)| *to = convert(numbers[first + at * stride]));
        }
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.len
    }
}

impl Sensors {
    /// Writes the state.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        // the scene is updated before each sample, and an engine learns it again
        let Self { groups, infos: _, places: _, scene: _, acceleration: _ } = self;
        groups.iter().try_for_each(|group| group.write(to))
    }

    /// Keeps the state and the last readings, for [`Self::load`].
    ///
    /// # Errors
    /// [`SnapshotError`] if the model fails to save a memory.
    pub fn save(&self, numbers: &mut Vec<f64>, to: &mut Writer) -> Result<(), SnapshotError> {
        self.groups.iter().try_for_each(|group| group.save(numbers, to))
    }

    /// Returns the place of the values of a quantity among the numbers that [`Self::save`] keeps.
    pub fn kept_place(&self, place: &SensorPlace) -> KeptPlace {
        let before = self.groups[..place.group].iter();
        let (numbers, sensors) = before.fold((0, 0), |(numbers, sensors), group| {
            let kept: usize = group.kept_columns().map(|column| column.len()).sum();
            (numbers + kept, sensors + group.members.len())
        });
        let group = &self.groups[place.group];
        let columns = group.kept_columns().take_while(|column| *column != place.column);
        let column = numbers + columns.map(Column::len).sum::<usize>();
        let mut places = group.read.shape().places(place.scope, place.lane);
        let first = places.next().unwrap_or(0);
        KeptPlace {
            first: column + first,
            stride: places.next().map_or(1, |second| second - first),
            len: place.len,
            reading_of: place.is_reading.then_some(sensors + place.lane),
        }
    }

    /// Returns for each sensor, group by group, whether it has a sample.
    pub fn have_samples(&self) -> impl Iterator<Item = bool> {
        let groups = self.groups.iter();
        groups.flat_map(|group| (0..group.members.len()).map(|lane| group.has_sample(lane)))
    }

    /// Returns to what [`Self::save`] has kept, but not to readings that a sample at the time of `sampling` replaces.
    ///
    /// # Errors
    /// [`DecodeError`] if the model rejects a memory.
    pub fn load(
        &mut self,
        mut numbers: &[f64],
        from: &mut Reader<'_>,
        sampling: Option<&Clock>,
    ) -> Result<(), DecodeError> {
        for group in &mut self.groups {
            numbers = group.load(numbers, from, sampling)?;
        }
        Ok(())
    }

    /// Reads the state of the same sensors.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are damaged or a model rejects its memory.
    pub fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.groups.iter_mut().try_for_each(|group| group.read_state(from))
    }
}
