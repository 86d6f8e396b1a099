//! A manoeuvre at several speeds, and several times at each.

use std::fmt::Write;

use simhost::Error;
use simhost::manoeuvres::{Manoeuvre, MetricSummary, summarise};
use simhost_registry::Catalogue;

use super::{
    ALL_HEADING, DriveManoeuvre, SingleDrive, add_rows, failure, load, record, settings, verdict,
};
use crate::process::{Code, Failure};
use crate::{run_reader, terminal};

/// Heading of the metrics of repeated runs.
const HEADING: &str = "| Manoeuvre | Speed, km/h | Metric | Mean | ± 95 % | Unit | Runs | Limit met in |\n\
                       |---|---|---|---|---|---|---|---|\n";

/// Drives at each speed, as often as asked for, and prints one report. A run without a result is part of the report.
pub(super) fn drive(
    manoeuvre: Manoeuvre,
    arguments: &DriveManoeuvre,
    catalogue: &Catalogue,
) -> Result<Code, Failure> {
    let mut speeds: Vec<Option<f64>> = arguments.speed.iter().copied().map(Some).collect();
    if speeds.is_empty() {
        speeds.push(None);
    }
    let repeats = arguments.repeat > 1;
    let (mut rows, mut without, mut code) = (String::new(), String::new(), Code::Done);
    let (mut files, mut results) = (1, 0);
    for (at, kmh) in speeds.into_iter().enumerate() {
        let shown = kmh.unwrap_or(3.6 * manoeuvre.usual_speed());
        let mut reports = Vec::new();
        for seed in 0..u64::from(arguments.repeat) {
            let drive = SingleDrive { manoeuvre, kmh, seed };
            let loaded = load(drive, arguments, catalogue, at == 0 && seed == 0)?;
            let report = match manoeuvre.run(&loaded.world, &settings(drive, arguments)) {
                Ok(report) => report,
                Err(error @ Error::Manoeuvre { .. }) => {
                    let run = if repeats { format!(", run {seed}") } else { String::new() };
                    let _ = writeln!(without, "* {shown} km/h{run}: {error}");
                    continue;
                }
                Err(error) => return Err(failure(error)),
            };
            results += 1;
            if verdict(&report) == Code::Negative {
                code = Code::Negative;
            }
            if let Some(folder) = &arguments.out {
                let name =
                    if repeats { format!("{shown}-kmh-{seed}") } else { format!("{shown}-kmh") };
                let own = folder.join(name);
                files += record(&report, seed, &own, arguments, loaded, catalogue.clone())?;
            }
            reports.push(report);
        }
        match repeats {
            true => {
                summarise(&reports).iter().for_each(|one| add_row(&mut rows, manoeuvre, shown, one))
            }
            false => reports.iter().for_each(|report| add_rows(&mut rows, report)),
        }
    }
    if results == 0 {
        return Err(Failure::new(
            Code::BadInput,
            format!("no run has a result:\n{}", without.trim_end()),
        ));
    }
    let heading = if repeats { HEADING } else { ALL_HEADING };
    let (name, title) = (manoeuvre.name(), manoeuvre.title());
    let runs = if results == 1 { "1 run".to_owned() } else { format!("{results} runs") };
    let mut text = format!("# {name}: {title}, {runs}\n\n{heading}{rows}");
    if !without.is_empty() {
        let _ = write!(text, "\nWithout a result:\n\n{without}");
    }
    terminal::result(text.trim_end())?;
    if let Some(folder) = &arguments.out {
        run_reader::write(&folder.join("series.md"), text.as_bytes())?;
        terminal::result(&format!("{files} files in {}", folder.display()))?;
    }
    Ok(code)
}

fn add_row(rows: &mut String, manoeuvre: Manoeuvre, kmh: f64, of: &MetricSummary) {
    let MetricSummary { name, unit, mean, half_width, count, met } = of;
    let width = if half_width.is_nan() { "–".to_owned() } else { format!("{half_width:.4}") };
    let met = met.map_or(String::new(), |met| format!("{met} of {count}"));
    let mean = (1e4 * mean).round() / 1e4 + 0.0;
    let manoeuvre = manoeuvre.name();
    let _ = writeln!(
        rows,
        "| {manoeuvre} | {kmh} | {name} | {mean:.4} | {width} | {unit} | {count} | {met} |"
    );
}
