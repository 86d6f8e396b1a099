//! Attributes with parameters and expressions.

use std::collections::BTreeMap;

use simhost_world::evaluate_expression;
use simhost_xml::{Element, ReadError};

use crate::hints::one_of;

/// Parameters by their names, as texts.
pub(crate) type Parameters = BTreeMap<String, String>;

/// Reads attributes with the parameters that are declared there.
#[derive(Clone)]
pub(crate) struct Values {
    parameters: Parameters,
    /// Values that replace the values of the file.
    given: Parameters,
}

impl Values {
    pub fn new(given: &[(String, String)]) -> Self {
        Self { parameters: Parameters::new(), given: given.iter().cloned().collect() }
    }

    /// Returns the values within an element, with its `<ParameterDeclarations>`.
    pub fn within(&self, element: Element<'_>) -> Result<Self, ReadError> {
        let mut inner = self.clone();
        let Some(list) = element.child("ParameterDeclarations") else { return Ok(inner) };
        for one in list.all("ParameterDeclaration") {
            let name = one.required("name")?.trim_start_matches('$').to_owned();
            let value = match self.given.get(&name) {
                Some(given) => given.clone(),
                None => inner.text(one, "value")?,
            };
            inner.parameters.insert(name, value);
        }
        Ok(inner)
    }

    /// Returns the given parameters that the file does not declare at its root.
    pub fn undeclared(&self) -> Option<&str> {
        self.given.keys().find(|name| !self.parameters.contains_key(*name)).map(String::as_str)
    }

    /// Returns the names of the parameters.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parameters.keys().map(String::as_str)
    }

    /// Returns an attribute, with the value of a parameter `$name` or an expression `${…}` in its place.
    pub fn text(&self, element: Element<'_>, name: &str) -> Result<String, ReadError> {
        let text = element.required(name)?;
        let Some(rest) = text.strip_prefix('$') else { return Ok(text.to_owned()) };
        if let Some(expression) = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            let plain = expression.replace('$', "");
            let value = evaluate_expression(&plain, &self.parameters);
            return value.map(|value| value.to_string()).map_err(|problem| {
                let text = format!("`{name}` of <{}> is {text:?}: {problem}", element.name());
                ReadError::new(element.line(), text)
            });
        }
        self.parameters.get(rest).cloned().ok_or_else(|| {
            let text = format!("`{name}` of <{}>: unknown parameter `{rest}`", element.name());
            let known: Vec<&str> = self.names().collect();
            let help = match known.as_slice() {
                [] => "declare it in <ParameterDeclarations>".to_owned(),
                known => one_of(rest, known.iter().copied()),
            };
            ReadError::new(element.line(), text).help(help)
        })
    }

    /// Returns an attribute as a finite number.
    pub fn number(&self, element: Element<'_>, name: &str) -> Result<f64, ReadError> {
        element.number(&self.text(element, name)?, name)
    }

    /// Returns an attribute as a finite number, or a default without it.
    pub fn number_or(
        &self,
        element: Element<'_>,
        name: &str,
        default: f64,
    ) -> Result<f64, ReadError> {
        match element.attribute(name) {
            Some(_) => self.number(element, name),
            None => Ok(default),
        }
    }

    /// Returns an attribute as a whole number.
    pub fn integer(&self, element: Element<'_>, name: &str) -> Result<i32, ReadError> {
        let number = self.number(element, name)?;
        if number.fract() == 0.0 && number.abs() < 1e9 {
            return Ok(number as i32);
        }
        let text = format!("`{name}` of <{}> is {number}; expected a whole number", element.name());
        Err(ReadError::new(element.line(), text))
    }

    /// Returns an attribute as true or false.
    pub fn truth(&self, element: Element<'_>, name: &str) -> Result<bool, ReadError> {
        let words = [("true", true), ("false", false), ("1", true), ("0", false)];
        self.choice(element, name, &words)
    }

    /// Returns the value of an attribute among words.
    pub fn choice<T: Copy>(
        &self,
        element: Element<'_>,
        name: &str,
        words: &[(&str, T)],
    ) -> Result<T, ReadError> {
        let text = self.text(element, name)?;
        words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
            let problem = format!("`{name}` of <{}> is {text:?}, not supported", element.name());
            let help = one_of(&text, words.iter().map(|(word, _)| *word));
            ReadError::new(element.line(), problem).help(help)
        })
    }
}
