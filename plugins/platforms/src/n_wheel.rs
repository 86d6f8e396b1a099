//! Any number of wheels that can be driven and steered individually.
//!
//! `<wheel pos="X Y" driven="1" steered="0"/>` is given once per wheel. The driven wheels share the
//! engine torque in proportion to `driven`. Steered wheels turn about one point on the turning
//! line, the lateral line through the mean of the unsteered wheels: a wheel at (x, y) gets the
//! angle atan2(κ (x − x₀), 1 − κ y) for the curvature κ = tan(δ)/L (Ackermann 1818, for any number
//! of axles), so wheels behind that line turn in the opposite direction. A vehicle without steered
//! wheels turns with `torque_turn`, which drives its sides against each other.
//!
//! Odometry is the least-squares fit of (v, ω) to the rolling speeds of all wheels, each along its
//! own heading. **Limit:** torque is shared by weights, as if every driven wheel had its own motor.

use simhost_sdk::abi::{PortDesc, WheelGeometry};
use simhost_sdk::ports::{Odometry, SteeredMeasurements, SteeringGeometry};
use simhost_sdk::prelude::*;

/// Any number of wheels that can be driven and steered individually.
#[derive(Params)]
pub struct NWheel {
    /// Largest steering angle of an equivalent wheel in the middle of the steered axle. A larger
    /// value allows the vehicle to turn in a smaller circle.
    #[param(default = 35.0, above = 0.0, below = 89.0, unit = "deg", scale = math::DEG,
            key = "max_steer_ang_deg", per_lane)]
    max_steer: f64,
}

/// Engine torque, steering angle, and torque that drives the sides against each other.
#[derive(Ports)]
pub struct Inputs {
    /// Engine torque shared by the driven wheels, positive forwards.
    #[port(unit = "N·m")]
    torque_engine: f64,
    /// Steering angle of an equivalent wheel in the middle of the steered axle, positive
    /// counter-clockwise.
    #[port(unit = "rad")]
    steer: f64,
    /// Torque added to the right wheels and subtracted from the left wheels, shared like the engine
    /// torque.
    #[port(unit = "N·m", optional)]
    torque_turn: f64,
    /// Largest torque of all brakes together, shared equally by the wheels.
    #[port(unit = "N·m", optional)]
    brake_torque: f64,
}

/// Indices of the inputs of a wheel.
const DRIVEN: usize = 0;
const STEERED: usize = 1;

/// Steering geometry: the turning line, and the wheels furthest from it.
#[derive(Clone, Copy, Default)]
struct Turning {
    line_x: f64,
    wheelbase: f64,
    axle_x: f64,
    track: f64,
}

impl Turning {
    #[inline(always)]
    fn of(wheels: &WheelMotion) -> Self {
        let (mut fixed, mut sum) = (0.0, 0.0);
        for wheel in 0..wheels.count() {
            if wheels.input(STEERED, wheel) == 0.0 {
                (fixed, sum) = (fixed + 1.0, sum + wheels.x(wheel));
            }
        }
        // with all wheels steered the vehicle turns about its reference point
        let line_x = if fixed > 0.0 { sum / fixed } else { 0.0 };
        let mut turning = Self { line_x, ..Self::default() };
        for wheel in 0..wheels.count() {
            let ahead = wheels.x(wheel) - turning.line_x;
            if wheels.input(STEERED, wheel) != 0.0 && ahead.abs() > turning.wheelbase {
                turning.wheelbase = ahead.abs();
                turning.axle_x = wheels.x(wheel);
                turning.track = 2.0 * wheels.y(wheel).abs();
            }
        }
        turning
    }

    /// Returns the curvature for the angle of an equivalent wheel, 1/m.
    #[inline(always)]
    fn curvature(self, steer: f64) -> f64 {
        if self.wheelbase > 0.0 { math::tan(steer) / self.wheelbase } else { 0.0 }
    }
}

