//! From the path of a world to its plain tree, and whose numbers are wanted.

use std::path::Path;
use std::rc::Rc;

use crate::compat::{CORRECTED, PROFILES, Profile};
use crate::diagnostics::{Report, Severity};
use crate::expansion::{Expansion, Scope, mark_printed};
use crate::reader::LoadOptions;
use crate::sources::Sources;
use crate::tag::did_you_mean;
use crate::xml::{Element, Text};

/// A world whose language is done.
pub(crate) struct Opened {
    /// None when reading it makes no sense.
    pub root: Option<Element>,
    pub sources: Sources,
    pub report: Report,
    /// The command line contradicts the file, or names something unknown.
    pub usage: bool,
    pub profile: Profile,
}

/// Opens a world file and everything it includes.
pub(crate) fn open(path: &Path, options: &LoadOptions) -> Opened {
    Opening::new(options).run(|expansion| expansion.open_world(path))
}

/// As [`open`], for the text of a world file.
pub(crate) fn open_text(path: &Path, bytes: Vec<u8>, options: &LoadOptions) -> Opened {
    Opening::new(options).run(|expansion| expansion.open_text(path, bytes))
}

struct Opening<'o> {
    options: &'o LoadOptions,
    expansion: Expansion,
    usage: bool,
}

impl<'o> Opening<'o> {
    fn new(options: &'o LoadOptions) -> Self {
        Self { options, expansion: Expansion::new(options, CORRECTED), usage: false }
    }

    fn run(
        mut self,
        read: impl FnOnce(&mut Expansion) -> Option<(Vec<Element>, Rc<Scope>)>,
    ) -> Opened {
        let root = self.root(read);
        let Expansion { sources, report, profile, .. } = self.expansion;
        Opened { root, sources, report, usage: self.usage, profile }
    }

    fn root(
        &mut self,
        read: impl FnOnce(&mut Expansion) -> Option<(Vec<Element>, Rc<Scope>)>,
    ) -> Option<Element> {
        let flag = match &self.options.compat {
            Some(name) => Some(self.profile_from_flag(name)?),
            None => None,
        };
        let (mut roots, scope) = read(&mut self.expansion)?;
        if roots.is_empty() {
            let help = "a world file begins with <mvsim_world version=\"1.0\">";
            self.expansion.report.error(None, "the world file has no tag at all", help);
            return None;
        }
        let mut root = roots.swap_remove(0);
        if root.name != "mvsim_world" {
            let message = format!("`<{}>` is not a world", root.name);
            let label = "expected <mvsim_world>";
            self.error(root.name_span, message, label, Vec::new());
            return None;
        }
        self.choose_profile(&root, flag)?;
        if self.is_printed(&mut root) {
            mark_printed(&mut root, &mut self.expansion.report);
            return Some(root);
        }
        let seed = self.seed(&root).unwrap_or(0);
        let root = self.expansion.world(root, scope, seed);
        // what a limit has cut off is not worth reading
        (!self.expansion.stopped).then_some(root)
    }

    fn error(
        &mut self,
        span: crate::sources::Span,
        message: String,
        label: impl Into<String>,
        notes: Vec<String>,
    ) {
        self.expansion.report.say(Severity::Error, Some(span), message, label, notes);
    }

    fn profile_from_flag(&mut self, name: &str) -> Option<&'static Profile> {
        let found = Profile::named(name);
        if found.is_none() {
            self.usage = true;
            let message = format!("unknown profile `{name}`");
            let notes = vec![known_profiles()];
            self.expansion.report.say(Severity::Error, None, message, "", notes);
        }
        found
    }

    /// The profile of the flag and that of the file are equal, or one of them is missing.
    fn choose_profile(&mut self, root: &Element, flag: Option<&'static Profile>) -> Option<()> {
        let mut chosen = flag;
        if let Some(text) = root.attribute("compat") {
            let named = self.profile_of_file(text)?;
            if let Some(flag) = flag.filter(|flag| flag.name != named.name) {
                self.usage = true;
                let (name, other) = (named.name, flag.name);
                let message = format!("the file asks for `{name}`, the flag for `{other}`");
                let help = "help: remove one of them".to_owned();
                self.error(text.span, message, "the profile of this world", vec![help]);
                return None;
            }
            chosen = Some(named);
        }
        self.expansion.profile = *chosen.unwrap_or(&CORRECTED);
        Some(())
    }

    fn profile_of_file(&mut self, text: &Text) -> Option<&'static Profile> {
        let name = &text.content;
        let found = Profile::named(name);
        if found.is_none() {
            let message = format!("unknown profile `{name}`");
            let label = did_you_mean(name, PROFILES.map(|profile| profile.name));
            self.error(text.span, message, label, vec![known_profiles()]);
        }
        found
    }

    /// Takes the mark of a printed world away.
    fn is_printed(&mut self, root: &mut Element) -> bool {
        let printed = root.attribute("flat").is_some_and(|flat| flat.content == "true");
        if printed {
            root.attributes.retain(|attribute| attribute.name != "flat");
        }
        printed
    }

    /// The seed of draws, which is needed before the first value.
    fn seed(&mut self, root: &Element) -> Option<u64> {
        let tag = root.children.iter().rfind(|child| child.name == "random_seed");
        let text = tag.and_then(|tag| tag.text.as_ref()).filter(|_| self.options.seed.is_none());
        if let Some(text) = text.filter(|text| text.content.contains('$')) {
            let message = "`random_seed` is needed before anything is evaluated".to_owned();
            let help = "help: write a number, or run with --seed".to_owned();
            self.error(text.span, message, "expected a whole number", vec![help]);
        }
        // what is no number is reported where the setting is read
        self.options.seed.or_else(|| text?.content.parse().ok())
    }
}

fn known_profiles() -> String {
    format!("help: known profiles: {}", PROFILES.map(|profile| profile.name).join(", "))
}
