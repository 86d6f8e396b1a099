//! Runs worlds in the process of the test, as a [`Session`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use simhost::{
    Ended, Error, Options, Out, RunEnding, Session, Snapshot, StepError, Stream, TableOptions,
};
use simhost_engine::{FaultReport, Patterns, Quantities, QuantityInfo, RestoreError};
use simhost_registry::{Catalogue, FolderSource, PluginFolder};
use simhost_world::{Diagnostic, LoadError, LoadOptions, Loaded, Sources, Span, load, load_text};

use super::clouds::Cloud;
use super::golden;
use super::world::World;
use super::{OPTIMISED, Table, assert_parts};

/// An error of a world.
#[derive(Debug)]
pub struct Problem {
    /// Line and column from 1.
    pub at: (usize, usize),
    /// Message, label at the position, and notes, on separate lines.
    pub text: String,
    /// The text that the program shows.
    pub rendered: String,
}

/// A world after a run.
pub struct Run {
    /// The tables that the program writes, by the names of their files.
    pub tables: BTreeMap<String, Table>,
    /// Texts of warnings about the world, as in [`Problem`].
    pub warnings: Vec<String>,
    /// Faults after which the run continued, faults of observers last, as in its summary.
    pub faults: Vec<String>,
    /// Why an observer has ended the run.
    pub stop: Option<String>,
    /// Hashes of the last state and of all results.
    pub hashes: [u128; 2],
    folder: OutputFolder,
}

/// Folder of the files of a run.
struct OutputFolder {
    path: PathBuf,
    /// A folder that goes with the run.
    _temporary: Option<tempfile::TempDir>,
}

impl OutputFolder {
    fn temporary() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { path: folder.path().to_owned(), _temporary: Some(folder) }
    }
}

/// Returns the built-in models, which are collected once.
pub fn catalogue() -> Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE
        .get_or_init(|| Catalogue::collect(simhost_registry::Options::default()).unwrap())
        .clone()
}

/// Returns the built-in models and the models of plugin folders, whose files must not crash.
pub fn catalogue_of<P: AsRef<Path>>(folders: &[P]) -> Catalogue {
    let folder =
        |path: &P| PluginFolder { path: path.as_ref().to_owned(), source: FolderSource::PluginDir };
    let folders = folders.iter().map(folder).collect();
    Catalogue::collect(simhost_registry::Options { folders, ..Default::default() }).unwrap()
}

/// Returns a diagnostic with a message only.
fn of_text(message: String, span: Option<Span>) -> Diagnostic {
    Diagnostic { span, ..Diagnostic::error(message) }
}

fn problem(one: &Diagnostic, sources: &Sources) -> Problem {
    let at = one.span.map_or((0, 0), |span| {
        let (_, line, column) = sources.position(span);
        (line, column)
    });
    Problem { at, text: text_of(one), rendered: one.render(sources, false) }
}

/// Returns message, label and notes of a diagnostic, on separate lines.
fn text_of(one: &Diagnostic) -> String {
    [&[one.message.clone(), one.label.clone()], &one.notes[..]].concat().join("\n")
}

impl World {
    pub(super) fn models(&self) -> Catalogue {
        if self.plan.plugins.is_empty() { catalogue() } else { catalogue_of(&self.plan.plugins) }
    }

    fn load(&self, models: &Catalogue, flatten: bool) -> Result<Loaded, LoadError> {
        let compat = self.plan.profile.map(str::to_owned);
        let seed = self.plan.seed;
        let options = LoadOptions { compat, seed, flatten, ..LoadOptions::default() };
        match &self.plan.file {
            Some(path) => load(path, &options, models),
            None => {
                let path = self.plan.folder.join("world.xml");
                load_text(&path, self.text().as_bytes(), &options, models)
            }
        }
    }

    fn session(&self, out: Option<Out>) -> Result<(Session, Vec<String>), Error> {
        let models = self.models();
        let loaded = self.load(&models, out.is_some())?;
        let warnings = loaded.warnings.iter().map(text_of).collect();
        let (threads, seed) = (self.plan.threads, self.plan.seed);
        let observer_folder = out.as_ref().map(|out| out.path().to_owned());
        let options = Options { threads, seed, out, observer_folder, ..Options::default() };
        Ok((Session::from_loaded(loaded, models, options)?, warnings))
    }

