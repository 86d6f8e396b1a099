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
/// #     const COMMANDS: CommandKinds = &[];
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
    /// Readings of sensors, by name: the values of the last sample, and the time since it was taken, s.
    pub readings: Vec<(&'static str, Vec<f64>, f64)>,
    class: Box<dyn ControllerClass>,
}

impl Pilot {
    /// Creates a controller at the start of a run, from parameters written as in a world file
    /// (`group.key` for a parameter of a group) and the defaults of the others.
    ///
    /// # Panics
    ///
    /// If a parameter is unknown, missing or out of range, or if the model rejects them.
    pub fn new<M: Controller>(given: &[(&str, &str)]) -> Self {
        let (model, states) = super::written::<M>(given);
        let state = Lane::new(model.memory(), states);
        // SAFETY: declarations are static.
        let name = |port: &PortDesc| unsafe { port.name.as_str() };
        let of_wheels = M::Inputs::PORTS.iter().filter(|port| is_per_wheel(port)).map(name);
        let readings = M::Inputs::PORTS.iter().filter(|port| is_reading(port)).map(name);
        Self {
            inputs: Named::of(M::Inputs::PORTS),
            wheel_inputs: of_wheels.map(|name| (name, Vec::new())).collect(),
            readings: readings.map(|name| (name, Vec::new(), f64::INFINITY)).collect(),
            class: Box::new(RunningController { model, state }),
        }
    }

    /// Calls [`Controller::control`].
    ///
    /// Outputs with one value per wheel are left out.
    pub fn control(&mut self, step: &Step) -> Named {
        let Self { inputs, wheel_inputs, readings, class } = self;
        class.control(&Inputs { single: inputs, of_wheels: wheel_inputs, readings }, step)
    }
}

fn is_per_wheel(port: &PortDesc) -> bool {
    port.scope == Scope::Wheel as u32
}

fn is_reading(port: &PortDesc) -> bool {
    port.scope == Scope::Array as u32
}

/// Interface of a controller that hides its class.
trait ControllerClass {
    fn control(&mut self, inputs: &Inputs<'_>, step: &Step) -> Named;
}

/// The inputs of a call.
struct Inputs<'p> {
    single: &'p Named,
    of_wheels: &'p [(&'static str, Vec<f64>)],
    readings: &'p [(&'static str, Vec<f64>, f64)],
}

impl Inputs<'_> {
    /// Returns the columns of all ports, in their order, and the ages of those that are readings.
    fn columns(&self, ports: &[PortDesc], wheels: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
        let mut one = self.single.values().iter();
        let (mut many, mut readings) = (self.of_wheels.iter(), self.readings.iter());
        let next = |port: &PortDesc| match Scope::from_u32(port.scope) {
            Scope::Array => readings
                .next()
                .map_or_else(Default::default, |(_, values, age)| (values.clone(), *age)),
            Scope::Wheel => {
                let mut values = many.next().map_or_else(Vec::new, |(_, values)| values.clone());
                values.resize(wheels, 0.0);
                (values, 0.0)
            }
            _ => (one.next().copied().into_iter().collect(), 0.0),
        };
        ports.iter().map(next).unzip()
    }
}

struct RunningController<M: Controller> {
    model: M,
    state: Lane<M::State>,
}

impl<M: Controller> ControllerClass for RunningController<M> {
    fn control(&mut self, given: &Inputs<'_>, step: &Step) -> Named {
        let wheels = given.of_wheels.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
        let (inputs, ages) = given.columns(M::Inputs::PORTS, wheels);
        let size = |port| if is_per_wheel(port) { wheels } else { 1 };
        let sizes: Vec<usize> = M::Outputs::PORTS.iter().map(size).collect();
        let phase = &ControllerModel::<M>::PHASES[0];
        let about = About { wheels, ages: &ages, ..About::at(step) };
        // SAFETY: the phase belongs to `M`, and the columns follow its declaration.
        let columns = unsafe { self.state.call(phase, &self.model, &inputs, &sizes, &about) };
        let ports = M::Outputs::PORTS.iter().zip(columns);
        let values = ports.filter(|(port, _)| !is_per_wheel(port)).flat_map(|(_, column)| column);
        let values = values.collect();
        Named::of(M::Outputs::PORTS).with(values)
    }
}
