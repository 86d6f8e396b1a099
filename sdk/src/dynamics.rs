//! Dynamics classes: from actuators to wheel torques and steering angles.

use std::ffi::c_void;
use std::marker::PhantomData;

use simhost_abi::{
    Batch, ChassisDesc, Fault, Kind, Model, Phase, PortDesc, Scope, Slice, Str, Value, WheelDesc,
    WheelGeometry, fault_code, model_flag, wheel_flag,
};

use crate::columns::{PortList, port};
use crate::{Params, Ports, State, Step, export, fault};

/// A dynamics class: which wheels a vehicle has, and how torque and steering reach them.
pub trait Dynamics: Params {
    /// Inputs that controllers drive, such as `torque_left` or `steer`.
    type Actuators: Ports;
    /// What it measures for controllers and recorders. `odometry_vx`, `odometry_vy` (m/s) and
    /// `odometry_omega` (rad/s), the twist as the wheels tell it, become `odometry.csv`.
    type Measurements: Ports;
    /// What a vehicle remembers; `()` for nothing.
    type State: State;
    /// The wheels, in the order in which the methods see them.
    const WHEELS: &'static [WheelPlace];
    /// The chassis of a vehicle that does not describe its own.
    const CHASSIS: Chassis;
    /// Whether the platform can move sideways.
    const HOLONOMIC: bool = false;

    /// As [`crate::Friction::prepare`].
    fn prepare(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Moves wheels that the model places. Called once a vehicle, when the world is loaded.
    fn arrange(&self, _wheels: &mut [WheelGeometry]) -> Result<(), String> {
        Ok(())
    }

    /// Torque and steering of every wheel of one vehicle: [`Wheels::set_torque`] and
    /// [`Wheels::set_steer`]; a wheel that is not set has none. Called once a step, after the
    /// controller; must not allocate, print or keep anything outside `state`.
    fn drive(
        &self,
        actuators: &Self::Actuators,
        wheels: &mut Wheels,
        step: &Step,
        state: &mut Self::State,
    );

    /// What the vehicle measures, from the wheels alone. Called at the start of a run and after
    /// every step.
    fn measure(&self, wheels: &WheelMotion) -> Self::Measurements;
}

/// A wheel of a dynamics class.
#[derive(Clone, Copy, Debug)]
pub struct WheelPlace {
    tag: &'static str,
    x: f64,
    y: f64,
    placed_by_model: bool,
}

impl WheelPlace {
    /// A wheel with this tag in the world file, by default at (`x`, `y`), m.
    pub const fn at(tag: &'static str, x: f64, y: f64) -> Self {
        Self { tag, x, y, placed_by_model: false }
    }

    /// A wheel that [`Dynamics::arrange`] places.
    pub const fn placed(tag: &'static str) -> Self {
        Self { tag, x: 0.0, y: 0.0, placed_by_model: true }
    }
}

/// The chassis of a vehicle that does not describe its own.
#[derive(Clone, Copy, Debug)]
pub struct Chassis {
    /// Mass without the wheels, kg.
    pub mass: f64,
    /// Lowest point above the ground, m.
    pub z_min: f64,
    /// Highest point above the ground, m.
    pub z_max: f64,
    /// Corners x0, y0, x1, y1, … in the vehicle frame, m.
    pub polygon: &'static [f64],
}

/// The wheels of one vehicle, as `measure` sees them.
pub struct WheelMotion<'a> {
    columns: [*const f64; MOTION.len()],
    base: usize,
    stride: usize,
    count: usize,
    batch: PhantomData<&'a Batch>,
}

/// What a dynamics class is told about each wheel.
const MOTION: [PortDesc; 6] = [
    port("spin", "rad/s", Scope::Wheel, "wheel spin, positive when rolling forwards"),
    port("radius", "m", Scope::Wheel, "rolling radius"),
    port("wheel_x", "m", Scope::Wheel, "position ahead of the reference point"),
    port("wheel_y", "m", Scope::Wheel, "position left of the reference point"),
    port("wheel_vx", "m/s", Scope::Wheel, "velocity of the wheel centre, vehicle frame"),
    port("wheel_vy", "m/s", Scope::Wheel, "velocity of the wheel centre, vehicle frame"),
];

const WHEEL_OUTPUTS: [PortDesc; 2] = [
    port("torque", "N·m", Scope::Wheel, "motor and brake torque, positive forwards"),
    port("steer", "rad", Scope::Wheel, "steering angle, counter-clockwise"),
];

