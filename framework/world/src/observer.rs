//! Observers of the world.

use simhost_abi::{Kind, model_flag};

use crate::context::Context;
use crate::models::{ModelUse, named};
use crate::reader::{FromElement, declare};
use crate::sources::Span;
use crate::tree::Element;
use crate::vocabulary::field::{attribute, either};
use crate::vocabulary::{Value, element, positive};

declare! {
    /// Reads quantities of the run at the start, after each step and at the end, and can end the run.
    /// It changes no results.
    section = element("observer").with_model(Kind::Observer);

    /// An observer: a model that reads quantities of a run, changes nothing, and can end the run.
    #[derive(Clone, Debug)]
    pub struct ObserverUse {
        /// The model with its parameters.
        pub model: ModelUse =
            attribute(Value::Class(Kind::Observer)).named("class").doc("Class of the observer.").required();
        /// Name, unique among the observers.
        pub name: String = attribute(Value::Text).or_else("the class and a number");
        /// Time between samples.
        pub period: Option<f64> = either(positive("s")).named("every").or_else("every step");
        /// Position of its name, or of its element.
        pub span: Span => |reader| reader.span_of("name");
    }
}

impl ObserverUse {
    /// Returns whether the class can end a run.
    pub fn stops(&self) -> bool {
        self.model.model.model.flags & model_flag::STOPS != 0
    }
}

/// Reads an `<observer>`. `earlier` are those before it.
pub(crate) fn read_observer(
    context: &mut Context<'_>,
    element: &Element,
    earlier: &[ObserverUse],
) -> Option<ObserverUse> {
    let files = context.assets.files().len();
    let observer = ObserverUse::read_element(context, element);
    // a world is the same with other observers
    context.assets.forget_after(files);
    let ObserverUse { name, model, span, period } = observer?;
    let taken: Vec<&str> = earlier.iter().map(|observer| observer.name.as_str()).collect();
    let name = named(context, name, &model, &taken, span);
    Some(ObserverUse { name, model, span, period })
}
