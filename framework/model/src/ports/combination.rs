//! Faults of the ports through which the models of a vehicle reach each other.

use super::quantity::{PUBLISH, Place, Quantity, Side, find, has_key, places};
use super::{Counterpart, PortFault, driving, is_array, is_command, is_optional, is_required};
use crate::view::View;
use simhost_abi::host_port::{
    ACTUATORS, MEASUREMENTS, ODOMETRY, SENSOR_CONSTANTS, SPACE_RAY_RESULTS,
};
use simhost_abi::{Model, PortDesc};

/// Advice on an input that nothing provides.
const PROVIDE: &str = "rename it, or give it a `key` (set by the world file) or `optional` (its \
                       default is a sensible value)";

/// Returns the ports of a controller that do not fit a dynamics class.
pub fn controller_faults(
    controller: &'static View<Model>,
    dynamics: &'static View<Model>,
) -> Vec<PortFault> {
    let Some(control) = controller.phase("control") else { return Vec::new() };
    let mut faults = Vec::new();
    for place in places(control, Side::Input) {
        faults.extend(unprovided(controller, &place, Some(dynamics)));
    }
    let owner = format!("dynamics `{}`", dynamics.id());
    let taken = driven_inputs(dynamics);
    let actuators: Vec<_> = ACTUATORS.iter().map(Quantity::from).collect();
    for place in places(control, Side::Output) {
        let name = place.port.name();
        if let Some(quantity) = find(&taken, name) {
            faults.extend(place.compare(quantity, &owner));
        } else if find(&actuators, name).is_none() && !is_optional(place.port) {
            let text = format!("nothing takes {place}");
            let lead = format!("{owner} and the host take");
            let known = [&taken[..], &actuators].concat();
            let fault = place.unknown(text, &lead, &known, PUBLISH);
            faults.push(fault.lacking(Counterpart::Reader, name));
        }
    }
    faults
}

/// Returns the inputs of a dynamics class that no other model provides, and its measurements that
/// nothing reads although they are not published. `readers` are the sensors and actuators of the
/// vehicle, and `is_reading` returns whether an input of the dynamics class reads one of the sensors.
///
/// A vehicle whose velocity is imposed needs no actuators. Then the inputs can lack a provider that
/// some controller sets: `is_actuator` returns whether one sets an input of this name.
pub fn vehicle_faults(
    dynamics: &'static View<Model>,
    controller: &'static View<Model>,
    readers: &[&'static View<Model>],
    is_reading: &dyn Fn(&str) -> bool,
    is_actuator: &mut dyn FnMut(&str) -> bool,
) -> Vec<PortFault> {
    let mut faults = Vec::new();
    let outputs = outputs_of(controller, "control");
    let host: Vec<_> = MEASUREMENTS.iter().map(Quantity::from).collect();
    let imposes_twist = ACTUATORS.iter().any(|port| find(&outputs, port.name).is_some());
    for place in driving(dynamics).into_iter().flat_map(|phase| places(phase, Side::Input)) {
        let port = place.port;
        let is_provided = find(&outputs, port.name()).is_some() && !is_command(port)
            || find(&host, port.name()).is_some()
            || has_key(dynamics, port)
            || is_array(port)
            || is_reading(port.name())
            || is_optional(port);
        if is_provided || imposes_twist && !is_required(port) && is_actuator(port.name()) {
            continue;
        }
        let id = controller.id();
        let text = absent(&place, &format!("controller `{id}` does not set it"));
        let lead = format!("controller `{id}` and the host provide");
        let known = [&outputs[..], &host].concat();
        faults.push(place.unknown(text, &lead, &known, PROVIDE));
    }
    let measured = dynamics.phase("measure").into_iter();
    for place in measured.flat_map(|phase| places(phase, Side::Output)) {
        let name = place.port.name();
        let reads = |model: &'static View<Model>| {
            let phases = model.phases().iter().filter(|phase| phase.id() != "rates");
            let mut inputs = phases.flat_map(|phase| places(phase, Side::Input));
            inputs.any(|place| place.port.name() == name)
        };
        let is_read = ODOMETRY.iter().any(|port| port.name == name)
            || reads(controller)
            || readers.iter().any(|reader| reads(reader));
        if !is_read && !is_optional(place.port) {
            let text = format!("nothing reads {place}");
            let known: Vec<_> = ODOMETRY.iter().map(Quantity::from).collect();
            let lead = "besides controllers and sensors, the host reads";
            faults.push(place.unknown(text, lead, &known, PUBLISH));
        }
    }
    faults
}

