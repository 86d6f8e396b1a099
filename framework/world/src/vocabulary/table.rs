//! Sections, entries and types of values.

use simhost_abi::Kind;

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

impl Section {
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
    /// Whether the number must be greater than the number of the previous entry.
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
    /// A text in a special format, which is described for messages.
    Formatted(&'static str),
    /// The class of a model.
    Class(Kind),
    /// An element whose mere presence matters.
    Presence,
    /// An element with its own section.
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

impl Entry {
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

/// Unit and valid range of a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantity<'a> {
    /// Name of the parameter, for messages.
    pub name: &'a str,
    /// Unit, empty or `1` for a plain number.
    pub unit: &'a str,
    pub min: f64,
    pub max: f64,
    /// Whether `min` itself is excluded.
    pub above_min: bool,
    /// Whether `max` itself is excluded.
    pub below_max: bool,
}

impl<'a> Quantity<'a> {
    /// Creates a quantity without bounds.
    pub(crate) const fn any(name: &'a str, unit: &'a str) -> Self {
        let (min, max) = (f64::NEG_INFINITY, f64::INFINITY);
        Self { name, unit, min, max, above_min: false, below_max: false }
    }

    /// Creates a quantity that has to be greater than 0.
    pub(crate) const fn positive(name: &'a str, unit: &'a str) -> Self {
        Self { min: 0.0, above_min: true, ..Self::any(name, unit) }
    }

    /// Returns the quantity with new bounds. NaN keeps a bound.
    pub(super) const fn bounded(mut self, min: f64, max: f64, above_min: bool) -> Self {
        if !min.is_nan() {
            (self.min, self.above_min) = (min, above_min);
        }
        if !max.is_nan() {
            self.max = max;
        }
        self
    }

    /// Returns whether a value is in range.
    pub(crate) fn contains(&self, value: f64) -> bool {
        let low = if self.above_min { value > self.min } else { value >= self.min };
        let high = if self.below_max { value < self.max } else { value <= self.max };
        low && high
    }

    /// Describes what is expected, such as `expected a number in kg, greater than 0`.
    pub(crate) fn expected(&self, noun: &str) -> String {
        let mut text = format!("expected {noun}");
        if !matches!(self.unit, "" | "1") {
            text += &format!(" in {}", self.unit);
        }
        if self.min.is_finite() {
            let word = if self.above_min { "greater than" } else { "at least" };
            text += &format!(", {word} {}", self.min);
        }
        if self.max.is_finite() {
            let word = if self.below_max { "less than" } else { "at most" };
            text += &format!(", {word} {}", self.max);
        }
        text
    }
}
