//! Opening the session of a run: the world, its commands, the snapshot from which it is resumed.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use simhost::output::{PluginFile, Recorded, Resumed};
use simhost::{
    CommandSchedule, Differences, EnsembleError, Error, Fit, Gpu, Log, Out, Session, Snapshot,
    TableOptions, WhenPaused,
};
use simhost_engine::{Options, Simulation};
use simhost_registry::Catalogue;
use simhost_world::{LoadOptions, Loaded, StreamRequest, World};

use crate::arguments::{Models, Run, Without};
use crate::process::{Code, Failure};
use crate::{catalogue, diagnostics, snapshots, terminal, working_folder, world_file};

pub use crate::diagnostics::session_failure as failure;

/// Loads a world, reports its warnings and builds its simulation, for verbs that list what it contains.
pub fn simulation(
    world: &Path,
    options: &LoadOptions,
    models: &Models,
    seed: Option<u64>,
) -> Result<(Loaded, Simulation), Failure> {
    let catalogue = catalogue::collect(models)?;
    let loaded = world_file::load(world, options, &catalogue)?
        .map_err(|error| diagnostics::load_failure(&error))?;
    diagnostics::show(&loaded.warnings, &loaded.sources);
    let seed = seed.or(loaded.world.settings.seed).unwrap_or(0);
    let simulation = Simulation::new(&loaded.world, Options { seed, threads: 1 })
        .map_err(|error| diagnostics::build_failure(&error, &loaded.sources))?;
    Ok((loaded, simulation))
}

/// Everything from which a session is opened.
pub struct Opening<'a> {
    /// Arguments of the run.
    pub arguments: &'a Run,
    /// Record of the run that is repeated.
    pub recorded: Option<&'a Recorded>,
    /// Snapshot from which the run is resumed.
    pub resumed: Option<&'a Snapshot>,
    /// Request to record the run.
    pub out: Option<Out>,
    /// Log of the run.
    pub log: Option<Log>,
}

