//! Answer of a program that is built without FMI.

use clap::Args;

use crate::arguments::ModelFmu;
use crate::process::{Code, Failure, Process};

/// Arguments of `simhost fmu`.
#[derive(Args, Clone, Debug)]
pub struct Fmu {
    /// Words for a build with the feature `fmi`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

impl Fmu {
    /// Returns false: no process runs the code of an FMU.
    pub fn is_child(&self) -> bool {
        false
    }
}

/// Does nothing.
pub fn prepare(_: &Process) {}

/// Fails.
pub fn fmu(_: &Fmu) -> Result<Code, Failure> {
    Err(missing("simhost fmu"))
}

/// Fails.
pub fn model_fmu(_: &ModelFmu) -> Result<Code, Failure> {
    Err(missing("simhost plugin fmu"))
}

fn missing(verb: &str) -> Failure {
    let text = format!(
        "this program is built without FMI, which {verb} needs\nhelp: build it with `cargo build --release --features fmi`"
    );
    Failure::new(Code::Usage, text)
}
