//! The declarations of a plugin for users and programs.
//!
//! The structs define the JSON output of `simhost plugin info --json`.

mod parameters;

use serde::Serialize;
use simhost_abi::{
    CommandDesc, EPOCH, FINGERPRINT, Kind, Model, Phase, Plugin, PortDesc, Scope, StateDesc,
    StateKind, WheelDesc, model_flag, port_flag, wheel_flag,
};

use simhost_model::{View, lanes};

use crate::scan::Library;
use crate::versions::models;
pub use parameters::ParameterPage;

/// A plugin and its models.
#[derive(Clone, Debug, Serialize)]
pub struct PluginPage {
    /// Vendor, the part before the slash of a full class name.
    pub vendor: &'static str,
    /// Name of the plugin.
    pub name: &'static str,
    /// Version of the plugin.
    pub version: &'static str,
    /// Path of the file; `None` for linked-in models.
    pub file: Option<String>,
    /// Origin of the folder that contains the file.
    pub source: &'static str,
    /// SHA-256 of the file.
    pub sha256: Option<String>,
    /// State, as in [`FileState::name`](crate::FileState::name).
    pub state: &'static str,
    /// Reason why it is not used, or remarks.
    pub remarks: Vec<String>,
    /// Epoch and layout of plugin and host.
    pub abi: AbiPage,
    /// Models of the plugin.
    pub models: Vec<ModelPage>,
}

/// Epoch and layout of plugin and host.
#[derive(Clone, Debug, Serialize)]
pub struct AbiPage {
    /// Epoch of the plugin.
    pub epoch: u32,
    /// Epoch of this host.
    pub host_epoch: u32,
    /// Fingerprint of the plugin.
    pub fingerprint: String,
    /// Fingerprint of this host.
    pub host_fingerprint: String,
    /// Whether epochs and fingerprints are equal.
    pub matches: bool,
}

/// A model of a plugin.
#[derive(Clone, Debug, Serialize)]
pub struct ModelPage {
    /// Tag of the kind, such as `friction`.
    pub kind: &'static str,
    /// Short name.
    pub class: &'static str,
    /// `vendor/class`.
    pub full_name: String,
    /// Version of the model.
    pub version: &'static str,
    /// Description of the model.
    pub doc: &'static str,
    /// Whether a platform can move sideways.
    pub holonomic: bool,
    /// Parameters.
    pub parameters: Vec<ParameterPage>,
    /// Phases of a step with their inputs and outputs.
    pub phases: Vec<PhasePage>,
    /// State slots.
    pub states: Vec<StatePage>,
    /// Commands of a controller.
    pub commands: Vec<CommandPage>,
    /// Wheels of a dynamics class.
    pub wheels: Vec<WheelPage>,
    /// Default chassis of a dynamics class.
    pub chassis: Option<ChassisPage>,
}

/// A phase of a step.
#[derive(Clone, Debug, Serialize)]
pub struct PhasePage {
    /// Id of the phase, such as `force`.
    pub id: &'static str,
    /// Inputs of the phase.
    pub inputs: Vec<PortPage>,
    /// Outputs of the phase.
    pub outputs: Vec<PortPage>,
}

/// An input or output of a phase.
#[derive(Clone, Debug, Serialize)]
pub struct PortPage {
    /// Name, unique in its list.
    pub name: &'static str,
    /// SI unit.
    pub unit: &'static str,
    /// `instance`, `wheel`, `ray` or `array`.
    pub scope: &'static str,
    /// Meaning, sign convention and frame.
    pub doc: &'static str,
    /// Value of an input that nothing drives.
    pub default: f64,
    /// Whether an output is published, or nothing has to provide an input.
    pub optional: bool,
    /// Whether an input has no default.
    pub required: bool,
    /// Whether only commands and the world file set an input.
    pub command: bool,
    /// Name under which a world file sets the input, or empty.
    pub key: &'static str,
    /// Unit of the value in the world file.
    pub key_unit: &'static str,
}

/// A state slot.
#[derive(Clone, Debug, Serialize)]
pub struct StatePage {
    /// Name, unique in its list.
    pub name: &'static str,
    /// SI unit.
    pub unit: &'static str,
    /// `instance`, `wheel` or `ray`.
    pub scope: &'static str,
    /// `continuous`, `discrete`, `counter` or `angle`.
    pub kind: &'static str,
    /// Value at the start of a run, unless it comes from a parameter.
    pub initial: f64,
    /// Key of the parameter whose value is the one at the start of a run, or empty.
    pub initial_from: &'static str,
    /// Meaning, sign convention and frame.
    pub doc: &'static str,
}

/// A command that a controller accepts.
#[derive(Clone, Debug, Serialize)]
pub struct CommandPage {
    /// Name of the command, such as `twist`.
    pub kind: &'static str,
    /// Inputs that the values set; a value with an empty name is ignored.
    pub values: Vec<&'static str>,
}

/// A wheel of a dynamics class.
#[derive(Clone, Debug, Serialize)]
pub struct WheelPage {
    /// Name of the element in a world file.
    pub tag: &'static str,
    /// Position ahead of the reference point without such an element, m.
    pub x: f64,
    /// Position left of the reference point without such an element, m.
    pub y: f64,
    /// Whether the model places the wheel, and ignores positions in the world file.
    pub placed_by_model: bool,
}

