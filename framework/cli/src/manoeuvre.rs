//! `simhost manoeuvre`: drives a car through a standard manoeuvre, or through all of them.

mod series;
mod trailers;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use quick_xml::escape::escape;
use simhost::manoeuvres::{Manoeuvre, ManoeuvreReport, ManoeuvreSettings, USUAL_STEERING_RATIO};
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
#[command(after_long_help = list())]
pub struct DriveManoeuvre {
    /// Name of a manoeuvre, such as ISO-7401, or `all` for one report of all manoeuvres. `--help` lists them.
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

    /// Setting of the manoeuvre, in the unit that `--help` lists (repeatable).
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub settings: Vec<(String, f64)>,

    /// Initial speed, km/h; several, separated by commas, are driven one after the other.
    #[arg(long, value_name = "KMH", value_delimiter = ',', value_parser = crate::arguments::positive)]
    pub speed: Vec<f64>,

    /// Number of runs at each speed, with the seeds 0, 1, …; the report has means with intervals of 95 %.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: u32,

    /// File with a `<vehicle:class>` of a trailer behind the vehicle, or behind the trailer before (repeatable).
    #[arg(long = "trailer", value_name = "FILE")]
    pub trailers: Vec<PathBuf>,

    /// Place of the coupling of each trailer, m ahead of the reference point of the unit that tows it and of the trailer
    /// (repeatable), such as -1,2.4.
    #[arg(long = "hitch", value_name = "TOWING,TRAILER", value_parser = trailers::hitch, allow_hyphen_values = true)]
    pub hitches: Vec<[f64; 2]>,

