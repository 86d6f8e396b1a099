//! `simhost plugin`: what is asked of plugins.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Bench, CheckPlugin, Job, Models};

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

/// Loads files and reports.
#[derive(Args, Clone, Debug)]
pub struct Probe {
    /// Files.
    pub files: Vec<PathBuf>,
}
