//! Four mecanum wheels: rollers at 45° let the platform move in any direction.
//!
//! A roller turns freely about its own axis, so the ground can push a wheel along that axis only
//! (Muir and Neuman 1987, "Kinematic modeling of wheeled mobile robots"). With the axis (1, s)/√2
//! in the vehicle frame, s = −1 for the left front and right rear wheel and +1 for the others, a
//! wheel at (x, y) slides along it at ((v_x − ω y − R w) + s (v_y + ω x))/√2. The four forces are
//! those that stop the sliding within the step, each at most μN: a linear complementarity problem,
//! solved by projected Gauss–Seidel sweeps (Catto 2005, "Iterative dynamics with temporal
//! coherence"). The class integrates the spins, with R F/√2 against the motor torque.
//!
//! Odometry is the inverse of the rolling conditions: v_x = R/4 Σ w, v_y = R/4 Σ −s w…, as in the
//! source. The `<friction>` of the vehicle has no influence. **Limit:** equal normal loads; rollers
//! are small and have no friction of their own except `rolling_resistance`.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::ports::{MotorTorques, Odometry, PlanarVelocity, SlopeGravity};
use simhost_sdk::prelude::*;

use crate::contact::LEAST_STEP;

/// Four mecanum wheels with rollers at 45°.
#[derive(Params)]
pub struct Mecanum {
    /// Friction coefficient of the rollers on the ground. A larger value makes the wheels slip
    /// less.
    #[param(default = 0.6, range = 0.0..=3.0, per_lane)]
    mu: f64,
    /// Rolling resistance as a share of the normal load. A larger value makes the platform coast
    /// less far.
    #[param(default = 0.02, range = 0.0..=1.0, per_lane)]
    rolling_resistance: f64,
    /// Moment of inertia of a wheel with its motor about the axle. A larger value makes the wheels
    /// accelerate more slowly.
    #[param(default = 0.02, above = 0.0, unit = "kg·m²", per_lane, scaling = Scaling::INERTIA)]
    drive_inertia: f64,
}

/// Signs s of the left front, right front, left rear and right rear wheel, whose roller axis at the
/// ground is (1, s)/√2.
pub(crate) const ROLLER: [f64; 4] = [-1.0, 1.0, 1.0, -1.0];
const HALF_ROOT: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Motor torques and motion of the platform.
#[derive(Ports)]
pub struct Inputs {
    /// Torques of the motors.
    #[port(flatten)]
    torques: MotorTorques,
    /// Velocity of the platform.
    #[port(flatten)]
    velocity: PlanarVelocity,
    /// Mass with the wheels.
    #[port(unit = "kg")]
    mass: f64,
    /// Moment of inertia about the centre of mass.
    #[port(unit = "kg·m²")]
    yaw_inertia: f64,
    /// Centre of mass ahead of the reference point.
    #[port(unit = "m")]
    centre_x: f64,
    /// Centre of mass left of the reference point.
    #[port(unit = "m")]
    centre_y: f64,
    /// Gravity on the ground.
    #[port(flatten)]
    slope: SlopeGravity,
}

/// Measurements of a mecanum platform.
#[derive(Ports)]
pub struct Measured {
    /// Velocity estimated from the wheels.
    #[port(flatten)]
    odometry: Odometry,
    /// Mean rolling radius.
    #[port(unit = "m")]
    wheel_radius: f64,
    /// Lever arm of the yaw rate along a roller axis, times √2: half the wheelbase plus half the
    /// track width.
    #[port(unit = "m")]
    turning_arm: f64,
}

/// Returns the mean of |x| + |y| of the wheels, m.
#[inline(always)]
fn turning_arm(wheels: &WheelMotion) -> f64 {
    0.25 * (0..4).map(|wheel| wheels.x(wheel).abs() + wheels.y(wheel).abs()).sum::<f64>()
}

/// Number of sweeps over the wheels. Each at least halves the error.
const SWEEPS: usize = 12;

/// A roller on the ground.
#[derive(Clone, Copy)]
struct Contact {
    /// Velocity along the axis per unit of forward velocity, leftward velocity and yaw rate.
    along: [f64; 3],
    /// Change of that velocity per unit of impulse along the axis, 1/kg.
    softness: f64,
    radius: f64,
}

impl Contact {
    #[inline(always)]
    fn new(inputs: &Inputs, wheels: &WheelMotion, wheel: usize) -> Self {
        let x = wheels.x(wheel) - inputs.centre_x;
        let y = wheels.y(wheel) - inputs.centre_y;
        let axis = [HALF_ROOT, HALF_ROOT * ROLLER[wheel]];
        let lever = x * axis[1] - y * axis[0];
        let softness = 1.0 / inputs.mass + lever * lever / inputs.yaw_inertia;
        Self { along: [axis[0], axis[1], lever], softness, radius: wheels.radius(wheel) }
    }
}

