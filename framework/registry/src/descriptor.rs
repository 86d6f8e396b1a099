//! The rules for descriptors beyond their layout.
//!
//! A descriptor is untrusted: pointers can be null, lengths absurd, texts not UTF-8. A dangling
//! pointer ends the process that reads it, which is why unknown files are tried in a child process.

mod names;
mod parameters;
mod reading;

use std::ptr::addr_of;

use simhost_abi::{
    ChassisDesc, Kind, Model, ParamKind, Phase, Plugin, PortDesc, Scope, StateDesc, StateKind,
    WheelDesc,
};

use names::{check_keys, key, version, word};
use parameters::check_parameters;
use reading::once;

pub(crate) use reading::Reader;

/// The kind of a rule for descriptors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// Required parts are present and valid.
    Complete,
    /// Names are unique.
    Unique,
    /// Defaults are valid values.
    Default,
}

/// Returns the kind of the rule that an error of [`check`] is about.
pub fn rule(error: &str) -> Rule {
    if error.ends_with(reading::TWICE) {
        Rule::Unique
    } else if error.contains(parameters::DEFAULT) {
        Rule::Default
    } else {
        Rule::Complete
    }
}

/// Checks a descriptor.
///
/// # Errors
///
/// The first rule that it breaks, and the part that breaks it.
pub fn check(plugin: &Plugin) -> Result<(), String> {
    check_with(Reader::default(), plugin)
}

/// Checks a descriptor with a reader that knows the library to which it belongs.
pub(crate) fn check_with(read: Reader<'_>, plugin: &Plugin) -> Result<(), String> {
    word(read, "the vendor", plugin.vendor)?;
    word(read, "the name of the plugin", plugin.name)?;
    version(read, "the version", plugin.version)?;
    let models = read.items("the list of models", plugin.models)?;
    if models.is_empty() {
        return Err("it has no models".into());
    }
    for (place, model) in models.iter().enumerate() {
        check_model(read, *model).map_err(|error| match error {
            Fault::Of(who, what) => format!("{who}: {what}"),
            Fault::Nameless(what) => format!("model {}: {what}", place + 1),
        })?;
    }
    Ok(())
}

/// A rule that a model breaks.
enum Fault {
    /// Kind and class of the model, and the problem.
    Of(String, String),
    /// The problem of a model whose name is not known yet.
    Nameless(String),
}

fn check_model(read: Reader<'_>, model: *const Model) -> Result<(), Fault> {
    if model.is_null() {
        return Err(Fault::Nameless("it is null".into()));
    }
    read.place("its descriptor", model, 1).map_err(Fault::Nameless)?;
    // SAFETY: not null, aligned and part of the plugin; functions are looked at as numbers before a reference is made.
    let (size, create, destroy) = unsafe {
        let size = addr_of!((*model).size).read();
        (
            size,
            read.function("`create`", addr_of!((*model).create)),
            read.function("`destroy`", addr_of!((*model).destroy)),
        )
    };
    if size as usize != size_of::<Model>() {
        let text = format!("it has {size} bytes, expected {}", size_of::<Model>());
        return Err(Fault::Nameless(text));
    }
    let (create, destroy) =
        create.and_then(|create| Ok((create, destroy?))).map_err(Fault::Nameless)?;
    if !(create && destroy) {
        let text = "`create` or `destroy` is null, expected a function".into();
        return Err(Fault::Nameless(text));
    }
    // SAFETY: as above, and the functions are there.
    let model = unsafe { &*model };
    let id = word(read, "its class name", model.id).map_err(Fault::Nameless)?;
    let kind = Kind::from_u32(model.kind).ok_or_else(|| {
        let known = Kind::ALL.map(|kind| format!("{} {}", kind as u32, kind.tag())).join(", ");
        let text = format!("its kind is {}, expected one of {known}", model.kind);
        Fault::Of(format!("class '{id}'"), text)
    })?;
    check_content(read, kind, model)
        .map_err(|what| Fault::Of(format!("{} '{id}'", kind.tag()), what))
}

fn check_content(read: Reader<'_>, kind: Kind, model: &Model) -> Result<(), String> {
    version(read, "its version", model.version)?;
    read.text("its description", model.doc)?;
    check_parameters(read, read.items("the list of parameters", model.params)?, 0)?;
    check_keys(read, kind, model)?;
    check_states(read, model)?;
    check_phases(read, kind, model)?;
    check_commands(read, model)?;
    check_rays(read, model)?;
    check_geometry(read, model)
}

/// Checks the size that a struct states.
fn sized<T>(who: &str, size: u32) -> Result<(), String> {
    let expected = size_of::<T>();
    if size as usize == expected {
        return Ok(());
    }
    Err(format!("{who} has a `size` of {size} bytes, expected {expected} (sizeof the struct)"))
}

