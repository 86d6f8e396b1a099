//! Plots of quantities of one or several runs.

mod divergence;
mod key;
mod layout;
mod options;
mod panel;

use std::collections::BTreeSet;

pub use divergence::{PathDivergence, largest_distance};
pub use options::PlotOptions;
#[cfg(feature = "film")]
pub(crate) use panel::pose_at;

use crate::colours::{dash_of, of_series};
use crate::drawing::Drawing;
use crate::error::PictureError;
use crate::signals::{NamedRun, PATH};
use key::Key;
use panel::{Line, Panel};

/// Draws quantities of runs, one panel above the other. Runs are aligned by time; several runs have
/// one colour each, or a colour by a parameter, and the time of the greatest difference is marked.
///
/// # Errors
/// [`PictureError`] if a run does not hold a quantity or a vehicle, or has no samples.
pub fn plot(runs: &[NamedRun], options: &PlotOptions) -> Result<Drawing, PictureError> {
    check_vehicles(runs, &options.vehicles)?;
    let key = options.colour.as_deref().map(|parameter| Key::new(parameter, runs)).transpose()?;
    let mut panels: Vec<Panel> = Vec::new();
    for of in &options.of {
        match of == PATH {
            true => panels.push(panel::path(runs, options, key.as_ref())?),
            false => panels.extend(panel::of_quantity(of, runs, options, key.as_ref())?),
        }
    }
    Ok(layout::draw(runs, &panels, options.size))
}

/// Draws lines of different colours in one panel; `x` and `y` are the labels of the axes.
pub(crate) fn draw_lines(x: &str, y: &str, lines: &[(String, Vec<[f64; 2]>)]) -> Drawing {
    let lines = lines.iter().enumerate().map(|(number, (name, points))| Line {
        name: name.clone(),
        points: points.clone(),
        colour: of_series(number),
        dash: dash_of(0),
    });
    let panel = Panel {
        x: x.to_owned(),
        y: y.to_owned(),
        lines: lines.collect(),
        outlines: Vec::new(),
        moved: Vec::new(),
        heading: None,
        is_map: false,
        moment: None,
        note: None,
    };
    layout::draw(&[], &[panel], None)
}

/// Checks that each vehicle is in one of the runs.
///
/// # Errors
/// [`PictureError::Vehicle`] if it is in none.
pub fn check_vehicles(runs: &[NamedRun], vehicles: &[String]) -> Result<(), PictureError> {
    let known: BTreeSet<&str> =
        runs.iter().flat_map(|named| &named.run.vehicles).map(String::as_str).collect();
    match vehicles.iter().find(|name| !known.contains(name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let nearest = simhost_model::nearest(name, known.iter().copied()).map(str::to_owned);
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            Err(PictureError::Vehicle { name: name.clone(), nearest, known })
        }
    }
}

#[cfg(test)]
mod tests;
