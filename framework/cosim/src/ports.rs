//! Variables of an FMU as ports of a kind of models.

use simhost_abi::host_port::{
    ACTUATORS, CONTACT_INPUTS, DRIVE_OUTPUTS, GRAVITY_OUTPUTS, HostPort, MEASUREMENTS,
    MOTION_OUTPUTS, ODOMETRY, SENSOR_CONSTANTS, SURFACE_OUTPUTS, WHEEL_INPUTS, WHEEL_OUTPUTS,
    WIND_OUTPUTS, WRENCH_OUTPUTS,
};
use simhost_abi::{Kind, Scope, port_flag};
use simhost_model::{FileClassError, PortMap, nearest, unit_factor};

use crate::conversion::Conversion;
use crate::description::{Causality, FmuDescription, Start, Type, Unit, Variable};

/// A port, or one wheel of it.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// Index of the variable in the description.
    pub variable: usize,
    pub conversion: Conversion,
    /// Number of the wheel, 0 for a port with one value per lane.
    pub wheel: usize,
}

/// A port with the variables that it reads or sets. An output without a variable has its default.
#[derive(Clone, Debug)]
pub(crate) struct Port {
    pub name: String,
    pub unit: String,
    pub doc: String,
    pub default: f64,
    pub flags: u32,
    pub is_wheel: bool,
    pub elements: Vec<Element>,
}

/// Inputs and outputs of an FMU in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// It takes a step with the inputs, and the outputs are read.
    Step,
    /// As for `Step`, with a step as long as the input with this index, the sampling period.
    Sample(usize),
    /// The outputs are read.
    Read,
    /// Nothing: the outputs come from the last step. Several threads may be in such a phase.
    Recall,
}

/// A phase.
#[derive(Clone, Debug)]
pub(crate) struct PhaseShape {
    pub id: &'static str,
    pub act: Act,
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
}

/// Phases and commands of a model.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub phases: Vec<PhaseShape>,
    pub commands: Vec<(&'static str, Vec<&'static str>)>,
    /// Number of wheels of a dynamics class.
    pub wheels: usize,
    /// Variables whose values after a step are kept for the phases that recall them.
    pub kept: Vec<usize>,
}

/// Inputs that commands set: the command, and its inputs with their units. The first input and the last are necessary.
const COMMANDS: &[(&str, &[(&str, &str)])] = &[
    ("twist", &[("command_vx", "m/s"), ("command_vy", "m/s"), ("command_omega", "rad/s")]),
    ("speed_steer", &[("command_vx", "m/s"), ("command_steer", "rad")]),
    ("pedals", &[("drive_torque", "N·m"), ("brake_torque", "N·m"), ("steer", "rad")]),
];

/// Units in which ports are declared whose unit only the FMU gives.
const UNITS: &[&str] = &[
    "1", "m", "m/s", "m/s²", "rad/s", "rad/s²", "N", "N·m", "kg", "kg·m²", "s", "Pa", "K", "W",
    "J", "V", "A",
];

/// Returns the phases of a kind for an FMU.
///
/// # Errors
/// [`FileClassError`] for a kind that FMUs cannot have, and for a variable whose name, role, type or unit does not fit.
pub(crate) fn shape(
    kind: Kind,
    description: &FmuDescription,
    maps: &[PortMap],
) -> Result<Shape, FileClassError> {
    check_maps(description, maps)?;
    let matcher = Matcher { kind, description, maps };
    let inputs = matcher.ports(Causality::Input, &matcher.known_inputs())?;
    let outputs = matcher.ports(Causality::Output, &matcher.known_outputs())?;
    let phase = |id, inputs, outputs| PhaseShape { id, act: Act::Step, inputs, outputs };
    let read = |id, outputs| PhaseShape { id, act: Act::Read, inputs: Vec::new(), outputs };
    let commands = if kind == Kind::Controller { commands(&inputs) } else { Vec::new() };
    let wheels = outputs.iter().flat_map(|port| &port.elements).map(|one| one.wheel + 1).max();
    let phases = match kind {
        Kind::Controller => vec![phase("control", inputs, outputs)],
        Kind::Friction => vec![phase("force", inputs, outputs)],
        Kind::Actuator => vec![phase("actuate", inputs, outputs)],
        Kind::Dynamics => {
            let (id, known) = matcher.driving();
            let is_own = |port: &Port| known.iter().any(|known| known.name == port.name);
            let (driving, measured) = outputs.into_iter().partition(is_own);
            vec![phase(id, inputs, driving), read("measure", measured)]
        }
        // it casts no rays
        Kind::Sensor => vec![read("aim", Vec::new()), sample(inputs, outputs)],
        Kind::Environment => environment(inputs, &outputs, description)?,
        _ => {
            let text = format!("an FMU cannot be {}", kind.with_article());
            let help = "use it as a controller, a friction model, an actuator, a dynamics class, a sensor or an \
                        environment";
            return Err(FileClassError::new(text).help(help));
        }
    };
    let recalled = phases.iter().filter(|phase| phase.act == Act::Recall);
    let elements = recalled.flat_map(|phase| &phase.outputs).flat_map(|port| &port.elements);
    let kept = elements.map(|element| element.variable).collect();
    Ok(Shape { phases, commands, wheels: wheels.unwrap_or(0), kept })
}

