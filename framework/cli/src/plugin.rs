//! `simhost plugin`: lists, describes, creates, tests and times plugins.

pub mod check;
pub mod doc;
pub mod document;
mod example;
mod info;
mod list;
pub mod new;
mod package;
pub mod replay;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use simhost_abi::Kind;
use simhost_model::{Classes, ModelRef};
use simhost_registry::Catalogue;
use simhost_validator::bench::{BATCHES, Speed, bench as measure};

use crate::arguments::{KindName, ModelFmu, Models};
use crate::later::Later;
use crate::process::{Code, Failure};
use crate::terminal::json;
use crate::{catalogue, plugin_name, terminal};
use check::{CheckPlugin, Job};
use document::{Block, table};

pub use replay::ReplayFile;

/// Lists, describes, creates, tests and times plugins.
#[derive(Args, Clone, Debug)]
pub struct Plugin {
    /// Subcommand.
    #[command(subcommand)]
    pub question: Question,
}

/// Subcommands of `simhost plugin`.
#[derive(Clone, Debug, Subcommand)]
pub enum Question {
    /// List all classes and plugin files, with the reason why a file is not used.
    List(Later<List>),
    /// Describe one plugin: version, classes, checksum, compatibility.
    Info(Later<PluginSubject>),
    /// Describe a class: parameters, ports, commands, and an example for a world file.
    Doc(Later<Doc>),
    /// Write one model as an FMU for other tools.
    #[cfg_attr(
        not(feature = "fmi"),
        command(about = "Write one model as an FMU [needs a build with the feature `fmi`]")
    )]
    Fmu(Later<ModelFmu>),
    /// Create a project for a new model, with source, tests, a world and build instructions.
    New(Later<New>),
    /// Test models: the plugin boundary, the physics of their kind, and bad input.
    Check(Later<CheckPlugin>),
    /// Repeat the call in which a model faulted.
    Replay(Later<ReplayFile>),
    /// Measure the time per call, next to the built-in model of the same kind.
    Bench(Later<PluginSubject>),
    /// Make one file of a plugin for several platforms, with worlds, documentation and licences.
    Pack(Later<package::pack::Pack>),
    /// Install a package for the user.
    Install(Later<package::install::Install>),
    /// Remove an installed package.
    Remove(Later<package::install::Remove>),
    /// Run one test in this process. Used internally, because a model can crash the process.
    #[command(hide = true)]
    Trial(Later<Job>),
    /// Load plugin files in this process. Used internally, because a file can crash the process.
    #[command(hide = true)]
    Probe(Later<Probe>),
}

impl Question {
    /// Returns whether this is a process that another one has started to try code in it.
    pub fn is_child(&self) -> bool {
        matches!(self, Self::Trial(_) | Self::Probe(_))
    }
}

/// Arguments of `simhost plugin list`.
#[derive(Args, Clone, Debug)]
pub struct List {
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,

    /// Test all files again, including quarantined ones.
    #[arg(long)]
    pub rescan: bool,

    #[command(flatten)]
    pub models: Models,
}

/// Arguments of `simhost plugin info` and `simhost plugin bench`.
#[derive(Args, Clone, Debug)]
pub struct PluginSubject {
    /// Plugin file, or a class by its short or full name.
    #[arg(value_name = "FILE|CLASS")]
    pub subject: PathBuf,

    /// Print JSON.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub models: Models,
}

/// Arguments of `simhost plugin doc`.
#[derive(Args, Clone, Debug)]
pub struct Doc {
    /// Class: its short name, or `vendor/class`.
    pub class: String,

    /// Print Markdown.
    #[arg(long)]
    pub markdown: bool,

    #[command(flatten)]
    pub models: Models,
}

/// Arguments of `simhost plugin new`.
#[derive(Args, Clone, Debug)]
pub struct New {
    /// Name of the plugin, its folder and its class: lower-case letters, digits, `_` and `-`.
    #[arg(value_parser = plugin_name::plugin)]
    pub name: String,

    /// Kind of model.
    #[arg(long, required_unless_present = "template", conflicts_with = "template")]
    pub kind: Option<KindName>,

    /// Template that shows one thing, in place of the template of a kind.
    #[arg(long)]
    pub template: Option<ProjectTemplate>,

    /// Programming language.
    #[arg(long, default_value = "rust")]
    pub lang: Language,

