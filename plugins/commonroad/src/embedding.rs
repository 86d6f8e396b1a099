//! Synchronisation of the states of a model with its body in the world.
//!
//! A class returns the pose and the velocity at the end of a step and integrates its states itself.
//! The body follows them exactly unless an obstacle stops it or a user moves it. In that case the
//! states restart from the pose and the velocity of the body.

use simhost_sdk::ports::{MassProperties, Odometry, PlanarPose, PlanarVelocity};
use simhost_sdk::prelude::*;

use crate::limits::Input;
use crate::rk4;

/// Inputs of all classes, and the motion of the body.
#[derive(Clone, Copy, Ports)]
pub struct Inputs {
    /// Requested rate of the steering angle, positive counter-clockwise.
    #[port(unit = "rad/s")]
    pub steer_rate: f64,
    /// Requested longitudinal acceleration.
    #[port(unit = "m/s²")]
    pub acceleration: f64,
    /// Pose of the vehicle.
    #[port(flatten)]
    pose: PlanarPose,
    /// Velocity of the vehicle.
    #[port(flatten)]
    velocity: PlanarVelocity,
}

/// Measurements that the classes share.
#[derive(Clone, Copy, Ports)]
pub struct Measured {
    /// Velocity for wheels that roll without slip, from the speed of the rear wheels and the steering angle.
    #[port(flatten)]
    pub odometry: Odometry,
    /// Steering angle of the front wheels, positive counter-clockwise.
    #[port(unit = "rad")]
    pub steer_angle: f64,
}

/// Measurements of a class with a mass.
#[derive(Clone, Copy, Ports)]
pub struct MeasuredBody {
    /// Measurements that the classes share.
    #[port(flatten)]
    pub measured: Measured,
    /// Mass properties of the model.
    #[port(flatten)]
    pub body: MassProperties,
}

impl Measured {
    /// Adds the mass properties of a model whose reference point is its centre of gravity, at a height.
    #[inline(always)]
    pub fn with_body(self, mass: f64, yaw_inertia: f64, height: f64) -> MeasuredBody {
        let body =
            MassProperties { mass, yaw_inertia, centre_x: 0.0, centre_y: 0.0, centre_z: height };
        MeasuredBody { measured: self, body }
    }

    /// Returns the measurements for the rolling speed of the rear wheels and a steering angle.
    /// `front` and `rear` are one wheel of each axle.
    #[inline(always)]
    pub fn of(wheels: &WheelMotion, speed: f64, steer: f64, [front, rear]: [usize; 2]) -> Self {
        let omega = speed * math::tan(steer) / (wheels.x(front) - wheels.x(rear));
        Self {
            odometry: Odometry {
                odometry_vx: speed,
                odometry_vy: -wheels.x(rear) * omega,
                odometry_omega: omega,
            },
            steer_angle: steer,
        }
    }
}

/// A model whose states begin with x, y, steering angle, a speed and the heading.
pub trait Model<const N: usize> {
    /// Returns the rates of change. The rates of x, y and heading do not depend on `input`.
    fn rates(&self, state: &[f64; N], input: Input) -> [f64; N];
    /// Returns the states of a vehicle with this motion. The caller sets x, y, steering angle and
    /// heading.
    fn begin(&self, at: &Motion) -> [f64; N] {
        let mut state = [0.0; N];
        self.take_over(&mut state, at);
        state
    }
    /// Adopts the velocity of a body that was pushed: by default the speed along the path, the yaw rate
    /// and the slip angle of a single track.
    fn take_over(&self, state: &mut [f64; N], at: &Motion) {
        [state[SPEED], state[SLIP]] = path(at);
        state[YAW_RATE] = at.omega;
    }
    /// Returns the fastest rate at which a state settles, 1/s.
    fn stiffness(&self, _state: &[f64; N]) -> f64 {
        0.0
    }
}

