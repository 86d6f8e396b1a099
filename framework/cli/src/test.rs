//! `simhost test`: runs worlds and compares their quantities with expectations.

mod expectation;
mod reader;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use simhost::{Ended, Session};
use simhost_engine::{Quantities, QuantityInfo};
use simhost_registry::Catalogue;
use simhost_validator::{JunitCase, JunitSuite, junit_of};
use simhost_world::Loaded;
use toml_edit::Document;

use crate::arguments::{Models, seconds};
use crate::process::{Code, Failure};
use crate::{catalogue, diagnostics, guard, interrupt, opening, terminal, working_folder};
use expectation::{Expectation, Watched};
use reader::Reader;

/// Arguments of `simhost test`.
#[derive(Args, Clone, Debug)]
pub struct Test {
    /// Test files, such as `car.test.toml`.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Also write a JUnit report.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// End the tests if a function of a model takes longer than S seconds of wall time.
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    pub watchdog: Duration,

    #[command(flatten)]
    pub models: Models,
}

/// Runs test files.
pub fn test(arguments: &Test) -> Result<Code, Failure> {
    guard::watch(arguments.watchdog);
    let mut suites = Vec::new();
    for path in &arguments.files {
        let suite = run(path, &arguments.models)?;
        working_folder::restore();
        for case in &suite.cases {
            let took = case.took.as_secs_f64();
            terminal::result(&match &case.failure {
                None => format!("pass  {}: {} ({took:.2} s)", suite.name, case.name),
                Some(what) => format!("FAIL  {}: {}: {what}", suite.name, case.name),
            })?;
        }
        suites.push(suite);
    }
    if let Some(file) = &arguments.junit {
        let text = junit_of("simhost test", &suites);
        text.and_then(|text| std::fs::write(file, text)).map_err(|error| {
            Failure::new(Code::Output, format!("cannot write {}: {error}", file.display()))
        })?;
    }
    let all = suites.iter().flat_map(|suite| &suite.cases);
    let (failed, count) = (all.clone().filter(|case| case.failure.is_some()).count(), all.count());
    terminal::result(&match failed {
        0 => format!("{count} expectations hold"),
        _ => format!("{failed} of {count} expectations do not hold"),
    })?;
    Ok(if failed > 0 { Code::Negative } else { Code::Done })
}

/// Runs the world of a test file.
fn run(path: &Path, models: &Models) -> Result<JunitSuite, Failure> {
    let test = TestFile::read(path)?;
    let mut models = models.clone();
    models.plugin_dir.splice(0..0, test.plugin_dirs.iter().cloned());
    let catalogue = catalogue::collect(&models)?;
    let began = Instant::now();
    let mut session = open(&test, &catalogue)?;
    let mut watched = watch(&test, &session)?;
    let failure = steps(&test, &mut session, &mut watched)?;
    let took = began.elapsed();
    let mut cases: Vec<JunitCase> = watched.into_iter().map(|one| one.case(took)).collect();
    if let Some(what) = failure {
        cases.insert(0, JunitCase { name: "the run".to_owned(), took, failure: Some(what) });
    }
    Ok(JunitSuite { name: path.display().to_string(), cases })
}

fn open(test: &TestFile, catalogue: &Catalogue) -> Result<Session, Failure> {
    let load = simhost_world::LoadOptions::default();
    let loaded = simhost_world::load(&test.world, &load, catalogue);
    working_folder::restore();
    let loaded: Loaded = loaded.map_err(|error| diagnostics::load_failure(&error))?;
    diagnostics::show(&loaded.warnings, &loaded.sources);
    let options = simhost::Options { seed: test.seed, load, ..simhost::Options::default() };
    let session = Session::from_loaded(loaded, catalogue.clone(), options);
    working_folder::restore();
    let mut session = session.map_err(diagnostics::session_failure)?;
    if let Some(file) = &test.commands {
        opening::load_commands(file, &mut session)?;
    }
    Ok(session)
}

/// Finds the quantities of all expectations.
fn watch(test: &TestFile, session: &Session) -> Result<Vec<Watched>, Failure> {
    let Some(world) = session.world().description() else { return Ok(Vec::new()) };
    let mut watched = Vec::new();
    for expectation in &test.expectations {
        let (pattern, index) = expectation.pattern();
        let patterns = simhost_engine::Patterns::new([pattern]);
        let found = Quantities::select(world, session.simulation(), &patterns);
        let quantities = found.map_err(|error| {
            let nearest = error.nearest.as_ref();
            let help = nearest.map(|nearest| format!("did you mean `{nearest}`?"));
            let help = help.unwrap_or_else(|| "`simhost quantities WORLD` lists all".to_owned());
            expectation.wrong(&test.path, &format!("no quantity matches `{pattern}`; {help}"))
        })?;
        let misfit = |info: &&QuantityInfo| index.is_none() && info.count() != 1;
        if let Some(info) = quantities.infos().iter().find(misfit) {
            let (name, last) = (&info.name, info.count().saturating_sub(1));
            let text =
                format!("`{name}` has {} values; expected an index from 0 to {last}", last + 1);
            return Err(expectation.wrong(&test.path, &text));
        }
        watched.push(Watched::new(expectation.clone(), quantities, index));
    }
    Ok(watched)
}

