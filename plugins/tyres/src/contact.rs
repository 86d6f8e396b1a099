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
//! Simplification: each wheel moves its own mass, as if the wheels were independent. **Limit:** if
//! the yaw inertia is so small that all wheels together move their contact points more than twice
//! as easily as that, the force overshoots.

use simhost_sdk::{Force, Step, Wheel, math};

/// Shortest step used as a divisor, s.
const NO_TIME: f64 = 1e-12;

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
    /// Returns the line through the force at a creep at the end of the step, m/s.
    fn line(&self, creep: [f64; 2]) -> Line;
    /// Returns the largest resultant force, N.
    fn capacity(&self) -> f64;
}

/// The resistances of a wheel about its axle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shaft {
    /// Rolling resistance coefficient: torque divided by normal load and radius.
    pub c_rr: f64,
    /// Viscous damping of the bearing, N·m·s/rad.
    pub c_damping: f64,
}

/// The result of a step for a wheel.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Force on the wheel.
    pub force: Force,
    /// Creep at the end of the step, m/s.
    pub creep: [f64; 2],
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
    // three estimates of the creep, written out because a loop inside that over wheels would keep
    // it from being vectorised
    let (line, resistance) = motion.estimate(wheel, &shaft, patch, creep(wheel));
    let guess = motion.creep(motion.force(&line, resistance), resistance);
    let (line, resistance) = motion.estimate(wheel, &shaft, patch, guess);
    let guess = motion.creep(motion.force(&line, resistance), resistance);
    let (line, mut resistance) = motion.estimate(wheel, &shaft, patch, guess);
    let wanted = motion.force(&line, resistance);
    let force = within(wanted, patch.capacity());
    if force != wanted {
        // the wheel turns differently from the prediction of the line
        let most = motion.most_resistance(wheel, &shaft);
        resistance = math::limit(motion.stop_under(force[0]), most);
    }
    motion.outcome(force, resistance, shaft.c_damping)
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
    /// Returns the line of the patch at an estimate of the creep, m/s, and the resistance there, N·m.
    #[inline(always)]
    fn estimate(
        &self,
        wheel: &Wheel,
        shaft: &Shaft,
        patch: &impl Patch,
        guess: [f64; 2],
    ) -> (Line, f64) {
        let line = patch.line(guess);
        let resistance = math::limit(self.stop(&line), self.most_resistance(wheel, shaft));
        (line, resistance)
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
            free: [wheel.radius * spin - wheel.vx, -wheel.vy - body * wheel.slope_fy],
            per_force: [wheel.radius * wheel.radius * per_torque + body, body],
            body,
        }
    }

    #[inline(always)]
    fn most_resistance(&self, wheel: &Wheel, shaft: &Shaft) -> f64 {
        shaft.c_rr * wheel.normal_force.max(0.0) * wheel.radius
    }

    /// Returns the force at the intersection of the lines of patch and motion, N.
    #[inline(always)]
    fn force(&self, line: &Line, resistance: f64) -> [f64; 2] {
        let turned = self.radius * self.per_torque * resistance;
        let free = [self.free[0] - turned, self.free[1]];
        [0, 1].map(|axis| {
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

    #[inline(always)]
    fn outcome(&self, force: [f64; 2], resistance: f64, c_damping: f64) -> Outcome {
        let [fx, fy] = force;
        let spin = self.spin - self.per_torque * (self.radius * fx + resistance);
        let shaft = resistance + c_damping * spin;
        Outcome {
            force: Force { fx, fy, spin_torque: -self.radius * fx - shaft },
            creep: self.creep(force, resistance),
        }
    }
}
