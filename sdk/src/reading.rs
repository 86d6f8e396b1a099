//! Inputs with the last reading of a sensor.

use std::ops::Index;

use simhost_abi::{Batch, Scope};

use crate::PerWheel;

/// The type of a field of a struct that derives [`macro@crate::Ports`].
#[doc(hidden)]
pub trait PortValue: Sized {
    /// Number of values.
    const SCOPE: Scope;
    /// Whether the port has one value per wheel.
    const IS_PER_WHEEL: bool = matches!(Self::SCOPE, Scope::Wheel);
    /// Whether the port has the values of a reading.
    const IS_READING: bool = matches!(Self::SCOPE, Scope::Array);
    /// Loads field `k`.
    fn load(
        k: usize,
        get: &impl Fn(usize) -> f64,
        wheels: &impl Fn(usize) -> PerWheel,
        readings: &impl Fn(usize) -> Reading,
    ) -> Self;
    /// Stores field `k` if it has one value per vehicle.
    #[inline(always)]
    fn store(&self, _k: usize, _put: &mut impl FnMut(usize, f64)) {}
    /// Stores field `k` if it has one value per wheel.
    #[inline(always)]
    fn store_wheels(&self, _k: usize, _put: &mut impl FnMut(usize, usize, f64)) {}
    /// Returns the field if it is a reading.
    fn reading(&self) -> Option<&Reading> {
        None
    }
}

/// Defines [`PortValue::load`] as a function of its arguments.
macro_rules! load {
    (|$k:pat_param, $get:pat_param, $wheels:pat_param, $readings:pat_param| $value:expr) => {
        #[inline(always)]
        fn load(
            $k: usize,
            $get: &impl Fn(usize) -> f64,
            $wheels: &impl Fn(usize) -> PerWheel,
            $readings: &impl Fn(usize) -> Reading,
        ) -> Self {
            $value
        }
    };
}

impl PortValue for f64 {
    const SCOPE: Scope = Scope::Instance;
    load! { |k, get, _, _| get(k) }
    #[inline(always)]
    fn store(&self, k: usize, put: &mut impl FnMut(usize, f64)) {
        put(k, *self);
    }
}

impl PortValue for PerWheel {
    const SCOPE: Scope = Scope::Wheel;
    load! { |k, _, wheels, _| wheels(k) }
    #[inline(always)]
    fn store_wheels(&self, k: usize, put: &mut impl FnMut(usize, usize, f64)) {
        self.iter().enumerate().for_each(|(wheel, value)| put(k, wheel, value));
    }
}

/// An output with one value per wheel. Values of wheels that the vehicle does not have are dropped.
impl<const N: usize> PortValue for [f64; N] {
    const SCOPE: Scope = Scope::Wheel;
    load! { |k, _, wheels, _| {
        let wheels = wheels(k);
        std::array::from_fn(|wheel| if wheel < wheels.count() { wheels.get(wheel) } else { 0.0 })
    } }
    #[inline(always)]
    fn store_wheels(&self, k: usize, put: &mut impl FnMut(usize, usize, f64)) {
        self.iter().enumerate().for_each(|(wheel, value)| put(k, wheel, *value));
    }
}

impl PortValue for Reading {
    const SCOPE: Scope = Scope::Array;
    load! { |k, _, _, readings| readings(k) }
    fn reading(&self) -> Option<&Reading> {
        Some(self)
    }
}