#[model]
impl Dynamics for NWheel {
    const WHEELS: &'static [WheelPlace] = &[WheelPlace::repeated("wheel").steered()];
    const WHEEL_INPUTS: &'static [PortDesc] = &[
        wheel_input("driven", "1", 1.0, "driven", "share of the torque that this wheel gets"),
        wheel_input(
            "steered",
            "1",
            0.0,
            "steered",
            "1 for a wheel that steers, 0 for one that is fixed",
        ),
    ];
    const CHASSIS: Chassis =
        Chassis::new(40.0, [0.1, 0.6], &[-0.6, -0.4, 0.6, -0.4, 0.6, 0.4, -0.6, 0.4]);

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        let first = wheels.first().copied();
        let apart = |wheel: &WheelGeometry| first.is_some_and(|f| (f.x, f.y) != (wheel.x, wheel.y));
        if wheels.len() > 1 && !wheels.iter().any(apart) {
            let text = format!(
                "all {} wheels are at the same position; give each one <wheel pos=\"X Y\"/>",
                wheels.len()
            );
            return Err(text);
        }
        Ok(())
    }

    fn drive(&self, inputs: &Inputs, wheels: &mut Wheels, _: &Step, _: &mut ()) {
        let turning = Turning::of(wheels);
        let curvature = turning.curvature(math::limit(inputs.steer, self.max_steer));
        let shares: f64 = (0..wheels.count()).map(|wheel| wheels.input(DRIVEN, wheel)).sum();
        for wheel in 0..wheels.count() {
            if wheels.input(STEERED, wheel) != 0.0 {
                let ahead = wheels.x(wheel) - turning.line_x;
                let angle = math::atan2(curvature * ahead, 1.0 - curvature * wheels.y(wheel));
                wheels.set_steer(wheel, angle);
            }
            let share = wheels.input(DRIVEN, wheel) / shares.max(1e-12);
            let side = if wheels.y(wheel) > 0.0 { -1.0 } else { 1.0 };
            let turn = if wheels.y(wheel) == 0.0 { 0.0 } else { side * inputs.torque_turn };
            wheels.set_torque(wheel, share * (inputs.torque_engine + turn));
            wheels.set_brake(wheel, inputs.brake_torque.max(0.0) / wheels.count() as f64);
        }
    }

    fn measure(&self, wheels: &WheelMotion) -> SteeredMeasurements {
        let turning = Turning::of(wheels);
        let (mut radii, mut normal, mut right) = (0.0, [0.0; 3], [0.0; 2]);
        for wheel in 0..wheels.count() {
            // rolling speed = (v − ω y) cos δ + ω x sin δ
            let (sin, cos) = math::sin_cos(wheels.steer(wheel));
            let lever = wheels.x(wheel) * sin - wheels.y(wheel) * cos;
            let speed = wheels.rolling_speed(wheel);
            normal[0] += cos * cos;
            normal[1] += cos * lever;
            normal[2] += lever * lever;
            right[0] += cos * speed;
            right[1] += lever * speed;
            radii += wheels.radius(wheel);
        }
        let determinant = normal[0] * normal[2] - normal[1] * normal[1];
        let solvable = determinant > 1e-9 * normal[0] * normal[2];
        let divisor = if solvable { determinant } else { 1.0 };
        let vx = (right[0] * normal[2] - right[1] * normal[1]) / divisor;
        let omega = (normal[0] * right[1] - normal[1] * right[0]) / divisor;
        SteeredMeasurements {
            // a single wheel, or wheels in one line, determine the speed only
            odometry: Odometry {
                odometry_vx: if solvable { vx } else { right[0] / normal[0].max(1e-12) },
                odometry_vy: 0.0,
                odometry_omega: if solvable { omega } else { 0.0 },
            },
            geometry: SteeringGeometry {
                wheelbase: turning.wheelbase,
                front_axle_x: turning.axle_x,
                front_track: turning.track,
                max_steer: self.max_steer,
            },
            wheel_radius: radii / wheels.count().max(1) as f64,
        }
    }
}
