//! The descriptor of a friction model and the functions behind it.

use std::ffi::c_void;
use std::marker::PhantomData;

use simhost_abi::{Batch, Fault, Kind, Model, Phase, Slice};

use super::wheel::Basic;
use super::{Force, Friction, Wheel};
use crate::batch::{self, Lanes};
use crate::columns::{PortList, static_ports};
use crate::described::Described;
use crate::descriptor::{self, phase};
use crate::group::{self, Group};
use crate::lanes::{self, PerLane};
use crate::{Columns, Ports, State, Step};

#[repr(transparent)]
struct Adapter<M>(M);

#[repr(transparent)]
struct Rates<M>(M);

impl<M: Friction> Lanes for Rates<M> {
    type Inputs = Wheel<M::Inputs>;
    type Outputs = M::State;
    type More = ();
    type State = M::State;
    const RANDOM: bool = false;
    // the phase exists for every model, and most do not export it
    const PER_LANE: PerLane = if M::CONTINUOUS { M::PER_LANE } else { PerLane::NONE };
    #[inline(always)]
    fn set_lane(&mut self, get: impl Fn(usize) -> f64) {
        self.0.set_lane(get);
    }
    #[inline(always)]
    fn lane(&self, wheel: &Wheel<M::Inputs>, _: &Step, state: &mut M::State) -> M::State {
        self.0.rates(wheel, state)
    }
    #[inline(always)]
    fn more(&self, _: &Wheel<M::Inputs>, _: &M::State, _: &Step, _: &M::State) {}
}

impl<M: Friction> Lanes for Adapter<M> {
    type Inputs = Wheel<M::Inputs>;
    type Outputs = Force;
    type More = M::Published;
    type State = M::State;
    const RANDOM: bool = M::RANDOM;
    const EVERY_WIDTH: bool = true;
    const PER_LANE: PerLane = M::PER_LANE;
    #[inline(always)]
    fn set_lane(&mut self, get: impl Fn(usize) -> f64) {
        self.0.set_lane(get);
    }
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

/// Builds the descriptor of a friction model.
#[doc(hidden)]
pub struct FrictionModel<M>(PhantomData<M>);

impl<M: Friction> Described for FrictionModel<M> {
    type Model = M;
    type State = M::State;
    fn prepare(model: &mut M) -> Result<(), String> {
        model.prepare()
    }
    fn memory(model: &M) -> <M::State as State>::Memory {
        model.memory()
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
    const PHASES: &'static [Phase; 2] = &[
        phase("force", static_ports!(Self::INPUTS), static_ports!(Self::OUTPUTS), Self::force),
        phase("rates", static_ports!(Self::INPUTS), static_ports!(Self::RATES), Self::rates),
    ];

    /// Returns the descriptor with the class name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        Model {
            flags: descriptor::flags(M::RANDOM, M::WHOLE_BATCH, M::PERCEIVES),
            phases: Slice::new(Self::PHASES.split_at(1 + M::CONTINUOUS as usize).0),
            ..descriptor::model::<Self>(Kind::Friction, id, version)
        }
    }

    /// Computes all wheels at once.
    fn force_all(model: &M, wheels: &mut Group<'_, Wheel<M::Inputs>, Force, M::State>) {
        model.forces(wheels);
        for lane in 0..wheels.len() {
            let (wheel, force, state) =
                (wheels.inputs(lane), wheels.outputs(lane), wheels.state(lane));
            let published = model.publish(&wheel, &force, &wheels.step(lane), &state);
            wheels.set_more(lane, &published);
        }
    }

    unsafe extern "C" fn rates(
        model: *const c_void,
        batch: *const Batch,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: as in `force`.
        unsafe { batch::call(&*model.cast::<Rates<M>>(), batch, fault) }
    }

    unsafe extern "C" fn force(
        model: *const c_void,
        batch: *const Batch,
        fault: *mut Fault,
    ) -> u32 {
        if M::WHOLE_BATCH {
            // SAFETY: `model` came from `create` of this type; the host promises a valid batch with the
            // columns of the phase.
            return unsafe {
                let model = &*model.cast::<M>();
                group::call(batch, fault, |batch| {
                    Self::force_all(model, &mut Group::new(batch, M::RANDOM))
                })
            };
        }
        // SAFETY: `model` came from `create` of this type, which `Adapter` is transparent over; the
        // host promises a valid batch.
        unsafe { batch::call(&*model.cast::<Adapter<M>>(), batch, fault) }
    }
}
