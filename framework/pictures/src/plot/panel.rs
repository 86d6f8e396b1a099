//! Panels of a plot.

use std::collections::BTreeSet;

use simhost_runs::Series;
use simhost_scene::Pose2;

use super::key::Key;
use crate::chart::{dash_of, of_series};
use crate::drawing::{Colour, Dash};
use crate::error::PictureError;
use crate::picture::{Shape, ShapeKind};
use crate::scene::placed;
use crate::signals;
use crate::signals::{NamedRun, Signal, joined};

/// Way and angle from which on a body counts as moved, m and rad.
const MOVED: f64 = 0.01;

/// A panel of a plot.
pub struct Panel {
    /// Label of the horizontal axis, with the unit.
    pub x: String,
    /// Label of the vertical axis, with the unit.
    pub y: String,
    /// The lines.
    pub lines: Vec<Line>,
    /// Outlines of vehicles.
    pub outlines: Vec<Outline>,
    /// Bodies that have moved.
    pub moved: Vec<Shape>,
    /// Heading of the legend.
    pub heading: Option<String>,
    /// Whether both axes have the same scale.
    pub is_map: bool,
    /// Moment at which the runs differ most, if the horizontal axis is the time, s.
    pub moment: Option<f64>,
    /// Remark below the legend.
    pub note: Option<String>,
}

/// A line of a panel.
pub struct Line {
    /// Name in the legend.
    pub name: String,
    /// Points; one that is not finite breaks the line.
    pub points: Vec<[f64; 2]>,
    /// Colour.
    pub colour: Colour,
    /// Dash pattern.
    pub dash: Dash,
}

/// Outline of a vehicle.
pub struct Outline {
    /// Corners, world frame, m.
    pub corners: Vec<[f64; 2]>,
    /// Colour.
    pub colour: Colour,
    /// Whether the outline is filled, unlike the outline at the start.
    pub is_filled: bool,
}

/// Returns the panel with the paths of vehicles.
pub fn path(
    runs: &[NamedRun],
    options: &PlotOptions,
    key: Option<&Key>,
) -> Result<Panel, PictureError> {
    let x = signals_of("x", runs, options)?;
    let y = signals_of("y", runs, options)?;
    let style = Styles::new(runs, &x, key);
    let mut lines: Vec<Line> = x
        .iter()
        .zip(&y)
        .map(|(x, y)| {
            let points = x.values.iter().zip(&y.values).map(|(x, y)| [*x, *y]).collect();
            style.line(x, points)
        })
        .collect();
    let divergence = largest_distance(runs, &options.vehicles);
    let mut outlines = Vec::new();
    for (signal, line) in x.iter().zip(&lines) {
        let named = &runs[signal.run];
        let pose = named.run.get(&format!("{}/pose", signal.entity));
        let times = match &divergence {
            Some(found) => vec![found.time],
            None => signal.times.first().into_iter().chain(signal.times.last()).copied().collect(),
        };
        for (number, time) in times.iter().enumerate() {
            let corners = pose.and_then(|pose| outline_at(named, &signal.entity, pose, *time));
            let is_filled = number + 1 == times.len();
            outlines.extend(corners.map(|corners| Outline {
                corners,
                colour: line.colour,
                is_filled,
            }));
        }
    }
    let heading = style.finish(&mut lines);
    let moved = moved(runs, divergence.as_ref().map(|found| found.time));
    let note = divergence.as_ref().map(|found| {
        let distance = crate::text::short(found.distance);
        format!(
            "largest distance {distance} m of {} at {} s, where the outlines are",
            found.vehicle,
            crate::text::short(found.time)
        )
    });
    if let Some(found) = divergence {
        let points = found.positions.to_vec();
        let colour = crate::chart::INK;
        lines.push(Line { name: String::new(), points, colour, dash: dash_of(2) });
    }
    let (x, y) = ("x (m)".to_owned(), "y (m)".to_owned());
    Ok(Panel { x, y, lines, outlines, moved, heading, is_map: true, moment: None, note })
}

