//! The motion of the car during a step.

use simhost_sdk::vectors::Vec3;
use simhost_sdk::{kinematics, prelude::*};

use super::{Driven, FRONT_LEFT, FourMassBody, Inputs, Road};
use crate::body::{Body, Masses};
use crate::contact::{self, GroundPlane, Tyres, WheelInput};
use crate::forces::{Impulses, RollingResistance, drag};
use crate::rotation::Quaternion;

impl FourMassBody {
    /// Returns the masses.
    pub fn masses(&self) -> &Masses {
        &self.masses
    }

    /// Returns the body for the motion of the reference point. A velocity that is not known yet is 0.
    pub fn begin(&self, at: &Inputs) -> Body {
        let known = |value: f64| if value.is_finite() { value } else { 0.0 };
        let rotation = Quaternion::of(at.attitude.angles());
        let axes = rotation.axes();
        let arm = axes.apply(self.masses.centre);
        let own = Vec3::new(at.body_rate_x, at.body_rate_y, at.velocity.omega).map(known);
        let velocity =
            axes.apply(Vec3::new(at.velocity.vx, at.velocity.vy, known(at.body_velocity_z)));
        let inertia = self.masses.inertia;
        let momentum = Vec3::new(inertia.x * own.x, inertia.y * own.y, inertia.z * own.z);
        Body {
            position: Vec3::new(at.x, at.y, at.z) + arm,
            velocity: velocity + axes.apply(own).cross(arm),
            rotation,
            momentum: axes.apply(momentum),
        }
    }

    /// Returns the motion of the reference point of a body.
    pub fn motion(&self, body: &Body) -> SpatialMotion {
        let axes = body.rotation.axes();
        let arm = axes.apply(self.masses.centre);
        let omega = Body::omega(&self.masses, &axes, body.momentum);
        let [x, y, z] = (body.position - arm).to_array();
        let [vx, vy, vz] = axes.invert(body.velocity - omega.cross(arm)).to_array();
        let [roll_rate, pitch_rate, omega] = axes.invert(omega).to_array();
        let [yaw, pitch, roll] = body.rotation.angles();
        let planar = Motion { x, y, yaw, vx, vy, omega };
        SpatialMotion { planar, z, pitch, roll, vz, pitch_rate, roll_rate }
    }

    /// Returns the steering angles of the left and the right front wheel, rad.
    fn steering(&self, steer: f64) -> [f64; 2] {
        let (left, right) = kinematics::ackermann_angles(steer, self.wheelbase, self.track, 1.4);
        [left, right]
    }

    /// Returns what acts on the wheels of a body during a step.
    pub fn wheel_inputs(&self, inputs: &Inputs, body: &Body, step: &Step) -> [WheelInput; 4] {
        let [left, right] = self.steering(inputs.steer);
        let brakes = [
            inputs.brake_rear_left,
            inputs.brake_rear_right,
            inputs.brake_front_left,
            inputs.brake_front_right,
        ];
        let driven = match self.driven {
            Driven::All => [true, true],
            Driven::Front => [false, true],
            Driven::Rear => [true, false],
        };
        let moved: f64 = (0..4).filter(|i| driven[i / 2]).map(|i| self.masses.wheel[i]).sum();
        let axes = body.rotation.axes();
        std::array::from_fn(|wheel| {
            let mass = self.masses.wheel[wheel];
            let share = if driven[wheel / 2] { mass / moved } else { 0.0 };
            let angle = [0.0, 0.0, left, right][wheel];
            let (sin, cos) = math::sin_cos(angle);
            let centre = body.position + axes.apply(self.masses.place[wheel]);
            WheelInput {
                ground: ground_below(step, centre),
                heading: [cos, sin],
                motor: self.masses.total * inputs.motor * share,
                brake: mass * brakes[wheel].max(0.0),
            }
        })
    }

    /// Advances a body by a step in parts of at most `integration_step`. Returns the impulses that acted on it.
    pub fn advance(
        &self,
        body: &mut Body,
        wheels: &[WheelInput; 4],
        gravity: f64,
        dt: f64,
    ) -> Impulses {
        let parts = (dt / self.integration_step - 1e-9).ceil().max(1.0);
        let h = dt / parts;
        let tyres = Tyres {
            radius: self.wheel_radius,
            stiffness: self.tyre_stiffness,
            damping: self.tyre_damping,
            mu: if self.road == Road::Wet { self.mu_wet } else { self.mu_dry },
        };
        let rolling = RollingResistance {
            constant: self.rolling_constant,
            pressure: self.rolling_pressure,
            speed: self.rolling_speed,
        };
        let mut impulses = Impulses::default();
        for _ in 0..parts as u64 {
            let speed = body.velocity.length();
            let area = self.drag_coefficient * self.frontal_area;
            let part = contact::Step {
                masses: &self.masses,
                tyres,
                rolling: rolling.coefficient(speed, self.tyre_pressure),
                gravity,
                drag: drag(self.air_density, area, body.velocity),
                wheels,
            };
            impulses.add(&part.advance(body, h));
        }
        impulses
    }

    /// Turns the wheels of the host as wheels that roll without slip.
    pub(super) fn roll_wheels(&self, wheels: &mut Wheels, steer: f64, motion: &Motion) {
        let angles = self.steering(steer);
        for wheel in 0..wheels.count() {
            let angle = if wheel >= FRONT_LEFT { angles[wheel - FRONT_LEFT] } else { 0.0 };
            let (sin, cos) = math::sin_cos(angle);
            let ahead = motion.vx - motion.omega * wheels.y(wheel);
            let left = motion.vy + motion.omega * wheels.x(wheel);
            wheels.set_spin(wheel, (cos * ahead + sin * left) / wheels.radius(wheel));
            if wheel >= FRONT_LEFT {
                wheels.set_steer(wheel, angle);
            }
        }
    }
}

/// Returns the tangent plane of the ground below a point, or level ground at height 0 without a world.
fn ground_below(step: &Step, at: Vec3) -> GroundPlane {
    let Some(ground) = step.ground(at.to_array()) else { return GroundPlane::LEVEL };
    let [along, across] = ground.slope;
    let length = (1.0 + along * along + across * across).sqrt();
    let normal = Vec3::new(-along / length, -across / length, 1.0 / length);
    GroundPlane { point: Vec3 { z: ground.height, ..at }, normal }
}
