//! Readings: which sensor of a vehicle each input of its models reads.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use simhost_abi::{Kind, Model, PortDesc, Scope, port_flag};
use simhost_model::View;
use simhost_model::ports::{OpenInput, Source, open_inputs, open_inputs_of_part, reading_inputs};

use super::actuator_readings::{ActuatorOutputs, joined};
use super::description::{ActuatorReading, ReadingUse, SensorReading, Vehicle};
use super::sensor_order::in_order;
use crate::context::Context;
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::models::{Connect, ModelUse, report_ports};
use crate::sensor::SensorUse;

/// Number of sensors or ports that an error lists.
const MAX_LISTED: usize = 20;

impl Vehicle {
    /// Returns whether an input of a model of this kind reads a sensor.
    pub(super) fn reads(&self, reader: Kind, input: &str) -> bool {
        self.readings.iter().any(|one| one.reader == reader && one.input == input)
    }
}

/// Sensors and actuators that the sensors of a vehicle read.
type ReadBySensors = (Arc<[SensorReading]>, Arc<[ActuatorReading]>);

/// Inputs that read sensors by name, by the addresses of the reading model and of the dynamics class.
#[derive(Default)]
pub(super) struct Readings {
    open: HashMap<[usize; 2], Rc<[OpenInput]>>,
}

impl Readings {
    /// Returns the readings of a vehicle. Reports connections and inputs that do not fit its sensors.
    pub fn resolve(&mut self, context: &mut Context<'_>, vehicle: &Vehicle) -> Arc<[ReadingUse]> {
        let open = self.open(&vehicle.controller, &vehicle.dynamics, open_inputs);
        let models = [&vehicle.controller, &vehicle.dynamics];
        let of_actuators = self.of_actuators(context, vehicle);
        if open.is_empty() && models.iter().all(|model| model.connects.is_empty()) {
            return of_actuators.into();
        }
        let mut matching = Matching::new(context, vehicle);
        let dynamics = vehicle.dynamics.model.model;
        for (model, measured) in models.into_iter().zip([Some(dynamics), None]) {
            matching.connect(model, measured);
        }
        for input in &*open {
            let is_of = |model: &&&Arc<ModelUse>| std::ptr::eq(model.model.model, input.model());
            if let Some(model) = models.iter().find(is_of) {
                matching.by_name(model, input);
            }
        }
        matching.found.into_iter().chain(of_actuators).collect()
    }

    /// Returns the inputs of actuators that read sensors. Reports what does not fit.
    fn of_actuators(&mut self, context: &mut Context<'_>, vehicle: &Vehicle) -> Vec<ReadingUse> {
        let mut found = Vec::new();
        for (number, actuator) in vehicle.actuators.iter().enumerate() {
            let own = Matching { number, ..Matching::new(context, vehicle) };
            if let Some(own) = self.matched(&actuator.model, own) {
                found.extend(own.found);
            }
        }
        found
    }

    /// Returns the inputs of sensors that read other sensors, in the order of sampling, and those that read
    /// actuators. Reports what does not fit.
    pub fn of_sensors(&mut self, context: &mut Context<'_>, vehicle: &Vehicle) -> ReadBySensors {
        let (mut found, mut published) = (Vec::new(), Vec::new());
        for (reader, SensorUse { model, .. }) in vehicle.sensors.iter().enumerate() {
            let own = Matching { reader: Some(reader), ..Matching::new(context, vehicle) };
            if let Some(own) = self.matched(model, own) {
                let readings = own.found.into_iter();
                found.extend(readings.map(|reading| SensorReading { reader, reading }));
                published.extend(own.published);
            }
        }
        (in_order(context, vehicle, found), published.into())
    }

    /// Matches the inputs of a sensor or an actuator; `None` if it has none that read.
    fn matched<'a, 'c>(
        &mut self,
        model: &ModelUse,
        mut own: Matching<'a, 'c>,
    ) -> Option<Matching<'a, 'c>> {
        let open = self.open(model, &own.vehicle.dynamics, open_inputs_of_part);
        if open.is_empty() && model.connects.is_empty() {
            return None;
        }
        own.connect(model, Some(own.vehicle.dynamics.model.model));
        open.iter().for_each(|input| own.by_name(model, input));
        Some(own)
    }

