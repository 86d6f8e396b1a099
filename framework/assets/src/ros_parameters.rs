//! Files of parameters of ROS nodes.
//!
//! ```yaml
//! /**:
//!   ros__parameters:
//!     wheel_base: 2.79 # m
//! ```
//!
//! Keys of nested maps are joined with dots, and items of lists with spaces.

use std::path::Path;

use granit_parser::{Event, Parser};

use crate::{AssetError, Limits, Problem, file, numbers};

/// Name of the map that contains the parameters of a node.
const PARAMETERS: &str = "ros__parameters";
/// Maximum size of a file in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Maximum nesting of maps and lists.
const MAX_DEPTH: usize = 32;

const FORMAT: &str = "file of ROS parameters";

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RosParameter {
    /// Name.
    pub key: String,
    /// Value as written, without quotation marks.
    pub value: String,
    /// Line of the name, from 1 on.
    pub line: usize,
}

/// Reads the parameters of a file in their order.
///
/// # Errors
/// The file cannot be read, or its content is not valid.
pub fn read(path: &Path, limits: &Limits) -> Result<Vec<RosParameter>, AssetError> {
    file::read(path, limits).and_then(|bytes| from_bytes(&bytes)).map_err(|error| error.at(path))
}

/// Reads the parameters of all nodes of a text in their order.
///
/// # Errors
/// The text is not YAML, has aliases or no parameters.
pub fn from_bytes(bytes: &[u8]) -> Result<Vec<RosParameter>, Problem> {
    Problem::bounded("bytes in the file", bytes.len() as u64, MAX_BYTES)?;
    let mut reader = Collector::default();
    for event in Parser::new_from_str(numbers::text(bytes)?) {
        let (event, span) = event.map_err(|error| Problem::syntax(FORMAT, error))?;
        reader.take(event, span.start.line())?;
    }
    match reader.found {
        found if found.is_empty() => {
            let expected = "no parameters; expected `/**:`, below it `ros__parameters:`, and below \
                            that `name: value`";
            Err(Problem::syntax(FORMAT, expected))
        }
        found => Ok(found),
    }
}

/// Collects the parameters from the events of a text.
#[derive(Default)]
struct Collector {
    found: Vec<RosParameter>,
    /// Keys of the open maps and lists; empty for the outermost.
    parents: Vec<String>,
    /// Number of open lists.
    lists: usize,
    /// Key whose value is next, and its line.
    key: Option<(String, usize)>,
}

impl Collector {
    fn take(&mut self, event: Event<'_>, line: usize) -> Result<(), Problem> {
        match event {
            Event::MappingStart(..) if self.lists > 0 => Err(found(line, "a map in a list")),
            Event::MappingStart(..) => self.open(line),
            Event::SequenceStart(..) => {
                self.lists += 1;
                if self.lists == 1 {
                    let Some((key, at)) = self.key.clone() else {
                        return Err(found(line, "a list without a name"));
                    };
                    self.add(&key, String::new(), at);
                }
                self.open(line)
            }
            Event::MappingEnd => {
                self.parents.pop();
                Ok(())
            }
            Event::SequenceEnd => {
                self.parents.pop();
                self.lists -= 1;
                Ok(())
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => Err(found(line, "an alias")),
            Event::Scalar(text, ..) if self.lists > 0 => {
                let is_inside = self.parents.iter().any(|parent| parent == PARAMETERS);
                if let Some(last) = self.found.last_mut().filter(|_| is_inside) {
                    last.value.push_str(if last.value.is_empty() { "" } else { " " });
                    last.value.push_str(&text);
                }
                Ok(())
            }
            Event::Scalar(..) if self.parents.is_empty() => Err(found(line, "a value")),
            Event::Scalar(text, ..) => {
                match self.key.take() {
                    None => self.key = Some((text.into_owned(), line)),
                    Some((key, at)) => self.add(&key, text.into_owned(), at),
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn open(&mut self, line: usize) -> Result<(), Problem> {
        if self.parents.len() >= MAX_DEPTH {
            return Err(found(line, "maps that are nested too deeply"));
        }
        self.parents.push(self.key.take().map(|(key, _)| key).unwrap_or_default());
        Ok(())
    }

    /// Adds a parameter if it is one of a node.
    fn add(&mut self, key: &str, value: String, line: usize) {
        let Some(at) = self.parents.iter().position(|parent| parent == PARAMETERS) else { return };
        let groups = self.parents[at + 1..].iter().map(String::as_str);
        let key = groups.chain([key]).collect::<Vec<_>>().join(".");
        self.found.push(RosParameter { key, value, line });
    }
}

fn found(line: usize, what: &str) -> Problem {
    Problem::syntax(FORMAT, format!("line {line} has {what}; expected `name: value`"))
}

#[cfg(test)]
mod tests {
    use super::from_bytes;

    #[test]
    fn parameters_have_names_values_and_lines() {
        let text = "/**:\n  ros__parameters:\n    wheel_base: 2.79 # m\n    frame: \"map\"\n    \
                    pid:\n      gains: [1.0, 2.0]\n    on: False\nnode:\n  other: 1\n";
        let found = from_bytes(text.as_bytes()).unwrap();
        let found: Vec<_> = found.iter().map(|one| (&*one.key, &*one.value, one.line)).collect();
        let expected = [
            ("wheel_base", "2.79", 3),
            ("frame", "map", 4),
            ("pid.gains", "1.0 2.0", 6),
            ("on", "False", 7),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_not_a_file_of_parameters_is_refused() {
        let error = |text: &str| from_bytes(text.as_bytes()).unwrap_err().to_string();
        assert!(error("a: 1\n").contains("expected `/**:`"), "{}", error("a: 1\n"));
        let alias = "/**:\n  ros__parameters:\n    a: &x 1\n    b: *x\n";
        assert!(error(alias).contains("line 4 has an alias"), "{}", error(alias));
        let map = "/**:\n  ros__parameters:\n    a: [{b: 1}]\n";
        assert!(error(map).contains("line 3 has a map in a list"), "{}", error(map));
        assert!(!error("/**:\n  ros__parameters:\n\ta: 1\n").is_empty());
        let deep = format!("a: {}1{}", "{b: ".repeat(99), "}".repeat(99));
        assert!(error(&deep).contains("too deeply"), "{}", error(&deep));
    }
}
