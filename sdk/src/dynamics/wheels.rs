//! The wheels of one vehicle as a dynamics class reads and sets them.

use std::marker::PhantomData;

use simhost_abi::{Batch, PortDesc, Scope};

use crate::columns::port;
use crate::per_wheel;
use crate::step::GroundPoint;

/// The motion and geometry of the wheels of one vehicle.
pub struct WheelMotion<'a> {
    /// Columns of [`MOTION`], then columns of [`crate::Dynamics::WHEEL_INPUTS`].
    columns: *const *const f64,
    input_count: usize,
    base: usize,
    stride: usize,
    count: usize,
    ground: FoundGround,
    batch: PhantomData<&'a Batch>,
}

/// Ground below the wheels of a lane: height and slopes by wheel, or null before the host has answered.
#[derive(Clone, Copy)]
pub(super) struct FoundGround {
    pub columns: [*const f64; 3],
    /// Lane of the columns, and distance between wheels.
    pub lane: usize,
    pub stride: usize,
}

impl FoundGround {
    const NONE: Self = Self { columns: [std::ptr::null(); 3], lane: 0, stride: 0 };
}

/// Inputs of a dynamics class for each wheel.
pub(super) const MOTION: [PortDesc; 7] = [
    port("spin", "rad/s", Scope::Wheel, "wheel spin, positive when rolling forwards"),
    port("radius", "m", Scope::Wheel, "rolling radius"),
    port("wheel_x", "m", Scope::Wheel, "position ahead of the reference point"),
    port("wheel_y", "m", Scope::Wheel, "position left of the reference point"),
    port("wheel_vx", "m/s", Scope::Wheel, "velocity of the wheel centre, vehicle frame"),
    port("wheel_vy", "m/s", Scope::Wheel, "velocity of the wheel centre, vehicle frame"),
    port("wheel_steer", "rad", Scope::Wheel, "steering angle, counter-clockwise"),
];

