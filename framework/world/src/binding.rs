//! From the declaration of parameters to their values.

use simhost_abi::{Kind, Model, ParamDesc, ParamKind, param_flag};

use crate::classes::ModelRef;
use crate::fields::{Fields, Given};
use crate::numbers::{Quantity, words};
use crate::reader::Reader;
use crate::values::ParamValue;
use crate::variants::{keyed_inputs, port_name, slice, str_of};
use crate::xml::Text;

impl Reader<'_> {
    /// The values of a model's parameters in the order of their declaration, as the profile wants.
    pub(crate) fn parameters(
        &mut self,
        kind: Kind,
        model: &ModelRef,
        fields: &mut Fields<'_>,
    ) -> Vec<ParamValue> {
        let params = slice(model.model.params);
        let read_only = self.profile().limited_to(kind, model.id());
        let mut values = Vec::with_capacity(params.len());
        for desc in params {
            let key = str_of(desc.key);
            if read_only.is_some_and(|keys| !keys.contains(&key)) {
                self.kept_default(desc, fields);
                values.push(default_of(desc));
            } else {
                values.push(self.parameter(desc, fields));
            }
        }
        let profile = *self.profile();
        for forced in profile.overrides {
            if forced.kind == kind && forced.class == model.id() {
                let place = params.iter().position(|desc| str_of(desc.key) == forced.key);
                if let Some(place) = place {
                    values[place] = ParamValue::Bool(forced.value);
                }
            }
        }
        values
    }

    /// A parameter that the profile does not read.
    fn kept_default(&mut self, desc: &ParamDesc, fields: &mut Fields<'_>) {
        if let Some(given) = fields.either(&names(desc)) {
            let profile = self.profile().name;
            let message = format!("`{}` keeps its default in profile {profile}", given.name());
            self.warning(given.name_span(), message, "has no effect");
        }
    }

    fn parameter(&mut self, desc: &ParamDesc, fields: &mut Fields<'_>) -> ParamValue {
        let names = names(desc);
        let Some(given) = fields.either(&names) else {
            if desc.flags & param_flag::REQUIRED != 0 {
                self.missing(desc, fields);
            }
            return default_of(desc);
        };
        if ParamKind::from_u32(desc.kind) == Some(ParamKind::Group) {
            return self.group(desc, given);
        }
        let value = self.text_of(given).and_then(|text| self.bound(desc, text));
        value.unwrap_or_else(|| default_of(desc))
    }

    fn missing(&mut self, desc: &ParamDesc, fields: &Fields<'_>) {
        let (key, owner) = (str_of(desc.key), &fields.element.name);
        let message = format!("`<{owner}>` needs `{key}`");
        let expected = quantity(desc).expected("a value");
        let help = format!("help: write <{key}>…</{key}>: {}", str_of(desc.doc));
        self.error(fields.element.name_span, message, expected, vec![help]);
    }

    fn group(&mut self, desc: &ParamDesc, given: Given<'_>) -> ParamValue {
        let Given::Child(element) = given else {
            let key = str_of(desc.key);
            let message = format!("`{key}` has parts of its own");
            let label = format!("write it as a tag: <{key}>…</{key}>");
            self.error(given.name_span(), message, label, Vec::new());
            return default_of(desc);
        };
        let mut fields = Fields::new(element);
        let children = slice(desc.children).iter();
        let values = children.map(|child| self.parameter(child, &mut fields)).collect();
        self.finish(fields);
        ParamValue::Items(values)
    }

    /// The value of a text for one parameter.
    fn bound(&mut self, desc: &ParamDesc, text: &Text) -> Option<ParamValue> {
        let key = str_of(desc.key);
        let scaled = |number: f64| ParamValue::Number(number * desc.scale);
        Some(match ParamKind::from_u32(desc.kind)? {
            ParamKind::Number => scaled(self.number(text, &quantity(desc))?),
            ParamKind::Integer => scaled(self.integer(text, &quantity(desc))?),
            ParamKind::Bool => ParamValue::Bool(self.boolean(text, key)?),
            ParamKind::Text => ParamValue::Text(self.value(text)?),
            ParamKind::Choice => {
                let choices: Vec<_> = slice(desc.choices).iter().map(|c| str_of(*c)).collect();
                ParamValue::Text(self.word(text, key, &choices)?)
            }
            ParamKind::Path => {
                let name = self.value(text)?;
                ParamValue::Text(self.resolve(text.span.file, &name).display().to_string())
            }
            ParamKind::List => self.list(desc, text)?,
            ParamKind::Group => return None,
        })
    }

    fn list(&mut self, desc: &ParamDesc, text: &Text) -> Option<ParamValue> {
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

    /// Input ports that the element sets, in the ports' units.
    pub(crate) fn set_points(
        &mut self,
        model: &Model,
        fields: &mut Fields<'_>,
    ) -> Vec<(String, f64)> {
        let mut set_points: Vec<(String, f64)> = Vec::new();
        for port in keyed_inputs(model) {
            let (key, unit) = (str_of(port.key), str_of(port.key_unit));
            let Some(given) = fields.either(&[key]) else { continue };
            let text = self.text_of(given);
            let number = text.and_then(|text| self.number(text, &Quantity::any(key, unit)));
            if let Some(number) = number {
                set_points.push((port_name(port).to_owned(), number * port.key_scale));
            }
        }
        set_points
    }
}

/// The key, then the aliases.
fn names(desc: &ParamDesc) -> Vec<&'static str> {
    let aliases = slice(desc.aliases).iter().map(|alias| str_of(*alias));
    std::iter::once(str_of(desc.key)).chain(aliases).collect()
}

fn quantity(desc: &ParamDesc) -> Quantity<'static> {
    Quantity {
        name: str_of(desc.key),
        unit: str_of(desc.unit),
        min: desc.min,
        max: desc.max,
        above_min: desc.flags & param_flag::ABOVE_MIN != 0,
        below_max: desc.flags & param_flag::BELOW_MAX != 0,
    }
}

/// A group has the defaults of its parts.
fn default_of(desc: &ParamDesc) -> ParamValue {
    match ParamKind::from_u32(desc.kind) {
        Some(ParamKind::Group) => {
            ParamValue::Items(slice(desc.children).iter().map(default_of).collect())
        }
        _ => ParamValue::from_static(&desc.default, desc.scale),
    }
}
