//! The form of the table.

use simhost_abi::Kind;

use crate::numbers::Quantity;

/// What stands in one tag.
#[derive(Debug)]
pub(crate) struct Section {
    /// The tag, and its class where the class decides.
    pub name: &'static str,
    pub doc: &'static str,
    pub entries: &'static [Entry],
    /// The parameters of a model of this kind belong here too.
    pub model: Option<Kind>,
    /// Of a name given twice the first holds, not the last.
    pub first_holds: bool,
}

/// A section without a model.
pub(crate) const fn section(
    name: &'static str,
    doc: &'static str,
    entries: &'static [Entry],
) -> Section {
    Section { name, doc, entries, model: None, first_holds: false }
}

impl Section {
    pub(crate) const fn with_model(self, kind: Kind) -> Self {
        Self { model: Some(kind), ..self }
    }

    /// As the peer does where a class stands behind an instance.
    pub(crate) const fn first_holds(self) -> Self {
        Self { first_holds: true, ..self }
    }

    pub(crate) fn entry(&self, name: &str) -> Option<&'static Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }
}

/// A name in a section.
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

/// How a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Attribute,
    Child,
    Either,
}

/// What holds when a name is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Default {
    /// Nothing.
    None,
    /// A value, as a file would have it.
    Value(&'static str),
    /// Something that depends.
    Words(&'static str),
    /// It has to be given.
    Required,
}

/// What becomes of a value. Every value is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Used,
    /// Nothing, which nobody will miss; and why.
    Unmissed(&'static str),
    /// Nothing, which a warning says; and why.
    Lost(&'static str),
}

/// What a value is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Number(Quantity<'static>),
    /// Degrees in the file, radians for the reader.
    Angle(Quantity<'static>),
    Integer(Quantity<'static>),
    Bool,
    Text,
    /// A file, or where to get one.
    Uri,
    Choice(&'static [&'static str]),
    /// `#RRGGBB` or `#RRGGBBAA`.
    Color,
    /// Numbers with one of these layouts.
    Row(&'static [&'static str]),
    /// Text that its reader takes apart; what it looks like.
    Table(&'static str),
    /// A class of models.
    Class(Kind),
    /// Whether it is there.
    Presence,
    Tag(&'static Section),
    /// The section whose name ends with the class.
    Classes(&'static [&'static Section]),
}

impl Value {
    pub(crate) fn sections(&self) -> Vec<&'static Section> {
        match self {
            Self::Tag(section) => vec![section],
            Self::Classes(sections) => sections.to_vec(),
            _ => Vec::new(),
        }
    }

    pub(crate) const fn above(self, min: f64) -> Self {
        self.with(min, f64::NAN, true)
    }

    pub(crate) const fn at_least(self, min: f64) -> Self {
        self.with(min, f64::NAN, false)
    }

    pub(crate) const fn at_most(self, max: f64) -> Self {
        self.with(f64::NAN, max, false)
    }

    const fn with(self, min: f64, max: f64, above_min: bool) -> Self {
        match self {
            Self::Number(quantity) => Self::Number(bounded(quantity, min, max, above_min)),
            Self::Angle(quantity) => Self::Angle(bounded(quantity, min, max, above_min)),
            Self::Integer(quantity) => Self::Integer(bounded(quantity, min, max, above_min)),
            other => other,
        }
    }
}

/// NaN leaves a bound as it is.
const fn bounded(
    mut quantity: Quantity<'static>,
    min: f64,
    max: f64,
    above_min: bool,
) -> Quantity<'static> {
    if !min.is_nan() {
        (quantity.min, quantity.above_min) = (min, above_min);
    }
    if !max.is_nan() {
        quantity.max = max;
    }
    quantity
}

/// Any number in a unit; `deg` makes it an angle.
pub(crate) const fn number(unit: &'static str) -> Value {
    let quantity = Quantity::any("", unit);
    match unit.as_bytes() {
        b"deg" => Value::Angle(quantity),
        _ => Value::Number(quantity),
    }
}

/// Any whole number.
pub(crate) const fn integer(unit: &'static str) -> Value {
    Value::Integer(Quantity::any("", unit))
}

pub(crate) const fn attribute(name: &'static str, value: Value, doc: &'static str) -> Entry {
    entry(name, Form::Attribute, value, doc)
}

pub(crate) const fn child(name: &'static str, value: Value, doc: &'static str) -> Entry {
    entry(name, Form::Child, value, doc)
}

pub(crate) const fn either(name: &'static str, value: Value, doc: &'static str) -> Entry {
    entry(name, Form::Either, value, doc)
}

const fn entry(name: &'static str, form: Form, value: Value, doc: &'static str) -> Entry {
    let (default, effect) = (Default::None, Effect::Used);
    Entry { name, aliases: &[], form, value, default, doc, effect, repeats: false }
}

impl Entry {
    /// What holds when it is not given.
    pub(crate) const fn or(self, default: &'static str) -> Self {
        Self { default: Default::Value(default), ..self }
    }

    /// In words, what holds when it is not given.
    pub(crate) const fn or_else(self, words: &'static str) -> Self {
        Self { default: Default::Words(words), ..self }
    }

    pub(crate) const fn required(self) -> Self {
        Self { default: Default::Required, ..self }
    }

    pub(crate) const fn also(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    pub(crate) const fn repeats(self) -> Self {
        Self { repeats: true, ..self }
    }

    pub(crate) const fn unmissed(self, reason: &'static str) -> Self {
        Self { effect: Effect::Unmissed(reason), ..self }
    }

    pub(crate) const fn lost(self, reason: &'static str) -> Self {
        Self { effect: Effect::Lost(reason), ..self }
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    pub(crate) fn is_child(&self) -> bool {
        self.form != Form::Attribute
    }

    pub(crate) fn is_attribute(&self) -> bool {
        self.form != Form::Child
    }
}

/// Two lists as one, which a slice of constants needs its lengths for.
pub(crate) const fn joined<const A: usize, const B: usize, const N: usize>(
    first: &[Entry; A],
    second: &[Entry; B],
) -> [Entry; N] {
    let mut all = [EMPTY; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < A { first[at] } else { second[at - A] };
        at += 1;
    }
    all
}

const EMPTY: Entry = entry("", Form::Child, Value::Presence, "");
