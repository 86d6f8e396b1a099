//! Near standstill: from the slip-free model to the one with tyres.
//!
//! Slip angles and slip ratios have the speed below the line, so that the models with tyres say nothing at rest.
//! Below `from` the vehicle goes where its wheels point, above `to` its tyres act, and between them the two are mixed
//! with the weight s³(10 − 15 s + 6 s²) of s = (|v| − from)/(to − from), which is twice continuously
//! differentiable. Where the slip-free model acts, yaw rate and slip go to what it says within [`SETTLING`]; without that what was
//! left of them at the stop would stay.

use simhost_sdk::math;

/// Time constant with which states settle at what the slip-free model says, s.
pub const SETTLING: f64 = 0.02;

/// The speeds between which the models change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// Slip-free up to here, m/s.
    pub from: f64,
    /// All tyres from here on, m/s.
    pub to: f64,
}

/// For cars: centred at the 0.2 m/s of the STD model.
pub const CARS: Blend = Blend { from: 0.1, to: 0.3 };

impl Blend {
    /// Share of the model with tyres.
    #[inline(always)]
    pub fn weight(self, speed: f64) -> f64 {
        let s = ((speed.abs() - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        s * s * s * (10.0 + s * (6.0 * s - 15.0))
    }
}

/// Yaw rate, its rate, slip angle and its rate of a vehicle that goes where its wheels point, at the centre of
/// gravity.
#[derive(Clone, Copy, Debug)]
pub struct SlipFree {
    /// rad/s.
    pub yaw_rate: f64,
    /// rad/s².
    pub yaw_acceleration: f64,
    /// rad.
    pub beta: f64,
    /// rad/s.
    pub beta_rate: f64,
}

impl SlipFree {
    /// For the axles' distances `a` and `b` from the centre of gravity, the steering angle with its rate, and the
    /// speed with the acceleration along the path of the centre.
    #[inline(always)]
    pub fn of(a: f64, b: f64, steer: [f64; 2], speed: [f64; 2], squared_tangent: bool) -> Self {
        let length = a + b;
        let tan = math::tan(steer[0]);
        let beta = math::atan(tan * b / length);
        let beta_rate = beta_rate(a, b, steer, squared_tangent);
        let (sin_beta, cos_beta) = math::sin_cos(beta);
        // of ψ̇ = v cos β tan δ / L
        let yaw_acceleration = (speed[1] * cos_beta * tan - speed[0] * sin_beta * beta_rate * tan
            + speed[0] * cos_beta * steer[1] * (1.0 + tan * tan))
            / length;
        let yaw_rate = speed[0] * cos_beta * tan / length;
        Self { yaw_rate, yaw_acceleration, beta, beta_rate }
    }
}

/// Rate of atan(tan δ b/L), rad/s. The reference squares the tangent twice.
#[inline(always)]
pub fn beta_rate(a: f64, b: f64, steer: [f64; 2], squared_tangent: bool) -> f64 {
    let length = a + b;
    let tan = math::tan(steer[0]);
    let inner = if squared_tangent { tan * tan * b / length } else { tan * b / length };
    b * steer[1] * (1.0 + tan * tan) / (length * (1.0 + inner * inner))
}

/// `dynamic` in part `weight`, `slip_free` for the rest.
#[inline(always)]
pub fn mix(weight: f64, dynamic: f64, slip_free: f64) -> f64 {
    weight * dynamic + (1.0 - weight) * slip_free
}
