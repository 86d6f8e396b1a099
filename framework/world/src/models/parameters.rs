//! Parameters and setpoints of a model, read as the model declares them.

use simhost_abi::{Kind, ParamDesc, ParamKind, PortDesc, param_flag};
use simhost_model::{ModelRef, ParamValue, View};

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::reader::{ElementReader, Given, report_without_effect};
use crate::spelling::list_items;
use crate::tree::{Element, Text};
use crate::vocabulary::{Quantity, Section, section};
use crate::{files, value};

/// The section of a group of parameters. The model declares what the group contains.
static GROUP: Section = section("group", "A group of parameters.", &[]);

/// Returns the values of a model's parameters in the order of their declaration. Missing values are
/// taken from `base`, or are the defaults. The profile may force or restrict parameters.
pub(super) fn parameters(
    reader: &mut ElementReader<'_, '_, '_>,
    kind: Kind,
    model: &ModelRef,
    base: Option<&[ParamValue]>,
) -> Vec<ParamValue> {
    let params = model.model.params();
    let profile = reader.context.profile;
    let mut values = Vec::with_capacity(params.len());
    let mut ignored = Vec::new();
    for (index, desc) in params.iter().enumerate() {
        let own = profile.default_of(kind, model.id(), desc.key());
        let inherited = base.and_then(|base| base.get(index)).or(own.as_ref());
        if profile.reads(kind, model.id(), desc.key()) {
            values.push(parameter(reader, desc, inherited));
        } else {
            ignored.extend(reader.claim(|name| desc.is_named(name)));
            values.push(own.clone().unwrap_or_else(|| ParamValue::default_of(desc)));
        }
    }
    let reason = format!("in profile {}", profile.name);
    report_without_effect(reader.context, &ignored, &reason, Some("the default is used"));
    for forced in profile.overrides {
        if forced.kind == kind && forced.class == model.id() {
            let index = params.iter().position(|desc| desc.key() == forced.key);
            if let Some(index) = index {
                values[index] = ParamValue::Bool(forced.value);
            }
        }
    }
    values
}

/// Returns the values that an element gives, with their indices in the declaration.
pub(super) fn parameters_given(
    reader: &mut ElementReader<'_, '_, '_>,
    params: &'static [View<ParamDesc>],
) -> Vec<(usize, ParamValue)> {
    let element = reader.element;
    let is_given = |desc: &'static View<ParamDesc>| {
        element.children.iter().any(|child| desc.is_named(&child.name))
    };
    let given = params.iter().enumerate().filter(|(_, desc)| is_given(desc));
    given.map(|(place, desc)| (place, parameter(reader, desc, None))).collect()
}

fn parameter(
    reader: &mut ElementReader<'_, '_, '_>,
    desc: &'static View<ParamDesc>,
    inherited: Option<&ParamValue>,
) -> ParamValue {
    let fallback = || inherited.cloned().unwrap_or_else(|| ParamValue::default_of(desc));
    let kind = desc.kind();
    if kind == Some(ParamKind::List) && !desc.children().is_empty() {
        let given = reader.claim(|name| desc.is_named(name));
        if given.is_empty() {
            report_if_required(reader, desc, inherited);
            return fallback();
        }
        let items = given.into_iter().map(|given| group(reader.context, desc, given));
        return ParamValue::Items(items.collect());
    }
    let Some(given) = given_for(reader, desc) else {
        report_if_required(reader, desc, inherited);
        return fallback();
    };
    if kind == Some(ParamKind::Group) {
        return group(reader.context, desc, given);
    }
    let text = reader.given_text_of(given);
    text.and_then(|text| bound(reader.context, desc, text)).unwrap_or_else(fallback)
}

/// Returns the last attribute or child with a name of the parameter. Warns of earlier ones.
fn given_for<'e>(
    reader: &mut ElementReader<'_, '_, 'e>,
    desc: &'static View<ParamDesc>,
) -> Option<Given<'e>> {
    if !reader.has_unknown() {
        return None;
    }
    let mut given = reader.claim(|name| desc.is_named(name));
    let last = given.pop();
    for earlier in given {
        let message = format!("duplicate `{}`", earlier.name());
        let label = "ignored: the last one is used";
        reader.context.report.warning(earlier.name_span(), message, label);
    }
    last
}

/// Returns the input ports that an element sets, with values in the units of the ports.
pub(crate) fn setpoints(
    reader: &mut ElementReader<'_, '_, '_>,
    inputs: impl Iterator<Item = &'static View<PortDesc>>,
) -> Vec<(String, f64)> {
    let mut setpoints: Vec<(String, f64)> = Vec::new();
    for port in inputs {
        let (key, unit) = (port.key(), port.key_unit());
        let Some(given) = reader.claim(|name| name == key).pop() else { continue };
        let text = reader.given_text_of(given);
        let quantity = Quantity::any(key, unit);
        let number = text.and_then(|text| value::number(reader.context, text, &quantity));
        if let Some(number) = number {
            setpoints.push((port.name().to_owned(), number * port.key_scale));
        }
    }
    setpoints
}

