//! From `class="…"` to a model with its parameters.

use simhost_abi::{Kind, Model};

use crate::classes::{ClassError, ModelRef};
use crate::description::{Chassis, ModelUse, WheelSpec};
use crate::fields::{Fields, Given};
use crate::reader::{Reader, did_you_mean};
use crate::sources::Span;
use crate::variants;
use crate::xml::{Element, Text};

/// Children of controllers in files that exist, which no controller reads.
const DEAD_CONTROLLER_TAGS: &[&str] = &["I_MAX", "l_torque", "r_torque"];
/// Sensors of the format that no catalogue may have yet.
const FORMAT_SENSORS: &[&str] = &["camera", "gnss", "imu", "laser", "lidar3d", "rgbd_camera"];

/// What a `<dynamics>` tag holds.
pub(crate) type Dynamics = (ModelUse, ModelUse, Chassis, Vec<WheelSpec>);

impl Reader<'_> {
    pub(crate) fn friction(&mut self, element: &Element) -> Option<ModelUse> {
        let mut fields = Fields::new(element);
        let (model, span) = match fields.attribute("class") {
            Some(class) => (self.first_variant(Kind::Friction, class), class.span),
            None => (self.named_default(Kind::Friction, "default", element), element.name_span),
        };
        Some(self.model_use(Kind::Friction, model?, fields, span))
    }

    /// A model that no tag names, with its defaults.
    pub(crate) fn default_model(
        &mut self,
        kind: Kind,
        class: &str,
        place: &Element,
    ) -> Option<ModelUse> {
        let model = self.named_default(kind, class, place)?;
        let empty = place.without_content();
        Some(self.model_use(kind, model, Fields::new(&empty), place.name_span))
    }

    fn named_default(&mut self, kind: Kind, class: &str, place: &Element) -> Option<ModelRef> {
        self.find(kind, class, place.name_span)?.into_iter().next()
    }

    pub(crate) fn first_variant(&mut self, kind: Kind, class: &Text) -> Option<ModelRef> {
        let name = self.value(class)?;
        self.find(kind, &name, class.span)?.into_iter().next()
    }

    pub(crate) fn dynamics(&mut self, element: &Element) -> Option<Dynamics> {
        let mut fields = Fields::new(element);
        let Some(class) = fields.attribute("class") else {
            let mut notes = vec!["help: write <dynamics class=\"…\">".to_owned()];
            notes.push(self.known_classes(Kind::Dynamics));
            self.error(element.name_span, "dynamics without a class", "", notes);
            return None;
        };
        let model = self.first_variant(Kind::Dynamics, class)?;
        let chassis_tag = fields.child("chassis");
        let chassis = self.chassis(chassis_tag, model.model, element.name_span);
        let wheels = self.wheels(&mut fields, model.model);
        let controller_tag = fields.child("controller");
        let controller = self.controller(controller_tag, model.model, element);
        let dynamics = self.model_use(Kind::Dynamics, model, fields, class.span);
        Some((dynamics, controller?, chassis?, wheels))
    }

    fn controller(
        &mut self,
        tag: Option<&Element>,
        dynamics: &'static Model,
        place: &Element,
    ) -> Option<ModelUse> {
        let empty;
        let element = match tag {
            Some(element) => element,
            None => {
                empty = place.without_content();
                &empty
            }
        };
        let mut fields = Fields::new(element);
        let (name, span) = match fields.attribute("class") {
            Some(class) => (self.value(class)?, class.span),
            None => ("raw".to_owned(), element.name_span),
        };
        let candidates = self.find(Kind::Controller, &name, span)?;
        match variants::fitting(&candidates, dynamics) {
            Ok(model) => {
                let model = model.clone();
                Some(self.model_use(Kind::Controller, model, fields, span))
            }
            Err(notes) => {
                // SAFETY: descriptors are static data.
                let class = unsafe { dynamics.id.as_str() };
                let message = format!("controller `{name}` does not fit dynamics `{class}`");
                self.error(span, message, "its ports have no counterpart", notes);
                None
            }
        }
    }

    fn known_classes(&self, kind: Kind) -> String {
        format!("help: known {} classes: {}", kind.tag(), self.classes.names(kind).join(", "))
    }

    /// All variants of a class, or an error at `span`.
    fn find(&mut self, kind: Kind, class: &str, span: Span) -> Option<Vec<ModelRef>> {
        match self.classes.find(kind, class) {
            Ok(variants) if !variants.is_empty() => return Some(variants),
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
        if kind == Kind::Sensor && FORMAT_SENSORS.contains(&class) && note.is_none() {
            self.unsupported(span, &format!("sensor class `{class}`"));
            return;
        }
        let names = self.classes.names(kind);
        let label = did_you_mean(class, names.iter().map(String::as_str));
        let mut notes: Vec<_> = note.into_iter().collect();
        notes.push(self.known_classes(kind));
        self.error(span, format!("unknown {} class `{class}`", kind.tag()), label, notes);
    }

    /// Binds what is left of an element to the parameters and set-points of a model.
    pub(crate) fn model_use(
        &mut self,
        kind: Kind,
        model: ModelRef,
        mut fields: Fields<'_>,
        span: Span,
    ) -> ModelUse {
        let values = self.parameters(kind, &model, &mut fields);
        let set_points = self.set_points(model.model, &mut fields);
        self.without_effect(kind, model.id(), &mut fields);
        self.finish(fields);
        ModelUse { model, values, set_points, span }
    }

    /// What another class of the kind reads, or none at all although files have it.
    fn without_effect(&mut self, kind: Kind, class: &str, fields: &mut Fields<'_>) {
        match kind {
            Kind::Sensor => fields.ignore(&["publish", "visual", "preview_win_visible"]),
            _ => fields.ignore(&["visual"]),
        }
        if kind == Kind::Sensor {
            fields.drain(|name| name.starts_with("viz_"));
        }
        if fields.is_empty() {
            return;
        }
        let mut foreign = std::collections::HashSet::new();
        for name in self.classes.names(kind) {
            for other in self.classes.find(kind, &name).unwrap_or_default() {
                foreign.extend(variants::keys(other.model));
            }
        }
        let dead = |name: &str| kind == Kind::Controller && DEAD_CONTROLLER_TAGS.contains(&name);
        for given in fields.drain(|name| dead(name) || foreign.contains(name)) {
            let owner = kind.tag();
            let message = format!("`{}` has no effect under {owner} `{class}`", given.name());
            let what = match given {
                Given::Attribute(_) => "this attribute is not read",
                Given::Child(_) => "this tag is not read",
            };
            self.warning(given.name_span(), message, what);
        }
    }
}
