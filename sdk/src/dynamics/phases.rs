//! The phases of a dynamics class on the columns of a call.

use simhost_abi::{Batch, wheel_flag};

use super::Dynamics;
use super::advancing::{AdvancingLanes, StagedGround};
use super::answer::{self, CAMBER_OUTPUTS, MOST_FURTHER, sealed::Answer};
use super::tile::{StagedWheels, actuators, is_fixed, motion};
use super::wheels::{Footprint, MOTION, SetPoints, Turn, Wheels};
use crate::batch::{MAX_COLUMNS, Staged, Tiles};
use crate::batch::{Own, Varied, phase_of};
use crate::columns::{state_of, step_of, store_wheels};
use crate::lanes::PerLane;
use crate::{Columns, Memory, State, Step};

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

/// Returns whether tiles of several vehicles are allowed.
const fn is_wide<M: Dynamics>() -> bool {
    is_fixed::<M>() && !<<M::State as State>::Memory as Memory>::PRESENT
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
        let mut ground = StagedGround::<N>::new();
        if M::STANDS {
            // SAFETY: promised by the caller.
            unsafe {
                for i in 0..lanes.min(N) {
                    let Self(model) = own.of_lane(self, VARIED, batch, Self::PARAMETERS, first + i);
                    stand(model, batch, first + i, &mut ground.footprint::<M>(i));
                }
                ground.find::<M>(&Step::of(batch), lanes);
            }
        }
        for i in 0..lanes.min(N) {
            let lane = first + i;
            // SAFETY: promised by the caller, here and below.
            let Self(model) = unsafe { own.of_lane(self, VARIED, batch, Self::PARAMETERS, lane) };
            // SAFETY: as above.
            let (actuators, mut state) =
                unsafe { (actuators::<M>(batch, lane), state_of::<M::State>(batch, lane)) };
            // SAFETY: as above; the ground has been found, and outlives the wheels.
            let motion = unsafe {
                let motion = motion::<M>(batch, M::Actuators::COUNT, lane);
                if M::STANDS { motion.on_ground(ground.of_lane(i)) } else { motion }
            };
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
    const EVERY_WIDTH: bool = M::EVERY_WIDTH;
    const PARAMETERS: usize = M::Actuators::COUNT + MOTION.len() + M::WHEEL_INPUTS.len();

    #[inline(always)]
    unsafe fn tile<const N: usize, const VARIED: bool>(
        &self,
        batch: &Batch,
        first: usize,
        lanes: usize,
    ) {
        if !VARIED {
            // SAFETY: promised by the caller.
            return unsafe { advance::<M, N>(&self.0, batch, first, lanes) };
        }
        let mut own = Own::new();
        own.copy(self, VARIED);
        for lane in first..first + lanes.min(N) {
            // SAFETY: promised by the caller.
            unsafe {
                let Self(model) = own.of_lane(self, VARIED, batch, Self::PARAMETERS, lane);
                advance::<M, 1>(model, batch, lane, 1);
            }
        }
    }
}

/// Sets the points below which the ground of the wheels of a lane lies.
///
/// # Safety
/// The columns of `batch` belong to a phase with actuators, and `lane` is a lane of the call.
#[inline(always)]
pub(super) unsafe fn stand<M: Dynamics>(
    model: &M,
    batch: &Batch,
    lane: usize,
    footprint: &mut Footprint<'_>,
) {
    // SAFETY: promised by the caller.
    let (actuators, wheels, state) = unsafe {
        let wheels = motion::<M>(batch, M::Actuators::COUNT, lane);
        (actuators::<M>(batch, lane), wheels, state_of::<M::State>(batch, lane))
    };
    model.stand(&actuators, &wheels, &state, footprint);
}

/// Moves the vehicles of a tile.
///
/// # Safety
/// As for [`Tiles::tile`].
#[inline(always)]
unsafe fn advance<M: Dynamics, const N: usize>(
    model: &M,
    batch: &Batch,
    first: usize,
    lanes: usize,
) {
    let mut ground = StagedGround::<N>::new();
    // SAFETY: promised by the caller; the points of all lanes are set before the ground is found.
    unsafe {
        if M::STANDS {
            for i in 0..lanes.min(N) {
                stand(model, batch, first + i, &mut ground.footprint::<M>(i));
            }
            ground.find::<M>(&Step::of(batch), lanes);
        }
        let ground = M::STANDS.then_some(&ground);
        let mut tile = AdvancingLanes::<M, N>::new(batch, first, lanes, ground);
        model.advance_lanes(&mut tile);
        tile.copy_out();
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
