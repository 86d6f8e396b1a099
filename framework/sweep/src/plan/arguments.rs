//! The command line that repeats a run.

use std::path::Path;

use super::StudyPlan;
use crate::study::Study;

impl StudyPlan {
    /// Returns the arguments of `simhost run` that repeat a run with all its files, without the output folder.
    pub fn arguments(&self, run: u64) -> Vec<String> {
        let Study { world, commands, plugin_dirs, duration, seed, .. } = &self.study;
        let shown = |path: &Path| path.display().to_string();
        let mut words = vec![shown(world)];
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        commands.iter().for_each(|path| option("--commands", shown(path)));
        plugin_dirs.iter().for_each(|path| option("--plugin-dir", shown(path)));
        duration.iter().for_each(|duration| option("--duration", duration.value.to_string()));
        seed.iter().for_each(|seed| option("--seed", seed.to_string()));
        // the seed of a member does not change draws in the world file
        option("--members", "1".to_owned());
        option("--member", "0".to_owned());
        option("--vary", format!("seed=constant:{}", self.seed_of(run)));
        for (name, value) in self.variables(run) {
            option("--set", format!("{name}=constant:{value}"));
        }
        for (name, value) in self.differences(run) {
            option("--set", format!("{name}=constant:{value}"));
        }
        words
    }
}
