//! Runs the simhost command on worlds in a temporary folder.

pub mod bad_plugins;
pub mod clouds;
pub mod failures;
pub mod golden;
pub mod images;
pub mod measured;
#[path = "../validation/src/plot.rs"]
pub mod plot;
pub mod projects;
#[cfg(unix)]
pub mod pty;
pub mod robots;
pub mod runs;
pub mod transcript;
pub mod waiting;
pub mod world;
pub mod world_files;
pub mod world_plugins;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program under test.
pub const SIMHOST: &str = env!("CARGO_BIN_EXE_simhost");

/// Whether the tests are optimised. Tests of many cases then take all of them, as in `.ci/long`.
pub const OPTIMISED: bool = !cfg!(debug_assertions);

/// A temporary folder that holds the inputs and outputs of a test.
pub struct Workspace {
    directory: tempfile::TempDir,
}

/// Result of a run of the command.
pub struct Outcome {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Workspace {
    /// Creates a folder with `world.xml`.
    pub fn new(world: &str) -> Self {
        let workspace = Self { directory: tempfile::tempdir().unwrap() };
        workspace.write("world.xml", world);
        workspace
    }

    /// Returns a path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Returns the command, to be run in the folder.
    pub fn command(&self) -> Command {
        let mut command = Command::new(SIMHOST);
        command.current_dir(self.directory.path()).env_remove("SIMHOST_PLUGIN_PATH");
        // plugins that the user has installed must not affect tests
        command.env("XDG_DATA_HOME", self.path("data")).env("XDG_CACHE_HOME", self.path("cache"));
        command
    }

    /// Runs the command with these arguments.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Outcome {
        let output = self.command().args(arguments).output().unwrap();
        Outcome {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs `world.xml` with output to the folder `out`. The run must succeed.
    pub fn simulate(&self, arguments: &[&str]) -> Outcome {
        let mut all = vec!["world.xml", "--out", "out"];
        all.extend(arguments);
        let outcome = self.run(&all);
        assert_eq!(outcome.code, 0, "{all:?}\n{}", outcome.stderr);
        outcome
    }

    /// Reads a CSV file of the folder `out`.
    pub fn table(&self, name: &str) -> Table {
        self.table_in("out", name)
    }

    /// Reads a CSV file of a folder.
    pub fn table_in(&self, folder: &str, name: &str) -> Table {
        Table::read(&self.path(folder).join(name))
    }
}

/// CSV file.
#[derive(Clone, PartialEq)]
pub struct Table {
    /// Names of the columns.
    pub header: Vec<String>,
    /// Cells as written.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a file.
    pub fn read(path: &Path) -> Self {
        let mut reader = csv::Reader::from_path(path).unwrap();
        let header = reader.headers().unwrap().iter().map(String::from).collect();
        let rows =
            reader.records().map(|row| row.unwrap().iter().map(String::from).collect()).collect();
        Self { header, rows }
    }

    /// Returns the rows in which `column` is `value`.
    pub fn only(&self, column: &str, value: &str) -> Self {
        let index = self.index(column);
        let rows = self.rows.iter().filter(|row| row[index] == value).cloned().collect();
        Self { header: self.header.clone(), rows }
    }

    /// Returns the last number of a column.
    pub fn last(&self, column: &str) -> f64 {
        *self.numbers(column).last().unwrap()
    }

    /// Returns a column of numbers.
    pub fn numbers(&self, column: &str) -> Vec<f64> {
        let index = self.index(column);
        self.rows.iter().map(|row| row[index].parse().unwrap()).collect()
    }

    fn index(&self, column: &str) -> usize {
        self.header.iter().position(|name| name == column).unwrap_or_else(|| panic!("{column}"))
    }
}

/// Asserts that a text has all of these parts.
#[track_caller]
pub fn assert_parts(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

/// Returns the number in an environment variable, or a default.
pub fn number_of(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |number| number.parse().unwrap())
}
