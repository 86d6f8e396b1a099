//! The parameters of the catalogue's models.

use simhost_abi::{Kind, ParamDesc, ParamKind, param_flag, value_tag};

use crate::binding::quantity;
use simhost_model::variants::{keyed_inputs, slice, str_of};
use simhost_model::{Classes, ModelRef};

use super::document::{EntryPage, ModelPage};

/// Kinds in the order of the reference.
const KINDS: [Kind; 4] = [Kind::Dynamics, Kind::Controller, Kind::Friction, Kind::Sensor];

pub(super) fn pages(classes: &dyn Classes) -> Vec<ModelPage> {
    let mut pages = Vec::new();
    for kind in KINDS {
        for name in classes.names(kind) {
            let variants = classes.find(kind, &name).unwrap_or_default();
            pages.extend(variants.iter().map(|model| page(kind, &name, model)));
        }
    }
    pages
}

fn page(kind: Kind, class: &str, model: &ModelRef) -> ModelPage {
    let set_points = keyed_inputs(model.model).map(|port| EntryPage {
        name: str_of(port.key),
        form: "either",
        kind: "number",
        unit: str_of(port.key_unit),
        doc: str_of(port.doc),
        ..EntryPage::default()
    });
    let params = slice(model.model.params).iter().map(entry);
    ModelPage {
        kind: kind.tag(),
        class: class.to_owned(),
        full_name: model.full_name.to_string(),
        doc: str_of(model.model.doc),
        wheels: slice(model.model.wheels).iter().map(|wheel| str_of(wheel.tag)).collect(),
        entries: params.chain(set_points).collect(),
    }
}

fn entry(desc: &'static ParamDesc) -> EntryPage {
    let is_group = !slice(desc.children).is_empty();
    let mut page = EntryPage {
        name: str_of(desc.key),
        aliases: slice(desc.aliases).iter().map(|alias| str_of(*alias)).collect(),
        form: if is_group { "tag" } else { "either" },
        kind: match ParamKind::from_u32(desc.kind) {
            _ if is_group => "group",
            Some(ParamKind::Number) => "number",
            Some(ParamKind::Integer) => "integer",
            Some(ParamKind::Bool) => "boolean",
            Some(ParamKind::Choice) => "choice",
            Some(ParamKind::Path) => "uri",
            Some(ParamKind::List) => "list",
            _ => "text",
        },
        values: slice(desc.choices).iter().map(|choice| str_of(*choice)).collect(),
        parts: slice(desc.children).iter().map(entry).collect(),
        default: default(desc),
        required: desc.flags & param_flag::REQUIRED != 0,
        repeats: is_group && ParamKind::from_u32(desc.kind) == Some(ParamKind::List),
        doc: str_of(desc.doc),
        ..EntryPage::default()
    };
    page.bound(&quantity(desc));
    page
}

/// As a world file would have it.
fn default(desc: &ParamDesc) -> Option<String> {
    let value = &desc.default;
    match value.tag {
        value_tag::NUMBER => Some(value.number.to_string()),
        value_tag::BOOL => Some((value.number != 0.0).to_string()),
        value_tag::TEXT => Some(str_of(value.text).to_owned()),
        value_tag::ITEMS => {
            let numbers = slice(value.items).iter().map(|item| item.number.to_string());
            Some(numbers.collect::<Vec<_>>().join(" "))
        }
        _ => None,
    }
}
