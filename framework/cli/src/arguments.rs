//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use simhost_abi::Kind;

/// Simulates ground vehicles and mobile robots.
#[derive(Debug, Parser)]
#[command(name = "simhost", version, about, args_conflicts_with_subcommands = true)]
#[command(arg_required_else_help = true)]
#[command(after_help = "Exit codes: 0 done, 2 usage, 10 diverged, 11 plugin fault, 12 bad input, \
    13 output cannot be written, 130 interrupted.")]
pub struct Arguments {
    #[command(subcommand)]
    verb: Option<Subcommands>,
    #[command(flatten)]
    run: Option<Run>,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// Runs a world (the verb may be left out).
    Run(Run),
}

/// What is to be done.
pub enum Verb {
    /// Run a world.
    Run(Run),
}

impl Arguments {
    /// The verb; `run` when none is given.
    pub fn verb(self) -> Verb {
        match (self.verb, self.run) {
            (Some(Subcommands::Run(run)), _) | (None, Some(run)) => Verb::Run(run),
            // clap shows the help when there is neither
            (None, None) => unreachable!("clap requires an argument"),
        }
    }
}

/// Runs a world.
#[derive(Args, Clone, Debug)]
pub struct Run {
    /// World file.
    pub world: PathBuf,

    /// Directory of plugins; repeatable, searched in the order given, then SIMHOST_PLUGIN_PATH.
    #[arg(long, value_name = "DIR")]
    pub plugin_dir: Vec<PathBuf>,

    /// Leave linked-in models out: all, or one family (repeatable).
    #[arg(long, value_name = "off[=FAMILY]", value_parser = builtin)]
    pub builtin: Vec<Without>,

    /// Simulated time, s [default: the world's, else 10].
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub duration: Option<f64>,

    /// Directory for trajectory.csv, odometry.csv, wheels.csv, trajectory.svg and a file for each
    /// sensor.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Time between rows of the output, s [default: each step].
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub log_period: Option<f64>,

    /// Commands: csv rows `time_s,vehicle,kind,v1[,v2...]`.
    #[arg(long, value_name = "FILE")]
    pub commands: Option<PathBuf>,

    /// Seed of every random draw [default: the world's, else 0].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Threads; the results do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    /// Unknown tags and attributes are warnings instead of errors.
    #[arg(long)]
    pub lenient: bool,

    /// Whose numbers are wanted: mvsim-1.2, or corrected (the default).
    #[arg(long, value_name = "PROFILE")]
    pub compat: Option<String>,

    /// Say more: where plugins were looked for, and what was found.
    #[arg(short, long)]
    pub verbose: bool,
}

/// Linked-in models that are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// All of them.
    All,
    /// One kind.
    Kind(Kind),
}

#[derive(Clone, Copy, ValueEnum)]
enum Family {
    Friction,
    Dynamics,
    Controllers,
    Sensors,
}

fn builtin(text: &str) -> Result<Without, String> {
    let Some(family) = text.strip_prefix("off") else {
        return Err("expected `off` or `off=FAMILY`".into());
    };
    let Some(family) = family.strip_prefix('=') else {
        return if family.is_empty() {
            Ok(Without::All)
        } else {
            Err("expected `off` or `off=FAMILY`".into())
        };
    };
    let family = Family::from_str(family, true).map_err(|_| {
        "unknown family; there are friction, dynamics, controllers and sensors".to_string()
    })?;
    Ok(Without::Kind(match family {
        Family::Friction => Kind::Friction,
        Family::Dynamics => Kind::Dynamics,
        Family::Controllers => Kind::Controller,
        Family::Sensors => Kind::Sensor,
    }))
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        _ => Err("expected a number of seconds greater than 0".into()),
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
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Arguments::command().debug_assert();
    }
}
