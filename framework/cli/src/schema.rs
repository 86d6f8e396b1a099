//! `simhost schema`: prints the schema of world files, generated from the tables that read them.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::arguments::Models;
use crate::process::{Code, Failure};
use crate::{catalogue, terminal};

/// Arguments of `simhost schema`.
#[derive(Args, Clone, Debug)]
pub struct Schema {
    #[command(flatten)]
    pub format: Formats,

    /// Directory of the files. `--xsd` writes to the working directory without it, and `--vehicle` prints.
    #[arg(short, long, value_name = "DIR", conflicts_with_all = ["json", "markdown"])]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub models: Models,
}

/// Format of the schema; exactly one is given.
#[derive(Args, Clone, Copy, Debug)]
#[group(required = true, multiple = false)]
pub struct Formats {
    /// Write XML Schema files, one per namespace prefix, for editors and validators.
    #[arg(long)]
    xsd: bool,

    /// Print one JSON object.
    #[arg(long)]
    json: bool,

    /// Print the reference page in Markdown.
    #[arg(long)]
    markdown: bool,

    /// Print the JSON Schema of vehicle files.
    #[arg(long)]
    vehicle: bool,
}

/// Format of the schema.
pub enum Format {
    /// XML Schema.
    Xsd,
    /// JSON.
    Json,
    /// Markdown.
    Markdown,
    /// JSON Schema of vehicle files.
    Vehicle,
}

impl Formats {
    /// Returns the format that is given.
    pub fn chosen(self) -> Format {
        match (self.xsd, self.json, self.vehicle) {
            (true, ..) => Format::Xsd,
            (_, true, _) => Format::Json,
            (_, _, true) => Format::Vehicle,
            _ => Format::Markdown,
        }
    }
}

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
