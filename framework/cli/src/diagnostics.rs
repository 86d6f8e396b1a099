//! Turns diagnostics of a world into text and an exit code.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use simhost::check::{DiagnosticCount, LIST_QUANTITIES};
use simhost::{Error, GpuError};
use simhost_engine::{BuildError, ModelError, ObserverError, StepError, UnknownQuantity};
use simhost_model::FileClassError;
use simhost_world::{Diagnostic, LoadError, Severity, Sources, Span};

use crate::process::{Code, Failure};
use crate::terminal;

pub use simhost::check::{of_build, of_observer, of_quantity, plain_text, warning};

/// Prints diagnostics with excerpts of the files that they refer to. A warning that occurs at several
/// places is printed once.
pub fn show(diagnostics: &[Diagnostic], sources: &Sources) {
    terminal::count_warnings(DiagnosticCount::of(diagnostics).warnings);
    for text in rendered(diagnostics, sources) {
        terminal::remark(&format!("{text}\n"));
    }
}

/// Returns the failure of a file that is not the model that it should be.
pub fn unusable_file(error: FileClassError) -> Failure {
    let help = match &*error.help {
        "" => String::new(),
        help => format!("\nhelp: {help}"),
    };
    Failure::new(Code::BadInput, format!("{}{help}", error.text))
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
        let more = warnings - MAX_WARNINGS;
        let noun = if more == 1 { "warning" } else { "warnings" };
        texts.push(format!(
            "{more} more {noun} of other kinds; `simhost check --json` lists all of them"
        ));
    }
    texts
}

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
        let DiagnosticCount { errors, warnings } = DiagnosticCount::of(&error.diagnostics);
        let count = DiagnosticCount { errors: errors + error.hidden_errors, warnings };
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