/// Reports a parameter that the element lacks if it is required, or if it is a group with required
/// parameters.
fn report_if_required(
    reader: &mut ElementReader<'_, '_, '_>,
    desc: &'static View<ParamDesc>,
    inherited: Option<&ParamValue>,
) {
    if inherited.is_none() && is_required(desc) {
        report_missing(reader.context, desc, reader.element);
    }
}

fn is_required(desc: &'static View<ParamDesc>) -> bool {
    let is_group = desc.kind() == Some(ParamKind::Group);
    desc.flags & param_flag::REQUIRED != 0 || is_group && desc.children().iter().any(is_required)
}

fn report_missing(context: &mut Context<'_>, desc: &'static View<ParamDesc>, element: &Element) {
    let (key, owner) = (desc.key(), &element.name);
    let error = Diagnostic::error(format!("missing `{key}` in `<{owner}>`"))
        .at(element.name_span)
        .label(quantity(desc).expected("a value"))
        .help(format!("write <{key}>…</{key}>: {}", desc.doc()));
    context.report.push(error);
}

fn group(
    context: &mut Context<'_>,
    desc: &'static View<ParamDesc>,
    given: Given<'_>,
) -> ParamValue {
    let Given::Child(element) = given else {
        let key = desc.key();
        let message = format!("`{key}` is a group of parameters");
        let label = format!("write it as an element: <{key}>…</{key}>");
        context.report.error(given.name_span(), message, &label);
        return ParamValue::default_of(desc);
    };
    let mut reader = ElementReader::new(context, element, &GROUP);
    reader.params = desc.children();
    let children = desc.children().iter();
    let values = children.map(|child| parameter(&mut reader, child, None)).collect();
    reader.finish();
    ParamValue::Items(values)
}

/// Reads the value of one parameter from a text.
fn bound(
    context: &mut Context<'_>,
    desc: &'static View<ParamDesc>,
    text: &Text,
) -> Option<ParamValue> {
    let key = desc.key();
    let scaled = |number: f64| ParamValue::Number(number * desc.scale);
    Some(match desc.kind()? {
        ParamKind::Number => scaled(value::number(context, text, &quantity(desc))?),
        ParamKind::Integer => scaled(value::integer(context, text, &quantity(desc))?),
        ParamKind::Bool => ParamValue::Bool(value::boolean(context, text, key)?),
        ParamKind::Text => ParamValue::Text(text.value()?.to_owned()),
        ParamKind::Choice => {
            let choices: Vec<_> = desc.choices().collect();
            ParamValue::Text(value::word(context, text, key, &choices)?.to_owned())
        }
        ParamKind::Path | ParamKind::File | ParamKind::BinaryFile => {
            let path = files::local_path(context, text)?;
            ParamValue::Text(path.display().to_string())
        }
        ParamKind::List => list(context, desc, text)?,
        ParamKind::Words => {
            let words = list_items(text.value()?).map(|word| ParamValue::Text(word.to_owned()));
            ParamValue::Items(words.collect())
        }
        ParamKind::BinaryFiles => {
            let paths = list_items(text.value()?).map(|name| match name {
                "-" => Some(ParamValue::None),
                name => {
                    let path = files::path_of(context, text, name)?;
                    Some(ParamValue::Text(path.display().to_string()))
                }
            });
            ParamValue::Items(paths.collect::<Option<_>>()?)
        }
        ParamKind::Group => return None,
    })
}

fn list(
    context: &mut Context<'_>,
    desc: &'static View<ParamDesc>,
    text: &Text,
) -> Option<ParamValue> {
    let quantity = quantity(desc);
    let mut items = Vec::new();
    for item in list_items(text.value()?) {
        let number = value::in_range(context, text, item, &quantity, "numbers")?;
        items.push(ParamValue::Number(number * desc.scale));
    }
    if items.is_empty() && desc.flags & param_flag::REQUIRED != 0 {
        let message = format!("`{}` is empty", quantity.name);
        context.report.error(text.span, message, &quantity.expected("at least one number"));
        return None;
    }
    if desc.count != 0 && items.len() != desc.count as usize {
        let message = format!("`{}` has {} numbers", quantity.name, items.len());
        let label = quantity.expected(&format!("{} numbers", desc.count));
        context.report.error(text.span, message, &label);
        return None;
    }
    Some(ParamValue::Items(items))
}

/// Returns the unit and range of a parameter.
pub(crate) fn quantity(desc: &'static View<ParamDesc>) -> Quantity<'static> {
    Quantity {
        name: desc.key(),
        unit: desc.unit(),
        min: desc.min,
        max: desc.max,
        above_min: desc.flags & param_flag::ABOVE_MIN != 0,
        below_max: desc.flags & param_flag::BELOW_MAX != 0,
    }
}
