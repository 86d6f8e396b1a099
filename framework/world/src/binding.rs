//! From the declaration of parameters to their values.

use simhost_abi::{Kind, Model, ParamDesc, ParamKind, PortDesc, param_flag};

use crate::description::ModelUse;
use crate::numbers::{Quantity, words};
use crate::reader::Reader;
use crate::tag::{Given, Tag};
use crate::vocabulary::{Section, section};
use crate::xml::{Element, Text};
use simhost_model::{ModelRef, ParamValue, View};

/// A group of parameters: what is known of it, the model says.
static GROUP: Section = section("group", "Parameters that belong together.", &[]);

impl<'e> Tag<'_, '_, 'e> {
    /// What may be given here besides the section.
    pub(crate) fn expect(&mut self, model: &'static View<Model>) {
        self.params = model.params();
        self.names.extend(model.setpoints().map(|port| port.key()));
    }

    /// The values of a model's parameters in the order of their declaration, as the profile wants.
    /// What is not given is as in `base`, or the default.
    pub(crate) fn parameters(
        &mut self,
        kind: Kind,
        model: &ModelRef,
        base: Option<&ModelUse>,
    ) -> Vec<ParamValue> {
        let params = model.model.params();
        let profile = *self.reader.profile();
        let read_only = profile.limited_to(kind, model.id());
        let mut values = Vec::with_capacity(params.len());
        let mut kept = Vec::new();
        for (index, desc) in params.iter().enumerate() {
            let inherited = base.and_then(|base| base.values.get(index));
            if read_only.is_some_and(|keys| !keys.contains(&desc.key())) {
                kept.extend(self.claim(|name| desc.is_named(name)));
                values.push(ParamValue::default_of(desc));
            } else {
                values.push(self.parameter(desc, inherited));
            }
        }
        let note = "note: it keeps its default";
        self.reader.unread(&kept, &format!("in profile {}", profile.name), note);
        for forced in profile.overrides {
            if forced.kind == kind && forced.class == model.id() {
                let place = params.iter().position(|desc| desc.key() == forced.key);
                if let Some(place) = place {
                    values[place] = ParamValue::Bool(forced.value);
                }
            }
        }
        values
    }

    /// The last of what is given under the names of a parameter.
    fn given_for(&mut self, desc: &'static View<ParamDesc>) -> Option<Given<'e>> {
        if !self.has_unknown() {
            return None;
        }
        let mut given = self.claim(|name| desc.is_named(name));
        let last = given.pop();
        for earlier in given {
            self.reader.warning(earlier.name_span(), "given more than once", "the last one holds");
        }
        last
    }

    fn parameter(
        &mut self,
        desc: &'static View<ParamDesc>,
        inherited: Option<&ParamValue>,
    ) -> ParamValue {
        let fallback = || inherited.cloned().unwrap_or_else(|| ParamValue::default_of(desc));
        let kind = desc.kind();
        if kind == Some(ParamKind::List) && !desc.children().is_empty() {
            let given = self.claim(|name| desc.is_named(name));
            if given.is_empty() {
                return fallback();
            }
            return ParamValue::Items(
                given.into_iter().map(|g| self.reader.group(desc, g)).collect(),
            );
        }
        let element = self.element;
        let Some(given) = self.given_for(desc) else {
            if desc.flags & param_flag::REQUIRED != 0 && inherited.is_none() {
                self.reader.missing_parameter(desc, element);
            }
            return fallback();
        };
        if kind == Some(ParamKind::Group) {
            return self.reader.group(desc, given);
        }
        let text = self.reader.text_of(given);
        text.and_then(|text| self.reader.bound(desc, text)).unwrap_or_else(fallback)
    }

    /// Input ports that the element sets, in the ports' units.
    pub(crate) fn set_points(
        &mut self,
        inputs: impl Iterator<Item = &'static View<PortDesc>>,
    ) -> Vec<(String, f64)> {
        let mut set_points: Vec<(String, f64)> = Vec::new();
        for port in inputs {
            let (key, unit) = (port.key(), port.key_unit());
            let Some(given) = self.claim(|name| name == key).pop() else { continue };
            let text = self.reader.text_of(given);
            let quantity = Quantity::any(key, unit);
            let number = text.and_then(|text| self.reader.number(text, &quantity));
            if let Some(number) = number {
                set_points.push((port.name().to_owned(), number * port.key_scale));
            }
        }
        set_points
    }
}

impl Reader<'_> {
    fn missing_parameter(&mut self, desc: &'static View<ParamDesc>, element: &Element) {
        let (key, owner) = (desc.key(), &element.name);
        let message = format!("`<{owner}>` needs `{key}`");
        let expected = quantity(desc).expected("a value");
        let help = format!("help: write <{key}>…</{key}>: {}", desc.doc());
        self.error(element.name_span, message, expected, vec![help]);
    }

    fn group(&mut self, desc: &'static View<ParamDesc>, given: Given<'_>) -> ParamValue {
        let Given::Child(element) = given else {
            let key = desc.key();
            let message = format!("`{key}` has parts of its own");
            let label = format!("write it as a tag: <{key}>…</{key}>");
            self.error(given.name_span(), message, label, Vec::new());
            return ParamValue::default_of(desc);
        };
        let mut tag = Tag::new(self, element, &GROUP);
        tag.params = desc.children();
        let children = desc.children().iter();
        let values = children.map(|child| tag.parameter(child, None)).collect();
        tag.finish();
        ParamValue::Items(values)
    }

    /// The value of a text for one parameter.
    fn bound(&mut self, desc: &'static View<ParamDesc>, text: &Text) -> Option<ParamValue> {
        let key = desc.key();
        let scaled = |number: f64| ParamValue::Number(number * desc.scale);
        Some(match desc.kind()? {
            ParamKind::Number => scaled(self.number(text, &quantity(desc))?),
            ParamKind::Integer => scaled(self.integer(text, &quantity(desc))?),
            ParamKind::Bool => ParamValue::Bool(self.boolean(text, key)?),
            ParamKind::Text => ParamValue::Text(self.value(text)?),
            ParamKind::Choice => {
                let choices: Vec<_> = desc.choices().collect();
                ParamValue::Text(self.word(text, key, &choices)?)
            }
            ParamKind::Path | ParamKind::File => {
                let path = self.local_path(text)?;
                ParamValue::Text(path.display().to_string())
            }
            ParamKind::List => self.list(desc, text)?,
            ParamKind::Group => return None,
        })
    }

    fn list(&mut self, desc: &'static View<ParamDesc>, text: &Text) -> Option<ParamValue> {
        let value = self.value(text)?;
        let quantity = quantity(desc);
        let mut items = Vec::new();
        for word in words(&value) {
            let number = self.checked(text, word, &quantity, "numbers")?;
            items.push(ParamValue::Number(number * desc.scale));
        }
        if desc.count != 0 && items.len() != desc.count as usize {
            let key = quantity.name;
            let message = format!("`{key}` has {} numbers", items.len());
            let label = quantity.expected(&format!("{} numbers", desc.count));
            self.error(text.span, message, label, Vec::new());
            return None;
        }
        Some(ParamValue::Items(items))
    }
}

pub(crate) fn quantity(desc: &'static View<ParamDesc>) -> Quantity<'static> {
    Quantity {
        name: desc.key(),
        unit: desc.unit(),
        min: desc.min,
        max: desc.max,
        above_min: desc.flags & param_flag::ABOVE_MIN != 0,
        below_max: desc.flags & param_flag::BELOW_MAX != 0,
    }
}
