//! Inputs that read the sensors of a vehicle.

use simhost_abi::host_port::{FLEET_INPUTS, MEASUREMENTS, SENSOR_CONSTANTS};
use simhost_abi::{Kind, Model, Phase, PortDesc, Scope};

use super::actuation::{ActuatedPort, is_before, published};
use super::combination::{absent, is_result_of_rays, outputs_of, unprovided};
use super::quantity::has_key;
use super::quantity::{Place, Quantity, Side, declaration, find, places};
use super::{
    Counterpart, PortFault, driving, is_array, is_command, is_optional, is_required, reads_sensors,
};
use crate::unit::same_unit;
use crate::view::View;

/// Advice on an input that no sensor provides.
const CONNECT: &str = "rename it, write <connect input=\"…\" from=\"SENSOR/OUTPUT\"/> into the element \
                       of the model, or declare it as `optional`";

/// An output of a sensor or an actuator of a vehicle.
#[derive(Clone, Copy)]
pub struct Source<'n> {
    /// "sensor" or "actuator".
    kind: &'static str,
    /// Name of the sensor or the actuator.
    name: &'n str,
    output: Quantity,
}

impl<'n> Source<'n> {
    /// Returns an output of the phase `read` of a sensor.
    pub fn sensor(name: &'n str, output: &'static View<PortDesc>) -> Self {
        Self { kind: Kind::Sensor.tag(), name, output: Quantity::from(output) }
    }

    /// Returns an output of the phase `actuate` of an actuator on this port.
    pub fn actuator(name: &'n str, output: &'static View<PortDesc>, port: ActuatedPort) -> Self {
        let output = published(output, port);
        Self { kind: Kind::Actuator.tag(), name, output }
    }

    /// Returns the name of the output.
    pub fn name(&self) -> &'static str {
        self.output.name
    }
}

