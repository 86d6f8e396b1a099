//! `simhost film`: runs as a film from above.

use std::path::{Path, PathBuf};

use clap::Args;
use simhost_model::Patterns;
use simhost_pictures::{
    FILM_PATTERNS, FilmFormat, FilmOptions, HAS_FILMS, LASER_PATTERNS, NamedRun, PictureError,
};

use crate::arguments::{Models, positive};
use crate::process::{Code, Failure};
use crate::{interrupt, plot, run_reader, terminal};

/// Arguments of `simhost film`.
#[derive(Args, Clone, Debug)]
pub struct Film {
    /// Output folders of runs, which are shown together, aligned by time.
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,

    /// Film to write: .gif, .mp4 (needs ffmpeg), a folder for one PNG file per frame with a final `/`,
    /// or .png for one picture of the moment at which the runs differ most.
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,

    /// Vehicles to show, separated by commas [default: all].
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub vehicle: Vec<String>,

    /// Frames per second of the film.
    #[arg(long, value_name = "HZ", default_value_t = 25.0, value_parser = positive)]
    pub rate: f64,

    /// Simulated time per time of the film.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = positive)]
    pub speed: f64,

    /// Width of the film, pixels.
    #[arg(long, value_name = "PX", default_value_t = 800, value_parser = clap::value_parser!(u32).range(160..=3840))]
    pub width: u32,

    /// Show what planar lasers see.
    #[arg(long)]
    pub lasers: bool,

    /// Show the names of vehicles next to them.
    #[arg(long)]
    pub labels: bool,

    /// Show the images of a camera in a corner, such as `car.eye`, the name of their folder.
    #[arg(long, value_name = "VEHICLE.SENSOR")]
    pub camera: Option<String>,

    /// Replace an existing file or folder.
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub models: Models,
}

/// Writes a film.
pub fn film(arguments: &Film) -> Result<Code, Failure> {
    if !HAS_FILMS {
        return Err(plot::failure(&PictureError::NoFilms));
    }
    let format = format_of(&arguments.out)?;
    let path = output(&arguments.out, format, arguments.force)?;
    let lasers = LASER_PATTERNS.iter().filter(|_| arguments.lasers);
    let needed = Patterns::new(FILM_PATTERNS.iter().chain(lasers).copied());
    let runs = run_reader::open(&arguments.runs, &arguments.models, &|name| needed.select(name))?;
    let options = FilmOptions {
        vehicles: arguments.vehicle.clone(),
        rate: arguments.rate,
        speed: arguments.speed,
        width: arguments.width,
        has_lasers: arguments.lasers,
        has_labels: arguments.labels,
        camera: arguments.camera.clone(),
    };
    if runs.iter().any(has_unknown_motion) {
        terminal::remark(
            "blocks and actors that can move are shown where they were at the start\nhelp: record their \
             poses with `simhost run --record '*/pose'` or --mcap",
        );
    }
    let is_stopped = || interrupt::is_requested();
    let frames = simhost_pictures::film(&runs, &options, format, &path, &is_stopped)
        .map_err(|error| plot::failure(&error))?;
    let shown = arguments.out.display();
    if interrupt::is_requested() {
        terminal::remark(&format!("interrupted after {frames} frames in {shown}"));
        return Ok(Code::Interrupted);
    }
    let frames = if frames == 1 { "1 frame".to_owned() } else { format!("{frames} frames") };
    terminal::result(&format!("wrote {shown}, {frames}"))?;
    Ok(Code::Done)
}

/// Returns whether a run has bodies that can move, without a record of their poses.
fn has_unknown_motion(named: &NamedRun) -> bool {
    let movers = named.scene.iter().flat_map(|scene| &scene.movers);
    movers.into_iter().any(|mover| named.run.get(&mover.quantity).is_none())
}

/// Returns the format that the name of the output asks for.
fn format_of(out: &Path) -> Result<FilmFormat, Failure> {
    let is_folder = out.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
    if is_folder || out.is_dir() {
        return Ok(FilmFormat::Frames);
    }
    match run_reader::extension(out, &["gif", "mp4", "png"]) {
        Ok("gif") => Ok(FilmFormat::Gif),
        Ok("mp4") => Ok(FilmFormat::Mp4),
        Ok(_) => Ok(FilmFormat::Still),
        Err(failure) => {
            let text = format!("{}, or a folder with a final `/`", failure.text);
            Err(Failure::new(failure.code, text))
        }
    }
}

/// Checks the output: a file that does not exist, or an empty folder.
fn output(out: &Path, format: FilmFormat, force: bool) -> Result<PathBuf, Failure> {
    if format != FilmFormat::Frames {
        return run_reader::output(Some(out), out, "", force);
    }
    let has_files = std::fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some());
    if has_files && !force {
        let text = format!(
            "{} is not empty\nhelp: replace the frames in it with --force, or choose another folder",
            out.display()
        );
        return Err(Failure::new(Code::Output, text));
    }
    Ok(out.to_owned())
}
