//! Forces of springs, dampers and stops as curves.
//!
//! A spring force is a preload plus a curve over compression; a damper force is a curve over the speed of compression.
//! Curves are monotone cubics through points, see [`interpolation`](crate::interpolation). A stop is a progressive
//! spring: F = k x + ½ k′ x² with the penetration x.

use crate::interpolation::{Curve, Interpolation};

/// Why points do not define a force.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ForceError {
    /// There are too few points.
    #[error("{what} has {found} points, expected at least {least}; add points")]
    TooFew {
        /// The curve.
        what: &'static str,
        /// Number of points.
        found: usize,
        /// Least number.
        least: usize,
    },
    /// A number is not finite.
    #[error("point {at} of {what} is ({x}, {y}), expected finite numbers")]
    NotFinite {
        /// The curve.
        what: &'static str,
        /// Number of the point, starting at 1.
        at: usize,
        /// Its first coordinate.
        x: f64,
        /// Its second coordinate.
        y: f64,
    },
    /// The first coordinates do not increase.
    #[error(
        "point {at} of {what} is at {x} {unit} after {before} {unit}, expected increasing values; sort the points"
    )]
    NotIncreasing {
        /// The curve.
        what: &'static str,
        /// Number of the point, starting at 1.
        at: usize,
        /// Its first coordinate.
        x: f64,
        /// First coordinate of the point before.
        before: f64,
        /// Unit.
        unit: &'static str,
    },
    /// A spring has a negative stiffness.
    #[error(
        "the spring force decreases from {before} N to {force} N between {from} m and {to} m, expected a stiffness of at least 0; correct point {at}"
    )]
    NegativeStiffness {
        /// Number of the second point, starting at 1.
        at: usize,
        /// Compression at the first point, m.
        from: f64,
        /// Compression at the second point, m.
        to: f64,
        /// Force at the first point, N.
        before: f64,
        /// Force at the second point, N.
        force: f64,
    },
    /// A damper pushes in the direction of its motion.
    #[error(
        "the damper force is {force} N at {speed} m/s, expected a force with the sign of the speed, so that the damper loses energy; correct point {at}"
    )]
    Drives {
        /// Number of the point, starting at 1.
        at: usize,
        /// Speed of compression, m/s.
        speed: f64,
        /// Force, N.
        force: f64,
    },
    /// A damper has a negative damping.
    #[error(
        "the damper force decreases from {before} N to {force} N between {from} m/s and {to} m/s, expected a damping of at least 0; correct point {at}"
    )]
    NegativeDamping {
        /// Number of the second point, starting at 1.
        at: usize,
        /// Speed at the first point, m/s.
        from: f64,
        /// Speed at the second point, m/s.
        to: f64,
        /// Force at the first point, N.
        before: f64,
        /// Force at the second point, N.
        force: f64,
    },
    /// A parameter is out of its range.
    #[error("{what} is {found}, expected {expected}")]
    OutOfRange {
        /// The parameter.
        what: &'static str,
        /// Its value.
        found: f64,
        /// The expected value.
        expected: &'static str,
    },
}

/// Checks that points have finite and increasing first coordinates.
fn check(
    points: &[[f64; 2]],
    what: &'static str,
    unit: &'static str,
    least: usize,
) -> Result<(), ForceError> {
    if points.len() < least {
        return Err(ForceError::TooFew { what, found: points.len(), least });
    }
    for (k, &[x, y]) in points.iter().enumerate() {
        let at = k + 1;
        if !(x.is_finite() && y.is_finite()) {
            return Err(ForceError::NotFinite { what, at, x, y });
        }
        if k > 0 && x <= points[k - 1][0] {
            let before = points[k - 1][0];
            return Err(ForceError::NotIncreasing { what, at, x, before, unit });
        }
    }
    Ok(())
}

fn curve(points: &[[f64; 2]]) -> Curve {
    let [x, y] = [0, 1].map(|k| points.iter().map(|point| point[k]).collect());
    Curve::new(x, y, Interpolation::Monotone)
}

/// A progressive stop.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stop {
    /// Compression, or extension for a rebound stop, at which the stop is touched, m.
    pub clearance: f64,
    /// Stiffness when it is touched, N/m.
    pub stiffness: f64,
    /// Increase of the stiffness per penetration, N/m².
    pub progression: f64,
}

impl Stop {
    /// Checks that stiffness and progression are not negative.
    ///
    /// # Errors
    ///
    /// A stop whose force would decrease.
    pub fn check(&self) -> Result<(), ForceError> {
        let parts = [
            ("the stiffness of a stop in N/m", self.stiffness),
            ("the progression of a stop in N/m²", self.progression),
        ];
        match parts.into_iter().find(|(_, value)| !(0.0..f64::INFINITY).contains(value)) {
            Some((what, found)) => Err(ForceError::OutOfRange {
                what,
                found,
                expected: "a finite value of at least 0",
            }),
            None => Ok(()),
        }
    }

