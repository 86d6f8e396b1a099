//! The transition near standstill from the model without slip to the model with tyres.
//!
//! Slip angles and slip ratios are divided by the speed, so the models with tyres are undefined at
//! rest. Below `from` the vehicle moves without slip, above `to` its tyres act, and between them
//! both models are blended with the weight s³(10 − 15 s + 6 s²) of s = (|v| − from)/(to − from),
//! which is twice continuously differentiable. Where the model without slip acts, yaw rate and slip
//! angle settle within [`SETTLING`] to the values that it implies; otherwise they would keep their
//! values from before the stop.

use simhost_sdk::math;

/// Time constant with which states settle to the model without slip, s.
pub const SETTLING: f64 = 0.02;

/// The speeds between which the models are blended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// Speed up to which there is no slip, m/s.
    pub from: f64,
    /// Speed from which only the tyres act, m/s.
    pub to: f64,
}

/// Blend for cars, centred at the 0.2 m/s of the STD model.
pub const CARS: Blend = Blend { from: 0.1, to: 0.3 };

impl Blend {
    /// Returns the weight of the model with tyres.
    #[inline(always)]
    pub fn weight(self, speed: f64) -> f64 {
        let s = ((speed.abs() - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        s * s * s * (10.0 + s * (6.0 * s - 15.0))
    }
}

/// Yaw rate, slip angle and their rates of a vehicle without slip, at the centre of gravity.
#[derive(Clone, Copy, Debug)]
pub struct SlipFree {
    /// Rate, rad/s.
    pub yaw_rate: f64,
    /// Yaw acceleration, rad/s².
    pub yaw_acceleration: f64,
    /// Slip angle, rad.
    pub beta: f64,
    /// Rate, rad/s.
    pub beta_rate: f64,
}

impl SlipFree {
    /// Returns the motion for the distances `a` and `b` of the axles from the centre of gravity,
    /// the steering angle with its rate, and the speed with the acceleration along the path of the
    /// centre.
    #[inline(always)]
    pub fn of(a: f64, b: f64, steer: [f64; 2], speed: [f64; 2], squared_tangent: bool) -> Self {
        let length = a + b;
        let tan = math::tan(steer[0]);
        let beta = math::atan(tan * b / length);
        let beta_rate = beta_rate(a, b, steer, squared_tangent);
        let (sin_beta, cos_beta) = math::sin_cos(beta);
        // derivative of ψ̇ = v cos β tan δ / L
        let yaw_acceleration = (speed[1] * cos_beta * tan - speed[0] * sin_beta * beta_rate * tan
            + speed[0] * cos_beta * steer[1] * (1.0 + tan * tan))
            / length;
        let yaw_rate = speed[0] * cos_beta * tan / length;
        Self { yaw_rate, yaw_acceleration, beta, beta_rate }
    }
}

/// Returns the rate of atan(tan δ b/L), rad/s. The reference squares the tangent twice.
#[inline(always)]
pub fn beta_rate(a: f64, b: f64, steer: [f64; 2], squared_tangent: bool) -> f64 {
    let length = a + b;
    let tan = math::tan(steer[0]);
    let inner = if squared_tangent { tan * tan * b / length } else { tan * b / length };
    b * steer[1] * (1.0 + tan * tan) / (length * (1.0 + inner * inner))
}

/// Blends `dynamic` with the weight `weight` and `slip_free` with the rest.
#[inline(always)]
pub fn mix(weight: f64, dynamic: f64, slip_free: f64) -> f64 {
    weight * dynamic + (1.0 - weight) * slip_free
}
