//! The dynamics class of the driving lab: a rigid body of four wheel masses in space.
//!
//! The car is four point masses at its wheel centres ([`crate::body`]). Gravity, air drag, and at each
//! wheel the normal load, the force of the motor, brake, rolling resistance and side friction act on it
//! ([`crate::contact`], [`crate::forces`]). The reference point lies on the ground below the middle of the
//! wheels.
//!
//! Source: driving-lab manual, sections 3.3 and 3.4, corrected. The manual's "centripetal force" m ω × (ω ×
//! r) is left out: within a rigid body it has no resultant, and its torque would change the angular
//! momentum of a body that turns freely. The motor value is an acceleration of the whole car and a brake
//! value the deceleration of the mass of its wheel.
//!
//! **Limit:** all mass lies in the plane of the wheel centres; wheels do not spin up or lock; the ground
//! is a plane at each wheel during a step; obstacles stop the car as seen from above; wind and regions of
//! friction do not act.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::{kinematics, prelude::*};

use crate::body::{Body, Masses};
use crate::contact::{self, GroundPlane, Tyres, WheelInput};
use crate::forces::{RollingResistance, drag};
use crate::rotation::{Rotation, Vector, add, cross, to_body, to_world};

/// Rigid body of four wheel masses, as in the driving lab. The reference point lies on the ground below
/// the middle of the wheels.
#[derive(Params)]
pub struct FourMassBody {
    /// Mass of both front wheels, which is that of the front of the car. A larger value moves the
    /// centre of mass forwards.
    #[param(default = 950.0, above = 0.0, unit = "kg")]
    front_mass: f64,
    /// Mass of both rear wheels, which is that of the rear of the car. A larger value moves the centre
    /// of mass backwards.
    #[param(default = 850.0, above = 0.0, unit = "kg")]
    rear_mass: f64,
    /// Distance between the axles. A larger value makes the car turn wider.
    #[param(default = 2.921, above = 0.0, unit = "m")]
    wheelbase: f64,
    /// Distance between left and right wheels. A larger value makes the car roll less.
    #[param(default = 1.62025, above = 0.0, unit = "m")]
    track: f64,
    /// Distance of the wheel centres from the ground at rest. A larger value makes the car pitch and
    /// roll more.
    #[param(default = 0.3334, above = 0.0, unit = "m")]
    wheel_radius: f64,
    /// Pressure of the tyres. A larger value makes the car roll further.
    #[param(default = 2.5, above = 0.0, unit = "bar")]
    tyre_pressure: f64,
    /// Drag coefficient. A larger value makes the car slow down more at speed.
    #[param(default = 0.3, range = 0.0..)]
    drag_coefficient: f64,
    /// Area that the air hits; by default width times height of the lab's car, 2.027126 m × 1.195245 m. A
    /// larger value makes the car slow down more at speed.
    #[param(default = 2.422912, range = 0.0.., unit = "m²")]
    frontal_area: f64,
    /// Density of the air. A larger value makes the car slow down more at speed.
    #[param(default = 1.225, range = 0.0.., unit = "kg/m³")]
    air_density: f64,
    /// State of the road, which selects the friction coefficient.
    #[param(default = "dry")]
    road: Road,
    /// Friction coefficient of a dry road. A smaller value makes the car slide earlier.
    #[param(default = 0.7, range = 0.0..=3.0)]
    mu_dry: f64,
    /// Friction coefficient of a wet road. A smaller value makes the car slide earlier.
    #[param(default = 0.4, range = 0.0..=3.0)]
    mu_wet: f64,
    /// Wheels to which the motor gives its force, in proportion to their masses.
    #[param(default = "all")]
    driven: Driven,
    /// Constant part of the rolling resistance, a share of the normal load. A larger value makes the car
    /// roll less far.
    #[param(default = 0.005, range = 0.0..=1.0)]
    rolling_constant: f64,
    /// Part of the rolling resistance at a tyre pressure of 1 bar, in inverse proportion to the pressure.
    /// A larger value makes the car roll less far.
    #[param(default = 0.01, range = 0.0..=1.0)]
    rolling_pressure: f64,
    /// Part of the rolling resistance at a tyre pressure of 1 bar and 100 km/h, which grows with the
    /// square of the speed. A larger value makes the car slow down more at speed.
    #[param(default = 0.0095, range = 0.0..=1.0)]
    rolling_speed: f64,
    /// Stiffness of a tyre normal to the ground. A larger value makes the car pitch and roll less.
    #[param(default = 200000.0, above = 0.0, unit = "N/m")]
    tyre_stiffness: f64,
    /// Damping of a tyre normal to the ground. A larger value makes the car come to rest sooner.
    #[param(default = 10000.0, range = 0.0.., unit = "N·s/m")]
    tyre_damping: f64,
    /// Longest step of the integration. A larger value is faster and less accurate.
    #[param(default = 0.001, range = 0.0001..=0.005, unit = "s")]
    integration_step: f64,
    /// Masses, centre of mass and inertia.
    #[param(skip)]
    masses: Masses,
}

