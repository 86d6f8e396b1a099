//! What was found in a world: as text for people, and as an exit code.

use simhost_engine::BuildError;
use simhost_world::{Diagnostic, LoadError, Severity, Sources};

use crate::exit::{Code, Failure};
use crate::terminal;

/// Errors and warnings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
}

impl Count {
    /// How many there are.
    pub fn of(diagnostics: &[Diagnostic]) -> Self {
        let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
        Self { errors, warnings: diagnostics.len() - errors }
    }

    /// `1 error`, `2 errors`.
    pub fn errors(self) -> String {
        counted(self.errors, "error")
    }

    /// `1 warning`, `2 warnings`.
    pub fn warnings(self) -> String {
        counted(self.warnings, "warning")
    }
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Shows diagnostics with the pieces of the files they are about.
pub fn show(diagnostics: &[Diagnostic], sources: &Sources) {
    let colours = terminal::colours();
    for diagnostic in diagnostics {
        terminal::remark(&format!("{}\n", sources.render(diagnostic, colours)));
    }
}

/// Why a world cannot be read.
pub fn load_failure(error: &LoadError) -> Failure {
    let colours = terminal::colours();
    let rendered: Vec<String> = error
        .diagnostics
        .iter()
        .map(|diagnostic| error.sources.render(diagnostic, colours))
        .collect();
    let code = if error.usage { Code::Usage } else { Code::BadInput };
    let mut text = rendered.join("\n\n");
    if !error.usage {
        let count = Count::of(&error.diagnostics).errors();
        text += &format!("\n\nerror: the world cannot be used: {count}");
    }
    Failure::new(code, text)
}

/// Why a world cannot be simulated.
pub fn build_failure(error: &BuildError, sources: &Sources) -> Failure {
    let code = match error {
        BuildError::Panicked { .. } => Code::PluginFault,
        _ => Code::BadInput,
    };
    Failure::new(code, sources.render(&of_build(error), terminal::colours()))
}

/// The same as a diagnostic.
pub fn of_build(error: &BuildError) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        message: error.to_string(),
        span: error.span(),
        label: String::new(),
        notes: Vec::new(),
    }
}
