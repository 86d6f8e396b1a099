//! Ports of the models of vehicles and sensors, checked when all are known.

use std::collections::HashSet;
use std::sync::Arc;

use simhost_abi::{Kind, Model, PortDesc, Scope};
use simhost_model::ports::{
    PortFault, Set, actuated_port, actuator_faults, kind_faults, open_inputs_of_part,
    sensor_faults, vehicle_faults,
};
use simhost_model::{ModelRef, View};

use super::description::Vehicle;
use super::dynamics::ActuatorUse;
use super::readings::Readings;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::models::{ModelUse, report_ports};
use crate::sensor::SensorUse;

/// Models that have been checked alone or with another one, by their addresses.
#[derive(Default)]
struct Checked(HashSet<[usize; 3]>);

impl Checked {
    /// Returns whether a combination of models is new.
    fn insert(&mut self, models: [Option<&'static View<Model>>; 3]) -> bool {
        let address = |model: Option<&'static View<Model>>| {
            model.map_or(0, |model| std::ptr::from_ref(model).addr())
        };
        self.0.insert(models.map(address))
    }
}

/// Reports ports that do not fit: of every model to its kind, and of the models of a vehicle to each
/// other and to its sensors. Each combination of models is reported once, for the first vehicle that has
/// it. Sets the readings of all vehicles.
pub(crate) fn check_ports(
    context: &mut Context<'_>,
    vehicles: &mut [Vehicle],
    sensors: &[SensorUse],
    fallback: Option<&ModelUse>,
) {
    let mut readings = Readings::default();
    for number in 0..vehicles.len() {
        let (before, [vehicle, ..]) = vehicles.split_at_mut(number) else { break };
        match before.last() {
            // most vehicles of a fleet share everything
            Some(last) if shares_models(last, vehicle) => {
                vehicle.readings = Arc::clone(&last.readings);
                vehicle.sensor_readings = Arc::clone(&last.sensor_readings);
                vehicle.actuator_readings = Arc::clone(&last.actuator_readings);
            }
            _ => {
                vehicle.readings = readings.resolve(context, vehicle);
                (vehicle.sensor_readings, vehicle.actuator_readings) =
                    readings.of_sensors(context, vehicle);
            }
        }
    }
    let mut check = Check { context, checked: Checked::default() };
    let mut last: Option<&Vehicle> = None;
    for vehicle in &*vehicles {
        if !last.is_some_and(|last| shares_models(last, vehicle)) {
            check.vehicle(vehicle);
        }
        last = Some(vehicle);
    }
    for sensor in sensors {
        check.sensor(sensor, None, "");
    }
    if let Some(fallback) = fallback {
        check.alone(fallback, "");
    }
}

fn shares_models(one: &Vehicle, other: &Vehicle) -> bool {
    Arc::ptr_eq(&one.dynamics, &other.dynamics)
        && Arc::ptr_eq(&one.controller, &other.controller)
        && Arc::ptr_eq(&one.friction, &other.friction)
        && Arc::ptr_eq(&one.wheels, &other.wheels)
        && shares_list(&one.wheel_friction, &other.wheel_friction)
        && shares_list(&one.actuators, &other.actuators)
        && shares_list(&one.suspensions, &other.suspensions)
        && shares_list(&one.sensors, &other.sensors)
}

fn shares_list<T>(one: &Arc<[T]>, other: &Arc<[T]>) -> bool {
    Arc::ptr_eq(one, other) || one.is_empty() && other.is_empty()
}

struct Check<'a, 'c> {
    context: &'a mut Context<'c>,
    checked: Checked,
}

impl Check<'_, '_> {
    fn report(&mut self, model: &ModelUse, faults: Vec<PortFault>, owner: &str) {
        report_ports(self.context, &model.model, faults, owner, model.span);
    }

    /// Checks a model against its kind.
    fn alone(&mut self, model: &ModelUse, owner: &str) {
        if self.checked.insert([Some(model.model.model), None, None]) {
            self.report(model, kind_faults(model.model.model), owner);
        }
    }

