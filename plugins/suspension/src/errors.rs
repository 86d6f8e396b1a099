//! Errors of hardpoints and of the search for a pose.

use std::fmt::{Display, Formatter, Result};

/// Why hardpoints do not define a suspension.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HardpointError {
    /// A coordinate is not a finite number.
    #[error("`{point}` is {found:?}, expected three finite coordinates in m")]
    NotFinite {
        /// Name of the hardpoint.
        point: &'static str,
        /// Its coordinates, m.
        found: [f64; 3],
    },
    /// Two hardpoints that a part connects are at the same place.
    #[error(
        "`{first}` and `{second}` are {distance:.6} m apart, expected at least {least} m between \
         the ends of {part}; move one of them"
    )]
    Coincident {
        /// Name of a hardpoint.
        first: &'static str,
        /// Name of the other.
        second: &'static str,
        /// Part between them.
        part: &'static str,
        /// Distance, m.
        distance: f64,
        /// Least distance, m.
        least: f64,
    },
    /// Two hardpoints are in the wrong order, so that parts would cross.
    #[error(
        "hardpoints cross: `{first}` is at {axis} = {found} m and `{second}` at {axis} = {other} m, \
         expected `{first}` {relation} `{second}`; exchange them or correct the signs (x forwards, y to the \
         left, z up, left wheel)"
    )]
    Crossed {
        /// Name of the hardpoint.
        first: &'static str,
        /// Name of the other.
        second: &'static str,
        /// Axis along which they are compared.
        axis: char,
        /// Coordinate of the first, m.
        found: f64,
        /// Coordinate of the other, m.
        other: f64,
        /// Expected relation: above, outboard of, in front of.
        relation: &'static str,
    },
    /// A number is out of its range.
    #[error("{what} is {found}, expected {expected}")]
    OutOfRange {
        /// The number.
        what: &'static str,
        /// Its value.
        found: f64,
        /// The expected value.
        expected: &'static str,
    },
    /// The links do not determine the pose at rest.
    #[error(
        "the suspension is locked or loose at rest: {} do not determine the position of the wheel; \
         expected links that are neither all parallel nor in one plane; move their hardpoints",
        Names(.0)
    )]
    Singular(Vec<&'static str>),
    /// A travel within the declared range cannot be reached.
    #[error(transparent)]
    Unreachable(#[from] Unreachable),
}

/// Inputs that a linkage cannot reach from its rest pose.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "the wheel cannot reach {} = {:.4} m with {} = {:.4} m: the motion stops at {:.4} m and {:.4} m, \
     where {} lock; expected a travel that the links allow; reduce it or move their hardpoints",
    .names[0], .inputs[0], .names[1], .inputs[1], .reached[0], .reached[1], Names(.limiting)
)]
pub struct Unreachable {
    /// Names of the inputs.
    pub names: [&'static str; 2],
    /// Inputs, m.
    pub inputs: [f64; 2],
    /// Inputs at which the motion stops, m.
    pub reached: [f64; 2],
    /// Names of the parts that lock there.
    pub limiting: Vec<&'static str>,
}

/// Names in a sentence.
struct Names<'a>(&'a [&'static str]);

impl Display for Names<'_> {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        let Some((last, others)) = self.0.split_last() else { return to.write_str("the links") };
        if !others.is_empty() {
            write!(to, "{} and ", others.join(", "))?;
        }
        to.write_str(last)
    }
}
