//! Observers of the world.

use simhost_abi::{Kind, model_flag};

use crate::context::Context;
use crate::models::{ModelUse, NamedModel, named_model};
use crate::reader::ElementReader;
use crate::sources::Span;
use crate::tree::Element;
use crate::vocabulary::{Section, Value, attribute, either, positive, section};

/// An observer: a model that reads quantities of a run, changes nothing, and can end the run.
#[derive(Clone, Debug)]
pub struct ObserverUse {
    /// Name, unique among the observers.
    pub name: String,
    /// Time between samples in s; `None` if there is one after each step.
    pub period: Option<f64>,
    /// The model with its parameters.
    pub model: ModelUse,
    /// Position of its name, or of its element.
    pub span: Span,
}

impl ObserverUse {
    /// Returns whether the class can end a run.
    pub fn stops(&self) -> bool {
        self.model.model.model.flags & model_flag::STOPS != 0
    }
}

pub(crate) static OBSERVER: Section = section(
    "observer",
    "Reads quantities of the run at the start, after each step and at the end, and can end the run. \
     It changes no results.",
    &[
        attribute("class", Value::Class(Kind::Observer), "Class of the observer.").required(),
        attribute("name", Value::Text, "Name, unique among the observers.")
            .or_else("the class and a number"),
        either("every", positive("s"), "Time between samples.").or_else("every step"),
    ],
)
.with_model(Kind::Observer);

/// Reads an `<observer>`. `earlier` are those before it.
pub(crate) fn read_observer(
    context: &mut Context<'_>,
    element: &Element,
    earlier: &[ObserverUse],
) -> Option<ObserverUse> {
    let mut reader = ElementReader::new(context, element, &OBSERVER);
    let period = reader.given_number("every");
    let files = reader.context.assets.files().len();
    let taken: Vec<&str> = earlier.iter().map(|observer| observer.name.as_str()).collect();
    let read = named_model(reader, Kind::Observer, &taken);
    // a world is the same with other observers
    context.assets.forget_after(files);
    let NamedModel { name, model, span } = read?;
    Some(ObserverUse { name, period, model, span })
}
