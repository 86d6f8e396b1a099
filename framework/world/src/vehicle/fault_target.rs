//! Targets of the effects of faults: a port of a model of the vehicle, or a sensor.

use std::sync::Arc;

use simhost_abi::{PortDesc, Scope};
use simhost_model::View;
use simhost_model::ports::{actuated_ports, driving};

use super::description::Vehicle;
use super::robot_fault::{FaultEffect, FaultPort, FaultTarget, RobotFault, UnboundFault};
use crate::context::Context;
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::sensor::SensorUse;
use crate::sources::Span;

/// Largest number of targets that an error lists.
const MAX_LISTED: usize = 40;

/// A possible target with its names.
struct KnownTargets {
    /// Name without the role.
    name: String,
    /// Role: `controller`, `actuator`, `dynamics` or `sensor`; empty for an input of the dynamics class.
    role: &'static str,
    unit: &'static str,
    by_wheel: bool,
    target: FaultTarget,
}

impl KnownTargets {
    fn port(
        role: &'static str,
        name: &str,
        unit: &'static str,
        by_wheel: bool,
        place: FaultPort,
    ) -> Self {
        let name = name.to_owned();
        Self { name, role, unit, by_wheel, target: FaultTarget::Port { place, wheel: None } }
    }

    fn full_name(&self) -> String {
        if self.role.is_empty() {
            self.name.clone()
        } else {
            format!("{}/{}", self.role, self.name)
        }
    }

    fn describe(&self) -> String {
        let unit = if self.unit.is_empty() { "1" } else { self.unit };
        match self.role {
            "sensor" => format!("`{}`", self.name),
            _ if self.by_wheel => format!("`{}` ({unit}, per wheel)", self.full_name()),
            _ => format!("`{}` ({unit})", self.full_name()),
        }
    }
}

/// Returns the target with a name.
///
/// # Errors
/// A [`Diagnostic`] without a position if the vehicle has no such target, or the effect does not fit it.
pub(super) fn find(
    vehicle: &Vehicle,
    name: &str,
    effect: FaultEffect,
) -> Result<FaultTarget, Diagnostic> {
    let known = all(vehicle);
    if let Some(rest) = name.strip_prefix("wheel/") {
        return find_of_wheel(vehicle, &known, name, rest);
    }
    let matches = |one: &&KnownTargets| match name.split_once('/') {
        Some((role, port)) => one.role == role && one.name == port,
        None => one.name == name,
    };
    if let Some(found) = known.iter().find(matches) {
        return match found.target {
            FaultTarget::Sensor { sensor, .. } => find_sensor(vehicle, sensor, None, effect),
            ref port => Ok(port.clone()),
        };
    }
    let path = name.strip_prefix("sensor/").unwrap_or(name);
    if let Some((sensor, output)) = path.split_once('/')
        && let Some(sensor) = vehicle.sensors.iter().position(|one| one.name == sensor)
    {
        return find_sensor(vehicle, sensor, Some(output), effect);
    }
    Err(unknown(vehicle, &known, name))
}

/// Returns all targets, sensors first. A name without a role refers to the first target.
fn all(vehicle: &Vehicle) -> Vec<KnownTargets> {
    let sensors = vehicle.sensors.iter().enumerate().map(|(sensor, used)| KnownTargets {
        name: used.name.clone(),
        role: "sensor",
        unit: "",
        by_wheel: false,
        target: FaultTarget::Sensor { sensor, output: None },
    });
    let [dynamics, controller] =
        [&vehicle.dynamics, &vehicle.controller].map(|model| model.model.model);
    let ports = actuated_ports(dynamics, controller);
    let inputs = ports.iter().map(|port| {
        KnownTargets::port("", port.name, port.unit, port.by_wheel, FaultPort::Input(port.name))
    });
    let outputs = |role, ports: &'static [View<PortDesc>], place: fn(&'static str) -> FaultPort| {
        ports.iter().map(move |port| {
            let by_wheel = port.scope == Scope::Wheel as u32;
            KnownTargets::port(role, port.name(), port.unit(), by_wheel, place(port.name()))
        })
    };
    let drive = driving(dynamics).map_or(&[][..], |phase| phase.outputs());
    let control = controller.phase("control").map_or(&[][..], |phase| phase.outputs());
    let actuators = vehicle.actuators.iter().enumerate().map(|(number, used)| {
        let port = ports.iter().find(|port| port.name == used.port);
        let (unit, by_wheel) = port.map_or(("", false), |port| (port.unit, port.by_wheel));
        KnownTargets::port("actuator", &used.name, unit, by_wheel, FaultPort::Actuator(number))
    });
    sensors
        .chain(inputs)
        .chain(outputs("dynamics", drive, FaultPort::Dynamics))
        .chain(actuators)
        .chain(outputs("controller", control, FaultPort::Controller))
        .collect()
}

