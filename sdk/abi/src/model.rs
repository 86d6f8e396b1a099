//! The descriptors of plugins and models, and the batch of a call.

use std::ffi::c_void;

use crate::numbered::numbered;
use crate::values::{ParamDesc, Slice, Str, Value};

/// Creates an instance from parameters in the order of their declaration. Returns a code of
/// [`fault_code`] and writes the handle on success, or else the fault. Can allocate.
pub type CreateFn =
    unsafe extern "C" fn(values: Slice<Value>, handle: *mut *mut c_void, fault: *mut Fault) -> u32;
/// Destroys an instance. The handle is not used again.
pub type DestroyFn = unsafe extern "C" fn(handle: *mut c_void);
/// Places the wheels of a vehicle. The host passes the positions of the world file, which the model
/// can change. Can allocate.
pub type ArrangeFn = unsafe extern "C" fn(
    handle: *const c_void,
    wheels: *mut WheelGeometry,
    count: usize,
    fault: *mut Fault,
) -> u32;
/// Returns the number of rays that one instance of a sensor casts per sample.
pub type CapacityFn = unsafe extern "C" fn(handle: *const c_void) -> usize;
/// Runs one phase of a step over the lanes `first .. first + count` of a batch. The handle is
/// immutable. Must not allocate, print or block.
pub type CallFn =
    unsafe extern "C" fn(handle: *const c_void, batch: *const Batch, fault: *mut Fault) -> u32;
/// Returns the static table with a string id such as `"simhost.x/1"`, or null.
pub type AbilityFn = unsafe extern "C" fn(id: Str) -> *const c_void;

