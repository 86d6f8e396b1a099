//! The lanes of a tile in the phase `advance`, and the ground below the wheels of a tile.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use simhost_abi::{Batch, GROUND_SERVICE, GroundService};

use super::tile::{MAX_STAGED_WHEELS, StagedWheels, actuators, motion};
use super::wheels::{Footprint, FoundGround, SetPoints, Turn, WheelMotion, Wheels};
use super::{Dynamics, SpatialMotion};
use crate::batch::Staged;
use crate::columns::{state_of, step_of};
use crate::{Columns, Step};

/// Numbers of the wheels of a tile, by wheel and lane.
type WheelTile<const N: usize> = [[MaybeUninit<f64>; N]; MAX_STAGED_WHEELS];

/// Points below which the ground of the wheels of a tile lies, and the ground there.
pub(super) struct StagedGround<const N: usize> {
    points: [WheelTile<N>; 3],
    found: [WheelTile<N>; 3],
}

impl<const N: usize> StagedGround<N> {
    #[inline(always)]
    pub const fn new() -> Self {
        let empty = [[[const { MaybeUninit::uninit() }; N]; MAX_STAGED_WHEELS]; 3];
        Self { points: empty, found: empty }
    }

    /// Returns the points of the wheels of lane `i` of the tile.
    #[inline(always)]
    pub fn footprint<M: Dynamics>(&mut self, i: usize) -> Footprint<'_> {
        let columns = [0, 1, 2].map(|axis: usize| self.points[axis].as_mut_ptr().cast());
        // SAFETY: the columns have `N` lanes for each wheel.
        unsafe { Footprint::new(columns, i, N, M::WHEELS.len()) }
    }

    /// Asks the host for the ground below the points of all wheels of `lanes` lanes. Without a host, the ground is
    /// level.
    ///
    /// # Safety
    /// The points of all wheels of these lanes are set.
    #[inline(always)]
    pub unsafe fn find<M: Dynamics>(&mut self, step: &Step, lanes: usize) {
        // the columns of neighbouring wheels join if all lanes are used
        let (calls, count) =
            if lanes == N { (1, N * M::WHEELS.len()) } else { (M::WHEELS.len(), lanes) };
        let [x, y, z] = &self.points;
        let [height, along, across] = &mut self.found;
        // SAFETY: under this id a host answers with this table or null.
        let service = unsafe { step.service::<GroundService>(GROUND_SERVICE) };
        for call in 0..calls {
            let Some((table, context)) = service else {
                for column in [&mut *height, &mut *along, &mut *across] {
                    let first = column[call].as_mut_ptr();
                    // SAFETY: the column has that many numbers from here on.
                    (0..count).for_each(|k| unsafe { first.add(k).cast::<f64>().write(0.0) });
                }
                continue;
            };
            let (x, y, z) = (x[call].as_ptr(), y[call].as_ptr(), z[call].as_ptr());
            let (height, along, across) =
                (height[call].as_mut_ptr(), along[call].as_mut_ptr(), across[call].as_mut_ptr());
            // SAFETY: `count` points in, `count` of each out.
            unsafe {
                (table.query)(
                    context,
                    count,
                    x.cast(),
                    y.cast(),
                    z.cast(),
                    height.cast(),
                    along.cast(),
                    across.cast(),
                );
            }
        }
    }

    /// Returns the ground below the wheels of lane `i` of the tile.
    #[inline(always)]
    pub fn of_lane(&self, i: usize) -> FoundGround {
        let columns = [0, 1, 2].map(|column: usize| self.found[column].as_ptr().cast());
        FoundGround { columns, lane: i, stride: N }
    }
}

/// The lanes of a tile in [`Dynamics::advance_lanes`]: at most `N` vehicles, which do not depend on each other.
///
/// All methods are inlined, so that a loop from 0 to [`Self::len`] with neither calls nor loops in it is compiled to
/// vector instructions.
pub struct AdvancingLanes<'a, M, const N: usize> {
    batch: &'a Batch,
    first: usize,
    lanes: usize,
    ground: Option<&'a StagedGround<N>>,
    outputs: Staged<N>,
    states: Staged<N>,
    spins: StagedWheels<N, 1>,
    model: PhantomData<fn(M)>,
}