/// Returns blocks and actors where they are at a time, otherwise at the end of their run, if they have moved.
fn moved(runs: &[NamedRun], time: Option<f64>) -> Vec<Shape> {
    let mut moved = Vec::new();
    for named in runs {
        for mover in named.scene.iter().flat_map(|scene| &scene.movers) {
            let pose = match named.run.get(&mover.quantity) {
                Some(series) => {
                    let end = time.or_else(|| series.times.last().copied());
                    end.and_then(|time| pose_at(series, time))
                }
                None => mover.end.filter(|_| time.is_none()),
            };
            let Some(pose) = pose else { continue };
            let is_far = (pose.x - mover.start.x).hypot(pose.y - mover.start.y) > MOVED;
            if is_far || (pose.yaw - mover.start.yaw).abs() > MOVED {
                moved.push(Shape { kind: ShapeKind::Moved, outline: mover.at(pose) });
            }
        }
    }
    moved
}

/// Returns the outline of a vehicle at a time, if its shape and its pose are known.
fn outline_at(named: &NamedRun, vehicle: &str, pose: &Series, time: f64) -> Option<Vec<[f64; 2]>> {
    let shape = named.scene.as_ref()?.vehicle(vehicle)?;
    Some(placed(&shape.outline, pose_at(pose, time)?))
}

/// Returns the pose of a vehicle at the last sample at or before a time.
pub fn pose_at(pose: &Series, time: f64) -> Option<Pose2> {
    let at = pose.sample_at(time)?;
    let number = |index: usize| pose.columns.get(index)?.get(at).copied();
    Some(Pose2 { x: number(0)?, y: number(1)?, yaw: number(3)? })
}

/// Returns the panels of a quantity: one per unit.
pub fn of_quantity(
    of: &str,
    runs: &[NamedRun],
    options: &PlotOptions,
    key: Option<&Key>,
) -> Result<Vec<Panel>, PictureError> {
    let signals = signals_of(of, runs, options)?;
    let against = options.against.as_deref().filter(|against| *against != "time");
    let across = against.map(|against| signals_of(against, runs, options)).transpose()?;
    let mut units: Vec<&str> = Vec::new();
    for signal in &signals {
        if !units.contains(&signal.unit.as_str()) {
            units.push(&signal.unit);
        }
    }
    let mut panels = Vec::new();
    for unit in units {
        let mut own: Vec<Signal> =
            signals.iter().filter(|signal| signal.unit == unit).cloned().collect();
        signals::remove_noise(&mut own);
        let styles = Styles::new(runs, &own, key);
        let y = label(&own);
        let (moment, note) = match &across {
            None => largest_difference(&own).map_or((None, None), |found| {
                let [difference, time] = [found.difference, found.time].map(crate::text::short);
                let unit = crate::text::unit(unit);
                let text = format!("largest difference {difference}{unit} at {time} s");
                (Some(found.time), Some(text))
            }),
            Some(_) => (None, None),
        };
        let mut lines = Vec::new();
        let mut partners: Vec<Signal> = Vec::new();
        for signal in &own {
            let points = match &across {
                None => signal.times.iter().zip(&signal.values).map(|(x, y)| [*x, *y]).collect(),
                Some(across) => {
                    let partner = partner(signal, across, of, against.unwrap_or_default())?;
                    partners.push(partner.clone());
                    let pairs = signal.times.iter().zip(&signal.values);
                    pairs.map(|(time, y)| [partner.at(*time).unwrap_or(f64::NAN), *y]).collect()
                }
            };
            lines.push(styles.line(signal, points));
        }
        let x = if partners.is_empty() { "time (s)".to_owned() } else { label(&partners) };
        let heading = styles.finish(&mut lines);
        let (outlines, moved) = (Vec::new(), Vec::new());
        panels.push(Panel { x, y, lines, outlines, moved, heading, is_map: false, moment, note });
    }
    Ok(panels)
}

/// Returns the signal against which another signal is drawn: of the same wheel, of the same
/// vehicle, or the only signal of the run.
fn partner<'a>(
    signal: &Signal,
    across: &'a [Signal],
    of: &str,
    against: &str,
) -> Result<&'a Signal, PictureError> {
    let of_run: Vec<&Signal> = across.iter().filter(|other| other.run == signal.run).collect();
    let of_entity: Vec<&Signal> =
        of_run.iter().copied().filter(|other| other.entity == signal.entity).collect();
    let of_part: Vec<&Signal> =
        of_entity.iter().copied().filter(|other| other.part == signal.part).collect();
    let only = |list: &[&'a Signal]| (list.len() == 1).then(|| list[0]);
    let found = only(&of_part).or_else(|| only(&of_entity)).or_else(|| only(&of_run));
    found.ok_or_else(|| PictureError::Against {
        of: of.to_owned(),
        against: against.to_owned(),
        found: format!("{} quantities fit {}", of_entity.len(), name_of(signal)),
    })
}

