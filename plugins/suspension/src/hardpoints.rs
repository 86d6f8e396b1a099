//! Checks of hardpoints, and what all layouts with a carrier have in common.

use simhost_sdk::vectors::Vec3;

use crate::alignment::WheelGeometry;
use crate::corner::{Mount, Strut};
use crate::errors::HardpointError;
use crate::joint::Joint;
use crate::linkage::{Inputs, NamedJoint};

/// Least length of a part, m.
const LEAST_LENGTH: f64 = 0.01;
/// Inputs of a wheel, whose centre is the origin of its carrier.
pub const WHEEL_INPUTS: Inputs = Inputs { names: ["travel", "rack"], lift: [1.0, 0.0] };

/// A hardpoint with its name.
#[derive(Clone, Copy, Debug)]
pub struct Hardpoint {
    /// Name in a world file.
    pub name: &'static str,
    /// Position at rest, m.
    pub at: Vec3,
}

impl Hardpoint {
    /// Names a point.
    pub const fn new(name: &'static str, at: Vec3) -> Self {
        Self { name, at }
    }

    fn crossed(self, other: Self, axis: usize, relation: &'static str) -> HardpointError {
        HardpointError::Crossed {
            first: self.name,
            second: other.name,
            axis: ['x', 'y', 'z'][axis],
            found: self.at[axis],
            other: other.at[axis],
            relation,
        }
    }

    /// Checks that this point is outboard of another one.
    ///
    /// # Errors
    ///
    /// A point that is not.
    pub fn check_outboard_of(self, other: Self) -> Result<(), HardpointError> {
        if self.at.y > other.at.y { Ok(()) } else { Err(self.crossed(other, 1, "outboard of")) }
    }

    /// Checks that this point is above another one.
    ///
    /// # Errors
    ///
    /// A point that is not.
    pub fn check_above(self, other: Self) -> Result<(), HardpointError> {
        if self.at.z > other.at.z { Ok(()) } else { Err(self.crossed(other, 2, "above")) }
    }

    /// Checks that this point is in front of another one.
    ///
    /// # Errors
    ///
    /// A point that is not.
    pub fn check_in_front_of(self, other: Self) -> Result<(), HardpointError> {
        if self.at.x > other.at.x { Ok(()) } else { Err(self.crossed(other, 0, "in front of")) }
    }

    /// Checks that `part` connects this point to another one.
    ///
    /// # Errors
    ///
    /// Points at the same place.
    pub fn check_apart(self, other: Self, part: &'static str) -> Result<(), HardpointError> {
        let distance = (self.at - other.at).length();
        if distance >= LEAST_LENGTH {
            return Ok(());
        }
        let (first, second) = (self.name, other.name);
        Err(HardpointError::Coincident { first, second, part, distance, least: LEAST_LENGTH })
    }
}

/// Checks that all coordinates are numbers.
///
/// # Errors
///
/// A point with a coordinate that is not finite.
pub fn check_finite(points: &[Hardpoint]) -> Result<(), HardpointError> {
    match points.iter().find(|point| !point.at.to_array().iter().all(|part| part.is_finite())) {
        Some(point) => {
            Err(HardpointError::NotFinite { point: point.name, found: point.at.to_array() })
        }
        None => Ok(()),
    }
}

/// A wheel at rest, in the frame of the vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wheel {
    /// Centre of the left wheel, m.
    pub centre: Vec3,
    /// Vector along the spin axis, pointing outboard, which contains static camber and toe.
    pub spin_axis: Vec3,
    /// Radius, m.
    pub radius: f64,
}

impl Wheel {
    /// Returns the wheel in the frame of its carrier.
    ///
    /// # Errors
    ///
    /// A radius that is not above 0, a spin axis that does not point outboard, and a centre that is not left of the
    /// middle of the vehicle.
    pub fn on_carrier(&self, origin: Vec3) -> Result<WheelGeometry, HardpointError> {
        let out_of_range =
            |what, found, expected| Err(HardpointError::OutOfRange { what, found, expected });
        if !(self.radius > 0.0 && self.radius.is_finite()) {
            return out_of_range("`wheel_radius`", self.radius, "a finite length above 0 m");
        }
        let length = self.spin_axis.length();
        if !(length.is_finite() && self.spin_axis.y > 0.5 * length) {
            let expected = "a y component of the unit vector above 0.5: the axis points outboard";
            return out_of_range("`spin_axis`", self.spin_axis.y / length, expected);
        }
        if self.centre.y <= 0.0 {
            let expected = "a y coordinate above 0 m: the hardpoints are those of a left wheel";
            return out_of_range("`wheel_centre`", self.centre.y, expected);
        }
        let centre = self.centre - origin;
        Ok(WheelGeometry { centre, spin_axis: self.spin_axis.unit(), radius: self.radius })
    }
}

/// A link between two hardpoints.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Name in messages.
    pub name: &'static str,
    /// Joint at the vehicle.
    pub inner: Hardpoint,
    /// Joint at the body.
    pub outer: Hardpoint,
    /// Displacement of `inner` along the y axis per unit of each input.
    pub moved: [f64; 2],
}

impl Link {
    /// Returns the constraint of the link on a body with its origin at `origin`.
    ///
    /// # Errors
    ///
    /// A link without length.
    pub fn joint(&self, origin: Vec3) -> Result<NamedJoint, HardpointError> {
        self.inner.check_apart(self.outer, self.name)?;
        let (inner, outer) = (self.inner.at, self.outer.at);
        let length = (outer - inner).length();
        let joint = Joint::Link { inner, moved: self.moved, outer: outer - origin, length };
        Ok(NamedJoint { name: self.name, joint })
    }
}

/// Ends of a spring or a shock absorber at rest, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrutEnds {
    /// End at the vehicle.
    pub top: Vec3,
    /// Other end.
    pub lower: Vec3,
}

/// Returns the spring and the shock absorber.
///
/// # Errors
///
/// One without length.
pub fn struts(
    ends: [StrutEnds; 2],
    mount: impl Fn(Vec3) -> Mount,
) -> Result<[Strut; 2], HardpointError> {
    let [spring, shock] = ends;
    let point = Hardpoint::new;
    let parts = [
        (point("spring_top", spring.top), point("spring_lower", spring.lower), "the spring"),
        (point("shock_top", shock.top), point("shock_lower", shock.lower), "the shock absorber"),
    ];
    for (top, lower, part) in parts {
        check_finite(&[top, lower])?;
        top.check_apart(lower, part)?;
    }
    Ok(ends.map(|ends| Strut { top: ends.top, lower: mount(ends.lower) }))
}
