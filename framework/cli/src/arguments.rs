//! The command line.

mod loading;
mod mirrors;
mod models;
mod plugin;
mod resuming;
mod validator;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};

pub use loading::Loading;
pub use models::{Models, Without};
#[cfg(test)]
pub use plugin::KindName;
pub use plugin::{Doc, Info, Language, List, New, Plugin, Question};
pub use resuming::Resuming;
pub use validator::{Bench, CheckPlugin, Job};

const AFTER_HELP: &str = "\
Examples:
  simhost worlds/demo.world.xml --out out/demo
  simhost check worlds/*.world.xml
  simhost print worlds/demo.world.xml > flat.world.xml
  simhost schema --markdown
  simhost plugin list

Exit codes: 0 done, 2 usage, 10 diverged, 11 plugin fault, 12 bad input, 13 output cannot be written, \
130 interrupted.";

const USAGE: &str = "simhost [run] WORLD [OPTIONS]\n       simhost VERB [ARGUMENTS]";

/// Simulates ground vehicles and mobile robots.
#[derive(Debug, Parser)]
#[command(name = "simhost", version, about, override_usage = USAGE, after_help = AFTER_HELP)]
#[command(arg_required_else_help = true, subcommand_help_heading = "Verbs")]
#[command(subcommand_value_name = "VERB")]
pub struct Arguments {
    /// What is to be done.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Runs a world (the verb may be left out).
    Run(Box<Run>),
    /// Makes the call of a model again as it was made when it faulted.
    Replay(Replay),
    /// Tells all mistakes of worlds without running them.
    Check(Check),
    /// Prints a world as one file without includes, loops, conditions, variables and expressions.
    Print(Print),
    /// Tells what may stand where in a world file: for editors, programs or people.
    Schema(Schema),
    /// Finds plugins and tells what is in them.
    Plugin(Plugin),
}

impl Arguments {
    /// The arguments of this process. A first one that is no verb stands behind `run`.
    ///
    /// # Errors
    /// They make no sense, or help or the version is asked for.
    pub fn of_process() -> Result<Self, clap::Error> {
        let mut words: Vec<OsString> = std::env::args_os().collect();
        if let Some(first) = words.get(1) {
            match meaning(first) {
                First::Verb => {}
                First::OfRun => words.insert(1, "run".into()),
                First::Misspelt(error) => return Err(*error),
            }
        }
        Self::try_parse_from(words)
    }
}

/// Runs a world.
#[derive(Args, Clone, Debug)]
pub struct Run {
    /// World file.
    pub world: PathBuf,

    /// Simulated time, s [default: the world's, else 10].
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub duration: Option<f64>,

    /// Directory for trajectory.csv, odometry.csv, wheels.csv, trajectory.svg, manifest.json and a
    /// file for each sensor.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Time between rows of the output, s [default: each step].
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub log_period: Option<f64>,

    /// Write energy.csv: what motors, brakes, tyres, damping, air and contacts have worked on each vehicle.
    #[arg(long, requires = "out")]
    pub energy: bool,

    /// Commands: csv rows `time_s,vehicle,kind,v1[,v2...]`.
    #[arg(long, value_name = "FILE")]
    pub commands: Option<PathBuf>,

    /// Threads; the results do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    /// Wall time after which a call of a model that has not returned ends the run, s [default: never].
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub watchdog: Option<f64>,

    /// Load plugins anew when they are built again, and go on with them. Such a run cannot be repeated.
    #[arg(long)]
    pub watch: bool,

    #[command(flatten)]
    pub resuming: Resuming,

    #[command(flatten)]
    pub models: Models,

    #[command(flatten)]
    pub loading: Loading,
}

/// Makes the call of a model again as it was made when it faulted.
#[derive(Args, Clone, Debug)]
pub struct Replay {
    /// File that a run wrote when it met the fault.
    pub file: PathBuf,

    /// Calls one after the other, as long as none faults; what the model remembers goes on.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub steps: u32,

    #[command(flatten)]
    pub models: Models,
}

/// Tells all mistakes of worlds without running them.
#[derive(Args, Clone, Debug)]
pub struct Check {
    /// World files.
    #[arg(required = true, value_name = "WORLD")]
    pub worlds: Vec<PathBuf>,

    /// Print one JSON array: for each file its name, whether it can be used, and what was found.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub models: Models,

    #[command(flatten)]
    pub loading: Loading,
}

/// Prints a world as one file.
#[derive(Args, Clone, Debug)]
pub struct Print {
    /// World file.
    pub world: PathBuf,

    #[command(flatten)]
    pub loading: Loading,
}

/// Tells what may stand where in a world file.
#[derive(Args, Clone, Debug)]
pub struct Schema {
    #[command(flatten)]
    pub format: Formats,

    /// Directory that the XML Schema files are written to.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub out: PathBuf,

    #[command(flatten)]
    pub models: Models,
}

/// For whom a schema is.
#[derive(Args, Clone, Copy, Debug)]
#[group(required = true, multiple = false)]
pub struct Formats {
    /// XML Schema: a file for each prefix, for editors.
    #[arg(long)]
    xsd: bool,

    /// One JSON object, for programs.
    #[arg(long)]
    json: bool,

    /// A page, for people.
    #[arg(long)]
    markdown: bool,
}

/// A form of the schema.
pub enum Format {
    /// XML Schema.
    Xsd,
    /// JSON.
    Json,
    /// Markdown.
    Markdown,
}

impl Formats {
    /// The one that is given.
    pub fn chosen(self) -> Format {
        match (self.xsd, self.json) {
            (true, _) => Format::Xsd,
            (_, true) => Format::Json,
            _ => Format::Markdown,
        }
    }
}

/// What the first argument is.
enum First {
    /// A verb, or what asks for help or the version.
    Verb,
    /// A world, or an option of `run`.
    OfRun,
    /// It looks like a verb and is neither one nor a file.
    Misspelt(Box<clap::Error>),
}

fn meaning(first: &OsStr) -> First {
    let Some(word) = first.to_str() else { return First::OfRun };
    let mut command = Arguments::command();
    command.build();
    let verbs: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    if verbs.contains(&word) || ["-h", "--help", "-V", "--version"].contains(&word) {
        return First::Verb;
    }
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    if !is_word || Path::new(word).exists() {
        return First::OfRun;
    }
    let hint = match simhost_model::nearest(word, verbs.iter().copied()) {
        Some(verb) => format!("did you mean `{verb}`?"),
        None => format!("verbs: {}", verbs.join(", ")),
    };
    let message = format!("there is no verb and no file `{word}`\n\nhelp: {hint}");
    First::Misspelt(Box::new(command.error(ErrorKind::InvalidSubcommand, message)))
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        _ => Err("expected a number greater than 0".into()),
    }
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(count) if (1..=1024).contains(&count) => Ok(count),
        _ => Err("expected a whole number from 1 to 1024".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn only_words_that_name_nothing_are_misspelt_verbs() {
        for verb in ["run", "check", "print", "help", "--help", "-V"] {
            assert!(matches!(meaning(OsStr::new(verb)), First::Verb), "{verb}");
        }
        for of_run in ["--lenient", "a.world.xml", "dir/a", ""] {
            assert!(matches!(meaning(OsStr::new(of_run)), First::OfRun), "{of_run}");
        }
        for (word, hint) in
            [("chekc", "did you mean `check`?"), ("steer", "verbs: run, replay, check")]
        {
            match meaning(OsStr::new(word)) {
                First::Misspelt(error) => assert!(error.to_string().contains(hint), "{error}"),
                _ => panic!("`{word}` is taken for a verb or a world"),
            }
        }
    }
}
