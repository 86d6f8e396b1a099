//! Ports that the kind of a model determines: quantities of the host, outputs of a phase, and commands.

use simhost_abi::host_port::{
    ACTUATORS, AIM_OUTPUTS, AXLE_INPUTS, AXLE_OUTPUTS, CONTACT_INPUTS, DRIVE_OUTPUTS,
    ENERGY_OUTPUTS, GRAVITY_OUTPUTS, HostPort, MEASUREMENTS, MOTION_OUTPUTS, ODOMETRY,
    POINT_INPUTS, RAY_RESULTS, SENSOR_CONSTANTS, SPACE_AIM_OUTPUTS, SPACE_RAY_RESULTS,
    SPATIAL_OUTPUTS, SURFACE_OUTPUTS, WHEEL_INPUTS, WHEEL_OUTPUTS, WIND_OUTPUTS, WRENCH_OUTPUTS,
};
use simhost_abi::{Kind, Model, Phase, PortDesc, Scope, port_flag};

use super::actuation::phase_faults;
use super::parameters::parameters;
use super::quantity::{PUBLISH, Place, Quantity, Side, find, has_key, places};
use super::{PortFault, fleet, is_array, is_command, is_optional, reads_sensors};
use crate::unit::{same_unit, unit_factor};
use crate::view::View;

/// The ports of a phase that its kind fixes.
struct Fixed {
    /// Quantities of the host that the phase can read.
    inputs: Vec<Quantity>,
    /// Whether other models or the world file can provide further inputs.
    open_inputs: bool,
    /// Quantities that the host takes.
    outputs: Vec<Quantity>,
    /// Outputs that the phase needs.
    needed: &'static [HostPort],
    /// Whether other models can take further outputs.
    open_outputs: bool,
}

impl Fixed {
    fn new(inputs: &'static [HostPort], outputs: &'static [HostPort]) -> Self {
        Self {
            inputs: inputs.iter().map(Quantity::from).collect(),
            open_inputs: true,
            outputs: outputs.iter().map(Quantity::from).collect(),
            needed: &[],
            open_outputs: false,
        }
    }

