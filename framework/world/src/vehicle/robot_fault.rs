//! Faults of the simulated robot: what fails, when, and with which effect.
//!
//! These are properties of the machine that is simulated, not faults of models; see
//! [`FaultPolicy`](crate::FaultPolicy) for those.

use super::fault_effect::{self, FaultEffect, GivenEffect};
use super::fault_severity::FaultSeverity;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::reader::{ElementReader, Fields, FromEntry, Given, Words, declare, words};
use crate::sources::Span;
use crate::tree::{Element, Text};
use crate::vocabulary::field::attribute;
use crate::vocabulary::{Entry, Value, element, integer, non_negative, number, positive};

/// When a fault occurs, s of simulated time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultOnset {
    /// Once, at this time, s.
    At(f64),
    /// At the events of a Poisson process with this rate, 1/s. A fault that is present does not occur
    /// again.
    Rate(f64),
}

/// A fault of a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotFault {
    /// Component that reports the fault: one of [`FAULT_SENSORS`](crate::FAULT_SENSORS), a sensor
    /// of the vehicle, or another name.
    pub sensor: String,
    /// Severity.
    pub severity: FaultSeverity,
    /// Number that identifies the fault among the faults of its component.
    pub code: u32,
    /// Description, empty if none is given.
    pub text: String,
    /// When it occurs.
    pub onset: FaultOnset,
    /// Time at which it ends, s; it does not occur later.
    pub until: Option<f64>,
    /// Time from its onset to its end, s.
    pub duration: Option<f64>,
    /// Effect, and what it acts on. Without one, the fault is only reported.
    pub effect: Option<(FaultTarget, FaultEffect)>,
    /// Position of the element.
    pub span: Span,
}

words!(FaultSeverity {
    "ok" => Ok,
    "service_required" => ServiceRequired,
    "damaged" => Damaged,
    "critical" => Critical,
    "failure" => Failure,
});

declare! {
    /// A fault of the simulated robot. It enters the fault memory of the vehicle when it occurs,
    /// and can affect a port or a sensor from then on.
    section = element("fault");

    /// A fault as given.
    #[derive(Clone)]
    pub(super) struct GivenFault {
        /// Component that reports the fault: `engine`, `motor`, `brake`, `oil`, `coolant`, `fuel`,
        /// `battery`, `steering`, `transmission`, `suspension`, `tyre`, `wheel`, `lights`,
        /// `airbag`, `computer`, `communication`, `emergency_stop`, a sensor of the vehicle, or
        /// another name that does not resemble any of these.
        sensor: Option<Text> = attribute(Value::Text).required();
        /// Severity, with the level 1000, 2000, 3000, 4000 or 5000.
        severity: Option<FaultSeverity> = attribute(Value::Choice(FaultSeverity::WORDS)).required();
        /// Number that identifies the fault among the faults of its component.
        code: u32 = attribute(integer("").at_least(0.0).at_most(u32::MAX as f64)).or("0");
        /// Description for the fault memory.
        text: String = attribute(Value::Text);
        /// Time at which the fault occurs.
        at: Option<f64> = attribute(non_negative("s")).or_else("required unless `rate` is given");
        /// Mean number of occurrences per second of simulated time, drawn from the seed of the run.
        /// A fault that is present does not occur again.
        rate: Option<f64> = attribute(non_negative("1/s")).or_else("required unless `at` is given");
        /// Time at which the fault ends. With `rate`, it does not occur later.
        until: Option<f64> = attribute(positive("s")).or_else("a fault with an effect stays");
        /// Time from the onset of the fault to its end.
        duration: Option<f64> = attribute(positive("s")).or_else("a fault with an effect stays");
        /// Port or sensor of the vehicle that the fault affects, such as `steer`,
        /// `wheel/fl/brake_torque`, `controller/torque_left`, `actuator/lag` or `laser1`.
        target: Option<Text> = attribute(Value::Text).or_else("the fault is only reported");
        /// Effect on the target: 0; multiplied by `value`; `value` added; the value at the onset; no
        /// samples of a sensor, and the last value of a port.
        effect: Option<String> = attribute(Value::Choice(fault_effect::WORDS)).or_else("required with `target`");
        /// Factor of `scale`, or offset of `offset` in the unit of the target.
        value: Option<f64> = attribute(number("")).or_else("required with `scale` and `offset`");
    }
}

