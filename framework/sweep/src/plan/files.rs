//! The files that the runs of a plan need.

use std::path::{Path, PathBuf};

use simhost_registry::page::sha256;

use super::{StudyPlan, checks};
use crate::study::VARIABLE;

impl StudyPlan {
    /// Returns the files that the world refers to, with all values of its variables and of what varies that are files.
    /// Some can occur several times.
    pub(crate) fn world_files(&self) -> Vec<PathBuf> {
        let mut files = self.first.files.clone();
        let folder = self.study.world.parent().unwrap_or(Path::new(""));
        for one in self.study.set.iter().chain(&self.study.vary) {
            for value in one.value.values.items() {
                let path = folder.join(value.to_string());
                files.extend(path.is_file().then_some(path));
                if one.value.name.starts_with(VARIABLE) {
                    let mut variables = checks::first_variables(&self.study);
                    variables.retain(|(name, _)| *name != one.value.name);
                    variables.push((one.value.name.clone(), value.to_string()));
                    // runs whose world cannot be read say why
                    files.extend(
                        self.worlds.with(&variables).iter().flat_map(|read| read.files.clone()),
                    );
                }
            }
        }
        files
    }

    /// Returns the libraries of the plugins that the world uses, or can use with other values of its variables.
    pub(crate) fn plugin_paths(&self) -> Vec<PathBuf> {
        let libraries = self.catalogue.libraries().iter().filter(|one| one.refusal.is_none());
        let files = libraries.filter_map(|library| library.file.clone());
        let is_used = |file: &PathBuf| {
            let sum = sha256(file).unwrap_or_default();
            self.first.plugins.iter().any(|plugin| plugin.ends_with(&*sum))
        };
        files.filter(|file| self.has_variables() || is_used(file)).collect()
    }
}
