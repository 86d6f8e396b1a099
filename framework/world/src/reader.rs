//! Reading a world: the state that all parts share, and the order in which they run.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use simhost_abi::Kind;

use crate::actors::ActorPart;
use crate::blocks::BlockPart;
use crate::compat::Profile;
use crate::description::{FaultPolicy, Settings, World};
use crate::diagnostics::{Diagnostic, LoadError, Report, Severity};
use crate::fingerprint;
use crate::joints::UnboundJoint;
use crate::limits::{Allow, Limits};
use crate::opening::{self, Opened};
use crate::resources::{AssetCosts, MissingAssets, SharedFetcher};
use crate::sources::{Sources, Span};
use crate::vehicles::VehiclePart;
use crate::xml::{Element, Origin, Text};
use simhost_model::{Classes, ModelRef};

/// How to read a world.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Unknown names are warnings instead of errors.
    pub lenient: bool,
    /// Name of a profile, from the command line.
    pub compat: Option<String>,
    /// Seed from the command line, which wins over the file's.
    pub seed: Option<u64>,
    /// What the world may do.
    pub allow: Allow,
    /// What the world may cost.
    pub limits: Limits,
    /// What happens to a mesh or an image that cannot be had.
    pub missing_assets: MissingAssets,
    /// Finds meshes and images by their addresses.
    pub fetcher: SharedFetcher,
    /// Bounds on the files that a world points to.
    pub asset_limits: simhost_assets::Limits,
}

/// A world that can be used.
#[derive(Debug)]
pub struct Loaded {
    /// What the file says.
    pub world: World,
    /// What may not be as meant.
    pub warnings: Vec<Diagnostic>,
    /// The texts that spans point into.
    pub sources: Sources,
}

/// Reads a world file and everything that it includes.
///
/// # Errors
/// [`LoadError`] with every mistake found: files that cannot be read, unknown names, values that are
/// not what they should be.
pub fn load(
    path: &Path,
    options: &LoadOptions,
    classes: &dyn Classes,
) -> Result<Loaded, LoadError> {
    read(opening::open(path, options), options, classes)
}

/// As [`load`], for a text that may be anything and counts as the content of `path`, which need not
/// exist.
///
/// # Errors
/// As [`load`].
#[doc(hidden)]
pub fn load_text(
    path: &Path,
    text: &[u8],
    options: &LoadOptions,
    classes: &dyn Classes,
) -> Result<Loaded, LoadError> {
    read(opening::open_text(path, text.to_vec(), options), options, classes)
}

fn read(
    mut opened: Opened,
    options: &LoadOptions,
    classes: &dyn Classes,
) -> Result<Loaded, LoadError> {
    let root = opened.root.take();
    let mut reader = Reader::new(opened, options, classes);
    if let Some(root) = &root {
        reader.read_root(root);
    }
    let Reader { report, sources, usage, mut world, asset_costs, .. } = reader;
    let failed = report.has_errors() || root.is_none();
    let hidden_errors = report.hidden_errors();
    let diagnostics = report.finish();
    if failed {
        return Err(LoadError { diagnostics, sources, hidden_errors, usage });
    }
    world.fingerprint = root.map_or(0, |root| {
        let longest = options.asset_limits.max_file_bytes;
        fingerprint::of(&root, world.settings.profile.name, &asset_costs.files, longest)
    });
    Ok(Loaded { world, warnings: diagnostics, sources })
}

