//! Readings: which sensor of a vehicle each input of its models reads.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use simhost_abi::{Kind, Model, PortDesc, Scope, port_flag};
use simhost_model::View;
use simhost_model::ports::{OpenInput, Source, open_inputs, open_inputs_of_sensor, reading_inputs};

use super::description::{ReadingUse, SensorReading, Vehicle};
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

/// Inputs that read sensors by name, by the addresses of controller or sensor and of the dynamics class.
#[derive(Default)]
pub(super) struct Readings {
    open: HashMap<[usize; 2], Rc<[OpenInput]>>,
}

impl Readings {
    /// Returns the readings of a vehicle. Reports connections and inputs that do not fit its sensors.
    pub fn resolve(&mut self, context: &mut Context<'_>, vehicle: &Vehicle) -> Arc<[ReadingUse]> {
        let open = self.open(&vehicle.controller, &vehicle.dynamics, open_inputs);
        let models = [&vehicle.controller, &vehicle.dynamics];
        if open.is_empty() && models.iter().all(|model| model.connects.is_empty()) {
            return Arc::default();
        }
        let mut matching = Matching { context, vehicle, reader: None, found: Vec::new() };
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
        matching.found.into()
    }

    /// Returns the inputs of sensors that read others, in the order of sampling. Reports what does not fit.
    pub fn of_sensors(
        &mut self,
        context: &mut Context<'_>,
        vehicle: &Vehicle,
    ) -> Arc<[SensorReading]> {
        let mut found = Vec::new();
        for (reader, SensorUse { model, .. }) in vehicle.sensors.iter().enumerate() {
            let open = self.open(model, &vehicle.dynamics, open_inputs_of_sensor);
            if open.is_empty() && model.connects.is_empty() {
                continue;
            }
            let mut own = Matching { context, vehicle, reader: Some(reader), found: Vec::new() };
            own.connect(model, Some(vehicle.dynamics.model.model));
            open.iter().for_each(|input| own.by_name(model, input));
            found.extend(own.found.into_iter().map(|reading| SensorReading { reader, reading }));
        }
        in_order(context, vehicle, found)
    }

    /// Returns the inputs of a controller or a sensor, on a vehicle with a dynamics class, that read sensors by
    /// name: what `find` returns for the two.
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
    let mut matching = Matching { context, vehicle, reader: None, found: Vec::new() };
    matching.connect(fleet, dynamics);
    let inputs = reading_inputs(fleet.model.model, dynamics);
    for input in inputs.iter().filter(|input| input.is_open()) {
        matching.by_name(fleet, input);
    }
    matching.found
}

/// The matching of the inputs of one vehicle, or of one of its sensors.
struct Matching<'a, 'c> {
    context: &'a mut Context<'c>,
    vehicle: &'a Vehicle,
    /// Index of the sensor whose inputs these are.
    reader: Option<usize>,
    found: Vec<ReadingUse>,
}

/// Returns the outputs of a sensor that models can read.
pub(super) fn outputs(sensor: &SensorUse) -> &'static [View<PortDesc>] {
    sensor.model.model.model.phase("read").map_or(&[], |read| read.outputs())
}

impl<'a> Matching<'a, '_> {
    /// Connects the inputs of a model as its `<connect>` elements specify. `dynamics` is the class whose
    /// measurements the model reads.
    fn connect(&mut self, model: &ModelUse, dynamics: Option<&'static View<Model>>) {
        if model.connects.is_empty() {
            return;
        }
        let inputs = reading_inputs(model.model.model, dynamics);
        for connect in model.connects.iter() {
            match self.connected(model, &inputs, connect) {
                Ok(reading) => self.found.push(reading),
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
    ) -> Result<ReadingUse, Diagnostic> {
        let (name, span) = &connect.input;
        let kind = model.model.model.kind_tag();
        let class = &model.model.full_name;
        let Some(input) = inputs.iter().find(|input| input.name() == name) else {
            return Err(unknown_input(model, inputs, name).at(*span));
        };
        if self.is_read(input) {
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
        let (sensor, output) = self.source(connect)?;
        let used = &self.vehicle.sensors[sensor];
        let source = Source { sensor: &used.name, output: &outputs(used)[output] };
        if let Some(fault) = input.mismatch(&source) {
            let text = format!("{kind} `{class}`: {}", fault.text);
            return Err(Diagnostic::error(text).at(connect.from.1).help(fault.help));
        }
        Ok(self.reading(input, sensor, output))
    }

    /// Returns the sensor and the output that a connection names.
    fn source(&self, connect: &Connect) -> Result<(usize, usize), Diagnostic> {
        let (from, span) = &connect.from;
        let (sensor, output) = match from.rsplit_once('/') {
            Some((sensor, output)) => (sensor, Some(output)),
            None => (from.as_str(), None),
        };
        let sensors = &self.vehicle.sensors;
        let names = || sensors.iter().map(|sensor| sensor.name.as_str());
        let Some(index) = sensors.iter().position(|one| one.name == sensor) else {
            let error = Diagnostic::error(format!("unknown sensor `{sensor}`")).at(*span);
            let error = error.label(did_you_mean(sensor, names()));
            return Err(match list(names()) {
                known if known.is_empty() => error.help("give the vehicle a <sensor> of this name"),
                known => error.help(format!("the sensors of the vehicle are {known}")),
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

    /// Finds the only sensor with an output of the name of an input.
    fn by_name(&mut self, model: &ModelUse, input: &OpenInput) {
        if self.is_read(input) || model.connects.iter().any(|one| one.input.0 == input.name()) {
            return;
        }
        let vehicle = self.vehicle;
        let others =
            vehicle.sensors.iter().enumerate().filter(|(one, _)| Some(*one) != self.reader);
        let all = others.flat_map(|(number, sensor)| {
            let outputs = outputs(sensor).iter().enumerate();
            outputs.map(move |(k, output)| ((number, k), Source { sensor: &sensor.name, output }))
        });
        let all: Vec<_> = all.collect();
        let fits = |source: &&(_, Source<'a>)| source.1.output.name() == input.name();
        let matching: Vec<_> = all.iter().filter(fits).collect();
        let fault = match *matching {
            [] => {
                let sources: Vec<_> = all.iter().map(|(_, source)| *source).collect();
                input.absence(&sources)
            }
            [((sensor, output), source)] => {
                let fault = input.mismatch(source);
                if fault.is_none() {
                    self.found.push(self.reading(input, *sensor, *output));
                }
                fault
            }
            _ => {
                let sources: Vec<_> = matching.iter().map(|(_, source)| *source).collect();
                Some(input.ambiguity(&sources))
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

    fn reading(&self, input: &OpenInput, sensor: usize, output: usize) -> ReadingUse {
        let is_array = input.port().scope == Scope::Array as u32;
        ReadingUse {
            reader: input.model().kind().unwrap_or(Kind::Controller),
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