/// Returns the label of an axis: the quantity with its unit.
fn label(signals: &[Signal]) -> String {
    let Some(first) = signals.first() else { return String::new() };
    let is_one = signals.iter().all(|signal| signal.quantity == first.quantity);
    let quantity = if is_one { first.quantity.replace('_', " ") } else { "value".to_owned() };
    format!("{quantity} ({})", first.unit)
}

fn name_of(signal: &Signal) -> String {
    joined(&signal.entity, &signal.local_name())
}

/// Colours and dash patterns of the lines of a panel. One colour per run if there are several; otherwise
/// one per vehicle, or per line if there is one vehicle.
struct Styles<'a> {
    runs: &'a [NamedRun],
    key: Option<&'a Key>,
    /// Run and entity of each line, and its name within the entity.
    lines: Vec<(usize, String, String)>,
    entities: Vec<String>,
}

impl<'a> Styles<'a> {
    fn new(runs: &'a [NamedRun], signals: &[Signal], key: Option<&'a Key>) -> Self {
        let mut entities: Vec<String> = Vec::new();
        for signal in signals {
            if !entities.contains(&signal.entity) {
                entities.push(signal.entity.clone());
            }
        }
        let named = |signal: &Signal| (signal.run, signal.entity.clone(), signal.local_name());
        Self { runs, key, lines: signals.iter().map(named).collect(), entities }
    }

    fn line(&self, signal: &Signal, points: Vec<[f64; 2]>) -> Line {
        let own = name_of(signal);
        let of_run = |(run, ..): &&(usize, String, String)| *run == signal.run;
        let local = signal.local_name();
        let is_own = |(_, entity, name): &(usize, String, String)| {
            *entity == signal.entity && *name == local
        };
        let within_run = self.lines.iter().filter(of_run).position(is_own).unwrap_or(0);
        let (name, colour, dash) = if self.runs.len() > 1 || self.key.is_some() {
            let run = match self.key {
                Some(key) => &key.values[signal.run],
                None => &self.runs[signal.run].name,
            };
            let is_alone = self.lines.iter().filter(of_run).count() == 1;
            let name = if is_alone { run.clone() } else { format!("{run} {own}") };
            (name, signal.run, within_run)
        } else if self.entities.len() > 1 {
            let entity = self.entities.iter().position(|entity| *entity == signal.entity);
            let of_entity = self.lines.iter().filter(|(_, entity, _)| *entity == signal.entity);
            let within = of_entity.map(|(.., name)| name).position(|name| *name == local);
            (own, entity.unwrap_or(0), within.unwrap_or(0))
        } else {
            (own, within_run, 0)
        };
        let colour = match self.key {
            Some(key) => key.colours[signal.run],
            None => of_series(colour),
        };
        Line { name, points, colour, dash: dash_of(dash) }
    }

    /// Sorts the lines by the parameter that decides their colours, and returns the heading of the legend.
    fn finish(&self, lines: &mut Vec<Line>) -> Option<String> {
        let key = self.key?;
        let order = key.order();
        let rank = |run: &usize| order.iter().position(|other| other == run);
        let ranks = self.lines.iter().map(|(run, ..)| rank(run));
        let mut ranked: Vec<(Option<usize>, Line)> = ranks.zip(std::mem::take(lines)).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        lines.extend(ranked.into_iter().map(|(_, line)| line));
        Some(key.parameter.clone())
    }
}

/// Contents of a plot.
#[derive(Clone, Debug, Default)]
pub struct PlotOptions {
    /// Presets and patterns of quantities; each has a separate panel, and quantities that `+` joins
    /// share a panel.
    pub of: Vec<String>,
    /// Preset or quantity of the horizontal axis; otherwise the time.
    pub against: Option<String>,
    /// Vehicles to show; otherwise all.
    pub vehicles: Vec<String>,
    /// Parameter of a model whose value in each run decides the colour of its lines, such as
    /// `car/friction/mu`; otherwise each run has a colour.
    pub colour: Option<String>,
    /// Width and height of the whole plot, pixels; otherwise what its panels need.
    pub size: Option<[u32; 2]>,
}

