//! A run that was recorded, to repeat it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use simhost_engine::Snapshot;
use simhost_record::{InputRecord, InputRecords, WORLD_FILE};
use simhost_registry::Catalogue;
use simhost_streams::Input;
use simhost_world::LoadOptions;

use crate::gpu::GpuMode;

use super::error::OutputError;
use super::manifest::{End, Manifest, PluginFile};
use super::models::ModelEntry;
use super::recorder;

/// Stands for a file that is missing.
const ABSENT: &str = "no file";

/// A run that was recorded in a folder.
#[derive(Clone, Debug)]
pub struct Recorded {
    folder: PathBuf,
    /// Constituents of the run.
    pub manifest: Manifest,
    /// The inputs of the run.
    pub inputs: InputRecords,
}

/// Something in which a repeated run differs from the recorded one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestDifference {
    /// The thing that differs, such as `version of simhost`.
    pub what: String,
    /// Value of the recorded run.
    pub recorded: String,
    /// Value of the repeated run.
    pub found: String,
}

impl Recorded {
    /// Reads the manifest and the inputs of a folder.
    ///
    /// # Errors
    /// [`OutputError`] if the folder has no record of a run, or it is damaged.
    pub fn read(folder: &Path) -> Result<Self, OutputError> {
        let manifest = Manifest::read(folder)?;
        let inputs = InputRecords::read(folder)?;
        Ok(Self { folder: folder.to_owned(), manifest, inputs })
    }

    /// Returns the path of the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of the world.
    pub fn world(&self) -> PathBuf {
        self.folder.join(WORLD_FILE)
    }

    /// Returns the end of the run, unless the run was killed or inputs are missing.
    pub fn end(&self) -> Option<&End> {
        self.manifest.end.as_ref().filter(|end| end.inputs == self.inputs.list.len() as u64)
    }

    /// Returns the snapshot with which a resumed run began.
    pub fn start(&self) -> Option<Result<Snapshot, OutputError>> {
        match &self.inputs.list.first()?.input {
            Input::Restore { state, file } => Some(snapshot(&self.folder, file, state)),
            _ => None,
        }
    }

    /// Returns the error that ended the run.
    pub fn failure(&self) -> Option<&str> {
        self.end()?.error.as_deref()
    }

    /// Returns the number of inputs that are missing at the end of `inputs.jsonl`.
    pub fn missing_inputs(&self) -> u64 {
        let expected = self.manifest.end.as_ref().map_or(0, |end| end.inputs);
        expected.saturating_sub(self.inputs.list.len() as u64)
    }

    /// Returns the inputs that affect the results, in order.
    pub fn acting(&self) -> impl Iterator<Item = &InputRecord> {
        let acts = |input: &Input| {
            use Input::{Pace, Pause, Resume, Step, Stop};
            !matches!(input, Pause | Resume | Step { .. } | Pace { .. } | Stop)
        };
        self.inputs.list.iter().filter(move |record| acts(&record.input))
    }

    /// Returns the number of completed steps to which the run can be repeated after its last input: its
    /// end, or for a run that was killed, the last row of `trajectory.csv` or the last input.
    pub fn last_step(&self) -> u64 {
        if let Some(end) = self.end() {
            return end.step;
        }
        let start = self.manifest.resumed.as_ref().map_or(0, |resumed| resumed.step);
        let last_input = self.inputs.list.last().map_or(start, |record| match &record.input {
            Input::Reset { .. } => 0,
            Input::Restore { state, file } => {
                let snapshot = snapshot(&self.folder, file, state);
                snapshot.map_or(0, |snapshot| snapshot.header().step)
            }
            _ => record.step,
        });
        let goes_back = |record: &InputRecord| {
            matches!(record.input, Input::Reset { .. } | Input::Restore { .. })
        };
        // the rows may be of the time before
        if self.missing_inputs() > 0 || self.inputs.list.iter().any(goes_back) {
            return last_input;
        }
        last_input.max(self.last_row().unwrap_or(start))
    }

