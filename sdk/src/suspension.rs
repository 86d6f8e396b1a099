//! Suspensions: from the travel of the wheels of an axle to their position and the force of the links.

mod axle;

use simhost_abi::{Kind, Model, Phase, Slice};

use crate::batch::{self, Independent, Lanes, phase_of};
use crate::columns::{PortList, static_ports};
use crate::descriptor::{self, phase};
use crate::lanes;
use crate::{Columns, ModelCore, Ports, Step};

use axle::Basic;
pub use axle::{AxleKinematics, AxleMotion, CornerKinematics, CornerMotion, TravelRates};

/// A suspension: how the links between body and wheels guide the two wheels of an axle. The
/// implementing struct holds the parameters.
///
/// A world file places it with `<suspension class="…" axle="front">` in a vehicle whose dynamics class
/// has wheel travel, such as `car_14dof`; without `axle` it guides the wheels of all axles. The dynamics
/// class has the springs, dampers and masses: it reads the outputs of [`Self::kinematics`] and computes
/// the travel. Links have no mass, so that the outputs follow from the inputs of the same moment.
///
/// Lengths are measured from the position at rest: a suspension at rest returns camber, toe and caster
/// of the design, zero displacements, and a jacking force of zero for zero forces.
///
/// All methods except [`prepare`](ModelCore::prepare) take `&self`: one instance serves all lanes that
/// share its parameters, and several threads can call it at the same time.
#[doc = include_str!("suspension/examples/kinematics.md")]
pub trait Suspension: ModelCore {
    /// Further quantities that the suspension reads: measurements of the vehicle such as `vx`; `()` for
    /// none (the default of `#[model]`).
    type Inputs: Ports;
    /// Quantities that drive nothing, such as a scrub radius; `()` for none (the default of `#[model]`).
    type Published: Ports;

    /// Returns the position of both wheels and the force of the links on the body, each in the unit of
    /// its port.
    ///
    /// Called once per axle and step with all vehicles that share their models, before the dynamics
    /// class, on any thread. The inputs are those at the start of the step. It must not allocate, print,
    /// or keep anything outside `state`, which is the place for the start of an iteration in the next
    /// step. Travel beyond what the links allow has no solution: return the position at the limit, as the
    /// bump stops of the dynamics class are finite.
    fn kinematics(
        &self,
        axle: &AxleMotion<Self::Inputs>,
        step: &Step,
        state: &mut Self::State,
    ) -> AxleKinematics;

    /// Returns quantities that drive nothing: they are listed by `simhost quantities` and can be
    /// recorded.
    ///
    /// Called directly after [`Self::kinematics`], with the result that it returned and the state that it
    /// left. It must not allocate. `#[model]` implements it for a model without `type Published`.
    fn publish(
        &self,
        axle: &AxleMotion<Self::Inputs>,
        kinematics: &AxleKinematics,
        step: &Step,
        state: &Self::State,
    ) -> Self::Published;
}

phase_of! {
    /// The phase of each step, and the descriptor of a suspension.
    #[doc(hidden)]
    pub SuspensionModel<Suspension>
}

impl<M: Suspension> Lanes for SuspensionModel<M> {
    type Inputs = AxleMotion<M::Inputs>;
    type Outputs = AxleKinematics;
    type More = M::Published;
    type State = M::State;
    const RANDOM: bool = M::RANDOM;
    #[inline(always)]
    fn lane(&self, axle: &Self::Inputs, step: &Step, state: &mut M::State) -> AxleKinematics {
        self.0.kinematics(axle, step, state)
    }
    #[inline(always)]
    fn more(
        &self,
        axle: &Self::Inputs,
        kinematics: &AxleKinematics,
        step: &Step,
        state: &M::State,
    ) -> M::Published {
        self.0.publish(axle, kinematics, step, state)
    }
}

impl<M: Suspension> SuspensionModel<M> {
    const INPUTS: PortList = {
        assert!(M::Inputs::PER_WHEEL == 0, "a lane of a suspension is an axle: use `f64`");
        assert!(M::Inputs::READINGS == 0, "a suspension cannot read sensors");
        lanes::check(M::PARAMS, M::PER_LANE, false);
        let ports = PortList::join(Basic::PORTS, <M::Inputs as Ports>::PORTS);
        PortList::inputs(ports.as_slice(), M::PARAMS)
    };
    const PUBLISHED: PortList = PortList::published(<M::Published as Ports>::PORTS);
    const OUTPUTS: PortList = {
        assert!(M::Published::PER_WHEEL == 0, "a lane of a suspension is an axle: use `f64`");
        assert!(M::Published::READINGS == 0, "an output cannot be a `Reading`");
        PortList::join(AxleKinematics::PORTS, Self::PUBLISHED.as_slice())
    };
    const PHASES: &'static [Phase; 1] = &[phase(
        "kinematics",
        static_ports!(Self::INPUTS),
        static_ports!(Self::OUTPUTS),
        batch::phase::<Independent<SuspensionModel<M>>>,
    )];

    /// Returns the descriptor with the class name `id`.
    pub const fn model(id: &'static str, version: &'static str) -> Model {
        Model {
            phases: Slice::new(Self::PHASES),
            ..descriptor::model::<M>(Kind::Suspension, id, version)
        }
    }
}
