//! `simhost roads`: what an OpenDRIVE network contains, and where a point is on it.

#[cfg(feature = "opendrive")]
mod network;

use std::path::PathBuf;

use clap::Args;

use crate::process::{Code, Failure};

/// Arguments of `simhost roads`.
#[derive(Args, Clone, Debug)]
pub struct ShowRoads {
    /// Road network in OpenDRIVE.
    pub file: PathBuf,

    /// Print the nearest driving lane of a point, m, and with a heading, °, the nearest in this direction (repeatable).
    #[arg(long, value_name = "X,Y[,HEADING]", allow_hyphen_values = true)]
    pub at: Vec<String>,

    /// Picture of the lanes from above to write, `.svg`.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Replace an existing file.
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// Prints what a network contains.
#[cfg(feature = "opendrive")]
pub fn show(arguments: &ShowRoads) -> Result<Code, Failure> {
    network::show(arguments)
}

/// Says that this build reads no road networks.
#[cfg(not(feature = "opendrive"))]
pub fn show(arguments: &ShowRoads) -> Result<Code, Failure> {
    let file = arguments.file.display();
    let text = format!(
        "{file}: this build of simhost reads no road networks\nhelp: build it with the feature `opendrive`, or with \
         `full`"
    );
    Err(Failure::new(Code::Usage, text))
}