#[model]
impl Dynamics for Mecanum {
    const WHEELS: &'static [WheelPlace] = &[
        WheelPlace::at("fl_wheel", 0.3, 0.25),
        WheelPlace::at("fr_wheel", 0.3, -0.25),
        WheelPlace::at("rl_wheel", -0.3, 0.25),
        WheelPlace::at("rr_wheel", -0.3, -0.25),
    ];
    const CHASSIS: Chassis =
        Chassis::new(30.0, [0.05, 0.4], &[-0.4, -0.2, 0.4, -0.2, 0.4, 0.2, -0.4, 0.2]);
    const HOLONOMIC: bool = true;

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        // the odometry divides by the mean distance from the reference point
        let arm = wheels.iter().map(|wheel| wheel.x.abs() + wheel.y.abs()).sum::<f64>();
        if arm < 1e-3 {
            let text = "all wheels are at the reference point; give each one pos=\"X Y\"";
            return Err(text.to_owned());
        }
        Ok(())
    }

    fn drive(&self, inputs: &Inputs, wheels: &mut Wheels, step: &Step, _: &mut ()) -> Wrench {
        let torques = [
            inputs.torques.torque_front_left,
            inputs.torques.torque_front_right,
            inputs.torques.torque_rear_left,
            inputs.torques.torque_rear_right,
        ];
        let dt = step.dt.max(LEAST_STEP);
        let gain = dt / self.drive_inertia;
        let load = 0.25 * inputs.mass * inputs.slope.gravity;
        let contacts = [0, 1, 2, 3].map(|wheel| Contact::new(inputs, wheels, wheel));
        let mut spins = [0, 1, 2, 3].map(|wheel| {
            let free = wheels.spin(wheel) + gain * torques[wheel];
            // the rolling resistance stops the wheel at most, and does not reverse it
            free - math::limit(free, gain * self.rolling_resistance * load * wheels.radius(wheel))
        });
        let mut twist = [
            // with the change due to the slope in this step, which the contacts also have to hold
            inputs.velocity.vx - inputs.velocity.omega * inputs.centre_y
                + dt * inputs.slope.slope_ax,
            inputs.velocity.vy
                + inputs.velocity.omega * inputs.centre_x
                + dt * inputs.slope.slope_ay,
            inputs.velocity.omega,
        ];
        let mut forces = [0.0; 4];
        for _ in 0..SWEEPS {
            for wheel in 0..4 {
                let contact = contacts[wheel];
                let [lever_vx, lever_vy, lever_omega] = contact.along;
                let rim = HALF_ROOT * contact.radius;
                let sliding = lever_vx * twist[0] + lever_vy * twist[1] + lever_omega * twist[2]
                    - rim * spins[wheel];
                let yielding = contact.softness + rim * rim / self.drive_inertia;
                let wanted = forces[wheel] - sliding / (dt * yielding);
                let force = math::limit(wanted, self.mu * load);
                let impulse = dt * (force - forces[wheel]);
                forces[wheel] = force;
                twist[0] += impulse * lever_vx / inputs.mass;
                twist[1] += impulse * lever_vy / inputs.mass;
                twist[2] += impulse * lever_omega / inputs.yaw_inertia;
                spins[wheel] -= impulse * rim / self.drive_inertia;
            }
        }
        let mut wrench = Wrench::default();
        for wheel in 0..4 {
            wheels.set_spin(wheel, spins[wheel]);
            let force = [HALF_ROOT * forces[wheel], HALF_ROOT * ROLLER[wheel] * forces[wheel]];
            wrench.force_x += force[0];
            wrench.force_y += force[1];
            wrench.moment += wheels.x(wheel) * force[1] - wheels.y(wheel) * force[0];
        }
        wrench
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        let arm = turning_arm(wheels);
        let speeds = [0, 1, 2, 3].map(|wheel| wheels.rolling_speed(wheel));
        let [fl, fr, rl, rr] = speeds;
        Measured {
            odometry: Odometry {
                odometry_vx: 0.25 * (fl + fr + rl + rr),
                odometry_vy: 0.25 * (fr + rl - fl - rr),
                odometry_omega: 0.25 * (fr + rr - fl - rl) / arm,
            },
            wheel_radius: 0.25 * (0..4).map(|wheel| wheels.radius(wheel)).sum::<f64>(),
            turning_arm: arm,
        }
    }
}
