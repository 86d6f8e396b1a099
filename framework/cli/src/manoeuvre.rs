//! `simhost manoeuvre`: drives a car through a standard manoeuvre.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use quick_xml::escape::escape;
use simhost::manoeuvres::{Manoeuvre, ManoeuvreReport, USUAL_STEERING_RATIO};
use simhost::{Error, Options, Session};
use simhost_registry::Catalogue;
use simhost_world::{LoadOptions, Loaded, load_text};

use crate::arguments::{Models, Run};
use crate::process::{Code, Failure};
use crate::recording::Recording;
use crate::stepping::{self, Extent};
use crate::{catalogue, diagnostics, failures, opening, run, run_reader, terminal, vehicle};

/// Arguments of `simhost manoeuvre`.
#[derive(Args, Clone, Debug)]
pub struct DriveManoeuvre {
    /// Standard: ISO-4138, ISO-7401, ISO-3888-1, ISO-3888-2, ISO-14512 or sine-with-dwell.
    pub name: String,

    /// File with a `<vehicle:class>` of a car.
    #[arg(long, value_name = "FILE")]
    pub vehicle: PathBuf,

    /// Name of the class, if the file declares several.
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,

    /// Argument of the file, which it reads as `${NAME}` (repeatable).
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = crate::arguments::argument)]
    pub arguments: Vec<(String, String)>,

    /// Initial speed, km/h.
    #[arg(long, value_name = "KMH", value_parser = crate::arguments::positive)]
    pub speed: Option<f64>,

    /// Angle of the steering wheel for one of the road wheels, which limits the amplitudes of sine-with-dwell.
    #[arg(long, value_name = "RATIO", default_value_t = USUAL_STEERING_RATIO, value_parser = crate::arguments::positive)]
    pub steering_ratio: f64,

    /// Output directory for the run of the result, with the files of `simhost run`, and the report.
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Write to the output directory even if it has files that no run of simhost has written.
    #[arg(long, requires = "out")]
    pub force: bool,

    #[command(flatten)]
    pub models: Models,
}

/// Controller that a driver can use.
const PEDALS: &str = "pedals";
/// Quantities of the run in addition to the quantities of every run.
const RECORDED: [&str; 5] = [
    "*/longitudinal_acceleration",
    "*/lateral_acceleration",
    "*/sideslip",
    "*/wheel/*/slip_angle",
    "*/controller/*",
];

/// Drives the car of a vehicle file, and prints the metrics.
pub fn drive(arguments: &DriveManoeuvre) -> Result<Code, Failure> {
    let manoeuvre = named(&arguments.name)?;
    let catalogue = catalogue::collect(&arguments.models)?;
    let loaded = load(manoeuvre, arguments, &catalogue)?;
    let report = manoeuvre.run(&loaded.world, arguments.steering_ratio).map_err(failure)?;
    terminal::result(report.table().trim_end())?;
    if let Some(folder) = &arguments.out {
        record(&report, folder, arguments, loaded, catalogue)?;
    }
    let holds = report.metrics.iter().all(|metric| metric.holds != Some(false));
    Ok(if holds { Code::Done } else { Code::Negative })
}

fn failure(error: Error) -> Failure {
    let help = match &error {
        Error::Manoeuvre { .. } => {
            "help: choose another speed with --speed, or correct the vehicle"
        }
        Error::Undrivable { .. } => {
            "help: write <controller class=\"pedals\"/> in the <dynamics> of the class, which can be `ackermann`, \
             `ackermann_drivetrain` or `ackermann_powertrain`, or use a controller of a plugin that \
             takes one of these commands"
        }
        _ => return diagnostics::session_failure(error),
    };
    Failure::new(Code::BadInput, format!("{error}\n{help}"))
}