    fn vehicle(&mut self, vehicle: &Vehicle) {
        let owner = format!("vehicle `{}`", vehicle.name);
        let [dynamics, controller] =
            [&vehicle.dynamics, &vehicle.controller].map(|model| model.model.model);
        let own = [&vehicle.dynamics, &vehicle.controller, &vehicle.friction];
        let of_wheels = vehicle.wheel_friction.iter().map(|one| &one.model);
        for model in own.into_iter().chain(of_wheels) {
            self.alone(model, &owner);
        }
        let sensors = || vehicle.sensors.iter().map(|sensor| sensor.model.model.model);
        // readings depend on the sensors, which differ between vehicles of the same models
        if !vehicle.readings.is_empty()
            || self.checked.insert([Some(dynamics), Some(controller), None])
        {
            let actuators = vehicle.actuators.iter().map(|actuator| actuator.model.model.model);
            let readers: Vec<_> = sensors().chain(actuators).collect();
            let catalogue = &mut self.context.catalogue;
            let mut is_actuator = |name: &str| catalogue.actuators().contains(&name);
            let is_reading = |name: &str| vehicle.reads(Kind::Dynamics, name);
            let faults =
                vehicle_faults(dynamics, controller, &readers, &is_reading, &mut is_actuator);
            self.report(&vehicle.dynamics, faults, &owner);
        }
        for sensor in &*vehicle.sensors {
            self.sensor(sensor, Some(&vehicle.dynamics.model), &owner);
        }
        self.unset(vehicle, &owner);
        self.actuators(vehicle);
        for suspension in &*vehicle.suspensions {
            self.alone(&suspension.model, &owner);
        }
    }

    /// Checks the actuators of a vehicle. Vehicles that share their `<dynamics>` share the list.
    fn actuators(&mut self, vehicle: &Vehicle) {
        let list = vehicle.actuators.as_ptr().addr();
        let models = [&vehicle.dynamics, &vehicle.controller].map(|model| model.model.model);
        let [dynamics, controller] = models.map(|model| std::ptr::from_ref(model).addr());
        if !vehicle.actuators.is_empty() && self.checked.0.insert([list, dynamics, controller]) {
            check_actuators(self.context, vehicle);
        }
    }

    fn sensor(&mut self, sensor: &SensorUse, on: Option<&ModelRef>, owner: &str) {
        self.alone(&sensor.model, owner);
        let (model, dynamics) = (sensor.model.model.model, on.map(|on| on.model));
        if self.checked.insert([None, Some(model), dynamics]) {
            self.report(&sensor.model, sensor_faults(model, dynamics), owner);
        }
    }

    /// Checks that the world file sets the inputs that it has to set.
    fn unset(&mut self, vehicle: &Vehicle, owner: &str) {
        let given = |model: &ModelUse, port: &'static View<PortDesc>| {
            model.set_points.iter().any(|(name, _)| name == port.name())
        };
        let of_wheels = |port: &'static View<PortDesc>| {
            let sets = |name: &str| name == port.name();
            vehicle.wheels.iter().all(|wheel| wheel.inputs.iter().any(|(name, _)| sets(name)))
        };
        for (kind, model) in
            [(Kind::Dynamics, &vehicle.dynamics), (Kind::Controller, &vehicle.controller)]
        {
            let is_set = |port: &'static View<PortDesc>| match port.scope == Scope::Wheel as u32 {
                true => of_wheels(port),
                false => given(model, port) || vehicle.reads(kind, port.name()),
            };
            let faults = Set { model: model.model.model, is_set: &is_set }.faults();
            self.report(model, faults, owner);
        }
    }
}

/// Reports actuators whose ports do not fit the models of their vehicle.
fn check_actuators(context: &mut Context<'_>, vehicle: &Vehicle) {
    let owner = format!("vehicle `{}`", vehicle.name);
    let [dynamics, controller] =
        [&vehicle.dynamics, &vehicle.controller].map(|model| model.model.model);
    for actuator in &*vehicle.actuators {
        let model = &actuator.model;
        let mut faults = kind_faults(model.model.model);
        match actuated_port(&actuator.port, dynamics, controller) {
            Ok(port) if faults.is_empty() => {
                let open = open_inputs_of_part(model.model.model, dynamics);
                let reads_sensor = |name: &str| open.iter().any(|input| input.name() == name);
                faults = actuator_faults(model.model.model, port, dynamics, &reads_sensor);
            }
            Ok(_) => {}
            Err(fault) => {
                report_port(context, actuator, fault, &owner);
            }
        }
        report_ports(context, &model.model, faults, &owner, model.span);
    }
}

/// Reports a port on which no actuator can act.
fn report_port(context: &mut Context<'_>, actuator: &ActuatorUse, fault: PortFault, owner: &str) {
    let label = fault.nearest.map(|name| format!("did you mean `{name}`?")).unwrap_or_default();
    let class = &actuator.model.model.full_name;
    let error = Diagnostic::error(format!("actuator `{class}`: {}", fault.text))
        .at(actuator.port_span)
        .label(label)
        .note(fault.valid)
        .note(format!("in {owner}"))
        .help(fault.help);
    context.report.push(error);
}