    /// Angle of the steering wheel for one of the road wheels.
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

/// Name that stands for all manoeuvres.
const ALL: &str = "all";

/// Parses NAME=VALUE with a number.
fn setting(text: &str) -> Result<(String, f64), String> {
    let pair = text.split_once('=');
    let value = pair.and_then(|(name, value)| Some((name, value.parse::<f64>().ok()?)));
    let value = value.filter(|(_, value)| value.is_finite());
    value.map_or_else(
        || Err("expected NAME=VALUE with a number, such as radius=60".to_owned()),
        |(name, value)| Ok((name.to_owned(), value)),
    )
}

/// Returns the list of all manoeuvres and their settings for the help.
fn list() -> String {
    let mut text = "Manoeuvres, with their usual speeds and settings:\n".to_owned();
    for one in Manoeuvre::ALL {
        let kmh = 3.6 * one.usual_speed();
        let _ = writeln!(text, "  {:<17}{}, {kmh:.0} km/h", one.name(), one.title());
        let _ = writeln!(text, "  {:<17}({})", "", one.source());
        for setting in one.settings() {
            let (name, default, unit) = (setting.name, setting.default, setting.unit);
            let unit = if unit == "1" { String::new() } else { format!(" ({unit})") };
            let _ = writeln!(text, "  {:<19}--set {name}={default}{unit}: {}", "", setting.meaning);
        }
    }
    text
}

/// Drives the car of a vehicle file, and prints the metrics.
pub fn drive(arguments: &DriveManoeuvre) -> Result<Code, Failure> {
    let catalogue = catalogue::collect(&arguments.models)?;
    if arguments.name.eq_ignore_ascii_case(ALL) {
        return drive_all(arguments, &catalogue);
    }
    let manoeuvre = named(&arguments.name)?;
    if manoeuvre.needs_trailer() && arguments.trailers.is_empty() {
        let text = format!(
            "{} needs a trailer\nhelp: name it with --trailer FILE, and its coupling with --hitch TOWING,TRAILER",
            manoeuvre.name()
        );
        return Err(Failure::new(Code::Usage, text));
    }
    if arguments.speed.len() > 1 || arguments.repeat > 1 {
        return series::drive(manoeuvre, arguments, &catalogue);
    }
    let drive = SingleDrive { manoeuvre, kmh: arguments.speed.first().copied(), seed: 0 };
    let loaded = load(drive, arguments, &catalogue, true)?;
    let settings = settings(drive, arguments);
    let report = manoeuvre.run(&loaded.world, &settings).map_err(failure)?;
    terminal::result(report.table().trim_end())?;
    if let Some(folder) = &arguments.out {
        let files = record(&report, 0, folder, arguments, loaded, catalogue)?;
        terminal::result(&format!("{files} files in {}", folder.display()))?;
    }
    Ok(verdict(&report))
}

fn verdict(report: &ManoeuvreReport) -> Code {
    let holds = report.metrics.iter().all(|metric| metric.holds != Some(false));
    if holds { Code::Done } else { Code::Negative }
}

/// A manoeuvre at a speed.
#[derive(Clone, Copy)]
struct SingleDrive {
    manoeuvre: Manoeuvre,
    /// Speed, km/h; the usual one if it is not given.
    kmh: Option<f64>,
    /// Seed of all random numbers.
    seed: u64,
}

/// Returns the settings of a drive; of all manoeuvres, each has only its own.
fn settings(drive: SingleDrive, arguments: &DriveManoeuvre) -> ManoeuvreSettings {
    let is_all = arguments.name.eq_ignore_ascii_case(ALL);
    let has = |name: &str| drive.manoeuvre.settings().iter().any(|one| one.name == name);
    let mut values = arguments.settings.clone();
    values.retain(|(name, _)| !is_all || has(name));
    ManoeuvreSettings { steering_ratio: arguments.steering_ratio, values, seed: drive.seed }
}

/// Drives through all manoeuvres, and prints one report. A manoeuvre without a result is part of the report.
fn drive_all(arguments: &DriveManoeuvre, catalogue: &Catalogue) -> Result<Code, Failure> {
    check_all(arguments)?;
    let (mut rows, mut without, mut code) = (String::new(), String::new(), Code::Done);
    let (mut names, mut files) = (0, 1);
    let is_driven = |one: &Manoeuvre| !one.needs_trailer() || !arguments.trailers.is_empty();
    let all: Vec<_> = Manoeuvre::ALL.into_iter().filter(is_driven).collect();
    for (at, manoeuvre) in all.iter().copied().enumerate() {
        let drive = SingleDrive { manoeuvre, kmh: None, seed: 0 };
        let loaded = load(drive, arguments, catalogue, at == 0)?;
        match manoeuvre.run(&loaded.world, &settings(drive, arguments)) {
            Ok(report) => {
                names += 1;
                add_rows(&mut rows, &report);
                if verdict(&report) == Code::Negative {
                    code = Code::Negative;
                }
                if let Some(folder) = &arguments.out {
                    let own = folder.join(manoeuvre.name());
                    files += record(&report, 0, &own, arguments, loaded, catalogue.clone())?;
                }
            }
            Err(error @ Error::Manoeuvre { .. }) => {
                let _ = writeln!(without, "* {error}");
            }
            Err(error) => return Err(failure(error)),
        }
    }
    let mut text = format!("# {names} of {} manoeuvres\n\n{ALL_HEADING}{rows}", all.len());
    if !without.is_empty() {
        let _ = write!(text, "\nWithout a result:\n\n{without}");
    }
    terminal::result(text.trim_end())?;
    if let Some(folder) = &arguments.out {
        run_reader::write(&folder.join("all.md"), text.as_bytes())?;
        terminal::result(&format!("{files} files in {}", folder.display()))?;
    }
    Ok(code)
}

/// Checks the options of a report of all manoeuvres.
fn check_all(arguments: &DriveManoeuvre) -> Result<(), Failure> {
    let wrong = |text| Err(Failure::new(Code::Usage, text));
    if !arguments.speed.is_empty() {
        return wrong("`all` drives at the usual speeds; expected no --speed".to_owned());
    }
    if arguments.repeat > 1 {
        return wrong("`all` drives once through each manoeuvre; expected no --repeat".to_owned());
    }
    for (name, _) in &arguments.settings {
        let mut all = Manoeuvre::ALL.iter().flat_map(|one| one.settings());
        if !all.any(|one| one.name == name) {
            return wrong(format!(
                "no manoeuvre has the setting `{name}`\nhelp: `simhost manoeuvre --help` lists them"
            ));
        }
    }
    Ok(())
}

const ALL_HEADING: &str =
    "| Manoeuvre | Speed, km/h | Metric | Value | Unit | Limit |\n|---|---|---|---|---|---|\n";

fn add_rows(rows: &mut String, report: &ManoeuvreReport) {
    let (manoeuvre, kmh) = (report.manoeuvre.name(), 3.6 * report.speed);
    for one in &report.metrics {
        let (name, value, unit) = (one.name, one.text(), one.unit);
        let verdict = one.verdict();
        let _ =
            writeln!(rows, "| {manoeuvre} | {kmh:.0} | {name} | {value} | {unit} | {verdict} |");
    }
    if let Some(time) = report.spun {
        let _ = writeln!(rows, "| {manoeuvre} | {kmh:.0} | spin at | {time:.4} | s |  |");
    }
}

fn failure(error: Error) -> Failure {
    let help = match &error {
        Error::Manoeuvre { .. } => {
            "help: choose another speed with --speed, or correct the vehicle"
        }
        Error::ManoeuvreSetting { .. } => "help: `simhost manoeuvre --help` lists the settings",
        Error::Undrivable { .. } => {
            "help: write <controller class=\"pedals\"/> in the <dynamics> of the class, which can be `ackermann`, \
             `ackermann_drivetrain` or `ackermann_powertrain`, or use a controller of a plugin that \
             takes one of these commands"
        }
        _ => return diagnostics::session_failure(error),
    };
    Failure::new(Code::BadInput, format!("{error}\n{help}"))
}

/// Loads the world of the manoeuvre, and shows its warnings if it `reports`. A car that has `pedals`, and another controller that no driver can use, gets `pedals`.
fn load(
    drive: SingleDrive,
    arguments: &DriveManoeuvre,
    catalogue: &Catalogue,
    reports: bool,
) -> Result<Loaded, Failure> {
    let (file, manoeuvre) = (&arguments.vehicle, drive.manoeuvre);
    let class = vehicle::class_of(file, arguments.class.as_deref())?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let include = vehicle::include(file, &arguments.arguments);
    let path = folder.join(format!("{}.world.xml", manoeuvre.name()));
    let speed = drive.kmh.map_or(manoeuvre.usual_speed(), |speed| speed / 3.6);
    let trailers = trailers::trailers(arguments)?;
    let options = LoadOptions { flatten: arguments.out.is_some(), ..LoadOptions::default() };
    let with = |controller: Option<&str>| {
        let content = manoeuvre.world(&include, &escape(&class), speed, controller, &trailers);
        load_text(&path, content.as_bytes(), &options, catalogue)
    };
    let loaded = with(None).map_err(|error| diagnostics::load_failure(&error))?;
    if reports {
        diagnostics::show(&loaded.warnings, &loaded.sources);
    }
    if Manoeuvre::can_drive(&loaded.world) {
        return Ok(loaded);
    }
    // its warnings are those of before, and one about the place of the controller
    let Some(other) = with(Some(PEDALS)).ok().filter(|one| Manoeuvre::can_drive(&one.world)) else {
        return Ok(loaded);
    };
    let own = loaded.world.vehicles.first().map_or("", |one| one.controller.model.id());
    if reports {
        terminal::remark(&format!(
            "the controller `{PEDALS}` drives the car in place of its own, `{own}`"
        ));
    }
    Ok(other)
}

/// Repeats the run of a report in a folder, with the files of `simhost run` and the report. Returns the number of files.
fn record(
    report: &ManoeuvreReport,
    seed: u64,
    folder: &Path,
    arguments: &DriveManoeuvre,
    loaded: Loaded,
    catalogue: Catalogue,
) -> Result<usize, Failure> {
    let as_run = Run::of_folder(Some(folder), &RECORDED, arguments.force, &arguments.models)
        .map_err(|error| Failure::new(Code::Usage, error))?;
    let options = Options {
        seed: Some(seed),
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
    run_reader::write(&file, report.table().as_bytes())?;
    Ok(written.len())
}

fn named(name: &str) -> Result<Manoeuvre, Failure> {
    let mut all = Manoeuvre::ALL.into_iter();
    all.find(|one| one.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
        let names = Manoeuvre::ALL.map(Manoeuvre::name).join(", ") + ", " + ALL;
        Failure::new(Code::Usage, format!("unknown manoeuvre `{name}`; expected one of: {names}"))
    })
}
