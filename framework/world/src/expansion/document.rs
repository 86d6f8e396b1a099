//! Expansion of a whole world file: its profile, its seed and its tree.

use std::path::Path;
use std::rc::Rc;

use super::includes::{open_text, open_world};
use super::pass::expand_root;
use super::state::Expansion;
use super::variables::Scope;
use crate::diagnostics::{Diagnostic, Report, did_you_mean};
use crate::expression::Key;
use crate::options::LoadOptions;
use crate::profile::{CORRECTED, PROFILES, Profile};
use crate::sources::{Sources, Span};
use crate::tree::{Element, LANGUAGE_ELEMENTS, Origin, Text};
use crate::value::RandomValue;
use crate::vocabulary::Section;

/// An expanded world file.
pub(crate) struct Expanded {
    /// The expanded tree, or `None` if reading it is pointless.
    pub root: Option<Element>,
    pub sources: Sources,
    pub report: Report,
    /// Whether the command line contradicts the file or names an unknown profile.
    pub usage: bool,
    pub profile: Profile,
    /// Values that have been drawn.
    pub random_values: Vec<RandomValue>,
}

/// Expands a world file and everything that it includes. Vehicle files are read with the section
/// `vehicle_class`.
pub(crate) fn expand_file(
    path: &Path,
    options: &LoadOptions,
    vehicle_class: &'static Section,
) -> Expanded {
    run(options, vehicle_class, |expansion| open_world(expansion, path))
}

/// Expands the text of a world file and everything that it includes.
pub(crate) fn expand_text(
    path: &Path,
    bytes: Vec<u8>,
    options: &LoadOptions,
    vehicle_class: &'static Section,
) -> Expanded {
    run(options, vehicle_class, |expansion| open_text(expansion, path, bytes))
}

/// The world to which a fragment is added.
pub(crate) struct Known<'k, 'e> {
    pub sources: Sources,
    /// Section of vehicle classes.
    pub vehicle_class: &'static Section,
    /// Its top-level elements.
    pub elements: &'k mut dyn Iterator<Item = &'e Element>,
}

/// Expands a fragment of a world, which can use the classes of `known`. Its elements are the children of
/// the root.
pub(crate) fn expand_fragment(
    path: &Path,
    bytes: Vec<u8>,
    options: &LoadOptions,
    profile: &Profile,
    Known { sources, vehicle_class, elements }: Known<'_, '_>,
) -> Expanded {
    let mut expansion = Expansion::new(options, *profile);
    expansion.files.keys.resize(sources.count(), Key::default());
    expansion.sources = sources;
    expansion.vehicle_class = Some(vehicle_class);
    for element in elements {
        expansion.note(element);
    }
    let root = open_text(&mut expansion, path, bytes).and_then(|(mut roots, scope)| {
        let is_world = roots.len() == 1 && roots[0].name == "mvsim_world";
        let mut root = match is_world {
            true => roots.remove(0),
            false => {
                Element { children: roots, ..Element::new("mvsim_world".into(), Span::default()) }
            }
        };
        root.dynamic = true;
        if take_flat_mark(&mut root) {
            mark_computed(&mut root, &mut expansion.report);
            return Some(root);
        }
        let root = expand_root(&mut expansion, root, scope, options.seed.unwrap_or(0));
        (!expansion.stopped).then_some(root)
    });
    let Expansion { sources, report, profile, random_values, .. } = expansion;
    Expanded { root, sources, report, usage: false, profile, random_values }
}

/// Name of the root in the first version of MVSim.
const OLD_ROOT: &str = "mv2dsim_world";

type Opened = Option<(Vec<Element>, Rc<Scope>)>;

fn run(
    options: &LoadOptions,
    vehicle_class: &'static Section,
    open: impl FnOnce(&mut Expansion) -> Opened,
) -> Expanded {
    let mut expansion = Expansion::new(options, CORRECTED);
    expansion.vehicle_class = Some(vehicle_class);
    let mut usage = false;
    let root = expand(&mut expansion, options, open, &mut usage);
    let Expansion { sources, report, profile, random_values, .. } = expansion;
    Expanded { root, sources, report, usage, profile, random_values }
}

fn expand(
    expansion: &mut Expansion,
    options: &LoadOptions,
    open: impl FnOnce(&mut Expansion) -> Opened,
    usage: &mut bool,
) -> Option<Element> {
    let from_flag = match &options.compat {
        Some(name) => Some(profile_of_flag(expansion, name, usage)?),
        None => None,
    };
    let (mut roots, scope) = open(expansion)?;
    if roots.is_empty() {
        let error = Diagnostic::error("the world file has no elements")
            .help("start it with <mvsim_world version=\"1.0\">");
        expansion.report.push(error);
        return None;
    }
    let mut root = roots.swap_remove(0);
    if root.name == OLD_ROOT {
        let label = "write <mvsim_world>, as since the second version of MVSim";
        let message = format!("`<{OLD_ROOT}>` is read as `<mvsim_world>`");
        expansion.report.warning(root.name_span, message, label);
        root.name = "mvsim_world".into();
    }
    if root.name != "mvsim_world" {
        let message = format!("unexpected root element `<{}>`", root.name);
        expansion.report.error(root.name_span, message, "expected <mvsim_world>");
        return None;
    }
    choose_profile(expansion, &root, from_flag, usage)?;
    if take_flat_mark(&mut root) {
        mark_computed(&mut root, &mut expansion.report);
        check_given(expansion);
        return Some(root);
    }
    let seed = seed(expansion, &root, options).unwrap_or(0);
    let root = expand_root(expansion, root, scope, seed);
    check_given(expansion);
    // a tree that a limit has cut off is not worth reading
    (!expansion.stopped).then_some(root)
}

