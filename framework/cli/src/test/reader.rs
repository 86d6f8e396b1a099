//! Values of tables in test files.

use std::ops::Range;
use std::path::Path;

use toml_edit::{Item, Table};

use crate::process::{Code, Failure};

/// Values of a table, whose errors have a line.
pub struct Reader<'a> {
    /// Path of the file.
    pub path: &'a Path,
    /// Content of the file.
    pub text: &'a str,
    /// The table.
    pub table: &'a Table,
}

impl Reader<'_> {
    /// Returns a number.
    ///
    /// # Errors
    /// Fails if the value is not a finite number of at least 0, for times, or of any sign otherwise.
    pub fn number(&self, name: &str) -> Result<Option<f64>, Failure> {
        let Some(item) = self.table.get(name) else { return Ok(None) };
        let number = item.as_float().or_else(|| item.as_integer().map(|number| number as f64));
        match number.filter(|number| number.is_finite()) {
            Some(number) => Ok(Some(number)),
            None => Err(self.mistyped(name, item, "a number")),
        }
    }

    /// Returns a text.
    ///
    /// # Errors
    /// Fails if the value is not a text.
    pub fn text(&self, name: &str) -> Result<Option<String>, Failure> {
        let Some(item) = self.table.get(name) else { return Ok(None) };
        match item.as_str() {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(self.mistyped(name, item, "a text in quotes")),
        }
    }

    /// Returns a truth value, false if it is not given.
    ///
    /// # Errors
    /// Fails if the value is not `true` or `false`.
    pub fn truth(&self, name: &str) -> Result<bool, Failure> {
        let Some(item) = self.table.get(name) else { return Ok(false) };
        item.as_bool().ok_or_else(|| self.mistyped(name, item, "true or false"))
    }

    /// Checks the names of all values.
    ///
    /// # Errors
    /// Fails at the first unknown one.
    pub fn check_keys(&self, known: &[&str]) -> Result<(), Failure> {
        let unknown = self.table.iter().find(|(name, _)| !known.contains(name));
        let Some((name, item)) = unknown else { return Ok(()) };
        let help = match simhost_model::nearest(name, known.iter().copied()) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("expected one of {}", known.join(", ")),
        };
        Err(self.wrong(item.span(), &format!("unknown key `{name}`; {help}")))
    }

    /// Returns the line of the table.
    pub fn line(&self) -> usize {
        self.line_of(self.table.span())
    }

    /// Returns the failure for a mistake in the table.
    pub fn wrong_here(&self, text: &str) -> Failure {
        self.wrong(self.table.span(), text)
    }

    fn mistyped(&self, name: &str, item: &Item, expected: &str) -> Failure {
        let text = format!("`{name}` is {}; expected {expected}", item.type_name());
        self.wrong(item.span(), &text)
    }

    /// Returns the failure for a mistake at a place in the file.
    pub fn wrong(&self, span: Option<Range<usize>>, text: &str) -> Failure {
        let (path, line) = (self.path.display(), self.line_of(span));
        Failure::new(Code::BadInput, format!("{path}:{line}: {text}"))
    }

    fn line_of(&self, span: Option<Range<usize>>) -> usize {
        let start = span.map_or(0, |span| span.start.min(self.text.len()));
        1 + self.text[..start].matches('\n').count()
    }
}