impl<'a, M: Dynamics, const N: usize> AdvancingLanes<'a, M, N> {
    /// # Safety
    /// The columns of `batch` belong to the phase, and `lanes` lanes from `first` on, at most `N`, are lanes of the call.
    /// With ground, it has been found.
    #[inline(always)]
    pub(super) unsafe fn new(
        batch: &'a Batch,
        first: usize,
        lanes: usize,
        ground: Option<&'a StagedGround<N>>,
    ) -> Self {
        let (mut outputs, mut states) = (Staged::new(), Staged::new());
        outputs.clear::<SpatialMotion>();
        states.clear::<M::State>();
        let (spins, model) = (StagedWheels::new(), PhantomData);
        let mut tile = Self { batch, first, lanes, ground, outputs, states, spins, model };
        for lane in 0..tile.len() {
            let set = tile.set_points();
            let motion = tile.wheel_motion(lane);
            // SAFETY: the columns are staged with `N` lanes per wheel.
            unsafe { Wheels::new(motion, set, lane, N) };
        }
        tile
    }

    /// Returns the number of lanes.
    #[expect(clippy::len_without_is_empty, reason = "a tile has at least one lane")]
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.lanes.min(N)
    }

    /// Returns the inputs of a lane.
    ///
    /// # Panics
    ///
    /// If there is no such lane.
    #[inline(always)]
    pub fn actuators(&self, lane: usize) -> M::Actuators {
        // SAFETY: promised in `new`, and the lane is one of the tile's.
        unsafe { actuators::<M>(self.batch, self.index(lane)) }
    }

    /// Returns the state of a lane at the start of the phase.
    ///
    /// # Panics
    ///
    /// If there is no such lane.
    #[inline(always)]
    pub fn state(&self, lane: usize) -> M::State {
        // SAFETY: as above.
        unsafe { state_of(self.batch, self.index(lane)) }
    }

    /// Returns the step of a lane.
    ///
    /// # Panics
    ///
    /// If there is no such lane.
    #[inline(always)]
    pub fn step(&self, lane: usize) -> Step {
        // SAFETY: as above.
        unsafe { step_of(self.batch, self.index(lane), M::RANDOM) }
    }

    /// Returns the motion of the wheels of a lane.
    ///
    /// # Panics
    ///
    /// If there is no such lane.
    #[inline(always)]
    pub fn wheel_motion(&self, lane: usize) -> WheelMotion<'a> {
        // SAFETY: as above, and the ground has been found.
        unsafe {
            let motion = motion::<M>(self.batch, M::Actuators::COUNT, self.index(lane));
            match self.ground {
                Some(ground) => motion.on_ground(ground.of_lane(lane)),
                None => motion,
            }
        }
    }

    /// Returns the wheels of a lane, to set their spins. A wheel that is not set keeps the spin that the host has
    /// integrated.
    ///
    /// # Panics
    ///
    /// If there is no such lane.
    #[inline(always)]
    pub fn wheels(&mut self, lane: usize) -> Wheels<'_> {
        let set = self.set_points();
        // SAFETY: the columns are staged with `N` lanes per wheel.
        unsafe { Wheels::resumed(self.wheel_motion(lane), set, lane, N) }
    }

    #[inline(always)]
    fn set_points(&mut self) -> SetPoints {
        SetPoints {
            turn: Turn::Spin(self.spins.column(0)),
            steer: std::ptr::null_mut(),
            camber: None,
            inertia: None,
            contact: None,
            turning: 0,
        }
    }

    /// Sets the motion and the state of a lane. It has to be called for each lane.
    ///
    /// # Panics
    ///
    /// If there is no such lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, motion: &SpatialMotion, state: &M::State) {
        _ = self.index(lane);
        self.outputs.put(motion, lane);
        self.states.put(state, lane);
    }

    #[inline(always)]
    fn index(&self, lane: usize) -> usize {
        crate::per_wheel::check_range("lane", lane, self.len());
        self.first + lane
    }

    /// Copies the results to the columns of the host.
    #[inline(always)]
    pub(super) fn copy_out(&self) {
        let Self { batch, first, lanes, .. } = *self;
        // SAFETY: promised in `new`, which has stored something in all lanes.
        unsafe {
            self.outputs.copy_out::<SpatialMotion>(batch.outputs, first, lanes);
            self.states.copy_out::<M::State>(batch.states, first, lanes);
            let spins = batch.outputs.add(<SpatialMotion as Columns>::COUNT);
            self.spins.copy_out(spins, 1, M::WHEELS.len(), batch.wheel_stride, first, lanes);
        }
    }
}
