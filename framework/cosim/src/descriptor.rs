//! Descriptors of models from FMUs. They are never freed: a process imports few FMUs.

use simhost_abi::{
    CallFn, CommandDesc, CreateFn, Kind, Model, ParamDesc, ParamKind, Phase, Plugin, PortDesc,
    Scope, Slice, Str, Value, WheelDesc, is_key, is_of_language, is_word, param_flag, port_flag,
    value_tag,
};
use simhost_model::PortMap;

use crate::calls;
use crate::description::{Causality, FmuDescription, Start, Type, Variable};
use crate::memory;
use crate::ports::{PhaseShape, Port, Shape};

fn text(text: &str) -> Str {
    Str::new(text.to_owned().leak())
}

fn list<T: 'static>(items: impl IntoIterator<Item = T>) -> Slice<T> {
    Slice::new(items.into_iter().collect::<Vec<T>>().leak())
}

/// Returns the variables that are parameters, with their keys in the world file.
pub(crate) fn parameters(kind: Kind, description: &FmuDescription) -> Vec<(usize, String)> {
    let mut taken: Vec<String> = kind.host_keys().iter().map(|key| (*key).to_owned()).collect();
    taken.extend(["file".to_owned(), "map".to_owned()]);
    let mut found = Vec::new();
    for (index, variable) in description.variables.iter().enumerate() {
        if variable.causality == Causality::Parameter && variable.kind != Type::Other {
            let mut key = as_key(&variable.name);
            while taken.contains(&key) || is_of_language(&key) {
                key.push('_');
            }
            taken.push(key.clone());
            if is_key(&key) {
                found.push((index, key));
            }
        }
    }
    found
}

/// Returns a name as the name of an element: characters that it cannot have become `_`.
fn as_key(name: &str) -> String {
    let replaced = name.chars().map(|one| if is_key(&format!("_{one}")) { one } else { '_' });
    let key: String = replaced.collect();
    if is_key(&key) { key } else { format!("_{key}") }
}

/// Returns a plugin with the model alone.
pub(crate) fn plugin(
    kind: Kind,
    description: &FmuDescription,
    shape: &Shape,
    maps: &[PortMap],
) -> &'static Plugin {
    let name: String = description
        .name
        .chars()
        .map(|one| if is_word(&one.to_string()) { one } else { '_' })
        .collect();
    let name = if is_word(&name) { name } else { "model".to_owned() };
    let own = parameters(kind, description);
    let own = own.iter().map(|(index, key)| parameter(&description.variables[*index], key));
    let commands = shape.commands.iter().map(|(kind, ports)| CommandDesc {
        size: size_of::<CommandDesc>() as u32,
        reserved: 0,
        kind: Str::new(kind),
        ports: list(ports.iter().map(|port| Str::new(port))),
    });
    let wheels = if kind == Kind::Dynamics { shape.wheels } else { 0 };
    let model: &'static Model = Box::leak(Box::new(Model {
        size: size_of::<Model>() as u32,
        kind: kind as u32,
        flags: 0,
        schema: 1,
        id: text(&name),
        version: Str::new("1.0.0"),
        doc: text(&description.text),
        params: list([file()].into_iter().chain(map(maps)).chain(own)),
        states: Slice::new(&[]),
        commands: list(commands),
        wheels: list((0..wheels).map(wheel)),
        chassis: std::ptr::null(),
        phases: list(shape.phases.iter().zip(calls::CALLS).map(|(one, call)| phase(one, call))),
        create: create(kind),
        destroy: calls::destroy,
        arrange: (kind == Kind::Dynamics).then_some(calls::arrange),
        capacity: None,
        ability: Some(memory::ability),
    }));
    let models: &'static [*const Model] = vec![std::ptr::from_ref(model)].leak();
    let plugin = simhost_sdk::plugin_descriptor("fmu", name.leak(), "1.0.0", models);
    Box::leak(Box::new(plugin))
}

/// Returns the function that creates instances: it learns the kind by its type, and the file by the first parameter.
fn create(kind: Kind) -> CreateFn {
    match kind {
        Kind::Friction => calls::create::<{ Kind::Friction as u32 }>,
        Kind::Actuator => calls::create::<{ Kind::Actuator as u32 }>,
        Kind::Dynamics => calls::create::<{ Kind::Dynamics as u32 }>,
        Kind::Sensor => calls::create::<{ Kind::Sensor as u32 }>,
        Kind::Environment => calls::create::<{ Kind::Environment as u32 }>,
        _ => calls::create::<{ Kind::Controller as u32 }>,
    }
}