    /// Opens the world, which must have no errors, with the texts of its warnings.
    pub fn open(&self) -> (Session, Vec<String>) {
        self.open_in(None)
    }

    /// As [`Self::open`], with output.
    pub fn open_in(&self, out: Option<Out>) -> (Session, Vec<String>) {
        let opened = self.session(out);
        let (mut session, warnings) =
            opened.unwrap_or_else(|error| panic!("{error}\n{}", self.text()));
        let mut commands = self.plan.commands.clone();
        commands.sort_by(|one, other| one.time.total_cmp(&other.time));
        session.edit().set_commands(commands).unwrap();
        if self.plan.energy {
            session.edit().keep_energy_books();
        }
        (session, warnings)
    }

    /// Returns the quantities of the world that patterns select.
    pub fn quantities(&self, patterns: &[&str]) -> Vec<QuantityInfo> {
        let (session, _) = self.open();
        let (world, patterns) =
            (session.world().description().unwrap(), Patterns::new(patterns.iter().copied()));
        let quantities = Quantities::select(world, session.simulation(), &patterns).unwrap();
        quantities.infos().to_vec()
    }

    /// Returns a stream of the world.
    pub fn stream(&self, name: &str) -> Arc<Stream> {
        let streams = self.open().0.world().streams().unwrap();
        let found = streams.into_iter().find(|stream| stream.name == name);
        found.unwrap_or_else(|| panic!("no stream {name}"))
    }

    /// Returns the errors of the world up to its first step. There must be at least one.
    pub fn errors(&self) -> Vec<Problem> {
        let folder = tempfile::tempdir().unwrap();
        // patterns of recorded quantities are checked for those who write them
        let out = Some(Out::new(folder.path()));
        match self.session(out).and_then(|(mut session, _)| session.run_steps(0)).err() {
            Some(Error::Load(error)) => {
                error.diagnostics.iter().map(|one| problem(one, &error.sources)).collect()
            }
            Some(Error::Build { error, sources }) => {
                vec![problem(&of_text(error.to_string(), error.span()), &sources)]
            }
            Some(Error::Observer { error, sources }) => {
                vec![problem(&of_text(error.to_string(), error.span()), &sources)]
            }
            Some(Error::Quantity { error, span, sources }) => {
                vec![problem(&of_text(error.to_string(), span), &sources)]
            }
            other => panic!("{other:?}\n{}", self.text()),
        }
    }

    /// Checks that the world has one error, on the first line with `line`, with these parts.
    pub fn has_error(&self, line: &str, parts: &[&str]) {
        let errors = self.errors();
        let [error] = &errors[..] else { panic!("{errors:#?}") };
        assert_eq!(error.at.0, self.line_with(line), "{error:?}");
        assert_parts(&error.text, parts);
    }

    /// Returns the texts of the warnings of the world, which must have no errors.
    pub fn warnings(&self) -> Vec<String> {
        self.open().1
    }

    /// Checks that each of these parts is in an error of the world on the first line with `line`, and that the
    /// program shows all errors as it should.
    pub fn fails(&self, line: &str, parts: &[&str]) {
        let (errors, line) = (self.errors(), self.line_with(line));
        for part in parts {
            let is_meant = |error: &Problem| error.at.0 == line && error.text.contains(part);
            assert!(errors.iter().any(is_meant), "{part:?} in line {line}: {errors:#?}");
        }
        errors.iter().for_each(|error| golden::message(&error.rendered));
    }

    /// Runs the world for some time, s.
    pub fn run(&self, seconds: f64) -> Run {
        self.run_with(seconds, |_, _| {})
    }

    /// Runs the world for some time, s, after a call with the session and its output folder.
    pub fn run_with(&self, seconds: f64, prepare: impl FnOnce(&mut Session, &Path)) -> Run {
        let mut run = self.begin();
        prepare(&mut run.session, &run.folder.path);
        run.advance(seconds);
        run.end()
    }

