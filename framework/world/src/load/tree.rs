//! Worlds to which entities are added, and from which entities are removed, after they have been loaded.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use compact_str::{CompactString, format_compact};
use simhost_model::{Classes, nearest};

use super::{Loaded, read_tree};
use crate::diagnostics::{Diagnostic, LoadError, Report};
use crate::expansion::{Expanded, Known, expand_fragment};
use crate::flatten;
use crate::options::LoadOptions;
use crate::profile::Profile;
use crate::sources::Sources;
use crate::tree::{Element, Origin, Text};
use crate::value::RandomValue;
use crate::vehicle::CLASS as VEHICLE_CLASS;

/// Elements that a fragment can contain.
const IN_FRAGMENTS: &[&str] = &[
    "vehicle",
    "vehicle:class",
    "block",
    "block:class",
    "actor",
    "actor:class",
    "walls",
    "joint",
    "sensor",
    "element",
    "fleet",
    "marker",
];

/// The elements of a loaded world. Copies share them.
#[derive(Clone, Debug)]
pub struct WorldTree {
    root: Arc<Element>,
    /// Elements of fragments, in the order of their addition.
    added: Vec<Arc<Vec<Element>>>,
    /// Entities of the root that have been removed: tag and name.
    removed: BTreeSet<(&'static str, String)>,
    sources: Sources,
    profile: Profile,
    options: LoadOptions,
    fingerprint: u128,
    random_values: Vec<RandomValue>,
}

/// An entity that is to be removed does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown entity: '{name}'; {help}")]
pub struct UnknownEntity {
    /// The name that was given.
    pub name: String,
    /// The nearest name.
    pub help: String,
}

impl WorldTree {
    pub(crate) fn new(
        root: Element,
        sources: Sources,
        profile: Profile,
        options: &LoadOptions,
        fingerprint: u128,
        random_values: Vec<RandomValue>,
    ) -> Self {
        let (added, removed) = (Vec::new(), BTreeSet::new());
        let (root, options) = (Arc::new(root), options.clone());
        Self { root, added, removed, sources, profile, options, fingerprint, random_values }
    }

    /// Returns the same world, whose changes from now on are read with other options.
    pub fn with_options(self, options: &LoadOptions) -> Self {
        Self { options: options.clone(), ..self }
    }

    /// Adds the entities of a fragment: elements of a world file, with or without `<mvsim_world>`
    /// around them. Relative paths in it start at the folder of `path`, or of the world file.
    /// Returns the fragment without includes, loops and expressions, which can be added in its
    /// place.
    ///
    /// # Errors
    /// [`LoadError`] with every error in the language of the fragment, with elements that cannot be
    /// added, and with names that the world already has. [`Self::read`] finds all other errors.
    pub fn add(&mut self, fragment: &str, path: Option<&Path>) -> Result<String, LoadError> {
        let shown = path.map_or_else(|| self.default_path(), Path::to_owned);
        let expanded = {
            let known = Known {
                sources: self.sources.clone(),
                vehicle_class: &VEHICLE_CLASS,
                elements: &mut self.children(),
            };
            let bytes = fragment.as_bytes().to_vec();
            expand_fragment(&shown, bytes, &self.options, &self.profile, known)
        };
        let Expanded { root, mut sources, mut report, usage, .. } = expanded;
        if path.is_none() {
            // the first source that the expansion has added
            sources.mark_given(self.sources.count() as u32);
        }
        if let Some(root) = &root {
            self.check(root, &mut report);
        }
        match root {
            Some(root) if !report.has_errors() => {
                let flat = flatten::text(&root, &sources, &LoadOptions::default());
                self.sources = sources;
                self.added.push(Arc::new(root.children));
                Ok(flat)
            }
            _ => {
                let hidden_errors = report.hidden_errors();
                Err(LoadError { diagnostics: report.finish(), sources, hidden_errors, usage })
            }
        }
    }

    /// Returns the path that a fragment without a file has in messages.
    fn default_path(&self) -> PathBuf {
        self.sources.path(0).with_file_name("fragment.xml")
    }

    /// Reports elements that cannot be added.
    fn check(&self, fragment: &Element, report: &mut Report) {
        for element in &fragment.children {
            if !IN_FRAGMENTS.contains(&element.name.as_str()) {
                let message = format!("`<{}>` cannot be added to a world", element.name);
                let help = format!("a fragment can contain {}", IN_FRAGMENTS.join(", "));
                report.push(Diagnostic::error(message).at(element.name_span).help(help));
            }
            let Some((tag, text)) = entity_of(element) else { continue };
            if self.children().any(|known| is_entity(known, tag, &text.content)) {
                let message = format!("duplicate {tag} '{}'", text.content);
                report.error(text.span, message, "the world already has an entity of this name");
            }
        }
    }

