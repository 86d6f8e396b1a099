//! Values of a plan, whose errors have a line and a column.

use std::ops::Range;
use std::path::Path;

use simhost_model::nearest;
use toml_edit::{Item, Table, TableLike, Value};

use crate::error::StudyError;

/// Largest whole number of a plan.
const MOST: i64 = 1 << 48;

/// Key, place of the key, and value of an entry of a table.
pub type TableEntry<'t> = (&'t str, Option<Range<usize>>, &'t Item);

/// Reads values, whose errors have a line and a column.
pub struct Reader<'a> {
    pub text: &'a str,
    pub path: &'a Path,
}

impl Reader<'_> {
    pub fn place(&self, span: Option<Range<usize>>) -> String {
        let Some(span) = span else { return format!("{}: ", self.path.display()) };
        let before = &self.text[..span.start.min(self.text.len())];
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
        format!("{}:{line}:{column}: ", self.path.display())
    }

    pub fn wrong(&self, span: Option<Range<usize>>, problem: impl Into<String>) -> StudyError {
        StudyError::Plan { place: self.place(span), problem: problem.into() }
    }

    pub fn mistyped(&self, key: &str, item: &Item, expected: &str) -> StudyError {
        let problem = format!("`{key}` is {}; expected {expected}", item.type_name());
        self.wrong(item.span(), problem)
    }

    pub fn check_keys(&self, table: &Table, known: &[&str]) -> Result<(), StudyError> {
        let Some((name, _)) = table.iter().find(|(name, _)| !known.contains(name)) else {
            return Ok(());
        };
        let help = match nearest(name, known.iter().copied()) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("expected one of {}", known.join(", ")),
        };
        let span = table.get_key_value(name).and_then(|(key, _)| key.span());
        Err(self.wrong(span, format!("unknown key `{name}`; {help}")))
    }

    pub fn text(&self, table: &Table, key: &str) -> Result<Option<PlanValue<String>>, StudyError> {
        let Some(item) = table.get(key) else { return Ok(None) };
        match item.as_str() {
            Some(text) => {
                Ok(Some(PlanValue { value: text.to_owned(), place: self.place(item.span()) }))
            }
            None => Err(self.mistyped(key, item, "a text in quotes")),
        }
    }

    /// Reads one text or a list of texts.
    pub fn texts(&self, table: &Table, key: &str) -> Result<Vec<PlanValue<String>>, StudyError> {
        let Some(Item::Value(Value::Array(items))) = table.get(key) else {
            return Ok(Vec::from_iter(self.text(table, key)?));
        };
        let one = |value: &Value| match value.as_str() {
            Some(text) => Ok(PlanValue { value: text.to_owned(), place: self.place(value.span()) }),
            None => Err(self.wrong(
                value.span(),
                format!("`{key}` has {}; expected texts in quotes", value.type_name()),
            )),
        };
        items.iter().map(one).collect()
    }

    pub fn positive(&self, table: &Table, key: &str) -> Result<Option<PlanValue<f64>>, StudyError> {
        let Some(item) = table.get(key) else { return Ok(None) };
        let number = item.as_float().or_else(|| item.as_integer().map(|number| number as f64));
        match number.filter(|number| number.is_finite() && *number > 0.0) {
            Some(value) => Ok(Some(PlanValue { value, place: self.place(item.span()) })),
            None => Err(self.mistyped(key, item, "a positive number")),
        }
    }

    pub fn whole(
        &self,
        table: &Table,
        key: &str,
        least: i64,
    ) -> Result<Option<PlanValue<u64>>, StudyError> {
        let Some(item) = table.get(key) else { return Ok(None) };
        let number = item.as_integer().filter(|number| (least..=MOST).contains(number));
        match number.and_then(|number| u64::try_from(number).ok()) {
            Some(value) => Ok(Some(PlanValue { value, place: self.place(item.span()) })),
            None => {
                Err(self.mistyped(key, item, &format!("a whole number from {least} to {MOST}")))
            }
        }
    }

    pub fn choice(
        &self,
        table: &Table,
        key: &str,
        known: &[&str],
    ) -> Result<Option<usize>, StudyError> {
        let Some(text) = self.text(table, key)? else { return Ok(None) };
        let found = known.iter().position(|one| *one == text.value);
        let expected = format!("`{key}` is '{}'; expected {}", text.value, known.join(" or "));
        found.map(Some).ok_or_else(|| text.wrong(expected))
    }

    /// Returns the tables of a table or an inline table, with the span of each key.
    pub fn entries<'t>(
        &self,
        table: &'t Table,
        key: &str,
    ) -> Result<Vec<TableEntry<'t>>, StudyError> {
        let Some(item) = table.get(key) else { return Ok(Vec::new()) };
        let table: &dyn TableLike = item
            .as_table_like()
            .ok_or_else(|| self.mistyped(key, item, &format!("a table [{key}]")))?;
        let entry = |(name, item): (&'t str, &'t Item)| {
            (name, table.get_key_value(name).and_then(|(key, _)| key.span()), item)
        };
        Ok(table.iter().map(entry).collect())
    }
}

/// A value with its place in a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanValue<T> {
    /// The value.
    pub value: T,
    /// File, line and column, with a colon and a space after each; empty for what a program has given.
    pub place: String,
}

impl<T> PlanValue<T> {
    /// Returns the error for a problem with the value.
    pub(crate) fn wrong(&self, problem: impl Into<String>) -> StudyError {
        StudyError::Plan { place: self.place.clone(), problem: problem.into() }
    }
}

impl<T> From<T> for PlanValue<T> {
    fn from(value: T) -> Self {
        Self { value, place: String::new() }
    }
}