    fn of(model: &'static View<Model>, phase: &str) -> Option<Self> {
        let new = Self::new;
        let needing = |needed, fixed| Self { needed, ..fixed };
        Some(match (model.kind()?, phase) {
            (Kind::Friction, "force") => {
                let mut closed = Self { open_inputs: false, ..new(WHEEL_INPUTS, WHEEL_OUTPUTS) };
                closed.inputs.extend(CONTACT_INPUTS.iter().map(Quantity::from));
                needing(WHEEL_OUTPUTS, closed)
            }
            // a class without brakes or camber leaves their outputs out
            (Kind::Dynamics, "drive") => {
                needing(&DRIVE_OUTPUTS[..2], new(MEASUREMENTS, DRIVE_OUTPUTS))
            }
            (Kind::Dynamics, "wrench") => {
                needing(&WRENCH_OUTPUTS[..5], new(MEASUREMENTS, WRENCH_OUTPUTS))
            }
            (Kind::Dynamics, "motion") => {
                needing(&MOTION_OUTPUTS[..8], new(MEASUREMENTS, MOTION_OUTPUTS))
            }
            (Kind::Dynamics, "measure") => {
                let fixed = new(MEASUREMENTS, ODOMETRY);
                Self { open_inputs: false, open_outputs: true, ..fixed }
            }
            (Kind::Controller, "control") => {
                Self { open_outputs: true, ..new(MEASUREMENTS, ACTUATORS) }
            }
            (Kind::Sensor, "aim") => {
                let mut fixed = new(MEASUREMENTS, AIM_OUTPUTS);
                fixed.outputs.extend(SPACE_AIM_OUTPUTS.iter().map(Quantity::from));
                fixed
            }
            (Kind::Sensor, "read") => {
                let mut fixed = new(MEASUREMENTS, &[]);
                let own = RAY_RESULTS.iter().chain(SENSOR_CONSTANTS);
                fixed.inputs.extend(own.map(Quantity::from));
                if model.can_be_spatial() {
                    fixed.inputs.extend(SPACE_RAY_RESULTS.iter().map(Quantity::from));
                }
                let aimed = model.phase("aim").into_iter().flat_map(|aim| aim.outputs());
                fixed.inputs.extend(aimed.map(Quantity::from));
                Self { open_outputs: true, ..fixed }
            }
            (Kind::Suspension, "kinematics") => {
                let mut fixed = needing(AXLE_OUTPUTS, new(AXLE_INPUTS, AXLE_OUTPUTS));
                let measured = MEASUREMENTS.iter().filter(|port| port.scope == Scope::Instance);
                fixed.inputs.extend(measured.map(Quantity::from));
                Self { open_inputs: false, ..fixed }
            }
            (Kind::Dynamics, "advance") => {
                let is_taken =
                    |port: &&HostPort| port.scope == Scope::Instance || port.name == "spin";
                let outputs = MOTION_OUTPUTS.iter().filter(is_taken);
                let mut fixed = new(MEASUREMENTS, &[]);
                fixed.outputs = outputs.map(Quantity::from).collect();
                fixed
            }
            (Kind::Dynamics, "energy") => {
                needing(ENERGY_OUTPUTS, new(MEASUREMENTS, ENERGY_OUTPUTS))
            }
            (Kind::Fleet, "command") => {
                Self { inputs: fleet::readable(), open_outputs: true, ..new(&[], &[]) }
            }
            (Kind::Environment, "update") => Self { open_inputs: false, ..new(&[], &[]) },
            (Kind::Environment, "wind") => Self::at_points(WIND_OUTPUTS),
            (Kind::Environment, "surface") => Self::at_points(SURFACE_OUTPUTS),
            (Kind::Environment, "gravity") => {
                let fixed = new(&[], GRAVITY_OUTPUTS);
                needing(GRAVITY_OUTPUTS, Self { open_inputs: false, ..fixed })
            }
            _ => return None,
        })
    }

    /// Returns the ports of a phase that an environment has for points, which needs all its outputs.
    fn at_points(outputs: &'static [HostPort]) -> Self {
        Self { open_inputs: false, needed: outputs, ..Self::new(POINT_INPUTS, outputs) }
    }
}

/// Returns whether a phase with this id belongs to an environment and reads the states and the memory of the environment at
/// any number of points, so that its lanes have none.
pub fn shares_state(phase: &str) -> bool {
    matches!(phase, "wind" | "surface" | "gravity")
}

/// Returns the ports of a model that contradict its kind.
pub fn kind_faults(model: &'static View<Model>) -> Vec<PortFault> {
    let mut faults = Vec::new();
    for phase in model.phases() {
        if phase.id() == "rates" {
            rates(model, phase, &mut faults);
        } else if model.kind() == Some(Kind::Actuator) {
            phase_faults(phase, &mut faults);
        } else if let Some(fixed) = Fixed::of(model, phase.id()) {
            inputs(model, phase, &fixed, &mut faults);
            outputs(model, phase, &fixed, &mut faults);
        }
    }
    spatial_motion(model, &mut faults);
    commands(model, &mut faults);
    states(model, &mut faults);
    parameters(model, &mut faults);
    faults
}

fn inputs(
    model: &'static View<Model>,
    phase: &'static View<Phase>,
    fixed: &Fixed,
    faults: &mut Vec<PortFault>,
) {
    for place in places(phase, Side::Input) {
        let port = place.port;
        if !port.key().is_empty() && !has_key(model, port) {
            let text = format!("{place} has the key `{}`, which no world file can set", port.key());
            faults.push(place.fault(text, "declare a parameter instead"));
        }
        faults.extend(wrong_key_unit(&place));
        if model.kind() == Some(Kind::Fleet)
            && let Some(fault) = fleet::input_fault(&place)
        {
            faults.push(fault);
            continue;
        }
        if is_command(port) {
            faults.extend(unusable_command(model, &place));
            continue;
        }
        if is_array(port) {
            faults.extend(unreadable(model, &place));
            continue;
        }
        match find(&fixed.inputs, port.name()) {
            Some(quantity) => faults.extend(place.compare(quantity, "the host")),
            None if fixed.open_inputs || has_key(model, port) || is_optional(port) => {}
            None => {
                let text = format!("unknown {place}");
                let lead = format!("phase `{}` can read", phase.id());
                let help = "rename it, or remove it";
                faults.push(place.unknown(text, &lead, &fixed.inputs, help));
            }
        }
    }
}

