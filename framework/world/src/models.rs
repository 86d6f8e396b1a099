//! From `class="…"` to a model with its parameters.

use std::rc::Rc;
use std::sync::Arc;

use simhost_abi::{Kind, Model};

use crate::description::ModelUse;
use crate::reader::Reader;
use crate::sources::Span;
use crate::tag::{Tag, did_you_mean};
use crate::vocabulary::vehicle::{CONTROLLER, FRICTION};
use crate::xml::Element;
use simhost_model::{ClassError, ModelRef};
use simhost_model::{View, fitting};

impl<'e> Tag<'_, '_, 'e> {
    /// The variants of the class that the tag names, and where it names it.
    pub(crate) fn class(&mut self, kind: Kind, default: &str) -> Option<(Rc<[ModelRef]>, Span)> {
        let (name, span) = match self.text_of("class") {
            Some(text) => (self.reader.value(text)?, text.span),
            None => (self.reader.unsaid(kind, default), self.element.name_span),
        };
        Some((self.reader.find(kind, &name, span)?, span))
    }

    /// Binds what is left to the parameters and set-points of a model.
    pub(crate) fn model(
        mut self,
        kind: Kind,
        model: ModelRef,
        span: Span,
        base: Option<&ModelUse>,
    ) -> ModelUse {
        self.expect(model.model);
        let errors = self.reader.report.error_count();
        let values = self.parameters(kind, &model, base);
        let mut set_points = self.set_points(model.model.setpoints());
        if let Some(base) = base.filter(|_| set_points.is_empty()) {
            set_points.clone_from(&base.set_points);
        }
        self.foreign(kind, model.id());
        let reader = &mut *self.reader;
        if reader.report.error_count() == errors {
            reader.ask(&model, &values, span);
        }
        self.finish();
        ModelUse { model, values, set_points, span }
    }

    /// What another class of the kind reads.
    fn foreign(&mut self, kind: Kind, class: &str) {
        if kind == Kind::Sensor {
            self.claim(|name| name.starts_with("viz_"));
        }
        if !self.has_unknown() {
            return;
        }
        let keys = self.reader.keys(kind);
        let unread = self.claim(|name| keys.contains(&name));
        let owner = format!("under {} `{class}`", kind.tag());
        self.reader.unread(&unread, &owner, "");
    }
}

impl Reader<'_> {
    /// The friction of a vehicle. A tag that names no class takes up where `base` ends; in the compat
    /// profile it stands alone, as one with a class does.
    pub(crate) fn friction(
        &mut self,
        element: &Element,
        base: Option<&Arc<ModelUse>>,
    ) -> Option<Arc<ModelUse>> {
        let base = base.filter(|_| !self.profile().friction_stands_alone);
        let mut tag = Tag::new(self, element, &FRICTION);
        let model = match base.filter(|_| element.attribute("class").is_none()) {
            Some(base) => {
                tag.take("class");
                tag.model(Kind::Friction, base.model.clone(), base.span, Some(base))
            }
            None => {
                let (variants, span) = tag.class(Kind::Friction, "default")?;
                let model = variants.first()?.clone();
                tag.model(Kind::Friction, model, span, None)
            }
        };
        Some(Arc::new(model))
    }

    /// The friction of a vehicle that says nothing of it.
    pub(crate) fn default_friction(&mut self, place: &Element) -> Option<Arc<ModelUse>> {
        self.friction(&place.without_content(), None)
    }

    /// The controller of a `<dynamics>` tag.
    pub(crate) fn controller(
        &mut self,
        element: &Element,
        dynamics: &'static View<Model>,
    ) -> Option<Arc<ModelUse>> {
        let mut tag = Tag::new(self, element, &CONTROLLER);
        let (candidates, span) = tag.class(Kind::Controller, "raw")?;
        match fitting(&candidates, dynamics) {
            Ok(model) => {
                let model = model.clone();
                Some(Arc::new(tag.model(Kind::Controller, model, span, None)))
            }
            Err(notes) => {
                let name = candidates.first().map_or("", ModelRef::id);
                let class = dynamics.id();
                let message = format!("controller `{name}` does not fit dynamics `{class}`");
                self.error(span, message, "its ports have no counterpart", notes);
                None
            }
        }
    }

    pub(crate) fn known_classes(&self, kind: Kind) -> String {
        format!("help: known {} classes: {}", kind.tag(), self.classes.names(kind).join(", "))
    }

    /// The class that is meant where none is named: the built-in one, whatever plugins are called.
    fn unsaid(&self, kind: Kind, class: &str) -> String {
        let built_in = format!("simhost/{class}");
        if self.classes.find(kind, &built_in).is_ok() { built_in } else { class.to_owned() }
    }

    /// All variants of a class, or an error at `span`. The catalogue is asked once for each name.
    fn find(&mut self, kind: Kind, class: &str, span: Span) -> Option<Rc<[ModelRef]>> {
        if let Some((_, _, found)) =
            self.models.iter().find(|(of, name, _)| *of == kind && name == class)
        {
            return Some(Rc::clone(found));
        }
        match self.classes.find(kind, class) {
            Ok(variants) if !variants.is_empty() => {
                let variants: Rc<[ModelRef]> = variants.into();
                self.models.push((kind, class.to_owned(), Rc::clone(&variants)));
                return Some(variants);
            }
            Ok(_) => self.unknown_class(kind, class, span, None),
            Err(ClassError::Unknown { note }) => self.unknown_class(kind, class, span, note),
            Err(ClassError::Ambiguous { full_names }) => {
                let message = format!("two plugins have a {} class `{class}`", kind.tag());
                let help = format!("help: write one of {}", full_names.join(", "));
                self.error(span, message, "which one is meant?", vec![help]);
            }
        }
        None
    }

    fn unknown_class(&mut self, kind: Kind, class: &str, span: Span, note: Option<String>) {
        let names = self.classes.names(kind);
        let label = did_you_mean(class, names.iter().map(String::as_str));
        let mut notes: Vec<_> = note.into_iter().collect();
        notes.push(self.known_classes(kind));
        self.error(span, format!("unknown {} class `{class}`", kind.tag()), label, notes);
    }

    /// Every name that some class of the kind reads.
    fn keys(&mut self, kind: Kind) -> Rc<Vec<&'static str>> {
        if let Some((_, keys)) = self.model_keys.iter().find(|(of, _)| *of == kind) {
            return Rc::clone(keys);
        }
        let names = self.classes.names(kind);
        let found = names.iter().flat_map(|name| self.classes.find(kind, name).unwrap_or_default());
        let keys: Rc<Vec<_>> = Rc::new(found.flat_map(|model| model.model.keys()).collect());
        self.model_keys.push((kind, Rc::clone(&keys)));
        keys
    }
}