impl PlotOptions {
    /// Returns the patterns of the series that the plot needs.
    pub fn patterns(&self) -> Vec<String> {
        let mut patterns: BTreeSet<String> =
            self.of.iter().chain(&self.against).flat_map(|of| signals::patterns(of)).collect();
        // for the names of the vehicles
        patterns.insert("*/pose".to_owned());
        patterns.into_iter().collect()
    }
}

/// Returns the signals of all runs for the selected vehicles.
fn signals_of(
    of: &str,
    runs: &[NamedRun],
    options: &PlotOptions,
) -> Result<Vec<Signal>, PictureError> {
    let mut all = Vec::new();
    for (index, named) in runs.iter().enumerate() {
        if named.run.is_empty() {
            return Err(PictureError::Empty {
                run: named.run.path.display().to_string(),
                what: None,
            });
        }
        let mut signals = signals::of_run(of, index, named)?;
        let is_chosen =
            |name: &String| options.vehicles.is_empty() || options.vehicles.contains(name);
        signals.retain(|signal| is_chosen(&signal.entity));
        if signals.iter().all(|signal| signal.values.is_empty()) {
            let run = named.run.path.display().to_string();
            return Err(PictureError::Empty { run, what: Some(format!("`{of}`")) });
        }
        all.extend(signals);
    }
    Ok(all)
}

/// Moment at which a vehicle is farthest apart in two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct PathDivergence {
    /// Time, s.
    pub time: f64,
    /// Distance, m.
    pub distance: f64,
    /// Name of the vehicle.
    pub vehicle: String,
    /// Its positions in both runs, m.
    pub positions: [[f64; 2]; 2],
}

/// Largest difference of signals of the same name.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Difference {
    /// Time, s.
    pub time: f64,
    /// Difference, in the unit of the signals.
    pub difference: f64,
}

/// Returns the moment at which a vehicle is farthest apart in any two of the runs, at times that both
/// have; `None` if there is one run, or the runs are equal.
pub fn largest_distance(runs: &[NamedRun], vehicles: &[String]) -> Option<PathDivergence> {
    let mut largest: Option<PathDivergence> = None;
    for (k, one) in runs.iter().enumerate() {
        for other in &runs[k + 1..] {
            for vehicle in &one.run.vehicles {
                if !vehicles.is_empty() && !vehicles.contains(vehicle) {
                    continue;
                }
                let name = format!("{vehicle}/pose");
                let (Some(from), Some(to)) = (one.run.get(&name), other.run.get(&name)) else {
                    continue;
                };
                for (at, time) in from.times.iter().enumerate() {
                    let (Some(x), Some(y)) = (to.value_at(0, *time), to.value_at(1, *time)) else {
                        continue;
                    };
                    let start = [from.columns[0][at], from.columns[1][at]];
                    let distance = (x - start[0]).hypot(y - start[1]);
                    if distance > largest.as_ref().map_or(0.0, |found| found.distance) {
                        largest = Some(PathDivergence {
                            time: *time,
                            distance,
                            vehicle: vehicle.clone(),
                            positions: [start, [x, y]],
                        });
                    }
                }
            }
        }
    }
    largest
}

/// Returns the largest difference of signals of the same name in different runs.
fn largest_difference(signals: &[Signal]) -> Option<Difference> {
    let mut largest: Option<Difference> = None;
    for (k, one) in signals.iter().enumerate() {
        let same = |other: &&Signal| {
            other.run != one.run
                && other.entity == one.entity
                && other.local_name() == one.local_name()
        };
        for other in signals[k + 1..].iter().filter(same) {
            for (time, value) in one.times.iter().zip(&one.values) {
                let Some(there) = other.at(*time) else { continue };
                let difference = (value - there).abs();
                if difference > largest.map_or(0.0, |found| found.difference) {
                    largest = Some(Difference { time: *time, difference });
                }
            }
        }
    }
    largest
}
