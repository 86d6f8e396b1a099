//! The parameters of the models in the catalogue.

use simhost_abi::{Kind, ParamDesc, ParamKind, param_flag};

use crate::models::quantity;
use simhost_model::{Classes, ModelRef, View};

use super::pages::{EntryPage, ModelPage};

/// Kinds, in the order of the reference.
const KINDS: [Kind; 8] = [
    Kind::Dynamics,
    Kind::Controller,
    Kind::Actuator,
    Kind::Friction,
    Kind::Sensor,
    Kind::Environment,
    Kind::Fleet,
    Kind::Observer,
];

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
    let setpoints = model.model.setpoints().map(|port| EntryPage {
        name: port.key(),
        form: "either",
        kind: "number",
        unit: port.key_unit(),
        doc: port.doc(),
        ..EntryPage::default()
    });
    let params = model.model.params().iter().map(entry);
    ModelPage {
        kind: kind.tag(),
        class: class.to_owned(),
        full_name: model.full_name.to_string(),
        doc: model.model.doc(),
        wheels: model.model.wheels().iter().map(|wheel| wheel.tag()).collect(),
        entries: params.chain(setpoints).collect(),
    }
}

fn entry(desc: &'static View<ParamDesc>) -> EntryPage {
    let is_group = !desc.children().is_empty();
    let mut page = EntryPage {
        name: desc.key(),
        aliases: desc.aliases().collect(),
        form: if is_group { "tag" } else { "either" },
        kind: match desc.kind() {
            _ if is_group => "group",
            Some(ParamKind::Number) => "number",
            Some(ParamKind::Integer) => "integer",
            Some(ParamKind::Bool) => "boolean",
            Some(ParamKind::Choice) => "choice",
            Some(ParamKind::Path | ParamKind::File | ParamKind::BinaryFile) => "uri",
            Some(ParamKind::List) => "list",
            _ => "text",
        },
        values: desc.choices().collect(),
        parts: desc.children().iter().map(entry).collect(),
        default: desc.default().written(),
        required: desc.flags & param_flag::REQUIRED != 0,
        repeats: is_group && desc.kind() == Some(ParamKind::List),
        doc: desc.doc(),
        ..EntryPage::default()
    };
    page.bound(&quantity(desc));
    page
}
