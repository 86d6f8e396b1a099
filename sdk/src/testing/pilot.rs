//! A controller of any class, for tests that apply to all classes.

use simhost_abi::{PortDesc, Scope};

use crate::controller::ControllerModel;
use crate::{Controller, Ports, Step};

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
    /// Commands and measurements of the vehicle.
    pub inputs: Named,
    /// Measurements of the wheels, by name, with one value per wheel; 0 for a wheel without one.
    pub wheel_inputs: Vec<(&'static str, Vec<f64>)>,
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
        let of_wheels = M::Inputs::PORTS.iter().filter(|port| is_per_wheel(port));
        // SAFETY: declarations are static.
        let names = of_wheels.map(|port| unsafe { port.name.as_str() });
        Self {
            inputs: Named::of(M::Inputs::PORTS),
            wheel_inputs: names.map(|name| (name, Vec::new())).collect(),
            class: Box::new(Running { model, state }),
        }
    }

    /// Calls [`Controller::control`].
    ///
    /// Outputs with one value per wheel are left out.
    pub fn control(&mut self, step: &Step) -> Named {
        self.class.control(self.inputs.values(), &self.wheel_inputs, step)
    }
}

fn is_per_wheel(port: &PortDesc) -> bool {
    port.scope == Scope::Wheel as u32
}

/// Interface of a controller that hides its class.
trait Class {
    fn control(
        &mut self,
        inputs: &[f64],
        of_wheels: &[(&'static str, Vec<f64>)],
        step: &Step,
    ) -> Named;
}

struct Running<M: Controller> {
    model: M,
    state: Lane<M::State>,
}

impl<M: Controller> Class for Running<M> {
    fn control(
        &mut self,
        inputs: &[f64],
        of_wheels: &[(&'static str, Vec<f64>)],
        step: &Step,
    ) -> Named {
        let wheels = of_wheels.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
        let mut one = inputs.iter().map(|value| vec![*value]);
        let mut many = of_wheels.iter().map(|(_, values)| {
            let mut values = values.clone();
            values.resize(wheels, 0.0);
            values
        });
        let next =
            |port| if is_per_wheel(port) { many.next() } else { one.next() }.unwrap_or_default();
        let inputs: Vec<Vec<f64>> = M::Inputs::PORTS.iter().map(next).collect();
        let size = |port| if is_per_wheel(port) { wheels } else { 1 };
        let sizes: Vec<usize> = M::Outputs::PORTS.iter().map(size).collect();
        let phase = ControllerModel::<M>::PHASES[0].call;
        let about = About { wheels, rays: 0, step, key: step.key().unwrap_or_default() };
        // SAFETY: the phase is that of `M`, and the columns follow its declaration.
        let columns = unsafe { self.state.call(phase, &self.model, &inputs, &sizes, &about) };
        let ports = M::Outputs::PORTS.iter().zip(columns);
        let values = ports.filter(|(port, _)| !is_per_wheel(port)).flat_map(|(_, column)| column);
        let values = values.collect();
        Named::of(M::Outputs::PORTS).with(values)
    }
}