impl Opening<'_> {
    /// Returns the options for reading the world.
    pub fn load_options(&self) -> LoadOptions {
        let load = self.arguments.groups.add_to(self.arguments.loading.load_options());
        let variables = self.arguments.variables();
        // clients can add and remove entities
        let Run { live, ros2, .. } = self.arguments;
        let keep_tree = live.live.is_some() || ros2.ros2.is_some();
        let client_folders = live.client_files.clone();
        let flatten = self.out.is_some();
        let mut load = LoadOptions { flatten, variables, keep_tree, client_folders, ..load };
        if self.arguments.mcap.is_on && self.out.is_some() {
            load.streams.push(StreamRequest::of_record(&self.arguments.record));
        }
        self.recorded.map_or(load.clone(), |recorded| recorded.options(load))
    }

    /// Loads the world and reports its warnings.
    pub fn load(&self, catalogue: &Catalogue) -> Result<Loaded, Failure> {
        let options = self.load_options();
        let loaded = world_file::load(&self.arguments.world, &options, catalogue)?;
        working_folder::restore();
        let loaded = loaded.map_err(|error| diagnostics::load_failure(&error))?;
        diagnostics::show(&loaded.warnings, &loaded.sources);
        Ok(loaded)
    }

    /// Opens the session with its commands, before the first step.
    pub fn open(&self, catalogue: &Catalogue) -> Result<Session, Failure> {
        if let Some(recorded) = self.recorded {
            check_plugins(recorded, catalogue)?;
        }
        let loaded = self.load(catalogue)?;
        let arguments = self.arguments;
        let options = simhost::Options {
            seed: self.seed(&loaded)?,
            threads: arguments.threads,
            limits: match self.recorded {
                Some(recorded) => recorded.manifest.options.limits(),
                None => arguments.resuming.limits(),
            },
            out: self.out.clone(),
            observer_folder: arguments.out.clone().filter(|_| !arguments.varying.runs_twice()),
            clock: arguments.pacing.clock.unwrap_or_default(),
            command_time_out: arguments.live.command_timeout,
            log: self.log.clone(),
            gpu: Gpu::new(arguments.gpu),
            load: self.load_options(),
            ..simhost::Options::default()
        };
        let session = Session::from_loaded(loaded, catalogue.clone(), options);
        working_folder::restore();
        let mut session = session.map_err(failure)?;
        session.control().set_when_paused(WhenPaused::Wait);
        if let Some(commands) = &arguments.commands {
            load_commands(commands, &mut session)?;
        }
        if let Some(recorded) = self.recorded {
            // the first input of a resumed run is the snapshot
            let first = usize::from(recorded.manifest.resumed.is_some());
            session.plan_recorded(recorded, first).map_err(failure)?;
        }
        Ok(session)
    }

    /// Returns the seed of the run, or of the member that runs alone, if it differs from the seed
    /// of the world.
    fn seed(&self, loaded: &Loaded) -> Result<Option<u64>, Failure> {
        let arguments = self.arguments;
        let Some((member, members)) = arguments.varying.alone() else {
            return Ok(arguments.loading.seed);
        };
        if member >= members {
            return Err(failure(EnsembleError::Member { found: member, members }.into()));
        }
        let (all, seed) = (arguments.variations(), self.seed_of_all(&loaded.world));
        let seed = Differences::first_seed_of(member, &all, members, seed);
        seed.map(Some).map_err(|error| failure(error.into()))
    }

    /// Returns the seed of the run, or of all members.
    fn seed_of_all(&self, world: &World) -> u64 {
        self.arguments.loading.seed.or(world.settings.seed).unwrap_or(0)
    }

    /// Returns the path of the log, if it is a file.
    ///
    /// # Errors
    /// Fails if lines of the log could not be written.
    pub fn log_file(&self) -> Result<Option<PathBuf>, Failure> {
        let (Some(log), Some(folder)) = (&self.log, &self.arguments.out) else { return Ok(None) };
        let path = folder.join(simhost::log::FILE_NAME);
        match log.take_error() {
            None => Ok(Some(path)),
            Some(error) => {
                let text = format!("cannot write {}: {error}", path.display());
                Err(Failure::new(Code::Output, text))
            }
        }
    }

    /// Returns to the snapshot from which the run is resumed, and fixes the values that the command line gives.
    pub fn prepare(&self, session: &mut Session) -> Result<(), Failure> {
        self.resume(session)?;
        let (member, members) = self.arguments.varying.alone().unwrap_or((0, 1));
        let world = session.world().description();
        let seed = world.map_or(0, |world| self.seed_of_all(world));
        let fixed = Differences::new(self.arguments.variations(), session, members, seed);
        fixed.map_err(|error| failure(error.into()))?.apply(member, session).map_err(failure)
    }

    fn resume(&self, session: &mut Session) -> Result<(), Failure> {
        if let Some(snapshot) = self.resumed {
            return snapshots::resume(&self.arguments.resuming, snapshot, session);
        }
        let recorded = self.recorded.filter(|recorded| recorded.manifest.resumed.is_some());
        match recorded.and_then(|recorded| recorded.start()) {
            Some(snapshot) => {
                let snapshot = snapshot.map_err(|error| failure(error.into()))?;
                // the recorded world names other paths than the original one
                session.restore_with(&snapshot, Fit::Slots).map_err(failure)
            }
            None => Ok(()),
        }
    }
}

/// Starts the log of a run, if there is one. The session opens it in the output folder.
pub fn log(arguments: &Run) -> Result<Option<Log>, Failure> {
    let Some(level) = arguments.pacing.log else { return Ok(None) };
    let log = Log::new(level);
    log.enter_everywhere();
    match arguments.out {
        Some(_) => terminal::log_messages(),
        None => log.write_to(Box::new(std::io::stderr())).map_err(|error| {
            Failure::new(Code::Output, format!("cannot write to standard error: {error}"))
        })?,
    }
    Ok(Some(log))
}

