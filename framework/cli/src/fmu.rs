//! `simhost fmu`: worlds as FMUs for other tools, and FMUs as models.

mod describe;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use simhost_fmi::{FmiVersion, FmuError, FmuExport};
use simhost_world::LoadOptions;

use crate::arguments::{Loading, Models, pattern};
use crate::later::Later;
use crate::plugin::KindName;
use crate::process::{Code, Failure};
use crate::{catalogue, diagnostics, terminal, world_file};

/// File name of the library that every FMU contains, without prefix and ending.
const LIBRARY: &str = "simhost_fmu";

/// Arguments of `simhost fmu`.
#[derive(Args, Clone, Debug)]
pub struct Fmu {
    /// Subcommand.
    #[command(subcommand)]
    pub verb: FmuVerb,
}

/// Subcommands of `simhost fmu`.
#[derive(Clone, Debug, Subcommand)]
pub enum FmuVerb {
    /// Write a world as an FMU for co-simulation.
    Export(Later<ExportFmu>),
    /// Describe an FMU as a model: parameters, ports, commands, and whether its state can be saved.
    Describe(Later<DescribeFmu>),
}

/// Versions of FMI to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FmiChoice {
    /// FMI 2.0.
    #[value(name = "2")]
    Two,
    /// FMI 3.0.
    #[value(name = "3")]
    Three,
    /// Two files, with `.fmi2` and `.fmi3` before the ending.
    Both,
}

/// Arguments of `simhost fmu export`.
#[derive(Args, Clone, Debug)]
pub struct ExportFmu {
    /// World file.
    pub world: PathBuf,

    /// Commands whose values are inputs, as patterns of input streams such as `car/cmd_ackermann` [default: all].
    #[arg(long, value_name = "PATTERN", num_args = 1.., value_parser = pattern)]
    pub inputs: Vec<String>,

    /// Quantities that are outputs, as patterns [default: pose and twist of all vehicles].
    #[arg(long, value_name = "PATTERN", num_args = 1.., value_parser = pattern)]
    pub outputs: Vec<String>,

    /// Parameters, as patterns such as `car/friction/*` [default: none].
    #[arg(long, value_name = "PATTERN", num_args = 1.., value_parser = pattern)]
    pub parameters: Vec<String>,

    /// Version of FMI.
    #[arg(long, value_name = "VERSION", default_value = "2")]
    pub fmi: FmiChoice,

    /// FMU to write.
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,

    /// Library that every FMU contains [default: the one next to this program].
    #[arg(long, value_name = "FILE")]
    pub library: Option<PathBuf>,

    #[command(flatten)]
    pub models: Models,

    #[command(flatten)]
    pub loading: Loading,
}

/// Arguments of `simhost fmu describe`.
#[derive(Args, Clone, Debug)]
pub struct DescribeFmu {
    /// FMU. Its code runs with your permissions.
    pub file: PathBuf,

    /// Kind of model.
    #[arg(long, default_value = "controller")]
    pub kind: KindName,

    /// Print Markdown.
    #[arg(long)]
    pub markdown: bool,
}

/// Runs a subcommand.
pub fn fmu(arguments: &Fmu) -> Result<Code, Failure> {
    match &arguments.verb {
        FmuVerb::Export(arguments) => export(arguments),
        FmuVerb::Describe(arguments) => describe::describe(arguments),
    }
}

/// Writes a world as an FMU.
fn export(arguments: &ExportFmu) -> Result<Code, Failure> {
    let load = LoadOptions { flatten: true, keep_tree: true, ..arguments.loading.load_options() };
    let catalogue = catalogue::collect(&arguments.models)?;
    let loaded = world_file::load(&arguments.world, &load, &catalogue)?
        .map_err(|error| diagnostics::load_failure(&error))?;
    diagnostics::show(&loaded.warnings, &loaded.sources);
    let request = FmuExport {
        inputs: or_default(&arguments.inputs, &["**"]),
        outputs: match arguments.outputs.is_empty() {
            true => motions(loaded.world.vehicles.iter().map(|vehicle| &*vehicle.name)),
            false => arguments.outputs.clone(),
        },
        parameters: arguments.parameters.clone(),
        library: arguments.library.clone().unwrap_or_else(library),
    };
    let name = arguments.out.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let files = files(&arguments.out, arguments.fmi);
    let summary =
        simhost_fmi::export(&name, loaded, catalogue, &request, &files).map_err(failure)?;
    let shown: Vec<_> = files.iter().map(|(_, path)| path.display().to_string()).collect();
    let (inputs, outputs, parameters) = (summary.inputs, summary.outputs, summary.parameters);
    terminal::result(&format!(
        "wrote {}: {inputs} inputs, {outputs} outputs, {parameters} parameters",
        shown.join(" and ")
    ))?;
    Ok(Code::Done)
}

fn or_default(given: &[String], default: &[&str]) -> Vec<String> {
    match given.is_empty() {
        true => default.iter().map(|&pattern| pattern.to_owned()).collect(),
        false => given.to_vec(),
    }
}

/// Returns patterns for the motions of vehicles.
fn motions<'n>(vehicles: impl Iterator<Item = &'n str>) -> Vec<String> {
    vehicles.flat_map(|name| [format!("{name}/pose"), format!("{name}/twist")]).collect()
}

/// Returns the FMUs to write with their versions.
fn files(out: &Path, choice: FmiChoice) -> Vec<(FmiVersion, PathBuf)> {
    let with = |version: &str| {
        let ending = out.extension().unwrap_or_default().to_string_lossy().into_owned();
        out.with_extension(format!("{version}.{ending}"))
    };
    match choice {
        FmiChoice::Two => vec![(FmiVersion::Two, out.to_owned())],
        FmiChoice::Three => vec![(FmiVersion::Three, out.to_owned())],
        FmiChoice::Both => {
            vec![(FmiVersion::Two, with("fmi2")), (FmiVersion::Three, with("fmi3"))]
        }
    }
}

/// Returns the expected path of the library: next to the program, or in `lib/simhost` of its installation.
fn library() -> PathBuf {
    let name = format!("{}{LIBRARY}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let program = std::env::current_exe().unwrap_or_default();
    let folder = program.parent().unwrap_or(Path::new(""));
    let installed = folder.join("../lib/simhost").join(&name);
    if installed.is_file() { installed } else { folder.join(name) }
}

fn failure(error: FmuError) -> Failure {
    let code = match error {
        FmuError::World(error) => return diagnostics::session_failure(*error),
        FmuError::Unknown { .. } | FmuError::Library { .. } => Code::Usage,
        FmuError::File { act: "write", .. } => Code::Output,
        _ => Code::BadInput,
    };
    Failure::new(code, error)
}