    /// Returns the step of the last whole row of `trajectory.csv`.
    fn last_row(&self) -> Option<u64> {
        use std::io::{Read, Seek, SeekFrom};
        // longer than a row
        const TAIL: u64 = 1 << 16;
        let mut file = simhost_files::open(&self.folder.join("trajectory.csv")).ok()?;
        let len = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(len.saturating_sub(TAIL))).ok()?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).ok()?;
        let end = text.iter().rposition(|byte| *byte == b'\n')?;
        let row = text[..end].rsplit(|byte| *byte == b'\n').next()?;
        let time = row.split(|byte| *byte == b',').next()?;
        let time: f64 = std::str::from_utf8(time).ok()?.parse().ok()?;
        Some((time / self.manifest.timestep_s).round() as u64)
    }

    /// Sets options for reading worlds to the options of the run.
    pub fn options(&self, load: LoadOptions) -> LoadOptions {
        // the flat world has its seed and its profile
        let mut load = LoadOptions { seed: None, compat: None, keep_tree: true, ..load };
        self.manifest.options.apply(&mut load);
        load
    }

    /// Returns the plugins that the run has used and that a catalogue does not have in any version.
    pub fn missing_plugins(&self, catalogue: &Catalogue) -> Vec<&PluginFile> {
        let found = recorder::plugins(catalogue, &BTreeSet::new());
        let same = |one: &PluginFile, other: &PluginFile| {
            one.sha256 == other.sha256 || (&one.vendor, &one.name) == (&other.vendor, &other.name)
        };
        let used = self.manifest.plugins.iter().filter(|plugin| plugin.is_used);
        used.filter(|plugin| !found.iter().any(|other| same(plugin, other))).collect()
    }

    /// Returns what differs between the recorded run and one that repeats it, in the parts that can affect
    /// the results.
    pub fn differences(&self, found: &Manifest) -> Vec<ManifestDifference> {
        let mut list = Vec::new();
        let mut compare = |what: &str, recorded: &str, found: &str| {
            if recorded != found {
                let (what, recorded, found) = (what.into(), recorded.into(), found.into());
                list.push(ManifestDifference { what, recorded, found });
            }
        };
        let known = &self.manifest;
        let of = |sum: &Option<String>| sum.clone().unwrap_or_else(|| ABSENT.to_owned());
        compare("version of simhost", &known.simhost, &found.simhost);
        compare("world.flat.xml", &of(&known.flat_world_sha256), &of(&found.flat_world_sha256));
        for (asset, other) in known.assets.iter().zip(&found.assets) {
            compare(&asset.file, &of(&asset.sha256), &of(&other.sha256));
        }
        for plugin in known.plugins.iter().filter(|plugin| plugin.is_used) {
            let PluginFile { vendor, name, file, .. } = plugin;
            let other = found.plugins.iter();
            let other = other.filter(|other| (&other.vendor, &other.name) == (vendor, name));
            let other = other.max_by_key(|other| other.sha256 == plugin.sha256);
            let version = |plugin: &PluginFile| {
                format!("version {}, SHA-256 {}", plugin.version, of(&plugin.sha256))
            };
            let other = other.map_or_else(|| ABSENT.to_owned(), version);
            compare(&format!("plugin {vendor}/{name} ({file})"), &version(plugin), &other);
        }
        for model in &known.models {
            let same =
                |other: &&ModelEntry| (&other.kind, &other.class) == (&model.kind, &model.class);
            let other = found.models.iter().find(same);
            let version = other.map_or("not used", |other| &other.version);
            compare(&format!("{} {}", model.kind, model.class), &model.version, version);
        }
        if known.options.gpu.parse() == Ok(GpuMode::Require) {
            let adapter = |manifest: &Manifest| {
                let gpu = manifest.gpu.as_ref();
                gpu.and_then(|gpu| gpu.adapter.clone()).unwrap_or_else(|| "none".to_owned())
            };
            compare("GPU", &adapter(known), &adapter(found));
        }
        compare("machine", &known.host.machine(), &found.host.machine());
        list.dedup();
        list
    }
}

/// Reads a snapshot that an input of a recorded run names.
///
/// # Errors
/// [`OutputError`] if there is no such snapshot, or it is another one.
pub fn snapshot(folder: &Path, name: &str, state_hash: &str) -> Result<Snapshot, OutputError> {
    let path = folder.join(Path::new(name).file_name().unwrap_or_default());
    let content = |text: String| OutputError::Content {
        path: path.clone(),
        line: None,
        text,
        help: "repeat the run from an unchanged copy of the folder",
    };
    let snapshot = Snapshot::read(&path).map_err(|error| content(error.to_string()))?;
    let found = format!("{:032x}", snapshot.state_hash());
    match found == state_hash {
        true => Ok(snapshot),
        false => Err(content(format!("state hash {found}; expected {state_hash}"))),
    }
}
