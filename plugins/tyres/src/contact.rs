//! The contact of a wheel with the ground over one step, solved at the end of the step.
//!
//! With the creep s = (R ω − v_x, −v_y) of the tread over the ground, backward Euler turns the
//! equations of motion of the wheel and of the mass that rests on it into a falling line per axis:
//! s = s_free − h F with h_x = dt (R²/I + 1/m) and h_y = dt/m. A tyre is a rising line through an
//! estimate of s, F = F_held + k s, whose secant stiffness k includes the saturation. The lines
//! intersect at F = (F_held + k s_free)/(1 + k h), which is passive for every dt. The first
//! estimate is the creep at the start of the step, and it is improved twice; where the creep
//! converges, the curve of the tyre is met exactly. Backward Euler: Hairer and Wanner, *Solving
//! Ordinary Differential Equations II*, 1996, section IV.3.
//!
//! Standstill is not a special case: as s goes to zero, k grows without bound, and F goes to
//! s_free/h, the force that stops the tread and holds the vehicle on a slope.
//!
//! A brake and the rolling resistance are one torque about the axle, up to a limit, which stops the wheel
//! and does not turn it back. Its size is part of the solution: the torque with which the wheel stands at
//! the end of the step, where the limit allows it, or else the limit. A locked wheel therefore slides at the
//! velocity of its mass, whatever the torque of its brake and the length of the step.
//!
//! Simplification: each wheel moves its own mass, as if the wheels were independent. **Limit:** if
//! the yaw inertia is so small that all wheels together move their contact points more than twice
//! as easily as that, the force overshoots.

use simhost_sdk::{Force, Ports, Step, Wheel as Inputs, math};

/// Shortest step used as a divisor, s.
const NO_TIME: f64 = 1e-12;

/// The brake and the camber of a wheel.
#[derive(Clone, Copy, Debug, Default, Ports)]
pub struct Brake {
    /// Largest torque of the brake, against the spin.
    #[port(unit = "N·m")]
    pub brake_limit: f64,
    /// Part of the forward pull of slope and air that this wheel has to hold, 0 without a brake torque.
    #[port(unit = "N")]
    pub slope_fx: f64,
    /// Inclination of the wheel, positive with the top to the right.
    #[port(unit = "rad")]
    pub camber: f64,
}

/// The inputs of a tyre.
pub type Wheel = Inputs<Brake>;

/// The line F = `held` + `stiffness` · creep for each axis of the wheel frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Force without creep, N.
    pub held: [f64; 2],
    /// Secant stiffness, at least 0, N·s/m.
    pub stiffness: [f64; 2],
}

/// A contact patch: the relation between creep and force.
pub trait Patch {
    /// Returns the line through the force at a creep at the end of the step, m/s. A wheel that its brake
    /// has locked does not turn: its creep is the velocity of its mass.
    fn line(&self, creep: [f64; 2], locked: bool) -> Line;
    /// Returns the largest force of pure slip, N.
    fn capacity(&self) -> f64;
    /// Returns the largest resultant force, N, of a patch whose line at a creep, m/s, is `line`.
    #[inline(always)]
    fn most(&self, _line: &Line, _creep: [f64; 2]) -> f64 {
        self.capacity()
    }
}

/// The resistances of a wheel about its axle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shaft {
    /// Rolling resistance coefficient: torque divided by normal load and radius.
    pub c_rr: f64,
    /// Viscous damping of the bearing, N·m·s/rad.
    pub c_damping: f64,
}

impl Shaft {
    /// Returns the largest torque of the rolling resistance, N·m.
    #[inline(always)]
    fn most_rolling(&self, wheel: &Wheel) -> f64 {
        self.c_rr * wheel.normal_force.max(0.0) * wheel.radius
    }

    /// Returns the torque of rolling resistance and brake where `stop`, N·m, would stop the wheel, and
    /// whether the brake locks it.
    #[inline(always)]
    fn resistance(&self, wheel: &Wheel, stop: f64) -> (f64, bool) {
        let brake = wheel.more.brake_limit.max(0.0);
        let most = self.most_rolling(wheel) + brake;
        (math::limit(stop, most), (brake > 0.0) & (stop.abs() < most))
    }
}

/// The result of a step for a wheel.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Force on the wheel.
    pub force: Force,
    /// Creep at the end of the step, m/s.
    pub creep: [f64; 2],
    /// Whether the brake has locked the wheel.
    pub locked: bool,
}

/// Returns the creep, the velocity of the tread over the ground with the sign of the force on the
/// wheel: (R ω − v_x, −v_y), m/s.
#[inline(always)]
pub fn creep(wheel: &Wheel) -> [f64; 2] {
    let [x, y] = wheel.sliding();
    [-x, -y]
}