fn phase(shape: &PhaseShape, call: CallFn) -> Phase {
    Phase {
        size: size_of::<Phase>() as u32,
        reserved: 0,
        id: Str::new(shape.id),
        inputs: list(shape.inputs.iter().map(port)),
        outputs: list(shape.outputs.iter().map(port)),
        call,
    }
}

fn port(port: &Port) -> PortDesc {
    let scope = if port.is_wheel { Scope::Wheel } else { Scope::Instance };
    let has_key = port.flags & port_flag::COMMAND != 0;
    PortDesc {
        size: size_of::<PortDesc>() as u32,
        scope: scope as u32,
        flags: port.flags,
        reserved: 0,
        name: text(&port.name),
        unit: text(&port.unit),
        doc: text(&port.doc),
        default: port.default,
        key: if has_key { text(&port.name) } else { Str::new("") },
        key_unit: if has_key { text(&port.unit) } else { Str::new("") },
        key_scale: 1.0,
    }
}

fn wheel(number: usize) -> WheelDesc {
    let tag = text(&format!("wheel{}", number + 1));
    WheelDesc { size: size_of::<WheelDesc>() as u32, flags: 0, tag, x: 0.0, y: 0.0 }
}

/// A parameter without a default.
const PLAIN: ParamDesc = ParamDesc {
    size: size_of::<ParamDesc>() as u32,
    kind: ParamKind::Text as u32,
    flags: 0,
    count: 0,
    key: Str::new(""),
    aliases: Slice { data: std::ptr::null(), len: 0 },
    doc: Str::new(""),
    unit: Str::new("1"),
    scale: 1.0,
    min: f64::NEG_INFINITY,
    max: f64::INFINITY,
    default: Value::NONE,
    choices: Slice { data: std::ptr::null(), len: 0 },
    children: Slice { data: std::ptr::null(), len: 0 },
};

fn file() -> ParamDesc {
    let (kind, flags) = (ParamKind::Path as u32, param_flag::REQUIRED);
    ParamDesc { kind, flags, key: Str::new("file"), doc: Str::new("The FMU."), ..PLAIN }
}

/// Returns the parameter that carries the maps to [`calls::create`] as its default. The world reads `<map>` itself, so nothing
/// else sets it.
fn map(maps: &[PortMap]) -> Option<ParamDesc> {
    let one = |map: &PortMap| {
        let unit = map.unit.as_deref().map_or(Value::NONE, |unit| Value::text(text(unit)));
        let names = [&map.port, &map.variable].map(|name| Value::text(text(name)));
        Value::items(list(names.into_iter().chain([Value::number(map.scale), unit])))
    };
    let (kind, key) = (ParamKind::List as u32, Str::new("map"));
    let doc = Str::new("Connections of ports to variables of other names.");
    let default = || Value::items(list(maps.iter().map(one)));
    (!maps.is_empty()).then(|| ParamDesc { kind, key, doc, default: default(), ..PLAIN })
}

fn parameter(variable: &Variable, key: &str) -> ParamDesc {
    let (kind, default) = match (variable.kind, &variable.start) {
        (Type::Text, Some(Start::Text(start))) => (ParamKind::Text, Value::text(text(start))),
        (Type::Text, _) => (ParamKind::Text, Value::NONE),
        (Type::Boolean, Some(Start::Number(start))) => {
            (ParamKind::Bool, Value { tag: value_tag::BOOL, ..Value::number(*start) })
        }
        (Type::Boolean, _) => (ParamKind::Bool, Value::NONE),
        (kind, start) => {
            let is_whole = matches!(kind, Type::Integer | Type::Long);
            let default = match start {
                Some(Start::Number(start)) => Value::number(*start),
                _ => Value::NONE,
            };
            (if is_whole { ParamKind::Integer } else { ParamKind::Number }, default)
        }
    };
    let unit = variable.unit.as_ref().map_or("1", |unit| &*unit.name);
    ParamDesc {
        kind: kind as u32,
        key: text(key),
        doc: text(&variable.text),
        unit: text(unit),
        min: variable.min.unwrap_or(f64::NEG_INFINITY),
        max: variable.max.unwrap_or(f64::INFINITY),
        default,
        ..PLAIN
    }
}