impl WheelMotion<'_> {
    /// # Safety
    /// `inputs` holds the columns of [`MOTION`] and `input_count` more of scope wheel for `count`
    /// wheels, and `lane` is a lane of the batch.
    #[inline(always)]
    pub(super) unsafe fn new(
        batch: &Batch,
        inputs: *const *const f64,
        input_count: usize,
        lane: usize,
        count: usize,
    ) -> Self {
        Self {
            columns: inputs,
            input_count,
            base: lane,
            stride: batch.wheel_stride,
            count,
            ground: FoundGround::NONE,
            batch: PhantomData,
        }
    }

    /// Adds the ground below the wheels.
    ///
    /// # Safety
    /// The columns hold wheel `w` at `lane + w * stride`, for as long as the result exists.
    #[inline(always)]
    pub(super) unsafe fn on_ground(self, ground: FoundGround) -> Self {
        Self { ground, ..self }
    }

    /// Returns the ground below the point that [`crate::Dynamics::stand`] has set for a wheel, as of the start of the
    /// step; level ground at height 0 in [`crate::Dynamics::stand`] and the other methods.
    #[inline(always)]
    pub fn ground(&self, wheel: usize) -> GroundPoint {
        let FoundGround { columns, lane, stride } = self.ground;
        if columns[0].is_null() {
            return GroundPoint { height: 0.0, slope: [0.0; 2] };
        }
        per_wheel::check_range("wheel", wheel, self.count);
        // SAFETY: the wheel is in range, and the columns hold every wheel.
        let get = |column: usize| unsafe { *columns[column].add(wheel * stride + lane) };
        GroundPoint { height: get(0), slope: [get(1), get(2)] }
    }

    #[inline(always)]
    fn get(&self, column: usize, wheel: usize) -> f64 {
        per_wheel::check_range("wheel", wheel, self.count);
        // SAFETY: the wheel is in range, and a column of scope wheel holds every wheel of a lane.
        unsafe { *(*self.columns.add(column)).add(wheel * self.stride + self.base) }
    }

    /// Returns the number of wheels.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the spin of a wheel, rad/s, positive when rolling forwards.
    #[inline(always)]
    pub fn spin(&self, wheel: usize) -> f64 {
        self.get(0, wheel)
    }

    /// Returns the rolling radius of a wheel, m.
    #[inline(always)]
    pub fn radius(&self, wheel: usize) -> f64 {
        self.get(1, wheel)
    }

    /// Returns the position of a wheel ahead of the reference point, m.
    #[inline(always)]
    pub fn x(&self, wheel: usize) -> f64 {
        self.get(2, wheel)
    }

    /// Returns the position of a wheel left of the reference point, m.
    #[inline(always)]
    pub fn y(&self, wheel: usize) -> f64 {
        self.get(3, wheel)
    }

    /// Returns the velocity of a wheel centre, vehicle frame, m/s.
    #[inline(always)]
    pub fn velocity(&self, wheel: usize) -> [f64; 2] {
        [self.get(4, wheel), self.get(5, wheel)]
    }

    /// Returns the steering angle of a wheel, rad, positive counter-clockwise, as the last `drive`
    /// set it.
    #[inline(always)]
    pub fn steer(&self, wheel: usize) -> f64 {
        self.get(6, wheel)
    }

    /// Returns input number `input` of a wheel, in the order of [`crate::Dynamics::WHEEL_INPUTS`].
    #[inline(always)]
    pub fn input(&self, input: usize, wheel: usize) -> f64 {
        per_wheel::check_range("wheel input", input, self.input_count);
        per_wheel::check_range("wheel", wheel, self.count);
        // SAFETY: both indices are in range, and a column of scope wheel holds every wheel of a lane.
        unsafe {
            let column = *self.columns.add(MOTION.len() + input);
            *column.add(wheel * self.stride + self.base)
        }
    }

    /// Returns the rolling speed of a wheel, m/s: spin times radius.
    #[inline(always)]
    pub fn rolling_speed(&self, wheel: usize) -> f64 {
        self.spin(wheel) * self.radius(wheel)
    }

    /// Returns the twist of the vehicle, (vx m/s, yaw rate rad/s), estimated from two wheels on one
    /// axle that roll without slip: omega = (w_r R_r − w_l R_l)/(y_l − y_r), vx = w_l R_l + omega
    /// y_l.
    #[inline(always)]
    pub fn axle_twist(&self, left: usize, right: usize) -> (f64, f64) {
        let speed_left = self.rolling_speed(left);
        let speed_right = self.rolling_speed(right);
        let omega = (speed_right - speed_left) / (self.y(left) - self.y(right));
        (speed_left + omega * self.y(left), omega)
    }
}

/// The points at which the wheels of one vehicle stand on the ground, in [`crate::Dynamics::stand`].
pub struct Footprint<'a> {
    /// Columns of x, y and z.
    columns: [*mut f64; 3],
    lane: usize,
    stride: usize,
    count: usize,
    tile: PhantomData<&'a mut f64>,
}

impl Footprint<'_> {
    /// # Safety
    /// The columns can be written at `lane + w * stride` for `count` wheels.
    #[inline(always)]
    pub(super) unsafe fn new(
        columns: [*mut f64; 3],
        lane: usize,
        stride: usize,
        count: usize,
    ) -> Self {
        Self { columns, lane, stride, count, tile: PhantomData }
    }

    /// Sets the point below which the ground of a wheel lies, world frame, m. It has to be set for each wheel.
    #[inline(always)]
    pub fn set(&mut self, wheel: usize, point: [f64; 3]) {
        per_wheel::check_range("wheel", wheel, self.count);
        for (column, value) in self.columns.into_iter().zip(point) {
            // SAFETY: the wheel is in range.
            unsafe { *column.add(wheel * self.stride + self.lane) = value };
        }
    }
}

/// The wheels of one vehicle during [`crate::Dynamics::drive`], to be read and set.
pub struct Wheels<'a> {
    motion: WheelMotion<'a>,
    to: SetPoints,
    /// Index of the first wheel in these columns, and distance between wheels.
    base: usize,
    stride: usize,
}

