//! Signals: one number of a run over time, by the name of a preset or of a quantity.

use std::sync::Arc;

use simhost_runs::{Run, RunError, Series};

use crate::error::PictureError;
use crate::scene::Scene;

/// A run with its name in pictures.
#[derive(Clone, Debug)]
pub struct NamedRun {
    /// Name, distinct from those of the other runs.
    pub name: String,
    /// The run.
    pub run: Run,
    /// World of the run, if it is known.
    pub scene: Option<Scene>,
}

/// A number of a run over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Index of the run.
    pub run: usize,
    /// Vehicle or other entity.
    pub entity: String,
    /// Wheel, or another part that distinguishes signals of an entity; can be empty.
    pub part: String,
    /// Quantity, such as `speed`.
    pub quantity: String,
    /// Unit of the values.
    pub unit: String,
    /// Times, s.
    pub times: Arc<Vec<f64>>,
    /// Values.
    pub values: Vec<f64>,
}

impl Signal {
    /// Returns the value at a time, between samples by linear interpolation.
    pub fn at(&self, time: f64) -> Option<f64> {
        let before = self.times.partition_point(|sample| *sample <= time + 1e-9).checked_sub(1)?;
        let (start, from) = (self.times[before], self.values[before]);
        match (self.times.get(before + 1), self.values.get(before + 1)) {
            (Some(&end), Some(&to)) if end > start => {
                Some(from + ((time - start) / (end - start)).clamp(0.0, 1.0) * (to - from))
            }
            _ => (time <= start + 1e-9).then_some(from),
        }
    }
}

/// A quantity with a short name.
pub struct Preset {
    /// Name on the command line.
    pub name: &'static str,
    /// Label of its axis.
    pub label: &'static str,
    /// Patterns of the series that it is computed from.
    pub patterns: &'static [&'static str],
    kind: Kind,
}

enum Kind {
    /// Value of a series of each vehicle.
    Value(usize),
    /// Length of a vector of a series of each vehicle.
    Length,
    /// Value of each wheel.
    Wheel,
    /// Force of the ground on each wheel.
    Force,
    /// Longitudinal slip of each wheel.
    Slip,
    /// Force of each wheel in relation to its load.
    Grip,
}

/// All presets besides `xy`.
pub const PRESETS: [Preset; 12] = [
    Preset { name: "x", label: "x", patterns: &["*/pose"], kind: Kind::Value(0) },
    Preset { name: "y", label: "y", patterns: &["*/pose"], kind: Kind::Value(1) },
    Preset { name: "yaw", label: "yaw", patterns: &["*/pose"], kind: Kind::Value(3) },
    Preset { name: "speed", label: "speed", patterns: &["*/twist"], kind: Kind::Length },
    Preset { name: "velocity", label: "speed", patterns: &["*/twist"], kind: Kind::Length },
    Preset { name: "yaw_rate", label: "yaw rate", patterns: &["*/twist"], kind: Kind::Value(2) },
    Preset {
        name: "torque",
        label: "motor torque",
        patterns: &["*/wheel/*/torque"],
        kind: Kind::Wheel,
    },
    Preset {
        name: "steer",
        label: "steering angle",
        patterns: &["*/wheel/*/steer"],
        kind: Kind::Wheel,
    },
    Preset {
        name: "load",
        label: "normal load",
        patterns: &["*/wheel/*/normal_force"],
        kind: Kind::Wheel,
    },
    Preset {
        name: "force",
        label: "force of the ground",
        patterns: &["*/wheel/*/fx", "*/wheel/*/fy"],
        kind: Kind::Force,
    },
    Preset {
        name: "slip",
        label: "slip ratio",
        patterns: &[
            "*/wheel/*/spin",
            "*/wheel/*/vx",
            "*/wheel/*/vy",
            "*/wheel/*/steer",
            "*/wheel/*/radius",
            "*/wheel/*/slip_ratio",
        ],
        kind: Kind::Slip,
    },
    Preset {
        name: "grip",
        label: "force / load",
        patterns: &["*/wheel/*/fx", "*/wheel/*/fy", "*/wheel/*/normal_force"],
        kind: Kind::Grip,
    },
];

/// Name of the preset that draws the path.
pub const PATH: &str = "xy";

/// Speed below which slip ratios are those of this speed, m/s.
const SLOW: f64 = 0.1;

/// Returns the patterns of the series that a quantity is computed from.
pub fn patterns(of: &str) -> Vec<String> {
    if of == PATH {
        return vec!["*/pose".to_owned()];
    }
    match PRESETS.iter().find(|preset| preset.name == of) {
        Some(preset) => preset.patterns.iter().map(|pattern| (*pattern).to_owned()).collect(),
        None => vec![of.rsplit_once('[').map_or(of, |(name, _)| name).to_owned()],
    }
}

