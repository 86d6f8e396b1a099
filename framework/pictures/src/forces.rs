//! Forces of the ground on wheels.

use std::sync::Arc;

use crate::scene::WheelShape;
use crate::signals::NamedRun;

/// Forces of the ground on a wheel over time.
#[derive(Clone, Debug)]
pub struct Forces<'a> {
    /// Times, s.
    pub times: Arc<Vec<f64>>,
    /// Forward and leftward force, vehicle frame, N.
    pub force: [&'a [f64]; 2],
    /// Normal load, N.
    pub load: &'a [f64],
    /// Steering angle, rad.
    pub steer: &'a [f64],
    /// Heading without steering, vehicle frame, rad.
    pub yaw: f64,
    /// Friction coefficient, if the friction model has one.
    pub mu: Option<f64>,
}

impl<'a> Forces<'a> {
    /// Returns the forces on a wheel, if the run has them.
    pub fn of(named: &'a NamedRun, vehicle: &str, wheel: &str) -> Option<Self> {
        let series = |quantity: &str| named.run.get(&format!("{vehicle}/wheel/{wheel}/{quantity}"));
        let column = |quantity: &str| Some(series(quantity)?.columns.first()?.as_slice());
        let (fx, fy) = (column("fx")?, column("fy")?);
        let shape = named.scene.as_ref().and_then(|scene| scene.vehicle(vehicle));
        let shape: Option<&WheelShape> =
            shape.and_then(|shape| shape.wheels.iter().find(|known| known.name == wheel));
        Some(Self {
            times: series("fx")?.times.clone(),
            force: [fx, fy],
            load: column("normal_force")?,
            steer: column("steer")?,
            yaw: shape.map_or(0.0, |shape| shape.pose.yaw),
            mu: shape.and_then(|shape| shape.mu),
        })
    }

    /// Returns the longitudinal and lateral force of a sample in relation to the normal load, wheel
    /// frame.
    pub fn share_of_load(&self, at: usize) -> [f64; 2] {
        let (sin, cos) = (self.steer[at] + self.yaw).sin_cos();
        let [x, y] = [self.force[0][at], self.force[1][at]];
        let load = self.load[at].max(1e-9);
        [(x * cos + y * sin) / load, (y * cos - x * sin) / load]
    }

    /// Returns the used part of the grip of a sample, 1 at the limit; in relation to the normal load if
    /// the friction coefficient is not known.
    #[cfg(feature = "film")]
    pub fn grip_used(&self, at: usize) -> f64 {
        let [x, y] = self.share_of_load(at);
        x.hypot(y) / self.mu.filter(|mu| *mu > 0.0).unwrap_or(1.0)
    }
}
