//! Sections, entries and types of values.

use simhost_abi::Kind;

use super::quantity::Quantity;
use crate::literal::{parse_color, parse_number};

/// The vocabulary of one element: its attributes and child elements.
#[derive(Debug)]
pub(crate) struct Section {
    /// Name of the element, followed by its class where the class determines the section.
    pub name: &'static str,
    pub doc: &'static str,
    pub entries: &'static [Entry],
    /// Kind of the model whose parameters belong to this element too.
    pub model: Option<Kind>,
    /// Whether the first of several values takes effect, not the last.
    pub first_wins: bool,
}

/// Creates a section without a model.
pub(crate) const fn section(
    name: &'static str,
    doc: &'static str,
    entries: &'static [Entry],
) -> Section {
    Section { name, doc, entries, model: None, first_wins: false }
}

impl Section {
    /// Adds the parameters of models of a kind.
    pub(crate) const fn with_model(self, kind: Kind) -> Self {
        Self { model: Some(kind), ..self }
    }

    /// Lets the first of several values take effect. MVSim searches an instance before its class
    /// and stops at the first match.
    pub(crate) const fn first_wins(self) -> Self {
        Self { first_wins: true, ..self }
    }

    /// Returns the index of the entry with this name.
    ///
    /// # Panics
    /// The section has no such entry. Readers ask for the names of their own section only.
    pub(crate) fn index(&self, name: &str) -> usize {
        let index = self.entries.iter().position(|entry| entry.name == name);
        index.unwrap_or_else(|| panic!("`{name}` is not in the section of `{}`", self.name))
    }

    /// Returns the entry with this name.
    ///
    /// # Panics
    /// The section has no such entry.
    pub(crate) fn entry(&self, name: &str) -> &'static Entry {
        &self.entries[self.index(name)]
    }

    /// Returns whether the section has an entry with this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.name == name)
    }

    /// Returns the default of an entry as a world file would write it, empty if there is none.
    pub(crate) fn default_text(&self, name: &str) -> &'static str {
        let default = self.entry(name).default;
        debug_assert!(matches!(default, Default::Value(_)), "`{name}` has no default");
        if let Default::Value(text) = default { text } else { "" }
    }

    /// Returns the default of a number, in rad for an angle.
    pub(crate) fn default_number(&self, name: &str) -> f64 {
        let number = parse_number(self.default_text(name)).unwrap_or(0.0);
        let is_angle = matches!(self.entry(name).value, Value::Angle(_));
        if is_angle { number.to_radians() } else { number }
    }

    /// Returns the default of a boolean.
    pub(crate) fn default_flag(&self, name: &str) -> bool {
        self.default_text(name) == "true"
    }

    /// Returns the default of a colour.
    pub(crate) fn default_color(&self, name: &str) -> [u8; 4] {
        parse_color(self.default_text(name)).unwrap_or([255; 4])
    }

    /// Returns the default of a row of numbers. Omitted numbers at the end are 0.
    pub(crate) fn default_row<const N: usize>(&self, name: &str) -> [f64; N] {
        let mut numbers = self.default_text(name).split_whitespace().filter_map(parse_number);
        std::array::from_fn(|_| numbers.next().unwrap_or(0.0))
    }
}

/// An attribute or a child element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub form: Form,
    pub value: Value,
    pub default: Default,
    pub doc: &'static str,
    pub effect: Effect,
    pub repeats: bool,
}

/// The forms in which an entry can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Attribute,
    Child,
    Either,
}

