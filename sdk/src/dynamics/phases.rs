//! The phases of a dynamics class on the columns of a call.

use std::mem::MaybeUninit;

use simhost_abi::{Batch, wheel_flag};

use super::Dynamics;
use super::SpatialMotion;
use super::answer::{self, CAMBER_OUTPUTS, MOST_FURTHER, sealed::Answer};
use super::wheels::{MOTION, SetPoints, Turn, WheelMotion, Wheels};
use crate::batch::{MAX_COLUMNS, Staged, Tiles, copy};
use crate::batch::{Own, Varied, phase_of};
use crate::columns::{ports_of, state_of, step_of, store_wheels};
use crate::lanes::PerLane;
use crate::{Columns, Memory, State};

/// Largest number of wheels whose outputs are staged.
const MAX_STAGED_WHEELS: usize = 8;
/// Largest number of outputs per wheel besides camber, inertia and contact: motor torque or spin, steering
/// angle, and brake torque.
const WHEEL_OUTPUTS: usize = 3;

phase_of! {
    /// The phase that drives a vehicle.
    pub(super) Drive<Dynamics>
}

phase_of! {
    /// The phase that measures a vehicle.
    pub(super) Measure<Dynamics>
}

/// The phase that moves the body of a class on wheels.
#[repr(transparent)]
pub(super) struct Advance<M>(M);

/// The phase that returns the rates of change of the states.
#[repr(transparent)]
pub(super) struct DynamicsRates<M>(M);

/// Returns whether all vehicles of a class have the same, small number of wheels.
const fn is_fixed<M: Dynamics>() -> bool {
    let mut wheel = 0;
    while wheel < M::WHEELS.len() {
        if M::WHEELS[wheel].flags & wheel_flag::REPEATED != 0 {
            return false;
        }
        wheel += 1;
    }
    wheel <= MAX_STAGED_WHEELS
}

/// Returns whether tiles of several vehicles are allowed.
const fn is_wide<M: Dynamics>() -> bool {
    is_fixed::<M>() && !<<M::State as State>::Memory as Memory>::PRESENT
}

/// Returns the number of wheels, as a constant where the class has a fixed one.
#[inline(always)]
fn wheels<M: Dynamics>(batch: &Batch) -> usize {
    if const { is_fixed::<M>() } { M::WHEELS.len() } else { batch.wheels as usize }
}

/// # Safety
/// The columns of `batch` belong to a phase with actuators, and `lane` is a lane of the call.
#[inline(always)]
unsafe fn actuators<M: Dynamics>(batch: &Batch, lane: usize) -> M::Actuators {
    if M::Actuators::PER_WHEEL | M::Actuators::READINGS == 0 {
        // SAFETY: promised by the caller. Loops vectorise only with this form of the access.
        return M::Actuators::load(|k| unsafe { *(*batch.inputs.add(k)).add(lane) });
    }
    // SAFETY: promised by the caller.
    unsafe { ports_of::<M::Actuators>(batch, batch.inputs, lane) }
}

/// Returns the wheels of a lane, whose columns follow `skipped` others.
///
/// # Safety
/// The columns of `batch` belong to a phase with `skipped` inputs before the inputs of the wheels,
/// and `lane` is a lane of the call.
#[inline(always)]
unsafe fn motion<M: Dynamics>(batch: &Batch, skipped: usize, lane: usize) -> WheelMotion<'_> {
    // SAFETY: promised by the caller.
    unsafe {
        let columns = batch.inputs.add(skipped);
        WheelMotion::new(batch, columns, M::WHEEL_INPUTS.len(), lane, wheels::<M>(batch))
    }
}

/// Wheel outputs of a tile, by column and wheel.
struct StagedWheels<const N: usize, const COLUMNS: usize>(
    [[[MaybeUninit<f64>; N]; MAX_STAGED_WHEELS]; COLUMNS],
);

impl<const N: usize, const COLUMNS: usize> StagedWheels<N, COLUMNS> {
    #[inline(always)]
    const fn new() -> Self {
        Self([[[const { MaybeUninit::uninit() }; N]; MAX_STAGED_WHEELS]; COLUMNS])
    }

