//! Numbers near zero, where models switch between cases, for the property tests of several crates.

#![allow(dead_code, reason = "each crate uses a part")]

use proptest::prelude::*;

/// Returns numbers of both signs up to `reach`; most are far smaller.
pub fn small(reach: f64) -> impl Strategy<Value = f64> {
    (-12.0..0.0_f64, any::<bool>()).prop_map(move |(exponent, back)| {
        let size = reach * 10.0_f64.powf(exponent);
        if back { -size } else { size }
    })
}

/// Returns numbers from `-reach` to `reach`; half of them are near zero.
pub fn within(reach: f64) -> impl Strategy<Value = f64> {
    prop_oneof![-reach..reach, small(reach)]
}
