//! The pass over the tree.
//!
//! The pass recurses as elements nest. Its larger functions are not inlined, so that a level uses
//! little stack.

use std::borrow::Cow;
use std::rc::Rc;

use compact_str::{CompactString, ToCompactString, format_compact};

use super::classes::{Class, ClassName, Instance, class_tag, rename};
use super::evaluation::{evaluate, evaluate_attributes, value_of};
use super::flow::{assign, condition_holds, loop_range, set_variable};
use super::includes;
use super::includes::Described;
use super::state::Expansion;
use super::variables::{Dependence, NameContext, Scope};
use crate::expression::Key;
use crate::tree::{Attribute, Element, LANGUAGE_ELEMENTS, Origin, Text, Weight};

/// Expands the tree of a world. `seed` is the seed of the random draws.
pub(super) fn expand_root(
    expansion: &mut Expansion,
    mut root: Element,
    scope: Rc<Scope>,
    seed: u64,
) -> Element {
    expansion.seed = Key::default().with(seed);
    let context = NameContext::world(scope);
    let children = std::mem::take(&mut root.children);
    root.attributes = evaluate_attributes(expansion, &root.attributes, &context);
    root.text = root.text.as_ref().map(|text| evaluate(expansion, text, &context));
    expansion.depth = 1;
    for child in children {
        expand(expansion, Cow::Owned(child), &context, &mut root.children);
    }
    root.dynamic = false;
    root
}

/// Appends the expansion of an element.
fn expand(
    expansion: &mut Expansion,
    element: Cow<'_, Element>,
    context: &NameContext,
    out: &mut Vec<Element>,
) {
    if expansion.is_over() {
        return;
    }
    if element.dynamic && LANGUAGE_ELEMENTS.contains(&element.name.as_str()) {
        return expand_language(expansion, &element, context, out);
    }
    if context.in_world {
        match element.name.as_str() {
            "vehicle:class" | "block:class" | "actor:class" => {
                return declare_class(expansion, element, context, out);
            }
            "vehicle" | "block" | "actor" => {
                return expand_instance(expansion, element, context, out);
            }
            _ => {}
        }
    }
    out.extend(expand_plain(expansion, element, context));
}

fn expand_all(
    expansion: &mut Expansion,
    elements: &[Element],
    context: &NameContext,
    out: &mut Vec<Element>,
) {
    for element in elements {
        expand(expansion, Cow::Borrowed(element), context, out);
    }
}

/// Expands an element of the language. It counts as a level: the pass nests as deeply as with other
/// elements.
fn expand_language(
    expansion: &mut Expansion,
    element: &Element,
    context: &NameContext,
    out: &mut Vec<Element>,
) {
    expansion.depth += 1;
    let depth = expansion.budget.depth(expansion.depth);
    if expansion.within_limits(depth, element.name_span) {
        match element.name.as_str() {
            "include" => {
                if let Some((file, context)) = includes::enter(expansion, element, context) {
                    expand_all(expansion, &file.roots, &context, out);
                    expansion.open_files.pop();
                }
            }
            "for" => expand_loop(expansion, element, context, out),
            "if" => {
                if condition_holds(expansion, element, context) {
                    expand_all(expansion, &element.children, context, out);
                }
            }
            _ => set_variable(expansion, element, context),
        }
    }
    expansion.depth -= 1;
}

/// Appends the iterations of a loop. As in MVSim, all iterations of the first child precede all
/// iterations of the second child, which matters for automatic names. The variable keeps its last
/// value.
#[inline(never)]
fn expand_loop(
    expansion: &mut Expansion,
    element: &Element,
    context: &NameContext,
    out: &mut Vec<Element>,
) {
    let Some((variable, range)) = loop_range(expansion, element, context) else { return };
    let position = expansion.position_key(element.name_span, context.origin);
    let path = context.path.with(position.0);
    let mut inner = NameContext { in_loop: true, ..context.clone() };
    for child in &element.children {
        for index in range.clone() {
            let cost = expansion.budget.count(1);
            if !expansion.within_limits(cost, element.name_span) {
                return;
            }
            assign(expansion, variable.clone(), index.to_compact_string(), context);
            inner.path = path.with(index as u64);
            expand(expansion, Cow::Borrowed(child), &inner, out);
        }
    }
}

/// Expands an element that is not part of the language.
#[inline(never)]
fn expand_plain(
    expansion: &mut Expansion,
    element: Cow<'_, Element>,
    context: &NameContext,
) -> Option<Element> {
    if element.dynamic {
        if context.in_world {
            expansion.variables.leave();
        }
        return match element.name.as_str() {
            "sensor" | "element" => {
                let context = context_of_part(expansion, &element, context);
                evaluated(expansion, &element, &context)
            }
            _ if context.in_world => evaluated(expansion, &element, &context.inner()),
            _ => evaluated(expansion, &element, context),
        };
    }
    let cost = match &element {
        Cow::Owned(element) => expansion.budget.count(element.weight.elements as usize),
        Cow::Borrowed(element) => expansion.budget.expand(element.weight),
    };
    let deepest = expansion.budget.depth(expansion.depth + element.weight.height as usize);
    let span = element.name_span;
    expansion.within_limits(cost.and(deepest), span).then(|| element.into_owned())
}

