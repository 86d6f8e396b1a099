//! The description of the world of a session, and how inputs change it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use simhost_engine::{BuildError, ObserverError, Simulation};
use simhost_registry::Catalogue;
use simhost_registry::page::sha256;
use simhost_streams::{Input, InputError};
use simhost_world::{
    Allow, Confinement, Diagnostic, Limits, LoadError, LoadOptions, Loaded, ParameterContext,
    ParameterError, Sources, World, WorldTree, load_text,
};

use crate::builds::{Builds, Purpose};
use crate::error::Error;

/// Warning about files with several roots.
const SECOND_ROOT: &str = "a second root element";

/// The description of a world as it was opened, and of the same world after changes. Copies share most.
#[derive(Clone)]
pub struct Description {
    base: Arc<Base>,
    /// The world with all changes.
    pub world: Arc<World>,
    /// The texts that it was read from.
    pub sources: Arc<Sources>,
    /// The changes: parameters, additions and removals, without those that later ones have undone.
    edits: Vec<Input>,
    /// Whether the next change comes from a client.
    is_for_client: bool,
    builds: Builds,
}

/// A world as it was opened.
struct Base {
    world: Arc<World>,
    sources: Arc<Sources>,
    tree: Option<WorldTree>,
    load: LoadOptions,
    /// How changes of clients are read.
    client_load: LoadOptions,
    catalogue: Catalogue,
    builds: Builds,
}

/// Greatest number of elements, and of bytes, that a client adds at once.
const MOST_ADDED: usize = 10_000;
const MOST_TEXT: usize = 1 << 20;
/// Wall time by which the world with an addition of a client can take longer to read than without it.
const LONGEST_ADDITION: Duration = Duration::from_millis(250);

/// Returns the options with which changes of clients are read.
fn client_options(load: &LoadOptions, files: Vec<PathBuf>, sources: &Sources) -> LoadOptions {
    let world = sources.folder().map(Path::to_owned);
    let folders = world.into_iter().chain(load.client_folders.iter().cloned()).collect();
    LoadOptions {
        allow: Allow { shell: false, ..load.allow },
        limits: Limits {
            elements: MOST_ADDED.min(load.limits.elements),
            file_size: load.limits.file_size.min(MOST_TEXT as u64),
            ..load.limits.clone()
        },
        confinement: Some(Arc::new(Confinement { folders, files })),
        ..load.clone()
    }
}

impl Description {
    pub fn new(loaded: Loaded, load: LoadOptions, catalogue: Catalogue) -> Self {
        let Loaded { world, sources, tree, files, .. } = loaded;
        let client_load = client_options(&load, files, &sources);
        let (world, sources) = (Arc::new(world), Arc::new(sources));
        let builds = Builds::default();
        let base = Base {
            builds: builds.clone(),
            world: world.clone(),
            sources: sources.clone(),
            tree,
            load,
            client_load,
            catalogue,
        };
        let (base, edits) = (Arc::new(base), Vec::new());
        Self { base, world, sources, edits, is_for_client: false, builds }
    }

    /// Returns the same world, whose next change comes from a client, which cannot name any file.
    pub fn for_client(&self) -> Self {
        Self { is_for_client: true, ..self.clone() }
    }

    fn load(&self) -> &LoadOptions {
        if self.is_for_client { &self.base.client_load } else { &self.base.load }
    }

    /// Describes a world that a program has built.
    pub fn of_world(world: World, load: LoadOptions, catalogue: Catalogue) -> Self {
        let loaded = Loaded {
            world,
            warnings: Vec::new(),
            sources: Sources::default(),
            flat: None,
            files: Vec::new(),
            tree: None,
        };
        Self::new(loaded, load, catalogue)
    }

    /// Returns the text of the world file as it was opened, with values of parameters, to be written to `path`.
    ///
    /// # Errors
    /// As [`World::place_parameters`].
    pub fn file_with(&self, values: &[(String, String)], path: &Path) -> Result<String, Error> {
        let Base { world, sources, load, catalogue, .. } = &*self.base;
        let with = ParameterContext { sources, options: load, classes: catalogue };
        Ok(world.place_parameters(values, path, with)?)
    }

    /// Returns the changes as a text, empty if there are none.
    pub fn edits(&self) -> String {
        match self.edits.is_empty() {
            true => String::new(),
            false => serde_json::to_string(&self.edits).expect("inputs are texts and numbers"),
        }
    }

