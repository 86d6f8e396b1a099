//! Construction of sections, entries and types of values.

use simhost_abi::Kind;

use super::table::{Default, Effect, Entry, Form, Quantity, Section, Value};

/// Creates a section without a model.
pub(crate) const fn section(
    name: &'static str,
    doc: &'static str,
    entries: &'static [Entry],
) -> Section {
    Section { name, doc, entries, model: None, first_wins: false, has_text: false }
}

/// Creates the section of an element whose parameters are declared.
pub(crate) const fn element(name: &'static str) -> Section {
    section(name, "", &[])
}

impl Section {
    /// Adds the parameters of models of a kind.
    pub(crate) const fn with_model(self, kind: Kind) -> Self {
        Self { model: Some(kind), ..self }
    }

    /// Adds entries that are read before the entries of the fields.
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
}

impl Value {
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

/// Entries with the names and descriptions of their fields.
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

    /// Sets the name, if it differs from the name of the field.
    pub(crate) const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// Sets the description, if it differs from the description of the field.
    pub(crate) const fn doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    /// Sets the name and the description of the field, unless the entry has others.
    pub(crate) const fn declared(self, field: &'static str, doc: &'static str) -> Self {
        let name = if self.name.is_empty() { field } else { self.name };
        let doc = if self.doc.is_empty() { doc.trim_ascii() } else { self.doc };
        Self { name, doc, ..self }
    }

    /// Requires the number to be greater than the number of the previous entry, which belongs to
    /// the same field.
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
