//! Charts of the page of a vehicle.

use simhost::{DataSheet, SuspensionCurve, SuspensionCurves, TyreCurve};
use simhost_pictures::SheetChart;

/// Returns the charts of tyres, suspensions and handling.
pub(super) fn charts(sheet: &DataSheet) -> Vec<SheetChart> {
    let lines = |curves: &[TyreCurve], scale: fn([f64; 2]) -> [f64; 2]| {
        let line = |one: &TyreCurve| {
            let points = one.points.iter().map(|point| scale(*point)).collect();
            (format!("{:.0} N", one.load), points)
        };
        curves.iter().map(line).collect()
    };
    let mut charts = Vec::new();
    for tyre in &sheet.tyres {
        charts.push(SheetChart {
            title: format!("Lateral force of a tyre of the {} at several loads", tyre.axle),
            axes: ["slip angle (°)".to_owned(), "F_y (N)".to_owned()],
            lines: lines(&tyre.lateral, |[angle, force]| [angle.to_degrees(), force]),
        });
        charts.push(SheetChart {
            title: format!("Longitudinal force of a tyre of the {} at several loads", tyre.axle),
            axes: ["slip ratio (1)".to_owned(), "F_x (N)".to_owned()],
            lines: lines(&tyre.longitudinal, |point| point),
        });
    }
    charts.extend(suspension_charts(&sheet.suspensions));
    if !sheet.handling.is_empty() {
        let points = sheet.handling.iter().map(|[lateral, angle]| [*lateral, angle.to_degrees()]);
        charts.push(SheetChart {
            title: "Handling diagram: steering angle less the Ackermann angle".to_owned(),
            axes: ["lateral acceleration (m/s²)".to_owned(), "angle (°)".to_owned()],
            lines: vec![(sheet.vehicle.clone(), points.collect())],
        });
    }
    charts
}

/// Returns a chart of each quantity of the suspensions, with a line per axle.
fn suspension_charts(suspensions: &[SuspensionCurves]) -> Vec<SheetChart> {
    let Some(first) = suspensions.first() else { return Vec::new() };
    // a chart with one line has no legend
    let axle = match suspensions {
        [only] => format!(" of the {}", only.axle),
        _ => String::new(),
    };
    let chart = |known: &SuspensionCurve| {
        let (scale, unit) = match known.unit {
            "rad" => (1_f64.to_degrees(), "°"),
            "m" => (1000.0, "mm"),
            unit => (1.0, unit),
        };
        let line = |one: &SuspensionCurves| {
            let curve = one.curves.iter().find(|curve| curve.name == known.name)?;
            let points = curve.points.iter().map(|[x, y]| [1000.0 * x, scale * y]).collect();
            Some((format!("{} ({})", one.axle, one.class), points))
        };
        SheetChart {
            title: format!("{} over the travel of both wheels{axle}", capitalised(known.name)),
            axes: [
                "travel, positive in compression (mm)".to_owned(),
                format!("{} ({unit})", known.name),
            ],
            lines: suspensions.iter().filter_map(line).collect(),
        }
    };
    first.curves.iter().map(chart).collect()
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
