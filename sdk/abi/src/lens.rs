//! Distortion of lenses as a Rust type, for the numbers in [`ImageDesc`](crate::ImageDesc).

use crate::image::distortion;

/// Distortion of a lens: from the ideal point (x, y) = (X/Z, Y/Z) in the optical frame to the
/// distorted point, which is at the pixel (fx·x + cx, fy·y + cy). The equations are the same as in
/// OpenCV and ROS.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Distortion {
    /// A pinhole camera.
    #[default]
    None,
    /// Radial and tangential distortion (Brown 1966, Conrady 1919) with k1, k2, p1, p2, k3: ROS's
    /// `plumb_bob`.
    BrownConrady([f64; 5]),
    /// A fisheye lens (Kannala and Brandt 2006) with k1 to k4: ROS's `equidistant`. The ideal point is
    /// at the angle θ from the optical axis, the distorted one at the distance
    /// θ (1 + k1 θ² + k2 θ⁴ + k3 θ⁶ + k4 θ⁸).
    Fisheye([f64; 4]),
}

impl Distortion {
    /// Returns the lens with this number and these coefficients.
    pub const fn from_parts(number: u32, coefficients: [f64; 8]) -> Option<Self> {
        let [a, b, c, d, e, ..] = coefficients;
        Some(match number {
            distortion::NONE => Self::None,
            distortion::BROWN_CONRADY => Self::BrownConrady([a, b, c, d, e]),
            distortion::FISHEYE => Self::Fisheye([a, b, c, d]),
            _ => return None,
        })
    }

    /// Returns the number of the lens and its coefficients.
    pub const fn parts(self) -> (u32, [f64; 8]) {
        match self {
            Self::None => (distortion::NONE, [0.0; 8]),
            Self::BrownConrady([k1, k2, p1, p2, k3]) => {
                (distortion::BROWN_CONRADY, [k1, k2, p1, p2, k3, 0.0, 0.0, 0.0])
            }
            Self::Fisheye([k1, k2, k3, k4]) => {
                (distortion::FISHEYE, [k1, k2, k3, k4, 0.0, 0.0, 0.0, 0.0])
            }
        }
    }
}