    /// As [`Self::run_with`], with an output folder that stays.
    pub fn run_into(
        &self,
        folder: &Path,
        seconds: f64,
        prepare: impl FnOnce(&mut Session, &Path),
    ) -> Run {
        let folder = OutputFolder { path: folder.to_owned(), _temporary: None };
        let mut run = self.begin_in(folder);
        prepare(&mut run.session, &run.folder.path);
        run.advance(seconds);
        run.end()
    }

    /// Runs the world for some time, s, with output. Returns the error of the step that failed, if one did.
    pub fn try_run(&self, seconds: f64) -> Option<StepError> {
        match self.begin().advanced(seconds) {
            Ok(()) => None,
            Err(Error::Step(error)) => Some(error),
            Err(other) => panic!("{other}"),
        }
    }

    fn begin(&self) -> Ongoing {
        self.begin_in(OutputFolder::temporary())
    }

    fn begin_in(&self, folder: OutputFolder) -> Ongoing {
        // the text of a world names what is recorded, a file does not
        let record = self.plan.file.iter().flat_map(|_| self.plan.record.clone()).collect();
        let mut out = Out::new(&folder.path);
        out.tables = Some(TableOptions { period: self.plan.every, hash_period: None, record });
        let (session, warnings) = self.open_in(Some(out));
        Ongoing { session, folder, warnings, ending: RunEnding::Duration }
    }

    /// Continues the world from a snapshot of another run, with rows after it, up to a time, s.
    pub fn resume(&self, snapshot: &Snapshot, seconds: f64) -> Run {
        let mut run = self.begin();
        run.session.restore(snapshot).unwrap();
        run.advance(seconds);
        run.end()
    }

    /// Returns why the world does not continue from a snapshot, and whether that can be forced.
    pub fn misfit(&self, snapshot: &Snapshot) -> (String, bool) {
        match self.open().0.restore(snapshot).unwrap_err() {
            Error::Restore(error) => match *error {
                RestoreError::Misfit { reasons, may_be_forced } => {
                    (reasons.join("\n"), may_be_forced)
                }
                other => (other.to_string(), false),
            },
            other => panic!("{other}"),
        }
    }

    /// Returns a snapshot at a time, s, that has been written and read.
    pub fn snapshot(&self, at: f64) -> Snapshot {
        self.snapshots(&[at]).remove(0)
    }

    /// Returns such snapshots at several times.
    pub fn snapshots(&self, times: &[f64]) -> Vec<Snapshot> {
        let mut run = self.begin();
        let snapshot = |at: &f64| {
            run.advance(*at);
            run.snapshot()
        };
        times.iter().map(snapshot).collect()
    }

    /// Runs the world for some time, s, and checks what [`Self::repeats`] does, for the first tenth of the
    /// time unless the tests are optimised.
    pub fn runs_and_repeats(&self, at: f64, seconds: f64) -> Run {
        if OPTIMISED {
            return self.repeats(at, seconds);
        }
        self.repeats(0.1 * at, 0.1 * seconds);
        self.run(seconds)
    }

    /// Runs the world for some time, s, and checks that neither two threads (nor four, if the tests are
    /// optimised) nor a snapshot at the time `at`, s, change a bit.
    pub fn repeats(&self, at: f64, seconds: f64) -> Run {
        let mut run = self.begin();
        run.advance(at);
        let snapshot = run.snapshot();
        run.advance(seconds);
        let whole = run.end();
        let numbers: &[usize] = if OPTIMISED { &[2, 4] } else { &[2] };
        for &threads in numbers {
            let other = self.clone().threads(threads).run(seconds);
            assert_eq!(other.hashes, whole.hashes, "{threads} threads");
            assert!(other.tables == whole.tables, "{threads} threads");
        }
        let rest = self.resume(&snapshot, seconds);
        assert_eq!(rest.hashes, whole.hashes, "from {at} s");
        for (name, table) in &rest.tables {
            let rows = &whole.tables[name].rows;
            assert!(rows.ends_with(&table.rows), "{name} from {at} s");
            assert!(rows.is_empty() || rows.len() > table.rows.len(), "{name} from {at} s");
        }
        whole
    }
}

/// A run that has not ended.
struct Ongoing {
    session: Session,
    folder: OutputFolder,
    warnings: Vec<String>,
    ending: RunEnding,
}

