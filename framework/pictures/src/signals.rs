//! Signals: one number of a run over time, by the name of a preset or of a quantity.

mod presets;

use simhost_runs::Run;

use crate::error::PictureError;
pub(crate) use presets::joined;
pub use presets::{NamedRun, Signal};
use presets::{PRESETS, parts};

/// Joins quantities that are drawn together.
const AND: char = '+';
/// Values that count as zero, in relation to the largest one.
pub const NOISE: f64 = 1e-12;

/// Name of the preset that draws the path.
pub const PATH: &str = "xy";

/// Returns the patterns of the series that a quantity is computed from.
pub fn patterns(of: &str) -> Vec<String> {
    if of == PATH {
        return vec!["*/pose".to_owned()];
    }
    if of.contains(AND) {
        let parts = of.split(AND).flat_map(patterns);
        return parts.chain([of.to_owned()]).collect();
    }
    match PRESETS.iter().find(|preset| preset.name == of) {
        Some(preset) => preset.patterns.iter().map(|pattern| (*pattern).to_owned()).collect(),
        None => vec![of.rsplit_once('[').map_or(of, |(name, _)| name).to_owned()],
    }
}

/// Returns the signals of a preset or a quantity in one run, or of several that `+` joins.
///
/// # Errors
/// [`PictureError`] if there is none.
pub fn of_run(of: &str, index: usize, run: &NamedRun) -> Result<Vec<Signal>, PictureError> {
    if !of.contains(AND) || run.run.names.iter().any(|name| name == of) {
        return of_one(of, index, run);
    }
    let mut all = Vec::new();
    for part in of.split(AND) {
        let found = of_one(part.trim(), index, run)?;
        all.extend(found.into_iter().map(|signal| Signal { is_joined: true, ..signal }));
    }
    Ok(all)
}

/// Returns the signals of a preset or a quantity in the runs that have it.
///
/// # Errors
/// [`PictureError`] if none has it.
pub fn of_runs(of: &str, runs: &[NamedRun]) -> Result<Vec<Signal>, PictureError> {
    let found = of_some_runs(of, runs);
    match found.is_empty() {
        true => of_run(of, 0, &runs[0]),
        false => Ok(found),
    }
}

/// Returns the signals of a preset or a quantity in the runs that have it, if there are some.
pub fn of_some_runs(of: &str, runs: &[NamedRun]) -> Vec<Signal> {
    let own = runs.iter().enumerate();
    own.flat_map(|(index, named)| of_run(of, index, named).unwrap_or_default()).collect()
}

/// Makes values zero that are small in relation to the largest one, because they are errors of rounding.
pub fn remove_noise(signals: &mut [Signal]) {
    let values = signals.iter().flat_map(|signal| &signal.values).filter(|v| v.is_finite());
    let least = NOISE * values.fold(0.0, |largest: f64, value| largest.max(value.abs()));
    for value in signals.iter_mut().flat_map(|signal| &mut signal.values) {
        if value.abs() < least {
            *value = 0.0;
        }
    }
}

fn of_one(of: &str, index: usize, run: &NamedRun) -> Result<Vec<Signal>, PictureError> {
    match PRESETS.iter().find(|preset| preset.name == of) {
        Some(preset) => preset.signals(index, run),
        None if !of.contains(['/', '*', '[']) => {
            let names = || PRESETS.iter().map(|preset| preset.name).chain([PATH]);
            let nearest = simhost_model::nearest(of, names()).map(str::to_owned);
            let presets = names().collect::<Vec<_>>().join(", ");
            Err(PictureError::Unknown { name: of.to_owned(), nearest, presets })
        }
        None => of_quantity(of, index, &run.run),
    }
}

fn of_quantity(of: &str, run_index: usize, run: &Run) -> Result<Vec<Signal>, PictureError> {
    let found = run.select(of)?;
    let mut signals = Vec::new();
    for (series, index) in found {
        let indices = match index {
            Some(index) => index..index + 1,
            None => 0..series.columns.len(),
        };
        for value in indices.clone() {
            let (entity, part, quantity) = parts(series);
            // the index distinguishes values of an array
            let own =
                if series.is_array { format!("{quantity}[{value}]") } else { quantity.clone() };
            let (part, quantity) = match indices.len() > 1 {
                true => (joined(&part, &format!("[{value}]")), quantity),
                false => (part, own),
            };
            signals.push(Signal {
                run: run_index,
                entity,
                part,
                quantity,
                is_joined: false,
                unit: series.units[value].clone(),
                times: series.times.clone(),
                values: series.columns[value].clone(),
            });
        }
    }
    Ok(signals)
}
