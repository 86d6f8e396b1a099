//! Flags that say which models there are.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use simhost_abi::Kind;

/// Where models come from.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Models")]
pub struct Models {
    /// Directory of plugins; repeatable, searched in the order given. Then come SIMHOST_PLUGIN_PATH,
    /// the user's folder, and what is linked in.
    #[arg(long, value_name = "DIR")]
    pub plugin_dir: Vec<PathBuf>,

    /// Leave linked-in models out: all, or one family (repeatable).
    #[arg(long, value_name = "off[=FAMILY]", value_parser = builtin)]
    pub builtin: Vec<Without>,

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