/// Reports variables that the options give and the world does not declare.
fn check_given(expansion: &mut Expansion) {
    let Expansion { given, variables, report, .. } = expansion;
    let missing = given.iter().filter(|(_, (_, is_declared))| !is_declared);
    for (name, _) in missing {
        let known: Vec<_> = variables.names().collect();
        let mut error = Diagnostic::error(format!("the world has no variable `{name}`"));
        let nearest = did_you_mean(name, known.iter().map(|known| known.as_str()));
        error = match nearest.is_empty() {
            true => {
                error.help("a value can be given to a `<variable>` at the top level of the world")
            }
            false => error.help(nearest),
        };
        report.push(error);
    }
}

fn profile_of_flag(
    expansion: &mut Expansion,
    name: &str,
    usage: &mut bool,
) -> Option<&'static Profile> {
    let found = Profile::named(name);
    if found.is_none() {
        *usage = true;
        let error = Diagnostic::error(format!("unknown profile `{name}`"));
        expansion.report.push(error.help(known_profiles()));
    }
    found
}

/// Sets the profile. If both the flag and the file name one, they have to agree.
fn choose_profile(
    expansion: &mut Expansion,
    root: &Element,
    from_flag: Option<&'static Profile>,
    usage: &mut bool,
) -> Option<()> {
    let mut chosen = from_flag;
    if let Some(text) = root.attribute("compat") {
        let named = profile_of_file(expansion, text)?;
        if let Some(flag) = from_flag.filter(|flag| flag.name != named.name) {
            *usage = true;
            let (name, other) = (named.name, flag.name);
            let message = format!("profile `{name}` of the file contradicts `--compat {other}`");
            let error = Diagnostic::error(message).at(text.span).label("the profile of this world");
            expansion.report.push(error.help("remove one of them"));
            return None;
        }
        chosen = Some(named);
    }
    expansion.profile = *chosen.unwrap_or(&CORRECTED);
    Some(())
}

fn profile_of_file(expansion: &mut Expansion, text: &Text) -> Option<&'static Profile> {
    let name = &text.content;
    let found = Profile::named(name);
    if found.is_none() {
        let error = Diagnostic::error(format!("unknown profile `{name}`"))
            .at(text.span)
            .label(did_you_mean(name, PROFILES.map(|profile| profile.name)));
        expansion.report.push(error.help(known_profiles()));
    }
    found
}

fn known_profiles() -> String {
    format!("choose one of {}", PROFILES.map(|profile| profile.name).join(", "))
}

/// Removes the mark of a file that `simhost print` wrote. Returns whether there was one.
fn take_flat_mark(root: &mut Element) -> bool {
    let flat = root.attribute("flat").is_some_and(|flat| flat.content == "true");
    if flat {
        root.attributes.retain(|attribute| attribute.name != "flat");
    }
    flat
}

/// Marks the texts of a tree that `simhost print` wrote as computed. The tree is expanded already.
fn mark_computed(element: &mut Element, report: &mut Report) {
    if LANGUAGE_ELEMENTS.contains(&element.name.as_str()) {
        let message = format!("`<{}>` in a world with flat=\"true\"", element.name);
        let help = "remove flat=\"true\" from <mvsim_world> to have it evaluated";
        report.push(Diagnostic::error(message).at(element.name_span).help(help));
    }
    let texts = element.attributes.iter_mut().map(|attribute| &mut attribute.text);
    texts.chain(&mut element.text).for_each(|text| text.origin = Origin::Computed);
    element.dynamic = false;
    element.children.iter_mut().for_each(|child| mark_computed(child, report));
}

/// Returns the seed of the draws, which is needed before the first value is evaluated.
fn seed(expansion: &mut Expansion, root: &Element, options: &LoadOptions) -> Option<u64> {
    if options.seed.is_some() {
        return options.seed;
    }
    let element = root.children.iter().rfind(|child| child.name == "random_seed");
    let text = element.and_then(|element| element.text.as_ref())?;
    if text.content.contains('$') {
        let error = Diagnostic::error("`random_seed` is needed before anything is evaluated")
            .at(text.span)
            .label("expected a whole number");
        expansion.report.push(error.help("write a number, or run with --seed"));
    }
    // an invalid seed is reported when the settings are read
    text.content.parse().ok()
}
