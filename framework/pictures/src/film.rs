//! Films of one or several runs, seen from above.
//!
//! Each vehicle is shown with its steered wheels. The colour of a wheel is the used part of its grip, and
//! a line from its centre is the force of the ground, as long as the vehicle if it equals the load.

#[cfg(feature = "film")]
mod encode;
#[cfg(feature = "film")]
mod inset;
#[cfg(feature = "film")]
mod stage;

#[cfg(feature = "film")]
pub use encode::film;

#[cfg(not(feature = "film"))]
use crate::{error::PictureError, signals::NamedRun};

/// Contents of a film.
#[derive(Clone, Debug)]
pub struct FilmOptions {
    /// Vehicles to show; otherwise all.
    pub vehicles: Vec<String>,
    /// Frames per second of the film.
    pub rate: f64,
    /// Simulated time per time of the film.
    pub speed: f64,
    /// Width, pixels.
    pub width: u32,
    /// Whether the rays of planar lasers are shown.
    pub has_lasers: bool,
    /// Whether the names of vehicles are shown next to them.
    pub has_labels: bool,
    /// Camera whose images are shown in a corner: `VEHICLE.SENSOR`.
    pub camera: Option<String>,
}

/// Patterns of the further series that a film with the rays of lasers needs.
pub const LASER_PATTERNS: [&str; 2] = ["*/sensor/*/range", "*/sensor/*/ranges"];

/// Form of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmFormat {
    /// An animated GIF.
    Gif,
    /// H.264 in MP4, encoded by the program `ffmpeg`.
    Mp4,
    /// A folder with one PNG file per frame.
    Frames,
    /// One PNG file: the moment at which the runs differ most, or the end of a single run.
    Still,
}

/// Patterns of the series that a film needs.
pub const FILM_PATTERNS: [&str; 5] =
    ["**/pose", "*/wheel/*/f?", "*/wheel/*/normal_force", "*/wheel/*/steer", "*/wheel/*/spin"];

/// Fails, because this build has no films.
///
/// # Errors
/// [`PictureError::NoFilms`].
#[cfg(not(feature = "film"))]
pub fn film(
    _: &[NamedRun],
    _: &FilmOptions,
    _: FilmFormat,
    _: &std::path::Path,
    _: &dyn Fn() -> bool,
) -> Result<usize, PictureError> {
    Err(PictureError::NoFilms)
}

#[cfg(all(test, feature = "film"))]
mod tests;
