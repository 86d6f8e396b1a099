//! Models and faults with another value of one parameter.

use std::sync::Arc;

use simhost_abi::Kind;
use simhost_model::Classes;

use crate::context::{Assets, Catalogue, Context, References};
use crate::diagnostics::{LoadError, Report};
use crate::models::{ModelUse, bind};
use crate::options::LoadOptions;
use crate::reader::ElementReader;
use crate::sources::{Sources, Span};
use crate::tree::{Element, Origin, Text};
use crate::vehicle::RobotFault;
use crate::vocabulary::{Section, section};
use crate::world::World;

/// The section of one parameter of a model.
static PARAMETER: Section = section("parameter", "One parameter of a model.", &[]);

/// A model with the start of the names of its parameters, or a fault with the indices of its vehicle and its own, that
/// has another value of a parameter.
pub enum Changed {
    Model(String, ModelUse),
    Fault([usize; 2], RobotFault),
}

/// Reads the value of a parameter with `read`, whose errors have positions in the value.
pub fn checked<T>(
    world: &World,
    (name, value): (&str, &str),
    sources: &Sources,
    (options, classes): (&LoadOptions, &dyn Classes),
    read: impl FnOnce(&mut Context<'_>, Text) -> Option<T>,
) -> Result<T, LoadError> {
    let mut sources = sources.clone();
    let (file, _) = sources.add_beside_world(name, value.to_owned());
    let span = Span { file, start: 0, end: value.len() as u32 };
    let text = Text { content: value.trim().into(), span, origin: Origin::Computed };
    let profile = world.settings.profile;
    let mut context = Context {
        report: Report::default(),
        sources,
        profile,
        lenient: false,
        catalogue: Catalogue::new(classes),
        assets: Assets::new(options),
        references: References::default(),
        owner: String::new(),
    };
    let read = read(&mut context, text);
    let Context { report, sources, .. } = context;
    match read {
        Some(new) if !report.has_errors() => Ok(new),
        _ => {
            let hidden_errors = report.hidden_errors();
            let diagnostics = report.finish();
            Err(LoadError { diagnostics, sources, hidden_errors, usage: false })
        }
    }
}

/// Returns a model with another value of one parameter.
pub fn rebound(
    context: &mut Context<'_>,
    (kind, base): (Kind, &ModelUse),
    key: &str,
    text: Text,
) -> ModelUse {
    let span = text.span;
    let mut child = Element::new(key.into(), span);
    child.text = Some(text);
    let mut element = Element::new(kind.tag().into(), span);
    element.children.push(child);
    let reader = ElementReader::new(context, &element, &PARAMETER);
    let bound = bind(reader, kind, base.model.clone(), base.span, Some(base));
    let connects = Arc::clone(&base.connects);
    ModelUse { connects, ..bound }
}