/// Loads the world of the manoeuvre. A car that has `pedals`, and another controller that no driver can use, gets `pedals`.
fn load(
    manoeuvre: Manoeuvre,
    arguments: &DriveManoeuvre,
    catalogue: &Catalogue,
) -> Result<Loaded, Failure> {
    let file = &arguments.vehicle;
    let class = vehicle::class_of(file, arguments.class.as_deref())?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let include = vehicle::include(file, &arguments.arguments);
    let path = folder.join(format!("{}.world.xml", manoeuvre.name()));
    let speed = arguments.speed.map_or(manoeuvre.usual_speed(), |speed| speed / 3.6);
    let options = LoadOptions { flatten: arguments.out.is_some(), ..LoadOptions::default() };
    let with = |controller: Option<&str>| {
        let content = manoeuvre.world(&include, &escape(&class), speed, controller);
        load_text(&path, content.as_bytes(), &options, catalogue)
    };
    let loaded = with(None).map_err(|error| diagnostics::load_failure(&error))?;
    diagnostics::show(&loaded.warnings, &loaded.sources);
    if Manoeuvre::can_drive(&loaded.world) {
        return Ok(loaded);
    }
    // its warnings are those of before, and one about the place of the controller
    let Some(other) = with(Some(PEDALS)).ok().filter(|one| Manoeuvre::can_drive(&one.world)) else {
        return Ok(loaded);
    };
    let own = loaded.world.vehicles.first().map_or("", |one| one.controller.model.id());
    terminal::remark(&format!(
        "the controller `{PEDALS}` drives the car in place of its own, `{own}`"
    ));
    Ok(other)
}

/// Repeats the run of a report in a folder, with the files of `simhost run` and the report.
fn record(
    report: &ManoeuvreReport,
    folder: &Path,
    arguments: &DriveManoeuvre,
    loaded: Loaded,
    catalogue: Catalogue,
) -> Result<(), Failure> {
    let as_run = as_run(folder, arguments)?;
    let options = Options {
        seed: Some(0),
        out: opening::out(&as_run, None),
        observer_folder: Some(folder.to_owned()),
        ..Options::default()
    };
    let mut session = Session::from_loaded(loaded, catalogue, options).map_err(opening::failure)?;
    session.edit().set_commands(report.run.commands.clone()).map_err(opening::failure)?;
    session.record().begin().map_err(opening::failure)?;
    let mut recording = Recording::new(&as_run, &session, false)?;
    let file = folder.join(format!("{}.md", report.manoeuvre.name()));
    let files: Vec<_> = recording.path().into_iter().chain([file.clone()]).collect();
    session.record().announce(&files).map_err(opening::failure)?;
    let steps = Some(report.run.commands.len() as u64);
    let extent = Extent { steps, has_end: true, is_open: false };
    let ended = stepping::simulate(&mut session, extent, &mut recording, |_| ())
        .map_err(|error| failures::of_run(error, &recording, Some(folder)));
    let (written, _) = run::close(recording, &mut session, &ended, Some(folder))?;
    ended?;
    terminal::result(&format!("{} files in {}", written.len(), folder.display()))?;
    run_reader::write(&file, report.table().as_bytes())
}

/// Returns the arguments of a run that writes to a folder.
fn as_run(folder: &Path, arguments: &DriveManoeuvre) -> Result<Run, Failure> {
    let mut words: Vec<OsString> = ["simhost", "run", "-", "--out"].map(OsString::from).to_vec();
    words.push(folder.into());
    for pattern in RECORDED {
        words.extend(["--record".into(), pattern.into()]);
    }
    if arguments.force {
        words.push("--force".into());
    }
    let run = Run::parse(words).map_err(|error| Failure::new(Code::Usage, error))?;
    Ok(Run { models: arguments.models.clone(), ..run })
}

fn named(name: &str) -> Result<Manoeuvre, Failure> {
    let mut all = Manoeuvre::ALL.into_iter();
    all.find(|one| one.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
        let names = Manoeuvre::ALL.map(Manoeuvre::name).join(", ");
        Failure::new(Code::Usage, format!("unknown manoeuvre `{name}`; expected one of: {names}"))
    })
}