boundary! {
    /// An input or output of a phase, wired by name when a world is loaded.
    pub struct PortDesc {
        /// Size of this struct in bytes.
        pub size: u32,
        /// One of [`Scope`].
        pub scope: u32,
        /// Bits of [`port_flag`].
        pub flags: u32,
        /// Zero.
        pub reserved: u32,
        /// Name, unique among the inputs or outputs of the phase.
        pub name: Str,
        /// SI unit; "1" for a pure number.
        pub unit: Str,
        /// Meaning, sign convention and frame.
        pub doc: Str,
        /// Value of an input that nothing provides, unless it is [`port_flag::REQUIRED`].
        pub default: f64,
        /// Name under which a world file sets an input that nothing drives, or empty.
        pub key: Str,
        /// Unit of the value under that name.
        pub key_unit: Str,
        /// Factor from `key_unit` to `unit`.
        pub key_scale: f64,
    }

    /// A state slot: one number per lane, wheel or ray that the host keeps between steps.
    pub struct StateDesc {
        /// Size of this struct in bytes.
        pub size: u32,
        /// One of [`Scope`].
        pub scope: u32,
        /// One of [`StateKind`].
        pub kind: u32,
        /// Zero.
        pub reserved: u32,
        /// Name, unique within the model.
        pub name: Str,
        /// SI unit; "1" for a pure number.
        pub unit: Str,
        /// Meaning, sign convention and frame.
        pub doc: Str,
        /// Value at the start of a run, unless the parameter `initial_key` has a value.
        pub initial: f64,
        /// Key of a number or integer among the parameters of the model, whose value in the unit of
        /// the model is the one at the start of a run; or empty.
        pub initial_key: Str,
    }

    /// A command that a controller accepts.
    pub struct CommandDesc {
        /// Size of this struct in bytes.
        pub size: u32,
        /// Zero.
        pub reserved: u32,
        /// Name of the command, such as `twist`.
        pub kind: Str,
        /// Inputs that the values of the command set, in order. An empty name skips a value.
        pub ports: Slice<Str>,
    }

    /// A wheel of a dynamics class.
    pub struct WheelDesc {
        /// Size of this struct in bytes.
        pub size: u32,
        /// Bits of [`wheel_flag`].
        pub flags: u32,
        /// Name of the element in the world file, such as `l_wheel`.
        pub tag: Str,
        /// Position ahead of the reference point without such an element, m.
        pub x: f64,
        /// Position left of the reference point without such an element, m.
        pub y: f64,
    }

    /// Position of a wheel in the vehicle frame.
    pub struct WheelGeometry {
        /// Ahead of the reference point, m.
        pub x: f64,
        /// Left of the reference point, m.
        pub y: f64,
        /// Heading at zero steering, positive counter-clockwise, rad.
        pub yaw: f64,
        /// Rolling radius, m.
        pub radius: f64,
    }

    /// Default chassis of a dynamics class.
    pub struct ChassisDesc {
        /// Size of this struct in bytes.
        pub size: u32,
        /// Zero.
        pub reserved: u32,
        /// Mass without the wheels, kg.
        pub mass: f64,
        /// Lowest point above the ground, m.
        pub z_min: f64,
        /// Highest point above the ground, m.
        pub z_max: f64,
        /// Corners x0, y0, x1, y1 and so on, vehicle frame, m.
        pub polygon: Slice<f64>,
    }

    /// The reason why a call failed.
    pub struct Fault {
        /// One of the codes in [`fault_code`].
        pub code: u32,
        /// Bytes used in `text`.
        pub text_len: u32,
        /// The lane at fault.
        pub lane: u64,
        /// Length of a step that works, s; 0 if unknown.
        pub suggested_dt: f64,
        /// UTF-8 message.
        pub text: [u8; 240],
    }

    /// The lanes of a call and the columns that it reads and writes.
    ///
    /// The value of a lane is `column[lane]` for scope *instance*, `column[wheel * wheel_stride +
    /// lane]` for scope *wheel*, and `column[lane * rays + ray]` for scope *ray*. The lanes of a
    /// friction model are wheels, and all its columns are of scope instance. Inputs never alias
    /// outputs or states.
    pub struct Batch {
        /// Size of this struct in bytes.
        pub size: u32,
        /// Number of wheels of a vehicle.
        pub wheels: u32,
        /// First lane of this call.
        pub first: usize,
        /// Number of lanes of this call.
        pub count: usize,
        /// Distance between the wheels of one vehicle in a column of scope wheel.
        pub wheel_stride: usize,
        /// Number of rays of a sensor.
        pub rays: usize,
        /// Time at the start of the step, s.
        pub time: f64,
        /// Length of the step, s.
        pub dt: f64,
        /// Input columns, in the order of the phase's inputs.
        pub inputs: *const *const f64,
        /// Output columns, in the order of the phase's outputs.
        pub outputs: *const *mut f64,
        /// State columns, in the order of the model's states.
        pub states: *const *mut f64,
        /// Key of a random stream per lane, different in every sample; null unless the model is a
        /// sensor or has [`model_flag::RANDOM`].
        pub streams: *const u64,
        /// Memory of each lane, created by [`crate::MemoryTable`]; null if the model has none.
        pub memories: *const *mut c_void,
        /// Services of the host during the call, or null.
        pub services: *const Services,
        /// One entry per input, in the order of the phase's inputs; only entries of inputs of scope
        /// *array* have a meaning. Null if the phase has no such input.
        pub arrays: *const ArrayPort,
    }

    /// An input of scope *array* during a call: the last reading of a sensor of each lane. Value `k` of a
    /// lane is `column[lane * stride + k]`, for `k` below the count of the lane.
    pub struct ArrayPort {
        /// Size of this struct in bytes.
        pub size: u32,
        /// Zero.
        pub reserved: u32,
        /// Largest number of values of a lane, fixed when the world is loaded.
        pub capacity: usize,
        /// Distance between the first values of two lanes in the column.
        pub stride: usize,
        /// Number of values of each lane; 0 before the first reading.
        pub counts: *const f64,
        /// Time since the reading of each lane was taken, s; infinite before the first.
        pub ages: *const f64,
    }

    /// One phase of a model's step.
    pub struct Phase {
        /// Size of this struct in bytes.
        pub size: u32,
        /// Zero.
        pub reserved: u32,
        /// `force`, `drive`, `wrench`, `motion`, `measure`, `control`, `aim`, `read` or `rates`.
        pub id: Str,
        /// Inputs of the phase.
        pub inputs: Slice<PortDesc>,
        /// Outputs of the phase.
        pub outputs: Slice<PortDesc>,
        /// Function of the phase.
        pub call: unsafe extern "C" fn(*const c_void, *const Batch, *mut Fault) -> u32,
    }

    /// Services of the host during a call.
    pub struct Services {
        /// Size of this struct in bytes.
        pub size: u32,
        /// Zero.
        pub reserved: u32,
        /// Passed to every service.
        pub context: *const c_void,
        /// Returns the table of a service by its id, such as [`crate::GROUND_SERVICE`], or null if
        /// the host does not have it. The table is valid during the call.
        pub find: unsafe extern "C" fn(*const c_void, Str) -> *const c_void,
    }

    /// A model: the implementation of a class. Two models of one plugin can share an id if they
    /// differ in their ports; the host takes the first one whose ports fit.
    pub struct Model {
        /// Size of this struct in bytes.
        pub size: u32,
        /// One of [`crate::Kind`].
        pub kind: u32,
        /// Bits of [`model_flag`].
        pub flags: u32,
        /// Version of the states and the memory, which the author raises when their meaning
        /// changes.
        pub schema: u32,
        /// Class name in `class="…"`.
        pub id: Str,
        /// Version of the model.
        pub version: Str,
        /// Description of the model.
        pub doc: Str,
        /// Parameters.
        pub params: Slice<ParamDesc>,
        /// State slots.
        pub states: Slice<StateDesc>,
        /// Commands that a controller accepts.
        pub commands: Slice<CommandDesc>,
        /// Wheels of a dynamics class.
        pub wheels: Slice<WheelDesc>,
        /// Default chassis of a dynamics class, or null.
        pub chassis: *const ChassisDesc,
        /// Phases of a step.
        pub phases: Slice<Phase>,
        /// Creates an instance.
        pub create: unsafe extern "C" fn(Slice<Value>, *mut *mut c_void, *mut Fault) -> u32,
        /// Destroys an instance.
        pub destroy: unsafe extern "C" fn(*mut c_void),
        /// Places the wheels of a dynamics class.
        pub arrange: Option<
            unsafe extern "C" fn(*const c_void, *mut WheelGeometry, usize, *mut Fault) -> u32,
        >,
        /// Returns the number of rays of a sensor.
        pub capacity: Option<unsafe extern "C" fn(*const c_void) -> usize>,
        /// Returns a further table by its string id.
        pub ability: Option<unsafe extern "C" fn(Str) -> *const c_void>,
    }

    /// The first fields of every plugin descriptor, the same in every epoch.
    pub struct Head {
        /// [`crate::MAGIC`].
        pub magic: u64,
        /// [`crate::EPOCH`] of the SDK that the plugin was built with.
        pub epoch: u32,
        /// Size of the whole descriptor in bytes.
        pub size: u32,
        /// [`crate::FINGERPRINT`] of the SDK that the plugin was built with.
        pub fingerprint: u64,
        /// Format of `layout`: [`crate::LAYOUT_KIND`], or empty when `layout` is null.
        pub layout_kind: Str,
        /// Description of the layout of the boundary, a static slice of [`crate::StructLayout`], or
        /// null (C). A host reads it when the fingerprints differ, to report the difference.
        pub layout: *const c_void,
    }

    /// The descriptor that a shared library exports.
    pub struct Plugin {
        /// The fields that every epoch shares.
        pub head: Head,
        /// Vendor: the part before the slash of a full class name.
        pub vendor: Str,
        /// Name of the plugin.
        pub name: Str,
        /// Version of the plugin.
        pub version: Str,
        /// The models, as pointers, so that the size of a model can grow.
        pub models: Slice<*const Model>,
    }
}