/// The value of an entry that is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Default {
    /// No value.
    None,
    /// A value as a world file would write it.
    Value(&'static str),
    /// A value that depends on something else, in words.
    Words(&'static str),
    /// The entry has to be given.
    Required,
}

/// The effect of an entry. All values are checked, even those without an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Used,
    /// No effect on a simulation, with the reason. There is no warning.
    Unused(&'static str),
    /// No effect, with the reason. There is a warning.
    Ignored(&'static str),
}

/// The type of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Number(Quantity<'static>),
    /// An angle in degrees; readers get it in radians.
    Angle(Quantity<'static>),
    Integer(Quantity<'static>),
    Bool,
    Text,
    /// Path or address of a file.
    Uri,
    Choice(&'static [&'static str]),
    /// A colour, `#RRGGBB` or `#RRGGBBAA`.
    Color,
    /// Numbers in one of several layouts, such as `X Y YAW_DEG`.
    Row(&'static [&'static str]),
    /// A text in a format of its own, which is described for messages.
    Formatted(&'static str),
    /// The class of a model.
    Class(Kind),
    /// An element whose mere presence matters.
    Presence,
    /// An element with a section of its own.
    Element(&'static Section),
    /// An element whose class determines its section.
    ElementByClass(&'static [&'static Section]),
}

impl Value {
    /// Returns the sections of an element.
    pub(crate) fn sections(&self) -> Vec<&'static Section> {
        match self {
            Self::Element(section) => vec![section],
            Self::ElementByClass(sections) => sections.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Requires a number to be greater than `min`.
    pub(crate) const fn above(self, min: f64) -> Self {
        self.bounded(min, f64::NAN, true)
    }

    /// Requires a number to be at least `min`.
    pub(crate) const fn at_least(self, min: f64) -> Self {
        self.bounded(min, f64::NAN, false)
    }

    /// Requires a number to be at most `max`.
    pub(crate) const fn at_most(self, max: f64) -> Self {
        self.bounded(f64::NAN, max, false)
    }

    const fn bounded(self, min: f64, max: f64, above_min: bool) -> Self {
        match self {
            Self::Number(quantity) => Self::Number(quantity.bounded(min, max, above_min)),
            Self::Angle(quantity) => Self::Angle(quantity.bounded(min, max, above_min)),
            Self::Integer(quantity) => Self::Integer(quantity.bounded(min, max, above_min)),
            other => other,
        }
    }

    /// Describes what is expected for the entry `name`.
    pub(crate) fn expected(&self, name: &'static str) -> String {
        match self {
            Self::Number(quantity) | Self::Angle(quantity) => {
                Quantity { name, ..*quantity }.expected("a number")
            }
            Self::Integer(quantity) => Quantity { name, ..*quantity }.expected("a whole number"),
            Self::Bool => "expected true, false, 1 or 0".to_owned(),
            Self::Choice(words) => format!("expected {}", words.join(" or ")),
            Self::Color => "expected #RRGGBB or #RRGGBBAA".to_owned(),
            Self::Row(layouts) => format!("expected {}", layouts.join(" or ")),
            Self::Formatted(format) => format!("expected {format}"),
            Self::Uri => "expected a file".to_owned(),
            Self::Class(kind) => format!("expected {} class", kind.with_article()),
            Self::Text | Self::Presence | Self::Element(_) | Self::ElementByClass(_) => {
                String::new()
            }
        }
    }
}

/// Creates a number in a unit. The unit `deg` makes it an angle.
pub(crate) const fn number(unit: &'static str) -> Value {
    let quantity = Quantity::any("", unit);
    match unit.as_bytes() {
        b"deg" => Value::Angle(quantity),
        _ => Value::Number(quantity),
    }
}

/// Creates a number above 0 in a unit.
pub(crate) const fn positive(unit: &'static str) -> Value {
    number(unit).above(0.0)
}

/// Creates a number that is at least 0 in a unit.
pub(crate) const fn non_negative(unit: &'static str) -> Value {
    number(unit).at_least(0.0)
}

/// Creates a number from 0 to 1.
pub(crate) const fn fraction() -> Value {
    non_negative("1").at_most(1.0)
}

/// Creates a whole number in a unit.
pub(crate) const fn integer(unit: &'static str) -> Value {
    Value::Integer(Quantity::any("", unit))
}

/// Creates an attribute.
pub(crate) const fn attribute(name: &'static str, value: Value, doc: &'static str) -> Entry {
    entry(name, Form::Attribute, value, doc)
}

/// Creates a child element.
pub(crate) const fn child(name: &'static str, value: Value, doc: &'static str) -> Entry {
    entry(name, Form::Child, value, doc)
}

/// Creates an entry that can be an attribute or a child element.
pub(crate) const fn either(name: &'static str, value: Value, doc: &'static str) -> Entry {
    entry(name, Form::Either, value, doc)
}

const fn entry(name: &'static str, form: Form, value: Value, doc: &'static str) -> Entry {
    let (default, effect) = (Default::None, Effect::Used);
    Entry { name, aliases: &[], form, value, default, doc, effect, repeats: false }
}

impl Entry {
    /// Sets the default, as a world file would write it.
    pub(crate) const fn or(self, default: &'static str) -> Self {
        Self { default: Default::Value(default), ..self }
    }

    /// Describes a default that depends on something else.
    pub(crate) const fn or_else(self, words: &'static str) -> Self {
        Self { default: Default::Words(words), ..self }
    }

    /// Requires the entry to be given.
    pub(crate) const fn required(self) -> Self {
        Self { default: Default::Required, ..self }
    }

    /// Adds alternative names.
    pub(crate) const fn also(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// Allows the entry to be given several times.
    pub(crate) const fn repeats(self) -> Self {
        Self { repeats: true, ..self }
    }

    /// Accepts the entry silently although it has no effect.
    pub(crate) const fn unused(self, reason: &'static str) -> Self {
        Self { effect: Effect::Unused(reason), ..self }
    }

    /// Accepts the entry with a warning that it has no effect.
    pub(crate) const fn ignored(self, reason: &'static str) -> Self {
        Self { effect: Effect::Ignored(reason), ..self }
    }

    /// Returns the name and its aliases.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    pub(crate) fn is_child(&self) -> bool {
        self.form != Form::Attribute
    }

    pub(crate) fn is_attribute(&self) -> bool {
        self.form != Form::Child
    }

    /// Returns whether the entry is an element of the language, which expansion removes.
    pub(crate) fn is_language(&self) -> bool {
        crate::tree::LANGUAGE_ELEMENTS.contains(&self.name)
    }
}

/// Returns the number of entries in several lists.
pub(crate) const fn count(lists: &[&[Entry]]) -> usize {
    let (mut total, mut list) = (0, 0);
    while list < lists.len() {
        total += lists[list].len();
        list += 1;
    }
    total
}

/// Joins several lists of entries. `N` is their [`count`].
pub(crate) const fn joined<const N: usize>(lists: &[&[Entry]]) -> [Entry; N] {
    let mut all = [entry("", Form::Child, Value::Presence, ""); N];
    let (mut at, mut list) = (0, 0);
    while list < lists.len() {
        let mut index = 0;
        while index < lists[list].len() {
            all[at] = lists[list][index];
            (at, index) = (at + 1, index + 1);
        }
        list += 1;
    }
    all
}