fn outputs(
    model: &'static View<Model>,
    phase: &'static View<Phase>,
    fixed: &Fixed,
    faults: &mut Vec<PortFault>,
) {
    for place in places(phase, Side::Output) {
        let port = place.port;
        match find(&fixed.outputs, port.name()) {
            Some(quantity) => faults.extend(place.compare(quantity, "the host")),
            None if fixed.open_outputs || is_optional(port) => {}
            None => {
                let text = format!("unknown {place}");
                let lead = format!("phase `{}` sets", phase.id());
                faults.push(place.unknown(text, &lead, &fixed.outputs, PUBLISH));
            }
        }
        let has_scope = match model.kind() {
            Some(Kind::Friction | Kind::Environment | Kind::Fleet | Kind::Suspension) => {
                port.scope == Scope::Instance as u32
            }
            Some(Kind::Sensor) => !is_array(port),
            _ => port.scope <= Scope::Wheel as u32,
        };
        if !has_scope && find(&fixed.outputs, port.name()).is_none() {
            let kind = model.kind().map_or("a model", Kind::with_article);
            let text = format!("{place} has a scope that the outputs of {kind} cannot have");
            faults.push(place.fault(text, "give it one value per lane"));
        }
    }
    for needed in fixed.needed {
        if !phase.outputs().iter().any(|port| port.name() == needed.name) {
            let text = format!("missing output `{}` of phase `{}`", needed.name, phase.id());
            let help = format!("add it, in {}: {}", needed.unit, needed.doc);
            faults.push(PortFault::new(text, help));
        }
    }
}

/// Checks that a class that sets a part of the motion in space sets all of it.
fn spatial_motion(model: &'static View<Model>, faults: &mut Vec<PortFault>) {
    let Some(phase) = model.phase("motion").filter(|_| model.kind() == Some(Kind::Dynamics)) else {
        return;
    };
    let has = |name: &str| phase.outputs().iter().any(|port| port.name() == name);
    let Some(given) = SPATIAL_OUTPUTS.iter().find(|port| has(port.name)) else { return };
    for missing in SPATIAL_OUTPUTS.iter().filter(|port| !has(port.name)) {
        let [missing, given] = [missing.name, given.name];
        let text =
            format!("missing output `{missing}` of phase `motion`, which has the output `{given}`");
        let help = "set all of z, pitch, roll, vz, pitch_rate and roll_rate, or none";
        faults.push(PortFault::new(text, help));
    }
}

/// Compares the unit and factor under which a world file sets an input with the unit of the input.
fn wrong_key_unit(place: &Place) -> Option<PortFault> {
    let port = place.port;
    if port.key().is_empty() {
        return None;
    }
    let (unit, key_unit, scale) = (port.unit(), port.key_unit(), port.key_scale);
    let Some(factor) = unit_factor(key_unit, unit) else {
        let text = format!("{place} is in {unit}, but its key is in {key_unit}");
        return Some(place.fault(text, "use a unit of the same dimension"));
    };
    // a sign turns the direction
    let is_right = (scale.abs() - factor).abs() <= 1e-6 * factor;
    let text = format!("{place}: the factor from {key_unit} to {unit} is {factor}, not {scale}");
    (!is_right).then(|| place.fault(text, "correct the scale of its key"))
}

/// Checks an input with the readings of a sensor.
fn unreadable(model: &'static View<Model>, place: &Place) -> Option<PortFault> {
    if reads_sensors(model, place.phase) {
        return None;
    }
    let text = format!("{place} is an array: this phase cannot read sensors");
    Some(place.fault(text, "remove it, or read the sensor in a controller"))
}

