//! The simhost command.
//!
//! Parses the command line, runs one verb, and turns what comes back into an exit code.

mod arguments;
mod catalogue;
mod exit;
mod observer;
mod progress;
mod run;
mod summary;
mod terminal;

// the built-in families register themselves; without a mention the linker drops them
use simhost_controllers as _;
use simhost_dynamics as _;
use simhost_friction as _;
use simhost_sensors as _;

use clap::Parser;

use crate::arguments::{Arguments, Verb};

fn main() -> std::process::ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // help and version are printed to standard output and are no error
            let code = if error.use_stderr() { exit::Code::Usage } else { exit::Code::Done };
            let _ = error.print();
            return code.into();
        }
    };
    let result = match arguments.verb() {
        Verb::Run(run) => run::run(&run),
    };
    match result {
        Ok(code) => code.into(),
        Err(failure) => {
            terminal::error(&failure.text);
            failure.code.into()
        }
    }
}
