//! Test files.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml_edit::{Document, Item, Table};

use super::expectation::Expectation;
use crate::exit::{Code, Failure};

/// End of the name of a test file.
const END: &str = ".test.toml";
/// Keys of a test file.
const KEYS: [&str; 6] = ["world", "commands", "plugin_dir", "duration", "seed", "expect"];

/// A world, and what is expected of it.
#[derive(Debug)]
pub struct TestFile {
    /// Path of the file.
    pub path: PathBuf,
    /// The world.
    pub world: PathBuf,
    /// Command file.
    pub commands: Option<PathBuf>,
    /// Folders with plugins.
    pub plugin_dirs: Vec<PathBuf>,
    /// Simulated time, s, if it is given.
    duration: Option<f64>,
    /// Seed in place of that of the world.
    pub seed: Option<u64>,
    /// What is expected.
    pub expectations: Vec<Expectation>,
}

/// Values of a table, whose errors have a line.
pub struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    table: &'a Table,
}

impl TestFile {
    /// Reads a test file. Paths in it are relative to its folder; the world is by default the file of the same
    /// name with the end `.world.xml`.
    ///
    /// # Errors
    /// Fails if the file cannot be read, has an unknown key, or a value of another type.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let bad = |text: String| Failure::new(Code::BadInput, text);
        let text = std::fs::read_to_string(path)
            .map_err(|error| bad(format!("cannot read {}: {error}", path.display())))?;
        let document = Document::parse(text.as_str())
            .map_err(|error| bad(format!("{}: {error}", path.display())))?;
        let reader = Reader { path, text: &text, table: document.as_table() };
        reader.check_keys(&KEYS)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let file = |name: &str| Ok(reader.text(name)?.map(|text| folder.join(text)));
        let default = || {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            folder.join(format!("{}.world.xml", name.strip_suffix(END).unwrap_or(&name)))
        };
        let dirs = match reader.table.get("plugin_dir") {
            Some(item) if item.is_array() => {
                let items = item.as_array().into_iter().flatten();
                items.filter_map(|item| Some(folder.join(item.as_str()?))).collect()
            }
            _ => Vec::from_iter(file("plugin_dir")?),
        };
        let expectations = match reader.table.get("expect") {
            None => return Err(reader.wrong(None, "it has no [[expect]]; expected at least one")),
            Some(item) => {
                let tables = item.as_array_of_tables();
                let span = item.span();
                let tables = tables.ok_or_else(|| {
                    reader.wrong(span, "`expect` is not a table; expected [[expect]]")
                })?;
                let read = |table| Expectation::read(&Reader { table, ..reader });
                tables.iter().map(read).collect::<Result<Vec<_>, _>>()?
            }
        };
        let duration = reader.number("duration")?;
        let seed = reader.number("seed")?.map(|seed| seed as u64);
        Ok(Self {
            path: path.to_owned(),
            world: file("world")?.unwrap_or_else(default),
            commands: file("commands")?,
            plugin_dirs: dirs,
            duration,
            seed,
            expectations,
        })
    }

    /// Returns the simulated time of the run, s: that of the last expectation, unless it is given.
    pub fn duration(&self) -> f64 {
        let ends = self.expectations.iter().filter_map(Expectation::end);
        self.duration.unwrap_or_else(|| ends.fold(0.0, f64::max))
    }
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

    fn wrong(&self, span: Option<Range<usize>>, text: &str) -> Failure {
        let (path, line) = (self.path.display(), self.line_of(span));
        Failure::new(Code::BadInput, format!("{path}:{line}: {text}"))
    }

    fn line_of(&self, span: Option<Range<usize>>) -> usize {
        let start = span.map_or(0, |span| span.start.min(self.text.len()));
        1 + self.text[..start].matches('\n').count()
    }
}
