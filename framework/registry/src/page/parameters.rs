//! The declaration of a parameter.

use serde::Serialize;
use simhost_abi::{ParamDesc, ParamKind, param_flag};

use simhost_model::View;

/// A parameter of a model or group.
#[derive(Clone, Debug, Serialize)]
pub struct ParameterPage {
    /// Name of the child element or attribute in a world file.
    pub key: &'static str,
    /// Other names that are accepted.
    pub aliases: Vec<&'static str>,
    /// Type, such as `number`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Unit in a world file.
    pub unit: &'static str,
    /// Smallest value, if there is one.
    pub min: Option<f64>,
    /// Largest value, if there is one.
    pub max: Option<f64>,
    /// Whether the smallest value itself is excluded.
    pub above_min: bool,
    /// Whether the largest value itself is excluded.
    pub below_max: bool,
    /// Default as written in a world file.
    pub default: Option<String>,
    /// Whether a world file has to give a value.
    pub required: bool,
    /// Whether the value can differ between vehicles that are computed together.
    pub per_lane: bool,
    /// Exact number of items of a list, 0 for any.
    pub count: u32,
    /// Names of a choice.
    pub choices: Vec<&'static str>,
    /// Parameters of a group.
    pub parts: Vec<Self>,
    /// Meaning, and the effect of a larger value.
    pub doc: &'static str,
}

impl ParameterPage {
    pub(super) fn of(param: &'static View<ParamDesc>) -> Self {
        let bounded =
            matches!(param.kind(), Some(ParamKind::Number | ParamKind::Integer | ParamKind::List));
        let bound = |value: f64| (bounded && value.is_finite()).then_some(value);
        Self {
            key: param.key(),
            aliases: param.aliases().collect(),
            kind: kind(param),
            unit: param.unit(),
            min: bound(param.min),
            max: bound(param.max),
            above_min: param.flags & param_flag::ABOVE_MIN != 0,
            below_max: param.flags & param_flag::BELOW_MAX != 0,
            default: param.default().written(),
            required: param.flags & param_flag::REQUIRED != 0,
            per_lane: param.flags & param_flag::PER_LANE != 0,
            count: param.count,
            choices: param.choices().collect(),
            parts: param.children().iter().map(Self::of).collect(),
            doc: param.doc(),
        }
    }

    /// Returns whether the parameter is a list of groups, written as one element per group.
    pub fn repeats(&self) -> bool {
        self.kind == "groups"
    }

    /// Returns the valid range, such as `> 0, ≤ 10`, or an empty text for any value.
    pub fn range(&self) -> String {
        if !self.choices.is_empty() {
            return self.choices.join(", ");
        }
        let min = self.min.map(|min| format!("{} {min}", if self.above_min { ">" } else { "≥" }));
        let max = self.max.map(|max| format!("{} {max}", if self.below_max { "<" } else { "≤" }));
        min.into_iter().chain(max).collect::<Vec<_>>().join(", ")
    }
}

fn kind(param: &View<ParamDesc>) -> &'static str {
    let has_parts = param.children.len != 0;
    match param.kind() {
        Some(ParamKind::Number) => "number",
        Some(ParamKind::Integer) => "integer",
        Some(ParamKind::Bool) => "boolean",
        Some(ParamKind::Choice) => "choice",
        Some(ParamKind::Path) => "path",
        Some(ParamKind::File | ParamKind::BinaryFile) => "file",
        Some(ParamKind::BinaryFiles) => "files",
        Some(ParamKind::Words) => "words",
        Some(ParamKind::List) if has_parts => "groups",
        Some(ParamKind::List) => "list",
        Some(ParamKind::Group) => "group",
        _ => "text",
    }
}