/// Returns the target `WHEEL/PORT`.
fn find_of_wheel(
    vehicle: &Vehicle,
    known: &[KnownTargets],
    name: &str,
    path: &str,
) -> Result<FaultTarget, Diagnostic> {
    let names: Vec<&str> = vehicle
        .wheels
        .iter()
        .map(|wheel| wheel.tag.strip_suffix("_wheel").unwrap_or(&wheel.tag))
        .collect();
    let (wheel, port) = path.split_once('/').unwrap_or((path, ""));
    let Some(number) = names.iter().position(|known| *known == wheel) else {
        return Err(Diagnostic::error(format!("unknown wheel `{wheel}` in target `{name}`"))
            .label(did_you_mean(wheel, names.iter().copied()))
            .help(format!("the wheels of vehicle `{}` are {}", vehicle.name, list(names.iter()))));
    };
    let (role, port) = port.split_once('/').map_or((None, port), |(role, port)| (Some(role), port));
    let matches =
        |one: &&KnownTargets| one.name == port && role.is_none_or(|role| role == one.role);
    let of_wheels = || known.iter().filter(|one| one.by_wheel);
    if let Some(KnownTargets { target: FaultTarget::Port { place, .. }, .. }) =
        of_wheels().find(matches)
    {
        return Ok(FaultTarget::Port { place: place.clone(), wheel: Some(number) });
    }
    let valid = of_wheels().map(|one| format!("wheel/{wheel}/{}", one.name));
    let valid: Vec<String> = valid.collect();
    let advice = format!("the ports of a wheel are {}", list(valid.iter()));
    Err(match known.iter().find(matches) {
        Some(one) => {
            Diagnostic::error(format!("target `{name}`: `{port}` has one value per vehicle"))
                .label(format!("expected `{}`", one.full_name()))
        }
        None => Diagnostic::error(format!("unknown fault target `{name}`"))
            .label(did_you_mean(name, valid.iter().map(String::as_str))),
    }
    .help(advice))
}

fn unknown(vehicle: &Vehicle, known: &[KnownTargets], name: &str) -> Diagnostic {
    let full: Vec<String> = known.iter().map(KnownTargets::full_name).collect();
    let short = known.iter().map(|one| one.name.as_str());
    let hint = did_you_mean(name, short.chain(full.iter().map(String::as_str)));
    let help = match known {
        [] => format!(
            "vehicle `{}` has neither ports nor sensors on which a fault acts",
            vehicle.name
        ),
        _ => {
            let all = known.iter().take(MAX_LISTED).map(KnownTargets::describe);
            let all: Vec<String> = all.collect();
            format!("the targets of vehicle `{}` are {}", vehicle.name, all.join(", "))
        }
    };
    Diagnostic::error(format!("unknown fault target `{name}`")).label(hint).help(help)
}