/// Checks that the plugins of a recorded run are available, in any version.
fn check_plugins(recorded: &Recorded, catalogue: &Catalogue) -> Result<(), Failure> {
    let missing = recorded.missing_plugins(catalogue);
    if missing.is_empty() {
        return Ok(());
    }
    let lines = missing.iter().map(|PluginFile { file, vendor, name, version, sha256, .. }| {
        let sum = sha256.as_deref().unwrap_or("unknown");
        format!("missing plugin {vendor}/{name} {version} of the run: {file}, SHA-256 {sum}")
    });
    let lines: Vec<String> = lines.collect();
    let folders = recorded.manifest.host.plugin_folders.join(", ");
    let help = match folders.is_empty() {
        true => "help: name the folder that has it with --plugin-dir DIR".to_owned(),
        false => format!(
            "help: name the folder that has it with --plugin-dir DIR; the run searched {folders}"
        ),
    };
    Err(Failure::new(Code::BadInput, format!("{}\n{help}", lines.join("\n"))))
}

/// Returns the request to record a run, if it has an output folder.
pub fn out(arguments: &Run, resumed: Option<&Snapshot>) -> Option<Out> {
    let mut out = Out::new(arguments.out.as_ref()?);
    out.force = arguments.force;
    out.kept = arguments.resuming.resume.clone();
    out.builtin_off = arguments.models.builtin.iter().map(Without::to_string).collect();
    out.watch = arguments.watch;
    out.tables = Some(TableOptions {
        period: arguments.log_period,
        hash_period: arguments.resuming.hash_every,
        record: arguments.record.clone(),
    });
    out.output = options(arguments);
    out.commands = arguments.commands.clone();
    out.resumed = resumed.map(|snapshot| Resumed {
        step: snapshot.header().step,
        time_s: snapshot.header().time,
        state_hash: format!("{:032x}", snapshot.state_hash()),
    });
    Some(out)
}

/// Returns the options that decide how long a run is and what it writes.
fn options(arguments: &Run) -> Map<String, Value> {
    let Run {
        duration,
        log_period,
        record,
        mcap,
        groups,
        energy,
        threads,
        pacing,
        resuming,
        varying,
        set,
        ..
    } = arguments;
    let all = [
        ("duration_s", json!(duration)),
        ("log_period_s", json!(log_period)),
        ("record", json!(record)),
        ("mcap", json!(mcap.is_on)),
        ("mcap_streams", json!(mcap.streams)),
        ("mcap_period_s", json!(mcap.period)),
        ("streams", json!(groups.list.iter().map(ToString::to_string).collect::<Vec<_>>())),
        ("export", json!(mcap.export.iter().map(|format| format.name()).collect::<Vec<_>>())),
        ("energy", json!(energy)),
        ("hash_every_s", json!(resuming.hash_every)),
        ("snapshot_every_s", json!(resuming.snapshot_every)),
        ("threads", json!(threads)),
        ("clock", json!(pacing.clock.map(|clock| clock.to_string()))),
    ];
    let given = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(items) => !items.is_empty(),
        _ => true,
    };
    let all = all.into_iter().map(|(name, value)| (name.to_owned(), value));
    // those of a run alone are among its inputs
    let set: Vec<String> =
        set.iter().filter(|_| varying.all().is_some()).map(ToString::to_string).collect();
    let all = all.chain([("set".to_owned(), json!(set))]);
    all.chain(varying.options()).filter(|(_, value)| given(value)).collect()
}

/// Reads a file of commands and sets them.
///
/// # Errors
/// [`Failure`] if the file cannot be read or a command does not fit its vehicle.
pub(super) fn load_commands(path: &Path, session: &mut Session) -> Result<(), Failure> {
    let schedule = CommandSchedule::read(path, session.simulation()).map_err(Error::from);
    let set = schedule.and_then(|schedule| session.edit().set_commands(schedule));
    set.map_err(diagnostics::session_failure)?;
    for (vehicle, fleet) in session.simulation().overridden_commands() {
        terminal::warning(&format!(
            "{}: commands for `{vehicle}` have no effect: fleet `{fleet}` sets the same inputs in each step",
            path.display()
        ));
    }
    Ok(())
}
