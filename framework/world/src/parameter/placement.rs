//! Values of parameters in the text of a world file, which keeps its comments and its format.

use std::path::Path;

use simhost_model::View;

use super::change::ParameterContext;
use super::names::{list, models};
use super::{ParameterError, ParameterOwner};
use crate::diagnostics::{LoadError, Report};
use crate::load::load_text;
use crate::options::Budget;
use crate::sources::{Sources, Span};
use crate::tree::{Element, Text};
use crate::world::World;
use crate::xml;

/// Values of parameters cannot be written into a world file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlacementError {
    /// There is no such parameter.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The file has no place for a value.
    #[error("cannot write '{name}' into the world file: {why}\nhelp: {help}")]
    Place {
        /// Name of the parameter.
        name: String,
        /// Content of the place.
        why: String,
        /// Remedy.
        help: &'static str,
    },
    /// The file with the values has errors.
    #[error("{}", .0.diagnostics.iter().map(|one| one.render(&.0.sources, false)).collect::<Vec<_>>().join("\n"))]
    Load(Box<LoadError>),
}

/// A piece of the text, and what replaces it.
struct Change {
    start: usize,
    end: usize,
    text: String,
}

impl World {
    /// Returns the text of the world file, as the sources have it, with values of parameters, each with its name, such as
    /// `car/friction/mu`, and a text as in a world file. Existing values are replaced, and others become attributes
    /// of the element of the model. Everything else stays, with comments and white space.
    ///
    /// The result is loaded as the file `path`, to see that all these parameters have their values and no others have
    /// changed.
    ///
    /// # Errors
    /// [`PlacementError`] if there is no such parameter, if its value is in an included file, in a
    /// loop, computed by an expression, or shared with another model, or if the text at `path` is
    /// not a valid world.
    pub fn place_parameters(
        &self,
        values: &[(String, String)],
        path: &Path,
        with: ParameterContext<'_>,
    ) -> Result<String, PlacementError> {
        let ParameterContext { sources, options, classes } = with;
        let text = sources.text(0);
        let mut budget = Budget::new(&options.limits);
        let roots = xml::parse(text, 0, &mut budget, &mut Report::default());
        let mut changes = Vec::new();
        for (name, value) in values {
            changes.push(self.change(name, value, sources, &roots)?);
        }
        changes.sort_by_key(|change| std::cmp::Reverse(change.start));
        let mut placed = text.to_owned();
        for Change { start, end, text } in changes {
            placed.replace_range(start..end, &text);
        }
        let loaded = load_text(path, placed.as_bytes(), options, classes);
        let loaded = loaded.map_err(|error| PlacementError::Load(Box::new(error)))?;
        self.compare(&loaded.world, values)?;
        Ok(placed)
    }

    /// Returns the change of the text that sets a parameter.
    fn change(
        &self,
        name: &str,
        value: &str,
        sources: &Sources,
        roots: &[Element],
    ) -> Result<Change, PlacementError> {
        let refused =
            |why: String, help| PlacementError::Place { name: name.to_owned(), why, help };
        let (owner, key) = self.find(name)?;
        let ParameterOwner::Model { name: owner, kind } = owner else {
            let why = "it is a number of a fault; expected a parameter of a model".to_owned();
            return Err(refused(why, "edit the file"));
        };
        let found = models(self).find(|(known, ..)| *known == owner);
        let (.., model) = found.expect("the owner has just been found");
        let Span { file, start, .. } = model.span;
        if file != 0 {
            let why = format!("its model is in {}", sources.path(file).display());
            return Err(refused(
                why,
                "edit that file, or write the world as one file with `simhost print`",
            ));
        }
        let Some((element, in_loop)) = with_class(roots, kind.tag(), model.span, false) else {
            let why = format!("'{owner}' has no separate element");
            return Err(refused(why, "add the element with its class"));
        };
        if in_loop {
            let why = format!("its model is in the <for> that contains byte {start}");
            return Err(refused(why, "write the world as one file with `simhost print`"));
        }
        let desc = model.model.model.params().iter().find(|desc| desc.is_named(key));
        let desc = desc.expect("the parameter has just been found");
        let escaped = value.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let Some(written) = written(element, desc) else {
            let at = attribute_place(sources.text(0), element);
            let text = format!(" {}=\"{escaped}\"", desc.key());
            return Ok(Change { start: at, end: at, text });
        };
        if written.content.contains('$') {
            let why = format!("its value is the expression '{}'", written.content);
            return Err(refused(why, "set the variables that it uses"));
        }
        let Span { start, end, .. } = written.span;
        Ok(Change { start: start as usize, end: end as usize, text: escaped })
    }

    /// Compares the parameters of a world into which values have been written with the parameters
    /// of this world.
    fn compare(&self, placed: &Self, values: &[(String, String)]) -> Result<(), PlacementError> {
        let refused = |name: &str, why: String, help| {
            Err(PlacementError::Place { name: name.to_owned(), why, help })
        };
        let (before, after) = (list(self), list(placed));
        for (name, value) in values {
            let found = after.iter().find(|(known, _)| known == name).map_or("", |one| &one.1);
            if !same(found, value) {
                let why = format!("the value there is '{found}' afterwards; expected '{value}'");
                return refused(name, why, "edit the file");
            }
        }
        let is_given = |name: &str| values.iter().any(|(known, _)| known == name);
        let changed = before.iter().find(|(name, value)| {
            let found = after.iter().find(|(known, _)| known == name);
            !is_given(name) && found.is_none_or(|(_, found)| found != value)
        });
        match (changed, values.first()) {
            (Some((other, _)), Some((name, _))) => {
                let why = format!("'{other}' has the same place in the file, and would change");
                refused(name, why, "give each model a separate element")
            }
            _ => Ok(()),
        }
    }
}

/// Returns whether two values as in a world file are equal. A unit can change the last digit of a number.
fn same(found: &str, wanted: &str) -> bool {
    let numbers =
        |text: &str| text.split([' ', ',']).map(str::parse).collect::<Result<Vec<f64>, _>>();
    match (numbers(found), numbers(wanted)) {
        (Ok(found), Ok(wanted)) => {
            let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * b.abs();
            found.len() == wanted.len() && found.iter().zip(&wanted).all(close)
        }
        _ => found == wanted.trim(),
    }
}

/// Returns the element with a tag whose class name, or whose tag without one, is at a position, and whether it is in a
/// loop.
fn with_class<'e>(
    elements: &'e [Element],
    tag: &str,
    class: Span,
    in_loop: bool,
) -> Option<(&'e Element, bool)> {
    elements.iter().find_map(|element| {
        let place = element.attribute("class").map_or(element.name_span, |text| text.span);
        if place == class && element.name == tag {
            return Some((element, in_loop));
        }
        with_class(&element.children, tag, class, in_loop || element.name == "for")
    })
}

/// Returns the value of a parameter as an element or an attribute has it.
fn written<'e>(
    element: &'e Element,
    desc: &'static View<simhost_abi::ParamDesc>,
) -> Option<&'e Text> {
    let child = element.children.iter().rfind(|child| desc.is_named(&child.name));
    let attribute = || element.attributes.iter().rfind(|one| desc.is_named(&one.name));
    child.map_or_else(|| attribute().map(|one| &one.text), |child| child.text.as_ref())
}

/// Returns the place for a further attribute of an element: behind its class, or its name.
fn attribute_place(text: &str, element: &Element) -> usize {
    let Some(class) = element.attribute("class") else { return element.name_span.end as usize };
    let end = class.span.end as usize;
    text[end..].find(['"', '\'']).map_or(end, |quote| end + quote + 1)
}
