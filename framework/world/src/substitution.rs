//! `${NAME}`, `${NAME|default}`, `$env{NAME}` and `$f{expression}` in values.
//!
//! The peer replaces names in the text of an included file before it parses it. Here they are
//! replaced value by value, with the same meaning, so that every value keeps its place.

use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use crate::expression;
use crate::reader::Reader;
use crate::tag::did_you_mean;
use crate::xml::Text;

/// Deepest nesting of replacements.
const MAX_DEPTH: usize = 32;
/// Longest value that replacements may make, in bytes.
const MAX_LENGTH: usize = 64 * 1024;
/// Most replacements in one value.
const MAX_REPLACEMENTS: usize = 10_000;

/// What names mean in one reading of a file.
#[derive(Debug)]
pub(crate) struct Scope {
    /// Directory of the file.
    pub directory: PathBuf,
    pub included: bool,
    /// Attributes of the include, visible in this file only.
    pub arguments: HashMap<String, String>,
    /// The variables when the file was included.
    pub variables: Rc<HashMap<String, String>>,
}

/// Names that exist only while a vehicle or a sensor is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub own: Option<String>,
    pub parent: Option<String>,
    /// An include in a vehicle: names that are not known yet are left for later.
    pub keep_unknown: bool,
}

impl Reader<'_> {
    /// The value of a text, or none with an error reported.
    pub(crate) fn value(&mut self, text: &Text) -> Option<String> {
        if !text.raw.contains('$') {
            return Some(text.raw.clone());
        }
        let mut expander = Expander { reader: self, scope: text.scope, replacements: 0 };
        match expander.expand(&text.raw, 0) {
            Ok(value) => Some(value.trim().to_owned()),
            Err(mistake) => {
                self.error(text.span, mistake.message, mistake.label, mistake.notes);
                None
            }
        }
    }
}

struct Mistake {
    message: String,
    label: String,
    notes: Vec<String>,
}

impl Mistake {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), label: String::new(), notes: Vec::new() }
    }
}

struct Expander<'r, 'c> {
    reader: &'r mut Reader<'c>,
    scope: u32,
    replacements: usize,
}

impl Expander<'_, '_> {
    fn expand(&mut self, text: &str, depth: usize) -> Result<String, Mistake> {
        if depth > MAX_DEPTH {
            return Err(Mistake::new("names refer to each other without end"));
        }
        let mut result = String::new();
        let mut rest = text;
        while let Some(dollar) = rest.find('$') {
            result.push_str(&rest[..dollar]);
            rest = &rest[dollar..];
            let Some(kind) = ["${", "$env{", "$f{", "$("].iter().find(|k| rest.starts_with(**k))
            else {
                result.push('$');
                rest = &rest[1..];
                continue;
            };
            if *kind == "$(" {
                return Err(Mistake {
                    message: "a world file may not run shell commands".to_owned(),
                    label: "refused".to_owned(),
                    notes: vec!["help: write the result of the command here".to_owned()],
                });
            }
            let (inside, after) = balanced(&rest[kind.len()..])
                .ok_or_else(|| Mistake::new(format!("`{kind}` without its `}}`")))?;
            self.replacements += 1;
            let piece = match *kind {
                "${" => self.variable(inside, depth)?,
                "$env{" => self.environment(inside, depth)?,
                _ => self.expression(inside, depth)?,
            };
            result.push_str(&piece);
            if result.len() > MAX_LENGTH || self.replacements > MAX_REPLACEMENTS {
                return Err(Mistake::new("the value grows without bound"));
            }
            rest = after;
        }
        result.push_str(rest);
        Ok(result)
    }

    fn variable(&mut self, inside: &str, depth: usize) -> Result<String, Mistake> {
        let (name, default) = split_default(inside);
        if let Some(value) = self.lookup(name) {
            return self.expand(&value, depth + 1);
        }
        let scope = &self.reader.scopes[self.scope as usize];
        if scope.included
            && self.reader.profile().environment_in_includes
            && let Ok(value) = std::env::var(name)
        {
            return Ok(value);
        }
        if self.reader.names.keep_unknown && matches!(name, "NAME" | "PARENT_NAME") {
            return Ok(format!("${{{inside}}}"));
        }
        match default {
            Some(default) => self.expand(default, depth + 1),
            None => Err(self.undefined(name)),
        }
    }

    fn lookup(&self, name: &str) -> Option<String> {
        let reader = &self.reader;
        let scope = &reader.scopes[self.scope as usize];
        match name {
            "NAME" if reader.names.own.is_some() => return reader.names.own.clone(),
            "PARENT_NAME" if reader.names.parent.is_some() => return reader.names.parent.clone(),
            "MVSIM_CURRENT_FILE_DIRECTORY" => return Some(scope.directory.display().to_string()),
            _ => {}
        }
        let found = scope.arguments.get(name).or_else(|| scope.variables.get(name));
        found.or_else(|| reader.variables.get(name)).cloned()
    }

    fn undefined(&self, name: &str) -> Mistake {
        let scope = &self.reader.scopes[self.scope as usize];
        let known = || scope.arguments.keys().chain(self.reader.variables.keys());
        let mut notes = Vec::new();
        if known().next().is_some() {
            let mut names: Vec<_> = known().take(30).map(String::as_str).collect();
            names.sort_unstable();
            notes.push(format!("help: known here: {}", names.join(", ")));
        }
        notes.push(format!("help: `${{{name}|value}}` gives a value where none is defined"));
        let label = did_you_mean(name, known().map(String::as_str));
        Mistake { message: format!("`{name}` is not defined"), label, notes }
    }

    fn environment(&mut self, inside: &str, depth: usize) -> Result<String, Mistake> {
        let (name, default) = split_default(inside);
        match (std::env::var(name), default) {
            (Ok(value), _) => Ok(value),
            (Err(_), Some(default)) => self.expand(default, depth + 1),
            (Err(_), None) => {
                let message = format!("the environment variable `{name}` is not set");
                let help = format!("help: set it, or write `$env{{{name}|value}}`");
                Err(Mistake { notes: vec![help], ..Mistake::new(message) })
            }
        }
    }

    fn expression(&mut self, inside: &str, depth: usize) -> Result<String, Mistake> {
        let text = self.expand(inside, depth + 1)?;
        let variables = Rc::clone(&self.reader.variables);
        let value = expression::evaluate(&text, &variables, &mut self.reader.draws)
            .map_err(|message| Mistake { label: format!("`{text}`"), ..Mistake::new(message) })?;
        if !value.is_finite() {
            return Err(Mistake::new(format!("`{text}` gives {value}")));
        }
        Ok(value.to_string())
    }
}

/// The text up to the brace that closes, and what comes after.
fn balanced(text: &str) -> Option<(&str, &str)> {
    let mut open = 1_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => open += 1,
            b'}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some((&text[..at], &text[at + 1..]));
        }
    }
    None
}

fn split_default(inside: &str) -> (&str, Option<&str>) {
    match inside.split_once('|') {
        Some((name, default)) => (name.trim(), Some(default)),
        None => (inside.trim(), None),
    }
}