    /// Returns the inputs of a model, on a vehicle with a dynamics class, that read by name: what `find` returns for
    /// the two.
    fn open(
        &mut self,
        reader: &ModelUse,
        dynamics: &ModelUse,
        find: fn(&'static View<Model>, &'static View<Model>) -> Vec<OpenInput>,
    ) -> Rc<[OpenInput]> {
        let models = [reader, dynamics].map(|model| model.model.model);
        let key = models.map(|model| std::ptr::from_ref(model).addr());
        let known = self.open.entry(key).or_insert_with(|| find(models[0], models[1]).into());
        Rc::clone(known)
    }
}

/// Returns the inputs of a fleet that read sensors of one of its vehicles. Reports connections and inputs
/// that do not fit them.
pub(crate) fn readings_of_fleet(
    context: &mut Context<'_>,
    fleet: &ModelUse,
    vehicle: &Vehicle,
) -> Vec<ReadingUse> {
    let dynamics = Some(vehicle.dynamics.model.model);
    let mut matching = Matching::new(context, vehicle);
    matching.connect(fleet, dynamics);
    let inputs = reading_inputs(fleet.model.model, dynamics);
    for input in inputs.iter().filter(|input| input.is_open()) {
        matching.by_name(fleet, input);
    }
    matching.found
}

/// The matching of the inputs of one vehicle, or of one of its sensors or actuators.
struct Matching<'a, 'c> {
    context: &'a mut Context<'c>,
    vehicle: &'a Vehicle,
    /// Index of the sensor whose inputs these are.
    reader: Option<usize>,
    /// Index of the actuator whose inputs these are, or 0.
    number: usize,
    /// Outputs of actuators, which only sensors read.
    actuators: ActuatorOutputs<'a>,
    found: Vec<ReadingUse>,
    /// Inputs of the sensor that read actuators.
    published: Vec<ActuatorReading>,
}

/// Source that a `<connect>` element names.
enum Found {
    Sensor(ReadingUse),
    Actuator(ActuatorReading),
}

/// Returns the outputs of a sensor that models can read.
pub(super) fn outputs(sensor: &SensorUse) -> &'static [View<PortDesc>] {
    sensor.model.model.model.phase("read").map_or(&[], |read| read.outputs())
}

impl<'a, 'c> Matching<'a, 'c> {
    fn new(context: &'a mut Context<'c>, vehicle: &'a Vehicle) -> Self {
        let actuators = ActuatorOutputs::new(vehicle);
        let (found, published) = (Vec::new(), Vec::new());
        Self { context, vehicle, reader: None, number: 0, actuators, found, published }
    }

    /// Connects the inputs of a model as its `<connect>` elements specify. `dynamics` is the class whose
    /// measurements the model reads.
    fn connect(&mut self, model: &ModelUse, dynamics: Option<&'static View<Model>>) {
        if model.connects.is_empty() {
            return;
        }
        let inputs = reading_inputs(model.model.model, dynamics);
        for connect in model.connects.iter() {
            match self.connected(model, &inputs, connect) {
                Ok(Found::Sensor(reading)) => self.found.push(reading),
                Ok(Found::Actuator(reading)) => joined(&mut self.published, reading),
                Err(error) => {
                    let owner = format!("in vehicle `{}`", self.vehicle.name);
                    self.context.report.push(error.note(owner));
                }
            }
        }
    }

