//! The command line, parsed with clap.

use std::ffi::OsStr;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::arguments::{
    AskRos2, Completions, Display, ExportPage, Man, Play, Run, Top, View, WritePage, choice,
    words_before_verb,
};
use crate::check::Check;
use crate::diff::Diff;
use crate::export::ExportData;
use crate::film::Film;
use crate::fmu::Fmu;
use crate::import::ImportRobot;
use crate::later::Later;
use crate::manoeuvre::DriveManoeuvre;
use crate::new_world::{Demo, NewWorld};
use crate::plot::Plot;
use crate::plugin::{Plugin, ReplayFile};
use crate::process::Process;
use crate::quantities::ListQuantities;
use crate::recover::Recover;
use crate::report::Report;
use crate::rerun::Rerun;
use crate::roads::ShowRoads;
use crate::scenario::RunScenario;
use crate::schema::Schema;
use crate::sense::Sense;
use crate::streams::ListStreams;
use crate::sweep::Sweep;
use crate::test::Test;
use crate::vehicle::DescribeVehicle;
use crate::world_file::Print;

const AFTER_HELP: &str = "\
Examples:
  simhost worlds/demo.world.xml --out out/demo
  simhost check worlds/*.world.xml
  simhost print worlds/demo.world.xml > flat.world.xml
  simhost schema --markdown
  simhost rerun out/demo
  simhost plugin list

Exit codes: 0 done, 1 results differ or tests fail, 2 usage, 10 diverged, 11 plugin fault, 12 bad input, 13 output cannot be written, \
14 no GPU, 15 out of memory, 101 defect of simhost, 130 interrupted.";

const USAGE: &str = "simhost [run] WORLD [OPTIONS]\n       simhost VERB [ARGUMENTS]";

/// Simulates ground vehicles and mobile robots.
#[derive(Debug, Parser)]
#[command(name = "simhost", version, about, override_usage = USAGE, after_help = AFTER_HELP)]
#[command(arg_required_else_help = true, subcommand_help_heading = "Verbs")]
#[command(subcommand_value_name = "VERB")]
pub struct Arguments {
    /// Verb.
    #[command(subcommand)]
    pub verb: Verb,

    #[command(flatten)]
    pub display: Display,
}

/// Verbs of the command line.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Run a world. This is the default verb and can be omitted.
    Run(Later<Run>),
    /// Repeat a recorded run and compare its result hash.
    Rerun(Later<Rerun>),
    /// Repeat the call in which a model faulted. The present name is `plugin replay`.
    #[command(hide = true)]
    Replay(Later<ReplayFile>),
    /// Play a recorded run to live clients.
    #[cfg_attr(
        not(feature = "live"),
        command(
            about = "Play a recorded run to live clients [needs a build with the feature `live`]"
        )
    )]
    Play(Later<Play>),
    /// Show a run or a recorded run in a browser: drive, plot and edit.
    #[cfg_attr(
        not(feature = "view"),
        command(about = "Show a run in a browser [needs a build with the feature `view`]")
    )]
    View(Later<View>),
    /// Write a recorded run as one HTML file that shows it in a browser.
    #[cfg_attr(
        not(feature = "view"),
        command(
            about = "Write a recorded run as one HTML file that shows it [needs a build with the feature `view`]"
        )
    )]
    ExportPage(Later<ExportPage>),
    /// Write the simulator as a folder of static files, which runs worlds in a browser tab.
    #[cfg_attr(
        not(feature = "view"),
        command(
            about = "Write the simulator as a page that runs worlds in a tab [needs a build with the feature `view`]"
        )
    )]
    Page(Later<WritePage>),
    /// Show the vehicles, the pace and the faults of a run with --live in a terminal.
    #[cfg_attr(
        not(feature = "live"),
        command(
            about = "Show a run with --live in a terminal [needs a build with the feature `live`]"
        )
    )]
    Top(Later<Top>),
    /// Report all errors of worlds without running them.
    Check(Later<Check>),
    /// Run worlds and compare their quantities with the expectations of test files.
    Test(Later<Test>),
    /// List the quantities of a world: name, unit, scope, source and description.
    Quantities(Later<ListQuantities>),
    /// List the streams of a world: name, direction, message, rate, source and fields.
    Streams(Later<ListStreams>),
    /// List the ROS 2 topics of a world, and write the package of simhost's own messages.
    #[cfg_attr(not(feature = "ros2"), command(about = crate::arguments::ros2::UNAVAILABLE))]
    Ros2(Later<AskRos2>),
    /// Plot quantities of runs over time or against each other, or the paths of vehicles.
    Plot(Later<Plot>),
    /// Write one HTML file about runs: data sheets, metrics, tracks, charts, sensors, events.
    Report(Later<Report>),
    /// Write a film of runs from above: GIF, MP4 or PNG files.
    #[cfg_attr(
        not(feature = "film"),
        command(about = "Write a film of runs from above [needs a build with the feature `film`]")
    )]
    Film(Later<Film>),
    /// Print a world as one flat file, with includes, loops and expressions resolved.
    Print(Later<Print>),
    /// Write one reading of a sensor, and pictures of it.
    Sense(Later<Sense>),
    /// Drive a car through a standard manoeuvre, and print the metrics of the standard.
    Manoeuvre(Later<DriveManoeuvre>),
    /// Print the data sheet of a vehicle: masses, frequencies, understeer gradient.
    Vehicle(Later<DescribeVehicle>),
    /// Write a robot in URDF or SDF as a vehicle file, and list what has no effect.
    #[cfg_attr(
        not(feature = "urdf"),
        command(
            about = "Write a robot in URDF or SDF as a vehicle file [needs a build with the feature `urdf`]"
        )
    )]
    Import(Later<ImportRobot>),
    /// Print what a road network in OpenDRIVE contains, and where a point is on it.
    #[cfg_attr(
        not(feature = "opendrive"),
        command(
            about = "Describe a road network in OpenDRIVE [needs a build with the feature `opendrive`]"
        )
    )]
    Roads(Later<ShowRoads>),
    /// Run a scenario in OpenSCENARIO XML around vehicles of files.
    #[cfg_attr(
        not(feature = "openscenario"),
        command(
            about = "Run a scenario in OpenSCENARIO XML [needs a build with the feature `openscenario`]"
        )
    )]
    Scenario(Later<RunScenario>),
    /// Run a study: many runs of one world with different values, one row per run.
    Sweep(Later<Sweep>),
    /// Compare two runs: the first difference, and the largest of each quantity.
    Diff(Later<Diff>),
    /// Complete the MCAP files of a run that was killed.
    Recover(Later<Recover>),
    /// Write the readings of a run in the layout of KITTI or EuRoC.
    Export(Later<ExportData>),
    /// Write a world as an FMU for co-simulation in other tools.
    #[cfg_attr(
        not(feature = "fmi"),
        command(about = "Write a world as an FMU [needs a build with the feature `fmi`]")
    )]
    Fmu(Later<Fmu>),
    /// Print the schema of world files as XML Schema, JSON or Markdown.
    Schema(Later<Schema>),
    /// List, describe, create, test and time plugins.
    Plugin(Later<Plugin>),
    /// Write and run a world that is part of the program, and say what to open.
    Demo(Later<Demo>),
    /// Write a world to start from: a robot, a map if there is one, or a car.
    New(Later<NewWorld>),
    /// Print the completions of a shell: bash, elvish, fish, powershell or zsh.
    Completions(Later<Completions>),
    /// Print the manual page, or write one for each verb.
    Man(Later<Man>),
}

impl Arguments {
    /// Parses the words of the command line. If the first one is not a verb, `run` is inserted.
    ///
    /// # Errors
    /// Returns clap's error for invalid arguments, and for `--help` and `--version`.
    pub fn of_process() -> Result<Self, clap::Error> {
        let mut words = Process::present().words.clone();
        let at = 1 + words_before_verb(&words[1..]);
        if let Some(first) = words.get(at) {
            match meaning(first) {
                First::Verb => {}
                First::Run => words.insert(at, "run".into()),
                First::Misspelt(error) => return Err(*error),
            }
        }
        let command = Self::command().color(choice(&words));
        let mut matches = command.try_get_matches_from(words)?;
        Self::from_arg_matches_mut(&mut matches)
    }
}

/// Meaning of the first argument.
enum First {
    /// A verb, or a request for help or the version.
    Verb,
    /// A world file or an option of `run`.
    Run,
    /// A word that is neither a verb nor a file.
    Misspelt(Box<clap::Error>),
}

fn meaning(first: &OsStr) -> First {
    let Some(word) = first.to_str() else { return First::Run };
    let requests = ["help", "-h", "--help", "-V", "--version"];
    if Verb::has_subcommand(word) || requests.contains(&word) {
        return First::Verb;
    }
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    if !is_word || Path::new(word).exists() {
        return First::Run;
    }
    // only the error needs the whole command line, which takes longer than reading a small world
    let mut command = Arguments::command();
    command.build();
    let shown = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    let verbs: Vec<&str> = shown.map(clap::Command::get_name).collect();
    let hint = match simhost_model::nearest(word, verbs.iter().copied()) {
        Some(verb) => format!("did you mean `{verb}`?"),
        None => format!("expected a world file or one of the verbs {}", verbs.join(", ")),
    };
    let message = format!("unknown verb or missing file: `{word}`\n\nhelp: {hint}");
    First::Misspelt(Box::new(command.error(ErrorKind::InvalidSubcommand, message)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn words_that_name_nothing_are_misspelt_verbs() {
        for verb in ["run", "check", "print", "help", "--help", "-V"] {
            assert!(matches!(meaning(OsStr::new(verb)), First::Verb), "{verb}");
        }
        for of_run in ["--lenient", "a.world.xml", "dir/a", ""] {
            assert!(matches!(meaning(OsStr::new(of_run)), First::Run), "{of_run}");
        }
        for (word, hint) in
            [("chekc", "did you mean `check`?"), ("velocity", "one of the verbs run, rerun, play")]
        {
            match meaning(OsStr::new(word)) {
                First::Misspelt(error) => assert!(error.to_string().contains(hint), "{error}"),
                _ => panic!("`{word}` was accepted"),
            }
        }
    }
}