/// Checks an input that only commands and the world file set.
fn unusable_command(model: &'static View<Model>, place: &Place) -> Option<PortFault> {
    let port = place.port;
    if is_array(port) {
        let text = format!("{place} is an array, which no command can set");
        return Some(place.fault(text, "remove the flag `command`"));
    }
    let named = |name: &str| name == port.name();
    let is_set = model.commands().iter().any(|command| command.ports().any(named));
    if is_set || has_key(model, port) {
        return None;
    }
    let text = format!("{place} is a command, but no command sets it and it has no key");
    Some(place.fault(text, "name it in a command, or give it a key"))
}

/// Checks that commands set inputs that exist. Commands of a fleet consist of outputs.
fn commands(model: &'static View<Model>, faults: &mut Vec<PortFault>) {
    if let (Some(Kind::Fleet), Some(phase)) = (model.kind(), model.phase("command")) {
        return fleet::commands(model, phase, faults);
    }
    let places = || model.phase("control").into_iter().flat_map(|phase| places(phase, Side::Input));
    let help = "name an input of phase `control`, or leave the name empty";
    fleet::unknown_values(model, &|| places().map(|place| place.port), faults, &|kind, name| {
        PortFault::new(format!("command `{kind}` sets `{name}`, which is not an input"), help)
    });
}

/// Checks that states have a scope that the host keeps.
fn states(model: &'static View<Model>, faults: &mut Vec<PortFault>) {
    let allowed = match model.kind() {
        Some(
            Kind::Friction | Kind::Actuator | Kind::Environment | Kind::Fleet | Kind::Suspension,
        ) => [Scope::Instance, Scope::Instance],
        Some(Kind::Sensor) => [Scope::Instance, Scope::Ray],
        _ => [Scope::Instance, Scope::Wheel],
    };
    for state in model.states() {
        if !allowed.iter().any(|scope| *scope as u32 == state.scope) {
            let kind = model.kind().map_or("a model", Kind::with_article);
            let name = state.name();
            faults.push(PortFault::new(
                format!("state `{name}` has a scope that the states of {kind} cannot have"),
                "give it one value per lane",
            ));
        }
    }
}

/// Compares the phase `rates` with the phase before it and with the states.
fn rates(model: &'static View<Model>, phase: &'static View<Phase>, faults: &mut Vec<PortFault>) {
    let before = match model.kind() {
        Some(Kind::Friction) => model.phase("force"),
        Some(Kind::Dynamics) => super::driving(model),
        Some(Kind::Controller) => model.phase("control"),
        Some(Kind::Actuator) => model.phase("actuate"),
        _ => None,
    };
    let Some(before) = before else { return };
    let shape = |ports: &'static [View<PortDesc>]| {
        ports.iter().map(|port| (port.name(), port.scope, port.flags & !port_flag::OPTIONAL))
    };
    if !shape(phase.inputs()).eq(shape(before.inputs())) {
        let id = before.id();
        faults.push(PortFault::new(
            format!("phase `rates` does not have the inputs of phase `{id}`, in order"),
            "declare the same inputs",
        ));
    }
    let states = model.states();
    for (place, state) in places(phase, Side::Output).zip(states) {
        let port = place.port;
        let unit = format!("({})/s", state.unit());
        let same = same_unit(port.unit(), &unit) || same_unit(port.unit(), state.unit());
        if port.name() != state.name() || port.scope != state.scope || !same {
            let text =
                format!("{place} is not the rate of state `{}` ({})", state.name(), state.unit());
            faults.push(place.fault(text, "declare one output per state, in order"));
        }
    }
    if phase.outputs().len() != states.len() {
        let (found, expected) = (phase.outputs().len(), states.len());
        faults.push(PortFault::new(
            format!("phase `rates` has {found} outputs; expected one per state, {expected}"),
            "declare one output per state, in order",
        ));
    }
}