impl WheelMotion<'_> {
    /// # Safety
    /// `inputs` holds the columns of [`MOTION`], and `lane` is a lane of the batch.
    unsafe fn new(batch: &Batch, inputs: *const *const f64, lane: usize) -> Self {
        // SAFETY: promised by the caller.
        let columns = std::array::from_fn(|k| unsafe { *inputs.add(k) });
        Self {
            columns,
            base: lane,
            stride: batch.wheel_stride,
            count: batch.wheels as usize,
            batch: PhantomData,
        }
    }

    #[inline(always)]
    fn get(&self, column: usize, wheel: usize) -> f64 {
        assert!(wheel < self.count, "wheel {wheel} of {}", self.count);
        // SAFETY: the wheel is in range, and a column of scope wheel holds every wheel of a lane.
        unsafe { *self.columns[column].add(wheel * self.stride + self.base) }
    }

    /// Number of wheels.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Spin of a wheel, rad/s, positive when rolling forwards.
    #[inline(always)]
    pub fn spin(&self, wheel: usize) -> f64 {
        self.get(0, wheel)
    }

    /// Rolling radius of a wheel, m.
    #[inline(always)]
    pub fn radius(&self, wheel: usize) -> f64 {
        self.get(1, wheel)
    }

    /// Position of a wheel ahead of the reference point, m.
    #[inline(always)]
    pub fn x(&self, wheel: usize) -> f64 {
        self.get(2, wheel)
    }

    /// Position of a wheel left of the reference point, m.
    #[inline(always)]
    pub fn y(&self, wheel: usize) -> f64 {
        self.get(3, wheel)
    }

    /// Velocity of a wheel's centre in the vehicle frame, m/s.
    #[inline(always)]
    pub fn velocity(&self, wheel: usize) -> [f64; 2] {
        [self.get(4, wheel), self.get(5, wheel)]
    }

    /// Speed of a wheel's circumference, m/s: spin times radius.
    #[inline(always)]
    pub fn rolling_speed(&self, wheel: usize) -> f64 {
        self.spin(wheel) * self.radius(wheel)
    }

    /// Twist of the vehicle, (vx m/s, omega rad/s), told by two wheels on one axle that roll
    /// without slipping: omega = (w_r R_r − w_l R_l)/(y_l − y_r), vx = w_l R_l + omega y_l.
    #[inline(always)]
    pub fn axle_twist(&self, left: usize, right: usize) -> (f64, f64) {
        let speed_left = self.rolling_speed(left);
        let speed_right = self.rolling_speed(right);
        let omega = (speed_right - speed_left) / (self.y(left) - self.y(right));
        (speed_left + omega * self.y(left), omega)
    }
}

/// The wheels of one vehicle, as `drive` sees and sets them.
pub struct Wheels<'a> {
    motion: WheelMotion<'a>,
    torque: *mut f64,
    steer: *mut f64,
}

impl<'a> std::ops::Deref for Wheels<'a> {
    type Target = WheelMotion<'a>;
    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.motion
    }
}

impl Wheels<'_> {
    #[inline(always)]
    fn set(&mut self, column: *mut f64, wheel: usize, value: f64) {
        let motion = &self.motion;
        assert!(wheel < motion.count, "wheel {wheel} of {}", motion.count);
        // SAFETY: the wheel is in range, and a column of scope wheel holds every wheel of a lane.
        unsafe { *column.add(wheel * motion.stride + motion.base) = value };
    }

    /// Torque on a wheel, N·m, positive forwards.
    #[inline(always)]
    pub fn set_torque(&mut self, wheel: usize, torque: f64) {
        self.set(self.torque, wheel, torque);
    }

    /// Steering angle of a wheel, rad, counter-clockwise, beside its mounting yaw.
    #[inline(always)]
    pub fn set_steer(&mut self, wheel: usize, angle: f64) {
        self.set(self.steer, wheel, angle);
    }
}

/// The descriptor of a dynamics class.
#[doc(hidden)]
pub struct DynamicsModel<M>(PhantomData<M>);

/// Most wheels of one class.
const MAX_WHEELS: usize = 32;