/// Returns the signals of a preset or a quantity in one run.
///
/// # Errors
/// [`PictureError`] if there is none.
pub fn of_run(of: &str, index: usize, run: &NamedRun) -> Result<Vec<Signal>, PictureError> {
    match PRESETS.iter().find(|preset| preset.name == of) {
        Some(preset) => of_preset(preset, index, run),
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
                unit: series.units[value].clone(),
                times: series.times.clone(),
                values: series.columns[value].clone(),
            });
        }
    }
    Ok(signals)
}

fn joined(part: &str, own: &str) -> String {
    if part.is_empty() { own.to_owned() } else { format!("{part} {own}") }
}

/// Returns entity, part and quantity of a series: `car`, `fl` and `spin` of `car/wheel/fl/spin`.
fn parts(series: &Series) -> (String, String, String) {
    let (entity, rest) = series.name.split_once('/').unwrap_or(("", &series.name));
    let (role, quantity) = rest.rsplit_once('/').unwrap_or(("", rest));
    let part = role.strip_prefix("wheel/").unwrap_or(role);
    (entity.to_owned(), part.to_owned(), quantity.to_owned())
}

fn of_preset(preset: &Preset, index: usize, named: &NamedRun) -> Result<Vec<Signal>, PictureError> {
    let run = &named.run;
    // the first series gives the times and the names of the signals
    let firsts = run.select(preset.patterns[0])?;
    let mut signals = Vec::new();
    let is_vehicle = |series: &Series| {
        let entity = series.name.split('/').next().unwrap_or_default();
        run.vehicles.is_empty() || run.vehicles.iter().any(|vehicle| vehicle == entity)
    };
    for (series, _) in firsts.into_iter().filter(|(series, _)| is_vehicle(series)) {
        let Some((values, unit)) = computed(preset, series, named)? else { continue };
        let (entity, part, _) = parts(series);
        let (quantity, times) = (preset.label.to_owned(), series.times.clone());
        signals.push(Signal { run: index, entity, part, quantity, unit, times, values });
    }
    match signals.is_empty() {
        true => Err(PictureError::Radius { run: run.path.clone() }),
        false => Ok(signals),
    }
}

/// Returns the values of a preset with their unit; `None` if something is missing for this series.
fn computed(
    preset: &Preset,
    series: &Series,
    named: &NamedRun,
) -> Result<Option<(Vec<f64>, String)>, RunError> {
    let run = &named.run;
    let base = series.name.rsplit_once('/').map_or("", |(base, _)| base);
    let other = |quantity: &str| -> Result<&[f64], RunError> {
        Ok(&run.find(&format!("{base}/{quantity}"))?.columns[0])
    };
    let unit = series.units.first().cloned().unwrap_or_default();
    let lengths =
        |x: &[f64], y: &[f64]| -> Vec<f64> { x.iter().zip(y).map(|(x, y)| x.hypot(*y)).collect() };
    Ok(match preset.kind {
        Kind::Value(at) => {
            let unit = series.units.get(at).cloned().unwrap_or_default();
            series.columns.get(at).map(|column| (column.clone(), unit))
        }
        Kind::Length => match &*series.columns {
            [x, y, ..] => Some((lengths(x, y), unit)),
            _ => None,
        },
        Kind::Wheel => Some((series.columns[0].clone(), unit)),
        Kind::Force => Some((lengths(&series.columns[0], other("fy")?), unit)),
        Kind::Grip => {
            let force = lengths(&series.columns[0], other("fy")?);
            let load = other("normal_force")?;
            let grip = force.iter().zip(load).map(|(force, load)| force / load.max(1e-9));
            Some((grip.collect(), "1".to_owned()))
        }
        Kind::Slip => match run.get(&format!("{base}/slip_ratio")) {
            Some(recorded) => Some((recorded.columns[0].clone(), "1".to_owned())),
            None => {
                let Some(radius) = radius_of(base, named) else { return Ok(None) };
                let (vx, vy, steer) = (other("vx")?, other("vy")?, other("steer")?);
                let slip = series.columns[0].iter().enumerate().map(|(k, spin)| {
                    let (sin, cos) = steer[k].sin_cos();
                    slip_ratio(radius * spin, vx[k] * cos + vy[k] * sin)
                });
                Some((slip.collect(), "1".to_owned()))
            }
        },
    })
}

/// Returns the slip ratio of a wheel from its circumferential velocity and the velocity of its centre
/// along its heading: (ωr − v) / max(|ωr|, |v|), 1 for a spinning and −1 for a locked wheel.
fn slip_ratio(rolling: f64, velocity: f64) -> f64 {
    (rolling - velocity) / rolling.abs().max(velocity.abs()).max(SLOW)
}

/// Returns the radius of a wheel `VEHICLE/wheel/NAME`.
fn radius_of(base: &str, named: &NamedRun) -> Option<f64> {
    if let Some(recorded) = named.run.get(&format!("{base}/radius")) {
        return recorded.columns[0].first().copied();
    }
    let (vehicle, wheel) = base.split_once("/wheel/")?;
    let vehicle = named.scene.as_ref()?.vehicle(vehicle)?;
    Some(vehicle.wheels.iter().find(|known| known.name == wheel)?.radius)
}
