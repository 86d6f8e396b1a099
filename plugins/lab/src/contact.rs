//! Forces between the wheels of a rigid body and the ground.
//!
//! A tyre is a spring and a damper normal to the ground, which carries its share of the weight on level
//! ground at the radius r: N = m g n_z − k d − c ḋ ≥ 0, with the height d of the wheel above that. Along
//! the ground each wheel has a force of at most μN. The motor gives a force along its heading. Brake and
//! rolling resistance oppose the motion along it and side friction that across it, each up to its
//! limit: the impulses that stop the motion within a step, solved for all wheels together by projected
//! Gauss-Seidel sweeps (E. Catto 2005, "Iterative dynamics with temporal coherence"). A car at rest
//! therefore stays at rest, and no resistance turns the motion round.
//!
//! Difference from the driving-lab manual, section 3.3, which adds the weight m g normal to any slope and
//! side friction μ F_N at any slip: the normal load follows from the contact, and friction acts where the
//! force does, on the ground, so that loads move between the axles.

use simhost_sdk::vectors::{Rotation, Vec3};

use crate::body::{Body, Masses};
use crate::forces::Impulses;

/// Number of Gauss-Seidel sweeps of a step.
const SWEEPS: usize = 8;

/// Properties of tyres and ground that all wheels share.
#[derive(Clone, Copy, Debug)]
pub struct Tyres {
    /// Rolling radius under the load at rest, m.
    pub radius: f64,
    /// Stiffness normal to the ground, N/m.
    pub stiffness: f64,
    /// Damping normal to the ground, N·s/m.
    pub damping: f64,
    /// Friction coefficient.
    pub mu: f64,
}

/// Ground, heading and forces of one wheel during a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct WheelInput {
    /// Height and slope of the ground below the wheel, world frame.
    pub ground: GroundPlane,
    /// Steering angle, rad, as cosine and sine.
    pub heading: [f64; 2],
    /// Force of the motor along the heading, N.
    pub motor: f64,
    /// Largest force of the brake, N.
    pub brake: f64,
}

/// The tangent plane of the ground at a point.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroundPlane {
    /// A point of the plane, m.
    pub point: Vec3,
    /// Unit normal.
    pub normal: Vec3,
}

impl GroundPlane {
    /// Level ground at height 0.
    pub const LEVEL: Self = Self { point: Vec3::ZERO, normal: Vec3::Z };
}

/// A wheel that touches the ground.
#[derive(Clone, Copy)]
struct Contact {
    /// Contact point relative to the centre of mass, m.
    lever: Vec3,
    /// Unit vectors along and across the heading of the wheel, on the ground.
    axes: [Vec3; 2],
    /// Effective masses along them, kg.
    mass: [f64; 2],
    /// Limits of the impulses along them, N·s, and the impulse of the motor.
    most: f64,
    resistance: f64,
    motor: f64,
    /// Part of the resistance that is rolling resistance.
    rolling: f64,
    /// Impulses so far, N·s.
    impulse: [f64; 2],
}

/// Forces of a step on a body.
pub struct Step<'a> {
    /// The masses.
    pub masses: &'a Masses,
    /// The tyres.
    pub tyres: Tyres,
    /// Rolling resistance as a share of the normal load.
    pub rolling: f64,
    /// Gravity, m/s².
    pub gravity: f64,
    /// Air drag, N.
    pub drag: Vec3,
    /// The wheels: rear left, rear right, front left, front right.
    pub wheels: &'a [WheelInput; 4],
}

