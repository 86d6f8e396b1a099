//! Options that decide which models are available.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use simhost_abi::Kind;

/// Options that decide which models are available.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Models")]
pub struct Models {
    /// Directory with plugins (repeatable). Searched in the order given, before SIMHOST_PLUGIN_PATH,
    /// the plugin folder of the user, and the built-in models.
    #[arg(long, value_name = "DIR")]
    pub plugin_dir: Vec<PathBuf>,

    /// File with models in Python (repeatable), for the program of the Python package.
    #[arg(long, value_name = "FILE")]
    pub python: Vec<PathBuf>,

    /// Disable all built-in models, or those of one family: friction, dynamics, controllers,
    /// sensors, actuators, environments or observers (repeatable).
    #[arg(long, value_name = "off[=FAMILY]", value_parser = builtin)]
    pub builtin: Vec<Without>,

    /// Report where plugins were searched and what was found.
    #[arg(short, long)]
    pub verbose: bool,
}

/// Built-in models that are disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// All built-in models.
    All,
    /// The built-in models of one kind.
    Kind(Kind),
}

impl std::fmt::Display for Without {
    /// Writes the value of the option.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self::Kind(kind) = self else { return f.write_str("off") };
        let of_kind = |family: &&Family| family.kind() == *kind;
        let family = Family::value_variants().iter().find(of_kind);
        let value = family.and_then(Family::to_possible_value);
        write!(f, "off={}", value.as_ref().map_or("", |value| value.get_name()))
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Family {
    Friction,
    Dynamics,
    Controllers,
    Sensors,
    Actuators,
    Environments,
    Observers,
}

impl Family {
    fn kind(self) -> Kind {
        match self {
            Self::Friction => Kind::Friction,
            Self::Dynamics => Kind::Dynamics,
            Self::Controllers => Kind::Controller,
            Self::Sensors => Kind::Sensor,
            Self::Actuators => Kind::Actuator,
            Self::Environments => Kind::Environment,
            Self::Observers => Kind::Observer,
        }
    }
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
        "unknown family; expected friction, dynamics, controllers, sensors, actuators, environments or \
         observers"
            .to_string()
    })?;
    Ok(Without::Kind(family.kind()))
}