/// The number of values that a column has per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Scope {
    /// One value per lane.
    Instance = 0,
    /// One value per wheel of a lane.
    Wheel = 1,
    /// One value per ray of a lane.
    Ray = 2,
    /// As many values per lane as the last reading of a sensor has; described by [`ArrayPort`].
    Array = 3,
}

impl Scope {
    /// Returns the scope with this number, and [`Self::Instance`] for an unknown number.
    pub const fn from_u32(scope: u32) -> Self {
        match scope {
            1 => Self::Wheel,
            2 => Self::Ray,
            3 => Self::Array,
            _ => Self::Instance,
        }
    }
}

/// How the value of a state slot changes over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum StateKind {
    /// Changes continuously: the host can integrate and extrapolate it.
    Continuous = 0,
    /// Jumps between values, such as a gear or a flag.
    Discrete = 1,
    /// Counts events in whole numbers.
    Counter = 2,
    /// Changes continuously, rad; values that differ by a full turn are the same angle.
    Angle = 3,
}

numbered! { StateKind: Continuous, Discrete, Counter, Angle }

impl StateDesc {
    /// Returns a slot with one number per lane that starts at 0.
    pub const fn slot(
        name: &'static str,
        unit: &'static str,
        kind: StateKind,
        doc: &'static str,
    ) -> Self {
        Self {
            size: size_of::<Self>() as u32,
            scope: Scope::Instance as u32,
            kind: kind as u32,
            reserved: 0,
            name: Str::new(name),
            unit: Str::new(unit),
            doc: Str::new(doc),
            initial: 0.0,
            initial_key: Str::new(""),
        }
    }
}

