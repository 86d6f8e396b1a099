//! Errors of pictures.

use simhost_runs::RunError;

/// A picture cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// A run does not hold a series.
    #[error(transparent)]
    Run(#[from] RunError),
    /// There is no preset or quantity of this name.
    #[error(
        "unknown quantity `{name}`{}\nhelp: give one of {presets}, or a quantity such as \
         `car/wheel/fl/spin`",
        nearest.as_ref().map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"))
    )]
    Unknown {
        /// Name that was given.
        name: String,
        /// Nearest preset.
        nearest: Option<String>,
        /// Names of all presets.
        presets: String,
    },
    /// No run has a vehicle of this name.
    #[error(
        "unknown vehicle `{name}`{}",
        nearest.as_ref().map_or_else(
            || format!("; expected one of {known}"),
            |nearest| format!("; did you mean `{nearest}`?")
        )
    )]
    Vehicle {
        /// Name that was given.
        name: String,
        /// Nearest name.
        nearest: Option<String>,
        /// All names.
        known: String,
    },
    /// A run has no samples.
    #[error(
        "{run} has no samples{}\nhelp: run the world again; a run that is killed at once writes no rows",
        what.as_ref().map_or_else(String::new, |what| format!(" of {what}"))
    )]
    Empty {
        /// Path of the run.
        run: String,
        /// Quantity without samples, if others have some.
        what: Option<String>,
    },
    /// A quantity over which others are drawn cannot be matched with them.
    #[error(
        "cannot draw `{of}` against `{against}`: {found}\nhelp: give a quantity of the same vehicle or \
         wheel, such as `--against '*/pose[0]'`"
    )]
    Against {
        /// Quantity to draw.
        of: String,
        /// Quantity of the horizontal axis.
        against: String,
        /// Reason.
        found: String,
    },
    /// The radius of the wheels is not known.
    #[error(
        "{} does not hold the radius of the wheels\nhelp: keep world.flat.xml in the folder, or record \
         the radius with `simhost run --record '*/wheel/*/radius'`",
        run.display()
    )]
    Radius {
        /// Path of the run.
        run: std::path::PathBuf,
    },
    /// The mass properties of the vehicles are not known.
    #[error(
        "`{of}` needs the centre of mass, the mass and the yaw inertia of a vehicle, which {} does not hold\nhelp: keep \
         manifest.json in the folder",
        run.display()
    )]
    Mass {
        /// Path of the run.
        run: std::path::PathBuf,
        /// Preset.
        of: &'static str,
    },
    /// A run has no model with a parameter, or its world is not known.
    #[error(
        "the value of `{name}` in {} is not known: {}",
        run.display(),
        match (nearest, is_known) {
            (Some(nearest), _) => format!("did you mean `{nearest}`?"),
            (None, true) => "expected VEHICLE/ROLE/KEY, such as `car/friction/mu`".to_owned(),
            (None, false) => "keep world.flat.xml in the folder of the run".to_owned(),
        }
    )]
    Parameter {
        /// Path of the run.
        run: std::path::PathBuf,
        /// Name of the parameter.
        name: String,
        /// Whether the world is known.
        is_known: bool,
        /// Nearest parameter.
        nearest: Option<String>,
    },
    /// The world in the folder of a run has errors.
    #[error("cannot read {}, so the picture has no obstacles and outlines: {text}", path.display())]
    World {
        /// Path of the world.
        path: std::path::PathBuf,
        /// First error.
        text: String,
    },
    /// This build has no films.
    #[error(
        "this program is built without films\nhelp: build it with `cargo build --release --features \
         film`"
    )]
    NoFilms,
    /// A film cannot be written.
    #[error("{0}")]
    Film(String),
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// Path of the file.
        path: std::path::PathBuf,
        /// Cause.
        source: std::io::Error,
    },
}
