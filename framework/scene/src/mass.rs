//! Mass, centre of mass and moment of inertia of planar bodies.

use std::ops::Add;

use crate::polygon;
use crate::pose::Pose2;

/// Mass properties of a body in a reference frame. The operator `+` combines bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MassProperties {
    /// Mass in kg.
    pub mass: f64,
    /// Centre of mass in m.
    pub centre: [f64; 2],
    /// Moment of inertia about the origin of the frame in kg·m².
    pub inertia_about_origin: f64,
}

impl MassProperties {
    /// Returns the properties of a polygon of uniform density.
    pub fn polygon(mass: f64, corners: &[[f64; 2]]) -> Self {
        Self {
            mass,
            centre: polygon::centroid(corners),
            inertia_about_origin: mass * polygon::second_moment(corners),
        }
    }

    /// Returns the properties of a rectangle of uniform density with `length` along its x axis and
    /// `width` along its y axis, in m.
    pub fn rectangle(mass: f64, length: f64, width: f64, pose: Pose2) -> Self {
        Self::placed(mass, mass * (length * length + width * width) / 12.0, pose)
    }

    /// Returns the properties of an upright wheel, a cylinder of uniform density with its axle along its y axis and a
    /// diameter and a width in m.
    pub fn wheel(mass: f64, diameter: f64, width: f64, pose: Pose2) -> Self {
        Self::placed(mass, mass * (diameter * diameter / 16.0 + width * width / 12.0), pose)
    }

    /// Returns the properties of a body with this moment of inertia about its centre, kg·m².
    fn placed(mass: f64, inertia: f64, Pose2 { x, y, .. }: Pose2) -> Self {
        Self { mass, centre: [x, y], inertia_about_origin: inertia + mass * (x * x + y * y) }
    }

    /// Returns the moment of inertia about the centre of mass in kg·m².
    pub fn inertia_about_centre(&self) -> f64 {
        let [x, y] = self.centre;
        self.inertia_about_origin - self.mass * (x * x + y * y)
    }
}

impl Add for MassProperties {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let mass = self.mass + other.mass;
        let weighted =
            |axis: usize| (self.mass * self.centre[axis] + other.mass * other.centre[axis]) / mass;
        Self {
            mass,
            centre: [weighted(0), weighted(1)],
            inertia_about_origin: self.inertia_about_origin + other.inertia_about_origin,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Body of a car, with the values that MVSim 1.2 (commit 9c1b072) computes in single precision.
    #[test]
    fn a_car_has_the_inertia_of_mvsim() {
        let outline = [[-0.8, -1.0], [1.5, -0.9], [1.8, -0.8], [1.8, 0.8], [1.5, 0.9], [-0.8, 1.0]];
        let mut car = MassProperties::polygon(800.0, &polygon::convex_hull(&outline));
        for (x, y) in [(0.0, 1.0), (0.0, -1.0), (1.3, 1.0), (1.3, -1.0)] {
            car = car + MassProperties::rectangle(6.0, 0.62, 0.3, Pose2 { x, y, yaw: 0.0 });
        }
        assert_eq!(car.mass, 824.0);
        assert!((car.inertia_about_origin / 902.430_725 - 1.0).abs() < 1e-6);
        assert!((car.centre[0] / 0.472_802_103 - 1.0).abs() < 1e-6);
        assert!(car.centre[1].abs() < 1e-12);
    }
}
