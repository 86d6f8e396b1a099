//! Turns diagnostics of a world into text and an exit code.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use simhost::{Error, GpuError};
use simhost_engine::{BuildError, ModelError, ObserverError, StepError, UnknownQuantity};
use simhost_world::{Diagnostic, LoadError, Severity, Sources, Span};

use crate::process::{Code, Failure};
use crate::terminal;

/// Number of errors and warnings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Number of errors.
    pub errors: usize,
    /// Number of warnings.
    pub warnings: usize,
}

impl Count {
    /// Counts errors and warnings.
    pub fn of(diagnostics: &[Diagnostic]) -> Self {
        let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
        Self { errors, warnings: diagnostics.len() - errors }
    }

    /// Returns the number of errors with the noun: `1 error`, `2 errors`.
    pub fn errors(self) -> String {
        counted(self.errors, "error")
    }

    /// Returns the number of warnings with the noun: `1 warning`, `2 warnings`.
    pub fn warnings(self) -> String {
        counted(self.warnings, "warning")
    }
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Prints diagnostics with excerpts of the files that they refer to. A warning that occurs at several
/// places is printed once.
pub fn show(diagnostics: &[Diagnostic], sources: &Sources) {
    terminal::count_warnings(Count::of(diagnostics).warnings);
    for text in rendered(diagnostics, sources) {
        terminal::remark(&format!("{text}\n"));
    }
}

/// Returns diagnostics as text. Of many different warnings, only the first ones are kept.
fn rendered(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<String> {
    let colours = terminal::colours();
    let (mut warnings, mut texts) = (0, Vec::new());
    for diagnostic in joined(diagnostics, sources) {
        warnings += usize::from(diagnostic.severity == Severity::Warning);
        if diagnostic.severity == Severity::Error || warnings <= MAX_WARNINGS {
            texts.push(diagnostic.render(sources, colours));
        }
    }
    if warnings > MAX_WARNINGS {
        let more = counted(warnings - MAX_WARNINGS, "more warning");
        texts.push(format!("{more} of other kinds; `simhost check --json` lists all of them"));
    }
    texts
}

/// Advice to those who look for the name of a quantity.
const LIST_QUANTITIES: &str = "`simhost quantities WORLD` lists all quantities";

/// Largest number of different warnings that are printed.
const MAX_WARNINGS: usize = 20;

/// Number of further places of a warning that are listed.
const MAX_PLACES: usize = 3;

fn joined(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Diagnostic> {
    let mut shown: Vec<(Diagnostic, Vec<Span>)> = Vec::new();
    let mut places: HashMap<(&String, &String), usize> = HashMap::new();
    for diagnostic in diagnostics {
        let Some(span) = diagnostic.span.filter(|_| diagnostic.severity == Severity::Warning)
        else {
            shown.push((diagnostic.clone(), Vec::new()));
            continue;
        };
        match places.entry((&diagnostic.message, &diagnostic.label)) {
            Entry::Occupied(first) => shown[*first.get()].1.push(span),
            Entry::Vacant(free) => {
                free.insert(shown.len());
                shown.push((diagnostic.clone(), Vec::new()));
            }
        }
    }
    let with_places = |(mut diagnostic, more): (Diagnostic, Vec<Span>)| {
        diagnostic.notes.extend(elsewhere(&more, sources));
        diagnostic
    };
    shown.into_iter().map(with_places).collect()
}

/// Returns a note that lists the other places of a warning.
fn elsewhere(places: &[Span], sources: &Sources) -> Option<String> {
    let place = |span: &Span| {
        let (path, line, column) = sources.position(*span);
        format!("{}:{line}:{column}", path.display())
    };
    let named: Vec<String> = places.iter().take(MAX_PLACES).map(place).collect();
    let dots = if places.len() > MAX_PLACES { ", …" } else { "" };
    let listed = named.join(", ");
    match places.len() {
        0 => None,
        1 => Some(format!("note: the same at {listed}")),
        more => Some(format!("note: the same at {more} more places: {listed}{dots}")),
    }
}

/// Returns the failure for a world that cannot be read.
pub fn load_failure(error: &LoadError) -> Failure {
    let code = if error.usage { Code::Usage } else { Code::BadInput };
    let mut text = rendered(&error.diagnostics, &error.sources).join("\n\n");
    if !error.usage {
        let Count { errors, warnings } = Count::of(&error.diagnostics);
        let count = Count { errors: errors + error.hidden_errors, warnings };
        text += &format!("\n\nerror: the world cannot be used: {}", count.errors());
    }
    Failure::new(code, text)
}

/// Returns the failure for a world whose models or bodies cannot be created.
pub fn build_failure(error: &BuildError, sources: &Sources) -> Failure {
    let code = match error {
        BuildError::Model(ModelError::Panicked { .. }) => Code::PluginFault,
        _ => Code::BadInput,
    };
    Failure::new(code, of_build(error).render(sources, terminal::colours()))
}

/// Returns the failure for an observer that cannot be used.
pub fn observer_failure(error: &ObserverError, sources: &Sources) -> Failure {
    let code = match error {
        ObserverError::Folder { .. } => Code::Output,
        error if error.is_panic() => Code::PluginFault,
        _ => Code::BadInput,
    };
    Failure::new(code, of_observer(error).render(sources, terminal::colours()))
}

/// Returns the failure for a pattern that selects no quantity: of a world at `span`, or of an argument.
pub fn quantity_failure(error: &UnknownQuantity, span: Option<Span>, sources: &Sources) -> Failure {
    match span {
        Some(span) => {
            let diagnostic = of_quantity(error, span);
            Failure::new(Code::BadInput, diagnostic.render(sources, terminal::colours()))
        }
        None => Failure::new(Code::Usage, format!("{error}\nhelp: {LIST_QUANTITIES}")),
    }
}

/// Returns the failure of a session.
pub fn session_failure(error: Error) -> Failure {
    match &error {
        Error::Load(error) => load_failure(error),
        Error::Build { error, sources } => build_failure(error, sources),
        Error::Observer { error, sources } => observer_failure(error, sources),
        Error::Quantity { error, span, sources } => quantity_failure(error, *span, sources),
        Error::Gpu(GpuError::Adapter(_)) | Error::Step(StepError::Scan(_)) => {
            Failure::new(Code::Gpu, error)
        }
        Error::Output(output) if output.is_input() => Failure::new(Code::BadInput, error),
        Error::Output(_) | Error::Sink(_) => Failure::new(Code::Output, error),
        Error::Step(_) | Error::Snapshot(_) | Error::TakeOver(_) => {
            Failure::new(Code::PluginFault, error)
        }
        Error::Input(_)
        | Error::Variation(_)
        | Error::Commands(_)
        | Error::CommandFile(_)
        | Error::Restore(_)
        | Error::Plugins(_) => Failure::new(Code::BadInput, error),
        _ => Failure::new(Code::Usage, error),
    }
}

/// Returns the text of an error of a session with all diagnostics, without colours.
pub fn plain_text(error: &Error) -> String {
    match error {
        Error::Build { error, sources } => of_build(error).render(sources, false),
        Error::Observer { error, sources } => of_observer(error).render(sources, false),
        Error::Quantity { error, span: Some(span), sources } => {
            of_quantity(error, *span).render(sources, false)
        }
        _ => error.to_string(),
    }
}

/// Converts the error of an observer into a diagnostic.
pub fn of_observer(error: &ObserverError) -> Diagnostic {
    let ObserverError::Quantity { observer, source, span } = error else {
        return error_at(error, error.span());
    };
    let about = format!("observer '{observer}': ");
    unknown_quantity(&about, source, *span)
}

/// Converts the error of a recorded quantity into a diagnostic.
pub fn of_quantity(error: &UnknownQuantity, span: Span) -> Diagnostic {
    unknown_quantity("", error, span)
}

fn unknown_quantity(about: &str, error: &UnknownQuantity, span: Span) -> Diagnostic {
    let nearest = error.nearest.as_ref();
    Diagnostic::error(format!("{about}no quantity matches `{}`", error.pattern))
        .at(span)
        .label(nearest.map_or_else(String::new, |name| format!("did you mean `{name}`?")))
        .help(LIST_QUANTITIES)
}

/// Returns a warning with a text whose further lines are notes.
pub fn warning(text: &str) -> Diagnostic {
    let mut lines = text.lines().map(str::to_owned);
    Diagnostic {
        severity: Severity::Warning,
        message: lines.next().unwrap_or_default(),
        span: None,
        label: String::new(),
        notes: lines.collect(),
    }
}

/// Converts a build error into a diagnostic.
pub fn of_build(error: &BuildError) -> Diagnostic {
    error_at(error, error.span())
}

/// Converts an error at a position into a diagnostic.
fn error_at(error: &impl ToString, span: Option<Span>) -> Diagnostic {
    Diagnostic { severity: Severity::Error, span, ..warning(&error.to_string()) }
}
