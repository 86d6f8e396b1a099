//! Messages of the package `simhost_msgs`, whose definition follows from the fields of a type.

use std::collections::HashSet;

use super::writer::{Length, Writer};
use crate::sample::Sample;
use crate::stream::{Count, Stream, StreamType};

/// Returns the definition of the message of a type.
pub(super) fn definition(kind: &StreamType) -> String {
    let mut text = format!("# {}\n\nstd_msgs/Header header\n", kind.doc);
    if has_labels(kind) {
        text.push_str("# Names of the parts to which the values of the sequences belong.\n");
        text.push_str("string[] names\n");
    }
    for (field, name) in kind.fields.iter().zip(identifiers(kind)) {
        let unit = match field.unit.as_ref() {
            "" => String::new(),
            unit => format!(" [{unit}]"),
        };
        let kind = match field.count {
            Count::One => "float64".to_owned(),
            // a sequence, so that classes with different numbers of rays share a definition
            Count::Fixed(_) | Count::PerLabel(_) | Count::Rest => "float64[]".to_owned(),
            Count::Text => "string".to_owned(),
            Count::Texts(_) => "string[]".to_owned(),
            Count::Bytes => "uint8[]".to_owned(),
        };
        let doc = field.doc.replace('\n', " ");
        text.push_str(&format!("# {doc}{unit}\n{kind} {name}\n"));
    }
    text
}

/// Writes a sample as the message of its type.
pub(super) fn write<W: Writer>(stream: &Stream, sample: &Sample<'_>, to: &mut W) {
    to.header(sample.stamp, &stream.frame);
    if has_labels(&stream.kind) {
        to.labels("names", stream);
    }
    let mut texts = sample.texts.iter();
    let names = if W::HAS_NAMES { identifiers(&stream.kind) } else { Vec::new() };
    let mut names = names.iter().map(String::as_str).chain(std::iter::repeat(""));
    let mut numbers = sample.numbers;
    for field in stream.kind.fields.iter() {
        let name = names.next().unwrap_or_default();
        let own = numbers.split_off(..stream.len_of(field)).unwrap_or_default();
        match field.count {
            Count::One => to.f64(name, own.first().copied().unwrap_or(f64::NAN)),
            Count::Fixed(_) | Count::PerLabel(_) => to.numbers(name, own, Length::Variable),
            Count::Rest => {
                let mut rest = Vec::new();
                sample.bulk.append_numbers(&mut rest);
                to.numbers(name, &rest, Length::Variable);
            }
            Count::Text => to.text(name, texts.next().map_or("", String::as_str)),
            Count::Texts(_) => {
                to.list(name, texts.len());
                texts.by_ref().for_each(|text| to.text("", text));
                to.end();
            }
            Count::Bytes => to.bytes(name, false, |to| sample.bulk.append_bytes(to)),
        }
    }
}

/// Returns whether a type has labels in its samples.
fn has_labels(kind: &StreamType) -> bool {
    kind.fields.iter().any(|field| matches!(field.count, Count::PerLabel(_)))
}

/// Returns the names of the fields of a type of `simhost_msgs` in its message, which are different from each
/// other.
pub fn identifiers(kind: &StreamType) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(kind.fields.len());
    let mut known = HashSet::from(["header".to_owned(), "names".to_owned()]);
    for field in kind.fields.iter() {
        let name = identifier(&field.name);
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut all = std::iter::once(name.clone()).chain(numbered);
        let free = all.find(|name| !known.contains(name)).unwrap_or(name);
        known.insert(free.clone());
        names.push(free);
    }
    names
}

/// Returns a name in the form that ROS accepts for fields: lower-case letters, digits and single
/// underscores, beginning with a letter and not ending with an underscore.
fn identifier(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut is_after_lower = false;
    for letter in name.chars() {
        let is_word = letter.is_ascii_uppercase() && is_after_lower;
        is_after_lower = letter.is_ascii_lowercase();
        let is_kept = letter.is_ascii_alphanumeric();
        if (!is_kept || is_word) && !text.is_empty() && !text.ends_with('_') {
            text.push('_');
        }
        if is_kept {
            text.push(letter.to_ascii_lowercase());
        }
    }
    let text = text.trim_end_matches('_');
    match text.starts_with(|first: char| first.is_ascii_lowercase()) {
        true => text.to_owned(),
        false => format!("value_{text}").trim_end_matches('_').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::identifier;

    #[test]
    fn names_of_fields_are_valid_in_ros() {
        let pairs = [
            ("slip_ratio", "slip_ratio"),
            ("KP", "kp"),
            ("maxSteer", "max_steer"),
            ("a__b_", "a_b"),
            ("2nd", "value_2nd"),
            ("é", "value"),
            ("x[0]", "x_0"),
        ];
        for (name, expected) in pairs {
            assert_eq!(identifier(name), expected);
        }
    }
}
