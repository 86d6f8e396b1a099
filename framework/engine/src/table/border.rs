//! Points of vehicles that ledges stop.

use simhost_world::{Chassis, Profile};

use crate::ground::Patch;

/// Greatest distance between points of the border, m.
const SPACING: f64 = 0.2;

/// Points of a vehicle that ledges stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Border {
    /// Position, vehicle frame, m, and height above which ground stops the point, m.
    pub points: Vec<([f64; 2], f64)>,
    /// Point at which the vehicle's plane is the reference of heights; `None` for the point itself.
    pub reference: Option<[f64; 2]>,
    /// Lowest and highest point of the body, m. Ground above it belongs to another storey.
    span: [f64; 2],
    /// Radius of a circle about the reference point that contains all points, m.
    pub radius: f64,
}

impl Border {
    /// Creates the border of a vehicle with wheels at `wheels` of radii `radii` and an outline, m.
    pub fn new(
        wheels: &[[f64; 2]],
        radii: &[f64],
        outline: &[[f64; 2]],
        chassis: &Chassis,
        profile: &Profile,
    ) -> Self {
        let span = [chassis.z_min, chassis.z_max];
        let least = radii.iter().copied().fold(f64::INFINITY, f64::min);
        if radii.is_empty() {
            return Self::default();
        }
        let (points, reference, span) = if profile.steps_at_corners {
            let count = wheels.len() as f64;
            let mean = [0, 1].map(|axis| wheels.iter().map(|at| at[axis]).sum::<f64>() / count);
            let limit = 0.55 * 2.0 * radii[0];
            let corners = chassis.polygon.iter().map(|at| (*at, limit)).collect();
            (corners, Some(mean), [f64::NEG_INFINITY, 1.05 * span[1]])
        } else {
            let limit = least.max(span[0]);
            let mut points: Vec<_> = along(outline).map(|at| (at, limit)).collect();
            for ([x, y], radius) in wheels.iter().zip(radii) {
                points.extend([([x + radius, *y], *radius), ([x - radius, *y], *radius)]);
            }
            (points, None, span)
        };
        let far = |([x, y], _): &([f64; 2], f64)| (x * x + y * y).sqrt();
        let radius = points.iter().map(far).fold(0.0, f64::max) + 0.1;
        Self { points, reference, span, radius }
    }

    /// Returns whether the ground at a point of the world is more than `limit` above `base`, m.
    pub fn is_blocked(&self, patch: &Patch<'_>, base: f64, limit: f64, at: [f64; 2]) -> bool {
        let [low, high] = self.span.map(|height| base + height);
        // solid blocks above the underside of the body collide with it as bodies
        patch.height_below(at, high, low) - base > limit
    }
}

/// Returns the corners of an outline, and points on long edges.
fn along(outline: &[[f64; 2]]) -> impl Iterator<Item = [f64; 2]> {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).flat_map(|(a, b)| {
        let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
        let pieces = ((dx * dx + dy * dy).sqrt() / SPACING).ceil().clamp(1.0, 100.0);
        (0..pieces as usize).map(move |piece| {
            let part = piece as f64 / pieces;
            [a[0] + part * dx, a[1] + part * dy]
        })
    })
}
