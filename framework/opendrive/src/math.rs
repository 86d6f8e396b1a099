//! Transcendental functions, so that positions do not depend on the platform.

pub(crate) use libm::{atan, atan2, cos, hypot, sin, sincos as sin_cos, tan};
