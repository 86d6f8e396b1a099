//! Fleets: from the state of many vehicles to a command for each.

use simhost_abi::{Kind, Model, Phase, Slice};

use crate::batch::phase_of;
use crate::columns::{PortList, static_ports};
use crate::descriptor::{self, phase};
use crate::group::{self, Group, Whole};
use crate::lanes;
use crate::{Columns, ModelCore, Ports};

/// A controller of a fleet: of many vehicles, whose drives can differ, in one call. The implementing
/// struct holds the parameters.
///
/// `<fleet class="…" vehicles="r*"/>` in a world file selects the vehicles. The controller of each of
/// them executes the commands of the fleet, which are listed in [`COMMANDS`](ModelCore::COMMANDS).
///
/// Each vehicle has a separate state and a separate random stream. State that belongs to the fleet
/// as a whole is kept in the state of lane 0, or in its memory.
#[doc = include_str!("fleet/examples/command.md")]
pub trait Fleet: ModelCore {
    /// Measurements of a vehicle that the host provides for every drive, such as `x`, `yaw` and
    /// `omega`, and `enabled`, which is 0 after a model of the vehicle has faulted. A measurement
    /// that only some dynamics classes have is `optional`: the other vehicles have its default. A
    /// [`Reading`](crate::Reading) comes from a sensor of each vehicle, as for a controller.
    type Inputs: Ports;
    /// Values of the commands for a vehicle, and `publish`ed quantities.
    type Outputs: Ports;

    /// Sets the commands of all vehicles of the fleet, each in the unit of its port.
    ///
    /// Called once per step on one thread, before the controllers, with all vehicles in the order
    /// of the world file. Inputs have their values at the start of the step. It must
    /// [set](Group::set) the outputs of every vehicle, including disabled vehicles. It must not
    /// allocate, print, or keep anything outside the states. The vehicles fault together.
    fn command(&self, vehicles: &mut Group<'_, Self::Inputs, Self::Outputs, Self::State>);
}

phase_of! {
    /// The phase of each step, and the descriptor of a fleet.
    #[doc(hidden)]
    pub FleetModel<Fleet>
}

impl<M: Fleet> Whole for FleetModel<M> {
    type Inputs = M::Inputs;
    type Outputs = M::Outputs;
    type State = M::State;
    const RANDOM: bool = M::RANDOM;
    fn all(&self, vehicles: &mut Group<'_, M::Inputs, M::Outputs, M::State>) {
        self.0.command(vehicles);
    }
}

impl<M: Fleet> FleetModel<M> {
    const INPUTS: PortList = {
        lanes::check(M::PARAMS, M::PER_LANE, true);
        PortList::inputs(M::Inputs::PORTS, M::PARAMS)
    };
    pub(crate) const PHASES: &'static [Phase; 1] = &[phase(
        "command",
        static_ports!(Self::INPUTS),
        M::Outputs::PORTS,
        group::phase::<FleetModel<M>>,
    )];

    /// Returns the descriptor with the class name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        const {
            let per_wheel = M::Inputs::PER_WHEEL | M::Outputs::PER_WHEEL;
            assert!(per_wheel == 0, "the vehicles of a fleet have different wheels");
            assert!(M::Outputs::READINGS == 0, "an output cannot be a `Reading`");
        }
        Model {
            phases: Slice::new(Self::PHASES),
            ..descriptor::model::<M>(Kind::Fleet, id, version)
        }
    }
}
