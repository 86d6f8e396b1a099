//! Vehicles that files of other programs describe, such as robots in URDF.

use std::path::Path;

/// A format of other programs in which a file describes a vehicle, for `<vehicle file="…">`.
///
/// A crate that is linked into a program adds one with [`LinkedVehicleFormat`]. Its methods are called while a world is
/// loaded, on the thread that loads it.
pub trait VehicleFormat: Sync {
    /// Returns the ends of the names of such files in lower case, such as `.urdf`.
    fn endings(&self) -> &'static [&'static str];

    /// Returns the vehicle that a file describes. The same request returns the same vehicle.
    ///
    /// # Errors
    /// [`VehicleFormatError`] for a file that describes no vehicle.
    fn convert(&self, request: &VehicleRequest<'_>)
    -> Result<ConvertedVehicle, VehicleFormatError>;
}

/// A format that is linked into the program.
pub struct LinkedVehicleFormat(pub &'static dyn VehicleFormat);

inventory::collect!(LinkedVehicleFormat);

/// Returns the format of a file by the end of its name.
pub fn vehicle_format(file: &Path) -> Option<&'static dyn VehicleFormat> {
    let name = file.file_name()?.to_string_lossy().to_lowercase();
    let linked = inventory::iter::<LinkedVehicleFormat>.into_iter().map(|linked| linked.0);
    let fits =
        |format: &&dyn VehicleFormat| format.endings().iter().any(|ending| name.ends_with(ending));
    linked.into_iter().find(fits)
}

/// A file that describes a vehicle, as a world asks for it.
#[derive(Clone, Copy)]
pub struct VehicleRequest<'a> {
    /// Path of the file.
    pub file: &'a Path,
    /// Its text.
    pub text: &'a str,
    /// Returns the reason why a further file, such as a mesh, cannot be read. Called before each such file is opened.
    pub check: &'a dyn Fn(&Path) -> Result<(), String>,
    /// Maximum size of a further file in bytes.
    pub max_file_bytes: u64,
}

/// A vehicle in the language of world files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConvertedVehicle {
    /// A `<vehicle:class>`. Relative paths in it start at the folder of the described file.
    pub class: String,
    /// Line of the described file, from 1, from which each line of the class comes.
    pub lines: Vec<u32>,
    /// Lines of parts that have no effect or were simplified, with the reason.
    pub notes: Vec<(u32, String)>,
}

/// The reason why a file does not describe a vehicle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct VehicleFormatError {
    /// Line in the file, from 1; `None` for the file as a whole.
    pub line: Option<u32>,
    /// What was found, and what was expected.
    pub text: String,
    /// Advice, or empty.
    pub help: String,
}