    /// Returns the first wheel of the first lane in a column.
    #[inline(always)]
    const fn column(&mut self, column: usize) -> *mut f64 {
        self.0[column].as_mut_ptr().cast()
    }

    /// Copies the wheels of a tile to the columns of the host.
    ///
    /// # Safety
    /// The first `columns` columns of the first `wheels` wheels were staged for `lanes` lanes.
    /// `outputs` has that many columns of scope wheel, and `first .. first + lanes` are lanes of the
    /// call.
    #[inline(always)]
    unsafe fn copy_out(
        &self,
        outputs: *const *mut f64,
        columns: usize,
        wheels: usize,
        stride: usize,
        first: usize,
        lanes: usize,
    ) {
        for (k, column) in self.0.iter().enumerate().take(columns) {
            for (wheel, staged) in column.iter().enumerate().take(wheels) {
                // SAFETY: promised by the caller.
                unsafe {
                    let to = (*outputs.add(k)).add(wheel * stride + first);
                    copy(staged.as_ptr().cast(), to, lanes, N);
                }
            }
        }
    }
}

/// Returns the columns through which the class sets the wheels: its outputs, and camber, its rate,
/// the inertia of the powertrain, and the contact.
#[inline(always)]
fn set_points<M: Dynamics>(
    columns: [*mut f64; WHEEL_OUTPUTS],
    further: [*mut f64; MOST_FURTHER],
) -> SetPoints {
    let torques = <M::Output as Answer>::TORQUES;
    let turn = if torques { Turn::Torque(columns[0], columns[2]) } else { Turn::Spin(columns[0]) };
    let inertia = if M::SETS_CAMBER { CAMBER_OUTPUTS } else { 0 };
    let contact = inertia + M::SETS_DRIVE_INERTIA as usize;
    let contact = M::ADVANCES.then(|| std::array::from_fn(|k| further[contact + k]));
    let inertia = further[inertia];
    SetPoints {
        turn,
        steer: columns[1],
        camber: M::SETS_CAMBER.then_some([further[0], further[1]]),
        inertia: M::SETS_DRIVE_INERTIA.then_some(inertia),
        contact,
        turning: const { turning::<M>() },
    }
}

/// Returns a bit for each wheel that turns about its vertical axis; all wheels of a repeated element do or
/// do not.
const fn turning<M: Dynamics>() -> u64 {
    let (mut bits, mut wheel) = (0, 0);
    while wheel < M::WHEELS.len() {
        let flags = M::WHEELS[wheel].flags;
        if flags & (wheel_flag::STEERS | wheel_flag::SWIVELS) != 0 {
            bits |= if flags & wheel_flag::REPEATED != 0 { u64::MAX << wheel } else { 1 << wheel };
        }
        wheel += 1;
    }
    bits
}

impl<M: Dynamics> Tiles for Drive<M> {
    const WIDE: bool = is_wide::<M>();
    const EVERY_WIDTH: bool = false;
    const PARAMETERS: usize = M::Actuators::COUNT + MOTION.len() + M::WHEEL_INPUTS.len();

