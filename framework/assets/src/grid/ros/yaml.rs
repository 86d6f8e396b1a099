//! The subset of YAML that map descriptions use: a mapping of keys to scalars and lists of scalars.
//! Deeper collections are skipped. Aliases are rejected because they can expand without bound.

use std::str::FromStr;

use granit_parser::{Event, Parser, ScanError};

use crate::Problem;

/// Maximum nesting of collections.
const MAX_DEPTH: usize = 32;

/// Returns the value of a boolean in the spellings of YAML 1.1.
pub(super) fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "y" | "Y" => {
            Some(true)
        }
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "n" | "N" => {
            Some(false)
        }
        _ => None,
    }
}

/// A value of the mapping.
enum YamlValue {
    Scalar(String),
    List(Vec<String>),
    /// A collection of collections, or a mapping.
    Nested,
}

/// The mapping of a description.
pub(super) struct Mapping {
    entries: Vec<(String, YamlValue)>,
}

impl Mapping {
    /// Parses the first document of a text.
    pub(super) fn parse(text: &str) -> Result<Self, Problem> {
        let mut reader = Reader::default();
        for event in Parser::new_from_str(text) {
            let (event, _) = event.map_err(syntax)?;
            if reader.take(event)? {
                break;
            }
        }
        Ok(Self { entries: reader.entries })
    }

    /// Returns the text of a scalar, or `None` if the key is missing.
    pub(super) fn text(&self, key: &str) -> Result<Option<&str>, Problem> {
        match self.find(key) {
            None => Ok(None),
            Some(YamlValue::Scalar(text)) => Ok(Some(text)),
            Some(_) => {
                Err(Problem::syntax(FORMAT, format!("`{key}` is a collection; expected one value")))
            }
        }
    }

    /// Returns the text of a required scalar.
    pub(super) fn required(&self, key: &str) -> Result<&str, Problem> {
        self.text(key)?.ok_or_else(|| missing(key))
    }

    /// Returns a required number.
    pub(super) fn number(&self, key: &str) -> Result<f64, Problem> {
        number(key, self.required(key)?)
    }

    /// Returns a required list of numbers.
    pub(super) fn numbers(&self, key: &str) -> Result<Vec<f64>, Problem> {
        match self.find(key) {
            None => Err(missing(key)),
            Some(YamlValue::List(items)) => items.iter().map(|item| number(key, item)).collect(),
            Some(_) => {
                Err(Problem::syntax(FORMAT, format!("`{key}` is not a list; expected numbers")))
            }
        }
    }

    fn find(&self, key: &str) -> Option<&YamlValue> {
        self.entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

fn missing(key: &str) -> Problem {
    Problem::syntax(FORMAT, format!("`{key}` is missing"))
}

fn number(key: &str, text: &str) -> Result<f64, Problem> {
    let parsed = f64::from_str(text).ok();
    parsed.ok_or_else(|| {
        let found: String = text.chars().take(40).collect();
        Problem::syntax(FORMAT, format!("`{key}` is `{found}`; expected a number"))
    })
}

fn syntax(error: ScanError) -> Problem {
    Problem::syntax(FORMAT, error)
}

/// Builds the mapping from the events of a document.
#[derive(Default)]
struct Reader {
    entries: Vec<(String, YamlValue)>,
    key: Option<String>,
    /// Open collections, the root included.
    depth: usize,
}

impl Reader {
    /// Processes one event. Returns whether the root has ended.
    fn take(&mut self, event: Event) -> Result<bool, Problem> {
        match event {
            Event::Scalar(text, ..) => self.scalar(text.into_owned())?,
            Event::MappingStart(..) => self.open(YamlValue::Nested)?,
            Event::SequenceStart(..) => self.open(YamlValue::List(Vec::new()))?,
            Event::MappingEnd | Event::SequenceEnd => {
                self.depth -= 1;
                return Ok(self.depth == 0);
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                return Err(Problem::syntax(FORMAT, "aliases are not supported"));
            }
            _ => {}
        }
        Ok(false)
    }

    fn scalar(&mut self, text: String) -> Result<(), Problem> {
        match (self.depth, self.key.take()) {
            (0, _) => return Err(not_a_mapping()),
            (1, None) => {
                if self.entries.iter().any(|(key, _)| *key == text) {
                    let key: String = text.chars().take(40).collect();
                    return Err(Problem::syntax(FORMAT, format!("duplicate key `{key}`")));
                }
                self.key = Some(text);
            }
            (1, Some(key)) => self.entries.push((key, YamlValue::Scalar(text))),
            (2, _) => {
                if let Some((_, YamlValue::List(items))) = self.entries.last_mut() {
                    items.push(text);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, value: YamlValue) -> Result<(), Problem> {
        self.depth += 1;
        match self.depth {
            1 if matches!(value, YamlValue::Nested) => {}
            1 => return Err(not_a_mapping()),
            2 => {
                let key = self.key.take();
                let key = key.ok_or_else(|| Problem::syntax(FORMAT, "a key is a collection"))?;
                self.entries.push((key, value));
            }
            depth if depth > MAX_DEPTH => {
                return Err(Problem::syntax(FORMAT, "its collections are nested too deeply"));
            }
            _ => {
                if let Some((_, last)) = self.entries.last_mut() {
                    *last = YamlValue::Nested;
                }
            }
        }
        Ok(())
    }
}

fn not_a_mapping() -> Problem {
    Problem::syntax(FORMAT, "expected lines such as `resolution: 0.05`")
}

pub(super) const FORMAT: &str = "ROS map";
