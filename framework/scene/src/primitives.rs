//! Simple bodies: their outline, their heights and their upper surface.

use crate::polygon;

/// Maximum number of corners of an outline.
pub const MAX_CORNERS: u32 = 10_000;

/// Error in the numbers of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PrimitiveError {
    /// A length is out of range.
    #[error("{name} is out of range: {value}; expected a length in m, greater than 0")]
    Length {
        /// Name of the number.
        name: &'static str,
        /// Value in m.
        value: f64,
    },
    /// The number of corners is out of range.
    #[error("vertex_count is out of range: {count}; expected 3 to {MAX_CORNERS}")]
    Corners {
        /// Requested number of corners.
        count: u32,
    },
}

/// A body in its own frame with z upwards. Lengths are in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Primitive {
    /// A box with one corner at the origin, the others at positive coordinates.
    Box {
        /// Lengths along x, y and z.
        lengths: [f64; 3],
    },
    /// A cylinder that stands on the origin.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Height.
        length: f64,
        /// Number of corners of the outline.
        vertex_count: u32,
    },
    /// A sphere around the origin.
    Sphere {
        /// Radius.
        radius: f64,
        /// Number of corners of the outline.
        vertex_count: u32,
    },
    /// A ramp from z = 0 at x = 0 to its full height at the far end, centred in y.
    Ramp {
        /// Lengths along x, y and z.
        lengths: [f64; 3],
    },
    /// Half an elliptic cylinder that lies along x, centred in x and y.
    SemiCylinderBump {
        /// Lengths along x, y and z.
        lengths: [f64; 3],
    },
}

impl Primitive {
    /// Returns the primitive if its numbers are valid.
    ///
    /// # Errors
    /// A number is out of range.
    pub fn checked(self) -> Result<Self, PrimitiveError> {
        match self {
            Self::Box { lengths } | Self::Ramp { lengths } | Self::SemiCylinderBump { lengths } => {
                for (name, value) in ["lx", "ly", "lz"].into_iter().zip(lengths) {
                    positive(name, value)?;
                }
            }
            Self::Cylinder { radius, length, vertex_count } => {
                positive("radius", radius)?;
                positive("length", length)?;
                corners_in_range(vertex_count)?;
            }
            Self::Sphere { radius, vertex_count } => {
                positive("radius", radius)?;
                corners_in_range(vertex_count)?;
            }
        }
        Ok(self)
    }

    /// Returns the outline, convex and counter-clockwise. A circle becomes an inscribed regular
    /// polygon with `vertex_count` corners, the first one on the x axis.
    pub fn outline(&self) -> Vec<[f64; 2]> {
        match *self {
            Self::Box { lengths: [lx, ly, _] } => rectangle([0.0, 0.0], [lx, ly]),
            Self::Ramp { lengths: [lx, ly, _] } => rectangle([0.0, -0.5 * ly], [lx, 0.5 * ly]),
            Self::SemiCylinderBump { lengths: [lx, ly, _] } => {
                rectangle([-0.5 * lx, -0.5 * ly], [0.5 * lx, 0.5 * ly])
            }
            Self::Cylinder { radius, vertex_count, .. } | Self::Sphere { radius, vertex_count } => {
                regular_polygon(radius, vertex_count)
            }
        }
    }

    /// Returns the lowest and the highest point in m.
    pub fn z_range(&self) -> [f64; 2] {
        match *self {
            Self::Box { lengths: [_, _, lz] }
            | Self::Ramp { lengths: [_, _, lz] }
            | Self::SemiCylinderBump { lengths: [_, _, lz] } => [0.0, lz],
            Self::Cylinder { length, .. } => [0.0, length],
            Self::Sphere { radius, .. } => [-radius, radius],
        }
    }

    /// Returns the height in m of the surface that wheels roll on, or `None` outside the outline. A
    /// sphere has the height of its highest point everywhere, like a prism with its outline.
    pub fn height_at(&self, x: f64, y: f64) -> Option<f64> {
        if !polygon::contains(&self.outline(), [x, y]) {
            return None;
        }
        Some(match *self {
            Self::Ramp { lengths: [lx, _, lz] } => lz * x / lx,
            Self::SemiCylinderBump { lengths: [_, ly, lz] } => {
                let across = 2.0 * y / ly;
                lz * (1.0 - across * across).max(0.0).sqrt()
            }
            _ => self.z_range()[1],
        })
    }
}

fn positive(name: &'static str, value: f64) -> Result<(), PrimitiveError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(PrimitiveError::Length { name, value })
    }
}

fn corners_in_range(count: u32) -> Result<(), PrimitiveError> {
    if (3..=MAX_CORNERS).contains(&count) { Ok(()) } else { Err(PrimitiveError::Corners { count }) }
}

fn rectangle(min: [f64; 2], max: [f64; 2]) -> Vec<[f64; 2]> {
    vec![min, [max[0], min[1]], max, [min[0], max[1]]]
}

fn regular_polygon(radius: f64, count: u32) -> Vec<[f64; 2]> {
    let corner = |index: u32| {
        let angle = std::f64::consts::TAU * f64::from(index) / f64::from(count);
        let (sin, cos) = libm::sincos(angle);
        [radius * cos, radius * sin]
    };
    (0..count).map(corner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_its_corner_at_the_origin() {
        let solid = Primitive::Box { lengths: [2.0, 1.0, 0.5] };
        assert_eq!(solid.outline(), [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]]);
        assert_eq!(solid.height_at(1.9, 0.1), Some(0.5));
        assert_eq!(solid.height_at(-0.1, 0.5), None);
    }

    #[test]
    fn round_bodies_are_regular_polygons() {
        let solid = Primitive::Cylinder { radius: 2.0, length: 1.5, vertex_count: 6 };
        let outline = solid.outline();
        assert_eq!((outline.len(), outline[0]), (6, [2.0, 0.0]));
        // 3√3/2 r²
        assert!((polygon::area(&outline) - 1.5 * 3f64.sqrt() * 4.0).abs() < 1e-12);
        assert_eq!(solid.z_range(), [0.0, 1.5]);
        let sphere = Primitive::Sphere { radius: 2.0, vertex_count: 10 };
        assert_eq!((sphere.z_range(), sphere.height_at(1.0, 0.0)), ([-2.0, 2.0], Some(2.0)));
    }

    #[test]
    fn ramps_and_bumps_have_a_shaped_surface() {
        let ramp = Primitive::Ramp { lengths: [4.0, 2.0, 1.0] };
        assert_eq!(ramp.height_at(1.0, -0.9), Some(0.25));
        assert_eq!(ramp.height_at(1.0, 1.1), None);
        let bump = Primitive::SemiCylinderBump { lengths: [4.0, 2.0, 0.5] };
        assert_eq!(bump.height_at(-2.0, 0.0), Some(0.5));
        assert_eq!(bump.height_at(0.0, 1.0), Some(0.0));
        assert!((bump.height_at(0.0, 0.6).unwrap() - 0.4).abs() < 1e-12);
    }

    #[test]
    fn invalid_numbers_are_rejected() {
        for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Primitive::Ramp { lengths: [1.0, value, 1.0] }.checked().is_err());
        }
        let solid = |vertex_count| Primitive::Sphere { radius: 1.0, vertex_count };
        assert_eq!(solid(2).checked(), Err(PrimitiveError::Corners { count: 2 }));
        assert!(solid(u32::MAX).checked().is_err() && solid(3).checked().is_ok());
    }
}