/// What all parts share while a world is read.
pub(crate) struct Reader<'c> {
    pub classes: &'c dyn Classes,
    pub sources: Sources,
    pub report: Report,
    pub usage: bool,
    pub lenient: bool,
    pub world: World,
    pub vehicle_classes: HashMap<String, Rc<VehiclePart>>,
    pub block_classes: HashMap<String, Rc<BlockPart>>,
    pub actor_classes: HashMap<String, Rc<ActorPart>>,
    pub vehicle_names: HashSet<String>,
    pub actor_names: HashSet<String>,
    /// What the catalogue has answered.
    pub models: Vec<(Kind, String, Rc<[ModelRef]>)>,
    pub model_keys: Vec<(Kind, Rc<Vec<&'static str>>)>,
    pub missing_assets: MissingAssets,
    pub fetcher: SharedFetcher,
    pub asset_limits: simhost_assets::Limits,
    pub asset_costs: AssetCosts,
    pub meshes: Vec<(PathBuf, Option<Rc<simhost_scene::Mesh>>)>,
    /// Joints and names of vehicles that are looked up at the end.
    pub joints: Vec<UnboundJoint>,
    pub followed: Vec<(String, Span)>,
    /// Names of anything that has a pose.
    pub objects: Vec<(String, Span)>,
    /// The first sensor that needs to know where on Earth it is.
    pub gnss: Option<Span>,
    /// What is said once a world.
    pub said: HashSet<String>,
    /// Tags of the top level that are given once, by name.
    pub given_once: HashMap<&'static str, Element>,
}

impl<'c> Reader<'c> {
    fn new(opened: Opened, options: &LoadOptions, classes: &'c dyn Classes) -> Self {
        let settings = Settings {
            duration: None,
            seed: None,
            timestep: None,
            gravity: 9.81,
            air_density: 1.225,
            substeps: 1,
            integrator: crate::description::Integrator::default(),
            profile: opened.profile,
            faults: FaultPolicy::default(),
            fallback_friction: None,
        };
        let world = World::new(settings);
        Self {
            classes,
            sources: opened.sources,
            report: opened.report,
            usage: opened.usage,
            lenient: options.lenient || opened.profile.lenient,
            world,
            vehicle_classes: HashMap::new(),
            block_classes: HashMap::new(),
            actor_classes: HashMap::new(),
            vehicle_names: HashSet::new(),
            actor_names: HashSet::new(),
            models: Vec::new(),
            model_keys: Vec::new(),
            missing_assets: options.missing_assets,
            fetcher: options.fetcher.clone(),
            asset_limits: options.asset_limits,
            asset_costs: AssetCosts::default(),
            meshes: Vec::new(),
            joints: Vec::new(),
            followed: Vec::new(),
            objects: Vec::new(),
            gnss: None,
            said: HashSet::new(),
            given_once: HashMap::new(),
        }
    }

    pub(crate) fn profile(&self) -> &Profile {
        &self.world.settings.profile
    }

    /// The value of a text; none where it could not be computed, which has been reported.
    pub(crate) fn value(&mut self, text: &Text) -> Option<String> {
        (text.origin != Origin::Failed).then(|| text.content.to_string())
    }

    /// The directory of a source.
    pub(crate) fn directory(&self, file: u32) -> PathBuf {
        crate::expansion::directory_of(self.sources.path(file))
    }

    /// An absolute or relative path as written in a source; where there is nothing, what lies there
    /// from the world's directory.
    pub(crate) fn resolve(&self, file: u32, name: &str) -> PathBuf {
        let own = self.directory(file).join(name);
        let of_world = self.directory(0).join(name);
        if !own.exists() && of_world.exists() { of_world } else { own }
    }

    pub(crate) fn say(
        &mut self,
        severity: Severity,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        notes: Vec<String>,
    ) {
        let (message, label) = (message.into(), label.into());
        self.report.push(Diagnostic { severity, message, span: Some(span), label, notes });
    }

    pub(crate) fn error(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        notes: Vec<String>,
    ) {
        self.say(Severity::Error, span, message, label, notes);
    }

    pub(crate) fn warning(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        self.say(Severity::Warning, span, message, label, Vec::new());
    }

    /// How bad an unknown name is.
    pub(crate) fn strictness(&self) -> Severity {
        if self.lenient { Severity::Warning } else { Severity::Error }
    }
}
