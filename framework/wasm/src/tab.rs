//! The session of a tab, its client, and the steps that are due.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use serde::Deserialize;
use simhost::check::{Examined, WorldReport, json, plain_text};
use simhost::{
    Catalogue, ClockMode, CommandSchedule, Ended, Error, Flow, Input, Options, Out, Selection,
    Session, WhenPaused, seconds,
};
use simhost_desk::{Desk, DeskOptions, world_name};
use simhost_live::{LiveMessage, Loopback, ServerSettings};
use simhost_registry::{FolderError, FolderSource, PluginFolder};
use simhost_world::LoadOptions;

use crate::remedies::for_a_tab;

/// Longest computing time of a call that makes the steps which are due. What is left is made up as after any delay.
const LONGEST_TURN: Duration = Duration::from_millis(100);

/// Folder of models in WebAssembly modules, which the page fills.
const MODELS: &str = "/models";

/// How a world is opened.
#[derive(Debug, Deserialize)]
pub struct OpenRequest {
    /// Path of the world file.
    pub world: PathBuf,
    /// Folder for the record of the run.
    pub out: Option<PathBuf>,
    /// Seed of all random numbers; by default the seed of the world, or 0.
    pub seed: Option<u64>,
    /// Whether the run begins with a pause.
    pub paused: bool,
    /// Path of a file with commands.
    pub commands: Option<PathBuf>,
}

/// A world that is simulated in a tab, with the client that shows it.
pub struct Tab {
    seat: Arc<Mutex<Seat>>,
    client: Loopback,
}

/// The session, and the requests that it answers between two steps.
struct Seat {
    session: Session,
    desk: Desk,
}

impl Tab {
    /// Opens a world.
    ///
    /// # Errors
    /// The report of `simhost check --json` about the world.
    pub fn open(request: &OpenRequest) -> Result<Self, String> {
        let report = |error| report(&request.world, Examined::of_error(error));
        let mut session = open(request).map_err(report)?;
        let late: Arc<OnceLock<Weak<Mutex<Seat>>>> = Arc::default();
        let known = late.clone();
        let turn = move || {
            if let Some(seat) = known.get().and_then(Weak::upgrade) {
                // the next call reports an error of a step
                let _ = lock(&seat).make_due_steps();
            }
        };
        let options = DeskOptions {
            world: request.world.clone(),
            client_folders: Vec::new(),
            recorder: None,
            turn: Some(Arc::new(turn)),
        };
        let desk = Desk::new(&session, options).map_err(report)?;
        let mut settings = ServerSettings::new(([127, 0, 0, 1], 0).into());
        settings.name = world_name(&request.world);
        let (client, sink) = Loopback::connect(settings, desk.services().clone());
        session.attach(Box::new(sink), &Selection::default()).map_err(report)?;
        let seat = Arc::new(Mutex::new(Seat { session, desk }));
        // nobody else has set it
        let _ = late.set(Arc::downgrade(&seat));
        Ok(Self { seat, client })
    }

    /// Handles a message of the client.
    ///
    /// # Errors
    /// The reason why a server would end the connection.
    pub fn receive(&self, message: &LiveMessage) -> Result<(), String> {
        self.client.receive(message)
    }

    /// Makes the steps that are due by the clock, and reports changes to the client.
    ///
    /// # Errors
    /// The error of a step.
    pub fn advance(&self) -> Result<(), String> {
        let made = self.seat().make_due_steps();
        self.client.report();
        made.map_err(|error| plain_text(&error))
    }

    /// Returns the messages to the client since the last call.
    pub fn messages(&self) -> Vec<LiveMessage> {
        self.client.take()
    }