fn check_states(read: Reader<'_>, model: &Model) -> Result<(), String> {
    let mut states = Vec::new();
    for state in read.items("the list of states", model.states)? {
        let state_name = read.name("the name of a state", state.name)?;
        let who = format!("state '{state_name}'");
        sized::<StateDesc>(&who, state.size)?;
        check_scope(&who, state.scope)?;
        read.text(&format!("the unit of {who}"), state.unit)?;
        read.text(&format!("the description of {who}"), state.doc)?;
        check_state_kind(state_name, state.kind)?;
        let key = read.text(&format!("the parameter that {who} starts from"), state.initial_key)?;
        check_initial_key(read, model, &who, key)?;
        states.push(state_name);
    }
    once("state", states)
}

/// Checks that a state starts from a number among the parameters, which have been checked.
fn check_initial_key(
    read: Reader<'_>,
    model: &Model,
    state: &str,
    key: &str,
) -> Result<(), String> {
    let mut numbers = Vec::new();
    for param in read.items("the list of parameters", model.params)? {
        let kind = ParamKind::from_u32(param.kind);
        if matches!(kind, Some(ParamKind::Number | ParamKind::Integer)) {
            numbers.push(read.text("the name of a parameter", param.key)?);
        }
    }
    if key.is_empty() || numbers.contains(&key) {
        return Ok(());
    }
    let known = match numbers.as_slice() {
        [] => "the model has no number among its parameters".to_owned(),
        numbers => format!("expected one of the numbers {}", numbers.join(", ")),
    };
    Err(format!("{state} starts from the parameter '{key}'; {known}"))
}

fn check_state_kind(name: &str, kind: u32) -> Result<(), String> {
    if StateKind::from_u32(kind).is_some() {
        return Ok(());
    }
    let known = StateKind::ALL.map(|kind| format!("{} {}", kind as u32, kind.name())).join(", ");
    Err(format!("state '{name}' has kind {kind}, expected one of {known}"))
}

fn check_ports(read: Reader<'_>, phase: &str, of: &Phase) -> Result<(), String> {
    for (what, ports) in [("input", of.inputs), ("output", of.outputs)] {
        let ports = read.items(&format!("the list of {what}s of '{phase}'"), ports)?;
        let names =
            ports.iter().map(|port| check_port(read, what, port)).collect::<Result<_, _>>()?;
        once(what, names)?;
    }
    Ok(())
}

fn check_port(
    read: Reader<'_>,
    what: &str,
    port: &'static PortDesc,
) -> Result<&'static str, String> {
    let port_name = read.name(&format!("the name of an {what}"), port.name)?;
    let who = format!("{what} '{port_name}'");
    sized::<PortDesc>(&who, port.size)?;
    match what {
        "input" if port.scope == Scope::Array as u32 => {}
        _ => check_scope(&who, port.scope)?,
    }
    for (part, value) in [("unit", port.unit), ("description", port.doc)] {
        read.text(&format!("the {part} of {who}"), value)?;
    }
    if port.key.len > 0 {
        key(read, &format!("the key of {who}"), port.key)?;
    }
    read.text(&format!("the unit of the key of {who}"), port.key_unit)?;
    Ok(port_name)
}

fn check_scope(who: &str, scope: u32) -> Result<(), String> {
    if scope <= Scope::Ray as u32 {
        Ok(())
    } else {
        Err(format!(
            "{who} has the scope {scope}, expected 0 instance, 1 wheel or 2 ray; an input can have 3 array"
        ))
    }
}

fn check_commands(read: Reader<'_>, model: &Model) -> Result<(), String> {
    let mut kinds = Vec::new();
    for command in read.items("the list of commands", model.commands)? {
        let kind = read.name("the kind of a command", command.kind)?;
        for port in read.items(&format!("the values of command '{kind}'"), command.ports)? {
            read.text(&format!("a value of command '{kind}'"), *port)?;
        }
        kinds.push(kind);
    }
    once("command", kinds)
}

/// Checks that a sensor with ports of scope ray says how many rays it casts.
fn check_rays(read: Reader<'_>, model: &Model) -> Result<(), String> {
    // SAFETY: a field of a valid struct; looked at as a number.
    if unsafe { read.function("`capacity`", addr_of!(model.capacity)) }? {
        return Ok(());
    }
    for phase in read.items("the list of phases", model.phases)? {
        for ports in [phase.inputs, phase.outputs] {
            let ports = read.items("the list of ports", ports)?;
            if let Some(port) = ports.iter().find(|port| port.scope == Scope::Ray as u32) {
                let port = read.text("the name of a port", port.name)?;
                return Err(format!(
                    "port '{port}' has one value per ray, but `capacity`, which returns the number of \
                     rays, is null"
                ));
            }
        }
    }
    Ok(())
}

