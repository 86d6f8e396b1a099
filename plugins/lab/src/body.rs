//! A rigid body of four point masses at the wheel centres.
//!
//! M = Σ m, x_CM = Σ m x / M, r = x − x_CM, I = −Σ m r̃² = Σ m (r² 1 − r rᵀ). Over a step h, forces give
//! v' = v + h F/M and L' = L + h τ, then x' = x + ½ h (v + v'), which is exact for constant forces, and
//! the orientation follows q̇ = ½ ω q with ω = R I⁻¹ Rᵀ L by the classical Runge-Kutta method. Without
//! torque the angular momentum L is constant.
//!
//! Source: driving-lab manual, section 3.4.1, after M. Teschner, *Simulation in Computer Graphics: Rigid
//! Bodies*. Corrected: the manual prints the inertia with the wrong sign, moves the position with the
//! velocity of before, and lets the rotation matrix leave the orthonormal ones.

use simhost_sdk::vectors::{Rotation, Vec3};

use crate::rotation::Quaternion;

/// Masses of a car and their places in the vehicle frame, whose origin lies on the ground below the
/// middle of the four wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Masses {
    /// Mass of each wheel, kg: rear left, rear right, front left, front right.
    pub wheel: [f64; 4],
    /// Positions of the wheel centres relative to the centre of mass, m.
    pub place: [Vec3; 4],
    /// Centre of mass, vehicle frame, m.
    pub centre: Vec3,
    /// Whole mass, kg.
    pub total: f64,
    /// Moments of inertia about the axes x (forward), y (left) and z (up) through the centre of mass,
    /// kg·m². The products are 0, because left and right are equal.
    pub inertia: Vec3,
}

impl Masses {
    /// Returns the body of axles with the masses `front` and `rear`, kg, a wheelbase, a track and a wheel
    /// radius, m.
    pub fn new([front, rear]: [f64; 2], wheelbase: f64, track: f64, radius: f64) -> Self {
        let wheel = [0.5 * rear, 0.5 * rear, 0.5 * front, 0.5 * front];
        let (x, y) = (0.5 * wheelbase, 0.5 * track);
        let corners = [[-x, y, radius], [-x, -y, radius], [x, y, radius], [x, -y, radius]];
        let total = front + rear;
        let centre = Vec3::new(x * (front - rear) / total, 0.0, radius);
        let place = corners.map(|[x, y, _]| Vec3::new(x - centre.x, y, 0.0));
        let sum = |of: fn(Vec3) -> f64| (0..4).map(|i| wheel[i] * of(place[i])).sum::<f64>();
        let inertia = Vec3::new(
            sum(|r| r.y * r.y + r.z * r.z),
            sum(|r| r.x * r.x + r.z * r.z),
            sum(|r| r.x * r.x + r.y * r.y),
        );
        Self { wheel, place, centre, total, inertia }
    }
}

/// Motion of the body, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Position of the centre of mass, m.
    pub position: Vec3,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vec3,
    /// Orientation.
    pub rotation: Quaternion,
    /// Angular momentum about the centre of mass, kg·m²/s.
    pub momentum: Vec3,
}

impl Body {
    /// Returns the angular velocity, rad/s, world frame: ω = R I⁻¹ Rᵀ L.
    #[inline(always)]
    pub fn omega(masses: &Masses, axes: &Rotation, momentum: Vec3) -> Vec3 {
        let (own, inertia) = (axes.invert(momentum), masses.inertia);
        axes.apply(Vec3::new(own.x / inertia.x, own.y / inertia.y, own.z / inertia.z))
    }

    /// Moves the body for `h` seconds from the velocity and the angular momentum of before to those that
    /// it has now.
    pub fn advance(&mut self, masses: &Masses, before: [Vec3; 2], h: f64) {
        let [velocity, momentum] = before;
        self.position += h * (0.5 * (velocity + self.velocity));
        let at = |share: f64| momentum + share * (self.momentum - momentum);
        let rate = |rotation: Quaternion, momentum: Vec3| {
            rotation.rate(Self::omega(masses, &rotation.axes(), momentum))
        };
        let from = self.rotation;
        let a = rate(from, at(0.0));
        let b = rate(from.plus(0.5 * h, a), at(0.5));
        let c = rate(from.plus(0.5 * h, b), at(0.5));
        let d = rate(from.plus(h, c), at(1.0));
        let sum = std::array::from_fn(|i| a[i] + 2.0 * (b[i] + c[i]) + d[i]);
        self.rotation = from.plus(h / 6.0, sum);
    }

    /// Returns the rotation energy ½ ω·L, J.
    pub fn rotation_energy(&self, masses: &Masses) -> f64 {
        let omega = Self::omega(masses, &self.rotation.axes(), self.momentum);
        0.5 * omega.dot(self.momentum)
    }

    /// Returns the velocity of a point at `lever` from the centre of mass, m/s, world frame.
    #[inline(always)]
    pub fn velocity_at(&self, omega: Vec3, lever: Vec3) -> Vec3 {
        self.velocity + omega.cross(lever)
    }
}
