//! Descriptions of the program itself: its version and features, completions of shells, and manual pages.

use clap::CommandFactory;

use crate::arguments::{Completions, Man};
use crate::command_line::Arguments;
use crate::process::{Code, Failure, Process};
use crate::terminal;

/// Features that this program can have, and whether it has them.
const FEATURES: [(&str, bool); 17] = [
    ("families", cfg!(feature = "families")),
    ("https", cfg!(feature = "https")),
    ("gltf", cfg!(feature = "gltf")),
    ("images", cfg!(feature = "images")),
    ("film", cfg!(feature = "film")),
    ("live", cfg!(feature = "live")),
    ("view", cfg!(feature = "view")),
    ("parquet", cfg!(feature = "parquet")),
    ("ros2", cfg!(feature = "ros2")),
    ("fmi", cfg!(feature = "fmi")),
    ("sandbox", cfg!(feature = "sandbox")),
    ("stable-abi", cfg!(feature = "stable-abi")),
    ("urdf", cfg!(feature = "urdf")),
    ("opendrive", cfg!(feature = "opendrive")),
    ("openscenario", cfg!(feature = "openscenario")),
    ("gpu", cfg!(feature = "gpu")),
    ("learned", cfg!(feature = "learned")),
];

/// Returns whether the command line asks for the version with details.
pub fn is_asked_for() -> bool {
    let words = Process::present().words.get(1..).unwrap_or_default();
    let is = |names: [&str; 2]| words.iter().any(|word| names.iter().any(|name| word == name));
    words.len() == 2 && is(["--version", "-V"]) && is(["--verbose", "-v"])
}

/// Prints version, commit, features and target.
pub fn version() -> Result<Code, Failure> {
    let names = |is_on: bool| {
        let names = FEATURES.iter().filter(|(_, on)| *on == is_on).map(|(name, _)| *name);
        let names: Vec<&str> = names.collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    terminal::result(&format!(
        "simhost {}\ncommit: {}\nfeatures: {}\nfeatures left out: {}\ntarget: {}\nprofile: {}\nboundary epoch: {}",
        env!("CARGO_PKG_VERSION"),
        env!("SIMHOST_COMMIT"),
        names(true),
        names(false),
        env!("SIMHOST_TARGET"),
        env!("SIMHOST_PROFILE"),
        simhost_abi::EPOCH,
    ))?;
    Ok(Code::Done)
}

/// Prints the completions of a shell.
pub fn completions(arguments: &Completions) -> Result<Code, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "simhost", &mut text);
    terminal::document(&String::from_utf8_lossy(&text))?;
    Ok(Code::Done)
}

/// Prints the manual page, or writes one page for each verb.
pub fn manual(arguments: &Man) -> Result<Code, Failure> {
    let Some(folder) = &arguments.out else {
        let mut text = Vec::new();
        clap_mangen::Man::new(Arguments::command()).render(&mut text).map_err(unwritten)?;
        terminal::document(&String::from_utf8_lossy(&text))?;
        return Ok(Code::Done);
    };
    std::fs::create_dir_all(folder).map_err(unwritten)?;
    clap_mangen::generate_to(Arguments::command(), folder).map_err(unwritten)?;
    let count = std::fs::read_dir(folder).map_err(unwritten)?.count();
    terminal::result(&format!("{count} pages in {}", folder.display()))?;
    Ok(Code::Done)
}

fn unwritten(error: std::io::Error) -> Failure {
    Failure::new(Code::Output, format!("cannot write the manual: {error}"))
}
