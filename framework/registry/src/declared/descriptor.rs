//! Descriptors of declared models.

use simhost_abi::{
    CallFn, ChassisDesc, CommandDesc, CreateFn, DestroyFn, Kind, Model, ParamDesc, Phase, Plugin,
    PortDesc, Slice, StateDesc, Str, Value, WheelDesc, value_tag,
};

use super::{Chassis, Default, ModelDeclaration, Parameter, Port, State, Wheel};

/// The functions of a declared model.
#[derive(Debug)]
pub struct DeclaredFunctions<'a> {
    /// Creates an instance.
    pub create: CreateFn,
    /// Destroys an instance.
    pub destroy: DestroyFn,
    /// Calls a phase.
    pub calls: &'a [CallFn],
    /// Places wheels.
    pub arrange: simhost_abi::ArrangeFn,
    /// Returns the number of rays.
    pub capacity: simhost_abi::CapacityFn,
    /// Returns the table of an observer, or that calls are interpreted.
    pub ability: simhost_abi::AbilityFn,
}

/// Returns a text that is never freed. A process declares few models.
fn text(text: String) -> Str {
    Str::new(text.leak())
}

fn list<T: 'static>(items: impl Iterator<Item = T>) -> Slice<T> {
    Slice::new(items.collect::<Vec<T>>().leak())
}

impl ModelDeclaration {
    /// Returns a plugin with the model alone, which is never freed.
    ///
    /// # Errors
    /// If the kind is unknown, or there are more phases than functions.
    pub fn plugin(self, functions: &DeclaredFunctions<'_>) -> Result<&'static Plugin, String> {
        let kind = Kind::ALL.into_iter().find(|kind| kind.tag() == self.kind);
        let kind = kind.ok_or_else(|| format!("unknown kind: '{}'", self.kind))?;
        let (found, expected) = (self.phases.len(), functions.calls.len());
        if found > expected {
            return Err(format!("it has {found} phases; expected at most {expected}"));
        }
        let phases = self.phases.into_iter().zip(functions.calls).map(|(phase, call)| Phase {
            size: size_of::<Phase>() as u32,
            reserved: 0,
            id: text(phase.id),
            inputs: list(phase.inputs.into_iter().map(port)),
            outputs: list(phase.outputs.into_iter().map(port)),
            call: *call,
        });
        let is_interpreted = self.compiled.is_empty();
        let (name, version) = (self.name.leak(), self.version.leak());
        let chassis = self.chassis.map_or(std::ptr::null(), |own| {
            let corners = own.polygon.into_iter().flat_map(|(x, y)| [x, y]);
            let size = size_of::<ChassisDesc>() as u32;
            let Chassis { mass, z_min, z_max, .. } = own;
            let polygon = list(corners);
            std::ptr::from_ref(Box::leak(Box::new(ChassisDesc {
                size,
                reserved: 0,
                mass,
                z_min,
                z_max,
                polygon,
            })))
        });
        let model = Model {
            size: size_of::<Model>() as u32,
            kind: kind as u32,
            flags: self.flags,
            schema: 0,
            id: Str::new(name),
            version: Str::new(version),
            doc: text(self.doc),
            params: list(self.parameters.into_iter().map(parameter)),
            states: list(self.states.into_iter().map(state)),
            commands: list(self.commands.into_iter().map(|(kind, ports)| command(kind, ports))),
            wheels: list(self.wheels.into_iter().map(wheel)),
            chassis,
            phases: list(phases),
            create: functions.create,
            destroy: functions.destroy,
            arrange: (kind == Kind::Dynamics).then_some(functions.arrange),
            capacity: (kind == Kind::Sensor).then_some(functions.capacity),
            ability: is_interpreted.then_some(functions.ability),
        };
        let model: &'static Model = Box::leak(Box::new(model));
        let models: &'static [*const Model] = vec![std::ptr::from_ref(model)].leak();
        let vendor = self.vendor.leak();
        // a further model of the same kind and name replaces this one
        let plugin_name = format!("{}-{name}", kind.tag()).leak();
        let plugin = simhost_sdk::plugin_descriptor(vendor, plugin_name, version, models);
        Ok(Box::leak(Box::new(plugin)))
    }
}

fn port(port: Port) -> PortDesc {
    PortDesc {
        size: size_of::<PortDesc>() as u32,
        scope: port.scope,
        flags: port.flags,
        reserved: 0,
        name: text(port.name),
        unit: text(port.unit),
        doc: text(port.description),
        default: port.default,
        key: text(port.key),
        key_unit: text(port.key_unit),
        key_scale: port.key_scale,
    }
}

fn state(state: State) -> StateDesc {
    StateDesc {
        size: size_of::<StateDesc>() as u32,
        scope: state.scope,
        kind: state.kind,
        reserved: 0,
        name: text(state.name),
        unit: text(state.unit),
        doc: text(state.description),
        initial: state.initial,
        initial_key: text(state.initial_from),
    }
}

fn command(kind: String, ports: Vec<String>) -> CommandDesc {
    CommandDesc {
        size: size_of::<CommandDesc>() as u32,
        reserved: 0,
        kind: text(kind),
        ports: list(ports.into_iter().map(text)),
    }
}

fn wheel(Wheel { tag, x, y, flags }: Wheel) -> WheelDesc {
    WheelDesc { size: size_of::<WheelDesc>() as u32, flags, tag: text(tag), x, y }
}

fn parameter(parameter: Parameter) -> ParamDesc {
    let default = match parameter.default {
        None => Value::NONE,
        Some(Default::Bool(is_set)) => {
            Value { tag: value_tag::BOOL, ..Value::number(f64::from(u8::from(is_set))) }
        }
        Some(Default::Number(number)) => Value::number(number),
        Some(Default::Text(own)) => Value::text(text(own)),
        Some(Default::Items(items)) => Value::items(list(items.into_iter().map(Value::number))),
    };
    ParamDesc {
        size: size_of::<ParamDesc>() as u32,
        kind: parameter.kind,
        flags: parameter.flags,
        count: parameter.count,
        key: text(parameter.key),
        aliases: Slice::new(&[]),
        doc: text(parameter.description),
        unit: text(parameter.unit),
        scale: parameter.scale,
        min: parameter.low,
        max: parameter.high,
        default,
        choices: list(parameter.choices.into_iter().map(text)),
        children: Slice::new(&[]),
    }
}
