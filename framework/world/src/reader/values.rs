//! Values of entries by name, with the types and defaults of the section.

use super::contents::ElementReader;
use super::given::Given;
use crate::value;
use crate::vocabulary::{Entry, Value};

impl ElementReader<'_, '_, '_> {
    fn entry(&self, name: &str) -> &'static Entry {
        self.section.entry(name)
    }

    /// Returns a number, an angle in rad or a whole number, if given.
    pub(crate) fn given_number(&mut self, name: &str) -> Option<f64> {
        let text = self.text_of(name)?;
        value::entry_number(self.context, self.entry(name), text)
    }

    /// Returns a number, an angle in rad or a whole number, or its default.
    pub(crate) fn number(&mut self, name: &str) -> f64 {
        let given = self.given_number(name);
        given.unwrap_or_else(|| self.section.default_number(name))
    }

    /// Returns a whole number that is not negative, or its default.
    pub(crate) fn count(&mut self, name: &str) -> u32 {
        self.number(name) as u32
    }

    /// Returns a boolean, if given.
    pub(crate) fn given_flag(&mut self, name: &str) -> Option<bool> {
        let text = self.text_of(name)?;
        value::boolean(self.context, text, self.entry(name).name)
    }

    /// Returns a boolean or its default.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        self.given_flag(name).unwrap_or_else(|| self.section.default_flag(name))
    }

    /// Returns a text that is not empty, if given. An empty element is an empty text.
    pub(crate) fn given_text(&mut self, name: &str) -> Option<String> {
        let given = self.take(name)?;
        if matches!(given, Given::Child(element) if element.text.is_none()) {
            return None;
        }
        let value = self.given_text_of(given)?.value()?;
        (!value.is_empty()).then(|| value.to_owned())
    }

    /// Returns a text or its default.
    pub(crate) fn text(&mut self, name: &str) -> String {
        self.given_text(name).unwrap_or_else(|| self.section.default_text(name).to_owned())
    }

    /// Returns one of the words of the section, if given.
    pub(crate) fn given_word(&mut self, name: &str) -> Option<&'static str> {
        let text = self.text_of(name)?;
        let entry = self.entry(name);
        let Value::Choice(words) = entry.value else { return None };
        value::word(self.context, text, entry.name, words)
    }

    /// Returns one of the words of the section, or the default.
    pub(crate) fn word(&mut self, name: &str) -> &'static str {
        self.given_word(name).unwrap_or_else(|| self.section.default_text(name))
    }

    /// Returns a colour as red, green, blue and opacity, if given.
    pub(crate) fn given_color(&mut self, name: &str) -> Option<[u8; 4]> {
        let text = self.text_of(name)?;
        value::color(self.context, text, self.entry(name).name)
    }

    /// Returns a colour as red, green, blue and opacity, or the default.
    pub(crate) fn color(&mut self, name: &str) -> [u8; 4] {
        self.given_color(name).unwrap_or_else(|| self.section.default_color(name))
    }

    /// Returns a row of numbers in one of the layouts of the section, if given.
    pub(crate) fn given_row(&mut self, name: &str) -> Option<Vec<f64>> {
        let text = self.text_of(name)?;
        let entry = self.entry(name);
        let Value::Row(layouts) = entry.value else { return None };
        value::row(self.context, text, entry.name, layouts)
    }

    /// Returns a row of `N` numbers or its default. Omitted numbers at the end are 0.
    pub(crate) fn row<const N: usize>(&mut self, name: &str) -> [f64; N] {
        match self.given_row(name) {
            Some(row) => std::array::from_fn(|index| row.get(index).copied().unwrap_or(0.0)),
            None => self.section.default_row(name),
        }
    }

    /// Returns a range. Reports an upper bound that is not above the lower one.
    pub(crate) fn range(&mut self, lower: &str, upper: &str) -> [f64; 2] {
        let range = [self.number(lower), self.number(upper)];
        if range[1] <= range[0] {
            let message = format!("`{upper}` {} is not above `{lower}` {}", range[1], range[0]);
            let label = format!("expected {upper} greater than {lower}");
            self.context.report.error(self.element.name_span, message, &label);
        }
        range
    }

    /// Passes a value on. Reports an entry that is not given; an invalid value has been reported.
    pub(crate) fn require<T>(&mut self, name: &str, value: Option<T>) -> Option<T> {
        if value.is_none() && self.take(name).is_none() {
            self.report_missing(self.entry(name));
        }
        value
    }
}
