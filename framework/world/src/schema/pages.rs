//! Pages of the reference.

use serde::Serialize;

/// A section.
#[derive(Debug, Serialize)]
pub(super) struct SectionPage {
    pub id: String,
    pub tag: &'static str,
    pub doc: &'static str,
    /// Kind of the model whose parameters belong to this element too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<&'static str>,
    /// Whether the element has a text.
    pub has_text: bool,
    pub entries: Vec<EntryPage>,
}

/// A model.
#[derive(Debug, Serialize)]
pub(super) struct ModelPage {
    pub kind: &'static str,
    pub class: String,
    pub full_name: String,
    pub doc: &'static str,
    /// Names of the elements of its wheels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wheels: Vec<&'static str>,
    pub entries: Vec<EntryPage>,
}

/// An attribute, a child element or a parameter.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct EntryPage {
    pub name: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<&'static str>,
    /// `attribute`, `tag` or `either`.
    pub form: &'static str,
    /// Type of the value, such as `number`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub unit: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    #[serde(skip_serializing_if = "is_false")]
    pub above_min: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    #[serde(skip_serializing_if = "is_false")]
    pub below_max: bool,
    /// Words of a choice or layouts of a row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<&'static str>,
    /// Ids of the sections of a child element.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<String>,
    /// Members of a group of parameters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<EntryPage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub required: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub repeats: bool,
    /// Reason why it has no effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_effect: Option<&'static str>,
    pub doc: &'static str,
}

fn is_false(flag: &bool) -> bool {
    !flag
}
