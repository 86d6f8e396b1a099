//! `simhost plugin check`: tests models.

mod parameters;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use simhost_abi::{Kind, Model, Plugin};
use simhost_model::View;
use simhost_registry::{Catalogue, Entry, Refusal, is_plugin_name};
use simhost_validator::{GivenValue, Plan, Program, ReportLine, Subject, TESTS, Verdict};

use self::parameters::GivenParameters;
use crate::arguments::{Models, seconds};
use crate::process::{Code, Failure, Process};
use crate::terminal::json;
use crate::{catalogue, interrupt, terminal};

/// Arguments of `simhost plugin check`. Each test runs in a separate process.
#[derive(Args, Clone, Debug)]
pub struct CheckPlugin {
    /// Plugin files, or classes by their short or full name.
    #[arg(value_name = "FILE|CLASS", required_unless_present_any = ["list", "built_in"])]
    pub subjects: Vec<PathBuf>,

    /// Test all built-in models.
    #[arg(long)]
    pub built_in: bool,

    /// Run only this test (repeatable).
    #[arg(long, value_name = "ID", value_parser = test_id)]
    pub only: Vec<String>,

    /// Skip this test (repeatable).
    #[arg(long, value_name = "ID", value_parser = test_id)]
    pub skip: Vec<String>,

    /// Give a parameter this value instead of its default, in all models that have it (repeatable). Files are
    /// relative to the working folder.
    #[arg(long, value_name = "NAME=VALUE", value_parser = crate::arguments::named_value)]
    pub param: Vec<(String, String)>,

    /// Number of random cases of parameters and inputs in each randomized test.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub fuzz: u64,

    /// Seed of the first random case; the next cases use the seeds that follow it.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Time limit of one test, s.
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    pub timeout: Duration,

    /// Print one JSON array.
    #[arg(long)]
    pub json: bool,

    /// Also write a JUnit report to this file.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Print all tests as a Markdown table, and run none.
    #[arg(long)]
    pub list: bool,

    #[command(flatten)]
    pub models: Models,
}

/// Arguments of the internal subcommand `trial`.
#[derive(Args, Clone, Debug)]
pub struct Job {
    /// The test to run, as JSON.
    pub job: String,
}

fn test_id(text: &str) -> Result<String, String> {
    let ids = simhost_validator::TESTS.iter().map(|test| test.id);
    if ids.clone().any(|id| id == text) {
        return Ok(text.to_owned());
    }
    let nearest = simhost_model::nearest(text, ids);
    let hint = nearest.map(|id| format!("did you mean `{id}`? ")).unwrap_or_default();
    Err(format!("unknown test; {hint}run `simhost plugin check --list` to list all tests"))
}

/// Tests files and classes.
pub fn check(arguments: &CheckPlugin) -> Result<Code, Failure> {
    if arguments.list {
        terminal::document(&list_report())?;
        return Ok(Code::Done);
    }
    let (models, quarantined) = subjects(arguments)?;
    let given = given(arguments, &models)?;
    let plan = Plan {
        subjects: models.into_iter().map(|(subject, _)| subject).collect(),
        given,
        only: arguments.only.clone(),
        skip: arguments.skip.clone(),
        seed: arguments.seed,
        cases: arguments.fuzz,
    };
    if plan.is_empty() {
        return Err(Failure::new(Code::Usage, nothing_to_do(&plan)));
    }
    let mut writer = Writer::new(arguments.json);
    let lines = simhost_validator::run(&plan, &program(arguments)?, |line| writer.line(line));
    let lines = lines.map_err(|error| match interrupt::is_requested() {
        true => interrupt::failure(),
        false => {
            Failure::new(Code::Output, format!("failed to run a test in its own process: {error}"))
        }
    })?;
    let writer = writer.finish()?;
    if let Some(file) = &arguments.junit {
        let text = simhost_validator::junit(&lines);
        text.and_then(|text| std::fs::write(file, text)).map_err(|error| {
            Failure::new(Code::Output, format!("cannot write {}: {error}", file.display()))
        })?;
    }
    if arguments.json {
        terminal::document(&json(&lines))?;
    } else {
        writer.summary(&lines)?;
    }
    quarantined.iter().for_each(|text| terminal::error(text));
    let failed = !quarantined.is_empty()
        || lines.iter().any(|line| matches!(line.verdict, Verdict::Fail(_)));
    Ok(if failed { Code::Negative } else { Code::Done })
}