impl CommandDesc {
    /// Returns a kind of commands whose values set the inputs with these names.
    pub const fn new(kind: &'static str, ports: &'static [Str]) -> Self {
        let size = size_of::<Self>() as u32;
        Self { size, reserved: 0, kind: Str::new(kind), ports: Slice::new(ports) }
    }
}

impl StateKind {
    /// Returns the name of the kind, such as `continuous`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Continuous => "continuous",
            Self::Discrete => "discrete",
            Self::Counter => "counter",
            Self::Angle => "angle",
        }
    }
}

/// Codes of a fault.
pub mod fault_code {
    /// No fault.
    pub const NONE: u32 = 0;
    /// The model panicked, and the panic was caught inside the plugin.
    pub const PANIC: u32 = 1;
    /// The model returned a number that is not finite.
    pub const NON_FINITE: u32 = 2;
    /// The model cannot take a step of this length.
    pub const STEP_TOO_LARGE: u32 = 3;
    /// The model rejects its parameters, or the vehicle that it is used on.
    pub const REFUSED: u32 = 4;
}

/// Properties of a port.
pub mod port_flag {
    /// A published output: it needs no reader and becomes a quantity. On an input: it can be left
    /// unconnected, because its default is a sensible value.
    pub const OPTIONAL: u32 = 1;
    /// An input that only commands and the world file set.
    pub const COMMAND: u32 = 2;
    /// An input without a default: a world in which nothing provides it is not loaded.
    pub const REQUIRED: u32 = 4;
    /// An input with the values of the parameter of this name that has
    /// [`param_flag::PER_LANE`](crate::param_flag::PER_LANE), in the unit of the model. The column is
    /// null in a call whose lanes all have the values that `create` received; otherwise all inputs with
    /// this flag have columns.
    pub const PARAMETER: u32 = 8;
    /// A reading of a sensor that can be unknown, which is NaN. Without this flag, NaN is a fault of the
    /// sensor, and so is an infinite reading of scope *instance* or *wheel*.
    pub const UNKNOWN: u32 = 16;
}

