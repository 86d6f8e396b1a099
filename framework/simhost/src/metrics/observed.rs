//! Numbers that observers have written to their files.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde_json::Value;
use simhost_record::csv_cells;

use crate::error::EnsembleError;
use crate::session::Session;

/// Start of the text of a metric that an observer writes.
const START: &str = "observed:";

/// A number in a file of an observer, such as `observed:goal.csv:time_s`: the file, and where the number is in it.
///
/// In a CSV file, the key is the name of a column, with or without its unit, whose last value counts; with two keys, the first
/// one is the first cell of the row. In a JSON file, each key is a name of an object or an index of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedNumber {
    file: String,
    keys: Vec<String>,
}

impl ObservedNumber {
    /// Returns whether a text is meant to be one.
    pub fn is_meant(text: &str) -> bool {
        text.trim_start().starts_with(START)
    }

    /// Returns the unit, if the key ends with one: `speed [m/s]`.
    pub fn unit(&self) -> &str {
        let last = self.keys.last().map_or("", String::as_str);
        last.strip_suffix(']').and_then(|text| text.rsplit_once(" [")).map_or("", |(_, unit)| unit)
    }

    /// Checks that the world of a session has observers.
    ///
    /// # Errors
    /// [`EnsembleError::Metric`] if it has none.
    pub fn check(&self, session: &Session) -> Result<(), EnsembleError> {
        match session.has_observers() {
            true => Ok(()),
            false => {
                let problem = "the world has no observers; expected one that writes the file";
                Err(EnsembleError::Metric { text: self.to_string(), problem: problem.to_owned() })
            }
        }
    }

    /// Reads the number from a folder with files of observers.
    ///
    /// # Errors
    /// What is missing, in one line.
    pub fn read(&self, folder: &Path) -> Result<f64, String> {
        let Self { file, keys } = self;
        let text = simhost_files::read_text(&folder.join(file), simhost_files::MAX_DATA_BYTES)
            .map_err(|error| format!("observers have not written {file}: {error}"))?;
        let found = match file.ends_with(".json") {
            true => in_json(&text, keys),
            false => in_csv(&text, keys),
        };
        found.map_err(|problem| format!("{file}: {problem}"))
    }
}

fn in_json(text: &str, keys: &[String]) -> Result<f64, String> {
    let root: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut at = &root;
    for key in keys {
        let next = match at {
            Value::Array(items) => key.parse().ok().and_then(|index: usize| items.get(index)),
            other => other.get(key),
        };
        at = next.ok_or_else(|| format!("found no '{key}'"))?;
    }
    match at {
        Value::Null => Ok(f64::NAN),
        Value::Bool(truth) => Ok(f64::from(*truth)),
        other => other.as_f64().ok_or_else(|| format!("'{other}' is not a number")),
    }
}

fn in_csv(text: &str, keys: &[String]) -> Result<f64, String> {
    let mut rows = csv_cells(text)?.into_iter();
    let head = rows.next().unwrap_or_default();
    let (row, column) = match keys {
        [column] => (None, column),
        [row, column, ..] => (Some(row), column),
        [] => return Err("found no column".to_owned()),
    };
    let is_it = |cell: &String| cell == column || cell.split(" [").next() == Some(column);
    let at = head.iter().position(is_it).ok_or_else(|| {
        format!("found no column '{column}'; expected one of {}", head.join(", "))
    })?;
    let found = match row {
        None => rows.next_back(),
        Some(row) => rows.find(|cells| cells.first() == Some(row)),
    };
    let cells = found.ok_or_else(|| match row {
        Some(row) => format!("found no row '{row}'"),
        None => "found no row".to_owned(),
    })?;
    let cell = cells.get(at).map_or("", String::as_str);
    cell.trim().parse().map_err(|_| format!("'{cell}' is not a number"))
}

impl fmt::Display for ObservedNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{START}{}:{}", self.file, self.keys.join(":"))
    }
}

impl FromStr for ObservedNumber {
    type Err = EnsembleError;

    /// Reads `observed:FILE:KEY`, with more keys after further colons.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let rest = text.trim().strip_prefix(START).unwrap_or_default();
        let mut parts = rest.split(':').map(|part| part.trim().to_owned());
        let file = parts.next().unwrap_or_default();
        let keys: Vec<String> = parts.collect();
        let stays =
            |part: std::path::Component<'_>| matches!(part, std::path::Component::Normal(_));
        let is_file = !file.is_empty() && Path::new(&file).components().all(stays);
        let most = if file.ends_with(".json") { usize::MAX } else { 2 };
        if !is_file || !(1..=most).contains(&keys.len()) || keys.iter().any(String::is_empty) {
            let problem = "expected observed:FILE:COLUMN or observed:FILE:ROW:COLUMN of a CSV file that an observer \
                           writes, or observed:FILE:KEY:… of a JSON file";
            let (text, problem) = (text.to_owned(), problem.to_owned());
            return Err(EnsembleError::Metric { text, problem });
        }
        Ok(Self { file, keys })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a folder with a table and an object.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).unwrap();
        };
        write("m.csv", "quantity,max [m/s],final\na/x,4,1\n\"b/x, y\",5,nan\n");
        let text = "{\"values\": {\"a/x[0]\": {\"max\": 2.5}}, \"list\": [1, 7], \"is\": true}";
        write("m.json", text);
        folder
    }

    fn read(text: &str, folder: &Path) -> Result<f64, String> {
        text.parse::<ObservedNumber>().unwrap().read(folder)
    }

    #[test]
    fn numbers_are_found_in_tables_and_objects() {
        let folder = folder();
        for (text, expected) in [
            ("observed:m.csv:max", 5.0),
            ("observed:m.csv:a/x:max [m/s]", 4.0),
            ("observed:m.csv:b/x, y:max", 5.0),
            ("observed:m.json:values:a/x[0]:max", 2.5),
            ("observed:m.json:list:1", 7.0),
            ("observed:m.json:is", 1.0),
        ] {
            assert_eq!(read(text, folder.path()), Ok(expected), "{text}");
            assert_eq!(text.parse::<ObservedNumber>().unwrap().to_string(), text);
        }
        assert!(read("observed:m.csv:final", folder.path()).unwrap().is_nan());
    }

    #[test]
    fn what_is_missing_is_named() {
        let folder = folder();
        for (text, part) in [
            ("observed:n.csv:x", "observers have not written n.csv"),
            (
                "observed:m.csv:min",
                "found no column 'min'; expected one of quantity, max [m/s], final",
            ),
            ("observed:m.csv:c:max", "found no row 'c'"),
            ("observed:m.csv:quantity", "'b/x, y' is not a number"),
            ("observed:m.json:values:b", "found no 'b'"),
        ] {
            assert!(read(text, folder.path()).unwrap_err().contains(part), "{text}");
        }
        for text in ["observed:m.csv", "observed::x", "observed:../m.csv:x", "observed:m.csv:a:b:c"]
        {
            assert!(text.parse::<ObservedNumber>().is_err(), "{text}");
        }
    }
}
