//! The order in which the sensors of a vehicle are sampled, where some read others.

use std::sync::Arc;

use super::description::{SensorReading, Vehicle};
use crate::context::Context;
use crate::diagnostics::Diagnostic;

/// Returns readings in an order in which each sensor comes after those that it reads. Reports sensors that read
/// each other in a cycle, for which there is no such order.
pub(super) fn in_order(
    context: &mut Context<'_>,
    vehicle: &Vehicle,
    mut readings: Vec<SensorReading>,
) -> Arc<[SensorReading]> {
    if readings.is_empty() {
        return Arc::default();
    }
    let mut ranks = vec![0; vehicle.sensors.len()];
    // a rank is at most the number of the other sensors
    for _ in 0..ranks.len() {
        let before = ranks.clone();
        for SensorReading { reader, reading } in &readings {
            ranks[*reader] = ranks[*reader].max(ranks[reading.sensor] + 1);
        }
        if ranks == before {
            readings.sort_by_key(|one| ranks[one.reader]);
            return readings.into();
        }
    }
    context.report.push(cycle_error(vehicle, &readings, &ranks));
    Arc::default()
}

/// Returns the error of sensors that read each other, at the connection or the sensor where a cycle begins.
fn cycle_error(vehicle: &Vehicle, readings: &[SensorReading], ranks: &[usize]) -> Diagnostic {
    let cycle = cycle(readings, ranks);
    let name = |sensor: usize| &vehicle.sensors[sensor].name;
    let first = cycle[0];
    let input = first.reading.input;
    let reader = &vehicle.sensors[first.reader];
    let connect = reader.model.connects.iter().find(|connect| connect.input.0 == input);
    let span = connect.map_or(reader.span, |connect| connect.from.1);
    let text = match *cycle {
        [one] => format!("sensor `{}` reads itself", name(one.reader)),
        _ => {
            let pairs = cycle
                .iter()
                .map(|one| format!("`{}` reads `{}`", name(one.reader), name(one.reading.sensor)));
            let pairs: Vec<String> = pairs.collect();
            format!("sensors read each other in a cycle: {}", pairs.join(", "))
        }
    };
    Diagnostic::error(text)
        .at(span)
        .label(format!("input `{input}` closes the cycle"))
        .note(format!("in vehicle `{}`", vehicle.name))
        .help("connect the input to another sensor, or remove the connection")
}

/// Returns the readings of a cycle. `ranks` are ranks of the sensors that grow without end, so that the highest one
/// is at least the number of sensors.
fn cycle<'r>(readings: &'r [SensorReading], ranks: &[usize]) -> Vec<&'r SensorReading> {
    // the highest rank was reached along a chain of readings that is longer than all sensors together
    let source_of = |sensor: usize| {
        let own = readings.iter().filter(|one| one.reader == sensor);
        own.max_by_key(|one| ranks[one.reading.sensor])
    };
    let start = (0..ranks.len()).max_by_key(|sensor| ranks[*sensor]);
    let mut path: Vec<&SensorReading> = Vec::new();
    let mut next = start.and_then(source_of);
    while let Some(reading) = next {
        if let Some(first) = path.iter().position(|one| one.reader == reading.reader) {
            return path.split_off(first);
        }
        path.push(reading);
        next = source_of(reading.reading.sensor);
    }
    path
}