/// Properties of a wheel.
pub mod wheel_flag {
    /// The model places the wheel; a position in the world file has no effect.
    pub const PLACED_BY_MODEL: u32 = 1;
    /// The element can be repeated; each one is a wheel, and at least one is required.
    pub const REPEATED: u32 = 2;
    /// The class steers the wheel. If it declares the input `steered` for wheels, those whose value is 0
    /// are fixed.
    pub const STEERS: u32 = 4;
    /// The wheel turns about its vertical axis by itself, as a caster does.
    pub const SWIVELS: u32 = 8;
}

/// Properties of a model.
pub mod model_flag {
    /// The platform can move sideways.
    pub const HOLONOMIC: u32 = 1;
    /// Lanes depend on each other: a batch is never split, and one call handles all its lanes.
    pub const WHOLE_BATCH: u32 = 2;
    /// The model draws random numbers, so the host fills `Batch::streams`.
    pub const RANDOM: u32 = 4;
    /// The model asks the host about the world around it, such as [`crate::RAYS_SERVICE`]. Without this
    /// flag only [`crate::GROUND_SERVICE`] is there.
    pub const PERCEIVES: u32 = 8;
    /// An observer that can end the run: a run without a duration ends with it.
    pub const STOPS: u32 = 16;
    /// A friction model whose force jumps where its slip changes its sign, so that a step cannot be
    /// extrapolated.
    pub const JUMPS: u32 = 32;
    /// The model computes the same at any time, so the host gives it none: `Batch::time` is NaN. In an ensemble,
    /// members at different steps then share a batch.
    pub const TIME_INVARIANT: u32 = 64;
}

impl Batch {
    /// A batch without lanes and columns.
    pub const EMPTY: Self = Self {
        size: size_of::<Self>() as u32,
        wheels: 0,
        first: 0,
        count: 0,
        wheel_stride: 0,
        rays: 0,
        time: 0.0,
        dt: 0.0,
        inputs: std::ptr::null(),
        outputs: std::ptr::null(),
        states: std::ptr::null(),
        streams: std::ptr::null(),
        memories: std::ptr::null(),
        services: std::ptr::null(),
        arrays: std::ptr::null(),
    };
}

impl Fault {
    /// No fault.
    pub const NONE: Self =
        Self { code: fault_code::NONE, text_len: 0, lane: 0, suggested_dt: 0.0, text: [0; 240] };

    /// Returns a fault with a message, which is truncated if it does not fit.
    pub fn new(code: u32, message: &str) -> Self {
        let mut fault = Self { code, ..Self::NONE };
        let mut len = message.len().min(fault.text.len());
        while !message.is_char_boundary(len) {
            len -= 1;
        }
        fault.text[..len].copy_from_slice(&message.as_bytes()[..len]);
        fault.text_len = len as u32;
        fault
    }

    /// Returns the message, with control characters escaped.
    pub fn message(&self) -> String {
        let len = (self.text_len as usize).min(self.text.len());
        escaped(&String::from_utf8_lossy(&self.text[..len]))
    }
}

/// Returns whether a terminal takes a character as a command, or as a change of the direction of text. Line breaks and
/// tabs are neither.
pub fn is_command(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t') || is_direction_mark(c)
}

/// Returns whether a character changes the direction of the text after it, which then does not show what it says.
pub const fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns a text in which characters that a terminal takes as commands are escaped, so that it cannot act on one.
pub fn escaped(text: &str) -> String {
    let escape = |c: char| match is_command(c) {
        true => c.escape_default().collect::<String>(),
        false => c.to_string(),
    };
    text.chars().map(escape).collect()
}

// SAFETY: a descriptor is static, immutable data.
unsafe impl Sync for Plugin {}
// SAFETY: as above.
unsafe impl Sync for Model {}
// SAFETY: as above.
unsafe impl Sync for Head {}
// SAFETY: as above.
unsafe impl Sync for ChassisDesc {}
