//! `simhost plugin`: what is asked of plugins.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use simhost_abi::Kind;

use super::{Bench, CheckPlugin, Job, Models};
use crate::plugin::new::name;

/// Finds plugins and tells what is in them.
#[derive(Args, Clone, Debug)]
pub struct Plugin {
    /// What is asked.
    #[command(subcommand)]
    pub question: Question,
}

/// What is asked of plugins.
#[derive(Clone, Debug, Subcommand)]
pub enum Question {
    /// Lists every class and every file that was found, and why files are not used.
    List(List),
    /// Tells all about one library.
    Info(Info),
    /// Describes a class: parameters, ports, commands, and an example to paste into a world.
    Doc(Doc),
    /// Writes a project for a model of your own: source, tests, a world, and how to build it.
    New(New),
    /// Tests models: the boundary, the physics of their kind, and that they bear bad input.
    Check(CheckPlugin),
    /// Measures the time of a call, beside that of the built-in model of its kind.
    Bench(Bench),
    /// Runs one test, for the program itself: the model may end the process.
    #[command(hide = true)]
    Trial(Job),
    /// Loads files and reports, for the program itself: a file may end the process.
    #[command(hide = true)]
    Probe(Probe),
}

/// Lists plugins.
#[derive(Args, Clone, Debug)]
pub struct List {
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,

    /// Try all files again, those that are quarantined too.
    #[arg(long)]
    pub rescan: bool,

    #[command(flatten)]
    pub models: Models,
}

/// Tells all about one library.
#[derive(Args, Clone, Debug)]
pub struct Info {
    /// A file, or a class that is in it.
    #[arg(value_name = "FILE|CLASS")]
    pub subject: PathBuf,

    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub models: Models,
}

/// Describes a class.
#[derive(Args, Clone, Debug)]
pub struct Doc {
    /// Short name, or `vendor/class`.
    pub class: String,

    /// Print Markdown.
    #[arg(long)]
    pub markdown: bool,

    #[command(flatten)]
    pub models: Models,
}

/// Writes a project for a model.
#[derive(Args, Clone, Debug)]
pub struct New {
    /// Name of the plugin, its folder and its class: small letters, digits, `_` and `-`.
    #[arg(value_parser = name::plugin)]
    pub name: String,

    /// What the model is.
    #[arg(long)]
    pub kind: KindName,

    /// Language it is written in.
    #[arg(long, default_value = "rust")]
    pub lang: Language,

    /// The SDK: a folder that has it, the URL of a git repository, or a version [default: the tree
    /// that this simhost was built from].
    #[arg(long, value_name = "PATH|URL|VERSION")]
    pub sdk: Option<String>,

    /// Who writes it: the part before the slash of the full class name.
    #[arg(long, default_value = "example", value_parser = name::vendor)]
    pub vendor: String,

    /// Folder that the project is put into [default: the current one].
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// A kind of model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KindName {
    /// Force between a wheel and the ground.
    Friction,
    /// A drive: from actuators to wheels.
    Dynamics,
    /// From commands and measurements to actuators.
    Controller,
    /// From the scene and the vehicle to readings.
    Sensor,
}

impl KindName {
    /// All of them.
    #[cfg(test)]
    pub const ALL: [Self; 4] = [Self::Friction, Self::Dynamics, Self::Controller, Self::Sensor];

    /// The kind that is meant.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Friction => Kind::Friction,
            Self::Dynamics => Kind::Dynamics,
            Self::Controller => Kind::Controller,
            Self::Sensor => Kind::Sensor,
        }
    }
}

/// A language that models are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Rust, with the SDK.
    Rust,
    /// C, with one header.
    C,
}

/// Loads files and reports.
#[derive(Args, Clone, Debug)]
pub struct Probe {
    /// Files.
    pub files: Vec<PathBuf>,
}
