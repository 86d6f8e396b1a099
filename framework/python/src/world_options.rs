//! How a world is opened, as keyword arguments.

use std::path::PathBuf;

use pyo3::prelude::*;
use simhost::{Options, Out};

use crate::errors::raise;

/// How a world is opened: `seed`, `threads`, `plugins`, `out`, `force`, `compat` and `lenient`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct WorldOptions {
    seed: Option<u64>,
    pub threads: usize,
    plugins: Vec<PathBuf>,
    out: Option<PathBuf>,
    force: bool,
    compat: Option<String>,
    lenient: bool,
}

impl WorldOptions {
    /// Returns the options of a session.
    pub fn session(self) -> PyResult<Options> {
        if self.threads == 0 {
            return Err(raise("InputError", "threads is 0; expected at least 1"));
        }
        let observer_folder = self.out.clone();
        let out = self.out.map(|folder| {
            let mut out = Out::new(folder);
            out.force = self.force;
            out
        });
        let mut options = Options {
            seed: self.seed,
            threads: self.threads,
            plugin_folders: self.plugins,
            out,
            observer_folder,
            ..Options::default()
        };
        options.load.seed = self.seed;
        options.load.compat = self.compat;
        options.load.lenient = self.lenient;
        Ok(options)
    }
}
