//! Descriptors of models from their descriptions in Python.

use pyo3::prelude::*;
use simhost_abi::{
    CallFn, CommandDesc, CreateFn, DestroyFn, Kind, Model, ParamDesc, ParamKind, Phase, Plugin,
    PortDesc, Scope, Slice, StateDesc, StateKind, Str, Value, value_tag,
};

/// A model as Python describes it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct ModelDeclaration {
    kind: String,
    vendor: String,
    name: String,
    version: String,
    doc: String,
    /// Key, unit, description, default, smallest and largest value.
    parameters: Vec<(String, String, String, f64, f64, f64)>,
    /// Name, unit, description, initial value, and whether each wheel has one.
    states: Vec<(String, String, String, f64, bool)>,
    /// Kinds of commands, with the names of inputs.
    commands: Vec<(String, Vec<String>)>,
    /// Name, inputs and outputs.
    phases: Vec<(String, Vec<Port>, Vec<Port>)>,
}

/// Name, unit, description, default, flags, and whether each wheel has one.
type Port = (String, String, String, f64, u32, bool);

/// Returns a text that is never freed. A process declares few models.
fn text(text: String) -> Str {
    Str::new(text.leak())
}

fn list<T: 'static>(items: impl Iterator<Item = T>) -> Slice<T> {
    Slice::new(items.collect::<Vec<T>>().leak())
}

const fn scope(is_of_wheel: bool) -> Scope {
    if is_of_wheel { Scope::Wheel } else { Scope::Instance }
}

impl ModelDeclaration {
    /// Returns the scopes of the inputs and of the outputs of each phase.
    pub fn scopes(&self) -> Vec<[Vec<Scope>; 2]> {
        let of = |ports: &[Port]| ports.iter().map(|port| scope(port.5)).collect();
        self.phases.iter().map(|(_, inputs, outputs)| [of(inputs), of(outputs)]).collect()
    }

    /// Returns the scopes of the states.
    pub fn state_scopes(&self) -> Vec<Scope> {
        self.states.iter().map(|state| scope(state.4)).collect()
    }

    /// Returns a plugin with the model alone, which is never freed.
    pub fn plugin(
        self,
        create: CreateFn,
        destroy: DestroyFn,
        calls: &[CallFn],
    ) -> Result<&'static Plugin, String> {
        let kind = Kind::ALL.into_iter().find(|kind| kind.tag() == self.kind);
        let kind = kind.ok_or_else(|| format!("unknown kind: '{}'", self.kind))?;
        if self.phases.len() > calls.len() {
            return Err(format!(
                "it has {} phases; expected at most {}",
                self.phases.len(),
                calls.len()
            ));
        }
        let phases =
            self.phases.into_iter().zip(calls).map(|((id, inputs, outputs), call)| Phase {
                size: size_of::<Phase>() as u32,
                reserved: 0,
                id: text(id),
                inputs: list(inputs.into_iter().map(port)),
                outputs: list(outputs.into_iter().map(port)),
                call: *call,
            });
        let (name, version) = (self.name.leak(), self.version.leak());
        let model = Model {
            size: size_of::<Model>() as u32,
            kind: kind as u32,
            flags: 0,
            schema: 0,
            id: Str::new(name),
            version: Str::new(version),
            doc: text(self.doc),
            params: list(self.parameters.into_iter().map(parameter)),
            states: list(self.states.into_iter().map(state)),
            commands: list(self.commands.into_iter().map(command)),
            wheels: Slice::new(&[]),
            chassis: std::ptr::null(),
            phases: list(phases),
            create,
            destroy,
            arrange: None,
            capacity: None,
            ability: None,
        };
        let model: &'static Model = Box::leak(Box::new(model));
        let models: &'static [*const Model] = vec![std::ptr::from_ref(model)].leak();
        let vendor = self.vendor.leak();
        let plugin = simhost_sdk::plugin_descriptor(vendor, name, version, models);
        Ok(Box::leak(Box::new(plugin)))
    }
}

fn port((name, unit, doc, default, flags, is_of_wheel): Port) -> PortDesc {
    PortDesc {
        size: size_of::<PortDesc>() as u32,
        scope: scope(is_of_wheel) as u32,
        flags,
        reserved: 0,
        name: text(name),
        unit: text(unit),
        doc: text(doc),
        default,
        key: Str::new(""),
        key_unit: Str::new(""),
        key_scale: 1.0,
    }
}

fn state(
    (name, unit, doc, initial, is_of_wheel): (String, String, String, f64, bool),
) -> StateDesc {
    StateDesc {
        size: size_of::<StateDesc>() as u32,
        scope: scope(is_of_wheel) as u32,
        kind: StateKind::Continuous as u32,
        reserved: 0,
        name: text(name),
        unit: text(unit),
        doc: text(doc),
        initial,
        initial_key: Str::new(""),
    }
}

fn command((kind, ports): (String, Vec<String>)) -> CommandDesc {
    CommandDesc {
        size: size_of::<CommandDesc>() as u32,
        reserved: 0,
        kind: text(kind),
        ports: list(ports.into_iter().map(text)),
    }
}

fn parameter(
    (key, unit, doc, default, min, max): (String, String, String, f64, f64, f64),
) -> ParamDesc {
    ParamDesc {
        size: size_of::<ParamDesc>() as u32,
        kind: ParamKind::Number as u32,
        flags: 0,
        count: 0,
        key: text(key),
        aliases: Slice::new(&[]),
        doc: text(doc),
        unit: text(unit),
        scale: 1.0,
        min,
        max,
        default: Value {
            tag: value_tag::NUMBER,
            reserved: 0,
            number: default,
            text: Str::new(""),
            items: Slice::new(&[]),
        },
        choices: Slice::new(&[]),
        children: Slice::new(&[]),
    }
}
