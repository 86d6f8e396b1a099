//! Ports with one value per wheel of a vehicle.

/// An input with one value per wheel of the vehicle, in the order of the wheels of its dynamics
/// class. A sensor that is not on a vehicle has no wheels.
///
/// Controllers, sensors and dynamics classes declare it as a field of their inputs:
///
/// ```
/// # use simhost_sdk::prelude::*;
/// /// Wheel speeds.
/// #[derive(Ports)]
/// pub struct Speeds {
///     /// Wheel spin, positive when rolling forwards.
///     #[port(unit = "rad/s")]
///     spin: PerWheel,
/// }
///
/// fn fastest(speeds: &Speeds) -> f64 {
///     speeds.spin.iter().fold(0.0, |most, spin| spin.abs().max(most))
/// }
///
/// assert_eq!(fastest(&Speeds { spin: PerWheel::of(&[2.0, -3.0]) }), 3.0);
/// ```
pub struct PerWheel {
    /// First wheel of the lane. The pointer outlives every reference that a model gets.
    first: *const f64,
    /// Distance between wheels.
    stride: usize,
    count: usize,
}

impl PerWheel {
    /// Wraps values, for tests of a model.
    pub const fn of(values: &'static [f64]) -> Self {
        Self { first: values.as_ptr(), stride: 1, count: values.len() }
    }

    /// Wraps the wheels of a lane.
    ///
    /// # Safety
    ///
    /// `first.add(wheel * stride)` can be read for all wheels, for as long as the result exists.
    #[inline(always)]
    pub(crate) const unsafe fn new(first: *const f64, stride: usize, count: usize) -> Self {
        Self { first, stride, count }
    }

    /// Returns the number of wheels.
    #[inline(always)]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Returns the value of a wheel.
    ///
    /// # Panics
    ///
    /// If the vehicle does not have this wheel.
    #[inline(always)]
    pub fn get(&self, wheel: usize) -> f64 {
        check_range("wheel", wheel, self.count);
        // SAFETY: the wheel is in range.
        unsafe { *self.first.add(wheel * self.stride) }
    }

    /// Iterates over the values of all wheels.
    #[inline(always)]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        (0..self.count).map(|wheel| self.get(wheel))
    }
}

/// No wheels.
impl Default for PerWheel {
    fn default() -> Self {
        Self::of(&[])
    }
}

impl std::fmt::Debug for PerWheel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Panics with `what` if an index is not below `count`.
#[inline(always)]
pub(super) fn check_range(what: &'static str, index: usize, count: usize) {
    if index >= count {
        fail(what, index, count);
    }
}

/// The numbers are passed as values: a message that borrowed them would keep the wheels of a lane in
/// memory, and the loop over lanes would not vectorise under link-time optimisation.
#[cold]
#[inline(never)]
fn fail(what: &'static str, index: usize, count: usize) -> ! {
    panic!("{what} {index} of {count}")
}
