//! The catalogue of models with the answers that it has given so far.

use std::rc::Rc;

use simhost_abi::{Kind, Model, PortDesc};
use simhost_model::{ClassError, Classes, ModelRef, PluginName, View, fitting};

/// The variants of a controller class, a dynamics class, and the first variant that fits it.
type Fit = (Rc<[ModelRef]>, &'static View<Model>, ModelRef);

/// A cache in front of a catalogue.
pub(crate) struct Catalogue<'c> {
    classes: &'c dyn Classes,
    found: Vec<(Kind, String, Rc<[ModelRef]>)>,
    keys: Vec<(Kind, Rc<Vec<&'static str>>)>,
    actuators: Option<Rc<Vec<&'static str>>>,
    /// The controllers that fit dynamics classes, by the variants that were compared.
    fitting: Vec<Fit>,
}

impl<'c> Catalogue<'c> {
    pub(crate) fn new(classes: &'c dyn Classes) -> Self {
        Self { classes, found: Vec::new(), keys: Vec::new(), actuators: None, fitting: Vec::new() }
    }

    /// Returns the plugins from which the models come.
    pub(crate) fn plugins(&self) -> Vec<PluginName> {
        self.classes.plugins()
    }

    /// Returns the names of all classes of a kind, sorted.
    pub(crate) fn names(&self, kind: Kind) -> Vec<String> {
        self.classes.names(kind)
    }

    /// Returns the name of a built-in class: with the vendor `simhost` where the catalogue has it,
    /// so that a plugin with a class of the same name does not replace it.
    pub(crate) fn built_in(&self, kind: Kind, class: &str) -> String {
        let full_name = format!("simhost/{class}");
        if self.classes.find(kind, &full_name).is_ok() { full_name } else { class.to_owned() }
    }

    /// Returns all variants of a class, at least one.
    ///
    /// # Errors
    /// The class is unknown or ambiguous.
    pub(crate) fn find(&mut self, kind: Kind, class: &str) -> Result<Rc<[ModelRef]>, ClassError> {
        let known = self.found.iter().find(|(of, name, _)| *of == kind && name == class);
        if let Some((_, _, found)) = known {
            return Ok(Rc::clone(found));
        }
        let variants: Rc<[ModelRef]> = self.classes.find(kind, class)?.into();
        if variants.is_empty() {
            return Err(ClassError::Unknown { note: None });
        }
        self.found.push((kind, class.to_owned(), Rc::clone(&variants)));
        Ok(variants)
    }

    /// Returns the first variant of a controller class that fits a dynamics class.
    pub(crate) fn fitting(
        &mut self,
        candidates: &Rc<[ModelRef]>,
        dynamics: &'static View<Model>,
    ) -> Option<ModelRef> {
        let known = self.fitting.iter().find(|(variants, class, _)| {
            Rc::ptr_eq(variants, candidates) && std::ptr::eq(*class, dynamics)
        });
        if let Some((_, _, found)) = known {
            return Some(found.clone());
        }
        let found = fitting(candidates, dynamics).ok()?.clone();
        self.fitting.push((Rc::clone(candidates), dynamics, found.clone()));
        Some(found)
    }

    /// Returns the names of the outputs of all controllers.
    pub(crate) fn actuators(&mut self) -> Rc<Vec<&'static str>> {
        if let Some(known) = &self.actuators {
            return Rc::clone(known);
        }
        let names = self.classes.names(Kind::Controller);
        let found = |name: &String| self.classes.find(Kind::Controller, name).unwrap_or_default();
        let phases = names.iter().flat_map(found).flat_map(|class| class.model.phases());
        let control = phases.filter(|phase| phase.id() == "control");
        let outputs = control.flat_map(|phase| phase.outputs()).map(View::<PortDesc>::name);
        let outputs: Rc<Vec<_>> = Rc::new(outputs.collect());
        self.actuators = Some(Rc::clone(&outputs));
        outputs
    }

    /// Returns every name that some class of a kind reads.
    pub(crate) fn keys(&mut self, kind: Kind) -> Rc<Vec<&'static str>> {
        if let Some((_, keys)) = self.keys.iter().find(|(of, _)| *of == kind) {
            return Rc::clone(keys);
        }
        let names = self.classes.names(kind);
        let models =
            names.iter().flat_map(|name| self.classes.find(kind, name).unwrap_or_default());
        let keys: Rc<Vec<_>> = Rc::new(models.flat_map(|model| model.model.keys()).collect());
        self.keys.push((kind, Rc::clone(&keys)));
        keys
    }
}
