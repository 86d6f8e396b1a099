//! Vectors and rotations with a fixed order of operations.
//!
//! Every function is a sequence of additions, multiplications, divisions and square roots, which
//! IEEE 754 defines to the last bit, so results are the same on every platform. Sums are computed
//! from the first component to the last, without fused multiply-add.
//!
//! Axes are right-handed: x points forwards, y to the left and z up. Units and frames are given by
//! the arguments of the caller.
//!
//! [`Vec2`] and [`Vec3`] are vectors, [`Rotation`] is a rotation in space, [`Fan`] has equally
//! spaced directions in a plane, and [`meet_triangle`] intersects a ray with a triangle. The SDK
//! and the framework share them.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod fan;
mod processor;
mod rotation;
mod vec2;

pub use fan::Fan;
#[cfg(target_arch = "x86_64")]
pub use processor::is_avx512;
pub use rotation::{Rotation, Vec3, meet_triangle};
pub use vec2::Vec2;

/// Implements what vectors of all dimensions share: conversions from and to arrays, access by index, and
/// the operations on each component.
macro_rules! vector {
    ($vector:ident, $n:literal, [$($axis:ident: $k:literal),+]) => {
        impl $vector {
            /// The zero vector.
            pub const ZERO: Self = Self { $($axis: 0.0),+ };

            /// Creates a vector from its components.
            #[inline(always)]
            pub const fn new($($axis: f64),+) -> Self {
                Self { $($axis),+ }
            }

            /// Returns the components.
            #[inline(always)]
            pub const fn to_array(self) -> [f64; $n] {
                [$(self.$axis),+]
            }

            /// Returns the vector with a function applied to each component.
            #[inline(always)]
            pub fn map(self, function: impl Fn(f64) -> f64) -> Self {
                Self { $($axis: function(self.$axis)),+ }
            }

            /// Returns the magnitude.
            #[inline(always)]
            pub fn length(self) -> f64 {
                self.dot(self).sqrt()
            }

            /// Returns the vector divided by its magnitude. The components are NaN for a zero
            /// vector.
            #[inline(always)]
            pub fn unit(self) -> Self {
                self / self.length()
            }
        }

        impl From<[f64; $n]> for $vector {
            #[inline(always)]
            fn from([$($axis),+]: [f64; $n]) -> Self {
                Self { $($axis),+ }
            }
        }

        impl From<$vector> for [f64; $n] {
            #[inline(always)]
            fn from(vector: $vector) -> Self {
                vector.to_array()
            }
        }

        impl std::ops::Index<usize> for $vector {
            type Output = f64;
            #[inline(always)]
            fn index(&self, axis: usize) -> &f64 {
                match axis {
                    $($k => &self.$axis,)+
                    _ => panic!("a vector has {} components, not {axis}", $n),
                }
            }
        }

        impl std::ops::IndexMut<usize> for $vector {
            #[inline(always)]
            fn index_mut(&mut self, axis: usize) -> &mut f64 {
                match axis {
                    $($k => &mut self.$axis,)+
                    _ => panic!("a vector has {} components, not {axis}", $n),
                }
            }
        }

        impl std::ops::Add for $vector {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self { $($axis: self.$axis + other.$axis),+ }
            }
        }

        impl std::ops::Sub for $vector {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                Self { $($axis: self.$axis - other.$axis),+ }
            }
        }

        impl std::ops::AddAssign for $vector {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl std::ops::SubAssign for $vector {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }

        impl std::ops::Neg for $vector {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                self.map(|part| -part)
            }
        }

        impl std::ops::Mul<f64> for $vector {
            type Output = Self;
            #[inline(always)]
            fn mul(self, factor: f64) -> Self {
                self.map(|part| part * factor)
            }
        }

        impl std::ops::Mul<$vector> for f64 {
            type Output = $vector;
            #[inline(always)]
            fn mul(self, vector: $vector) -> $vector {
                vector.map(|part| self * part)
            }
        }

        impl std::ops::Div<f64> for $vector {
            type Output = Self;
            #[inline(always)]
            fn div(self, divisor: f64) -> Self {
                self.map(|part| part / divisor)
            }
        }
    };
}
use vector;

#[cfg(test)]
mod tests;
