//! A wheel on rigid ground over one step, solved at the end of the step.
//!
//! With the load N on the wheel, the mass m = N/g that rests on it, its inertia I and the damping c
//! of its bearing, backward Euler gives spin and speed at the end of the step:
//! (I + c dt) ω' = I ω + dt (T − R F − T_r) and m v' = m v + dt (F + F_g). A wheel that rolls has R ω' = v', which
//! determines F. T_r is the torque of rolling resistance and brake: the torque that stops the wheel
//! at the end of the step, up to its limit. None of these torques turns the wheel back, so neither
//! a light wheel nor a long step makes the spin grow. Backward Euler: Hairer and Wanner, *Solving
//! Ordinary Differential Equations II*, 1996, section IV.3.
//!
//! With [`Shaft::explicit`], resistances and speed are those at the start of the step, as in the
//! MVSim physics manual: F = (T − c ω − T_r − I (v/R − ω)/dt)/R.
//!
//! Simplification: each wheel moves its own mass, as if the wheels were independent. **Limit:** a wheel without a
//! torque does not see the force of the others, and turns at the speed of the start of the step: a dt less than
//! the speed of a vehicle with the acceleration a.

use simhost_sdk::{Force, Ports, Step, Wheel as Inputs, math};

/// Shortest step, s, and least mass, kg, and inertia, kg·m², that are used as divisors.
const NOTHING: f64 = 1e-12;

/// The brake of a wheel.
#[derive(Clone, Copy, Debug, Default, Ports)]
pub struct Brake {
    /// Largest torque of the brake, against the spin.
    #[port(unit = "N·m")]
    pub brake_limit: f64,
    /// Part of the forward pull of slope and air that this wheel has to hold, 0 without a brake
    /// torque.
    #[port(unit = "N")]
    pub slope_fx: f64,
}

/// The inputs of a friction model.
pub type Wheel = Inputs<Brake>;

/// Resistances of a wheel about its axle.
#[derive(Clone, Copy, Debug)]
pub struct Shaft {
    /// Viscous damping of the bearing, N·m·s/rad.
    pub c_damping: f64,
    /// Rolling resistance coefficient: torque divided by normal load and radius.
    pub c_rr: f64,
    /// Whether the resistances act with the spin at the start of the step.
    pub explicit: bool,
}

/// Returns the resistances of a wheel about its axle, from the parameters that the models share.
macro_rules! shaft {
    ($model:expr, $wheel:expr) => {
        $crate::rolling::Shaft {
            c_damping: $model.c_damping,
            c_rr: $wheel.c_rr($model.c_rr),
            explicit: $model.explicit_resistance,
        }
    };
}
pub(crate) use shaft;

/// A wheel and the mass that rests on it during a step.
pub struct Rolling {
    shaft: Shaft,
    radius: f64,
    /// Largest torque of the rolling resistance, N·m.
    rolling: f64,
    /// Largest torque of rolling resistance and brake, N·m.
    most: f64,
    /// Spin at the end of the step without ground, rolling resistance and brake, rad/s.
    spin: f64,
    /// Change of the spin per torque, rad/s/(N·m).
    per_torque: f64,
    /// Change of the speed of the mass per force, m/s/N.
    per_force: f64,
    /// Speed of the mass at the end of the step without the force that turns the wheel, m/s.
    speed: f64,
    /// Force and resistance of an explicit step, N, N·m.
    at_start: [f64; 2],
}

