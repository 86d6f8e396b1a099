//! Robots as vehicle files of worlds: `<vehicle file="robot.urdf">`.

use simhost_assets::Limits;
use simhost_model::{
    ConvertedVehicle, LinkedVehicleFormat, VehicleFormat, VehicleFormatError, VehicleRequest,
};
use simhost_xml::{Note, ReadError};

use crate::packages::{Packages, folder};
use crate::vehicle::VehicleDraft;
use crate::write::{RobotFile, VehicleText};

/// Robots in URDF, and models in SDF.
struct RobotFormat;

static FORMAT: RobotFormat = RobotFormat;

inventory::submit! { LinkedVehicleFormat(&FORMAT) }

impl VehicleFormat for RobotFormat {
    fn endings(&self) -> &'static [&'static str] {
        &[".urdf", ".sdf", ".xacro"]
    }

    fn convert(
        &self,
        request: &VehicleRequest<'_>,
    ) -> Result<ConvertedVehicle, VehicleFormatError> {
        let VehicleRequest { file, text, check, max_file_bytes } = *request;
        let robots = crate::read(text).map_err(problem)?;
        let robot = match robots.as_slice() {
            [robot] => robot,
            several => {
                let names: Vec<&str> = several.iter().map(|robot| robot.name.as_str()).collect();
                let name = names.first().copied().unwrap_or_default();
                return Err(VehicleFormatError {
                    line: None,
                    text: format!("the file has several models: {}", names.join(", ")),
                    help: format!(
                        "make a vehicle file of one: simhost import {} --model {name} -o {name}.vehicle.xml",
                        file.file_name().unwrap_or_default().to_string_lossy()
                    ),
                });
            }
        };
        let mut limits = Limits::default();
        limits.max_file_bytes = max_file_bytes;
        let packages = Packages { file, base: folder(file), given: None, check, limits };
        let draft = VehicleDraft::of(robot, &|uri| packages.points(uri)).map_err(problem)?;
        let source = file.file_name().unwrap_or_default().to_string_lossy();
        let source = RobotFile { name: &source, path: Some(&source) };
        let written = draft.to_xml("robot", source, &|uri| packages.path(uri));
        let VehicleText { mut text, lines, notes } = written;
        // a vehicle file has no name: the world gives it one
        text = text.replacen("<vehicle:class name=\"robot\">", "<vehicle:class>", 1);
        let notes = notes.into_iter().map(|Note { line, text }| (line, text)).collect();
        Ok(ConvertedVehicle { class: text, lines, notes })
    }
}

fn problem(error: ReadError) -> VehicleFormatError {
    let ReadError { line, problem, help } = error;
    VehicleFormatError { line, text: problem, help: help.unwrap_or_default() }
}