/// Returns an element with everything in it replaced.
#[inline(never)]
fn evaluated(
    expansion: &mut Expansion,
    element: &Element,
    context: &NameContext,
) -> Option<Element> {
    let mut result = evaluated_head(expansion, element, context)?;
    expansion.depth += 1;
    expand_all(expansion, &element.children, context, &mut result.children);
    expansion.depth -= 1;
    Some(settled(result))
}

/// Returns an element with its attributes and text replaced, without its children.
#[inline(never)]
fn evaluated_head(
    expansion: &mut Expansion,
    element: &Element,
    context: &NameContext,
) -> Option<Element> {
    let mut result = element.without_content();
    result.attributes = evaluate_attributes(expansion, &element.attributes, context);
    result.text = element.text.as_ref().map(|text| evaluate(expansion, text, context));
    let texts = result.attributes.iter().map(|attribute| &attribute.text).chain(&result.text);
    let long: usize = texts.map(|text| text.content.len()).sum();
    let bytes = (long + size_of::<Attribute>() * result.attributes.len()) as u32;
    result.weight.bytes = bytes;
    let cost = expansion.budget.expand(Weight { elements: 1, bytes, height: 1 });
    let depth = expansion.budget.depth(expansion.depth + 1);
    expansion.within_limits(cost.and(depth), element.name_span).then_some(result)
}

/// Returns an expanded element with the weight of its children.
fn settled(mut element: Element) -> Element {
    for child in &element.children {
        element.weight.add(child.weight);
    }
    element.dynamic = false;
    element
}

/// Processes a class declaration: appends one that all instances share, and keeps any other for its
/// instances.
#[inline(never)]
fn declare_class(
    expansion: &mut Expansion,
    element: Cow<'_, Element>,
    context: &NameContext,
    out: &mut Vec<Element>,
) {
    let tag = class_tag(&element.name);
    // a missing name is reported by the reader
    let name = element.attribute("name").and_then(|name| value_of(expansion, name, context));
    let text = element.text.as_ref().is_some_and(|text| text.content.contains('$'));
    let shared = !text && !element.children.iter().any(|child| child.dynamic);
    if shared || name.is_none() {
        if let Some(name) = name {
            expansion.classes.add_shared((tag, name));
        }
        out.extend(expand_plain(expansion, element, context));
        return;
    }
    let class = Class {
        element: Rc::new(element.into_owned()),
        scope: Rc::clone(&context.scope),
        declared: expansion.variables.snapshot(),
        declared_first: context.in_loop,
        last: None,
        count: 0,
    };
    if let Some(name) = name {
        expansion.classes.classes.insert((tag, name), Some(class));
    }
}

/// Appends an instance. A definition of its class that is made for it precedes it.
#[inline(never)]
fn expand_instance(
    expansion: &mut Expansion,
    element: Cow<'_, Element>,
    context: &NameContext,
    out: &mut Vec<Element>,
) {
    let Named { tag, name, path } = name_instance(expansion, &element, context);
    let own = name.clone().unwrap_or_default();
    let class = match includes::class_of(expansion, &element, context) {
        Some(Described { class, declaration }) => {
            if let Some((class, context)) = declaration {
                declare_class(expansion, Cow::Owned(class), &context, out);
            }
            Some(class)
        }
        None => element.attribute("class").cloned(),
    };
    let class = class.and_then(|class| {
        let instance = Instance { tag, name: &own, path };
        definition_for(expansion, &class, &instance, context, out)
    });
    let inner = NameContext {
        in_world: false,
        own: Some(own.clone()),
        parent: Some(own),
        path,
        origin: Some(element.name_span),
        ..context.clone()
    };
    let expanded = match element.dynamic {
        true => evaluated_instance(expansion, &element, &inner),
        false => expand_plain(expansion, element, &inner),
    };
    let Some(mut expanded) = expanded else { return };
    set_attribute(&mut expanded, "name", name);
    let has_class = class.is_some() || expanded.attribute("class").is_some();
    set_attribute(&mut expanded, "class", class);
    if tag == "vehicle" {
        if !has_class {
            fail_class(&mut expanded);
        }
        expanded.attributes.retain(|attribute| attribute.name != includes::ATTRIBUTE);
    }
    out.push(expanded);
}

/// Returns an instance with everything in it replaced. The includes of a vehicle are searched
/// first, so they come first.
fn evaluated_instance(
    expansion: &mut Expansion,
    element: &Element,
    context: &NameContext,
) -> Option<Element> {
    let mut result = evaluated_head(expansion, element, context)?;
    let mut own = Vec::new();
    expansion.depth += 1;
    for child in &element.children {
        let first = element.name == "vehicle" && child.name == "include";
        let target = if first { &mut result.children } else { &mut own };
        expand(expansion, Cow::Borrowed(child), context, target);
    }
    expansion.depth -= 1;
    expansion.variables.leave();
    result.children.append(&mut own);
    Some(settled(result))
}