impl Rolling {
    /// Returns the motion of a wheel on whose mass the forward force `ground`, N, acts in addition
    /// to the force that turns the wheel. With `ROLLS` false, the coefficient of rolling resistance
    /// of an explicit step is 0.
    #[inline(always)]
    pub fn new<const ROLLS: bool>(wheel: &Wheel, shaft: Shaft, ground: f64, step: &Step) -> Self {
        let dt = step.dt.max(NOTHING);
        // damping at the end of the step acts like an additional inertia c dt
        let inertia = (wheel.inertia + shaft.c_damping * dt).max(NOTHING);
        let per_force = dt / wheel.mass().max(NOTHING);
        let rolling = shaft.c_rr * wheel.normal_force.max(0.0) * wheel.radius;
        let at_start =
            if shaft.explicit { explicit::<ROLLS>(wheel, shaft, step) } else { [0.0; 2] };
        Self {
            shaft,
            radius: wheel.radius,
            rolling,
            most: rolling + wheel.more.brake_limit.max(0.0),
            spin: (wheel.inertia * wheel.spin + dt * wheel.torque) / inertia,
            per_torque: dt / inertia,
            per_force,
            speed: wheel.vx + per_force * (ground + wheel.more.slope_fx),
            at_start,
        }
    }

    /// Returns the force, N, with which the wheel rolls at the end of the step, or stands.
    #[inline(always)]
    pub fn force(&self) -> f64 {
        if self.shaft.explicit {
            return self.at_start[0];
        }
        let stopping = -self.speed / self.per_force;
        let resistance = self.resistance(stopping);
        let rim = self.radius * (self.spin - self.per_torque * resistance);
        let yielding = self.radius * self.radius * self.per_torque + self.per_force;
        (rim - self.speed) / yielding
    }

    /// Returns the torque of rolling resistance and brake under a force of the ground, N·m.
    #[inline(always)]
    fn resistance(&self, force: f64) -> f64 {
        math::limit(self.spin / self.per_torque - self.radius * force, self.most)
    }

    /// Returns the action of the ground: the forces `fx` and `fy`, N, on the vehicle, and the torque
    /// about the axle under the forward force `turning`, N. The host applies the torque of the brake,
    /// which is what exceeds the rolling resistance.
    #[inline(always)]
    pub fn reaction(&self, turning: f64, [fx, fy]: [f64; 2]) -> Force {
        let resistance = self.resistance(turning);
        let spin = self.spin - self.per_torque * (self.radius * turning + resistance);
        let shaft = math::limit(resistance, self.rolling) + self.shaft.c_damping * spin;
        let shaft = if self.shaft.explicit { self.at_start[1] } else { shaft };
        Force { fx, fy, spin_torque: -self.radius * turning - shaft }
    }
}

/// Returns the force with which a wheel rolls at the speed that its mass has at the start of the
/// step, N, and the resistance about its axle, N·m.
#[inline(always)]
fn explicit<const ROLLS: bool>(wheel: &Wheel, shaft: Shaft, step: &Step) -> [f64; 2] {
    let resistance = shaft.c_damping * wheel.spin + hysteresis::<ROLLS>(wheel, shaft.c_rr);
    let alpha = (wheel.vx / wheel.radius - wheel.spin) / step.dt;
    // the brake brings wheel and mass to rest, where it can
    let stopping = -wheel.mass() / step.dt * wheel.vx - wheel.more.slope_fx;
    let standing = wheel.radius * stopping + wheel.inertia * alpha - wheel.torque;
    let brake = math::limit(standing, wheel.more.brake_limit);
    let torque = if wheel.more.brake_limit > 0.0 { wheel.torque + brake } else { wheel.torque };
    [(torque - resistance - wheel.inertia * alpha) / wheel.radius, resistance]
}

/// Returns the rolling resistance as MVSim has it, C_rr N R tanh(100 ω), N·m, which is smooth
/// through standstill. With `ROLLS` false, `c_rr` is 0, and the same zero is found without the
/// tangent.
#[inline(always)]
fn hysteresis<const ROLLS: bool>(wheel: &Wheel, c_rr: f64) -> f64 {
    let most = c_rr * wheel.normal_force * wheel.radius;
    if ROLLS && c_rr != 0.0 {
        most * math::tanh(100.0 * wheel.spin)
    } else if wheel.spin < 0.0 {
        -most
    } else {
        most
    }
}