/// State of the road.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Road {
    /// Friction coefficient `mu_dry`.
    #[param(key = "dry")]
    Dry,
    /// Friction coefficient `mu_wet`.
    #[param(key = "wet")]
    Wet,
}

/// Driven wheels.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driven {
    /// Both axles.
    #[param(key = "all")]
    All,
    /// The front axle.
    #[param(key = "front")]
    Front,
    /// The rear axle.
    #[param(key = "rear")]
    Rear,
}

/// Values of the actuators, and the motion of the body.
#[derive(Clone, Copy, Debug, Default, Ports)]
pub struct Inputs {
    /// Acceleration of the car by the motor, positive forwards.
    #[port(unit = "m/s²")]
    pub motor: f64,
    /// Steering angle of an equivalent wheel in the middle of the front axle, positive
    /// counter-clockwise.
    #[port(unit = "rad")]
    pub steer: f64,
    /// Deceleration by the left front brake, at least 0.
    #[port(unit = "m/s²")]
    pub brake_front_left: f64,
    /// Deceleration by the right front brake, at least 0.
    #[port(unit = "m/s²")]
    pub brake_front_right: f64,
    /// Deceleration by the left rear brake, at least 0.
    #[port(unit = "m/s²")]
    pub brake_rear_left: f64,
    /// Deceleration by the right rear brake, at least 0.
    #[port(unit = "m/s²")]
    pub brake_rear_right: f64,
    /// Position of the reference point, world frame.
    #[port(unit = "m")]
    pub x: f64,
    /// Position of the reference point, world frame.
    #[port(unit = "m")]
    pub y: f64,
    /// Height of the reference point, world frame.
    #[port(unit = "m")]
    pub z: f64,
    /// Heading, positive counter-clockwise from the world x axis.
    #[port(unit = "rad")]
    pub yaw: f64,
    /// Pitch, positive nose down.
    #[port(unit = "rad")]
    pub pitch: f64,
    /// Roll, positive right side down.
    #[port(unit = "rad")]
    pub roll: f64,
    /// Forward velocity of the reference point.
    #[port(unit = "m/s")]
    pub vx: f64,
    /// Leftward velocity of the reference point.
    #[port(unit = "m/s")]
    pub vy: f64,
    /// Angular velocity about the z axis of the car.
    #[port(unit = "rad/s")]
    pub omega: f64,
    /// Velocity of the reference point along the z axis of the car.
    #[port(unit = "m/s")]
    pub body_velocity_z: f64,
    /// Angular velocity about the x axis of the car.
    #[port(unit = "rad/s")]
    pub body_rate_x: f64,
    /// Angular velocity about the y axis of the car.
    #[port(unit = "rad/s")]
    pub body_rate_y: f64,
    /// Gravity.
    #[port(unit = "m/s²")]
    pub gravity: f64,
}

/// Measurements of the car.
#[derive(Clone, Copy, Debug, Ports)]
pub struct Measured {
    /// Forward velocity estimated from the rear wheels.
    #[port(unit = "m/s")]
    odometry_vx: f64,
    /// Leftward velocity of the reference point, estimated for wheels without slip.
    #[port(unit = "m/s")]
    odometry_vy: f64,
    /// Yaw rate estimated from the rear wheels.
    #[port(unit = "rad/s")]
    odometry_omega: f64,
    /// Mean steering angle of the front wheels, positive counter-clockwise.
    #[port(unit = "rad")]
    steer_angle: f64,
}

const REAR_LEFT: usize = 0;
const REAR_RIGHT: usize = 1;
const FRONT_LEFT: usize = 2;
const FRONT_RIGHT: usize = 3;

impl FourMassBody {
    /// Returns the masses.
    pub fn masses(&self) -> &Masses {
        &self.masses
    }

    /// Returns the body for the motion of the reference point. A velocity that is not known yet is 0.
    pub fn begin(&self, at: &Inputs) -> Body {
        let known = |value: f64| if value.is_finite() { value } else { 0.0 };
        let rotation = Rotation::of([at.yaw, at.pitch, at.roll]);
        let axes = rotation.axes();
        let arm = to_world(&axes, self.masses.centre);
        let own = [at.body_rate_x, at.body_rate_y, at.omega].map(known);
        let velocity = to_world(&axes, [at.vx, at.vy, known(at.body_velocity_z)]);
        let momentum = [0, 1, 2].map(|i| self.masses.inertia[i] * own[i]);
        Body {
            position: add([at.x, at.y, at.z], 1.0, arm),
            velocity: add(velocity, 1.0, cross(to_world(&axes, own), arm)),
            rotation,
            momentum: to_world(&axes, momentum),
        }
    }