impl Ongoing {
    /// Runs up to a time, s, unless an observer ends the run before.
    fn advance(&mut self, seconds: f64) {
        self.advanced(seconds).unwrap();
    }

    fn advanced(&mut self, seconds: f64) -> Result<(), Error> {
        let last = self.session.simulation().clock().last_step(seconds).0;
        // even a run of no step has rows at its start
        let mut ended = self.session.run_steps(0)?;
        while self.session.steps() < last && !matches!(ended, Ended::Observer(_)) {
            ended = self.session.run_steps(last - self.session.steps())?;
        }
        if let Ended::Observer(stop) = ended {
            self.ending = RunEnding::Stop(stop);
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Snapshot {
        Snapshot::from_bytes(&self.session.snapshot().unwrap().to_bytes()).unwrap()
    }

    fn end(mut self) -> Run {
        let simulation = self.session.simulation();
        let hashes = [simulation.state_hash().unwrap(), simulation.result_hash()];
        self.session.finish_with(&self.ending).unwrap();
        let faults = self.session.simulation().faults().iter();
        let faults = faults.chain(self.session.outputs().observers().faults());
        let faults = faults.map(FaultReport::outcome).collect();
        let stop = match &self.ending {
            RunEnding::Stop(stop) => Some(stop.to_string()),
            _ => None,
        };
        let files = std::fs::read_dir(&self.folder.path).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let tables = files.filter(|file| file.extension().is_some_and(|end| end == "csv"));
        let name = |file: &Path| file.file_name().unwrap().to_str().unwrap().to_owned();
        let tables = tables.map(|file| (name(&file), Table::read(&file)));
        // others name the numbers of classes and entities
        let tables = tables.filter(|(_, table)| table.header[0] == "time_s").collect();
        let Self { warnings, folder, .. } = self;
        Run { tables, warnings, faults, stop, hashes, folder }
    }
}

impl Run {
    /// Returns the path of a file in the output folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path.join(name)
    }

    /// Returns the text of a file in the output folder.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Returns the clouds of a lidar, such as `car.lidar`, in the order of their times.
    pub fn clouds(&self, lidar: &str) -> Vec<Cloud> {
        let files = std::fs::read_dir(self.path(lidar)).unwrap().map(|file| file.unwrap().path());
        let mut files: Vec<_> = files.collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "pcd"));
        files.sort();
        files.iter().map(|file| Cloud::read(file)).collect()
    }

    /// Returns the names of the numbers in `classes.csv` or `instances.csv`.
    pub fn names(&self, file: &str) -> BTreeMap<u32, String> {
        let text = self.read(file);
        let rows = text.lines().skip(1).map(|line| line.split_once(',').unwrap());
        rows.map(|(number, name)| (number.parse().unwrap(), name.to_owned())).collect()
    }

    /// Returns what the program writes to a CSV file.
    pub fn table(&self, name: &str) -> &Table {
        self.tables
            .get(name)
            .unwrap_or_else(|| panic!("{name} is not among {:?}", self.tables.keys()))
    }

    /// Returns the readings of the only sensor of a name.
    pub fn readings(&self, sensor: &str) -> &Table {
        let end = format!(".{sensor}.csv");
        let mut found = self.tables.iter().filter(|(name, _)| name.ends_with(&end));
        let (_, table) = found.next().unwrap_or_else(|| panic!("no sensor {sensor}"));
        assert!(found.next().is_none(), "several sensors {sensor}");
        table
    }

    /// Returns a column of `trajectory.csv` for a vehicle.
    pub fn column(&self, vehicle: &str, name: &str) -> Vec<f64> {
        self.table("trajectory.csv").only("vehicle", vehicle).numbers(name)
    }

    /// Returns the last value of a column of `trajectory.csv` for a vehicle.
    pub fn last(&self, vehicle: &str, name: &str) -> f64 {
        *self.column(vehicle, name).last().unwrap()
    }

    /// Returns the last value of a column of `wheels.csv` for a wheel of the only vehicle.
    pub fn wheel(&self, wheel: &str, name: &str) -> f64 {
        *self.table("wheels.csv").only("wheel", wheel).numbers(name).last().unwrap()
    }
}