impl<M: Dynamics> DynamicsModel<M> {
    const INPUTS: PortList = PortList::join(<M::Actuators as Ports>::PORTS, &MOTION);
    const CHASSIS: &'static ChassisDesc = &ChassisDesc {
        size: size_of::<ChassisDesc>() as u32,
        reserved: 0,
        mass: M::CHASSIS.mass,
        z_min: M::CHASSIS.z_min,
        z_max: M::CHASSIS.z_max,
        polygon: Slice::new(M::CHASSIS.polygon),
    };
    const WHEELS: [WheelDesc; MAX_WHEELS] = {
        let empty = WheelDesc {
            size: size_of::<WheelDesc>() as u32,
            flags: 0,
            tag: Str::new(""),
            x: 0.0,
            y: 0.0,
        };
        let mut wheels = [empty; MAX_WHEELS];
        assert!(M::WHEELS.len() <= MAX_WHEELS, "more than 32 wheels");
        let mut i = 0;
        while i < M::WHEELS.len() {
            let place = M::WHEELS[i];
            let flags = if place.placed_by_model { wheel_flag::PLACED_BY_MODEL } else { 0 };
            let (tag, x, y) = (Str::new(place.tag), place.x, place.y);
            wheels[i] = WheelDesc { flags, tag, x, y, ..empty };
            i += 1;
        }
        wheels
    };
    const PHASES: &'static [Phase] = &[
        Phase {
            size: size_of::<Phase>() as u32,
            reserved: 0,
            id: Str::new("drive"),
            inputs: Slice::new(Self::INPUTS.as_slice()),
            outputs: Slice::new(&WHEEL_OUTPUTS),
            call: Self::drive,
        },
        Phase {
            size: size_of::<Phase>() as u32,
            reserved: 0,
            id: Str::new("measure"),
            inputs: Slice::new(&MOTION),
            outputs: Slice::new(<M::Measurements as Ports>::PORTS),
            call: Self::measure,
        },
    ];

    /// The descriptor under the name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        Model {
            flags: if M::HOLONOMIC { model_flag::HOLONOMIC } else { 0 },
            states: Slice::new(<M::State as State>::STATES),
            wheels: Slice::new(const { Self::WHEELS.split_at(M::WHEELS.len()).0 }),
            chassis: Self::CHASSIS,
            phases: Slice::new(Self::PHASES),
            arrange: Some(Self::arrange),
            ..export::model::<M>(Kind::Dynamics, id, version, Self::create)
        }
    }

    unsafe extern "C" fn create(
        values: Slice<Value>,
        handle: *mut *mut c_void,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: the host keeps the values alive and hands over a place for the handle.
        unsafe { export::create::<M>(values, handle, fault, M::prepare) }
    }

    unsafe extern "C" fn arrange(
        model: *const c_void,
        wheels: *mut WheelGeometry,
        count: usize,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: `model` came from `create` of this type.
        let model = unsafe { &*model.cast::<M>() };
        // SAFETY: the host hands over `count` wheels that it does not touch during the call.
        let wheels = unsafe { std::slice::from_raw_parts_mut(wheels, count) };
        match fault::contain(|| model.arrange(wheels)) {
            Ok(Ok(())) => fault_code::NONE,
            Ok(Err(text)) => fault::report(fault, fault_code::REFUSED, 0, &text),
            Err(text) => fault::report(fault, fault_code::PANIC, 0, &text),
        }
    }

    unsafe extern "C" fn drive(
        model: *const c_void,
        batch: *const Batch,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: `model` came from `create` of this type; the host promises a valid batch.
        let (model, batch) = unsafe { (&*model.cast::<M>(), &*batch) };
        fault::guard(batch, fault, |batch, done| {
            for lane in batch.first..batch.first + batch.count {
                // SAFETY: the columns are those of the phase, and the lane is one of the call's.
                unsafe { Self::drive_lane(model, batch, lane) };
                done.set(lane + 1);
            }
        })
    }

    /// # Safety
    /// The columns of `batch` are those of the phase, and `lane` is one of the call's.
    #[inline(always)]
    unsafe fn drive_lane(model: &M, batch: &Batch, lane: usize) {
        use crate::Columns;
        // SAFETY: promised by the caller, here and in the blocks below.
        let actuators = M::Actuators::load(|k| unsafe { *(*batch.inputs.add(k)).add(lane) });
        // SAFETY: as above.
        let mut state = M::State::load(|k| unsafe { *(*batch.states.add(k)).add(lane) });
        // SAFETY: as above.
        let mut wheels = unsafe {
            let motion = batch.inputs.add(M::Actuators::COUNT);
            Wheels {
                motion: WheelMotion::new(batch, motion, lane),
                torque: *batch.outputs,
                steer: *batch.outputs.add(1),
            }
        };
        for wheel in 0..wheels.count {
            wheels.set_torque(wheel, 0.0);
            wheels.set_steer(wheel, 0.0);
        }
        let step = Step { time: batch.time, dt: batch.dt };
        model.drive(&actuators, &mut wheels, &step, &mut state);
        // SAFETY: as above.
        state.store(|k, value| unsafe { *(*batch.states.add(k)).add(lane) = value });
    }

    unsafe extern "C" fn measure(
        model: *const c_void,
        batch: *const Batch,
        fault: *mut Fault,
    ) -> u32 {
        use crate::Columns;
        // SAFETY: `model` came from `create` of this type; the host promises a valid batch.
        let (model, batch) = unsafe { (&*model.cast::<M>(), &*batch) };
        fault::guard(batch, fault, |batch, done| {
            for lane in batch.first..batch.first + batch.count {
                // SAFETY: the columns are those of the phase, and the lane is one of the call's.
                let measured =
                    model.measure(&unsafe { WheelMotion::new(batch, batch.inputs, lane) });
                // SAFETY: as above.
                measured.store(|k, value| unsafe { *(*batch.outputs.add(k)).add(lane) = value });
                done.set(lane + 1);
            }
        })
    }
}
