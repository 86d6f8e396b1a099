//! Test files.

use std::path::{Path, PathBuf};

use toml_edit::Document;

use super::expectation::Expectation;
use super::reader::Reader;
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
    /// Seed that replaces the seed of the world.
    pub seed: Option<u64>,
    /// What is expected.
    pub expectations: Vec<Expectation>,
}

impl TestFile {
    /// Reads a test file. Paths in it are relative to its folder; the world is by default the file of the same
    /// name with the end `.world.xml`.
    ///
    /// # Errors
    /// Fails if the file cannot be read, has an unknown key, or a value of another type.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let bad = |text: String| Failure::new(Code::BadInput, text);
        let text = simhost_files::read_text(path, simhost_files::MAX_BYTES)
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

    /// Returns the simulated time of the run, s; by default the time of the last expectation.
    pub fn duration(&self) -> f64 {
        let ends = self.expectations.iter().filter_map(Expectation::end);
        self.duration.unwrap_or_else(|| ends.fold(0.0, f64::max))
    }
}
