//! The contact of a wheel with the ground over one step, solved at the end of the step.
//!
//! With the creep s = (R ω − v_x, −v_y) of the tread over the ground, the equations of motion of the
//! wheel and of the mass that rests on it, by backward Euler, are a falling line for each axis:
//! s = s_free − h F with h_x = dt (R²/I + 1/m) and h_y = dt/m. A tyre is a rising line through a guess of s,
//! F = F_held + k s, whose secant stiffness k contains the saturation. The two meet at
//! F = (F_held + k s_free)/(1 + k h), which is passive whatever dt is. The guess begins with the creep at the start
//! of the step and is made better twice; where the creep no longer changes the tyre's curve is met exactly.
//! Backward Euler: Hairer and Wanner, *Solving Ordinary Differential Equations II*, 1996, section IV.3.
//!
//! Standstill needs no case of its own: as s goes to zero k grows without bound, and F goes to s_free/h, the
//! force that stops the tread and holds the slope.
//!
//! Simplification: wheels move masses of their own, as if independent. **Limit:** where the yaw inertia is so small
//! that all wheels together move their places more than twice as easily as that, the force overshoots.

use simhost_sdk::{Force, Step, Wheel, math};

/// How often the guess of the creep is made better.
const ROUNDS: usize = 3;
/// Shortest step that is divided by, s.
const NO_TIME: f64 = 1e-12;

/// F = `held` + `stiffness` · creep, for each axis of the wheel frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Force without creep, N.
    pub held: [f64; 2],
    /// Secant stiffness, at least 0, N·s/m.
    pub stiffness: [f64; 2],
}

/// What holds the tread to the ground.
pub trait Patch {
    /// The line through the force that belongs to a creep at the end of the step, m/s.
    fn line(&self, creep: [f64; 2]) -> Line;
    /// Greatest resultant force, N.
    fn capacity(&self) -> f64;
}

/// What resists the turning of the wheel beside the ground.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shaft {
    /// Rolling resistance, a torque by load and radius.
    pub c_rr: f64,
    /// Viscous damping of the bearing, N·m·s/rad.
    pub c_damping: f64,
}

/// What a step does to a wheel.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The answer to the host.
    pub force: Force,
    /// Creep at the end of the step, m/s.
    pub creep: [f64; 2],
}

/// Velocity of the tread over the ground, against which it is pushed: (R ω − v_x, −v_y), m/s.
pub fn creep(wheel: &Wheel) -> [f64; 2] {
    let [x, y] = wheel.sliding();
    [-x, -y]
}

/// The force that a patch gives to a wheel.
pub fn solve(wheel: &Wheel, step: &Step, shaft: Shaft, patch: &impl Patch) -> Outcome {
    let motion = Motion::of(wheel, step, shaft.c_damping);
    let mut guess = creep(wheel);
    let mut line = patch.line(guess);
    let mut resistance = 0.0;
    for round in 0..ROUNDS {
        if round > 0 {
            line = patch.line(guess);
        }
        resistance = math::limit(motion.stop(&line), motion.most_resistance(wheel, &shaft));
        guess = motion.creep(motion.force(&line, resistance), resistance);
    }
    let wanted = motion.force(&line, resistance);
    let force = within(wanted, patch.capacity());
    if force != wanted {
        // the wheel turns otherwise than the line told
        let most = motion.most_resistance(wheel, &shaft);
        resistance = math::limit(motion.stop_under(force[0]), most);
    }
    motion.outcome(force, resistance, shaft.c_damping)
}

/// A force scaled down to `most`, N, where it is larger.
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
    /// Spin at the end of the step without ground and rolling resistance, rad/s, and what a torque adds.
    spin: f64,
    per_torque: f64,
    /// Creep at the end of the step without force, m/s, and what a force takes of it.
    free: [f64; 2],
    per_force: [f64; 2],
    /// Velocity that a force gives to the mass, m/s/N.
    body: f64,
}

impl Motion {
    fn of(wheel: &Wheel, step: &Step, c_damping: f64) -> Self {
        let dt = step.dt.max(NO_TIME);
        // damping at the end of the step: the wheel is heavier by c dt
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

    fn most_resistance(&self, wheel: &Wheel, shaft: &Shaft) -> f64 {
        shaft.c_rr * wheel.normal_force.max(0.0) * wheel.radius
    }

    /// Where the line of the patch meets that of the motion, N.
    fn force(&self, line: &Line, resistance: f64) -> [f64; 2] {
        let turned = self.radius * self.per_torque * resistance;
        let free = [self.free[0] - turned, self.free[1]];
        [0, 1].map(|axis| {
            let stiffness = line.stiffness[axis];
            (line.held[axis] + stiffness * free[axis]) / (1.0 + stiffness * self.per_force[axis])
        })
    }

    fn creep(&self, force: [f64; 2], resistance: f64) -> [f64; 2] {
        let turned = self.radius * self.per_torque * resistance;
        [
            self.free[0] - turned - self.per_force[0] * force[0],
            self.free[1] - self.per_force[1] * force[1],
        ]
    }

    /// Resistance with which the wheel stands at the end of the step, N·m.
    fn stop(&self, line: &Line) -> f64 {
        let stiffness = line.stiffness[0];
        let spin = self.spin - self.per_torque * self.radius * self.force(line, 0.0)[0];
        // the ground turns the wheel the less the more the mass gives way
        let coupled = (1.0 + stiffness * self.per_force[0]) / (1.0 + stiffness * self.body);
        spin / self.per_torque * coupled
    }

    /// The same where the ground pushes with a given force.
    fn stop_under(&self, fx: f64) -> f64 {
        self.spin / self.per_torque - self.radius * fx
    }

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
