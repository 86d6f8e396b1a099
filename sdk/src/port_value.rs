//! Types of the fields of structs of ports.

use simhost_abi::Scope;

use crate::{PerWheel, Reading};

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
