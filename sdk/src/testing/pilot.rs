//! A controller of any class, for tests that apply to all classes.

use crate::controller::ControllerModel;
use crate::{Columns, Controller, Ports, Step};

use super::{About, Lane, Named};

/// A controller of any class, with quantities accessed by name.
///
/// ```
/// use simhost_sdk::prelude::*;
/// use simhost_sdk::testing::{self, Pilot};
/// # use simhost_sdk::abi::Str;
/// # /// Torque.
/// # #[derive(Ports)]
/// # pub struct Torque {
/// #     /// Wanted.
/// #     #[port(unit = "N·m")]
/// #     torque: f64,
/// # }
/// # /// Hands a torque on, up to a limit.
/// # #[derive(Params)]
/// # pub struct Limited {
/// #     /// Largest torque.
/// #     #[param(default = 5.0, unit = "N·m")]
/// #     max_torque: f64,
/// # }
/// # #[model]
/// # impl Controller for Limited {
/// #     type Inputs = Torque;
/// #     type Outputs = Torque;
/// #     const COMMANDS: &'static [(&'static str, &'static [Str])] = &[];
/// #     fn control(&self, inputs: &Torque, _: &Step, _: &mut ()) -> Torque {
/// #         Torque { torque: math::limit(inputs.torque, self.max_torque) }
/// #     }
/// # }
///
/// let mut pilot = Pilot::new::<Limited>(&[("max_torque", "2")]);
/// pilot.inputs["torque"] = 1e6;
/// assert_eq!(pilot.control(&testing::step())["torque"], 2.0);
/// ```
pub struct Pilot {
    /// Commands and measurements.
    pub inputs: Named,
    class: Box<dyn Class>,
}

impl Pilot {
    /// Creates a controller at the start of a run, from parameters written as in a world file
    /// (`group.key` for a parameter of a group) and the defaults of the others.
    ///
    /// # Panics
    ///
    /// If a parameter is unknown, missing or out of range, or if the model rejects them.
    pub fn new<M: Controller>(given: &[(&str, &str)]) -> Self {
        let (model, states) = super::written::<ControllerModel<M>>(given);
        let state = Lane::new(model.memory(), states);
        Self { inputs: Named::of(M::Inputs::PORTS), class: Box::new(Running { model, state }) }
    }

    /// Calls [`Controller::control`].
    pub fn control(&mut self, step: &Step) -> Named {
        self.class.control(self.inputs.values(), step)
    }
}

/// Interface of a controller that hides its class.
trait Class {
    fn control(&mut self, inputs: &[f64], step: &Step) -> Named;
}

struct Running<M: Controller> {
    model: M,
    state: Lane<M::State>,
}

impl<M: Controller> Class for Running<M> {
    fn control(&mut self, inputs: &[f64], step: &Step) -> Named {
        let inputs: Vec<Vec<f64>> = inputs.iter().map(|value| vec![*value]).collect();
        let sizes = vec![1; M::Outputs::COUNT];
        let phase = ControllerModel::<M>::PHASES[0].call;
        let about = About { wheels: 0, rays: 0, step, key: step.key().unwrap_or_default() };
        // SAFETY: the phase is that of `M`, and the columns follow its declaration.
        let columns = unsafe { self.state.call(phase, &self.model, &inputs, &sizes, &about) };
        let values = columns.into_iter().flatten().collect();
        Named::of(M::Outputs::PORTS).with(values)
    }
}