/// A fault whose target and sensor have not been looked up.
#[derive(Clone, Debug)]
pub(super) struct UnboundFault {
    pub fault: RobotFault,
    /// Position of the name of the sensor.
    pub sensor_span: Span,
    /// Name of the target with its position, and the effect.
    pub effect: Option<(String, Span, FaultEffect)>,
}

impl FromEntry for UnboundFault {
    fn parse(context: &mut Context<'_>, _entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        let Given::Child(element) = given else { return None };
        read(context, element)
    }
}

/// Reads a `<fault>`. Returns `None` if it has errors.
pub(super) fn read(context: &mut Context<'_>, element: &Element) -> Option<UnboundFault> {
    let mut reader = ElementReader::new(context, element, GivenFault::SECTION);
    let given = GivenFault::read(&mut reader, 0)?;
    let GivenFault { sensor, severity, code, text, at, rate, until, duration, .. } = given.clone();
    let (sensor, severity) =
        (reader.require("sensor", sensor), reader.require("severity", severity));
    let onset = read_onset(&mut reader, at, rate);
    check_end(&mut reader, onset, until);
    let given = GivenEffect { target: given.target, word: given.effect, value: given.value };
    let effect = fault_effect::read(&mut reader, given);
    reader.finish();
    let sensor = sensor?;
    let (name, sensor_span) = (sensor.value()?.trim(), sensor.span);
    if name.is_empty() {
        context.report.error(sensor_span, "empty sensor name", "expected a name, such as `brake`");
        return None;
    }
    let fault = RobotFault {
        sensor: name.to_owned(),
        severity: severity?,
        code,
        text,
        onset: onset?,
        until,
        duration,
        effect: None,
        span: element.name_span,
    };
    Some(UnboundFault { fault, sensor_span, effect: effect? })
}

fn read_onset(
    reader: &mut ElementReader<'_, '_, '_>,
    at: Option<f64>,
    rate: Option<f64>,
) -> Option<FaultOnset> {
    let (has_at, has_rate) = (reader.is_given("at"), reader.is_given("rate"));
    let error = match (has_at, has_rate) {
        (true, true) => Diagnostic::error("`at` and `rate` exclude each other")
            .help("write `at` for one fault at a known time, or `rate` for faults at random times"),
        (false, false) => Diagnostic::error("missing `at` or `rate` of `<fault>`")
            .label("expected the time of the fault, or its rate")
            .help("write at=\"3\" for 3 s, or rate=\"1e-4\" for one in 10,000 s on average"),
        _ => return at.map(FaultOnset::At).or(rate.map(FaultOnset::Rate)),
    };
    reader.context.report.push(error.at(reader.element.name_span));
    None
}

/// Reports an end before the onset, and two ends.
fn check_end(
    reader: &mut ElementReader<'_, '_, '_>,
    onset: Option<FaultOnset>,
    until: Option<f64>,
) {
    let given = reader.text_of("until");
    if let (Some(text), true) = (given, reader.is_given("duration")) {
        let error = Diagnostic::error("`until` and `duration` exclude each other")
            .at(text.span)
            .help("keep one of them");
        reader.context.report.push(error);
    }
    if let (Some(text), Some(FaultOnset::At(at)), Some(until)) = (given, onset, until)
        && until <= at
    {
        let message = format!("the fault ends at {until} s, and begins at {at} s");
        let label = format!("expected more than {at}");
        reader.context.report.error(text.span, message, &label);
    }
}

/// Target of the effect of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultTarget {
    /// A port of a model of the vehicle.
    Port {
        /// The port.
        place: FaultPort,
        /// Index of the wheel; `None` for all wheels, or for a port with one value per vehicle.
        wheel: Option<usize>,
    },
    /// A sensor.
    Sensor {
        /// Index in [`Vehicle::sensors`](crate::Vehicle::sensors).
        sensor: usize,
        /// Index of the output of its phase `read`; `None` for all outputs.
        output: Option<usize>,
    },
}

/// A port of a model of a vehicle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultPort {
    /// Input of the dynamics class or component of an imposed twist, after all actuators.
    Input(&'static str),
    /// Output of the controller, before the actuators.
    Controller(&'static str),
    /// Value of an actuator, by its index in [`Vehicle::actuators`](crate::Vehicle::actuators).
    Actuator(usize),
    /// Output of the dynamics class.
    Dynamics(&'static str),
}
