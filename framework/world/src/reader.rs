//! Reading a world: the state that all parts share, and the order in which they run.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use simhost_abi::Kind;

use crate::actors::ActorPart;
use crate::blocks::BlockPart;
use crate::classes::{Classes, ModelRef};
use crate::compat::{CORRECTED, PROFILES, Profile};
use crate::description::{FaultAction, Settings, World};
use crate::diagnostics::{Diagnostic, LoadError, Report, Severity};
use crate::expression::Draws;
use crate::joints::UnboundJoint;
use crate::layers::Layer;
use crate::resources::{MissingAssets, SharedFetcher};
use crate::sources::{Sources, Span};
use crate::substitution::{Names, Scope};
use crate::tag::did_you_mean;
use crate::vehicles::VehiclePart;
use crate::xml::Element;

/// How to read a world.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Unknown names are warnings instead of errors.
    pub lenient: bool,
    /// Name of a profile, from the command line.
    pub compat: Option<String>,
    /// Seed from the command line, which wins over the file's.
    pub seed: Option<u64>,
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
    let mut reader = Reader::new(options, classes);
    let world = reader.world(path, options.compat.as_deref());
    let Reader { report, sources, usage, .. } = reader;
    let failed = report.has_errors();
    let diagnostics = report.finish();
    match world {
        Some(world) if !failed => Ok(Loaded { world, warnings: diagnostics, sources }),
        _ => Err(LoadError { diagnostics, sources, usage }),
    }
}

/// What all parts share while a world is read.
pub(crate) struct Reader<'c> {
    pub classes: &'c dyn Classes,
    pub sources: Sources,
    pub report: Report,
    pub usage: bool,
    pub lenient: bool,
    pub seed: Option<u64>,
    pub scopes: Vec<Scope>,
    pub variables: Rc<HashMap<String, String>>,
    pub names: Names,
    pub draws: Draws,
    pub world: World,
    pub vehicle_classes: HashMap<String, Layer<VehiclePart>>,
    pub block_classes: HashMap<String, Layer<BlockPart>>,
    pub actor_classes: HashMap<String, Layer<ActorPart>>,
    pub vehicle_names: HashSet<String>,
    pub actor_names: HashSet<String>,
    /// What the catalogue has answered.
    pub models: Vec<(Kind, String, Rc<[ModelRef]>)>,
    pub model_keys: Vec<(Kind, Rc<Vec<&'static str>>)>,
    pub missing_assets: MissingAssets,
    pub fetcher: SharedFetcher,
    pub asset_limits: simhost_assets::Limits,
    pub meshes: Vec<(PathBuf, Rc<simhost_scene::Mesh>)>,
    /// Joints and names of vehicles that are looked up at the end.
    pub joints: Vec<UnboundJoint>,
    pub followed: Vec<(String, Span)>,
    /// The first sensor that needs to know where on Earth it is.
    pub gnss: Option<Span>,
    /// What is said once a world.
    pub said: HashSet<String>,
    pub open_files: Vec<PathBuf>,
    pub bytes_read: u64,
    pub files_read: usize,
}

impl<'c> Reader<'c> {
    fn new(options: &LoadOptions, classes: &'c dyn Classes) -> Self {
        let settings = Settings {
            duration: None,
            seed: None,
            timestep: None,
            gravity: 9.81,
            profile: CORRECTED,
            fault_action: FaultAction::Stop,
        };
        let world = World::new(settings);
        Self {
            classes,
            sources: Sources::default(),
            report: Report::default(),
            usage: false,
            lenient: options.lenient,
            seed: options.seed,
            scopes: Vec::new(),
            variables: Rc::default(),
            names: Names::default(),
            draws: Draws(0),
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
            meshes: Vec::new(),
            joints: Vec::new(),
            followed: Vec::new(),
            gnss: None,
            said: HashSet::new(),
            open_files: Vec::new(),
            bytes_read: 0,
            files_read: 0,
        }
    }

    pub(crate) fn profile(&self) -> &Profile {
        &self.world.settings.profile
    }

    fn world(&mut self, path: &Path, compat: Option<&str>) -> Option<World> {
        let flag = match compat {
            Some(name) => Some(self.profile_from_flag(name)?),
            None => None,
        };
        self.open_files.push(path.canonicalize().unwrap_or_else(|_| path.to_owned()));
        let roots = self.open(path, None, HashMap::new())?;
        let root = self.root(&roots)?;
        self.choose_profile(root, flag)?;
        self.read_root(root);
        let settings = self.world.settings.clone();
        Some(std::mem::replace(&mut self.world, World::new(settings)))
    }

    fn profile_from_flag(&mut self, name: &str) -> Option<&'static Profile> {
        let found = Profile::named(name);
        if found.is_none() {
            self.usage = true;
            self.error_nowhere(format!("unknown profile `{name}`"), vec![known_profiles()]);
        }
        found
    }

    fn root<'e>(&mut self, roots: &'e [Element]) -> Option<&'e Element> {
        let Some(root) = roots.first() else {
            let help = "help: a world file begins with <mvsim_world version=\"1.0\">".to_owned();
            self.error_nowhere("the world file has no tag at all".to_owned(), vec![help]);
            return None;
        };
        if root.name != "mvsim_world" {
            let message = format!("`<{}>` is not a world", root.name);
            self.error(root.name_span, message, "expected <mvsim_world>", Vec::new());
            return None;
        }
        Some(root)
    }

    /// The profile of the flag and that of the file are equal, or one of them is missing.
    fn choose_profile(&mut self, root: &Element, flag: Option<&'static Profile>) -> Option<()> {
        let mut chosen = flag;
        if let Some(text) = root.attribute("compat") {
            let name = self.value(text)?;
            let Some(named) = Profile::named(&name) else {
                let message = format!("unknown profile `{name}`");
                let names = PROFILES.map(|profile| profile.name);
                let label = did_you_mean(&name, names);
                self.error(text.span, message, label, vec![known_profiles()]);
                return None;
            };
            if let Some(flag) = flag.filter(|flag| flag.name != named.name) {
                self.usage = true;
                let message = format!("the file asks for `{}`, the flag for `{}`", name, flag.name);
                let help = "help: remove one of them".to_owned();
                self.error(text.span, message, "the profile of this world", vec![help]);
                return None;
            }
            chosen = Some(named);
        }
        let profile = *chosen.unwrap_or(&CORRECTED);
        self.lenient |= profile.lenient;
        self.world.settings.profile = profile;
        Some(())
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

    fn error_nowhere(&mut self, message: String, notes: Vec<String>) {
        let (severity, label) = (Severity::Error, String::new());
        self.report.push(Diagnostic { severity, message, span: None, label, notes });
    }

    /// A mistake about a file, at the place that names the file where there is one.
    pub(crate) fn file_error(&mut self, span: Option<Span>, message: String, notes: Vec<String>) {
        match span {
            Some(span) => self.error(span, message, "", notes),
            None => self.error_nowhere(message, notes),
        }
    }

    /// How bad an unknown name is.
    pub(crate) fn strictness(&self) -> Severity {
        if self.lenient { Severity::Warning } else { Severity::Error }
    }

    /// A part of the format that is known and not built.
    pub(crate) fn unsupported(&mut self, span: Span, what: &str) {
        let message = format!("{what} is not supported yet");
        let help = "help: remove it, or run with --lenient to leave it out".to_owned();
        let notes = if self.lenient { Vec::new() } else { vec![help] };
        self.say(self.strictness(), span, message, "left out", notes);
    }
}

fn known_profiles() -> String {
    format!("help: known profiles: {}", PROFILES.map(|profile| profile.name).join(", "))
}
