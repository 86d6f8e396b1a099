//! Frames of a film, one after the other.

use std::path::Path;

use super::encode;
use super::inset::Inset;
use super::palette::Palette;
use super::stage::Stage;
use super::{FilmFormat, FilmOptions};
use crate::drawing::Image;
use crate::error::PictureError;
use crate::plot::{check_vehicles, largest_distance};
use crate::signals::NamedRun;

/// Most frames of a film.
const MOST: f64 = 100_000.0;
/// Greatest rate of a GIF, 1/s: viewers show faster ones slowly.
const GIF_RATE: f64 = 50.0;

/// Writes a film of runs, aligned by time. Stops early if `is_stopped` returns true. Returns the number
/// of frames.
///
/// # Errors
/// [`PictureError`] if a vehicle is unknown, a run has no samples, or the film cannot be written.
pub fn film(
    runs: &[NamedRun],
    options: &FilmOptions,
    format: FilmFormat,
    path: &Path,
    is_stopped: &dyn Fn() -> bool,
) -> Result<usize, PictureError> {
    check_vehicles(runs, &options.vehicles)?;
    if let Some(named) = runs.iter().find(|named| named.run.is_empty()) {
        return Err(PictureError::Empty { run: named.run.path.display().to_string(), what: None });
    }
    let stage = Stage::new(runs, options);
    let inset = options.camera.as_deref().map(|camera| Inset::new(camera, runs)).transpose()?;
    let shoot = |time: f64| -> Result<Image, PictureError> {
        let mut frame = stage.frame(time);
        inset.as_ref().map_or(Ok(()), |inset| inset.draw(time, &mut frame))?;
        Ok(frame)
    };
    let times = times(&stage, options, format)?;
    if format == FilmFormat::Still {
        let found = largest_distance(runs, &options.vehicles);
        let time = found.map_or(stage.end, |found| found.time);
        encode::write_png(path, &shoot(time)?)?;
        return Ok(1);
    }
    let count = times.len();
    // the background, the middle and the end have all colours
    let samples = [0.0, 0.3, 0.6, 1.0].map(|share| times[(share * (count - 1) as f64) as usize]);
    let mut sink = match format {
        FilmFormat::Gif => {
            let images: Result<Vec<Image>, _> = samples.iter().map(|time| shoot(*time)).collect();
            encode::Frames::gif(path, Palette::of(&images?), options.rate)?
        }
        FilmFormat::Mp4 => encode::Frames::mp4(path, stage.size(), options.rate)?,
        FilmFormat::Frames | FilmFormat::Still => encode::Frames::folder(path)?,
    };
    for (number, time) in times.into_iter().enumerate() {
        if is_stopped() {
            sink.finish()?;
            return Ok(number);
        }
        sink.add(shoot(time)?)?;
    }
    sink.finish()?;
    Ok(count)
}

/// Returns the times of the frames, s.
fn times(
    stage: &Stage<'_>,
    options: &FilmOptions,
    format: FilmFormat,
) -> Result<Vec<f64>, PictureError> {
    let step = options.speed / options.rate;
    let count = ((stage.end - stage.start) / step + 1e-9).floor() + 1.0;
    if format == FilmFormat::Gif && options.rate > GIF_RATE {
        let text = format!(
            "a GIF cannot have {} frames per second; expected at most {GIF_RATE}\nhelp: give a smaller \
             --rate, or write .mp4",
            options.rate
        );
        return Err(PictureError::Film(text));
    }
    if count > MOST && format != FilmFormat::Still {
        let text = format!(
            "the film would have {count} frames; expected at most {MOST}\nhelp: give a greater --speed \
             or a smaller --rate"
        );
        return Err(PictureError::Film(text));
    }
    Ok((0..count as usize).map(|frame| stage.start + frame as f64 * step).collect())
}
