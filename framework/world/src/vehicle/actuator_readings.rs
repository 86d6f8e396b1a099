//! Outputs of actuators that the sensors of their vehicle read.

use simhost_abi::PortDesc;
use simhost_model::View;
use simhost_model::ports::{ActuatedPort, Source, actuated_port};

use super::description::{ActuatorReading, Vehicle};
use super::dynamics::ActuatorUse;
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::models::Connect;

/// The output that drives the next actuator or the dynamics class, which is read only where it is named.
const VALUE: &str = "value";

/// Index of an actuator, and index of one of its outputs.
type OutputPlace = (usize, usize);

/// The actuators of a vehicle, with the ports on which they act.
pub(super) struct ActuatorOutputs<'a> {
    actuators: Vec<(&'a ActuatorUse, Option<ActuatedPort>)>,
    wheels: usize,
}

impl<'a> ActuatorOutputs<'a> {
    /// Finds the actuators of a vehicle. A port on which no actuator can act is reported elsewhere.
    pub fn new(vehicle: &'a Vehicle) -> Self {
        let [dynamics, controller] =
            [&vehicle.dynamics, &vehicle.controller].map(|model| model.model.model);
        let port = |one: &ActuatorUse| actuated_port(&one.port, dynamics, controller).ok();
        let actuators = vehicle.actuators.iter().map(|one| (one, port(one))).collect();
        Self { actuators, wheels: vehicle.wheels.len() }
    }

    /// Returns the number of values of each output of an actuator.
    pub fn count(&self, actuator: usize) -> usize {
        let port = self.actuators.get(actuator).and_then(|(_, port)| *port);
        if port.is_some_and(|port| port.by_wheel) { self.wheels } else { 1 }
    }

    /// Returns all outputs that an input can find by its name.
    pub fn published(&self) -> Vec<(OutputPlace, Source<'a>)> {
        let all = self.actuators.iter().enumerate();
        let outputs = all.flat_map(|(number, (one, port))| {
            let outputs = outputs(one).iter().enumerate().filter(|(_, port)| port.name() != VALUE);
            let port = *port;
            outputs.filter_map(move |(k, output)| {
                Some(((number, k), Source::actuator(&one.name, output, port?)))
            })
        });
        outputs.collect()
    }

    /// Returns the output of an actuator that a connection names, or `None` if it does not name an actuator.
    ///
    /// # Errors
    /// The diagnostic of an output that the actuator does not have, or of a name that a sensor has too.
    pub fn find(
        &self,
        vehicle: &Vehicle,
        connect: &Connect,
    ) -> Result<Option<(OutputPlace, Source<'a>)>, Diagnostic> {
        let (from, span) = &connect.from;
        let Some((number, one, output)) = self.named(from) else { return Ok(None) };
        let name = &one.name;
        if vehicle.sensors.iter().any(|sensor| sensor.name == *name) {
            let text =
                format!("ambiguous `{from}`: a sensor and an actuator have the name `{name}`");
            return Err(Diagnostic::error(text).at(*span).help("rename one of them"));
        }
        let known = outputs(one);
        let names = || known.iter().map(|port| port.name());
        let list: Vec<_> = names().map(|name| format!("`{name}`")).collect();
        let help = format!("the outputs of the actuator are {}", list.join(", "));
        let Some(output) = output else {
            let error = Diagnostic::error(format!("`{from}` does not name an output")).at(*span);
            let label = format!("expected ACTUATOR/OUTPUT, such as `{name}/{VALUE}`");
            return Err(error.label(label).help(help));
        };
        let place = known.iter().position(|port| port.name() == output);
        let (Some(place), Some(port)) = (place, self.actuators[number].1) else {
            let text = format!("unknown output `{output}` of actuator `{name}`");
            let error = Diagnostic::error(text).at(*span).label(did_you_mean(output, names()));
            return Err(error.help(help));
        };
        Ok(Some(((number, place), Source::actuator(&one.name, &known[place], port))))
    }

    /// Refuses a connection of a model that is not a sensor to an actuator.
    ///
    /// # Errors
    /// The diagnostic, if the connection names an actuator and no sensor.
    pub fn refuse(
        &self,
        vehicle: &Vehicle,
        connect: &Connect,
    ) -> Result<Option<(OutputPlace, Source<'a>)>, Diagnostic> {
        let (from, span) = &connect.from;
        let Some((_, one, _)) = self.named(from) else { return Ok(None) };
        if vehicle.sensors.iter().any(|sensor| sensor.name == one.name) {
            return Ok(None);
        }
        let error = Diagnostic::error(format!("`{}` is an actuator", one.name)).at(*span);
        Err(error
            .label("only sensors can read actuators")
            .help("connect the input to a sensor that reads the actuator"))
    }

    /// Returns the actuator that a connection names, with its number and the name of an output.
    fn named<'f>(&self, from: &'f str) -> Option<(usize, &'a ActuatorUse, Option<&'f str>)> {
        // the name of an actuator can have a slash
        let (name, output) = match from.rsplit_once('/') {
            Some((name, output)) => (name, Some(output)),
            None => (from, None),
        };
        let mut all = self.actuators.iter().enumerate();
        let (number, (one, _)) = all.find(|(_, (one, _))| one.name == name)?;
        Some((number, one, output))
    }
}

fn outputs(actuator: &ActuatorUse) -> &'static [View<PortDesc>] {
    actuator.model.model.model.phase("actuate").map_or(&[], |phase| phase.outputs())
}

/// Adds a reading to the readings of a sensor. If an array has a reading already, the two are joined.
pub(super) fn joined(readings: &mut Vec<ActuatorReading>, more: ActuatorReading) {
    match readings.iter_mut().find(|one| one.input == more.input) {
        Some(one) => {
            one.sources.extend(more.sources);
            one.capacity = one.capacity.zip(more.capacity).map(|(own, more)| own + more);
        }
        None => readings.push(more),
    }
}