/// Returns the phase of a sensor, which has the sampling period as an input.
fn sample(mut inputs: Vec<Port>, outputs: Vec<Port>) -> PhaseShape {
    let period = &SENSOR_CONSTANTS[0];
    let place = inputs.iter().position(|port| port.name == period.name).unwrap_or_else(|| {
        inputs.push(without_variable(period, period.default));
        inputs.len() - 1
    });
    PhaseShape { id: "read", act: Act::Sample(place), inputs, outputs }
}

/// Returns the name of the first variable of a port.
fn variable_of<'d>(description: &'d FmuDescription, port: &'d Port) -> &'d str {
    let first = port.elements.first().map(|element| element.variable);
    first.map_or(&*port.name, |index| &*description.variables[index].name)
}

/// Returns the phases of an environment: a step, and the values that hold everywhere.
fn environment(
    inputs: Vec<Port>,
    outputs: &[Port],
    description: &FmuDescription,
) -> Result<Vec<PhaseShape>, FileClassError> {
    let names = |ports: &[Port]| ports.iter().map(|port| port.name.clone()).collect::<Vec<_>>();
    let refused = |variable: &str, what: &str, expected: &str| {
        let text = format!(
            "{what} {variable:?} of the FMU cannot be a port of an environment; expected {expected}"
        );
        FileClassError::new(text).help(format!("map it: <map port=\"\" variable=\"{variable}\"/>"))
    };
    let name_of = |port| variable_of(description, port);
    if let Some(port) = inputs.first() {
        return Err(refused(
            name_of(port),
            "input",
            "no inputs, because its values hold everywhere",
        ));
    }
    let known = [WIND_OUTPUTS, SURFACE_OUTPUTS, GRAVITY_OUTPUTS];
    if let Some(port) = outputs
        .iter()
        .find(|port| known.iter().flat_map(|ports| *ports).all(|known| known.name != port.name))
    {
        let expected = known.map(|ports| ports.iter().map(|port| port.name).collect::<Vec<_>>());
        return Err(refused(name_of(port), "output", &expected.concat().join(", ")));
    }
    let taken = names(outputs);
    let update =
        PhaseShape { id: "update", act: Act::Step, inputs: Vec::new(), outputs: Vec::new() };
    let optional = ["wind", "surface", "gravity"].into_iter().zip(known);
    let phases = optional
        .filter(|(_, ports)| ports.iter().any(|port| taken.iter().any(|name| name == port.name)));
    let recalled = phases.map(|(id, ports)| {
        let found = |known: &HostPort| outputs.iter().find(|port| port.name == known.name);
        let outputs = ports.iter().map(|port| found(port).cloned().unwrap_or_else(|| unset(port)));
        PhaseShape { id, act: Act::Recall, inputs: Vec::new(), outputs: outputs.collect() }
    });
    Ok([update].into_iter().chain(recalled).collect())
}

/// Returns an output of an environment for which an FMU has no variable: no wind, and nothing that replaces the values of the
/// world.
fn unset(port: &HostPort) -> Port {
    let is_wind = WIND_OUTPUTS.iter().any(|wind| wind.name == port.name);
    without_variable(port, if is_wind { 0.0 } else { -1.0 })
}

/// Returns a port without a variable.
fn without_variable(port: &HostPort, default: f64) -> Port {
    Port {
        name: port.name.to_owned(),
        unit: port.unit.to_owned(),
        doc: port.doc.to_owned(),
        default,
        flags: 0,
        is_wheel: false,
        elements: Vec::new(),
    }
}

/// Returns the commands whose inputs are there.
fn commands(inputs: &[Port]) -> Vec<(&'static str, Vec<&'static str>)> {
    let has = |name: &str| inputs.iter().any(|port| port.name == name);
    let complete = COMMANDS.iter().filter(|(_, ports)| {
        ports.first().is_some_and(|(name, _)| has(name))
            && ports.last().is_some_and(|(name, _)| has(name))
    });
    let named = complete.map(|(kind, ports)| {
        let ports = ports.iter().map(|(name, _)| if has(name) { *name } else { "" });
        (*kind, ports.collect())
    });
    named.collect()
}

