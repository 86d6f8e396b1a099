//! Faults of the simulated robot: what fails, when, and with which effect.
//!
//! These are properties of the machine that is simulated, not faults of models; see
//! [`FaultPolicy`](crate::FaultPolicy) for those.

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::reader::{ElementReader, Fields, FromEntry, Given, Words, declare, words};
use crate::sources::Span;
use crate::tree::{Attribute, Element, Origin, Text};
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
        effect: Option<String> = attribute(Value::Choice(WORDS)).or_else("required with `target`");
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
    let effect = read_fault_effect(&mut reader, given);
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

/// Effect of a fault on the values of its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultEffect {
    /// The value is 0.
    Off,
    /// The value is multiplied by this factor.
    Scale(f64),
    /// This is added to the value, in its unit.
    Offset(f64),
    /// The value stays that at the onset.
    Stuck,
    /// A sensor gives no samples; a port keeps its last value, as with [`Self::Stuck`].
    Dropout,
}

/// Words of effects.
const WORDS: &[&str] = &["off", "scale", "offset", "stuck", "dropout"];

/// The attributes of an effect.
struct GivenEffect {
    pub target: Option<Text>,
    pub word: Option<String>,
    pub value: Option<f64>,
}

/// Reads the effect, with the name of its target. Returns `None` if it has errors.
fn read_fault_effect(
    reader: &mut ElementReader<'_, '_, '_>,
    GivenEffect { target, word: effect, value }: GivenEffect,
) -> Option<Option<(String, Span, FaultEffect)>> {
    let place = reader.element.name_span;
    let word = reader.text_of("effect").map(|text| text.span);
    let value_span = reader.text_of("value").map(|text| text.span);
    let error = match (target, word, effect.as_deref()) {
        (None, None, _) => match value_span {
            None => return Some(None),
            Some(span) => Diagnostic::error("`value` of `<fault>` has no effect")
                .at(span)
                .help("add `target` and `effect`, or remove `value`"),
        },
        (None, Some(span), _) => Diagnostic::error("missing `target` of `<fault>`")
            .at(span)
            .label("an effect acts on a port or a sensor")
            .help("name it with target=\"…\", or remove `effect`"),
        (Some(text), None, _) => Diagnostic::error("missing `effect` of `<fault>`")
            .at(text.span)
            .label("expected an effect on this target")
            .help("write effect=\"off\", \"scale\", \"offset\", \"stuck\" or \"dropout\""),
        (_, _, None) => return None,
        (Some(text), Some(span), Some(word)) => {
            let needs_value = matches!(word, "scale" | "offset");
            match (needs_value, value_span) {
                (true, None) => Diagnostic::error(format!("missing `value` of effect `{word}`"))
                    .at(span)
                    .help("write the factor or the summand as value=\"…\""),
                (false, Some(span)) => {
                    Diagnostic::error(format!("effect `{word}` does not take a `value`"))
                        .at(span)
                        .help("remove `value`, or write effect=\"scale\" or effect=\"offset\"")
                }
                _ => {
                    let effect = match word {
                        "off" => FaultEffect::Off,
                        "scale" => FaultEffect::Scale(value?),
                        "offset" => FaultEffect::Offset(value?),
                        "stuck" => FaultEffect::Stuck,
                        _ => FaultEffect::Dropout,
                    };
                    return Some(Some((text.value()?.trim().to_owned(), text.span, effect)));
                }
            }
        }
    };
    let error = if error.span.is_none() { error.at(place) } else { error };
    reader.context.report.push(error);
    None
}

/// Severity of a fault of a robot, from harmless to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum FaultSeverity {
    /// No fault.
    Ok = 1000,
    /// The part works and needs service.
    ServiceRequired = 2000,
    /// The part works with restrictions.
    Damaged = 3000,
    /// The part can fail at any time.
    Critical = 4000,
    /// The part does not work.
    Failure = 5000,
}

impl FaultSeverity {
    /// All severities, from harmless to worst.
    pub const ALL: [Self; 5] =
        [Self::Ok, Self::ServiceRequired, Self::Damaged, Self::Critical, Self::Failure];

    /// Returns the word that world files and outputs use, such as `service_required`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::ServiceRequired => "service_required",
            Self::Damaged => "damaged",
            Self::Critical => "critical",
            Self::Failure => "failure",
        }
    }

    /// Returns the severity with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name() == name)
    }

    /// Returns the number of the severity: 1000 for [`Self::Ok`] to 5000 for [`Self::Failure`].
    pub const fn level(self) -> u32 {
        self as u32
    }

    /// Returns whether this severity is at least as severe as another one.
    ///
    /// ```
    /// use simhost_world::FaultSeverity::{Critical, Damaged};
    ///
    /// assert!(Critical.is_worse_than_or_equal(Damaged));
    /// assert!(Damaged.is_worse_than_or_equal(Damaged));
    /// assert!(!Damaged.is_worse_than_or_equal(Critical));
    /// ```
    pub fn is_worse_than_or_equal(self, other: Self) -> bool {
        self >= other
    }
}

/// Returns the numbers that a fault has, by the names of their attributes: `at` or `rate`, `until`, `duration` and
/// `value`.
pub(crate) fn numbers(fault: &RobotFault) -> Vec<(&'static str, f64)> {
    let onset = match fault.onset {
        FaultOnset::At(time) => ("at", time),
        FaultOnset::Rate(rate) => ("rate", rate),
    };
    let value = fault.effect.as_ref().and_then(|(_, effect)| match effect {
        FaultEffect::Scale(value) | FaultEffect::Offset(value) => Some(("value", *value)),
        _ => None,
    });
    let until = fault.until.map(|time| ("until", time));
    let duration = fault.duration.map(|time| ("duration", time));
    [Some(onset), until, duration, value].into_iter().flatten().collect()
}

/// Returns a fault with another text of one of its [`numbers`]. It is checked as in a world file; errors are
/// reported, and the result is then `None`.
pub(crate) fn with_number(
    context: &mut Context<'_>,
    fault: &RobotFault,
    key: &str,
    text: &Text,
) -> Option<RobotFault> {
    let span = text.span;
    let mut element = Element::new("fault".into(), span);
    let mut add = |name: &str, content: String| {
        let text = match name == key {
            true => text.clone(),
            false => Text { content: content.as_str().into(), span, origin: Origin::Computed },
        };
        element.attributes.push(Attribute { name: name.into(), name_span: span, text });
    };
    add("sensor", fault.sensor.clone());
    add("severity", fault.severity.name().to_owned());
    for (name, number) in numbers(fault) {
        add(name, number.to_string());
    }
    if let Some((_, effect)) = &fault.effect {
        // the target stays
        add("target", "-".to_owned());
        let word = match effect {
            FaultEffect::Off => "off",
            FaultEffect::Scale(_) => "scale",
            FaultEffect::Offset(_) => "offset",
            FaultEffect::Stuck => "stuck",
            FaultEffect::Dropout => "dropout",
        };
        add("effect", word.to_owned());
    }
    let read = read(context, &element)?;
    let effect = fault.effect.clone().zip(read.effect);
    let effect = effect.map(|((target, _), (_, _, effect))| (target, effect));
    let RobotFault { onset, until, duration, .. } = read.fault;
    Some(RobotFault { onset, until, duration, effect, ..fault.clone() })
}
