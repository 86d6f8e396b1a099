//! `simhost scenario`: runs a scenario in OpenSCENARIO XML.

#[cfg(feature = "openscenario")]
mod play;
#[cfg(feature = "openscenario")]
mod study;

use std::path::PathBuf;

use clap::Args;

use crate::arguments::Models;
use crate::process::{Code, Failure};

/// Arguments of `simhost scenario`.
#[derive(Args, Clone, Debug)]
pub struct RunScenario {
    /// Scenario in OpenSCENARIO XML, `.xosc`, or a distribution of its parameters, whose runs are all made.
    pub file: PathBuf,

    /// Entity that a vehicle file drives, such as ego=car.vehicle.xml (repeatable).
    #[arg(long = "vehicle", value_name = "ENTITY=FILE", value_parser = crate::arguments::argument)]
    pub vehicles: Vec<(String, String)>,

    /// Value of a parameter that the scenario declares (repeatable).
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = crate::arguments::argument)]
    pub parameters: Vec<(String, String)>,

    /// Largest simulated time, s.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = crate::arguments::positive)]
    pub duration: f64,

    /// Length of a step, s.
    #[arg(long, value_name = "S", default_value_t = 0.005, value_parser = crate::arguments::positive)]
    pub step: f64,

    /// Output directory for the files of `simhost run`; of a distribution, for a table and a folder for each run.
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Write to the output directory even if it has files that no run of simhost has written.
    #[arg(long, requires = "out")]
    pub force: bool,

    #[command(flatten)]
    pub models: Models,
}

/// Runs a scenario and prints what happened.
#[cfg(feature = "openscenario")]
pub fn run(arguments: &RunScenario) -> Result<Code, Failure> {
    let text = simhost_files::read_text(&arguments.file, simhost_files::MAX_BYTES);
    match text.ok().and_then(|text| simhost_openscenario::ScenarioRuns::read(&text).transpose()) {
        None => play::play(arguments),
        Some(Ok(runs)) => study::run(arguments, &runs),
        Some(Err(error)) => {
            Err(Failure::new(Code::BadInput, error.in_file(arguments.file.display())))
        }
    }
}

/// Reports that this build reads no scenarios.
#[cfg(not(feature = "openscenario"))]
pub fn run(arguments: &RunScenario) -> Result<Code, Failure> {
    let file = arguments.file.display();
    let text = format!(
        "{file}: this build of simhost reads no scenarios\nhelp: build it with the feature `openscenario`, or with `full`"
    );
    Err(Failure::new(Code::Usage, text))
}