    /// Source of the SDK: `copy` for a copy in the project, a folder, or the URL of a git repository
    /// [default: the source tree that this program was built from, or if that is gone, a copy].
    #[arg(long, value_name = "copy|PATH|URL")]
    pub sdk: Option<String>,

    /// Vendor: the part of the full class name before the slash.
    #[arg(long, default_value = "example", value_parser = plugin_name::vendor)]
    pub vendor: String,

    /// Folder in which the project folder is created [default: the current folder].
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

impl New {
    /// Returns the kind of the model.
    pub fn kind(&self) -> Kind {
        match (self.template, self.kind) {
            (Some(ProjectTemplate::Servo | ProjectTemplate::Curve), _) => Kind::Actuator,
            (None, Some(kind)) => kind.kind(),
            (Some(ProjectTemplate::Estimator), _) | (None, None) => Kind::Sensor,
        }
    }
}

/// Template of a project that shows one thing, as written on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProjectTemplate {
    /// A sensor that reads other sensors of its vehicle: the pose from encoders and a gyroscope.
    Estimator,
    /// An actuator with states that the host integrates: a servo of second order.
    Servo,
    /// An actuator with a file as its parameter: a measured curve.
    Curve,
}

/// Programming language of a new model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Rust, with the SDK.
    Rust,
    /// C99, with one header.
    C,
    /// C++17, with a header that turns a class into a model.
    #[value(alias = "c++")]
    Cpp,
    /// Python with NumPy, for the Python package.
    Python,
}

impl Language {
    /// All languages.
    #[cfg(test)]
    pub const ALL: [Self; 4] = [Self::Rust, Self::C, Self::Cpp, Self::Python];

    /// Returns the name as it is usually written.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::C => "C",
            Self::Cpp => "C++",
            Self::Python => "Python",
        }
    }
}

/// Arguments of the internal subcommand `probe`.
#[derive(Args, Clone, Debug)]
pub struct Probe {
    /// Plugin files.
    pub files: Vec<PathBuf>,
}

/// Runs a subcommand of `simhost plugin`. `export_fmu` writes a model as an FMU.
pub fn plugin(
    arguments: &Plugin,
    export_fmu: fn(&ModelFmu) -> Result<Code, Failure>,
) -> Result<Code, Failure> {
    match &arguments.question {
        Question::List(arguments) => list::list(arguments),
        Question::Info(arguments) => info::info(arguments),
        Question::Doc(arguments) => doc::doc(arguments),
        Question::Fmu(arguments) => export_fmu(arguments),
        Question::New(arguments) => new::new(arguments),
        Question::Check(arguments) => check::check(arguments),
        Question::Replay(arguments) => replay::replay(arguments),
        Question::Bench(arguments) => bench(arguments),
        Question::Pack(arguments) => package::pack::pack(arguments),
        Question::Install(arguments) => package::install::install(arguments),
        Question::Remove(arguments) => package::install::remove(arguments),
        Question::Trial(arguments) => simhost_validator::perform(&arguments.job)
            .map(|()| Code::Done)
            .map_err(|error| Failure::new(Code::Output, error)),
        Question::Probe(arguments) => simhost_registry::try_files(&arguments.files)
            .map(|()| Code::Done)
            .map_err(|error| Failure::new(Code::Output, error)),
    }
}

/// Smallest gain of a batch over single lanes that indicates a vectorized loop.
const LEAST_GAIN: f64 = 1.1;

/// Measures a class, or all classes of a file, next to the built-in model of the same kind.
fn bench(arguments: &PluginSubject) -> Result<Code, Failure> {
    let (catalogue, mut models) = models(arguments)?;
    let own = models.len();
    for kind in Kind::ALL {
        let is_of = |class: &ModelRef| class.model.kind == kind as u32;
        let base = format!("simhost/{}", base(kind));
        let found = catalogue.find(kind, &base).ok();
        if models[..own].iter().any(is_of)
            && !models[..own].iter().any(|class| *class.full_name == *base)
        {
            models.extend(found.iter().flatten().take(1).cloned());
        }
    }
    let speeds = measure(&models).map_err(|text| Failure::new(Code::BadInput, text))?;
    if arguments.json {
        terminal::document(&json(&speeds))?;
    } else {
        let blocks = [Block::Heading(1, "ns per lane, by batch size".into()), rows(&speeds)];
        terminal::document(&document::text(&blocks, terminal::width()))?;
    }
    warn(&speeds[..own]);
    Ok(Code::Done)
}

