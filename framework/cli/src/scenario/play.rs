//! Runs of scenarios.

use std::path::{Path, PathBuf};

use quick_xml::escape::escape;
use simhost::{Options, Session};
use simhost_openscenario::{
    Director, OwnVehicle, Scenario, ScenarioHook, StoryChange, StoryLog, network_file, world_of,
};
use simhost_world::{LoadOptions, load_text};

use super::RunScenario;
use crate::arguments::Run;
use crate::process::{Code, Failure};
use crate::recording::Recording;
use crate::stepping::{self, Extent};
use crate::{catalogue, diagnostics, failures, opening, run, terminal, vehicle};

/// Largest size of a road network, bytes.
const MOST_NETWORK_BYTES: u64 = 512 << 20;

/// What is known after the run of a scenario.
pub(super) struct Played {
    /// Time, s.
    pub time: f64,
    /// Whether the storyboard has ended.
    pub has_ended: bool,
    /// Name, x and y, m, heading, rad, and forward velocity, m/s, of each entity.
    pub entities: Vec<(String, [f64; 4])>,
    changes: Vec<StoryChange>,
    files: usize,
}

pub fn play(arguments: &RunScenario) -> Result<Code, Failure> {
    let played = simulate(arguments)?;
    for change in &played.changes {
        let kind = change.change.name();
        terminal::result(&format!("{:>9.3} s  {kind:<5} {}", change.time, change.element))?;
    }
    terminal::result(&format!("after {:.3} s:", played.time))?;
    for (name, [x, y, yaw, speed]) in &played.entities {
        let degrees = yaw.to_degrees();
        let text =
            format!("  {name}  x {x:.3} m  y {y:.3} m  yaw {degrees:.2}°  vx {speed:.3} m/s");
        terminal::result(&text)?;
    }
    if let Some(folder) = &arguments.out {
        terminal::result(&format!("{} files in {}", played.files, folder.display()))?;
    }
    Ok(Code::Done)
}

/// Runs a scenario.
pub(super) fn simulate(arguments: &RunScenario) -> Result<Played, Failure> {
    let folder = arguments.out.as_deref();
    let as_run = Run::of_folder(folder, &[], arguments.force, &arguments.models)
        .map_err(|error| Failure::new(Code::Usage, error))?;
    let (mut session, log) = open(arguments, &as_run)?;
    session.record().begin().map_err(opening::failure)?;
    let mut recording = Recording::new(&as_run, &session, false)?;
    session.record().announce(recording.path().as_slice()).map_err(opening::failure)?;
    let steps = (arguments.duration / arguments.step).ceil() as u64;
    let extent = Extent { steps: Some(steps), has_end: false, is_open: false };
    let ended = stepping::simulate(&mut session, extent, &mut recording, |_| ())
        .map_err(|error| failures::of_run(error, &recording, folder));
    let (written, _) = run::close(recording, &mut session, &ended, folder)?;
    ended?;
    let entities = session.simulation().vehicles().map(|one| {
        let [x, y, _, yaw, ..] = one.pose;
        (one.name.to_owned(), [x, y, yaw, one.twist[0]])
    });
    Ok(Played {
        time: session.simulation().clock().time(),
        has_ended: session.simulation().clock().steps < steps,
        entities: entities.collect(),
        changes: log.changes(),
        files: written.len(),
    })
}

/// Opens the session of a scenario with the hook that plays it.
fn open(arguments: &RunScenario, as_run: &Run) -> Result<(Session, StoryLog), Failure> {
    let file = &arguments.file;
    let wrong = |text: String| Failure::new(Code::BadInput, text);
    let read_text = |path: &Path, most: u64| {
        simhost_files::read_text(path, most)
            .map_err(|error| wrong(format!("cannot read {}: {error}", path.display())))
    };
    let text = read_text(file, simhost_files::MAX_BYTES)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let in_file = |error: simhost_openscenario::ReadError| wrong(error.in_file(file.display()));
    let network = match network_file(&text).map_err(in_file)? {
        None => None,
        Some(network) => {
            let path = folder.join(network);
            let read = simhost_opendrive::read(&read_text(&path, MOST_NETWORK_BYTES)?);
            Some(read.map_err(|error| wrong(error.in_file(path.display())))?)
        }
    };
    let scenario = Scenario::read(&text, network, &arguments.parameters).map_err(in_file)?;
    let own = own_vehicles(arguments, &scenario)?;
    let names: Vec<String> = own.iter().map(|one| one.entity.clone()).collect();
    let director = Director::new(scenario.clone(), &names).map_err(in_file)?;
    let content =
        world_of(&scenario, &director, &own, Path::new(""), [arguments.step, arguments.duration]);
    let catalogue = catalogue::collect(&arguments.models)?;
    let options = LoadOptions { flatten: arguments.out.is_some(), ..LoadOptions::default() };
    let path = file.with_extension("world.xml");
    let loaded = load_text(&path, content.as_bytes(), &options, &catalogue)
        .map_err(|error| diagnostics::load_failure(&error))?;
    diagnostics::show(&loaded.warnings, &loaded.sources);
    let options = Options {
        seed: Some(0),
        out: opening::out(as_run, None),
        observer_folder: arguments.out.clone(),
        ..Options::default()
    };
    let session = Session::from_loaded(loaded, catalogue, options).map_err(opening::failure)?;
    let entities = scenario.entities.into_iter().map(|one| one.name).collect();
    let (hook, log) = ScenarioHook::new(director, entities, &own);
    session.hooks().add(hook);
    Ok((session, log))
}

/// Returns the entities that vehicle files drive.
fn own_vehicles(arguments: &RunScenario, scenario: &Scenario) -> Result<Vec<OwnVehicle>, Failure> {
    let mut own = Vec::new();
    for (entity, file) in &arguments.vehicles {
        if !scenario.entities.iter().any(|one| one.name == *entity) {
            let names: Vec<&str> = scenario.entities.iter().map(|one| one.name.as_str()).collect();
            let known = names.join(", ");
            let text = format!("--vehicle: unknown entity `{entity}`\nhelp: use one of: {known}");
            return Err(Failure::new(Code::Usage, text));
        }
        let class = vehicle::class_of(Path::new(file), None)?;
        let path: PathBuf = std::path::absolute(file).unwrap_or_else(|_| PathBuf::from(file));
        let include = format!("<include file=\"{}\"/>", escape(path.to_string_lossy()));
        own.push(OwnVehicle { entity: entity.clone(), include, class });
    }
    Ok(own)
}