/// Runs the steps. Returns why they ended before the last one.
fn steps(
    test: &TestFile,
    session: &mut Session,
    watched: &mut [Watched],
) -> Result<Option<String>, Failure> {
    let clock = session.simulation().clock();
    let (last, _) = clock.last_step(test.duration());
    if let Err(error) = session.run_steps(0) {
        return Ok(Some(error.to_string()));
    }
    let mut revision = session.world().revision();
    loop {
        let (time, simulation) = (session.time().0, session.simulation());
        // a value of a parameter among the commands can have moved a vehicle to another table
        if std::mem::replace(&mut revision, session.world().revision())
            != session.world().revision()
            && let Some(world) = session.world().description()
        {
            watched.iter_mut().for_each(|one| one.follow(world, simulation));
        }
        watched.iter_mut().for_each(|one| one.look(time, clock.dt, simulation));
        if session.steps() >= last {
            return Ok(None);
        }
        if interrupt::is_requested() {
            return Err(interrupt::failure());
        }
        match session.run_steps(1) {
            Ok(Ended::Observer(stop)) => {
                return Ok(Some(format!(
                    "{} ended it at {time} s: {}",
                    stop.observer, stop.reason
                )));
            }
            Ok(_) => {}
            Err(error) => return Ok(Some(format!("it failed at {time} s: {error}"))),
        }
    }
}

/// End of the name of a test file.
const END: &str = ".test.toml";
/// Keys of a test file.
const KEYS: [&str; 6] = ["world", "commands", "plugin_dir", "duration", "seed", "expect"];

/// A world, and what is expected of it.
#[derive(Debug)]
struct TestFile {
    /// Path of the file.
    pub path: PathBuf,
    /// The world.
    pub world: PathBuf,
    /// Command file.
    pub commands: Option<PathBuf>,
    /// Folders with plugins.
    pub plugin_dirs: Vec<PathBuf>,
    /// Simulated time, s, if it is given.
    duration: Option<f64>,
    /// Seed that replaces the seed of the world.
    pub seed: Option<u64>,
    /// What is expected.
    pub expectations: Vec<Expectation>,
}

impl TestFile {
    /// Reads a test file. Paths in it are relative to its folder; the world is by default the file of the same
    /// name with the end `.world.xml`.
    ///
    /// # Errors
    /// Fails if the file cannot be read, has an unknown key, or a value of another type.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let bad = |text: String| Failure::new(Code::BadInput, text);
        let text = simhost_files::read_text(path, simhost_files::MAX_BYTES)
            .map_err(|error| bad(format!("cannot read {}: {error}", path.display())))?;
        let document = Document::parse(text.as_str())
            .map_err(|error| bad(format!("{}: {error}", path.display())))?;
        let reader = Reader { path, text: &text, table: document.as_table() };
        reader.check_keys(&KEYS)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let file = |name: &str| Ok(reader.text(name)?.map(|text| folder.join(text)));
        let default = || {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            folder.join(format!("{}.world.xml", name.strip_suffix(END).unwrap_or(&name)))
        };
        let dirs = match reader.table.get("plugin_dir") {
            Some(item) if item.is_array() => {
                let items = item.as_array().into_iter().flatten();
                items.filter_map(|item| Some(folder.join(item.as_str()?))).collect()
            }
            _ => Vec::from_iter(file("plugin_dir")?),
        };
        let expectations = match reader.table.get("expect") {
            None => return Err(reader.wrong(None, "it has no [[expect]]; expected at least one")),
            Some(item) => {
                let tables = item.as_array_of_tables();
                let span = item.span();
                let tables = tables.ok_or_else(|| {
                    reader.wrong(span, "`expect` is not a table; expected [[expect]]")
                })?;
                let read = |table| Expectation::read(&Reader { table, ..reader });
                tables.iter().map(read).collect::<Result<Vec<_>, _>>()?
            }
        };
        let duration = reader.number("duration")?;
        let seed = reader.number("seed")?.map(|seed| seed as u64);
        Ok(Self {
            path: path.to_owned(),
            world: file("world")?.unwrap_or_else(default),
            commands: file("commands")?,
            plugin_dirs: dirs,
            duration,
            seed,
            expectations,
        })
    }

    /// Returns the simulated time of the run, s; by default the time of the last expectation.
    pub fn duration(&self) -> f64 {
        let ends = self.expectations.iter().filter_map(Expectation::end);
        self.duration.unwrap_or_else(|| ends.fold(0.0, f64::max))
    }
}