/// Returns the values of parameters that the user gives for each model.
fn given(
    arguments: &CheckPlugin,
    subjects: &[TestedSubject],
) -> Result<Vec<(Subject, Vec<GivenValue>)>, Failure> {
    let mut given = GivenParameters::read(&arguments.param)?;
    let mut all = Vec::new();
    for (subject, model) in subjects {
        let Some(model) = model else { continue };
        all.push((subject.clone(), given.for_model(subject, model)?));
    }
    let models: Vec<_> = subjects.iter().filter_map(|(_, model)| *model).collect();
    given.check_used(&models)?;
    Ok(all)
}

/// Explains why no test is selected.
fn nothing_to_do(plan: &Plan) -> String {
    let left: Vec<&str> =
        plan.only.iter().filter(|id| !plan.skip.contains(id)).map(String::as_str).collect();
    if left.is_empty() {
        let why =
            if plan.only.is_empty() { "all tests are" } else { "every test of --only is also" };
        return format!("no test is selected: {why} given with --skip\nhelp: leave out --skip");
    }
    let wanted = TESTS.iter().filter(|test| left.contains(&test.id));
    let wanted: Vec<String> = wanted
        .map(|test| {
            let of = match (test.kind, test.is_of_files()) {
                (Some(kind), _) => format!("{} models", kind.tag()),
                (None, true) => "files".to_owned(),
                (None, false) => "models".to_owned(),
            };
            format!("{} applies to {of}", test.id)
        })
        .collect();
    let subjects: Vec<String> = plan.subjects.iter().map(Subject::name).collect();
    format!(
        "no test is selected: {}, found only {}\nhelp: `simhost plugin check --list` shows what each \
         test applies to",
        wanted.join(", "),
        subjects.join(", ")
    )
}

/// Returns the command that runs one test in a separate process: this program.
fn program(arguments: &CheckPlugin) -> Result<Program, Failure> {
    let process = Process::present();
    let path = process
        .program
        .clone()
        .ok_or_else(|| Failure::new(Code::Output, "failed to locate the simhost program"))?;
    Ok(Program {
        path,
        arguments: process.verb(["plugin", "trial", "--"]),
        limit: arguments.timeout,
        stop: interrupt::flag(),
        hangs: Arc::default(),
    })
}

/// Returns everything that the arguments name, each file and model once, and why files are quarantined.
fn subjects(arguments: &CheckPlugin) -> Result<(Vec<TestedSubject>, Vec<String>), Failure> {
    let (mut subjects, mut quarantined) = (Vec::new(), Vec::new());
    for name in &arguments.subjects {
        if is_file(name) {
            subjects.extend(of_file(name, &mut quarantined)?);
        } else {
            subjects.extend(of_class(arguments, &name.to_string_lossy())?);
        }
    }
    if arguments.built_in {
        let catalogue = catalogue::search(&arguments.models, false)?;
        let own = catalogue.libraries().iter().filter(|library| library.file.is_none());
        for plugin in own.filter_map(|library| library.plugin) {
            subjects.push((Subject::of_plugin(None, Some(plugin)), None));
            subjects.extend(models(None, plugin));
        }
    }
    let mut once: Vec<TestedSubject> = Vec::new();
    for subject in subjects {
        if !once.iter().any(|(known, _)| *known == subject.0) {
            once.push(subject);
        }
    }
    Ok((once, quarantined))
}