/// Index of the position, which all models share with the other leading states.
const X: usize = 0;
const Y: usize = 1;
const STEER: usize = 2;
const SPEED: usize = 3;
const YAW: usize = 4;
/// Index of the yaw rate of a single track.
const YAW_RATE: usize = 5;
const SLIP: usize = 6;

/// Difference between body and model above which the body counts as pushed, m, rad, m/s, rad/s.
const PUSHED: f64 = 1e-6;
/// Largest product of step and stiffness. The Runge-Kutta method is stable up to 2.78.
const STABLE: f64 = 1.5;

impl Inputs {
    fn input(&self) -> Input {
        [self.steer_rate, self.acceleration]
    }

    fn body(&self) -> Motion {
        let (PlanarPose { x, y, yaw }, PlanarVelocity { vx, vy, omega }) =
            (self.pose, self.velocity);
        Motion { x, y, yaw, vx, vy, omega }
    }
}

/// Advances the states by a step of the host and returns the motion at its end. `span` holds the
/// lengths of the step and of the longest step of the integration, s; `begun` is whether the states
/// have been taken from the body before.
#[inline(always)]
pub fn advance<const N: usize>(
    model: &impl Model<N>,
    inputs: &Inputs,
    steer: f64,
    span: [f64; 2],
    state: &mut [f64; N],
    begun: bool,
) -> Motion {
    meet(model, state, begun, &inputs.body(), steer);
    integrate(model, state, inputs.input(), span);
    motion(model, state)
}

/// Returns the pose and velocity of a state.
pub fn motion<const N: usize>(model: &impl Model<N>, state: &[f64; N]) -> Motion {
    let rates = model.rates(state, [0.0; 2]);
    let (sin, cos) = math::sin_cos(state[YAW]);
    Motion {
        x: state[X],
        y: state[Y],
        yaw: state[YAW],
        vx: cos * rates[X] + sin * rates[Y],
        vy: cos * rates[Y] - sin * rates[X],
        omega: rates[YAW],
    }
}

/// Adapts the states to the body where the two differ.
fn meet<const N: usize>(
    model: &impl Model<N>,
    state: &mut [f64; N],
    begun: bool,
    body: &Motion,
    steer: f64,
) {
    if !begun {
        *state = model.begin(body);
        (state[X], state[Y], state[STEER], state[YAW]) = (body.x, body.y, steer, body.yaw);
        return;
    }
    let told = motion(model, state);
    let turned = math::wrap_angle(body.yaw - told.yaw);
    let moved = (body.x - told.x).abs().max((body.y - told.y).abs()).max(turned.abs());
    let [dvx, dvy] = [body.vx - told.vx, body.vy - told.vy];
    let faster = dvx.abs().max(dvy.abs()).max((body.omega - told.omega).abs());
    if moved > PUSHED {
        (state[X], state[Y], state[YAW]) = (body.x, body.y, state[YAW] + turned);
    }
    if faster > PUSHED {
        model.take_over(state, body);
    }
}

/// Integrates over `span[0]` seconds in steps of at most `span[1]` seconds, and in shorter ones
/// where the model is stiff.
fn integrate<const N: usize>(
    model: &impl Model<N>,
    state: &mut [f64; N],
    input: Input,
    [dt, longest]: [f64; 2],
) {
    let mut left = dt;
    while left > 0.0 {
        let fastest = (1.0 / longest).max(model.stiffness(state) / STABLE);
        let steps = (left * fastest - 1e-9).ceil().max(1.0);
        let h = left / steps;
        *state = rk4::step(state, h, |state| model.rates(state, input));
        left = if steps > 1.0 { left - h } else { 0.0 };
    }
}

/// Returns the speed along the path, which is negative in reverse, and the slip angle of a velocity
/// in the vehicle frame.
pub fn path(at: &Motion) -> [f64; 2] {
    let speed = (at.vx * at.vx + at.vy * at.vy).sqrt();
    if at.vx < 0.0 {
        [-speed, math::atan2(-at.vy, -at.vx)]
    } else {
        [speed, math::atan2(at.vy, at.vx)]
    }
}
