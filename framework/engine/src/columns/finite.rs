//! Search for numbers that are not finite, in vectors.

/// Smallest count of numbers that are looked at without a branch each.
const SEVERAL: usize = 8;
/// Smallest count with which it pays to ask which vectors the processor has.
const MANY: usize = 24;

/// Returns whether all numbers are finite.
#[inline]
pub(crate) fn all_finite(values: &[f64]) -> bool {
    if values.len() < SEVERAL {
        return values.iter().all(|value| value.is_finite());
    }
    #[cfg(target_arch = "x86_64")]
    if values.len() >= MANY && std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { all_finite_avx2(values) };
    }
    all_finite_of_many(values)
}

/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn all_finite_avx2(values: &[f64]) -> bool {
    all_finite_of_many(values)
}

/// Returns whether all numbers are finite, without a branch per number.
#[inline(always)]
#[expect(clippy::eq_op, reason = "the difference is 0 for finite numbers, and NaN for all others")]
fn all_finite_of_many(values: &[f64]) -> bool {
    let mut bits = 0;
    for value in values {
        bits |= (value - value).to_bits();
    }
    bits == 0
}

#[cfg(test)]
mod tests {
    use super::all_finite;

    #[test]
    fn each_number_that_is_not_finite_is_found() {
        for count in [1, 7, 8, 9, 63, 64, 65, 200] {
            let finite = [0.0, -0.0, 1.0, f64::MIN, f64::MAX, 5e-324];
            let mut values: Vec<f64> = finite.iter().copied().cycle().take(count).collect();
            assert!(all_finite(&values));
            for place in 0..count {
                for bad in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                    let good = std::mem::replace(&mut values[place], bad);
                    assert!(!all_finite(&values), "{bad} at {place} of {count}");
                    values[place] = good;
                }
            }
        }
    }
}