    #[inline(always)]
    unsafe fn tile<const N: usize, const VARIED: bool>(
        &self,
        batch: &Batch,
        first: usize,
        lanes: usize,
    ) {
        const {
            assert!(M::State::COUNT <= MAX_COLUMNS, "more than 32 state slots");
        }
        let skipped = const { answer::own_outputs::<M::Output>() };
        let columns = const { answer::wheel_outputs::<M::Output>() };
        let further =
            const { answer::further_outputs(M::SETS_CAMBER, M::SETS_DRIVE_INERTIA, M::ADVANCES) };
        let (mut outputs, mut states) = (Staged::<N>::new(), Staged::<N>::new());
        // most classes set no camber and no inertia, and their loop must not see that memory
        let mut staged = StagedWheels::<N, WHEEL_OUTPUTS>::new();
        let mut leaning = StagedWheels::<N, MOST_FURTHER>::new();
        let to = std::array::from_fn(|k| staged.column(k));
        let leaned = std::array::from_fn(|k| leaning.column(k));
        let mut own = Own::new();
        own.copy(self, VARIED);
        for i in 0..lanes.min(N) {
            let lane = first + i;
            // SAFETY: promised by the caller, here and below.
            let Self(model) = unsafe { own.of_lane(self, VARIED, batch, Self::PARAMETERS, lane) };
            // SAFETY: as above.
            let (actuators, mut state) =
                unsafe { (actuators::<M>(batch, lane), state_of::<M::State>(batch, lane)) };
            // SAFETY: as above.
            let motion = unsafe { motion::<M>(batch, M::Actuators::COUNT, lane) };
            // SAFETY: as above.
            let step = unsafe { step_of(batch, lane, M::RANDOM) };
            let mut wheels = if const { is_fixed::<M>() } {
                // SAFETY: the columns are staged with `N` lanes per wheel.
                unsafe { Wheels::new(motion, set_points::<M>(to, leaned), i, N) }
            } else {
                let column = |k: usize| {
                    // SAFETY: as above; a class that sets spins has no third column.
                    if k < columns { unsafe { *batch.outputs.add(skipped + k) } } else { to[k] }
                };
                let more = |k: usize| {
                    // SAFETY: as above; the class has that many further columns.
                    let column = || unsafe { *batch.outputs.add(skipped + columns + k) };
                    if k < further { column() } else { leaned[k] }
                };
                let set = set_points::<M>(std::array::from_fn(column), std::array::from_fn(more));
                // SAFETY: as above.
                unsafe { Wheels::new(motion, set, lane, batch.wheel_stride) }
            };
            outputs.put(&model.drive(&actuators, &mut wheels, &step, &mut state), i);
            states.put(&state, i);
        }
        // SAFETY: promised by the caller; all lanes are staged.
        unsafe {
            outputs.copy_out::<M::Output>(batch.outputs, first, lanes);
            states.copy_out::<M::State>(batch.states, first, lanes);
            if const { is_fixed::<M>() } {
                let (outputs, stride) = (batch.outputs.add(skipped), batch.wheel_stride);
                staged.copy_out(outputs, columns, M::WHEELS.len(), stride, first, lanes);
                if further > 0 {
                    let outputs = outputs.add(columns);
                    leaning.copy_out(outputs, further, M::WHEELS.len(), stride, first, lanes);
                }
            }
        }
    }
}

impl<M: Dynamics> Tiles for Measure<M> {
    const WIDE: bool = is_wide::<M>();
    const EVERY_WIDTH: bool = false;
    const PARAMETERS: usize = MOTION.len() + M::WHEEL_INPUTS.len();

    #[inline(always)]
    unsafe fn tile<const N: usize, const VARIED: bool>(
        &self,
        batch: &Batch,
        first: usize,
        lanes: usize,
    ) {
        const {
            assert!(M::Measurements::COUNT <= MAX_COLUMNS, "more than 32 measurements");
        }
        let mut outputs = Staged::<N>::new();
        let mut own = Own::new();
        own.copy(self, VARIED);
        for i in 0..lanes.min(N) {
            let lane = first + i;
            // SAFETY: promised by the caller, here and below.
            let Self(model) = unsafe { own.of_lane(self, VARIED, batch, Self::PARAMETERS, lane) };
            // SAFETY: as above.
            let (wheels, state) =
                unsafe { (motion::<M>(batch, 0, lane), state_of::<M::State>(batch, lane)) };
            let measured = model.measure_state(&wheels, &state);
            outputs.put(&measured, i);
            // SAFETY: as above.
            unsafe { store_wheels(&measured, batch, 0, lane) };
        }
        // SAFETY: promised by the caller; all lanes are staged.
        unsafe { outputs.copy_out::<M::Measurements>(batch.outputs, first, lanes) };
    }
}

impl<M: Dynamics> Varied for Advance<M> {
    // the phase exists for every model, and most do not export it
    const PER_LANE: PerLane = if M::ADVANCES { M::PER_LANE } else { PerLane::NONE };
    #[inline(always)]
    fn set_lane(&mut self, get: impl Fn(usize) -> f64) {
        self.0.set_lane(get);
    }
}