    fn connected(
        &self,
        model: &ModelUse,
        inputs: &[OpenInput],
        connect: &Connect,
    ) -> Result<Found, Diagnostic> {
        let (name, span) = &connect.input;
        let kind = model.model.model.kind_tag();
        let class = &model.model.full_name;
        let Some(input) = inputs.iter().find(|input| input.name() == name) else {
            return Err(unknown_input(model, inputs, name).at(*span));
        };
        let from_actuator = match self.reader {
            Some(_) => self.actuators.find(self.vehicle, connect)?,
            None => self.actuators.refuse(self.vehicle, connect)?,
        };
        // an array can have the values of several actuators
        let is_array = input.port().scope == Scope::Array as u32;
        let joins = from_actuator.is_some_and(|(place, _)| is_array && !self.has(input, place));
        if self.is_read(input) || self.is_published(input) && !joins {
            let text = format!("duplicate connection of input `{name}` of {kind} `{class}`");
            return Err(Diagnostic::error(text)
                .at(*span)
                .label("the input has a connection already")
                .help("remove one of them"));
        }
        if input.is_set_by(self.vehicle.controller.model.model) {
            let controller = &self.vehicle.controller.model.full_name;
            let text = format!("input `{name}` of {kind} `{class}` is set by the controller");
            return Err(Diagnostic::error(text)
                .at(*span)
                .label(format!("controller `{controller}` has an output `{name}`"))
                .help("remove the connection, or choose another controller"));
        }
        let fits = |source: &Source<'_>| match input.mismatch(source) {
            Some(fault) => {
                let text = format!("{kind} `{class}`: {}", fault.text);
                Err(Diagnostic::error(text).at(connect.from.1).help(fault.help))
            }
            None => Ok(()),
        };
        if let Some((place, source)) = from_actuator {
            fits(&source)?;
            return Ok(Found::Actuator(self.published_by(input, vec![place])));
        }
        let (sensor, output) = self.source(connect)?;
        let used = &self.vehicle.sensors[sensor];
        fits(&Source::sensor(&used.name, &outputs(used)[output]))?;
        Ok(Found::Sensor(self.reading(input, sensor, output)))
    }

    /// Returns the sensor and the output that a connection names.
    fn source(&self, connect: &Connect) -> Result<(usize, usize), Diagnostic> {
        let (from, span) = &connect.from;
        let (sensor, output) = match from.rsplit_once('/') {
            Some((sensor, output)) => (sensor, Some(output)),
            None => (from.as_str(), None),
        };
        let sensors = &self.vehicle.sensors;
        let actuators = self.reader.map_or(&[][..], |_| &self.vehicle.actuators);
        let names = || {
            let actuators = actuators.iter().map(|actuator| actuator.name.as_str());
            sensors.iter().map(|sensor| sensor.name.as_str()).chain(actuators)
        };
        let Some(index) = sensors.iter().position(|one| one.name == sensor) else {
            let kinds = if actuators.is_empty() { "sensor" } else { "sensor or actuator" };
            let error = Diagnostic::error(format!("unknown {kinds} `{sensor}`")).at(*span);
            let error = error.label(did_you_mean(sensor, names()));
            let kinds = if actuators.is_empty() { "sensors" } else { "sensors and actuators" };
            return Err(match list(names()) {
                known if known.is_empty() => error.help("give the vehicle a <sensor> of this name"),
                known => error.help(format!("the {kinds} of the vehicle are {known}")),
            });
        };
        let of_sensor = outputs(&sensors[index]);
        if of_sensor.is_empty() {
            let class = &sensors[index].model.model.full_name;
            let error = Diagnostic::error(format!("sensor `{sensor}` has no readings"));
            return Err(error.at(*span).label(format!("sensors of class `{class}` have none")));
        }
        let known = list(of_sensor.iter().map(View::<PortDesc>::name));
        let Some(output) = output else {
            let first = of_sensor[0].name();
            let error = Diagnostic::error(format!("`{from}` does not name an output")).at(*span);
            return Err(error
                .label(format!("expected SENSOR/OUTPUT, such as `{sensor}/{first}`"))
                .help(format!("the outputs of the sensor are {known}")));
        };
        let position = of_sensor.iter().position(|port| port.name() == output);
        position.map(|output| (index, output)).ok_or_else(|| {
            let names = of_sensor.iter().map(View::<PortDesc>::name);
            Diagnostic::error(format!("unknown output `{output}` of sensor `{sensor}`"))
                .at(*span)
                .label(did_you_mean(output, names))
                .help(format!("the outputs of the sensor are {known}"))
        })
    }

    /// Finds the only sensor with an output of the name of an input. An array of a sensor can also have the values
    /// of all actuators with such an output.
    fn by_name(&mut self, model: &ModelUse, input: &OpenInput) {
        if self.is_read(input) || model.connects.iter().any(|one| one.input.0 == input.name()) {
            return;
        }
        let vehicle = self.vehicle;
        let others =
            vehicle.sensors.iter().enumerate().filter(|(one, _)| Some(*one) != self.reader);
        let all = others.flat_map(|(number, sensor)| {
            let outputs = outputs(sensor).iter().enumerate();
            outputs.map(move |(k, output)| ((number, k), Source::sensor(&sensor.name, output)))
        });
        let all: Vec<_> = all.collect();
        let published = self.reader.map_or_else(Vec::new, |_| self.actuators.published());
        let fits = |source: &&(_, Source<'a>)| source.1.name() == input.name();
        let matching: Vec<_> = all.iter().filter(fits).collect();
        let of_actuators: Vec<_> = published.iter().filter(fits).collect();
        let is_array = input.port().scope == Scope::Array as u32;
        let fault = match (&*matching, &*of_actuators) {
            ([], []) => {
                let sources = all.iter().chain(&published).map(|(_, source)| *source);
                input.absence(&sources.collect::<Vec<_>>())
            }
            ([((sensor, output), source)], []) => {
                let fault = input.mismatch(source);
                if fault.is_none() {
                    self.found.push(self.reading(input, *sensor, *output));
                }
                fault
            }
            ([], sources) if is_array || sources.len() == 1 => {
                let fault = sources.iter().find_map(|(_, source)| input.mismatch(source));
                if fault.is_none() {
                    let places = sources.iter().map(|(place, _)| *place).collect();
                    self.published.push(self.published_by(input, places));
                }
                fault
            }
            (sensors, actuators) => {
                let sources = sensors.iter().chain(actuators).map(|(_, source)| *source);
                Some(input.ambiguity(&sources.collect::<Vec<_>>()))
            }
        };
        if let Some(fault) = fault {
            let owner = format!("vehicle `{}`", vehicle.name);
            report_ports(self.context, &model.model, vec![fault], &owner, model.span);
        }
    }

    fn is_read(&self, input: &OpenInput) -> bool {
        let kind = input.model().kind();
        self.found.iter().any(|one| Some(one.reader) == kind && one.input == input.name())
    }

    fn is_published(&self, input: &OpenInput) -> bool {
        self.published.iter().any(|one| one.input == input.name())
    }

    /// Returns whether an input of the sensor reads an output of an actuator already.
    fn has(&self, input: &OpenInput, place: (usize, usize)) -> bool {
        let mut own = self.published.iter().filter(|one| one.input == input.name());
        own.any(|one| one.sources.contains(&place))
    }

    /// Returns the reading of outputs of actuators by an input of the sensor.
    fn published_by(&self, input: &OpenInput, sources: Vec<(usize, usize)>) -> ActuatorReading {
        let is_array = input.port().scope == Scope::Array as u32;
        let count = |(actuator, _): &(usize, usize)| self.actuators.count(*actuator);
        ActuatorReading {
            reader: self.reader.unwrap_or_default(),
            input: input.name(),
            capacity: is_array.then(|| sources.iter().map(count).sum()),
            sources,
            default: input.port().default,
        }
    }

    fn reading(&self, input: &OpenInput, sensor: usize, output: usize) -> ReadingUse {
        let is_array = input.port().scope == Scope::Array as u32;
        ReadingUse {
            reader: input.model().kind().unwrap_or(Kind::Controller),
            number: self.number,
            input: input.name(),
            sensor,
            output,
            capacity: is_array.then(|| self.vehicle.value_count(sensor, output)),
            default: input.port().default,
        }
    }
}

/// Returns the error of a connection of an input that the model does not have.
fn unknown_input(model: &ModelUse, inputs: &[OpenInput], name: &str) -> Diagnostic {
    let (kind, class) = (model.model.model.kind_tag(), &model.model.full_name);
    let names = || inputs.iter().map(OpenInput::name);
    let mut all = model.model.model.phases().iter().flat_map(|phase| phase.inputs());
    if all.any(|port| port.name() == name && port.flags & port_flag::COMMAND != 0) {
        let text = format!("input `{name}` of {kind} `{class}` is set by commands");
        return Diagnostic::error(text).label("no sensor can provide it");
    }
    let error = Diagnostic::error(format!("unknown input `{name}` of {kind} `{class}`"))
        .label(did_you_mean(name, names()));
    match list(names()) {
        known if known.is_empty() => error.help("the model has no input that can read a sensor"),
        known => error.help(format!("its inputs are {known}")),
    }
}

/// Lists names.
fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    if names.len() > MAX_LISTED {
        names.truncate(MAX_LISTED);
        names.push("…".to_owned());
    }
    names.join(", ")
}