/// The default chassis of a dynamics class.
#[derive(Clone, Debug, Serialize)]
pub struct ChassisPage {
    /// Mass without the wheels, kg.
    pub mass: f64,
    /// Lowest point above the ground, m.
    pub z_min: f64,
    /// Highest point above the ground, m.
    pub z_max: f64,
    /// Corners x0, y0, x1, y1 and so on, vehicle frame, m.
    pub polygon: &'static [f64],
}

impl PluginPage {
    /// Describes a library. Returns `None` if its descriptor could not be read.
    pub fn of(library: &Library) -> Option<Self> {
        let plugin = library.plugin?;
        let why = library.refusal.iter().map(|refusal| format!("it {refusal}"));
        Some(Self {
            vendor: plugin.vendor(),
            name: plugin.name(),
            version: plugin.version(),
            file: library.file.as_ref().map(|file| file.display().to_string()),
            source: library.source.name(),
            sha256: library.file.as_deref().and_then(sha256),
            state: library.state().name(),
            remarks: why.chain(library.remarks.iter().cloned()).collect(),
            abi: abi(plugin),
            models: models(plugin)
                .map(|(kind, _, model)| ModelPage::of(kind, plugin.vendor(), model))
                .collect(),
        })
    }
}

fn abi(plugin: &View<Plugin>) -> AbiPage {
    let (epoch, fingerprint) = (plugin.head.epoch, plugin.head.fingerprint);
    AbiPage {
        epoch,
        host_epoch: EPOCH,
        fingerprint: format!("{fingerprint:016x}"),
        host_fingerprint: format!("{FINGERPRINT:016x}"),
        matches: epoch == EPOCH && fingerprint == FINGERPRINT,
    }
}

/// Returns the SHA-256 of a file in hexadecimal digits, or `None` if it cannot be read.
pub fn sha256(file: &std::path::Path) -> Option<String> {
    use sha2::Digest;
    let digest =
        sha2::Sha256::digest(simhost_files::read(file, simhost_files::MAX_DATA_BYTES).ok()?);
    Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl PhasePage {
    /// Returns the inputs that a world file can set.
    pub fn set_points(&self) -> impl Iterator<Item = &PortPage> {
        self.inputs.iter().filter(|port| !port.key.is_empty())
    }
}

impl ModelPage {
    /// Describes a model of a vendor.
    pub fn of(kind: Kind, vendor: &str, model: &'static View<Model>) -> Self {
        let class = model.id();
        Self {
            kind: kind.tag(),
            class,
            full_name: format!("{vendor}/{class}"),
            version: model.version(),
            doc: model.doc(),
            holonomic: model.flags & model_flag::HOLONOMIC != 0,
            parameters: model.params().iter().map(ParameterPage::of).collect(),
            phases: model.phases().iter().map(phase).collect(),
            states: model.states().iter().map(state).collect(),
            commands: model.commands().iter().map(command).collect(),
            wheels: model.wheels().iter().map(wheel).collect(),
            chassis: chassis(model),
        }
    }
}

fn state(state: &'static View<StateDesc>) -> StatePage {
    StatePage {
        name: state.name(),
        unit: state.unit(),
        scope: scope(state.scope),
        kind: state.kind().map_or("", StateKind::name),
        initial: state.initial,
        initial_from: state.initial_key(),
        doc: state.doc(),
    }
}

fn command(command: &'static View<CommandDesc>) -> CommandPage {
    CommandPage { kind: command.kind(), values: command.ports().collect() }
}

fn wheel(wheel: &'static View<WheelDesc>) -> WheelPage {
    let placed_by_model = wheel.flags & wheel_flag::PLACED_BY_MODEL != 0;
    WheelPage { tag: wheel.tag(), x: wheel.x, y: wheel.y, placed_by_model }
}

fn chassis(model: &'static View<Model>) -> Option<ChassisPage> {
    let chassis = model.chassis()?;
    let (mass, z_min, z_max) = (chassis.mass, chassis.z_min, chassis.z_max);
    Some(ChassisPage { mass, z_min, z_max, polygon: chassis.corners().as_flattened() })
}

fn phase(phase: &'static View<Phase>) -> PhasePage {
    // inputs of parameters are an affair of host and model
    let ports = |ports: &'static [View<PortDesc>]| {
        ports.iter().filter(|port| !lanes::is_parameter(port)).map(port).collect()
    };
    PhasePage { id: phase.id(), inputs: ports(phase.inputs()), outputs: ports(phase.outputs()) }
}

fn port(port: &'static View<PortDesc>) -> PortPage {
    PortPage {
        name: port.name(),
        unit: port.unit(),
        scope: scope(port.scope),
        doc: port.doc(),
        default: port.default,
        optional: port.flags & port_flag::OPTIONAL != 0,
        required: port.flags & port_flag::REQUIRED != 0,
        command: port.flags & port_flag::COMMAND != 0,
        key: port.key(),
        key_unit: port.key_unit(),
    }
}

const fn scope(scope: u32) -> &'static str {
    if scope == Scope::Wheel as u32 {
        "wheel"
    } else if scope == Scope::Ray as u32 {
        "ray"
    } else if scope == Scope::Array as u32 {
        "array"
    } else {
        "instance"
    }
}