/// Returns the name of the definition that an instance uses. Appends a new definition.
fn definition_for(
    expansion: &mut Expansion,
    class: &Text,
    instance: &Instance<'_>,
    context: &NameContext,
    out: &mut Vec<Element>,
) -> Option<CompactString> {
    let key = (class_tag(instance.tag), value_of(expansion, class, context)?);
    let Some(known) = expansion.classes.classes.get(&key) else {
        expansion.classes.report_unknown(&mut expansion.report, key.0, &key.1, class.span);
        return None;
    };
    let Some(class) = known else { return Some(key.1) };
    if let Some((name, dependence)) = &class.last
        && expansion.variables.is_unchanged(dependence)
    {
        return Some(name.clone());
    }
    let class = class.clone();
    let (name, dependence) = define(expansion, &class, &key, instance, out)?;
    if let Some(Some(class)) = expansion.classes.classes.get_mut(&key) {
        class.last = Some((name.clone(), dependence));
        class.count += 1;
    }
    Some(name)
}

/// Evaluates a class for an instance and appends the definition.
fn define(
    expansion: &mut Expansion,
    class: &Class,
    key: &ClassName,
    instance: &Instance<'_>,
    out: &mut Vec<Element>,
) -> Option<(CompactString, Dependence)> {
    expansion.variables.watch();
    let evaluated = evaluated(expansion, &class.element, &class.context(instance));
    let dependence = expansion.variables.watched();
    expansion.variables.leave();
    let mut element = settled(evaluated?);
    let name = expansion.classes.definition_name(key, class.count, dependence.instance);
    rename(&mut element, &name);
    expansion.classes.definitions.insert((key.0, name.clone()));
    out.push(element);
    Some((name, dependence))
}

/// A vehicle, block or actor with its name.
struct Named {
    pub tag: &'static str,
    /// Name, unless it could not be computed.
    pub name: Option<CompactString>,
    /// The part of the draws' keys that identifies the instance.
    pub path: Key,
}

/// Names an instance and records the name.
fn name_instance(expansion: &mut Expansion, element: &Element, context: &NameContext) -> Named {
    let tag = match element.name.as_str() {
        "vehicle" => "vehicle",
        "block" => "block",
        _ => "actor",
    };
    let attribute = element.attribute("name");
    let given = attribute.and_then(|name| value_of(expansion, name, context));
    // several blocks can have the same name
    let path = match &given {
        Some(name) if tag != "block" => Key::default().named(tag).named(name),
        _ => {
            let position = expansion.position_key(element.name_span, context.origin);
            context.path.with(position.0)
        }
    };
    let name = match attribute {
        Some(_) => given,
        None => automatic_name(expansion, tag),
    };
    expansion.blocks += usize::from(tag == "block");
    if tag == "vehicle" {
        expansion.vehicle_names.insert(name.clone().unwrap_or_default());
    }
    Named { tag, name, path }
}

/// Returns the name of an instance without one: `veh1`, `veh2`, … or `block001`, `block002`, …
fn automatic_name(expansion: &Expansion, tag: &str) -> Option<CompactString> {
    match tag {
        "vehicle" => {
            let count = expansion.vehicle_names.len() + 1;
            let mut names = (count..).map(|number| format_compact!("veh{number}"));
            names.find(|name| !expansion.vehicle_names.contains(name))
        }
        "block" => Some(format_compact!("block{:03}", expansion.blocks + 1)),
        _ => None,
    }
}

/// Returns the context within a sensor or an `<element>`, which has its own, possibly empty, name.
#[inline(never)]
fn context_of_part(
    expansion: &mut Expansion,
    element: &Element,
    context: &NameContext,
) -> NameContext {
    let name = element.attribute("name").and_then(|name| value_of(expansion, name, context));
    NameContext {
        in_world: false,
        parent: Some(context.own.clone().unwrap_or_default()),
        own: Some(name.unwrap_or_default()),
        ..context.clone()
    }
}

/// Makes a vehicle file with errors, which have been reported, an unknown class, so that nothing counts as missing.
fn fail_class(vehicle: &mut Element) {
    let mut attributes = vehicle.attributes.iter_mut();
    if let Some(file) = attributes.find(|attribute| attribute.name == includes::ATTRIBUTE) {
        file.name = "class".into();
        file.text.origin = Origin::Failed;
    }
}

/// Sets an attribute to a computed value, if there is one.
fn set_attribute(element: &mut Element, name: &str, value: Option<CompactString>) {
    let Some(content) = value else { return };
    match element.attributes.iter_mut().rfind(|attribute| attribute.name == name) {
        Some(attribute) if attribute.text.content == content => {}
        Some(attribute) => {
            attribute.text.content = content;
            attribute.text.origin = Origin::Computed;
        }
        None => {
            let span = element.name_span;
            let text = Text { content, span, origin: Origin::Computed };
            element.attributes.push(Attribute { name: name.into(), name_span: span, text });
        }
    }
}