/// Checks that each map names an input or output.
fn check_maps(description: &FmuDescription, maps: &[PortMap]) -> Result<(), FileClassError> {
    for (index, map) in maps.iter().enumerate() {
        let variable = description.variables.iter().find(|one| one.name == map.variable);
        let Some(variable) = variable else {
            let known = description.variables.iter().filter(|one| is_end(one));
            let near = nearest(&map.variable, known.map(|one| &*one.name));
            let text = format!("unknown variable {:?} of port `{}`", map.variable, map.port);
            let help = near.map_or(String::new(), |near| format!("did you mean {near:?}?"));
            return Err(FileClassError::new(text).help(help).at_map(Some(index)));
        };
        if !is_end(variable) {
            let text = format!(
                "variable {:?} of port `{}` is neither an input nor an output; expected one of them",
                map.variable, map.port
            );
            return Err(FileClassError::new(text).at_map(Some(index)));
        }
    }
    Ok(())
}

fn is_end(variable: &Variable) -> bool {
    matches!(variable.causality, Causality::Input | Causality::Output)
}

/// A quantity that a port has by its name.
struct Known {
    name: &'static str,
    unit: &'static str,
    default: f64,
    doc: &'static str,
    is_wheel: bool,
}

impl From<&HostPort> for Known {
    fn from(port: &HostPort) -> Self {
        let HostPort { name, unit, default, doc, scope } = *port;
        Self { name, unit, default, doc, is_wheel: scope == Scope::Wheel }
    }
}

struct Matcher<'a> {
    kind: Kind,
    description: &'a FmuDescription,
    maps: &'a [PortMap],
}

impl Matcher<'_> {
    fn known_inputs(&self) -> Vec<Known> {
        let lists: &[&[HostPort]] = match self.kind {
            Kind::Friction => &[WHEEL_INPUTS, CONTACT_INPUTS],
            Kind::Controller => &[MEASUREMENTS, ODOMETRY],
            Kind::Sensor => &[MEASUREMENTS, SENSOR_CONSTANTS],
            Kind::Environment => &[],
            _ => &[MEASUREMENTS],
        };
        let mut known: Vec<Known> = lists.iter().copied().flatten().map(Known::from).collect();
        if self.kind == Kind::Controller {
            let commanded = COMMANDS.iter().flat_map(|(_, ports)| *ports);
            let doc = "commanded value";
            known.extend(commanded.map(|&(name, unit)| Known {
                name,
                unit,
                default: 0.0,
                doc,
                is_wheel: false,
            }));
        }
        known
    }

    fn known_outputs(&self) -> Vec<Known> {
        let lists: &[&[HostPort]] = match self.kind {
            Kind::Friction => &[WHEEL_OUTPUTS],
            Kind::Controller => &[ACTUATORS],
            Kind::Dynamics => &[self.driving().1, ODOMETRY],
            Kind::Environment => &[WIND_OUTPUTS, SURFACE_OUTPUTS, GRAVITY_OUTPUTS],
            _ => &[],
        };
        lists.iter().copied().flatten().map(Known::from).collect()
    }

    /// Returns the phase in which a dynamics class moves, and its outputs: poses if the FMU has them, otherwise forces, otherwise
    /// torques of wheels.
    fn driving(&self) -> (&'static str, &'static [HostPort]) {
        let has = |port: &str| {
            let of_map = self.maps.iter().any(|map| map.port == port);
            let outputs =
                self.description.variables.iter().filter(|one| one.causality == Causality::Output);
            of_map || outputs.into_iter().any(|one| one.name == port)
        };
        if has("x") && has("yaw") {
            ("motion", MOTION_OUTPUTS)
        } else if has("force_x") {
            ("wrench", WRENCH_OUTPUTS)
        } else {
            ("drive", DRIVE_OUTPUTS)
        }
    }

    /// Returns the ports of all variables of a role, in the order of the description.
    fn ports(&self, role: Causality, known: &[Known]) -> Result<Vec<Port>, FileClassError> {
        let mut ports: Vec<Port> = Vec::new();
        for (index, variable) in self.description.variables.iter().enumerate() {
            if variable.causality != role {
                continue;
            }
            let maps = self.maps.iter().enumerate();
            let mut maps = maps.filter(|(_, map)| map.variable == variable.name).peekable();
            if maps.peek().is_none() && variable.kind.is_number() {
                self.add(&mut ports, index, None, known)?;
            }
            for (number, map) in maps.filter(|(_, map)| !map.port.is_empty()) {
                self.add(&mut ports, index, Some(map), known)
                    .map_err(|error| error.at_map(Some(number)))?;
            }
        }
        Ok(ports)
    }

    fn add(
        &self,
        ports: &mut Vec<Port>,
        index: usize,
        map: Option<&PortMap>,
        known: &[Known],
    ) -> Result<(), FileClassError> {
        let variable = &self.description.variables[index];
        let full_name = map.map_or(&*variable.name, |map| &*map.port);
        if !variable.kind.is_number() {
            let found =
                if variable.kind == Type::Text { "a text" } else { "an array or not a number" };
            let text = format!(
                "variable {:?} of port `{full_name}` is {found}; expected a number",
                variable.name
            );
            return Err(FileClassError::new(text));
        }
        let (name, wheel) = split_wheel(full_name, known);
        let host = known.iter().find(|known| known.name == name);
        let (unit, conversion) = converted(variable, map, full_name, host.map(|host| host.unit))?;
        let element = Element { variable: index, conversion, wheel: wheel.unwrap_or(0) };
        if let Some(port) = ports.iter_mut().find(|port| port.name == name) {
            if port.elements.iter().any(|one| one.wheel == element.wheel) {
                let first = &self.description.variables[port.elements[0].variable].name;
                let text = format!(
                    "variables {first:?} and {:?} are both port `{full_name}`",
                    variable.name
                );
                return Err(FileClassError::new(text)
                    .help("map one of them to another port, or to port=\"\""));
            }
            port.elements.push(element);
            return Ok(());
        }
        let start = match variable.start {
            Some(Start::Number(start)) => conversion.to_port(start),
            _ => host.map_or(0.0, |host| host.default),
        };
        ports.push(Port {
            name: name.to_owned(),
            unit,
            doc: match (&*variable.text, host) {
                ("", Some(host)) => host.doc.to_owned(),
                (text, _) => text.to_owned(),
            },
            default: start,
            flags: flags(self.kind, variable.causality, name, map.is_some()),
            is_wheel: wheel.is_some(),
            elements: vec![element],
        });
        Ok(())
    }
}