    /// Returns force, N, and stiffness, N/m, at a compression, m.
    #[inline(always)]
    pub fn at(&self, compression: f64) -> [f64; 2] {
        let depth = (compression - self.clearance).max(0.0);
        let stiffness = self.stiffness + self.progression * depth;
        let force = 0.5 * (self.stiffness + stiffness) * depth;
        [force, if depth > 0.0 { stiffness } else { 0.0 }]
    }

    /// Returns the energy at a compression, m, J.
    pub fn energy(&self, compression: f64) -> f64 {
        let depth = (compression - self.clearance).max(0.0);
        depth * depth * (0.5 * self.stiffness + self.progression * depth / 6.0)
    }
}

/// A spring with its stops.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpringForce {
    /// Force over compression from the ride height, without preload.
    curve: Curve,
    /// Force added to the curve, N.
    preload: f64,
    /// Stop in compression.
    bump: Stop,
    /// Stop in extension.
    rebound: Stop,
}

impl SpringForce {
    /// Creates a spring from points of compression, m, and force, N.
    ///
    /// # Errors
    ///
    /// Points without order, and a force that decreases.
    pub fn new(points: &[[f64; 2]], [bump, rebound]: [Stop; 2]) -> Result<Self, ForceError> {
        check(points, "the spring curve", "m", 2)?;
        for (k, pair) in points.windows(2).enumerate() {
            let [[from, before], [to, force]] = [pair[0], pair[1]];
            if force < before {
                return Err(ForceError::NegativeStiffness { at: k + 2, from, to, before, force });
            }
        }
        bump.check()?;
        rebound.check()?;
        Ok(Self { curve: curve(points), preload: 0.0, bump, rebound })
    }

    /// Creates a linear spring of a stiffness, N/m.
    ///
    /// # Errors
    ///
    /// A stiffness that is not above 0.
    pub fn linear(stiffness: f64, stops: [Stop; 2]) -> Result<Self, ForceError> {
        if !(stiffness > 0.0 && stiffness.is_finite()) {
            let what = "the stiffness of a spring in N/m";
            return Err(ForceError::OutOfRange {
                what,
                found: stiffness,
                expected: "a finite value above 0",
            });
        }
        Self::new(&[[0.0, 0.0], [1.0, stiffness]], stops)
    }

    /// Returns the spring with a preload, N, which adds to its curve.
    pub fn preloaded(self, preload: f64) -> Self {
        Self { preload, ..self }
    }

    /// Returns the spring with the preload at which its force at the ride height is `force`, N: the load of the wheel
    /// divided by the motion ratio.
    pub fn at_ride_height(self, force: f64) -> Self {
        let preload = force - (self.at(0.0)[0] - self.preload);
        self.preloaded(preload)
    }

    /// Returns the preload, N.
    pub fn preload(&self) -> f64 {
        self.preload
    }

    /// Returns force, N, positive in compression, and stiffness, N/m, at a compression from the ride height, m.
    #[inline(always)]
    pub fn at(&self, compression: f64) -> [f64; 2] {
        let [force, stiffness] = self.curve.at(compression);
        let [bump, bump_stiffness] = self.bump.at(compression);
        let [rebound, rebound_stiffness] = self.rebound.at(-compression);
        let force = self.preload + force + bump - rebound;
        [force, stiffness + bump_stiffness + rebound_stiffness]
    }

    /// Returns the energy at a compression from the ride height, m, where it is 0, J.
    pub fn energy(&self, compression: f64) -> f64 {
        let stops = self.bump.energy(compression) - self.bump.energy(0.0)
            + self.rebound.energy(-compression)
            - self.rebound.energy(0.0);
        self.preload * compression + self.curve.integral(compression) + stops
    }
}

/// A damper.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DamperForce {
    /// Force over speed of compression.
    curve: Curve,
}

impl DamperForce {
    /// Creates a damper from points of speed, m/s, positive in compression, and force, N. The point (0, 0) is added if
    /// it is missing.
    ///
    /// # Errors
    ///
    /// Points without order, a force against the speed, and a force that decreases, which would be against the speed
    /// beyond the points.
    pub fn new(points: &[[f64; 2]]) -> Result<Self, ForceError> {
        check(points, "the damper curve", "m/s", 1)?;
        let drives = |[speed, force]: [f64; 2]| {
            if speed == 0.0 { force != 0.0 } else { force * speed < 0.0 }
        };
        if let Some(k) = points.iter().position(|point| drives(*point)) {
            let [speed, force] = points[k];
            return Err(ForceError::Drives { at: k + 1, speed, force });
        }
        for (k, pair) in points.windows(2).enumerate() {
            let [[from, before], [to, force]] = [pair[0], pair[1]];
            if force < before {
                return Err(ForceError::NegativeDamping { at: k + 2, from, to, before, force });
            }
        }
        let mut points = points.to_vec();
        let place = points.partition_point(|point| point[0] < 0.0);
        if points.get(place).is_none_or(|point| point[0] != 0.0) {
            points.insert(place, [0.0; 2]);
        }
        Ok(Self { curve: curve(&points) })
    }

    /// Returns force, N, positive in compression, and damping, N·s/m, at a speed of compression, m/s.
    #[inline(always)]
    pub fn at(&self, speed: f64) -> [f64; 2] {
        self.curve.at(speed)
    }
}
