//! `simhost plot`: quantities of runs as a picture.

use std::path::PathBuf;

use clap::Args;
use simhost_model::Patterns;
use simhost_pictures::{PictureError, PlotOptions};

use crate::arguments::Models;
use crate::process::{Code, Failure};
use crate::sweep::PlottedStudy;
use crate::{run_reader, sweep};

/// Sides that a plot can have, pixels.
const SIDES: std::ops::RangeInclusive<u32> = 480..=8000;

/// Arguments of `simhost plot`.
#[derive(Args, Clone, Debug)]
pub struct Plot {
    /// Output folders of runs, or the folder of a study; at most 200 of its runs are repeated.
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,

    /// Quantities to plot, one panel each: `xy`, `speed`, `torque`, `slip` and other presets, or a
    /// pattern of quantities such as `car/wheel/*/spin` or `car/pose[2]`; several in one panel joined by `+`.
    #[arg(long, value_name = "QUANTITY", num_args = 1.., default_value = "xy")]
    pub of: Vec<String>,

    /// Vehicles to plot, separated by commas [default: all].
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub vehicle: Vec<String>,

    /// Preset or quantity of the horizontal axis [default: time].
    #[arg(long, value_name = "QUANTITY")]
    pub against: Option<String>,

    /// Parameter of a model whose value in each run decides the colour of its lines, such as
    /// `car/friction/mu`; of a study, the last part of the name is enough.
    #[arg(long, value_name = "PARAMETER")]
    pub colour: Option<String>,

    /// Width and height of the plot in pixels, such as 1600x900 [default: what the panels need].
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<[u32; 2]>,

    /// File to write: .svg or .png [default: plot.svg in the folder of the first run].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Replace an existing file.
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub models: Models,
}

/// Reads a size in pixels.
fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X', '×']).map(|sides| [sides.0, sides.1].map(str::parse));
    match sides {
        Some([Ok(width), Ok(height)]) if [width, height].iter().all(|one| SIDES.contains(one)) => {
            Ok([width, height])
        }
        _ => Err(format!(
            "expected WIDTHxHEIGHT with sides from {} to {} px, such as 1600x900",
            SIDES.start(),
            SIDES.end()
        )),
    }
}

/// Writes a plot.
pub fn plot(arguments: &Plot) -> Result<Code, Failure> {
    let first = &arguments.runs[0].clone();
    let out = arguments.out.as_deref();
    let format = out.map_or(Ok("svg"), |out| run_reader::extension(out, &["svg", "png"]))?;
    let mut arguments = arguments.clone();
    // a study has no curves, so some of its runs are repeated
    let Plot { runs, colour, of, against, models, .. } = &mut arguments;
    let repeated = sweep::repeat_for_plot(PlottedStudy {
        runs,
        colour,
        of,
        against: against.as_ref(),
        models,
    })?;
    let arguments = &arguments;
    let options = PlotOptions {
        of: arguments.of.clone(),
        against: arguments.against.clone(),
        vehicles: arguments.vehicle.clone(),
        colour: arguments.colour.clone(),
        size: arguments.size,
    };
    let needed = options.patterns();
    let needed = Patterns::new(needed.iter().map(String::as_str));
    let runs = run_reader::open(&arguments.runs, &arguments.models, &|name| needed.select(name))?;
    let path = run_reader::output(out, first, "plot.svg", arguments.force)?;
    let drawing = simhost_pictures::plot(&runs, &options).map_err(|error| failure(&error))?;
    let content = match format {
        "png" => drawing.image(1.0).png().map_err(|error| Failure::new(Code::Output, error))?,
        _ => drawing.svg().into_bytes(),
    };
    run_reader::write(&path, &content)?;
    drop(repeated);
    Ok(Code::Done)
}

/// Returns the failure for a picture that cannot be made.
pub fn failure(error: &PictureError) -> Failure {
    let code = match error {
        PictureError::Unknown { .. } | PictureError::Against { .. } | PictureError::NoFilms => {
            Code::Usage
        }
        PictureError::Write { .. } | PictureError::Film(_) => Code::Output,
        _ => Code::BadInput,
    };
    Failure::new(code, error)
}