/// An input with the last reading of a sensor of the vehicle: one value per ray for a reading of scope
/// ray, and one value otherwise.
///
/// Controllers, dynamics classes, fleets and sensors declare it as a field of their inputs. The host connects it to
/// the only output of this name among the sensors of the vehicle, or to the output that the world
/// file names: `<connect input="ranges" from="laser1/ranges"/>`.
///
/// Before the first sample there are no values and the age is infinite, so a model always checks
/// [`Self::is_empty`] or iterates.
///
/// ```
/// # use simhost_sdk::prelude::*;
/// /// A scan.
/// #[derive(Ports)]
/// pub struct Scan {
///     /// Ranges of the laser, from right to left.
///     #[port(unit = "m")]
///     ranges: Reading,
/// }
///
/// /// Returns the distance of the nearest obstacle in m, or `None` if the scan is older than 1 s.
/// fn nearest(scan: &Scan) -> Option<f64> {
///     (scan.ranges.age() < 1.0)
///         .then(|| scan.ranges.values().iter().copied().fold(f64::INFINITY, f64::min))
/// }
///
/// assert_eq!(nearest(&Scan { ranges: Reading::of(&[2.0, 0.5, 3.0]) }), Some(0.5));
/// assert_eq!(nearest(&Scan { ranges: Reading::default() }), None);
/// ```
pub struct Reading {
    /// First value. The pointer outlives every reference that a model gets.
    first: *const f64,
    len: usize,
    capacity: usize,
    /// Time since the sample, s.
    age: f64,
}

impl Reading {
    /// Wraps the values of a sample that is taken at the start of the step, for tests of a model.
    pub const fn of(values: &'static [f64]) -> Self {
        Self { first: values.as_ptr(), len: values.len(), capacity: values.len(), age: 0.0 }
    }

    /// Returns the reading with another age in s, for tests of a model.
    #[must_use]
    pub const fn aged(self, age: f64) -> Self {
        Self { age, ..self }
    }

    /// Wraps the reading of a lane from the column of input `k`.
    ///
    /// # Safety
    ///
    /// Input `k` of `batch` has scope *array*, `lane` is one of the call's, and the result is not used
    /// after the call.
    #[inline(always)]
    pub(crate) unsafe fn of_lane(batch: &Batch, column: *const f64, k: usize, lane: usize) -> Self {
        // SAFETY: promised by the caller; the host describes each input of scope *array*.
        unsafe {
            let port = &*batch.arrays.add(k);
            let len = (*port.counts.add(lane) as usize).min(port.capacity);
            let first = column.add(lane * port.stride);
            Self { first, len, capacity: port.capacity, age: *port.ages.add(lane) }
        }
    }

    /// Returns the values of the last sample, in the unit of the port and the order of the rays. The
    /// slice is empty before the first sample.
    #[inline(always)]
    pub const fn values(&self) -> &[f64] {
        // SAFETY: the values can be read for as long as this exists, by the promise of `of_lane`, and
        // nothing writes inputs during a call.
        unsafe { std::slice::from_raw_parts(self.first, self.len) }
    }

    /// Returns the number of values: 0 before the first sample.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the sensor has not been sampled yet, or has no rays.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the largest number of values, which does not change during a run. It is 0 for an optional
    /// input that no sensor provides.
    #[inline(always)]
    pub const fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns the time from the sample to the start of the step in s, or for a sensor to its own sample. It is
    /// infinite before the first sample.
    #[inline(always)]
    pub const fn age(&self) -> f64 {
        self.age
    }
}

/// No sample yet.
impl Default for Reading {
    fn default() -> Self {
        Self::of(&[]).aged(f64::INFINITY)
    }
}

/// Panics if there is no such value, as a slice does.
impl Index<usize> for Reading {
    type Output = f64;
    #[inline(always)]
    fn index(&self, index: usize) -> &f64 {
        &self.values()[index]
    }
}

impl<'r> IntoIterator for &'r Reading {
    type Item = &'r f64;
    type IntoIter = std::slice::Iter<'r, f64>;
    fn into_iter(self) -> Self::IntoIter {
        self.values().iter()
    }
}

impl std::fmt::Debug for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reading").field("age", &self.age).field("values", &self.values()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Reading;

    #[test]
    fn a_reading_is_a_slice_with_an_age() {
        let reading = Reading::of(&[1.0, 2.0]).aged(0.25);
        assert_eq!(reading.values(), [1.0, 2.0]);
        assert_eq!((reading.len(), reading.capacity(), reading.age()), (2, 2, 0.25));
        assert_eq!(reading[1], 2.0);
        assert_eq!((&reading).into_iter().sum::<f64>(), 3.0);
    }

    #[test]
    fn before_the_first_sample_there_is_nothing() {
        let reading = Reading::default();
        assert!(reading.is_empty());
        assert_eq!(reading.age(), f64::INFINITY);
    }
}
