//! Arguments of verbs that write FMUs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::kind::KindName;
use super::models::Models;
use super::values::named_value;

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

/// Where and how an FMU is written.
#[derive(Args, Clone, Debug)]
pub struct FmuTarget {
    /// Version of FMI.
    #[arg(long, value_name = "VERSION", default_value = "2")]
    pub fmi: FmiChoice,

    /// FMU to write.
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,

    /// Library that every FMU contains [default: the one next to this program].
    #[arg(long, value_name = "FILE")]
    pub library: Option<PathBuf>,
}

/// Arguments of `simhost plugin fmu`.
#[derive(Args, Clone, Debug)]
pub struct ModelFmu {
    /// Class: its short name, or `vendor/class`.
    pub class: String,

    /// Kind of model, if several kinds have a class with this name.
    #[arg(long)]
    pub kind: Option<KindName>,

    /// Number of the variant of the class, from 1 on.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub variant: usize,

    /// Give a parameter this value instead of its default (repeatable). Files are relative to the working folder.
    #[arg(long, value_name = "NAME=VALUE", value_parser = named_value)]
    pub param: Vec<(String, String)>,

    /// Number of wheels of a vehicle, for ports with a value per wheel of a class that does not declare its wheels.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = wheels)]
    pub wheels: usize,

    /// Suggested communication step, s.
    #[arg(long, value_name = "S", default_value_t = 0.001, value_parser = step)]
    pub step: f64,

    #[command(flatten)]
    pub target: FmuTarget,

    #[command(flatten)]
    pub models: Models,
}

/// Reads a number of wheels.
fn wheels(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=64).contains(number));
    number.ok_or_else(|| "expected a whole number from 1 to 64".to_owned())
}

/// Reads the length of a step.
fn step(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (1e-9..=1e3).contains(number));
    number.ok_or_else(|| "expected seconds, from 1e-9 to 1000".to_owned())
}