/// Returns the built-in class that models of a kind are compared with, or an empty text for a kind
/// without built-in classes.
const fn base(kind: Kind) -> &'static str {
    match kind {
        Kind::Friction => "default",
        Kind::Dynamics => "differential",
        Kind::Controller => "raw",
        Kind::Actuator => "first_order_lag",
        Kind::Fleet => "",
        Kind::Environment => "steady_wind",
        Kind::Observer => "stop_when",
        Kind::Suspension => "linear",
        Kind::Sensor => "laser",
    }
}

fn models(arguments: &PluginSubject) -> Result<(Catalogue, Vec<ModelRef>), Failure> {
    let name = arguments.subject.to_string_lossy();
    let (catalogue, of_file) = if check::is_file(&arguments.subject) {
        (catalogue::of_file(&arguments.subject, true)?, true)
    } else {
        (catalogue::search(&arguments.models, false)?, false)
    };
    let entries = if of_file {
        let library = catalogue.libraries().iter().position(|library| library.file.is_some());
        let refusal = library.and_then(|place| catalogue.libraries()[place].refusal.as_ref());
        if let Some(refusal) = refusal {
            return Err(Failure::new(Code::BadInput, format!("{name}: it {refusal}")));
        }
        catalogue.entries().iter().filter(|entry| Some(entry.library) == library).collect()
    } else {
        check::classes(&catalogue, &name)?
    };
    let models = entries.iter().flat_map(|entry| entry.variants.iter().cloned()).collect();
    Ok((catalogue, models))
}

fn rows(speeds: &[Speed]) -> Block {
    let mut header = vec!["CLASS".to_owned(), "KIND".to_owned()];
    header.extend(BATCHES.map(|lanes| lanes.to_string()));
    header.extend(["GAIN", "VS BUILT-IN"].map(str::to_owned));
    let header: [String; 9] = header.try_into().expect("a row has one cell per column");
    let rows = speeds.iter().map(|speed| {
        let mut row = vec![speed.class.clone(), speed.kind.to_owned()];
        row.extend(speed.batches.iter().map(|timing| format!("{:.1}", timing.ns_per_lane)));
        // an observer has no batches
        row.resize(2 + BATCHES.len(), "-".to_owned());
        row.push(speed.gain().map_or_else(|| "-".to_owned(), |gain| format!("{gain:.1}")));
        row.push(ratio(speed, speeds));
        <[String; 9]>::try_from(row).expect("a row has one cell per column")
    });
    Block::Table(table(header, rows))
}

/// Returns the time in the largest batch relative to the built-in model of the kind.
fn ratio(speed: &Speed, speeds: &[Speed]) -> String {
    let kind = Kind::ALL.into_iter().find(|kind| kind.tag() == speed.kind);
    let base = kind.map(|kind| format!("simhost/{}", base(kind))).unwrap_or_default();
    let base = speeds.iter().find(|one| one.class == base && one.kind == speed.kind);
    let last = |speed: &Speed| speed.batches.last().map_or(f64::NAN, |timing| timing.ns_per_lane);
    base.map_or("-".into(), |base| format!("{:.2}", last(speed) / last(base)))
}

fn warn(speeds: &[Speed]) {
    // the vehicles of a fleet depend on each other
    let in_batches = speeds.iter().filter(|speed| speed.kind != Kind::Fleet.tag());
    for speed in in_batches {
        let Some(gain) = speed.gain().filter(|gain| *gain < LEAST_GAIN) else { continue };
        terminal::warning(&format!(
            "{} does not gain from batches ({gain:.2} times faster than lane by lane). Function calls that \
             are not inlined, such as those into the C library, early returns, and memory in addition to \
             the state slots prevent vectorization\nhelp: use the functions of `math` in the SDK, \
             and select values instead of branching",
            speed.class
        ));
    }
}

#[cfg(test)]
mod tests {
    use simhost_registry::{Catalogue, Options, descriptor};

    #[test]
    fn descriptors_of_built_in_families_are_valid() {
        let catalogue = Catalogue::collect(Options::default()).unwrap();
        let plugins: Vec<_> = catalogue.libraries().iter().filter_map(|one| one.plugin).collect();
        let more = [cfg!(feature = "learned"), cfg!(feature = "openscenario")];
        assert_eq!(plugins.len(), 14 + more.map(usize::from).iter().sum::<usize>());
        for plugin in plugins {
            assert_eq!(descriptor::check(plugin), Ok(()));
        }
    }
}