/// Computes the force of a contact patch on a wheel.
#[inline(always)]
pub fn solve(wheel: &Wheel, step: &Step, shaft: Shaft, patch: &impl Patch) -> Outcome {
    let motion = Motion::of(wheel, step, shaft.c_damping);
    // a brake that locks the wheel whatever the ground does
    let locked = motion.stop_under(patch.capacity().copysign(-motion.spin)).abs();
    let locked = (wheel.more.brake_limit > 0.0) & (wheel.more.brake_limit > locked);
    let [x, y] = creep(wheel);
    let guess = [if locked { -wheel.vx } else { x }, y];
    // three estimates of the creep, written out because a loop inside that over wheels would keep
    // it from being vectorised
    let (line, resistance, locked) = motion.estimate(wheel, &shaft, patch, guess, locked);
    let guess = motion.creep(motion.force(&line, resistance), resistance);
    let (line, resistance, locked) = motion.estimate(wheel, &shaft, patch, guess, locked);
    let guess = motion.creep(motion.force(&line, resistance), resistance);
    let (line, mut resistance, mut locked) = motion.estimate(wheel, &shaft, patch, guess, locked);
    let wanted = motion.force(&line, resistance);
    let force = within(wanted, patch.most(&line, guess));
    if force != wanted {
        // the wheel turns differently from the prediction of the line
        (resistance, locked) = shaft.resistance(wheel, motion.stop_under(force[0]));
    }
    motion.outcome(force, resistance, locked, shaft.c_damping, shaft.most_rolling(wheel))
}

/// Scales a force down to `most`, N, if it is larger.
#[inline(always)]
pub fn within([x, y]: [f64; 2], most: f64) -> [f64; 2] {
    // dividing by the larger component avoids overflow when a run diverges
    let longer = x.abs().max(y.abs()).max(1e-300);
    let (part_x, part_y) = (x / longer, y / longer);
    let size = longer * (part_x * part_x + part_y * part_y).sqrt();
    let scale = if size > most { most / size } else { 1.0 };
    [scale * x, scale * y]
}

/// A wheel and its mass during a step.
struct Motion {
    radius: f64,
    /// Spin at the end of the step without ground and rolling resistance, rad/s.
    spin: f64,
    per_torque: f64,
    /// Creep at the end of the step without force, m/s.
    free: [f64; 2],
    per_force: [f64; 2],
    /// Change of the velocity of the mass per force, m/s/N.
    body: f64,
}

impl Motion {
    /// Returns the line of the patch at an estimate of the creep, m/s, of a wheel that can be locked, the
    /// resistance there, N·m, and whether it locks the wheel.
    #[inline(always)]
    fn estimate(
        &self,
        wheel: &Wheel,
        shaft: &Shaft,
        patch: &impl Patch,
        guess: [f64; 2],
        locked: bool,
    ) -> (Line, f64, bool) {
        let line = patch.line(guess, locked);
        let (resistance, locked) = shaft.resistance(wheel, self.stop(&line));
        (line, resistance, locked)
    }

    #[inline(always)]
    fn of(wheel: &Wheel, step: &Step, c_damping: f64) -> Self {
        let dt = step.dt.max(NO_TIME);
        // damping at the end of the step acts like an additional inertia c dt
        let inertia = (wheel.inertia + c_damping * dt).max(1e-12);
        let spin = (wheel.inertia * wheel.spin + dt * wheel.torque) / inertia;
        let body = dt / wheel.mass().max(1e-12);
        let per_torque = dt / inertia;
        Self {
            radius: wheel.radius,
            spin,
            per_torque,
            free: [
                wheel.radius * spin - wheel.vx - body * wheel.more.slope_fx,
                -wheel.vy - body * wheel.slope_fy,
            ],
            per_force: [wheel.radius * wheel.radius * per_torque + body, body],
            body,
        }
    }

    /// Returns the force at the intersection of the lines of patch and motion, N.
    #[inline(always)]
    fn force(&self, line: &Line, resistance: f64) -> [f64; 2] {
        let turned = self.radius * self.per_torque * resistance;
        let free = [self.free[0] - turned, self.free[1]];
        both!(axis => {
            let stiffness = line.stiffness[axis];
            (line.held[axis] + stiffness * free[axis]) / (1.0 + stiffness * self.per_force[axis])
        })
    }

    #[inline(always)]
    fn creep(&self, force: [f64; 2], resistance: f64) -> [f64; 2] {
        let turned = self.radius * self.per_torque * resistance;
        [
            self.free[0] - turned - self.per_force[0] * force[0],
            self.free[1] - self.per_force[1] * force[1],
        ]
    }

    /// Returns the resistance with which the wheel stands at the end of the step, N·m.
    #[inline(always)]
    fn stop(&self, line: &Line) -> f64 {
        let stiffness = line.stiffness[0];
        let spin = self.spin - self.per_torque * self.radius * self.force(line, 0.0)[0];
        // the ground turns the wheel less if the mass yields
        let coupled = (1.0 + stiffness * self.per_force[0]) / (1.0 + stiffness * self.body);
        spin / self.per_torque * coupled
    }

    /// Returns the same resistance for a given force of the ground.
    #[inline(always)]
    fn stop_under(&self, fx: f64) -> f64 {
        self.spin / self.per_torque - self.radius * fx
    }

    /// Returns the result for a force and the torque of rolling resistance and brake. The host applies the
    /// part of the brake, which is what exceeds the rolling resistance `rolling`.
    #[inline(always)]
    fn outcome(
        &self,
        force: [f64; 2],
        resistance: f64,
        locked: bool,
        c_damping: f64,
        rolling: f64,
    ) -> Outcome {
        let [fx, fy] = force;
        let spin = self.spin - self.per_torque * (self.radius * fx + resistance);
        let shaft = math::limit(resistance, rolling) + c_damping * spin;
        Outcome {
            force: Force { fx, fy, spin_torque: -self.radius * fx - shaft },
            creep: self.creep(force, resistance),
            locked,
        }
    }
}