    /// Steps to a simulated time, s, without waiting for the clock.
    ///
    /// # Errors
    /// The error of a step, or that the session is paused or the time has passed.
    pub fn run_to(&self, time: f64) -> Result<(), String> {
        let seat = &mut *self.seat();
        let clock = seat.session.control().clock();
        let mut control = seat.session.control();
        control.set_clock(ClockMode::Fixed);
        control.set_when_paused(WhenPaused::Return);
        let ended = seat.session.run_until(seconds(time));
        let mut control = seat.session.control();
        control.set_clock(clock);
        control.set_when_paused(WhenPaused::Wait);
        match ended {
            Ok(Ended::Paused) => Err("the session is paused; resume it to run it".to_owned()),
            Ok(_) => Ok(()),
            Err(error) => Err(plain_text(&error)),
        }
    }

    /// Returns the result hash of the run so far.
    pub fn hash(&self) -> String {
        format!("{:032x}", self.seat().session.simulation().result_hash())
    }

    /// Returns the world with all edits as a world file.
    ///
    /// # Errors
    /// The reason why it cannot be written as one file.
    pub fn save_world(&self) -> Result<String, String> {
        self.seat().session.world().saved(&[]).map_err(|error| plain_text(&error))
    }

    /// Completes the record of the run in its folder.
    ///
    /// # Errors
    /// The reason why it cannot be completed.
    pub fn finish(&self) -> Result<(), String> {
        self.seat().session.finish().map(drop).map_err(|error| plain_text(&error))
    }

    fn seat(&self) -> MutexGuard<'_, Seat> {
        lock(&self.seat)
    }
}

impl Seat {
    /// Answers requests, takes inputs, and makes the steps that are due by the clock.
    fn make_due_steps(&mut self) -> Result<(), Error> {
        let Self { session, desk } = self;
        let (began, mut before) = (SystemTime::now(), None);
        session
            .run_pieces(u64::MAX, u64::MAX, &mut |session| {
                desk.attend(session);
                let made = session.control().work().steps;
                let is_idle = before.replace(made) == Some(made) && session.inputs().is_empty();
                let is_late = began.elapsed().is_ok_and(|time| time > LONGEST_TURN);
                Ok(if is_idle || is_late { Flow::End } else { Flow::Continue })
            })
            .map(drop)
    }
}

fn lock(seat: &Mutex<Seat>) -> MutexGuard<'_, Seat> {
    seat.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the report of `simhost check --json` about a world.
///
/// # Errors
/// The reason why the models cannot be collected.
pub fn check(world: &Path) -> Result<String, String> {
    let catalogue = catalogue().map_err(|error| error.to_string())?;
    Ok(report(world, Examined::of_file(world, &LoadOptions::default(), &catalogue)))
}

/// Returns the built-in models and the modules of the page.
fn catalogue() -> Result<Catalogue, FolderError> {
    let folder = PluginFolder { path: MODELS.into(), source: FolderSource::PluginDir };
    let folders = if folder.path.is_dir() { vec![folder] } else { Vec::new() };
    Catalogue::collect(simhost_registry::Options { folders, ..Default::default() })
}

fn report(world: &Path, mut examined: Examined) -> String {
    examined.diagnostics = examined.diagnostics.into_iter().map(for_a_tab).collect();
    json(&[WorldReport::new(world, examined)])
}

fn open(request: &OpenRequest) -> Result<Session, Error> {
    let options = Options {
        seed: request.seed,
        out: request.out.as_ref().map(inputs_only),
        plugin_folders: Some(PathBuf::from(MODELS))
            .into_iter()
            .filter(|path| path.is_dir())
            .collect(),
        clock: ClockMode::Realtime { factor: 1.0 },
        ..Options::default()
    };
    let mut session = Session::open(&request.world, options)?;
    session.control().set_when_paused(WhenPaused::Wait);
    if let Some(commands) = &request.commands {
        let schedule = CommandSchedule::read(commands, session.simulation())?;
        session.edit().set_commands(schedule)?;
    }
    if request.paused {
        session.inputs().send(Input::Pause)?;
    }
    Ok(session)
}

/// Returns a folder for what repeats the run, without tables, which would fill the memory of a tab.
fn inputs_only(folder: &PathBuf) -> Out {
    let mut out = Out::new(folder);
    out.tables = None;
    out
}