    /// Returns the motion of the reference point of a body.
    pub fn motion(&self, body: &Body) -> SpatialMotion {
        let axes = body.rotation.axes();
        let arm = to_world(&axes, self.masses.centre);
        let omega = Body::omega(&self.masses, &axes, body.momentum);
        let [x, y, z] = add(body.position, -1.0, arm);
        let [vx, vy, vz] = to_body(&axes, add(body.velocity, -1.0, cross(omega, arm)));
        let [roll_rate, pitch_rate, omega] = to_body(&axes, omega);
        let [yaw, pitch, roll] = body.rotation.angles();
        SpatialMotion { x, y, yaw, vx, vy, omega, z, pitch, roll, vz, pitch_rate, roll_rate }
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
            let centre = add(body.position, 1.0, to_world(&axes, self.masses.place[wheel]));
            WheelInput {
                ground: ground_below(step, centre),
                heading: [cos, sin],
                motor: self.masses.total * inputs.motor * share,
                brake: mass * brakes[wheel].max(0.0),
            }
        })
    }

    /// Advances a body by a step in parts of at most `integration_step`.
    pub fn advance(&self, body: &mut Body, wheels: &[WheelInput; 4], gravity: f64, dt: f64) {
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
        for _ in 0..parts as u64 {
            let speed = crate::rotation::norm(body.velocity);
            let area = self.drag_coefficient * self.frontal_area;
            let part = contact::Step {
                masses: &self.masses,
                tyres,
                rolling: rolling.coefficient(speed, self.tyre_pressure),
                gravity,
                drag: drag(self.air_density, area, body.velocity),
                wheels,
            };
            part.advance(body, h);
        }
    }

    /// Turns the wheels of the host as wheels that roll without slip.
    fn roll_wheels(&self, wheels: &mut Wheels, steer: f64, motion: &SpatialMotion) {
        let angles = self.steering(steer);
        for wheel in 0..wheels.count() {
            let angle = if wheel >= FRONT_LEFT { angles[wheel - FRONT_LEFT] } else { 0.0 };
            let (sin, cos) = math::sin_cos(angle);
            let ahead = motion.vx - motion.omega * wheels.y(wheel);
            let left = motion.vy + motion.omega * wheels.x(wheel);
            wheels.set_spin(wheel, (cos * ahead + sin * left) / wheels.radius(wheel));
            wheels.set_steer(wheel, angle);
        }
    }
}

/// Returns the tangent plane of the ground below a point, or level ground at height 0 without a world.
fn ground_below(step: &Step, at: Vector) -> GroundPlane {
    let Some(ground) = step.ground(at) else { return GroundPlane::LEVEL };
    let [along, across] = ground.slope;
    let length = (1.0 + along * along + across * across).sqrt();
    let normal = [-along / length, -across / length, 1.0 / length];
    GroundPlane { point: [at[0], at[1], ground.height], normal }
}

#[model]
impl Dynamics for FourMassBody {
    type Actuators = Inputs;
    type Output = SpatialMotion;
    type Measurements = Measured;
    const WHEELS: &'static [WheelPlace] = &[
        WheelPlace::placed("rl_wheel"),
        WheelPlace::placed("rr_wheel"),
        WheelPlace::placed("fl_wheel"),
        WheelPlace::placed("fr_wheel"),
    ];
    const CHASSIS: Chassis = Chassis {
        mass: 1792.0,
        z_min: 0.15,
        z_max: 1.195245,
        polygon: &[
            -2.118212, -1.013563, 2.118212, -1.013563, 2.118212, 1.013563, -2.118212, 1.013563,
        ],
    };

    fn prepare(&mut self) -> Result<(), String> {
        let axles = [self.front_mass, self.rear_mass];
        self.masses = Masses::new(axles, self.wheelbase, self.track, self.wheel_radius);
        Ok(())
    }

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        let (x, y) = (0.5 * self.wheelbase, 0.5 * self.track);
        let corners = [[-x, y], [-x, -y], [x, y], [x, -y]];
        for (wheel, [x, y]) in wheels.iter_mut().zip(corners) {
            (wheel.x, wheel.y) = (x, y);
        }
        Ok(())
    }

    fn drive(
        &self,
        inputs: &Inputs,
        wheels: &mut Wheels,
        step: &Step,
        _: &mut (),
    ) -> SpatialMotion {
        let mut body = self.begin(inputs);
        let acting = self.wheel_inputs(inputs, &body, step);
        self.advance(&mut body, &acting, inputs.gravity, step.dt);
        let motion = self.motion(&body);
        self.roll_wheels(wheels, inputs.steer, &motion);
        motion
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        let (vx, omega) = wheels.axle_twist(REAR_LEFT, REAR_RIGHT);
        Measured {
            odometry_vx: vx,
            odometry_vy: -wheels.x(REAR_LEFT) * omega,
            odometry_omega: omega,
            steer_angle: 0.5 * (wheels.steer(FRONT_LEFT) + wheels.steer(FRONT_RIGHT)),
        }
    }
}
