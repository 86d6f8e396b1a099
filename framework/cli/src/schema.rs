//! `simhost schema`: prints the schema of world files, generated from the tables that read them.

use std::path::Path;

use crate::arguments::{Format, Schema};
use crate::catalogue;
use crate::exit::{Code, Failure};
use crate::terminal;

/// Name of the JSON Schema of vehicle files.
const VEHICLE_FILE: &str = "vehicle.schema.json";

/// Prints the schema, or writes it to files.
pub fn schema(arguments: &Schema) -> Result<Code, Failure> {
    let catalogue = catalogue::collect(&arguments.models)?;
    match arguments.format.chosen() {
        Format::Markdown => terminal::document(&simhost_world::schema::markdown(&catalogue))?,
        Format::Json => terminal::document(&simhost_world::schema::json(&catalogue))?,
        Format::Vehicle => {
            let text = simhost_world::schema::vehicle_file(&catalogue);
            match &arguments.out {
                Some(folder) => write(&folder.join(VEHICLE_FILE), &text)?,
                None => terminal::document(&text)?,
            }
        }
        Format::Xsd => {
            let folder = arguments.out.as_deref().unwrap_or(Path::new(""));
            for (name, text) in simhost_world::schema::xsd(&catalogue) {
                write(&folder.join(name), &text)?;
            }
        }
    }
    Ok(Code::Done)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let directory = path.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(directory).and_then(|()| std::fs::write(path, text)).map_err(
        |error| Failure::new(Code::Output, format!("cannot write `{}`: {error}", path.display())),
    )?;
    terminal::result(&path.display().to_string())
}
