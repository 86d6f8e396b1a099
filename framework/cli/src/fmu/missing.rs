//! Answer of a program that is built without FMI.

use clap::Args;

use crate::process::{Code, Failure};

/// Arguments of `simhost fmu`.
#[derive(Args, Clone, Debug)]
pub struct Fmu {
    /// Words for a build with the feature `fmi`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

/// Fails.
pub fn fmu(_: &Fmu) -> Result<Code, Failure> {
    let text = "this program is built without FMI, which simhost fmu needs\nhelp: build it with `cargo build --release \
                --features fmi`";
    Err(Failure::new(Code::Usage, text))
}
