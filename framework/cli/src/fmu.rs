//! `simhost fmu`: worlds as FMUs for other tools, and FMUs as models.

mod describe;
mod model;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use simhost_fmi::{FmiVersion, FmuError, FmuExport, FmuSummary, fmu_files, motions};
use simhost_world::LoadOptions;

use crate::arguments::{FmiChoice, FmuTarget, KindName, Loading, Models, pattern};
use crate::later::Later;
use crate::process::{Code, Failure, Process};
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
    /// Run the code of an FMU for another process. Used internally, because an FMU can crash its process.
    #[command(hide = true)]
    Serve(Later<ServeFmu>),
}

impl Fmu {
    /// Returns whether this is a process that another one has started to run code in it.
    pub fn is_child(&self) -> bool {
        matches!(self.verb, FmuVerb::Serve(_))
    }
}

/// Returns the versions to write.
const fn versions(choice: FmiChoice) -> &'static [FmiVersion] {
    match choice {
        FmiChoice::Two => &[FmiVersion::Two],
        FmiChoice::Three => &[FmiVersion::Three],
        FmiChoice::Both => &[FmiVersion::Two, FmiVersion::Three],
    }
}

impl FmuTarget {
    /// Returns the name of the model in the description.
    fn name(&self) -> String {
        self.out.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the files to write with their versions.
    fn files(&self) -> Vec<(FmiVersion, PathBuf)> {
        fmu_files(&self.out, versions(self.fmi))
    }

    /// Returns the path of the library.
    fn library(&self) -> PathBuf {
        self.library.clone().unwrap_or_else(library)
    }

    /// Reports what has been written.
    fn report(&self, summary: FmuSummary) -> Result<Code, Failure> {
        let files = self.files();
        let shown: Vec<_> = files.iter().map(|(_, path)| path.display().to_string()).collect();
        let FmuSummary { inputs, outputs, parameters } = summary;
        terminal::result(&format!(
            "wrote {}: {inputs} inputs, {outputs} outputs, {parameters} parameters",
            shown.join(" and ")
        ))?;
        Ok(Code::Done)
    }
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

    #[command(flatten)]
    pub target: FmuTarget,

    /// Put the plugins from which models come into the FMU, with their SHA-256. Their code runs in the importer.
    #[arg(long)]
    pub with_plugins: bool,

    #[command(flatten)]
    pub models: Models,

    #[command(flatten)]
    pub loading: Loading,
}

/// Arguments of `simhost fmu describe`.
#[derive(Args, Clone, Debug)]
pub struct DescribeFmu {
    /// FMU. Its code runs with your permissions, in a separate process.
    pub file: PathBuf,

    /// Kind of model.
    #[arg(long, default_value = "controller")]
    pub kind: KindName,

    /// Print Markdown.
    #[arg(long)]
    pub markdown: bool,
}

/// Arguments of the internal subcommand `serve`.
#[derive(Args, Clone, Debug)]
pub struct ServeFmu {
    /// FMU.
    pub file: PathBuf,

    /// File in which the process notes what the FMU does.
    pub notes: PathBuf,
}

pub use model::model_fmu;

/// Lets FMUs run in further processes of this program.
pub fn prepare(process: &Process) {
    if let Some(program) = &process.program {
        simhost_cosim::set_server(program.clone(), process.verb(["fmu", "serve", "--"]));
    }
}

/// Runs a subcommand.
pub fn fmu(arguments: &Fmu) -> Result<Code, Failure> {
    match &arguments.verb {
        FmuVerb::Export(arguments) => export(arguments),
        FmuVerb::Describe(arguments) => describe::describe(arguments),
        FmuVerb::Serve(arguments) => simhost_cosim::serve(&arguments.file, &arguments.notes)
            .map(|()| Code::Done)
            .map_err(|error| Failure::new(Code::Output, error)),
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
            true => motions(&loaded.world),
            false => arguments.outputs.clone(),
        },
        parameters: arguments.parameters.clone(),
        with_plugins: arguments.with_plugins,
        library: arguments.target.library(),
    };
    let (name, files) = (arguments.target.name(), arguments.target.files());
    let summary =
        simhost_fmi::export(&name, loaded, catalogue, &request, &files).map_err(failure)?;
    arguments.target.report(summary)
}

fn or_default(given: &[String], default: &[&str]) -> Vec<String> {
    match given.is_empty() {
        true => default.iter().map(|&pattern| pattern.to_owned()).collect(),
        false => given.to_vec(),
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