/// Columns through which a dynamics class sets the wheels.
#[derive(Clone, Copy)]
pub(super) struct SetPoints {
    pub turn: Turn,
    pub steer: *mut f64,
    /// Camber and its rate.
    pub camber: Option<[*mut f64; 2]>,
    /// Inertia that the powertrain adds to each wheel.
    pub inertia: Option<*mut f64>,
    /// Load, velocities and radius of the contact.
    pub contact: Option<[*mut f64; 4]>,
    /// A bit for each wheel that turns about its vertical axis.
    pub turning: u64,
}

/// Columns through which a dynamics class turns the wheels.
#[derive(Clone, Copy)]
pub(super) enum Turn {
    /// Motor torque and brake torque.
    Torque(*mut f64, *mut f64),
    /// Spin.
    Spin(*mut f64),
}

impl<'a> std::ops::Deref for Wheels<'a> {
    type Target = WheelMotion<'a>;
    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.motion
    }
}

impl<'a> Wheels<'a> {
    /// Starts with wheels at zero torque, steering angle and camber that keep their spin.
    ///
    /// # Safety
    ///
    /// The columns hold wheel `w` of the lane of `motion` at `base + w * stride`.
    #[inline(always)]
    pub(super) unsafe fn new(
        motion: WheelMotion<'a>,
        to: SetPoints,
        base: usize,
        stride: usize,
    ) -> Self {
        // SAFETY: promised by the caller.
        let mut wheels = unsafe { Self::resumed(motion, to, base, stride) };
        let count = wheels.motion.count;
        for wheel in 0..count {
            if !to.steer.is_null() {
                wheels.set(to.steer, wheel, 0.0);
            }
            if let Some(columns) = to.contact {
                columns.into_iter().for_each(|column| wheels.set(column, wheel, 0.0));
            }
            if let Some([camber, rate]) = to.camber {
                wheels.set(camber, wheel, 0.0);
                wheels.set(rate, wheel, 0.0);
            }
            if let Some(inertia) = to.inertia {
                wheels.set(inertia, wheel, 0.0);
            }
            match to.turn {
                Turn::Torque(torque, brake) => {
                    wheels.set(torque, wheel, 0.0);
                    wheels.set(brake, wheel, 0.0);
                }
                Turn::Spin(spin) => wheels.set(spin, wheel, wheels.motion.spin(wheel)),
            }
        }
        wheels
    }

    /// Continues with wheels as they have been set.
    ///
    /// # Safety
    ///
    /// As for [`Self::new`].
    #[inline(always)]
    pub(super) unsafe fn resumed(
        motion: WheelMotion<'a>,
        to: SetPoints,
        base: usize,
        stride: usize,
    ) -> Self {
        Self { motion, to, base, stride }
    }

    #[inline(always)]
    fn set(&mut self, column: *mut f64, wheel: usize, value: f64) {
        let motion = &self.motion;
        per_wheel::check_range("wheel", wheel, motion.count);
        // SAFETY: the wheel is in range, and the columns hold every wheel of the lane.
        unsafe { *column.add(wheel * self.stride + self.base) = value };
    }

    /// Sets the motor torque on a wheel, N·m, positive forwards.
    ///
    /// # Panics
    ///
    /// If the class returns a wrench or a motion, because it then computes the forces itself.
    #[inline(always)]
    pub fn set_torque(&mut self, wheel: usize, torque: f64) {
        let Turn::Torque(column, _) = self.to.turn else {
            panic!("this class sets spins, not torques")
        };
        self.set(column, wheel, torque);
    }

    /// Sets the largest torque of the brake of a wheel, N·m, at least 0. A brake acts against the
    /// spin until the wheel stands, and then holds it.
    ///
    /// # Panics
    ///
    /// If the class returns a wrench or a motion, because it then computes the forces itself.
    #[inline(always)]
    pub fn set_brake(&mut self, wheel: usize, torque: f64) {
        let Turn::Torque(_, column) = self.to.turn else {
            panic!("this class sets spins, not torques")
        };
        self.set(column, wheel, torque);
    }