impl Step<'_> {
    /// Advances a body by `h` seconds. Returns the impulses that acted on it.
    pub fn advance(&self, body: &mut Body, h: f64) -> Impulses {
        let before = [body.velocity, body.momentum];
        let axes = body.rotation.axes();
        let omega = Body::omega(self.masses, &axes, body.momentum);
        let mut contacts: [Option<Contact>; 4] = [None; 4];
        let (mut force, mut torque) = (self.drag, Vec3::ZERO);
        for (wheel, contact) in contacts.iter_mut().enumerate() {
            let arm = axes.apply(self.masses.place[wheel]);
            let weight = Vec3::new(0.0, 0.0, -self.masses.wheel[wheel] * self.gravity);
            let mut own = weight;
            torque += arm.cross(weight);
            let input = &self.wheels[wheel];
            let load = self.normal_load(body, omega, arm, wheel);
            if load > 0.0 {
                let normal = input.ground.normal;
                let lever = arm + -self.tyres.radius * normal;
                own += load * normal;
                torque += load * lever.cross(normal);
                *contact = self.contact(&axes, lever, input, load, h);
            }
            // weight and load of a wheel first, so that they cancel exactly at rest
            force += own;
        }
        body.velocity += h / self.masses.total * force;
        body.momentum += h * torque;
        let [rolling, side] = self.push(body, &axes, &mut contacts);
        body.advance(self.masses, before, h);
        let gravity = Vec3::new(0.0, 0.0, -self.masses.total * self.gravity * h);
        Impulses { gravity, air: h * self.drag, rolling, side }
    }

    /// Returns the force of the ground on a wheel normal to the ground, N.
    fn normal_load(&self, body: &Body, omega: Vec3, arm: Vec3, wheel: usize) -> f64 {
        let GroundPlane { point, normal } = self.wheels[wheel].ground;
        let Tyres { radius, stiffness, damping, .. } = self.tyres;
        let centre = body.position + arm;
        let height = (centre - point).dot(normal) - radius;
        let rising = body.velocity_at(omega, arm).dot(normal);
        let rest = self.masses.wheel[wheel] * self.gravity * normal.z;
        let spring = rest - stiffness * height;
        if spring <= 0.0 { 0.0 } else { (spring - damping * rising).max(0.0) }
    }

    /// Returns the contact of a wheel with the load `load`, N, for a step of `h` seconds. A wheel whose
    /// heading is normal to the ground has none.
    fn contact(
        &self,
        axes: &Rotation,
        lever: Vec3,
        input: &WheelInput,
        load: f64,
        h: f64,
    ) -> Option<Contact> {
        let [cos, sin] = input.heading;
        let normal = input.ground.normal;
        let heading = axes.apply(Vec3::new(cos, sin, 0.0));
        let on_ground = heading + -heading.dot(normal) * normal;
        let length = on_ground.length();
        if length < 1e-6 {
            return None;
        }
        let along = on_ground / length;
        let across = normal.cross(along);
        let directions = [along, across];
        let mass = directions.map(|direction| 1.0 / self.admittance(axes, lever, direction));
        let most = self.tyres.mu * load * h;
        let rolling = self.rolling * load;
        let resistance = input.brake + rolling;
        Some(Contact {
            lever,
            axes: directions,
            mass,
            most,
            resistance: resistance * h,
            rolling: if resistance > 0.0 { rolling / resistance } else { 0.0 },
            motor: (input.motor * h).clamp(-most, most),
            impulse: [0.0; 2],
        })
    }

    /// Returns the change of velocity of a point in a direction by a unit impulse there, 1/kg.
    fn admittance(&self, axes: &Rotation, lever: Vec3, direction: Vec3) -> f64 {
        let turn = lever.cross(direction);
        let spin = Body::omega(self.masses, axes, turn);
        1.0 / self.masses.total + spin.cross(lever).dot(direction)
    }

    /// Applies the impulses along the ground. The sweeps begin once on the left and once on the right, and
    /// the mean of both results is as symmetric as the car. Returns the impulses of rolling resistance and side friction.
    fn push(
        &self,
        body: &mut Body,
        axes: &Rotation,
        contacts: &mut [Option<Contact>; 4],
    ) -> [Vec3; 2] {
        for contact in contacts.iter_mut().flatten() {
            contact.apply(0, contact.motor, self.masses.total, body);
        }
        let [left, right] = [[0, 1, 2, 3], [1, 0, 3, 2]].map(|order| {
            let (mut body, mut contacts) = (*body, *contacts);
            self.sweep(&mut body, axes, &mut contacts, order);
            (body, contacts)
        });
        body.velocity = 0.5 * (left.0.velocity + right.0.velocity);
        body.momentum = 0.5 * (left.0.momentum + right.0.momentum);
        let mut impulses = [Vec3::ZERO; 2];
        for contact in left.1.iter().chain(&right.1).flatten() {
            let ([along, across], [resistance, side]) = (contact.axes, contact.impulse);
            impulses[0] += 0.5 * contact.rolling * resistance * along;
            impulses[1] += 0.5 * side * across;
        }
        impulses
    }

    /// Finds the impulses that oppose the motion, wheel by wheel.
    fn sweep(
        &self,
        body: &mut Body,
        axes: &Rotation,
        contacts: &mut [Option<Contact>; 4],
        order: [usize; 4],
    ) {
        for _ in 0..SWEEPS {
            for wheel in order {
                let Some(contact) = &mut contacts[wheel] else { continue };
                for axis in [0, 1] {
                    let omega = Body::omega(self.masses, axes, body.momentum);
                    let speed = body.velocity_at(omega, contact.lever).dot(contact.axes[axis]);
                    let wanted = contact.impulse[axis] - contact.mass[axis] * speed;
                    let change = contact.limited(axis, wanted) - contact.impulse[axis];
                    contact.impulse[axis] += change;
                    contact.apply(axis, change, self.masses.total, body);
                }
            }
        }
    }
}

impl Contact {
    /// Limits an impulse that opposes the motion: along the heading by brake and rolling resistance,
    /// across it by the friction that is left.
    fn limited(&self, axis: usize, impulse: f64) -> f64 {
        let limit = match axis {
            0 => self.resistance.min(self.most),
            _ => {
                let along = self.impulse[0] + self.motor;
                (self.most * self.most - along * along).max(0.0).sqrt()
            }
        };
        impulse.clamp(-limit, limit)
    }

    fn apply(&self, axis: usize, impulse: f64, mass: f64, body: &mut Body) {
        let direction = self.axes[axis];
        body.velocity += impulse / mass * direction;
        body.momentum += impulse * self.lever.cross(direction);
    }
}