impl<M: Dynamics> Tiles for Advance<M> {
    const WIDE: bool = is_wide::<M>();
    const EVERY_WIDTH: bool = false;
    const PARAMETERS: usize = M::Actuators::COUNT + MOTION.len() + M::WHEEL_INPUTS.len();

    #[inline(always)]
    unsafe fn tile<const N: usize, const VARIED: bool>(
        &self,
        batch: &Batch,
        first: usize,
        lanes: usize,
    ) {
        let (mut outputs, mut states) = (Staged::<N>::new(), Staged::<N>::new());
        let mut staged = StagedWheels::<N, 1>::new();
        let mut own = Own::new();
        own.copy(self, VARIED);
        for i in 0..lanes.min(N) {
            let lane = first + i;
            // SAFETY: promised by the caller, here and below.
            let Self(model) = unsafe { own.of_lane(self, VARIED, batch, Self::PARAMETERS, lane) };
            // SAFETY: as above.
            let (actuators, mut state) =
                unsafe { (actuators::<M>(batch, lane), state_of::<M::State>(batch, lane)) };
            // SAFETY: as above.
            let (motion, step) = unsafe {
                let motion = motion::<M>(batch, M::Actuators::COUNT, lane);
                (motion, step_of(batch, lane, M::RANDOM))
            };
            let set = SetPoints {
                turn: Turn::Spin(staged.column(0)),
                steer: std::ptr::null_mut(),
                camber: None,
                inertia: None,
                contact: None,
                turning: 0,
            };
            // SAFETY: the columns are staged with `N` lanes per wheel.
            let mut wheels = unsafe { Wheels::new(motion, set, i, N) };
            outputs.put(&model.advance(&actuators, &mut wheels, &step, &mut state), i);
            states.put(&state, i);
        }
        // SAFETY: promised by the caller; all lanes are staged.
        unsafe {
            outputs.copy_out::<SpatialMotion>(batch.outputs, first, lanes);
            states.copy_out::<M::State>(batch.states, first, lanes);
            let spins = batch.outputs.add(<SpatialMotion as Columns>::COUNT);
            staged.copy_out(spins, 1, M::WHEELS.len(), batch.wheel_stride, first, lanes);
        }
    }
}

impl<M: Dynamics> Varied for DynamicsRates<M> {
    // the phase exists for every model, and most do not export it
    const PER_LANE: PerLane = if M::CONTINUOUS { M::PER_LANE } else { PerLane::NONE };
    #[inline(always)]
    fn set_lane(&mut self, get: impl Fn(usize) -> f64) {
        self.0.set_lane(get);
    }
}

impl<M: Dynamics> Tiles for DynamicsRates<M> {
    const WIDE: bool = is_wide::<M>();
    const EVERY_WIDTH: bool = false;
    const PARAMETERS: usize = M::Actuators::COUNT + MOTION.len() + M::WHEEL_INPUTS.len();

    #[inline(always)]
    unsafe fn tile<const N: usize, const VARIED: bool>(
        &self,
        batch: &Batch,
        first: usize,
        lanes: usize,
    ) {
        let mut outputs = Staged::<N>::new();
        let mut own = Own::new();
        own.copy(self, VARIED);
        for i in 0..lanes.min(N) {
            let lane = first + i;
            // SAFETY: promised by the caller, here and below.
            let Self(model) = unsafe { own.of_lane(self, VARIED, batch, Self::PARAMETERS, lane) };
            // SAFETY: as above.
            let (actuators, wheels, state) = unsafe {
                let wheels = motion::<M>(batch, M::Actuators::COUNT, lane);
                (actuators::<M>(batch, lane), wheels, state_of::<M::State>(batch, lane))
            };
            outputs.put(&model.rates(&actuators, &wheels, &state), i);
        }
        // SAFETY: promised by the caller; all lanes are staged.
        unsafe { outputs.copy_out::<M::State>(batch.outputs, first, lanes) };
    }
}
