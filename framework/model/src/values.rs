//! Parameter values owned by the host.

use std::hash::{Hash, Hasher};

use simhost_abi::{ParamDesc, ParamKind, Slice, Str, Value, value_tag};

use crate::view::View;

/// The value of a parameter, in the unit of the model.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum ParamValue {
    /// No value: the world file gives none and the parameter has no default.
    None,
    /// A real or whole number.
    Number(f64),
    /// A boolean.
    Bool(bool),
    /// A text, the name of a choice, or an absolute path.
    Text(String),
    /// The items of a list, or the values of a group in the order of its declaration.
    Items(Vec<ParamValue>),
    /// The contents of a file. World files give a path; the host reads the file when it creates a model.
    Bytes(Vec<u8>),
}

impl ParamValue {
    /// Adds the value to a hash, which is equal for equal values.
    pub fn hash_into(&self, hasher: &mut impl Hasher) {
        std::mem::discriminant(self).hash(hasher);
        match self {
            Self::None => {}
            // −0 equals 0
            Self::Number(number) => (number + 0.0).to_bits().hash(hasher),
            Self::Bool(flag) => flag.hash(hasher),
            Self::Text(text) => text.hash(hasher),
            Self::Bytes(bytes) => bytes.hash(hasher),
            Self::Items(items) => items.iter().for_each(|item| item.hash_into(hasher)),
        }
    }

    /// Calls `f` with the values in the form that crosses the boundary, which is valid only during
    /// the call.
    pub fn with_abi<R>(values: &[Self], f: impl FnOnce(Slice<Value>) -> R) -> R {
        // the arena keeps every nested list alive until `f` returns
        let mut arena = Vec::new();
        let top = lower(values, &mut arena);
        f(Slice::borrowed(&top))
    }

    /// Returns the value as a world file gives it, in the unit of the parameter. Numbers have at most 13 digits, because
    /// the conversion rounds.
    pub fn written(&self, desc: &'static View<ParamDesc>) -> Self {
        let children = desc.children();
        let group = |items: &[Self]| {
            let items = items.iter().zip(children);
            Self::Items(items.map(|(item, desc)| item.written(desc)).collect())
        };
        match self {
            Self::Number(number) if desc.scale != 1.0 => {
                let digits = format!("{:.12e}", number / desc.scale);
                Self::Number(digits.parse().unwrap_or(number / desc.scale))
            }
            Self::Items(items) if children.is_empty() => {
                Self::Items(items.iter().map(|item| item.written(desc)).collect())
            }
            Self::Items(items) if desc.kind() == Some(ParamKind::Group) => group(items),
            Self::Items(groups) => {
                let groups = groups.iter().map(|one| match one {
                    Self::Items(items) => group(items),
                    other => other.clone(),
                });
                Self::Items(groups.collect())
            }
            other => other.clone(),
        }
    }

    /// Returns the default of a parameter. A group has the defaults of its parameters.
    pub fn default_of(desc: &'static View<ParamDesc>) -> Self {
        match desc.kind() {
            Some(ParamKind::Group) => {
                Self::Items(desc.children().iter().map(Self::default_of).collect())
            }
            _ => Self::scaled(desc.default(), desc.scale),
        }
    }

    /// A value of a descriptor, with its numbers multiplied by `scale`.
    fn scaled(value: &'static View<Value>, scale: f64) -> Self {
        match value.tag {
            value_tag::NUMBER => Self::Number(value.number * scale),
            value_tag::BOOL => Self::Bool(value.number != 0.0),
            value_tag::TEXT => Self::Text(value.text().to_owned()),
            value_tag::ITEMS => {
                Self::Items(value.items().iter().map(|item| Self::scaled(item, scale)).collect())
            }
            _ => Self::None,
        }
    }
}

/// Converts values. Nested lists go into `arena`; their buffers stay in place when it grows.
fn lower(values: &[ParamValue], arena: &mut Vec<Vec<Value>>) -> Vec<Value> {
    values
        .iter()
        .map(|value| match value {
            ParamValue::None => Value::NONE,
            ParamValue::Number(number) => Value::number(*number),
            ParamValue::Bool(value) => Value::boolean(*value),
            ParamValue::Text(text) => Value::text(Str::borrowed(text)),
            ParamValue::Bytes(bytes) => Value::text(Str { data: bytes.as_ptr(), len: bytes.len() }),
            ParamValue::Items(items) => {
                let nested = lower(items, arena);
                let value = Value::items(Slice::borrowed(&nested));
                arena.push(nested);
                value
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_values_cross_the_boundary() {
        let values = [
            ParamValue::Number(2.0),
            ParamValue::Text("abc".into()),
            ParamValue::Items(vec![
                ParamValue::Items(vec![ParamValue::Number(5.0), ParamValue::None]),
                ParamValue::Bool(true),
            ]),
        ];
        // SAFETY: the values live while the closure runs.
        ParamValue::with_abi(&values, |slice| unsafe {
            let top = slice.as_slice();
            assert_eq!(top[0].number, 2.0);
            assert_eq!(top[1].text.as_str(), "abc");
            let items = top[2].items.as_slice();
            assert_eq!(items[0].items.as_slice()[0].number, 5.0);
            assert_eq!(items[0].items.as_slice()[1].tag, value_tag::NONE);
            assert_eq!((items[1].tag, items[1].number), (value_tag::BOOL, 1.0));
        });
    }
}