    /// Sets the spin of a wheel, rad/s, positive when rolling forwards.
    ///
    /// # Panics
    ///
    /// If the class drives wheels by torque, because the host then integrates the spin.
    #[inline(always)]
    pub fn set_spin(&mut self, wheel: usize, spin: f64) {
        let Turn::Spin(column) = self.to.turn else { panic!("this class sets torques, not spins") };
        self.set(column, wheel, spin);
    }

    /// Sets the steering angle of a wheel, rad, positive counter-clockwise, relative to its
    /// mounting yaw.
    ///
    /// # Panics
    ///
    /// If the class does not declare the wheel [`steered`](crate::WheelPlace::steered) or
    /// [`swivelling`](crate::WheelPlace::swivelling).
    #[inline(always)]
    pub fn set_steer(&mut self, wheel: usize, angle: f64) {
        if self.to.turning >> wheel & 1 == 0 {
            is_fixed(wheel)
        }
        self.set(self.to.steer, wheel, angle);
    }

    /// Sets the camber of a wheel, rad, and its rate of change, rad/s: the inclination against the
    /// vehicle, positive with the top to the right. It is 0 for a wheel that is not set. Friction models
    /// that read `camber` use it in the same step.
    ///
    /// # Panics
    ///
    /// If the class does not declare `const SETS_CAMBER: bool = true`.
    #[inline(always)]
    pub fn set_camber(&mut self, wheel: usize, camber: f64, rate: f64) {
        let Some(columns) = self.to.camber else {
            panic!("a class that sets the camber declares `const SETS_CAMBER: bool = true`")
        };
        self.set(columns[0], wheel, camber);
        self.set(columns[1], wheel, rate);
    }

    /// Sets the contact of a wheel with the ground at the start of the step. The friction models compute
    /// the forces there. A wheel that is not set is in the air.
    ///
    /// # Panics
    ///
    /// If the class does not declare `const ADVANCES: bool = true`.
    #[inline(always)]
    pub fn set_contact(&mut self, wheel: usize, contact: &WheelContact) {
        let Some(columns) = self.to.contact else {
            panic!("a class that sets it declares `const ADVANCES: bool = true`")
        };
        let WheelContact { load, vx, vy, radius } = *contact;
        for (column, value) in columns.into_iter().zip([load, vx, vy, radius]) {
            self.set(column, wheel, value);
        }
    }

    /// Sets the moment of inertia, kg·m², at least 0, that the powertrain adds to a wheel about its
    /// axle in this step, such as the inertia of an engine times the square of the ratio. It is 0
    /// for a wheel that is not set. Friction models read the sum as `inertia`.
    ///
    /// # Panics
    ///
    /// If the class does not declare `const SETS_DRIVE_INERTIA: bool = true`.
    #[inline(always)]
    pub fn set_drive_inertia(&mut self, wheel: usize, inertia: f64) {
        let Some(column) = self.to.inertia else {
            panic!("a class that sets it declares `const SETS_DRIVE_INERTIA: bool = true`")
        };
        self.set(column, wheel, inertia);
    }
}

#[cold]
#[inline(never)]
fn is_fixed(wheel: usize) -> ! {
    panic!("wheel {wheel} is fixed; a class that steers it declares `WheelPlace::at(…).steered()`")
}

/// The contact of a wheel with the ground at the start of a step, from a class with
/// [`ADVANCES`](crate::Dynamics::ADVANCES).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelContact {
    /// Force that presses the wheel on the ground, N, at least 0; 0 for a wheel in the air.
    pub load: f64,
    /// Velocity of the contact point over the ground along the heading of the vehicle, in the plane of the
    /// ground, m/s.
    pub vx: f64,
    /// The same to the left, m/s.
    pub vy: f64,
    /// Distance of the wheel centre from the contact point, m.
    pub radius: f64,
}
