//! The vector instructions of the processor.

/// Returns whether the processor has the parts of AVX-512 that all but the first generation have.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn is_avx512() -> bool {
    std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx512dq")
        && std::is_x86_feature_detected!("avx512vl")
}