/// Returns the name of a port and the number of its wheel: `spin[2]` is wheel 2 of `spin`.
fn split_wheel<'n>(name: &'n str, known: &[Known]) -> (&'n str, Option<usize>) {
    let parts = name.strip_suffix(']').and_then(|name| name.split_once('['));
    let Some((base, number)) = parts else { return (name, None) };
    let is_wheel = known.iter().any(|known| known.is_wheel && known.name == base);
    match number.parse::<u8>() {
        Ok(wheel) if is_wheel => (base, Some(wheel.into())),
        _ => (name, None),
    }
}

/// Returns the flags of a port. An output that a map names has to be read by the host, so that a wrong name is an error; others
/// can be published alone.
fn flags(kind: Kind, role: Causality, name: &str, is_mapped: bool) -> u32 {
    let is_commanded =
        COMMANDS.iter().any(|(_, ports)| ports.iter().any(|(port, _)| *port == name));
    match role {
        Causality::Input if kind == Kind::Controller && is_commanded => port_flag::COMMAND,
        // readings
        Causality::Output if kind == Kind::Sensor => port_flag::OPTIONAL,
        Causality::Output if !is_mapped && !is_essential(kind, name) => port_flag::OPTIONAL,
        _ => 0,
    }
}

/// Returns whether the host reads an output, which then is not only published.
fn is_essential(kind: Kind, name: &str) -> bool {
    match kind {
        Kind::Friction => WHEEL_OUTPUTS.iter().any(|port| port.name == name),
        Kind::Actuator => name == "value",
        Kind::Dynamics => [DRIVE_OUTPUTS, WRENCH_OUTPUTS, MOTION_OUTPUTS]
            .iter()
            .any(|ports| ports.iter().any(|port| port.name == name)),
        Kind::Environment => true,
        _ => false,
    }
}

/// Returns the unit of a port and the conversion to it.
fn converted(
    variable: &Variable,
    map: Option<&PortMap>,
    port: &str,
    expected: Option<&'static str>,
) -> Result<(String, Conversion), FileClassError> {
    let given = map.and_then(|map| map.unit.as_ref()).filter(|_| variable.unit.is_none());
    let given = given.map(|name| Unit { name: name.clone(), base: None });
    let unit = variable.unit.as_ref().or(given.as_ref());
    let scale = map.map_or(1.0, |map| map.scale);
    let target = match (expected, unit) {
        (Some(expected), _) => expected.to_owned(),
        (None, None) => "1".to_owned(),
        (None, Some(unit)) => {
            let from = unit.base.as_ref().map_or(&*unit.name, |(powers, ..)| powers);
            let found = UNITS.iter().find(|known| unit_factor(from, known).is_some());
            found.map_or(from, |known| known).to_owned()
        }
    };
    match Conversion::between(unit, &target, scale) {
        Some(conversion) => Ok((target, conversion)),
        None => {
            let found = unit.map_or("1", |unit| &*unit.name);
            let name = &variable.name;
            let scaled = if scale == 1.0 { String::new() } else { format!(", scaled by {scale}") };
            let text =
                format!("variable {name:?} is in {found}{scaled}; port `{port}` is in {target}");
            Err(FileClassError::new(text)
                .help("map another variable, or correct its unit or the scale"))
        }
    }
}
