//! Numbers of the faults of robots that change after a world has been loaded.

use super::fault_effect::FaultEffect;
use super::robot_fault::{self, FaultOnset, RobotFault};
use crate::context::Context;
use crate::tree::{Attribute, Element, Origin, Text};

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
    let read = robot_fault::read(context, &element)?;
    let effect = fault.effect.clone().zip(read.effect);
    let effect = effect.map(|((target, _), (_, _, effect))| (target, effect));
    let RobotFault { onset, until, duration, .. } = read.fault;
    Some(RobotFault { onset, until, duration, effect, ..fault.clone() })
}
