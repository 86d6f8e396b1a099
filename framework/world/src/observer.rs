//! Observers of the world.

use std::collections::HashSet;

use simhost_abi::{Kind, model_flag};

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::models::{ModelUse, bind, required_class};
use crate::reader::ElementReader;
use crate::sensor::automatic_name;
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
    let (model, class_span) = required_class(&mut reader, Kind::Observer)?;
    let given = reader.text_of("name");
    let name = given.and_then(|text| text.value()).map(str::to_owned);
    let period = reader.given_number("every");
    let files = reader.context.assets.files().len();
    let model = bind(reader, Kind::Observer, model, class_span, None);
    // a world is the same with other observers
    context.assets.forget_after(files);
    let span = given.map_or(element.name_span, |text| text.span);
    let names: HashSet<String> = earlier.iter().map(|observer| observer.name.clone()).collect();
    let name = name.unwrap_or_else(|| automatic_name(model.model.id(), earlier.len(), &names));
    if names.contains(&name) {
        let error = Diagnostic::duplicate_name("observer", &name, span);
        context.report.push(error.help("give each observer its own name, or none"));
    }
    Some(ObserverUse { name, period, model, span })
}
