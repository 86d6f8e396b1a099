//! The world of a study as it is opened, once for all runs with the same variables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};
use simhost::output::plugin_files;
use simhost::{Catalogue, CommandSchedule, Error, Options, Session};
use simhost_registry::page::sha256;
use simhost_world::{LoadOptions, Loaded, Sources, World, load};

use crate::error::StudyError;
use crate::study::{Study, VARIABLE};

/// Number of worlds that are kept, of those that differ in variables.
const KEPT: usize = 64;

/// Values of variables of the world, by their names with [`VARIABLE`].
pub type Variables = Vec<(String, String)>;

/// A world that has been read, from which sessions are opened.
pub struct OpenWorld {
    world: World,
    sources: Sources,
    load: LoadOptions,
    catalogue: Catalogue,
    commands: CommandSchedule,
    /// Number of the last step.
    pub last_step: u64,
    /// Simulated time of a step, s.
    pub dt: f64,
    /// Hash over everything that affects the results, apart from differences and seed.
    pub identity: Sha256,
    /// Plugin files that the world uses, with their SHA-256.
    pub plugins: Vec<String>,
    /// SHA-256 of the command file.
    pub commands_sha256: Option<String>,
    /// World file, and all files that it refers to.
    pub files: Vec<PathBuf>,
}

impl OpenWorld {
    /// Reads the world of a study with values of its variables.
    pub fn read(
        study: &Study,
        catalogue: &Catalogue,
        variables: &Variables,
    ) -> Result<Self, StudyError> {
        let variables: BTreeMap<String, String> = variables
            .iter()
            .map(|(name, value)| (name.trim_start_matches(VARIABLE).to_owned(), value.clone()))
            .collect();
        let load_options = LoadOptions { seed: study.seed, variables, ..LoadOptions::default() };
        let loaded = load(&study.world, &load_options, catalogue).map_err(Error::from)?;
        let Loaded { world, sources, mut files, .. } = loaded;
        files.extend(sources.paths().map(Path::to_owned));
        let mut read = Self {
            sources,
            load: load_options,
            catalogue: catalogue.clone(),
            commands: CommandSchedule::default(),
            last_step: 0,
            dt: 0.0,
            identity: Sha256::new(),
            plugins: used_plugins(&world, catalogue),
            commands_sha256: study.commands.as_deref().map(checksum).transpose()?,
            files,
            world,
        };
        let session = read.session(0, None)?;
        let clock = session.simulation().clock();
        read.dt = clock.dt;
        let duration = study.duration.as_ref().map(|duration| duration.value);
        let Some(duration) = duration.or(read.world.settings.duration) else {
            let problem = format!(
                "{} has no <duration>; expected a `duration` in the plan",
                study.world.display()
            );
            return Err(StudyError::plan(problem));
        };
        read.last_step = clock.last_step(duration).0;
        if let Some(path) = &study.commands {
            let commands =
                CommandSchedule::read(path, session.simulation()).map_err(Error::from)?;
            if !commands.parameters.is_empty() {
                let path = path.display();
                return Err(StudyError::plan(format!(
                    "{path} has values of parameters; expected commands alone in a study"
                )));
            }
            read.commands = commands;
        }
        read.identity = read.identify();
        Ok(read)
    }

    /// Opens a session before its first step, whose observers write to a folder.
    pub fn session(&self, seed: u64, observers: Option<&Path>) -> Result<Session, Error> {
        let loaded = Loaded {
            world: self.world.clone(),
            warnings: Vec::new(),
            sources: self.sources.clone(),
            flat: None,
            files: Vec::new(),
            tree: None,
        };
        let (catalogue, load) = (self.catalogue.clone(), self.load.clone());
        let observer_folder = observers.map(Path::to_owned);
        let seed = Some(seed);
        let options = Options { seed, threads: 1, load, observer_folder, ..Options::default() };
        let mut session = Session::from_loaded(loaded, catalogue, options)?;
        session.edit().set_commands(self.commands.clone())?;
        Ok(session)
    }

    /// Returns the seed of the world, or 0.
    pub fn seed(&self) -> u64 {
        self.world.settings.seed.unwrap_or(0)
    }

    /// Returns the fingerprint of the world, which covers its files.
    pub fn fingerprint(&self) -> u128 {
        self.world.fingerprint
    }

    /// Returns which random values of the world file all runs share.
    pub fn shared_random_values(&self) -> Option<String> {
        simhost::shared_random_values(&self.world, &self.sources)
    }

    fn identify(&self) -> Sha256 {
        let mut hash = Sha256::new();
        let commands = self.commands_sha256.as_deref().unwrap_or("none");
        let lines = [
            format!("simhost {} epoch {}", env!("CARGO_PKG_VERSION"), simhost_abi::EPOCH),
            format!("world {:032x}", self.world.fingerprint),
            format!("commands {commands}"),
            format!("last step {}", self.last_step),
        ];
        let plugins = self.plugins.iter().map(|plugin| format!("plugin {plugin}"));
        for line in lines.into_iter().chain(plugins) {
            hash.update(line + "\n");
        }
        hash
    }
}

fn used_plugins(world: &World, catalogue: &Catalogue) -> Vec<String> {
    let used = plugin_files(world, catalogue).into_iter().filter(|plugin| plugin.is_used);
    let text = |plugin: simhost::output::PluginFile| {
        let sum = plugin.sha256.unwrap_or_default();
        format!("{}/{} {} {sum}", plugin.vendor, plugin.name, plugin.version)
    };
    let mut all: Vec<String> = used.map(text).collect();
    all.sort();
    all
}

fn checksum(path: &Path) -> Result<String, StudyError> {
    sha256(path).ok_or_else(|| {
        let problem = "cannot read the commands; expected a command file".to_owned();
        StudyError::Content { path: path.to_owned(), problem }
    })
}

/// The worlds of a study, by the values of their variables.
pub struct Worlds {
    study: Study,
    catalogue: Catalogue,
    known: Mutex<BTreeMap<Variables, Arc<OpenWorld>>>,
}

impl Worlds {
    pub fn new(study: Study, catalogue: Catalogue) -> Self {
        Self { study, catalogue, known: Mutex::default() }
    }

    /// Returns the world with values of its variables.
    pub fn with(&self, variables: &Variables) -> Result<Arc<OpenWorld>, StudyError> {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(variables) {
            return Ok(known.clone());
        }
        let read = Arc::new(OpenWorld::read(&self.study, &self.catalogue, variables)?);
        let mut known = lock();
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(variables.clone(), read.clone());
        Ok(read)
    }
}
