//! The descriptor of a friction model and its functions.

use simhost_abi::{CallFn, Kind, Model, Phase, Slice, model_flag};

use super::wheel::Basic;
use super::{Force, Friction, Wheel};
use crate::batch::{self, Independent, Lanes, phase_of};
use crate::columns::{PortList, static_ports};
use crate::descriptor::{self, phase, rates_phase};
use crate::group::{self, Group, Whole};
use crate::lanes;
use crate::model_core::Integrated;
use crate::{Columns, Ports, State, Step};

phase_of! {
    /// The phase of each step, and the descriptor of a friction model.
    #[doc(hidden)]
    pub FrictionModel<Friction>
}

impl<M: Friction> Lanes for FrictionModel<M> {
    type Inputs = Wheel<M::Inputs>;
    type Outputs = Force;
    type More = M::Published;
    type State = M::State;
    const RANDOM: bool = M::RANDOM;
    const EVERY_WIDTH: bool = M::EVERY_WIDTH;
    #[inline(always)]
    fn lane(&self, wheel: &Wheel<M::Inputs>, step: &Step, state: &mut M::State) -> Force {
        self.0.force(wheel, step, state)
    }
    #[inline(always)]
    fn simplifies(&self, wheel: &Wheel<M::Inputs>) -> bool {
        self.0.simplifies(wheel)
    }
    #[inline(always)]
    fn simplified(&self, wheel: &Wheel<M::Inputs>, step: &Step, state: &mut M::State) -> Force {
        self.0.simplified_force(wheel, step, state)
    }
    #[inline(always)]
    fn more(
        &self,
        wheel: &Wheel<M::Inputs>,
        force: &Force,
        step: &Step,
        state: &M::State,
    ) -> M::Published {
        self.0.publish(wheel, force, step, state)
    }
}

impl<M: Friction> Integrated for FrictionModel<M> {
    type Model = M;
    type Inputs = Wheel<M::Inputs>;
    const CONTINUOUS: bool = M::CONTINUOUS;
    #[inline(always)]
    fn rates(model: &M, inputs: &Wheel<M::Inputs>, state: &M::State) -> M::State {
        model.rates(inputs, state)
    }
}

impl<M: Friction> Whole for FrictionModel<M> {
    type Inputs = Wheel<M::Inputs>;
    type Outputs = Force;
    type State = M::State;
    const RANDOM: bool = M::RANDOM;
    fn all(&self, wheels: &mut Group<'_, Wheel<M::Inputs>, Force, M::State>) {
        self.0.forces(wheels);
        for lane in 0..wheels.len() {
            let (wheel, force, state) =
                (wheels.inputs(lane), wheels.outputs(lane), wheels.state(lane));
            let published = self.0.publish(&wheel, &force, &wheels.step(lane), &state);
            wheels.set_more(lane, &published);
        }
    }
}

impl<M: Friction> FrictionModel<M> {
    const INPUTS: PortList = {
        assert!(M::Inputs::PER_WHEEL == 0, "a lane of a friction model is a wheel: use `f64`");
        assert!(M::Inputs::READINGS == 0, "a friction model cannot read sensors");
        lanes::check(M::PARAMS, M::PER_LANE, M::WHOLE_BATCH);
        let ports = PortList::join(Basic::PORTS, <M::Inputs as Ports>::PORTS);
        PortList::inputs(ports.as_slice(), M::PARAMS)
    };
    const RATES: PortList = PortList::rates(<M::State as State>::STATES);
    const PUBLISHED: PortList = PortList::published(<M::Published as Ports>::PORTS);
    const OUTPUTS: PortList = {
        assert!(M::Published::PER_WHEEL == 0, "a lane of a friction model is a wheel: use `f64`");
        assert!(M::Published::READINGS == 0, "an output cannot be a `Reading`");
        PortList::join(Force::PORTS, Self::PUBLISHED.as_slice())
    };
    const FORCE: CallFn = match M::WHOLE_BATCH {
        true => group::phase::<FrictionModel<M>>,
        false => batch::phase::<Independent<FrictionModel<M>>>,
    };
    const PHASES: &'static [Phase; 2] = &[
        phase("force", static_ports!(Self::INPUTS), static_ports!(Self::OUTPUTS), Self::FORCE),
        rates_phase::<Self>(static_ports!(Self::INPUTS), static_ports!(Self::RATES)),
    ];

    /// Returns the descriptor with the class name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        Model {
            flags: descriptor::flags::<M>(M::WHOLE_BATCH)
                | if M::JUMPS { model_flag::JUMPS } else { 0 },
            phases: Slice::new(Self::PHASES.split_at(1 + M::CONTINUOUS as usize).0),
            ..descriptor::model::<M>(Kind::Friction, id, version)
        }
    }
}