/// Describes sources: "sensors `left` and `right`".
fn named(sources: &[Source<'_>]) -> String {
    let quoted = |one: &Source<'_>| format!("`{}`", one.name);
    let one_kind = sources.first().filter(|first| sources.iter().all(|one| one.kind == first.kind));
    let names: Vec<String> = match one_kind {
        Some(_) => sources.iter().map(quoted).collect(),
        None => sources.iter().map(|one| format!("{} {}", one.kind, quoted(one))).collect(),
    };
    let names = names.join(" and ");
    one_kind.map_or_else(|| names.clone(), |first| format!("{}s {names}", first.kind))
}

/// An input that can read a sensor.
#[derive(Clone, Copy)]
pub struct OpenInput {
    model: &'static View<Model>,
    place: Place,
    /// The dynamics class whose measurements the model reads.
    dynamics: Option<&'static View<Model>>,
    /// Whether nothing but a sensor of the vehicle can provide it.
    is_open: bool,
}

/// Returns the inputs of a controller on a vehicle with this dynamics class that read a sensor with
/// an output of their name, and such inputs of the dynamics class itself.
pub fn open_inputs(
    controller: &'static View<Model>,
    dynamics: &'static View<Model>,
) -> Vec<OpenInput> {
    let set_by_controller = outputs_of(controller, "control");
    let mut inputs = reading_inputs(controller, Some(dynamics));
    inputs.extend(reading_inputs(dynamics, None).into_iter().map(|input| {
        let is_set = find(&set_by_controller, input.name()).is_some();
        OpenInput { is_open: input.is_open && !is_set, ..input }
    }));
    inputs.retain(|input| input.is_open);
    inputs
}

/// Returns the inputs of a sensor or an actuator on a vehicle with this dynamics class that read a sensor, or
/// for a sensor an actuator, with an output of their name.
pub fn open_inputs_of_part(
    part: &'static View<Model>,
    dynamics: &'static View<Model>,
) -> Vec<OpenInput> {
    let mut inputs = reading_inputs(part, Some(dynamics));
    inputs.retain(|input| input.is_open);
    inputs
}

/// Returns the inputs of a sensor that neither the host nor the dynamics class of its vehicle
/// provides, except those that can read other sensors of the vehicle. A sensor that is not on a vehicle
/// reads the defaults of the host's quantities, and no other sensor.
pub fn sensor_faults(
    sensor: &'static View<Model>,
    dynamics: Option<&'static View<Model>>,
) -> Vec<PortFault> {
    let open = dynamics.map_or_else(Vec::new, |dynamics| open_inputs_of_part(sensor, dynamics));
    let is_open = |place: &Place| open.iter().any(|input| input.is_of(place));
    let inputs = sensor.phases().iter().flat_map(|phase| places(phase, Side::Input));
    let fault = |place: Place| match dynamics {
        None if is_array(place.port) && !is_optional(place.port) => {
            let text = absent(&place, "the sensor is not on a vehicle");
            Some(
                place.fault(text, "write the <sensor> inside a <vehicle> with the sensor it reads"),
            )
        }
        _ => unprovided(sensor, &place, dynamics),
    };
    inputs.filter(|place| !is_open(place)).filter_map(fault).collect()
}

/// Returns the inputs of a model that a world file can connect to a sensor. `dynamics` is the dynamics
/// class whose measurements the model reads.
pub fn reading_inputs(
    model: &'static View<Model>,
    dynamics: Option<&'static View<Model>>,
) -> Vec<OpenInput> {
    let measured = dynamics.map_or_else(Vec::new, |dynamics| outputs_of(dynamics, "measure"));
    let reads = |phase: &&'static View<Phase>| reads_sensors(model, phase.id());
    let phases = model.phases().iter().filter(reads);
    let inputs = phases.flat_map(|phase| places(phase, Side::Input));
    // a reading is a number or an array
    let has_scope =
        |port: &PortDesc| is_array(port) || Scope::from_u32(port.scope) == Scope::Instance;
    // the command of an actuator is the value before it
    let is_fixed = |place: &Place| is_command(place.port) || is_before(model, place);
    let inputs = inputs.filter(|place| !is_fixed(place) && has_scope(place.port));
    let input = |place: Place| {
        let port = place.port;
        let is_provided = has_key(model, port)
            || find(&measured, port.name()).is_some()
            || MEASUREMENTS.iter().any(|host| host.name == port.name())
            || model.kind() == Some(Kind::Fleet)
                && FLEET_INPUTS.iter().any(|host| host.name == port.name())
            || model.kind() == Some(Kind::Sensor)
                && (SENSOR_CONSTANTS.iter().any(|host| host.name == port.name())
                    || is_result_of_rays(model, port.name()));
        let is_open = is_array(port) || port.scope == Scope::Instance as u32 && !is_provided;
        OpenInput { model, place, dynamics, is_open }
    };
    inputs.map(input).collect()
}

impl OpenInput {
    /// Returns the name.
    pub fn name(&self) -> &'static str {
        self.place.port.name()
    }

    /// Returns whether the input is at this place.
    pub(super) fn is_of(&self, place: &Place) -> bool {
        std::ptr::eq(self.place.port, place.port)
    }

    /// Returns whether nothing but a sensor of the vehicle can provide it.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns the declaration.
    pub fn port(&self) -> &'static View<PortDesc> {
        self.place.port
    }

    /// Returns the model that has the input.
    pub fn model(&self) -> &'static View<Model> {
        self.model
    }

    /// Returns whether the input belongs to the phase that drives a vehicle, and a controller sets it.
    pub fn is_set_by(&self, controller: &'static View<Model>) -> bool {
        driving(self.model).is_some_and(|phase| phase.id() == self.place.phase)
            && find(&outputs_of(controller, "control"), self.name()).is_some()
    }

    /// Returns the fault of reading an output that differs in scope or unit.
    pub fn mismatch(&self, source: &Source<'_>) -> Option<PortFault> {
        let (place, output) = (&self.place, source.output);
        let owner = format!("{} `{}`", source.kind, source.name);
        if !is_array(place.port) {
            let fault = place.compare(output, &owner)?;
            if output.scope == place.port.scope {
                return Some(fault);
            }
            return Some(PortFault { help: declaration(Scope::Array as u32), ..fault });
        }
        if same_unit(place.port.unit(), output.unit) {
            return None;
        }
        // an array has the values of an output of any scope
        place.compare(Quantity { scope: Scope::Array as u32, ..output }, &owner)
    }

    /// Returns the fault of an input whose name several sensors or actuators have as an output.
    pub fn ambiguity(&self, sources: &[Source<'_>]) -> PortFault {
        let name = self.name();
        let first = sources.first().map_or("SENSOR", |first| first.name);
        let owners = named(sources);
        let text = format!("ambiguous {}: {owners} have an output `{name}`", self.place);
        let help = format!(
            "choose one: <connect input=\"{name}\" from=\"{first}/{name}\"/> in the element of the model"
        );
        self.place.fault(text, help)
    }

    /// Returns the fault of an input that nothing provides, on a vehicle with these outputs of sensors;
    /// `None` if the input is optional.
    pub fn absence(&self, sources: &[Source<'_>]) -> Option<PortFault> {
        let place = &self.place;
        if is_optional(place.port) || !self.is_open {
            return None;
        }
        let readings: Vec<_> = sources.iter().map(|source| source.output).collect();
        if !is_array(place.port) {
            // other inputs of a dynamics class are checked with those that its controller sets
            if self.model.kind() == Some(Kind::Dynamics) {
                return None;
            }
            let mut fault = unprovided(self.model, place, self.dynamics)?;
            if self.model.kind() == Some(Kind::Actuator) {
                // no world file sets its inputs
                CONNECT.clone_into(&mut fault.help);
            }
            if !sources.is_empty() {
                let of_sensors =
                    place.unknown("", "the sensors of the vehicle provide", &readings, "");
                fault.nearest = fault.nearest.or(of_sensors.nearest);
                fault.valid = format!("{}; {}", fault.valid, of_sensors.valid);
                fault.text.push_str(", and no sensor of the vehicle has an output of this name");
            }
            return Some(fault);
        }
        let host: Vec<_> = MEASUREMENTS.iter().map(Quantity::from).collect();
        if let Some(quantity) = find(&host, self.name()) {
            return place.compare(quantity, "the host");
        }
        let reason = match sources {
            [] if self.model.kind() == Some(Kind::Sensor) => {
                "the vehicle has no other sensor with readings"
            }
            [] => "the vehicle has no sensor with readings",
            _ if self.model.kind() == Some(Kind::Sensor) => {
                "no other sensor or actuator of the vehicle has an output of this name"
            }
            _ => "no sensor of the vehicle has an output of this name",
        };
        let text = absent(place, reason);
        let help = if is_required(place.port) {
            "rename it, or give the vehicle a sensor that has it"
        } else {
            CONNECT
        };
        let fault = match sources {
            [] => place
                .fault(text, "give the vehicle a sensor that has it, or declare it as `optional`"),
            _ => place.unknown(text, "the sensors of the vehicle provide", &readings, help),
        };
        Some(fault.lacking(Counterpart::Source, self.name()))
    }
}