    /// Removes a vehicle by its name, or a block or an actor as `block/NAME` or `actor/NAME`.
    ///
    /// # Errors
    /// [`UnknownEntity`] with the nearest name if there is no such entity.
    pub fn remove(&mut self, entity: &str) -> Result<(), UnknownEntity> {
        let (tag, name) = parts_of(entity);
        let is_it = |element: &Element| is_entity(element, tag, name);
        let key = (tag, name.to_owned());
        if !self.removed.contains(&key) && self.root.children.iter().any(is_it) {
            self.removed.insert(key);
            return Ok(());
        }
        for fragment in &mut self.added {
            if fragment.iter().any(is_it) {
                Arc::make_mut(fragment).retain(|element| !is_it(element));
                return Ok(());
            }
        }
        Err(self.unknown(entity))
    }

    pub(super) fn unknown(&self, entity: &str) -> UnknownEntity {
        let names: Vec<String> =
            self.children().filter_map(entity_of).map(|(tag, text)| name_of(tag, text)).collect();
        let help = match nearest(entity, names.iter().map(String::as_str)) {
            Some(nearest) => format!("did you mean '{nearest}'?"),
            None => "name a vehicle, or a block as block/NAME".to_owned(),
        };
        UnknownEntity { name: entity.to_owned(), help }
    }

    /// Returns the entities that fragments have added, as [`Self::remove`] names them.
    pub fn added_entities(&self) -> Vec<String> {
        let added = self.added.iter().flat_map(|fragment| fragment.iter());
        added
            .map(|element| {
                entity_of(element).map_or(String::new(), |(tag, text)| name_of(tag, text))
            })
            .collect()
    }

    /// Returns the classes of vehicles, blocks and actors, such as `vehicle:robot`, in the order of the file.
    pub fn classes(&self) -> Vec<String> {
        let class = |element: &Element| {
            let kind = element.name.strip_suffix(":class")?;
            Some(format!("{kind}:{}", element.attribute("name")?.value()?))
        };
        self.children().filter_map(class).collect()
    }

    /// Reads the world with its changes.
    ///
    /// # Errors
    /// As [`load`](crate::load).
    pub fn read(&self, classes: &dyn Classes) -> Result<Loaded, LoadError> {
        let sources = self.sources.clone();
        let expanded = Expanded {
            root: None,
            sources,
            report: Report::default(),
            usage: false,
            profile: self.profile,
            random_values: Vec::new(),
        };
        let mut loaded =
            read_tree(expanded, &self.root, &mut self.children(), &self.options, classes)?;
        loaded.world.fingerprint = self.fingerprint;
        loaded.world.random_values.clone_from(&self.random_values);
        Ok(loaded)
    }

    /// Returns the root as it was loaded.
    pub(super) fn root(&self) -> &Element {
        &self.root
    }

    /// Returns the texts that the elements refer to.
    pub(super) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Returns the top-level elements with all changes.
    pub(super) fn children(&self) -> impl Iterator<Item = &Element> {
        let is_kept = |element: &&Element| {
            self.removed.is_empty()
                || entity_of(element).is_none_or(|(tag, text)| {
                    !self.removed.contains(&(tag, text.content.to_string()))
                })
        };
        let added = self.added.iter().flat_map(|fragment| fragment.iter());
        self.root.children.iter().filter(is_kept).chain(added)
    }
}

/// Returns the tag and the name of an entity as `block/NAME`, `actor/NAME` or the name of a vehicle.
pub(super) fn parts_of(entity: &str) -> (&'static str, &str) {
    let of = |tag: &'static str| {
        let rest = entity.strip_prefix(tag).and_then(|rest| rest.strip_prefix('/'));
        rest.map(|name| (tag, name))
    };
    of("block").or_else(|| of("actor")).unwrap_or(("vehicle", entity))
}

/// Returns the tag and the name of an element that is an entity.
fn entity_of(element: &Element) -> Option<(&'static str, &Text)> {
    let tag = ["vehicle", "block", "actor"].into_iter().find(|tag| element.name == *tag)?;
    Some((tag, element.attribute("name")?))
}

/// Returns the name by which an entity is removed.
fn name_of(tag: &str, text: &Text) -> String {
    match tag {
        "vehicle" => text.content.to_string(),
        _ => format!("{tag}/{}", text.content),
    }
}