/// A file without a model, or a model with its descriptor.
type TestedSubject = (Subject, Option<&'static View<Model>>);

/// Returns all models of a plugin.
fn models(file: Option<PathBuf>, plugin: &'static View<Plugin>) -> Vec<TestedSubject> {
    Subject::models(file, plugin).into_iter().zip(plugin.models().map(Some)).collect()
}

/// Returns a file and its models. A file that is a plugin, but not for this host, is left to the
/// tests of files; so is one that ends its process, which fails in any case; a file that is not a plugin is an
/// error.
fn of_file(file: &Path, quarantined: &mut Vec<String>) -> Result<Vec<TestedSubject>, Failure> {
    let catalogue = catalogue::of_file(file, true)?;
    let library = catalogue.libraries().iter().find(|library| library.file.is_some());
    let library = library.expect("a catalogue of a file has that file");
    let mut subjects = vec![(Subject::of_plugin(Some(file.to_path_buf()), None), None)];
    match (&library.plugin, &library.refusal) {
        (Some(plugin), _) => subjects.extend(models(Some(file.to_path_buf()), plugin)),
        (
            None,
            Some(
                Refusal::Magic
                | Refusal::Epoch { .. }
                | Refusal::Layout { .. }
                | Refusal::Descriptor(_),
            ),
        ) => {}
        (None, Some(refusal @ Refusal::Quarantined { .. })) => {
            quarantined.push(format!("{}: it {refusal}", file.display()));
        }
        (None, refusal) => {
            let why = refusal.as_ref().map(ToString::to_string).unwrap_or_default();
            let text = format!("{}: it {why}", file.display());
            return Err(Failure::new(Code::BadInput, text));
        }
    }
    Ok(subjects)
}

fn of_class(arguments: &CheckPlugin, name: &str) -> Result<Vec<TestedSubject>, Failure> {
    let catalogue = catalogue::search(&arguments.models, false)?;
    let mut subjects = Vec::new();
    for entry in classes(&catalogue, name)? {
        let library = &catalogue.libraries()[entry.library];
        let plugin = library.plugin.expect("a class comes from a library with a descriptor");
        let is_it = |(subject, _): &TestedSubject| {
            subject.class == entry.full_name() && subject.kind == entry.kind.tag()
        };
        subjects.push((Subject::of_plugin(library.file.clone(), Some(plugin)), None));
        subjects.extend(models(library.file.clone(), plugin).into_iter().filter(is_it));
    }
    Ok(subjects)
}

/// Prints the verdicts of tests as they arrive.
struct Writer {
    silent: bool,
    subject: Option<Subject>,
    /// Why standard output cannot be written.
    failure: Option<Failure>,
}

impl Writer {
    /// Creates a writer. A silent one prints nothing, because the result is printed as JSON.
    pub fn new(silent: bool) -> Self {
        Self { silent, subject: None, failure: None }
    }

    /// Prints the verdict of a test, under the name of its subject. Breaks if that fails.
    pub fn line(&mut self, line: &ReportLine) -> ControlFlow<()> {
        if self.silent {
            return ControlFlow::Continue(());
        }
        let mut shown = text(line);
        if self.subject.as_ref() != Some(&line.subject) {
            shown = format!("{}\n{shown}", line.subject.name());
            self.subject = Some(line.subject.clone());
        }
        match terminal::result(&shown) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }

    /// Returns the writer after the last verdict.
    ///
    /// # Errors
    /// Fails if a verdict could not be printed.
    pub fn finish(mut self) -> Result<Self, Failure> {
        self.failure.take().map_or(Ok(self), Err)
    }

    /// Prints the number of tests by verdict.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub fn summary(&self, lines: &[ReportLine]) -> Result<(), Failure> {
        let count = |is: fn(&Verdict) -> bool| lines.iter().filter(|l| is(&l.verdict)).count();
        let passed = count(|verdict| *verdict == Verdict::Pass);
        let failed = count(|verdict| matches!(verdict, Verdict::Fail(_)));
        let skipped = count(|verdict| matches!(verdict, Verdict::Skip { .. }));
        terminal::result(&format!(
            "{} tests: {passed} passed, {failed} failed, {skipped} skipped",
            lines.len()
        ))
    }
}