/// Checks the wheels and the default chassis.
fn check_geometry(read: Reader<'_>, model: &Model) -> Result<(), String> {
    let mut tags = Vec::new();
    for wheel in read.items("the list of wheels", model.wheels)? {
        let tag = key(read, "the tag of a wheel", wheel.tag)?;
        let who = format!("wheel '{tag}'");
        sized::<WheelDesc>(&who, wheel.size)?;
        for (axis, value) in [("x", wheel.x), ("y", wheel.y)] {
            finite(&format!("`{axis}` of {who}"), value)?;
        }
        tags.push(tag);
    }
    once("wheel", tags)?;
    if model.chassis.is_null() {
        return Ok(());
    }
    read.place("its chassis", model.chassis, 1)?;
    // SAFETY: not null, aligned and part of the plugin, and the plugin declares that it is a chassis.
    check_chassis(read, unsafe { &*model.chassis })
}

fn check_chassis(read: Reader<'_>, chassis: &'static ChassisDesc) -> Result<(), String> {
    sized::<ChassisDesc>("its chassis", chassis.size)?;
    let ChassisDesc { mass, z_min, z_max, .. } = *chassis;
    for (what, value) in [("mass", mass), ("z_min", z_min), ("z_max", z_max)] {
        finite(&format!("`{what}` of its chassis"), value)?;
    }
    if mass <= 0.0 {
        return Err(format!("the mass of its chassis is {mass} kg, expected more than 0"));
    }
    if z_min > z_max {
        return Err(format!("its chassis reaches from {z_min} m up to {z_max} m"));
    }
    let numbers = read.items("the polygon of its chassis", chassis.polygon)?;
    if numbers.len() < 6 || !numbers.len().is_multiple_of(2) {
        let count = numbers.len();
        return Err(format!(
            "the polygon of its chassis has {count} numbers, expected x and y of at least 3 corners"
        ));
    }
    numbers.iter().try_for_each(|value| finite("a corner of its chassis", *value))
}

fn finite(what: &str, value: f64) -> Result<(), String> {
    if value.is_finite() {
        return Ok(());
    }
    Err(format!("{what} is {value}, expected a finite number"))
}

/// Returns the phases of a kind: the model needs exactly one phase of each group.
const fn phases_of(kind: Kind) -> &'static [&'static [&'static str]] {
    match kind {
        Kind::Friction => &[&["force"]],
        Kind::Dynamics => &[&["drive", "wrench", "motion"], &["measure"]],
        Kind::Controller => &[&["control"]],
        Kind::Sensor => &[&["aim"], &["read"]],
        Kind::Actuator => &[&["actuate"]],
        Kind::Environment => &[&["update"]],
        Kind::Fleet => &[&["command"]],
        Kind::Observer => &[],
        Kind::Suspension => &[&["kinematics"]],
    }
}

/// Returns the phases that a model of this kind can have in addition to those that it needs.
const fn optional(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Environment => &["wind", "surface", "gravity"],
        Kind::Fleet | Kind::Suspension => &[],
        Kind::Dynamics => &[RATES, "advance", "energy"],
        _ => &[RATES],
    }
}

/// The additional phase of a model with continuous states.
const RATES: &str = "rates";

fn check_phases(read: Reader<'_>, kind: Kind, model: &Model) -> Result<(), String> {
    let phases = read.items("the list of phases", model.phases)?;
    let mut ids = Vec::new();
    for phase in phases {
        let id = read.text("the id of a phase", phase.id)?;
        sized::<Phase>(&format!("phase '{id}'"), phase.size)?;
        // SAFETY: a field of a valid struct; looked at as a number.
        if !unsafe {
            read.function(&format!("the function of phase '{id}'"), addr_of!(phase.call))
        }? {
            return Err(format!("phase '{id}' has no function: `call` is null"));
        }
        check_ports(read, id, phase)?;
        ids.push(id);
    }
    let needed = phases_of(kind);
    if let (Kind::Observer, Some(id)) = (kind, ids.first()) {
        return Err(format!("unknown phase '{id}'; an observer has no phases"));
    }
    let found = |choice: &&[&str]| ids.iter().filter(|id| choice.contains(id)).count();
    let wrong = needed.iter().find(|choice| found(choice) != 1);
    let stranger = |id: &&&str| {
        !optional(kind).contains(id) && !needed.iter().any(|choice| choice.contains(id))
    };
    let other = ids.iter().find(stranger);
    once("phase", ids.clone())?;
    let has = if ids.is_empty() { "none".to_owned() } else { ids.join(", ") };
    let all: Vec<String> = needed.iter().map(|choice| choice.join(" or ")).collect();
    let mut all = format!("{} needs {}", kind.with_article(), all.join(" and "));
    if kind == Kind::Environment {
        all += &format!(" and can have {}", optional(kind).join(", "));
    }
    all += &format!(", it has {has}");
    match (wrong, other) {
        (Some([only]), _) => Err(format!("missing phase '{only}'; {all}")),
        (Some(choice), _) => {
            Err(format!("expected one of the phases {}; {all}", choice.join(", ")))
        }
        (None, Some(id)) => Err(format!("unknown phase '{id}'; {all}")),
        (None, None) => Ok(()),
    }
}