/// Inputs that a world file sets.
pub struct Set<'a> {
    /// The model that has the inputs.
    pub model: &'static View<Model>,
    /// Returns whether the world file sets an input.
    pub is_set: &'a dyn Fn(&'static View<PortDesc>) -> bool,
}

impl Set<'_> {
    /// Returns the required inputs that a world file has to set and does not.
    pub fn faults(&self) -> Vec<PortFault> {
        let missing = |place: &Place| {
            let port = place.port;
            is_required(port) && has_key(self.model, port) && !(self.is_set)(port)
        };
        let phases = self.model.phases().iter().filter(|phase| phase.id() != "rates");
        let missing = phases.flat_map(|phase| places(phase, Side::Input)).filter(missing);
        let fault = |place: Place| {
            let key = place.port.key();
            let text = format!("{place} is required, but `{key}` is not given");
            place.fault(text, format!("write <{key}>…</{key}>: {}", place.port.doc()))
        };
        missing.map(fault).collect()
    }
}

/// Returns the fault of an input of a controller or sensor that nothing provides, or that differs
/// from what is provided.
pub(super) fn unprovided(
    model: &'static View<Model>,
    place: &Place,
    dynamics: Option<&'static View<Model>>,
) -> Option<PortFault> {
    let port = place.port;
    if is_command(port) || is_array(port) {
        return None;
    }
    let name = port.name();
    let measured = dynamics.map(|dynamics| outputs_of(dynamics, "measure")).unwrap_or_default();
    if let (Some(quantity), Some(dynamics)) = (find(&measured, name), dynamics) {
        return place.compare(quantity, &format!("dynamics `{}`", dynamics.id()));
    }
    let mut host: Vec<_> = MEASUREMENTS.iter().map(Quantity::from).collect();
    if let Some(quantity) = find(&host, name) {
        if dynamics.is_none() && is_required(port) {
            let text = format!("{place} is required, but the sensor is not on a vehicle");
            return Some(place.fault(text, "write the <sensor> inside a <vehicle>"));
        }
        return place.compare(quantity, "the host");
    }
    let constant = SENSOR_CONSTANTS.iter().find(|constant| constant.name == name);
    if let Some(constant) = constant.filter(|_| place.phase == "read") {
        return place.compare(Quantity::from(constant), "the host");
    }
    if place.phase == "read" && is_result_of_rays(model, name)
        || has_key(model, port)
        || is_optional(port)
    {
        return None;
    }
    let (provider, lead) = match dynamics {
        Some(dynamics) => {
            let id = dynamics.id();
            (
                format!("dynamics `{id}` does not measure it"),
                format!("dynamics `{id}` and the host provide"),
            )
        }
        None => (
            "the sensor is not on a vehicle".to_owned(),
            "on a vehicle, the host provides".to_owned(),
        ),
    };
    let text = absent(place, &provider);
    host.splice(0..0, measured);
    Some(place.unknown(text, &lead, &host, PROVIDE).lacking(Counterpart::Source, name))
}

/// Returns whether the phase `read` of a sensor has an input of this name from its own rays: what they
/// have met, or what the phase `aim` has set.
pub(super) fn is_result_of_rays(sensor: &'static View<Model>, name: &str) -> bool {
    name == "range"
        || find(&outputs_of(sensor, "aim"), name).is_some()
        || sensor.can_be_spatial() && SPACE_RAY_RESULTS.iter().any(|port| port.name == name)
}

/// Describes an input that nothing provides, and the reason.
pub(super) fn absent(place: &Place, reason: &str) -> String {
    if is_required(place.port) {
        return format!("{place} is required, but {reason}");
    }
    format!("nothing provides {place}: {reason}")
}

/// Returns the inputs of a dynamics class that a controller can set.
pub(super) fn driven_inputs(dynamics: &'static View<Model>) -> Vec<Quantity> {
    let inputs = driving(dynamics).into_iter().flat_map(|phase| places(phase, Side::Input));
    let inputs = inputs.map(|place| place.port);
    // a quantity of the host is not for controllers to set
    let is_of_host = |name: &str| MEASUREMENTS.iter().any(|port| port.name == name);
    let inputs = inputs.filter(|port| !is_command(port) && !is_of_host(port.name()));
    inputs.map(Quantity::from).collect()
}

pub(super) fn outputs_of(model: &'static View<Model>, phase: &str) -> Vec<Quantity> {
    model.phase(phase).into_iter().flat_map(|phase| phase.outputs()).map(Quantity::from).collect()
}