fn text(line: &ReportLine) -> String {
    match &line.verdict {
        Verdict::Pass => format!("  pass  {}", line.test),
        Verdict::Skip { reason } => format!("  skip  {}: {reason}", line.test),
        Verdict::Fail(failure) => {
            let mut text = format!("  FAIL  {}: {}", line.test, failure.what);
            if let Some(input) = &failure.input {
                let _ = write!(text, "\n        with {input}");
            }
            if let Some(seed) = failure.seed {
                let _ =
                    write!(text, "\n        repeat: --only {} --seed {seed} --fuzz 1", line.test);
            }
            if let Some(test) = TESTS.iter().find(|test| test.id == line.test) {
                let _ = write!(text, "\n        {}", test.remedy_of(failure));
            }
            text
        }
    }
}

/// Returns the table of all tests in Markdown, as it appears in the documentation.
fn list_report() -> String {
    let mut text =
        String::from("| Test | Applies to | Checks that | If it fails |\n|---|---|---|---|\n");
    for test in TESTS {
        let subject = match (test.kind, test.is_of_files()) {
            (Some(kind), _) => kind.tag(),
            (None, true) => "file",
            (None, false) => "all",
        };
        let _ = writeln!(text, "| `{}` | {subject} | {} | {} |", test.id, test.about, test.remedy);
    }
    text
}

/// Returns the classes of all kinds with this short or full name, or with an old name that worlds can
/// still use; or those that a file with models in Python declares.
///
/// # Errors
/// Fails if no class has the name, if several classes of one kind have it, or if the file has not been run.
pub fn classes<'c>(catalogue: &'c Catalogue, name: &str) -> Result<Vec<&'c Entry>, Failure> {
    let file = Path::new(name);
    if is_python(file) {
        let mut found = Vec::new();
        for class in Process::present().python_classes(file)? {
            found.extend(named(catalogue, class)?);
        }
        return Ok(found);
    }
    named(catalogue, name)
}

fn named<'c>(catalogue: &'c Catalogue, name: &str) -> Result<Vec<&'c Entry>, Failure> {
    let mut found = Vec::new();
    for kind in Kind::ALL {
        let present = simhost_world::present_class(kind, name);
        let known = match catalogue.named(kind, name) {
            none if none.is_empty() => present.map(|class| catalogue.named(kind, class)),
            found => Some(found),
        };
        match known.unwrap_or_default().as_slice() {
            [] => {}
            [entry] => found.push(*entry),
            several => return Err(ambiguous(catalogue, kind, name, several)),
        }
    }
    if found.is_empty() { Err(unknown(catalogue, name)) } else { Ok(found) }
}

fn ambiguous(catalogue: &Catalogue, kind: Kind, name: &str, several: &[&Entry]) -> Failure {
    let places = several.iter().map(|entry| {
        format!("  {} ({})", entry.full_name(), catalogue.libraries()[entry.library].place())
    });
    let places = places.collect::<Vec<_>>().join("\n");
    let kind = kind.tag();
    Failure::new(
        Code::BadInput,
        format!(
            "`{name}` is ambiguous: {} {kind} classes have this name:\n{places}\nhelp: use one of \
             the full names",
            several.len()
        ),
    )
}

fn unknown(catalogue: &Catalogue, name: &str) -> Failure {
    let names: BTreeSet<String> = catalogue
        .entries()
        .iter()
        .flat_map(|entry| [entry.class.clone(), entry.full_name()])
        .collect();
    let hint = match simhost_model::nearest(name, names.iter().map(String::as_str)) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "run `simhost plugin list` for all classes, and for files that are not used".into(),
    };
    let searched = if catalogue.folders().is_empty() {
        "; no plugin directory is given (--plugin-dir DIR)"
    } else {
        ""
    };
    Failure::new(Code::BadInput, format!("unknown class `{name}`{searched}\nhelp: {hint}"))
}

/// Returns whether an argument names a file rather than a class.
pub(super) fn is_file(name: &Path) -> bool {
    is_plugin_name(name) || (name.is_file() && !is_python(name))
}

/// Returns whether an argument names a file with models in Python.
fn is_python(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension == "py")
}