    /// Returns the text of [`Self::edits`] after more values of parameters have been set.
    pub fn edits_with<'p>(&self, parameters: impl Iterator<Item = (&'p str, &'p str)>) -> String {
        Self { edits: self.edits_and(parameters), ..self.clone() }.edits()
    }

    fn edits_and<'p>(
        &self,
        parameters: impl IntoIterator<Item = (&'p str, &'p str)>,
    ) -> Vec<Input> {
        let mut edits = self.edits.clone();
        for (name, value) in parameters {
            edits.retain(|known| !is_parameter(known, |known| known == name));
            edits.push(Input::Parameter { name: name.to_owned(), value: value.to_owned() });
        }
        edits
    }

    /// Returns the world as it was opened.
    pub fn original(&self) -> Self {
        let Base { world, sources, builds, .. } = &*self.base;
        let (base, edits, builds) = (self.base.clone(), Vec::new(), builds.clone());
        let (world, sources) = (world.clone(), sources.clone());
        Self { base, world, sources, edits, is_for_client: false, builds }
    }

    /// Returns the world with the changes that [`Self::edits`] has returned.
    ///
    /// # Errors
    /// [`Error::Edits`] if they are not changes of this world.
    pub fn with_edits(&self, edits: &str) -> Result<Self, Error> {
        let original = self.original();
        if edits.is_empty() {
            return Ok(original);
        }
        let damaged = |text: String| Error::Edits { text };
        let edits = serde_json::from_str(edits).map_err(|error| damaged(error.to_string()))?;
        original.changed(edits).map_err(|error| damaged(error.to_string()))
    }

    /// Returns the world with one more change.
    ///
    /// # Errors
    /// [`Error::Input`] if the change names something that the world does not have, and [`Error::Load`]
    /// with all errors of a fragment or a value.
    pub fn with(&self, edit: &Input) -> Result<Self, Error> {
        let mut edits = self.edits.clone();
        match edit {
            Input::Parameter { name, value } => return self.with_parameters([(&**name, &**value)]),
            Input::Remove { entity } => {
                let of_entity = format!("{entity}/");
                edits.retain(|known| !is_parameter(known, |known| known.starts_with(&of_entity)));
                if let Some(added) = self.sole_addition(entity) {
                    edits.retain(|known| *known != added);
                    return self.changed(edits);
                }
            }
            _ => {}
        }
        edits.push(edit.clone());
        self.changed(edits)
    }

    /// Returns the world with other values of parameters, which are checked together.
    ///
    /// # Errors
    /// As [`Self::with`].
    pub fn with_parameters<'p>(
        &self,
        parameters: impl IntoIterator<Item = (&'p str, &'p str)>,
    ) -> Result<Self, Error> {
        self.changed(self.edits_and(parameters))
    }

    /// Returns the addition of this entity and nothing else.
    fn sole_addition(&self, entity: &str) -> Option<Input> {
        let tree = self.base.tree.as_ref()?;
        let adds = |edit: &&Input| {
            let Input::Add { fragment, .. } = edit else { return false };
            let mut alone = tree.clone();
            alone.add(fragment, None).is_ok() && alone.added_entities() == [entity]
        };
        self.edits.iter().rfind(adds).cloned()
    }

    /// Returns the world with what is needed to read values of parameters.
    pub fn reading(&self) -> (&World, ParameterContext<'_>) {
        let Base { load, catalogue, .. } = &*self.base;
        let with = ParameterContext { sources: &self.sources, options: load, classes: catalogue };
        (&self.world, with)
    }

    fn changed(&self, edits: Vec<Input>) -> Result<Self, Error> {
        let (load, catalogue) = (self.load(), &self.base.catalogue);
        let is_parameter = |edit: &Input| matches!(edit, Input::Parameter { .. });
        let (mut world, sources) = match edits.iter().all(is_parameter) {
            true => ((*self.base.world).clone(), self.base.sources.clone()),
            false => {
                let loaded = self.tree_with(&edits)?.read(catalogue)?;
                (loaded.world, Arc::new(loaded.sources))
            }
        };
        let given = edits.iter().filter_map(|edit| match edit {
            Input::Parameter { name, value } => Some((&**name, &**value)),
            _ => None,
        });
        let with = ParameterContext { sources: &sources, options: load, classes: catalogue };
        world.set_parameters(&given.collect::<Vec<_>>(), with)?;
        let (base, world, builds) = (self.base.clone(), Arc::new(world), Builds::default());
        Ok(Self { base, world, sources, edits, is_for_client: false, builds })
    }

    /// Returns the world with all changes as one world file, with other initial poses of entities: x, y, m; yaw, rad.
    ///
    /// # Errors
    /// [`Error::NoTree`] without the elements of the world, [`Error::Input`] for an unknown entity, and
    /// [`Error::Load`] if the file would have errors.
    pub fn saved(&self, poses: &[(String, [f64; 3])]) -> Result<String, Error> {
        let parameters: Vec<(&str, &str)> = self
            .edits
            .iter()
            .filter_map(|edit| match edit {
                Input::Parameter { name, value } => Some((name.as_str(), value.as_str())),
                _ => None,
            })
            .collect();
        let saved = self.tree_with(&self.edits)?.saved(poses, &parameters);
        let text = saved.map_err(|error| {
            let (found, help) = (error.name, error.help);
            InputError::Unknown { what: "entity", found, help }
        })?;
        let Base { load, catalogue, .. } = &*self.base;
        let first = self.sources.paths().next().map(Path::to_owned).unwrap_or_default();
        let path = first.with_file_name("saved.world.xml");
        load_text(&path, text.as_bytes(), load, catalogue)?;
        Ok(text)
    }

    /// Returns the classes from which fragments can make entities, such as `vehicle:robot`.
    pub fn classes(&self) -> Vec<String> {
        self.base.tree.as_ref().map_or(Vec::new(), WorldTree::classes)
    }

    fn tree_with(&self, edits: &[Input]) -> Result<WorldTree, Error> {
        let mut tree = self.base.tree.clone().ok_or(Error::NoTree)?;
        for edit in edits {
            match edit {
                Input::Add { fragment, .. } => drop(tree.add(fragment, None)?),
                Input::Remove { entity } => tree.remove(entity).map_err(|error| {
                    let (found, help) = (error.name, error.help);
                    InputError::Unknown { what: "entity", found, help }
                })?,
                _ => {}
            }
        }
        Ok(tree)
    }

    /// Returns the input that adds the entities of a fragment, with includes and expressions resolved.
    ///
    /// # Errors
    /// As [`Self::with`].
    pub fn addition(&self, fragment: &str, path: Option<&Path>) -> Result<Input, Error> {
        if self.is_for_client && fragment.len() > MOST_TEXT {
            return Err(too_much(fragment.len(), "bytes", MOST_TEXT));
        }
        let began = Instant::now();
        let mut tree = self.tree_with(&self.edits)?;
        let before = tree.read(&self.base.catalogue)?.files;
        let usual = began.elapsed();
        if self.is_for_client {
            tree = tree.with_options(&self.base.client_load);
        }
        let fragment = tree.add(fragment, path).map_err(|mut error| {
            // a fragment may have several roots
            error.diagnostics.retain(|one| one.message != SECOND_ROOT);
            error
        })?;
        let after = tree.read(&self.base.catalogue)?;
        if self.is_for_client {
            // rapier and the models refuse what cannot be simulated, and the run continues meanwhile
            let trial = simhost_engine::Options { seed: 0, threads: 1 };
            drop(Simulation::new(&after.world, trial).map_err(|error| Error::Build {
                error: Box::new(error),
                sources: Box::new(after.sources.clone()),
            })?);
            let (taken, most) = (began.elapsed(), 3 * usual + LONGEST_ADDITION);
            if taken > most {
                return Err(too_much(taken.as_millis() as usize, "ms", most.as_millis() as usize));
            }
        }
        let after = after.files;
        let new = after.into_iter().filter(|file| !before.contains(file));
        let named = new.map(|file| {
            let sum = sha256(&file).unwrap_or_default();
            (file.display().to_string(), sum)
        });
        let mut files: Vec<(String, String)> = named.collect();
        files.dedup();
        Ok(Input::Add { fragment, files })
    }

    /// Returns a simulation of the world with all changes, before its first measurement.
    ///
    /// # Errors
    /// [`Error::Build`] if a model rejects its parameters or a body cannot exist.
    pub fn simulation(
        &self,
        options: simhost_engine::Options,
        purpose: Purpose,
    ) -> Result<Simulation, Error> {
        let fail = |error| self.build_error(error);
        let mut simulation = self.builds.simulation(&self.world, options, purpose, fail)?;
        simulation.set_edits(self.edits());
        Ok(simulation)
    }

    /// Returns whether the parameters of a vehicle differ from those in another description.
    pub fn changes_vehicle(&self, other: &Self, vehicle: &str) -> bool {
        let of = |edits: &[Input]| -> BTreeMap<String, String> {
            let named = edits.iter().filter_map(|edit| match edit {
                Input::Parameter { name, value } => Some((name.clone(), value.clone())),
                _ => None,
            });
            let is_own =
                |name: &str| name.strip_prefix(vehicle).is_some_and(|s| s.starts_with('/'));
            named.filter(|(name, _)| is_own(name)).collect()
        };
        of(&self.edits) != of(&other.edits)
    }

    /// Adds the texts of the world to an error of its simulation.
    pub fn build_error(&self, error: BuildError) -> Error {
        Error::Build { error: Box::new(error), sources: Box::new((*self.sources).clone()) }
    }

    /// Adds the texts of the world to an error in it.
    pub fn world_error(&self, error: Diagnostic) -> Error {
        LoadError::new(error, (*self.sources).clone()).into()
    }

    /// Adds the texts of the world to an error of its observers.
    pub fn observer_error(&self, error: ObserverError) -> Error {
        Error::Observer { error: Box::new(error), sources: Box::new((*self.sources).clone()) }
    }
}

/// Returns the error for an addition of a client that is too large.
fn too_much(found: usize, unit: &str, most: usize) -> Error {
    let (name, found) = ("the addition".to_owned(), format!("{found} {unit}"));
    InputError::Value { name, found, expected: format!("at most {most} {unit}") }.into()
}

fn is_parameter(edit: &Input, is_it: impl Fn(&str) -> bool) -> bool {
    matches!(edit, Input::Parameter { name, .. } if is_it(name))
}

impl From<ParameterError> for Error {
    fn from(error: ParameterError) -> Self {
        match error {
            ParameterError::Unknown { what, found, help } => {
                InputError::Unknown { what, found, help }.into()
            }
            ParameterError::Value(error) => LoadError::into(*error),
            other => Self::Edits { text: other.to_string() },
        }
    }
}