pub(super) fn is_entity(element: &Element, tag: &str, name: &str) -> bool {
    entity_of(element).is_some_and(|(known, text)| known == tag && text.content == name)
}

impl WorldTree {
    /// Returns the world with its changes as one world file for the folder of the world, as
    /// [`flatten`](crate::flatten) does but with relative paths of resources, with other initial poses of entities (x, y, m; yaw, rad) and other values of parameters. Values of models that a vehicle has from
    /// its class are not written, because other vehicles may share it: a comment at the start lists them.
    ///
    /// # Errors
    /// [`UnknownEntity`] with the nearest name if there is no entity of a name.
    pub fn saved(
        &self,
        poses: &[(String, [f64; 3])],
        parameters: &[(&str, &str)],
    ) -> Result<String, UnknownEntity> {
        let mut children: Vec<Element> = self.children().cloned().collect();
        for (entity, pose) in poses {
            let (tag, name) = parts_of(entity);
            let found = children.iter_mut().find(|element| is_entity(element, tag, name));
            place(found.ok_or_else(|| self.unknown(entity))?, *pose);
        }
        let mut left = Vec::new();
        for (name, value) in parameters {
            if set(&mut children, name, value).is_none() {
                left.push(format!("  {name} = {value}\n"));
            }
        }
        let root = Element { children, ..self.root().clone() };
        let text = flatten::movable_text(&root, self.sources(), &LoadOptions::default());
        if left.is_empty() {
            return Ok(text);
        }
        // two hyphens would end the comment
        let list = left.concat().replace("--", "- -");
        let comment = format!(
            "<!-- Values of models of classes, which the option `set` of `simhost run` repeats:\n{list}-->\n"
        );
        let (start, rest) = text.split_once('\n').unwrap_or((&text, ""));
        Ok(format!("{start}\n{comment}{rest}"))
    }
}

/// Sets the initial pose of an entity.
fn place(entity: &mut Element, [x, y, yaw]: [f64; 3]) {
    let degrees = yaw.to_degrees();
    if let Some(spatial) = entity.children.iter_mut().find(|child| child.name == "init_pose3d") {
        let old = spatial.text.as_ref().map_or("", |text| text.content.as_str());
        let mut numbers: Vec<CompactString> = old.split_whitespace().map(Into::into).collect();
        numbers.resize(6, "0".into());
        for (index, number) in [(0, x), (1, y), (3, degrees)] {
            numbers[index] = format_compact!("{number}");
        }
        write(spatial, &numbers.join(" "));
        return;
    }
    write(child(entity, "init_pose"), &format!("{x} {y} {degrees}"));
}

/// Sets a parameter of a model that a vehicle has itself. Returns `None` if it has the model from a class.
fn set(children: &mut [Element], name: &str, value: &str) -> Option<()> {
    let (owner, key) = name.rsplit_once('/')?;
    let mut parts = owner.splitn(3, '/');
    let (entity, role, part) = (parts.next()?, parts.next()?, parts.next());
    let vehicle = children.iter_mut().find(|element| is_entity(element, "vehicle", entity))?;
    let model = match (role, part) {
        ("dynamics" | "friction", None) => known(vehicle, role)?,
        ("controller", None) => known(known(vehicle, "dynamics")?, "controller")?,
        ("sensor", Some(part)) => vehicle.children.iter_mut().find(|child| {
            child.name == "sensor"
                && child.attribute("name").is_some_and(|name| name.content == part)
        })?,
        _ => return None,
    };
    match model.attributes.iter_mut().find(|attribute| attribute.name == key) {
        Some(attribute) => attribute.text.content = value.into(),
        None => write(child(model, key), value),
    }
    Some(())
}

fn known<'e>(element: &'e mut Element, name: &str) -> Option<&'e mut Element> {
    element.children.iter_mut().find(|child| child.name == name)
}

/// Returns the child with a name, which is added if there is none.
fn child<'e>(element: &'e mut Element, name: &str) -> &'e mut Element {
    let at = element.children.iter().position(|child| child.name == name);
    let at = at.unwrap_or_else(|| {
        element.children.push(Element {
            name: name.into(),
            name_span: element.name_span,
            attributes: Vec::new(),
            text: None,
            children: Vec::new(),
            weight: element.weight,
            dynamic: false,
        });
        element.children.len() - 1
    });
    &mut element.children[at]
}

/// Replaces the content of an element by a text.
fn write(element: &mut Element, text: &str) {
    let span = element.name_span;
    element.children.clear();
    element.text = Some(Text { content: text.into(), span, origin: Origin::Written });
}
