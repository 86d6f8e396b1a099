//! Sections, entries and types of values.

use simhost_abi::Kind;

use super::quantity::Quantity;

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
    /// Whether the element has a text.
    pub has_text: bool,
}

/// Creates a section without a model.
pub(crate) const fn section(
    name: &'static str,
    doc: &'static str,
    entries: &'static [Entry],
) -> Section {
    Section { name, doc, entries, model: None, first_wins: false, has_text: false }
}

impl Section {
    /// Adds the parameters of models of a kind.
    pub(crate) const fn with_model(self, kind: Kind) -> Self {
        Self { model: Some(kind), ..self }
    }

    /// Adds entries that are read before those of the fields.
    pub(crate) const fn with(self, entries: &'static [Entry]) -> Self {
        Self { entries, ..self }
    }

    /// Gives the element a text, in addition to its entries.
    pub(crate) const fn with_text(self) -> Self {
        Self { has_text: true, ..self }
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
    /// Whether the number must be greater than that of the entry before.
    pub rises: bool,
    /// Whether the tag may name the class, as `<sensor:laser>` does, which is an old spelling.
    pub names_class: bool,
    /// Whether the value of a class takes precedence in the profile `mvsim-1.2`.
    pub class_first: bool,
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
    /// A value as a world file would write it, and when it is used, in words.
    Described(&'static str, &'static str),
    /// A value that depends on something else, in words.
    Words(&'static str),
    /// The value of the dynamics class.
    OfModel,
    /// The entry or the next one has to be given.
    OneOfTwo,
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
    /// Name of a vehicle, which is looked up when all are known.
    Vehicle,
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
            Self::Text
            | Self::Vehicle
            | Self::Presence
            | Self::Element(_)
            | Self::ElementByClass(_) => String::new(),
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

/// Creates the section of an element whose parameters are declared.
pub(crate) const fn element(name: &'static str) -> Section {
    section(name, "", &[])
}

/// Entries whose names and descriptions are those of their fields.
pub(crate) mod field {
    use super::{Entry, Form, Value, entry};

    /// Creates an attribute.
    pub(crate) const fn attribute(value: Value) -> Entry {
        entry("", Form::Attribute, value, "")
    }

    /// Creates a child element.
    pub(crate) const fn child(value: Value) -> Entry {
        entry("", Form::Child, value, "")
    }

    /// Creates the attribute `class` of an `<element>`.
    pub(crate) const fn class(name: &'static str) -> Entry {
        entry("class", Form::Attribute, Value::Text, name).required()
    }

    /// Creates an entry that can be an attribute or a child element.
    pub(crate) const fn either(value: Value) -> Entry {
        entry("", Form::Either, value, "")
    }
}

const fn entry(name: &'static str, form: Form, value: Value, doc: &'static str) -> Entry {
    Entry {
        name,
        aliases: &[],
        form,
        value,
        default: Default::None,
        doc,
        effect: Effect::Used,
        repeats: false,
        rises: false,
        names_class: false,
        class_first: false,
    }
}

impl Entry {
    /// Sets the default, as a world file would write it.
    pub(crate) const fn or(self, default: &'static str) -> Self {
        Self { default: Default::Value(default), ..self }
    }

    /// Describes when the default is used.
    pub(crate) const fn described(self, words: &'static str) -> Self {
        match self.default {
            Default::Value(value) => Self { default: Default::Described(value, words), ..self },
            _ => self,
        }
    }

    /// Describes a default that depends on something else.
    pub(crate) const fn or_else(self, words: &'static str) -> Self {
        Self { default: Default::Words(words), ..self }
    }

    /// Requires the entry to be given.
    pub(crate) const fn required(self) -> Self {
        Self { default: Default::Required, ..self }
    }

    /// Lets the dynamics class provide the default.
    pub(crate) const fn of_model(self) -> Self {
        Self { default: Default::OfModel, ..self }
    }

    /// Requires the entry or the next one to be given.
    pub(crate) const fn one_of_two(self) -> Self {
        Self { default: Default::OneOfTwo, ..self }
    }

    /// Adds alternative names.
    pub(crate) const fn also(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// Sets the name, if it is not that of the field.
    pub(crate) const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// Sets the description, if it is not that of the field.
    pub(crate) const fn doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    /// Sets the name and the description of the field, unless the entry has others.
    pub(crate) const fn declared(self, field: &'static str, doc: &'static str) -> Self {
        let name = if self.name.is_empty() { field } else { self.name };
        let doc = if self.doc.is_empty() { doc.trim_ascii() } else { self.doc };
        Self { name, doc, ..self }
    }

    /// Requires the number to be greater than that of the entry before, which belongs to the same field.
    pub(crate) const fn rises(self) -> Self {
        Self { rises: true, ..self }
    }

    /// Accepts the old spelling whose tag names the class.
    pub(crate) const fn names_class(self) -> Self {
        Self { names_class: true, ..self }
    }

    /// Lets the value of a class take precedence in the profile `mvsim-1.2`.
    pub(crate) const fn class_first(self) -> Self {
        Self { class_first: true, ..self }
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
