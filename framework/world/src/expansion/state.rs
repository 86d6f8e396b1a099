//! The state of an expansion.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use compact_str::CompactString;

use super::classes::{DeclaredClasses, class_tag};
use super::files::Files;
use super::variables::Variables;
use crate::diagnostics::{Diagnostic, Report, Severity};
use crate::expression::Key;
use crate::options::{Allow, Budget, LoadOptions};
use crate::profile::Profile;
use crate::sources::{Sources, Span};
use crate::tree::Element;
use crate::value::RandomValue;
use crate::vocabulary::Section;

/// The state of an expansion.
pub(super) struct Expansion {
    pub sources: Sources,
    pub report: Report,
    pub budget: Budget,
    pub profile: Profile,
    pub lenient: bool,
    pub allow: Allow,
    pub files: Files,
    pub variables: Variables,
    /// Values of variables that the options give, and whether the world declares the variable.
    pub given: BTreeMap<CompactString, (CompactString, bool)>,
    /// Seed of the draws. `randomize` changes it.
    pub seed: Key,
    pub classes: DeclaredClasses,
    pub vehicle_names: HashSet<CompactString>,
    /// Section of the vehicle classes that vehicle files describe.
    pub vehicle_class: Option<&'static Section>,
    /// Names of the classes that have been read from vehicle files, by canonical path.
    pub vehicle_files: HashMap<PathBuf, CompactString>,
    /// Number of blocks so far.
    pub blocks: usize,
    /// Canonical paths of the files that are being expanded, starting with the main file.
    pub open_files: Vec<PathBuf>,
    /// Values that have been drawn, each expression once.
    pub random_values: Vec<RandomValue>,
    /// Positions of these.
    drawn: HashSet<Span>,
    /// Outcomes of shell commands.
    pub commands: HashMap<String, Result<String, String>>,
    /// Variables whose values could not be computed.
    pub failed: HashSet<CompactString>,
    /// Nesting depth of the current element.
    pub depth: usize,
    /// Whether a limit has been exceeded, which has been reported.
    pub stopped: bool,
    /// Set to end the load early.
    pub stop: Arc<AtomicBool>,
}

impl Expansion {
    pub(super) fn new(options: &LoadOptions, profile: Profile) -> Self {
        Self {
            sources: Sources::default(),
            report: Report::default(),
            budget: Budget::new(&options.limits),
            profile,
            lenient: options.lenient,
            allow: options.allow.clone(),
            files: Files::new(options),
            variables: Variables::default(),
            given: options
                .variables
                .iter()
                .map(|(name, value)| (name.into(), (value.into(), false)))
                .collect(),
            seed: Key::default(),
            classes: DeclaredClasses::default(),
            vehicle_names: HashSet::new(),
            vehicle_class: None,
            vehicle_files: HashMap::new(),
            blocks: 0,
            open_files: Vec::new(),
            random_values: Vec::new(),
            drawn: HashSet::new(),
            commands: HashMap::new(),
            failed: HashSet::new(),
            depth: 0,
            stopped: false,
            stop: Arc::clone(&options.stop),
        }
    }

    /// Takes note of an element of a world that has been expanded before.
    pub(super) fn note(&mut self, element: &Element) {
        let name = || element.attribute("name").map(|name| name.content.clone());
        match element.name.as_str() {
            "vehicle" => self.vehicle_names.extend(name()),
            "block" => self.blocks += 1,
            "vehicle:class" | "block:class" | "actor:class" => {
                let tag = class_tag(element.name.strip_suffix(":class").unwrap_or_default());
                name().into_iter().for_each(|name| self.classes.add_shared((tag, name)));
            }
            _ => {}
        }
    }

    /// Takes note of a draw of the expression at a position.
    pub(super) fn note_draw(&mut self, span: Span) {
        if self.drawn.insert(span) {
            self.random_values.push(RandomValue { variable: None, span });
        }
    }

    /// Returns the severity of an unknown name.
    pub(super) fn unknown_severity(&self) -> Severity {
        if self.lenient || self.profile.lenient { Severity::Warning } else { Severity::Error }
    }

    /// Returns whether the pass should end early.
    pub(super) fn is_over(&self) -> bool {
        self.stopped || self.report.is_full() || self.stop.load(Ordering::Relaxed)
    }

    /// Ends the pass if a limit is exceeded. Returns whether to continue.
    pub(super) fn within_limits(&mut self, result: Result<(), String>, span: Span) -> bool {
        // enclosing elements exceed the limit too, which need not be reported again
        if let Err(message) = result
            && !std::mem::replace(&mut self.stopped, true)
        {
            self.report.push(Diagnostic::error(message).at(span));
        }
        !self.is_over()
    }

    /// Returns the key of a position in a file. Within an instance it counts from the start of the
    /// instance, given by `origin`.
    pub(super) fn position_key(&self, span: Span, origin: Option<Span>) -> Key {
        let origin = origin.filter(|origin| origin.file == span.file);
        let offset = span.start.wrapping_sub(origin.map_or(0, |origin| origin.start));
        self.files.key(span.file).with(u64::from(offset))
    }
}
