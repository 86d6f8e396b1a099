//! The adapter that turns a planning model into a dynamics class of the host.
//!
//! The model keeps pose and speed in separate slots, without the rounding of the body. If the body
//! has been stopped or moved by something else, the state continues from the body.

use std::marker::PhantomData;

use simhost_sdk::abi::{ParamDesc, ParamScaling, StateDesc, Str, Value, WheelGeometry};
use simhost_sdk::ports::Odometry;
use simhost_sdk::prelude::*;
use simhost_sdk::{Columns, Params, State};

use super::Model;
use super::state::{self, Moving, SHARED};
use crate::ports::{Body, Inputs, Measured};

/// A planning model as a dynamics class.
#[repr(transparent)]
pub struct Planned<M>(pub M);

/// State of a model, with its memory.
pub struct States<M: Model> {
    moving: Moving,
    memory: Remembered<M::Memory>,
    model: PhantomData<M>,
}

impl<M: Params> Params for Planned<M> {
    const DOC: &'static str = M::DOC;
    const PARAMS: &'static [ParamDesc] = M::PARAMS;
    const ALIASES: &'static [Str] = M::ALIASES;
    const SCALINGS: &'static [ParamScaling] = M::SCALINGS;
    fn read(values: &[Value]) -> Self {
        Self(M::read(values))
    }
}

impl<M: Model> Columns for States<M> {
    const COUNT: usize = SHARED + M::OWN.len();
    #[inline(always)]
    fn load(get: impl Fn(usize) -> f64) -> Self {
        let moving = Moving::load(M::OWN.len(), get);
        Self { moving, memory: Remembered::absent(), model: PhantomData }
    }
    #[inline(always)]
    fn store(&self, put: impl FnMut(usize, f64)) {
        self.moving.store(M::OWN.len(), put);
    }
}

impl<M: Model> State for States<M> {
    const STATES: &'static [StateDesc] =
        const { &state::slots(M::OWN) }.split_at(SHARED + M::OWN.len()).0;
    type Memory = M::Memory;
    unsafe fn attach(&mut self, memory: *mut std::ffi::c_void, is_shared: bool) {
        // SAFETY: promised by the caller.
        unsafe { self.memory.lend(memory, is_shared) };
    }
}

/// Indices of the rear wheels.
const REAR: [usize; 2] = [0, 1];
/// Indices of the front wheels.
const FRONT: [usize; 2] = [2, 3];

/// Difference between body and model above which the body counts as moved by something else, m, rad
/// or m/s.
const MOVED: f64 = 1e-6;

/// Largest tangent of the angle of a wheel that is shown.
const STEEPEST: f64 = 5.0;

#[model]
impl<M: Model> Dynamics for Planned<M> {
    const WHEELS: &'static [WheelPlace] = WheelPlace::CAR;
    const CHASSIS: Chassis =
        Chassis::new(1500.0, [0.2, 2.5], &[-1.1, -0.95, 3.79, -0.95, 3.79, 0.95, -1.1, 0.95]);

    fn prepare(&mut self) -> Result<(), String> {
        self.0.car().check()?;
        self.0.prepare()
    }

    fn warnings(&self, _: &[WheelUse]) -> Vec<String> {
        self.0.car().notes.clone()
    }

    fn memory(&self) -> M::Memory {
        self.0.memory()
    }

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        let car = self.0.car();
        let front = [0.0, 0.0, car.wheel_base, car.wheel_base];
        for ((wheel, x), side) in wheels.iter_mut().zip(front).zip([0.5, -0.5, 0.5, -0.5]) {
            (wheel.x, wheel.y) = (x, side * car.wheel_tread);
        }
        Ok(())
    }

    fn drive(
        &self,
        inputs: &M::Inputs,
        wheels: &mut Wheels,
        step: &Step,
        state: &mut States<M>,
    ) -> Motion {
        let Self(model) = self;
        let body = inputs.body();
        let States { moving, memory, .. } = state;
        meet(model, moving, memory, &body);
        if body.engaged {
            model.advance(&inputs.command(), moving, memory, step.dt);
        }
        let motion = model.motion(moving);
        turn(wheels, &motion, moving.steer, model.car().wheel_base);
        motion
    }

    fn measure_state(&self, _: &WheelMotion, state: &States<M>) -> Measured {
        let (Self(model), moving) = (self, &state.moving);
        let Motion { vx, vy, omega, .. } = model.motion(moving);
        let [accel_status, brake_status, steer_status] = model.pedals(moving);
        Measured {
            odometry: Odometry { odometry_vx: vx, odometry_vy: vy, odometry_omega: omega },
            steer_angle: moving.steer + model.steer_bias(),
            longitudinal_acceleration: moving.reported,
            accel_status,
            brake_status,
            steer_status,
        }
    }
}

/// Adapts the state to the body where the two differ, and to a commanded initial pose.
#[inline(always)]
fn meet<M: Model>(model: &M, state: &mut Moving, memory: &mut Remembered<M::Memory>, body: &Body) {
    let [x, y, yaw] = body.pose;
    if state.begun == 0.0 {
        *state = Moving { x, y, yaw, vx: body.vx, begun: 1.0, ..Moving::default() };
    } else {
        let told = model.motion(state);
        let turned = math::wrap_angle(yaw - told.yaw);
        if (x - told.x).abs().max((y - told.y).abs()).max(turned.abs()) > MOVED {
            (state.x, state.y, state.yaw) = (x, y, told.yaw + turned);
        }
        if (body.vx - told.vx).abs() > MOVED {
            state.vx = body.vx;
        }
    }
    if body.initial_number != state.initial {
        let ([x, y, yaw, vx], before) = (body.initial, *state);
        let initial = body.initial_number;
        *state = Moving { x, y, yaw, vx, begun: 1.0, initial, ..Moving::default() };
        // the source keeps the commands that are on their way
        if model.car().is_compatible() {
            model.survive(&before, state, memory);
        } else {
            model.forget(memory);
        }
    }
}

/// Shows the motion of a step at the wheels, which follow it without slip.
#[inline(always)]
fn turn(wheels: &mut Wheels, motion: &Motion, steer: f64, wheel_base: f64) {
    let tangent = math::tan(steer).clamp(-STEEPEST, STEEPEST);
    let rate = motion.vx * tangent / wheel_base;
    for wheel in REAR {
        wheels.set_spin(wheel, (motion.vx - rate * wheels.y(wheel)) / wheels.radius(wheel));
    }
    for wheel in FRONT {
        // the wheel is at right angles to the line to the turning centre at (0, L / tan δ)
        let ahead = (wheel_base - tangent * wheels.y(wheel)).max(0.1 * wheel_base);
        let along = ahead * motion.vx / wheel_base;
        let angle = math::atan(wheel_base * tangent / ahead);
        wheels.set_steer(wheel, angle);
        wheels.set_spin(wheel, along / (math::cos(angle) * wheels.radius(wheel)));
    }
}
