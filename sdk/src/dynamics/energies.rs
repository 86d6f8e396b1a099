//! Energies of a dynamics class that moves its body with the forces of friction models.

use simhost_abi::Batch;

use super::Dynamics;
use super::advancing::StagedGround;
use super::phases::stand;
use super::tile::{actuators, motion};
use super::wheels::MOTION;
use crate::batch::{Own, Staged, Tiles, Varied};
use crate::columns::state_of;
use crate::lanes::PerLane;
use crate::{Columns, Ports, Step};

/// Energy of a vehicle, and the powers that change it, from a class that moves its body with the forces of friction
/// models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct Energies {
    /// Kinetic energy without the spin of the wheels; below 0 if it is not known.
    #[port(unit = "J")]
    pub kinetic_energy: f64,
    /// Energy of height and of springs, with the compression of tyres.
    #[port(unit = "J")]
    pub potential_energy: f64,
    /// Energy of compressed tyres, a part of the potential energy.
    #[port(unit = "J")]
    pub tyre_energy: f64,
    /// Power with which the motion of the wheels compresses the tyres. What the energy of the tyres changes more is the work
    /// of ground that rises, such as a kerb.
    #[port(unit = "W")]
    pub compression_power: f64,
    /// Power of the ground on the wheels: force times velocity of the contact point, without the spin.
    #[port(unit = "W")]
    pub tyre_power: f64,
    /// Power of dampers and links on the vehicle. Negative where they take energy.
    #[port(unit = "W")]
    pub damping_power: f64,
    /// Power of the air on the vehicle.
    #[port(unit = "W")]
    pub air_power: f64,
}

/// The phase that returns the energies.
#[repr(transparent)]
pub(super) struct Energy<M>(M);

impl<M: Dynamics> Varied for Energy<M> {
    // the phase exists for every model, and most do not export it
    const PER_LANE: PerLane = if M::HAS_ENERGIES { M::PER_LANE } else { PerLane::NONE };
    #[inline(always)]
    fn set_lane(&mut self, get: impl Fn(usize) -> f64) {
        self.0.set_lane(get);
    }
}

impl<M: Dynamics> Tiles for Energy<M> {
    // it is not called in most runs
    const WIDE: bool = false;
    const EVERY_WIDTH: bool = false;
    const PARAMETERS: usize = M::Actuators::COUNT + MOTION.len() + M::WHEEL_INPUTS.len();

    #[inline(always)]
    unsafe fn tile<const N: usize, const VARIED: bool>(
        &self,
        batch: &Batch,
        first: usize,
        lanes: usize,
    ) {
        let mut own = Own::new();
        own.copy(self, VARIED);
        for lane in first..first + lanes.min(N) {
            let (mut outputs, mut ground) = (Staged::<1>::new(), StagedGround::<1>::new());
            // SAFETY: promised by the caller; the points are set before the ground is found, which outlives the wheels.
            unsafe {
                let Self(model) = own.of_lane(self, VARIED, batch, Self::PARAMETERS, lane);
                let mut wheels = motion::<M>(batch, M::Actuators::COUNT, lane);
                if M::STANDS {
                    stand(model, batch, lane, &mut ground.footprint::<M>(0));
                    ground.find::<M>(&Step::of(batch), 1);
                    wheels = wheels.on_ground(ground.of_lane(0));
                }
                let (actuators, state) =
                    (actuators::<M>(batch, lane), state_of::<M::State>(batch, lane));
                outputs.put(&model.energies(&actuators, &wheels, &state), 0);
                outputs.copy_out::<Energies>(batch.outputs, lane, 1);
            }
        }
    }
}