fn list(names: impl Iterator<Item = impl AsRef<str>>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{}`", name.as_ref())).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Returns the outputs of the readings of a sensor.
fn outputs_of(sensor: &SensorUse) -> &'static [View<PortDesc>] {
    sensor.model.model.model.phase("read").map_or(&[], |read| read.outputs())
}

/// Returns a sensor, or one of its readings, as a target.
///
/// # Errors
/// A [`Diagnostic`] without a position if there is no such reading, or the effect does not fit it.
fn find_sensor(
    vehicle: &Vehicle,
    sensor: usize,
    output: Option<&str>,
    effect: FaultEffect,
) -> Result<FaultTarget, Diagnostic> {
    let used = &vehicle.sensors[sensor];
    let (name, outputs) = (&used.name, outputs_of(used));
    let valid = || list(outputs.iter().map(|port| format!("{name}/{}", port.name())));
    if outputs.is_empty() {
        let class = &used.model.model.full_name;
        return Err(Diagnostic::error(format!("sensor `{name}` has no readings"))
            .label(format!("sensors of class `{class}` have none"))
            .help("choose another sensor or a port"));
    }
    let Some(output) = output else {
        let unit = |port: &'static View<PortDesc>| port.unit();
        let first = unit(&outputs[0]);
        if matches!(effect, FaultEffect::Offset(_))
            && outputs.iter().any(|port| unit(port) != first)
        {
            return Err(Diagnostic::error(format!(
                "the readings of sensor `{name}` have different units"
            ))
            .label("an offset acts on one reading")
            .help(format!("name the reading: {}", valid())));
        }
        return Ok(FaultTarget::Sensor { sensor, output: None });
    };
    let Some(number) = outputs.iter().position(|port| port.name() == output) else {
        let names = outputs.iter().map(View::<PortDesc>::name);
        return Err(Diagnostic::error(format!("unknown reading `{output}` of sensor `{name}`"))
            .label(did_you_mean(output, names))
            .help(format!("the readings of the sensor are {}", valid())));
    };
    if effect == FaultEffect::Dropout {
        return Err(Diagnostic::error(format!(
            "a single reading of sensor `{name}` cannot drop out"
        ))
        .label(format!("expected `{name}`"))
        .help("name the whole sensor, or write effect=\"stuck\""));
    }
    Ok(FaultTarget::Sensor { sensor, output: Some(number) })
}

/// Parts of robots whose faults have a well-known name.
pub const FAULT_SENSORS: &[&str] = &[
    "engine",
    "motor",
    "brake",
    "oil",
    "coolant",
    "fuel",
    "battery",
    "steering",
    "transmission",
    "suspension",
    "tyre",
    "wheel",
    "lights",
    "airbag",
    "computer",
    "communication",
    "emergency_stop",
];

/// Checks the name of a sensor.
///
/// # Errors
/// A [`Diagnostic`] without a position for an unknown name that resembles a known one.
pub(super) fn check_fault_sensor(vehicle: &Vehicle, name: &str) -> Result<(), Diagnostic> {
    let own = || vehicle.sensors.iter().map(|sensor| sensor.name.as_str());
    let is_known = |known: &str| known == name;
    if FAULT_SENSORS.iter().copied().any(is_known) || own().any(is_known) {
        return Ok(());
    }
    let hint = did_you_mean(name, FAULT_SENSORS.iter().copied().chain(own()));
    if hint.is_empty() {
        return Ok(());
    }
    Err(Diagnostic::error(format!("unknown fault sensor `{name}`")).label(hint).help(format!(
        "write one of {}, a sensor of the vehicle, or a name that resembles none of them",
        FAULT_SENSORS.join(", ")
    )))
}

/// Looks up the targets and sensors of the faults of a vehicle.
pub(super) fn bind_fault<'f>(
    context: &mut Context<'_>,
    vehicle: &Vehicle,
    faults: impl Iterator<Item = &'f UnboundFault>,
) -> Arc<[RobotFault]> {
    let mut bound = Vec::new();
    for UnboundFault { fault, sensor_span, effect } in faults {
        if let Err(error) = check_fault_sensor(vehicle, &fault.sensor) {
            push(context, error.at(*sensor_span), *sensor_span);
        }
        let mut fault = fault.clone();
        if let Some((name, span, effect)) = effect {
            match find(vehicle, name, *effect) {
                Ok(target) => fault.effect = Some((target, *effect)),
                Err(error) => push(context, error.at(*span), *span),
            }
        }
        bound.push(fault);
    }
    bound.into()
}

/// Reports an error once for all vehicles of a class.
fn push(context: &mut Context<'_>, error: Diagnostic, span: Span) {
    if !context.report.contains(span, &error.message) {
        context.report.push(error);
    }
}
