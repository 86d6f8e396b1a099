//! The constants and the state of a car on four wheels with travel.
//!
//! The frame of the body has x forward, y to the left and z up, with its origin in the centre of mass of
//! the body. The attitude is R_z(ψ) R_y(θ) R_x(φ): pitch θ is positive with the nose down, roll φ with the
//! left side up. Wheels are in the order of [`WheelPlace::CAR`](simhost_sdk::WheelPlace::CAR): rear left,
//! rear right, front left, front right.

use simhost_sdk::vectors::Vec3;
use simhost_suspension::springs::{DamperForce, SpringForce};

/// One value per wheel.
pub type Wheels4 = [f64; 4];

/// Evaluates an expression for each wheel, whose number has the given name. The expressions are written out, because a
/// closure or a loop would keep the loop over cars from becoming vector instructions.
macro_rules! each {
    ($wheel:ident => $value:expr) => {
        [
            {
                let $wheel = 0_usize;
                $value
            },
            {
                let $wheel = 1_usize;
                $value
            },
            {
                let $wheel = 2_usize;
                $value
            },
            {
                let $wheel = 3_usize;
                $value
            },
        ]
    };
}
pub(crate) use each;

/// Returns the sum over the wheels.
#[inline(always)]
pub(crate) fn sum([a, b, c, d]: Wheels4) -> f64 {
    a + b + c + d
}

/// Sign of y of each wheel.
pub const SIDE: Wheels4 = [1.0, -1.0, 1.0, -1.0];

/// The constants of a car.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Car {
    /// Mass of the body without the wheels, kg.
    pub mass: f64,
    /// Height of its centre of mass above level ground at rest, m.
    pub height: f64,
    /// Moments of inertia of the body about x, y and z, kg·m².
    pub inertia: [f64; 3],
    /// Position of each wheel ahead of the centre of mass, m.
    pub x: Wheels4,
    /// Position of each wheel to the left of the centre of mass, m.
    pub y: Wheels4,
    /// Mass that moves with each wheel, kg.
    pub unsprung: Wheels4,
    /// Distance of the roll centre of each axle below the centre of mass, m.
    pub roll_arm: Wheels4,
    /// Linear springs and dampers of each wheel.
    pub springs: [Spring; 4],
    /// Springs and dampers by curve of the rear and of the front axle, which replace stiffness and damping.
    pub curves: [Option<AxleForces>; 2],
    /// Stiffness of the anti-roll bar of each axle, N per m of difference of the travels of its wheels.
    pub bar: Wheels4,
    /// Free radius of each wheel, m.
    pub radius: Wheels4,
    /// Vertical stiffness of each tyre, N/m.
    pub tyre_stiffness: Wheels4,
    /// Vertical damping of each tyre, N·s/m.
    pub tyre_damping: Wheels4,
    /// Moment of inertia of each wheel about its axle, kg·m².
    pub spin_inertia: Wheels4,
    /// Gravity at which the car was at rest, m/s².
    pub gravity: f64,
    /// Whether gyroscopic moments are left out, and the yaw alone turns the horizontal velocity; see
    /// [`crate::equations`].
    pub simplified: bool,
    /// Whether body and wheels move in the plane as one mass, without the coupling to roll, pitch and heave.
    pub planar: bool,
}

/// Spring and damper of a wheel, reduced to the wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spring {
    /// Stiffness, N/m.
    pub stiffness: f64,
    /// Damping, N·s/m.
    pub damping: f64,
    /// Force at rest, N.
    pub preload: f64,
}

/// Spring and damper of each wheel of an axle by curve, with stops, over the compression of the spring.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AxleForces {
    /// Spring with its stops.
    pub spring: SpringForce,
    /// Damper.
    pub damper: DamperForce,
    /// Whether the spring has the force that carries the body, instead of the preload of [`Spring`].
    pub carries_weight: bool,
}

impl AxleForces {
    /// Returns the force, N, at a compression, m, that changes at a rate, m/s.
    #[inline(always)]
    pub fn at(&self, compression: f64, rate: f64) -> f64 {
        self.spring.at(compression)[0] + self.damper.at(rate)[0]
    }
}

/// What follows from the weight at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rest {
    /// Distance of each wheel centre below the centre of mass of the body, m.
    pub length: Wheels4,
    /// Deflection of each tyre, m.
    pub deflection: Wheels4,
}

impl Car {
    /// Returns the stiffness of the spring of a wheel in its design position, N/m.
    pub fn stiffness(&self, wheel: usize) -> f64 {
        match &self.curves[wheel / 2] {
            Some(axle) => axle.spring.at(0.0)[1],
            None => self.springs[wheel].stiffness,
        }
    }

    /// Returns the weight of the body on each wheel at rest on level ground, N.
    pub fn body_load(&self) -> Wheels4 {
        let (rear, front) = (-self.x[0], self.x[2]);
        let weight = self.mass * self.gravity / (2.0 * (front + rear));
        [weight * front, weight * front, weight * rear, weight * rear]
    }

    /// Returns lengths and deflections at rest.
    pub fn rest(&self) -> Rest {
        let load = self.body_load();
        let deflection = std::array::from_fn(|wheel| {
            (load[wheel] + self.unsprung[wheel] * self.gravity) / self.tyre_stiffness[wheel]
        });
        let length =
            std::array::from_fn(|wheel| self.height - self.radius[wheel] + deflection[wheel]);
        Rest { length, deflection }
    }
}

/// The state of a car.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarState {
    /// Position of the centre of mass of the body, world frame, m.
    pub position: Vec3,
    /// Roll, pitch and yaw, rad.
    pub angles: [f64; 3],
    /// Velocity of the centre of mass along the axes of the body, m/s.
    pub velocity: Vec3,
    /// Angular velocity about the axes of the body, rad/s.
    pub rate: Vec3,
    /// Travel of each wheel from rest, positive in bump, m.
    pub travel: Wheels4,
    /// Velocity of each wheel along z of the body, m/s.
    pub rise: Wheels4,
    /// Spin of each wheel, positive when rolling forwards, rad/s.
    pub spin: Wheels4,
}

impl Default for CarState {
    fn default() -> Self {
        Self {
            position: Vec3::ZERO,
            angles: [0.0; 3],
            velocity: Vec3::ZERO,
            rate: Vec3::ZERO,
            travel: [0.0; 4],
            rise: [0.0; 4],
            spin: [0.0; 4],
        }
    }
}

impl CarState {
    /// Returns whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        let vectors = [self.position, self.velocity, self.rate];
        let sum: f64 = vectors.iter().flat_map(|one| one.to_array()).sum();
        let of_wheels = [self.travel, self.rise, self.spin];
        let wheels: f64 = of_wheels.iter().flatten().sum();
        (sum + wheels + self.angles.iter().sum::<f64>()).is_finite()
    }

    /// Returns the state plus `rates` times `dt`, s.
    #[inline(always)]
    pub fn advanced(&self, rates: &Self, dt: f64) -> Self {
        let add = |one: Wheels4, rate: Wheels4| each!(wheel => one[wheel] + dt * rate[wheel]);
        let add3 = |[a, b, c]: [f64; 3], [x, y, z]: [f64; 3]| [a + dt * x, b + dt * y, c + dt * z];
        Self {
            position: self.position + dt * rates.position,
            angles: add3(self.angles, rates.angles),
            velocity: self.velocity + dt * rates.velocity,
            rate: self.rate + dt * rates.rate,
            travel: add(self.travel, rates.travel),
            rise: add(self.rise, rates.rise),
            spin: add(self.spin, rates.spin),
        }
    }
}
