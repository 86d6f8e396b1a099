//! Output of `simhost plugin check`.

use std::fmt::Write;
use std::ops::ControlFlow;

use simhost_validator::{ReportLine, Subject, TESTS, Verdict};

use crate::exit::Failure;
use crate::terminal;

/// Prints the verdicts of tests as they arrive.
pub(super) struct Writer {
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
pub(super) fn list() -> String {
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
