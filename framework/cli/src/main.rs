//! The `simhost` command.
//!
//! Parses the command line, runs one verb, and turns its result into an exit code.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod arguments;
mod catalogue;
mod check;
mod commands;
mod diagnostics;
mod downloads;
mod evidence;
mod exit;
mod guard;
mod hashes;
mod manifest;
mod observer;
mod period;
mod picture;
mod plugin;
mod plugin_name;
mod print;
mod progress;
mod recording;
mod replay;
mod run;
mod schema;
mod snapshots;
mod summary;
mod terminal;
mod watch;

// the built-in families register themselves, but the linker drops crates that are not named
use simhost_commonroad as _;
use simhost_controllers as _;
use simhost_dynamics as _;
use simhost_friction as _;
use simhost_sensors as _;
use simhost_trajectory as _;
use simhost_tyres as _;

use crate::arguments::{Arguments, Verb};
use crate::exit::{Code, Failure};

fn main() -> std::process::ExitCode {
    let arguments = match Arguments::of_process() {
        Ok(arguments) => arguments,
        Err(error) => {
            // help and version go to standard output and are not errors
            let code = if error.use_stderr() { Code::Usage } else { Code::Done };
            let _ = error.print();
            return code.into();
        }
    };
    match perform(&arguments.verb) {
        Ok(code) => code.into(),
        Err(failure) => {
            terminal::error(&failure.text);
            failure.code.into()
        }
    }
}

fn perform(verb: &Verb) -> Result<Code, Failure> {
    match verb {
        Verb::Run(arguments) => run::run(arguments),
        Verb::Replay(arguments) => replay::replay(arguments),
        Verb::Check(arguments) => check::check(arguments),
        Verb::Print(arguments) => print::print(arguments),
        Verb::Schema(arguments) => schema::schema(arguments),
        Verb::Plugin(arguments) => plugin::plugin(arguments),
    }
}
