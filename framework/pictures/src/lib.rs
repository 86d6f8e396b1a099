//! Pictures of runs: from above, plots, reports and films; and pictures of single readings.
//!
//! * [`plot()`] draws quantities of runs over time or against each other, as SVG or PNG.
//! * [`report()`] writes one HTML page about runs, [`study_report`] one about a study, and
//!   [`sheet_page`] the data sheet of a vehicle. The pages load nothing from the network.
//! * [`film()`] draws frames of runs from above, as GIF, MP4 or PNG, with the feature `film`.
//! * [`Picture`] is a world from above, from which SVG and pixels are made.
//! * [`ranges_as_image`], [`depths_as_image`] and [`points_from_above`] show readings of sensors.
//!
//! Equal runs give equal pictures. The crate `simhost-runs` reads the runs.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod chart;
mod clip;
pub mod drawing;
mod error;
mod film;
mod forces;
mod open;
mod picture;
mod pixels;
mod plot;
mod reading;
mod report;
pub mod scene;
mod sheet_page;
mod signals;
mod study;
mod text;

/// Whether this build can write films, which the feature `film` decides.
pub const HAS_FILMS: bool = cfg!(feature = "film");

pub use error::PictureError;
pub use film::{FILM_PATTERNS, FilmFormat, FilmOptions, LASER_PATTERNS, film};
pub use picture::{Picture, Shape, ShapeKind, Track};
pub use pixels::{depths_as_image, numbers_as_image};
pub use plot::{PathDivergence, PlotOptions, check_vehicles, largest_distance, plot};
pub use reading::{points_from_above, ranges_as_image};
pub use report::{ReportOptions, keeps as keeps_for_report, report};
pub use scene::Scene;
pub use sheet_page::{SheetChart, SheetPage, SheetTable, sheet_page};
pub use signals::NamedRun;
pub use study::{CurveTable, SobolTable, StudyRow, StudyTable, study_report};
