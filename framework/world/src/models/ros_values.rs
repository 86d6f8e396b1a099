//! Values of parameters from a file of Autoware.

use std::borrow::Cow;
use std::path::Path;

use simhost_abi::{Kind, ParamKind};
use simhost_assets::ros_parameters::{self, RosParameter};
use simhost_model::ModelRef;

use crate::context::Context;
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::files;
use crate::sources::Span;
use crate::tree::{Attribute, Element, Origin, Text};
use crate::vocabulary::field::attribute;
use crate::vocabulary::{Entry, Value};

/// Attribute with the file of the parameters.
pub(crate) const FILE: &str = "simulator_model";
/// Parameter of that file that names the dynamics class.
const CLASS: &str = "vehicle_model_type";

/// The attribute of an element whose parameters can be in a file.
pub(crate) const FILE_ENTRY: Entry = attribute(Value::Uri).named(FILE).doc(
    "File `simulator_model.param.yaml` of Autoware, whose values apply if the element does not set them.",
);

/// Reads a file of parameters of ROS. Reports an error at the position that names it.
pub(crate) fn read_ros_file(
    context: &mut Context<'_>,
    place: Span,
    path: &Path,
) -> Option<Vec<RosParameter>> {
    let limits = context.assets.limits;
    files::read(context, place, path, |path| ros_parameters::read(path, &limits))
}

/// Returns an element with the values of the file that it names, for parameters that its class
/// declares and the element does not set.
pub(crate) fn with_values<'e>(
    context: &mut Context<'_>,
    element: &'e Element,
    kind: Kind,
) -> Cow<'e, Element> {
    let Some(text) = element.attribute(FILE) else { return Cow::Borrowed(element) };
    let Some(path) = files::local_path(context, text) else { return Cow::Borrowed(element) };
    let Some(values) = read_ros_file(context, text.span, &path) else {
        return Cow::Borrowed(element);
    };
    let mut whole = element.clone();
    if kind == Kind::Dynamics {
        report_unknown(context, &values, text.span);
        let class = values.iter().find(|one| one.key == CLASS);
        if let Some(class) = class.filter(|_| element.attribute("class").is_none()) {
            whole.attributes.push(attribute_of("class", &class.value, text.span));
        }
    }
    let class = whole.attribute("class").and_then(Text::value).unwrap_or_default();
    // an unknown class is reported where the element is read
    let Ok(variants) = context.catalogue.find(kind, class) else { return Cow::Owned(whole) };
    for RosParameter { key, value, .. } in values {
        let declared = |name: &&str| {
            let mut params = variants.iter().flat_map(|one: &ModelRef| one.model.params());
            params.find(|desc| desc.is_named(name))
        };
        let found = names(&key).find_map(|name| Some((name, declared(&name)?)));
        let Some((name, desc)) = found else { continue };
        let is_given = element.children.iter().any(|child| desc.is_named(&child.name))
            || element.attributes.iter().any(|given| desc.is_named(&given.name));
        if is_given || value.is_empty() {
            continue;
        }
        let is_path =
            matches!(desc.kind(), Some(ParamKind::File | ParamKind::Path | ParamKind::BinaryFile));
        let content = match path.parent() {
            Some(folder) if is_path => folder.join(value).display().to_string(),
            _ => value,
        };
        let mut child = Element::new(name.into(), text.span);
        child.text = Some(computed(&content, text.span));
        whole.children.push(child);
    }
    Cow::Owned(whole)
}

/// Gives a controller the file of the `<dynamics>` element around it, unless it names one.
pub(crate) fn inherit(controller: &mut Element, dynamics: &Element) {
    let Some(text) = dynamics.attribute(FILE) else { return };
    if controller.attribute(FILE).is_none() {
        let mut inherited = attribute_of(FILE, "", text.span);
        inherited.text = text.clone();
        controller.attributes.push(inherited);
    }
}

/// Returns the names that a key can have: the whole key, and those without its outer groups, such as `kp` for
/// `mechanical_params.kp`.
fn names(key: &str) -> impl Iterator<Item = &str> {
    let groups = key.match_indices('.').map(|(at, _)| at + 1);
    std::iter::once(0).chain(groups).map(|from| &key[from..])
}

/// Warns of parameters that no class reads.
fn report_unknown(context: &mut Context<'_>, values: &[RosParameter], place: Span) {
    let kinds = [Kind::Dynamics, Kind::Controller, Kind::Sensor];
    let known = kinds.map(|kind| context.catalogue.keys(kind));
    let known = || known.iter().flat_map(|keys| keys.iter().copied()).chain([CLASS]);
    for RosParameter { key, line, .. } in values {
        if names(key).all(|name| known().all(|known| known != name)) {
            let message = format!("unknown parameter `{key}` in line {line} of the file");
            let last = names(key).last().unwrap_or(key);
            let warning = Diagnostic::warning(message).at(place).label(did_you_mean(last, known()));
            context.report.push(warning);
        }
    }
}

fn attribute_of(name: &str, value: &str, span: Span) -> Attribute {
    Attribute { name: name.into(), name_span: span, text: computed(value, span) }
}

fn computed(value: &str, span: Span) -> Text {
    Text { content: value.into(), span, origin: Origin::Computed }
}
