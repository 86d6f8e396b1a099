//! Parts of vehicles that repeat earlier ones word for word.
//!
//! World files often describe each vehicle of a fleet with the same words. A part is then read once,
//! and repetitions share it: its models have the position of the first one. A part is only kept if
//! nothing was reported about it, so that each repetition reports its own problems.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use foldhash::fast::FixedState;

use super::chassis::ChassisSource;
use super::dynamics::{self, Dynamics};
use super::wheel;
use super::wheel::WheelFriction;
use crate::context::Context;
use crate::models::ModelUse;
use crate::tree::{Element, Text};

/// The parts that have been read so far.
#[derive(Debug, Default)]
pub(super) struct Repeats<'e> {
    dynamics: HashMap<u64, Vec<(&'e Element, Rc<Dynamics>)>, FixedState>,
    friction: HashMap<u64, Vec<Friction<'e>>, FixedState>,
    default_friction: Option<Arc<ModelUse>>,
    wheel_friction: HashMap<[usize; 2], WheelFrictions, FixedState>,
}

/// Friction models of wheels, with the dynamics and the model of the vehicle that they belong to, which are kept
/// so that no other ones can have their addresses.
#[derive(Debug)]
struct WheelFrictions {
    models: Arc<[WheelFriction]>,
    _of: (Rc<Dynamics>, Arc<ModelUse>),
}

/// A friction model and the model that it modifies.
#[derive(Debug)]
struct Friction<'e> {
    element: &'e Element,
    base: Option<Arc<ModelUse>>,
    model: Arc<ModelUse>,
}

impl<'e> Repeats<'e> {
    /// Reads a `<dynamics>` element.
    pub fn dynamics(
        &mut self,
        context: &mut Context<'_>,
        element: &'e Element,
    ) -> Option<Rc<Dynamics>> {
        let hash = hash_of(element);
        let known = self.dynamics.get(&hash).into_iter().flatten();
        if let Some((_, known)) = known.into_iter().find(|(one, _)| is_repeated(one, element)) {
            return Some(Rc::clone(known));
        }
        let before = context.report.pushes();
        let dynamics = Rc::new(dynamics::read(context, element)?);
        if context.report.pushes() == before && dynamics.can_be_shared() {
            self.dynamics.entry(hash).or_default().push((element, Rc::clone(&dynamics)));
        }
        Some(dynamics)
    }

    /// Reads a `<friction>` element, which modifies `base`.
    pub fn friction(
        &mut self,
        context: &mut Context<'_>,
        element: &'e Element,
        base: Option<&Arc<ModelUse>>,
    ) -> Option<Arc<ModelUse>> {
        let hash = hash_of(element);
        let same_base =
            |known: &Friction<'_>| known.base.as_ref().map(Arc::as_ptr) == base.map(Arc::as_ptr);
        let mut known = self.friction.get(&hash).into_iter().flatten();
        let known = known.find(|known| same_base(known) && is_repeated(known.element, element));
        if let Some(known) = known {
            return Some(Arc::clone(&known.model));
        }
        let before = context.report.pushes();
        let model = wheel::read_friction(context, element, base)?;
        if context.report.pushes() == before {
            let kept = Friction { element, base: base.cloned(), model: Arc::clone(&model) };
            self.friction.entry(hash).or_default().push(kept);
        }
        Some(model)
    }

    /// Returns the friction models of the wheels with a separate model. Models without a class
    /// modify `base`.
    pub fn wheel_friction(
        &mut self,
        context: &mut Context<'_>,
        dynamics: &Rc<Dynamics>,
        base: &Arc<ModelUse>,
    ) -> Arc<[WheelFriction]> {
        let key = [Rc::as_ptr(dynamics).addr(), Arc::as_ptr(base).addr()];
        if dynamics.frictions.is_empty() {
            return Arc::default();
        }
        if let Some(known) = self.wheel_friction.get(&key) {
            return Arc::clone(&known.models);
        }
        let before = context.report.pushes();
        let read = |(wheel, element): &(usize, Element)| {
            let model = wheel::read_friction(context, element, Some(base))?;
            Some(WheelFriction { wheel: *wheel, model })
        };
        let models: Arc<[WheelFriction]> = dynamics.frictions.iter().filter_map(read).collect();
        if context.report.pushes() == before {
            let (models, of) = (Arc::clone(&models), (Rc::clone(dynamics), Arc::clone(base)));
            self.wheel_friction.insert(key, WheelFrictions { models, _of: of });
        }
        models
    }

    /// Returns the friction model of a vehicle without `<friction>`. Errors are reported at `place`.
    pub fn default_friction(
        &mut self,
        context: &mut Context<'_>,
        place: &Element,
    ) -> Option<Arc<ModelUse>> {
        if let Some(known) = &self.default_friction {
            return Some(Arc::clone(known));
        }
        let before = context.report.pushes();
        let model = wheel::default_friction(context, place)?;
        if context.report.pushes() == before {
            self.default_friction = Some(Arc::clone(&model));
        }
        Some(model)
    }
}

impl Dynamics {
    /// Returns whether nothing depends on the rest of the vehicle, or has a position in addition to the models.
    fn can_be_shared(&self) -> bool {
        self.linked.is_empty()
            && matches!(self.chassis, ChassisSource::Complete(_))
            && self.wheels.iter().all(|wheel| wheel.visuals.is_empty())
    }
}

/// Returns whether two trees differ in nothing but their positions. Paths are relative to their file.
fn is_repeated(one: &Element, other: &Element) -> bool {
    let same_text = |one: &Text, other: &Text| {
        one.content == other.content
            && one.origin == other.origin
            && one.span.file == other.span.file
    };
    one.name == other.name
        && one.name_span.file == other.name_span.file
        && one.attributes.len() == other.attributes.len()
        && one.children.len() == other.children.len()
        && match (&one.text, &other.text) {
            (Some(one), Some(other)) => same_text(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
        && one
            .attributes
            .iter()
            .zip(&other.attributes)
            .all(|(one, other)| one.name == other.name && same_text(&one.text, &other.text))
        && one.children.iter().zip(&other.children).all(|(one, other)| is_repeated(one, other))
}

/// Returns a hash of a tree without its positions.
fn hash_of(element: &Element) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    add(&mut hasher, element);
    hasher.finish()
}

fn add(hasher: &mut impl Hasher, element: &Element) {
    hasher.write(element.name.as_bytes());
    for attribute in &element.attributes {
        hasher.write(attribute.text.content.as_bytes());
    }
    if let Some(text) = &element.text {
        hasher.write(text.content.as_bytes());
    }
    element.children.iter().for_each(|child| add(hasher, child));
}
