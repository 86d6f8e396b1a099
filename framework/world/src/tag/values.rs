//! The values of a tag, by the type that its section gives them.

use crate::numbers::{Quantity, parse_number};
use crate::reader::Reader;
use crate::vocabulary::{Default, Entry, Value};
use crate::xml::Text;

use super::{Given, Tag};

impl Value {
    /// What an error says was expected.
    pub(crate) fn expected(&self, name: &'static str) -> String {
        match self {
            Self::Number(quantity) | Self::Angle(quantity) => {
                named(*quantity, name).expected("a number")
            }
            Self::Integer(quantity) => named(*quantity, name).expected("a whole number"),
            Self::Bool => "expected true, false, 1 or 0".to_owned(),
            Self::Choice(words) => format!("expected {}", words.join(" or ")),
            Self::Color => "expected #RRGGBB or #RRGGBBAA".to_owned(),
            Self::Row(layouts) => format!("expected {}", layouts.join(" or ")),
            Self::Table(form) => format!("expected {form}"),
            Self::Uri => "expected a file".to_owned(),
            Self::Class(kind) => format!("expected a {} class", kind.tag()),
            Self::Text | Self::Presence | Self::Tag(_) | Self::Classes(_) => String::new(),
        }
    }
}

fn named(quantity: Quantity<'static>, name: &'static str) -> Quantity<'static> {
    Quantity { name, ..quantity }
}

impl Tag<'_, '_, '_> {
    fn entry(&self, name: &str) -> &'static Entry {
        self.section.entry(name).expect("the reader asks for what its section lists")
    }

    /// The default as a file would have it; nothing where it is not a value.
    fn default(&self, name: &str) -> &'static str {
        let default = self.entry(name).default;
        debug_assert!(matches!(default, Default::Value(_)), "`{name}` has no default");
        if let Default::Value(text) = default { text } else { "" }
    }

    /// A number, an angle in rad, or a whole number.
    pub(crate) fn given_number(&mut self, name: &str) -> Option<f64> {
        let text = self.text_of(name)?;
        self.reader.number_of(self.entry(name), text)
    }

    pub(crate) fn number(&mut self, name: &str) -> f64 {
        let given = self.given_number(name);
        given.unwrap_or_else(|| default_number(self.entry(name), self.default(name)))
    }

    pub(crate) fn count(&mut self, name: &str) -> u32 {
        self.number(name) as u32
    }

    pub(crate) fn given_flag(&mut self, name: &str) -> Option<bool> {
        let text = self.text_of(name)?;
        self.reader.boolean(text, self.entry(name).name)
    }

    pub(crate) fn flag(&mut self, name: &str) -> bool {
        self.given_flag(name).unwrap_or_else(|| self.default(name) == "true")
    }

    /// A text that is not empty.
    pub(crate) fn given_text(&mut self, name: &str) -> Option<String> {
        // an empty tag is an empty text
        let given = self.take(name)?;
        if matches!(given, Given::Child(element) if element.text.is_none()) {
            return None;
        }
        let text = self.reader.text_of(given)?;
        self.reader.value(text).filter(|value| !value.is_empty())
    }

    pub(crate) fn text(&mut self, name: &str) -> String {
        self.given_text(name).unwrap_or_else(|| self.default(name).to_owned())
    }

    /// One of the words that the section lists; none where it has to be given and is not.
    pub(crate) fn given_word(&mut self, name: &str) -> Option<&'static str> {
        let text = self.text_of(name)?;
        let entry = self.entry(name);
        let Value::Choice(words) = entry.value else { return None };
        let word = self.reader.word(text, entry.name, words)?;
        words.iter().copied().find(|known| *known == word)
    }

    pub(crate) fn word(&mut self, name: &str) -> &'static str {
        self.given_word(name).unwrap_or_else(|| self.default(name))
    }

    /// Red, green, blue, opacity.
    pub(crate) fn given_color(&mut self, name: &str) -> Option<[u8; 4]> {
        let text = self.text_of(name)?;
        self.reader.color(text, self.entry(name).name)
    }

    pub(crate) fn color(&mut self, name: &str) -> [u8; 4] {
        let given = self.given_color(name);
        given.unwrap_or_else(|| parse_color(self.default(name)).unwrap_or([255; 4]))
    }

    /// Numbers as one of the layouts has them.
    pub(crate) fn given_row(&mut self, name: &str) -> Option<Vec<f64>> {
        let text = self.text_of(name)?;
        let entry = self.entry(name);
        let Value::Row(layouts) = entry.value else { return None };
        self.reader.row(text, entry.name, layouts)
    }

    /// As many numbers as wanted; what is left out at the end is 0.
    pub(crate) fn row<const N: usize>(&mut self, name: &str) -> [f64; N] {
        let row = self.given_row(name).unwrap_or_else(|| {
            self.default(name).split_whitespace().filter_map(parse_number).collect()
        });
        std::array::from_fn(|index| row.get(index).copied().unwrap_or(0.0))
    }

    /// The value, or an error at the tag that it is missing.
    pub(crate) fn needed<T>(&mut self, name: &str, value: Option<T>) -> Option<T> {
        if value.is_none() && self.take(name).is_none() {
            self.missing(self.entry(name));
        }
        value
    }
}

fn default_number(entry: &Entry, text: &str) -> f64 {
    let number = parse_number(text).unwrap_or(0.0);
    if matches!(entry.value, Value::Angle(_)) { number.to_radians() } else { number }
}

/// `#RRGGBB` or `#RRGGBBAA`.
pub(crate) fn parse_color(text: &str) -> Option<[u8; 4]> {
    let digits = text.strip_prefix('#')?;
    if !matches!(digits.len(), 6 | 8) || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let channel = |index: usize| {
        digits
            .get(2 * index..2 * index + 2)
            .map_or(Some(255), |part| u8::from_str_radix(part, 16).ok())
    };
    Some([channel(0)?, channel(1)?, channel(2)?, channel(3)?])
}

impl Reader<'_> {
    pub(crate) fn number_of(&mut self, entry: &'static Entry, text: &Text) -> Option<f64> {
        match entry.value {
            Value::Number(quantity) => self.number(text, &named(quantity, entry.name)),
            Value::Angle(quantity) => {
                Some(self.number(text, &named(quantity, entry.name))?.to_radians())
            }
            Value::Integer(quantity) => self.integer(text, &named(quantity, entry.name)),
            _ => None,
        }
    }

    pub(crate) fn color(&mut self, text: &Text, name: &str) -> Option<[u8; 4]> {
        let value = self.value(text)?;
        let color = parse_color(&value);
        if color.is_none() {
            let message = format!("`{name}` is not a colour: `{value}`");
            self.error(text.span, message, "expected #RRGGBB or #RRGGBBAA", Vec::new());
        }
        color
    }

    /// Reports a value that is not of its type.
    pub(crate) fn check_value(&mut self, entry: &'static Entry, text: &Text) {
        match entry.value {
            Value::Number(_) | Value::Angle(_) | Value::Integer(_) => {
                self.number_of(entry, text);
            }
            Value::Bool => {
                self.boolean(text, entry.name);
            }
            Value::Choice(words) => {
                self.word(text, entry.name, words);
            }
            Value::Color => {
                self.color(text, entry.name);
            }
            Value::Row(layouts) => {
                self.row(text, entry.name, layouts);
            }
            _ => {
                self.value(text);
            }
        }
    }
}
