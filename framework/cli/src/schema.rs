//! `simhost schema`: prints the schema of world files, generated from the tables that read them.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum as _};
use simhost_abi::Kind;
use simhost_model::{ClassError, Classes, CodePlace, FileRequest, ModelRef};
use simhost_registry::Catalogue;

use crate::arguments::{KindName, Models};
use crate::diagnostics::unusable_file;
use crate::process::{Code, Failure};
use crate::{catalogue, terminal};

/// Class of the models from FMUs.
const FMU: &str = "fmu";

/// Arguments of `simhost schema`.
#[derive(Args, Clone, Debug)]
pub struct Schema {
    #[command(flatten)]
    pub format: Formats,

    /// Directory of the files. `--xsd` writes to the working directory without it, and `--vehicle` prints.
    #[arg(short, long, value_name = "DIR", conflicts_with_all = ["json", "markdown"])]
    pub out: Option<PathBuf>,

    /// FMU whose parameters elements with `class="fmu"` can have, with the kind of its model; can be repeated. Its code runs
    /// with your permissions, in a separate process.
    #[arg(long, value_name = "KIND=FILE", value_parser = kind_and_file)]
    pub fmu: Vec<(KindName, PathBuf)>,

    #[command(flatten)]
    pub models: Models,
}

/// Parses a kind and a file.
fn kind_and_file(text: &str) -> Result<(KindName, PathBuf), String> {
    let (kind, file) =
        text.split_once('=').ok_or("expected KIND=FILE, such as controller=driver.fmu")?;
    let kinds = KindName::value_variants();
    let found = kinds.iter().find(|one| one.kind().tag() == kind);
    let found = found.ok_or_else(|| {
        let names: Vec<_> = kinds.iter().map(|one| one.kind().tag()).collect();
        format!("unknown kind `{kind}`; expected one of {}", names.join(", "))
    });
    Ok((*found?, PathBuf::from(file)))
}

/// A catalogue with models from files.
struct WithFiles<'c> {
    catalogue: &'c Catalogue,
    models: Vec<(Kind, ModelRef)>,
}

impl<'c> WithFiles<'c> {
    /// Opens the files.
    fn new(catalogue: &'c Catalogue, files: &[(KindName, PathBuf)]) -> Result<Self, Failure> {
        let models = files.iter().map(|(kind, file)| {
            let file =
                std::path::absolute(file).map_err(|error| Failure::new(Code::BadInput, error))?;
            let (kind, place) = (kind.kind(), CodePlace::Separate);
            let request = FileRequest { kind, class: FMU, file: &file, maps: &[], place };
            Ok((kind, catalogue.find_in_file(request).map_err(unusable_file)?))
        });
        Ok(Self { catalogue, models: models.collect::<Result<_, _>>()? })
    }
}

impl Classes for WithFiles<'_> {
    fn find(&self, kind: Kind, class: &str) -> Result<Vec<ModelRef>, ClassError> {
        let own = self.models.iter().filter(|(of, _)| *of == kind && class == FMU);
        let own: Vec<ModelRef> = own.map(|(_, model)| model.clone()).collect();
        if own.is_empty() { self.catalogue.find(kind, class) } else { Ok(own) }
    }

    fn names(&self, kind: Kind) -> Vec<String> {
        let own = self.models.iter().any(|(of, _)| *of == kind).then(|| FMU.to_owned());
        let mut names: Vec<String> = self.catalogue.names(kind).into_iter().chain(own).collect();
        names.sort();
        names
    }

    fn is_file_class(&self, class: &str) -> bool {
        self.catalogue.is_file_class(class)
    }
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
    let catalogue = WithFiles::new(&catalogue, &arguments.fmu)?;
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
