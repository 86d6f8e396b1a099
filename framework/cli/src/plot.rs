//! `simhost plot`: quantities of runs as a picture.

use simhost_model::Patterns;
use simhost_pictures::{PictureError, PlotOptions};

use crate::arguments::Plot;
use crate::exit::{Code, Failure};
use crate::{run_reader, sweep};

/// Writes a plot.
pub fn plot(arguments: &Plot) -> Result<Code, Failure> {
    let first = &arguments.runs[0].clone();
    let out = arguments.out.as_deref();
    let format = out.map_or(Ok("svg"), |out| run_reader::extension(out, &["svg", "png"]))?;
    let mut arguments = arguments.clone();
    // a study has no curves, so some of its runs are repeated
    let repeated = sweep::repeat_for_plot(&mut arguments)?;
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
