//! How a world is opened, as keyword arguments.

use std::path::PathBuf;

use pyo3::prelude::*;
use simhost::{Options, Out};
use simhost_world::CodePlace;

use crate::errors::raise;

/// How a world is opened: `seed`, `threads`, `plugins`, `out`, `force`, `compat`, `lenient`
/// and `allow`.
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
    /// `fmu`, `fmu-in-process` or `shell`, as on the command line.
    allow: Vec<String>,
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
        for allowed in &self.allow {
            match allowed.as_str() {
                "fmu" => options.load.allow.file_models = Some(CodePlace::Separate),
                "fmu-in-process" => options.load.allow.file_models = Some(CodePlace::Here),
                "shell" => options.load.allow.shell = true,
                other => {
                    let text =
                        format!("allow has '{other}'; expected 'fmu', 'fmu-in-process' or 'shell'");
                    return Err(raise("InputError", text));
                }
            }
        }
        Ok(options)
    }
}
