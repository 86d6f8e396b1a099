//! What a plugin and its models declare, and the batch that a call works on.

use std::ffi::c_void;

use crate::values::{ParamDesc, Slice, Str, Value};

/// Makes a model from its parameters, given in the order of their declaration. Returns a code of
/// [`fault_code`]; writes the handle on success and the fault otherwise. May allocate.
pub type CreateFn =
    unsafe extern "C" fn(values: Slice<Value>, handle: *mut *mut c_void, fault: *mut Fault) -> u32;
/// Ends a model; the handle is not used again.
pub type DestroyFn = unsafe extern "C" fn(handle: *mut c_void);
/// Places the wheels: the host hands over what the world file says, the model may move them.
pub type ArrangeFn = unsafe extern "C" fn(
    handle: *const c_void,
    wheels: *mut WheelGeometry,
    count: usize,
    fault: *mut Fault,
) -> u32;
/// Number of rays that one instance of a sensor casts in a sample.
pub type CapacityFn = unsafe extern "C" fn(handle: *const c_void) -> usize;
/// One phase of a step over the lanes `first .. first + count` of a batch. The handle is immutable.
/// Must not allocate, print or block.
pub type CallFn =
    unsafe extern "C" fn(handle: *const c_void, batch: *const Batch, fault: *mut Fault) -> u32;
/// Answers a string id such as `"simhost.x/1"` with a static table, or null.
pub type AbilityFn = unsafe extern "C" fn(id: Str) -> *const c_void;

boundary! {
    /// A quantity that goes in or out of a phase, wired by name when a world is loaded.
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
        /// SI unit: "1" for a pure number.
        pub unit: Str,
        /// What it means.
        pub doc: Str,
        /// Value of an input that nothing drives.
        pub default: f64,
        /// Tag under which a world file gives the value of an input that nothing drives, or empty.
        pub key: Str,
        /// Unit of that tag.
        pub key_unit: Str,
        /// Factor from the tag's unit to the port's.
        pub key_scale: f64,
    }

    /// One f64 of state per lane, kept by the host.
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
        /// SI unit.
        pub unit: Str,
        /// Value at the start of a run.
        pub initial: f64,
    }

    /// A kind of command that a controller takes.
    pub struct CommandDesc {
        /// Size of this struct in bytes.
        pub size: u32,
        /// Zero.
        pub reserved: u32,
        /// Name of the kind, such as `twist`.
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
        /// Tag in the world file, such as `l_wheel`.
        pub tag: Str,
        /// Position ahead of the reference point when the tag is absent, m.
        pub x: f64,
        /// Position to the left of the reference point when the tag is absent, m.
        pub y: f64,
    }

    /// Where a wheel stands in the vehicle frame.
    pub struct WheelGeometry {
        /// Ahead of the reference point, m.
        pub x: f64,
        /// Left of the reference point, m.
        pub y: f64,
        /// Heading at zero steering, counter-clockwise, rad.
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
        /// Corners x0 y0 x1 y1 … in the vehicle frame, m.
        pub polygon: Slice<f64>,
    }

    /// Why a call failed.
    pub struct Fault {
        /// One of [`fault_code`].
        pub code: u32,
        /// Bytes used in `text`.
        pub text_len: u32,
        /// The lane that is to blame.
        pub lane: u64,
        /// A step that would do, s; 0 when unknown.
        pub suggested_dt: f64,
        /// UTF-8 message.
        pub text: [u8; 240],
    }

    /// The lanes of one call and the columns they read and write.
    ///
    /// A column of scope *instance* has one value a lane, `column[lane]`; of scope *wheel*
    /// `column[wheel * wheel_stride + lane]`; of scope *ray* `column[lane * rays + ray]`. The lanes
    /// of a friction model are wheels and all its columns are of scope instance. Inputs never alias
    /// outputs or states.
    pub struct Batch {
        /// Size of this struct in bytes.
        pub size: u32,
        /// Wheels of a vehicle.
        pub wheels: u32,
        /// First lane of this call.
        pub first: usize,
        /// Lanes of this call.
        pub count: usize,
        /// Distance between the wheels of one vehicle in a column of scope wheel.
        pub wheel_stride: usize,
        /// Rays of a sensor.
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
        /// A random stream key for each lane and sample; null unless the model is a sensor or has
        /// [`model_flag::RANDOM`].
        pub streams: *const u64,
        /// What each lane remembers beside its states, made by [`crate::MemoryTable`]; null where a
        /// model has none.
        pub memories: *const *mut c_void,
        /// What the host does for models during a call, or null.
        pub services: *const Services,
    }

    /// One part of a model's step.
    pub struct Phase {
        /// Size of this struct in bytes.
        pub size: u32,
        /// Zero.
        pub reserved: u32,
        /// `force`, `drive`, `wrench`, `motion`, `measure`, `control`, `aim`, `read` or `rates`.
        pub id: Str,
        /// What the phase reads.
        pub inputs: Slice<PortDesc>,
        /// What the phase writes.
        pub outputs: Slice<PortDesc>,
        /// The function.
        pub call: unsafe extern "C" fn(*const c_void, *const Batch, *mut Fault) -> u32,
    }

    /// What the host does for models during a call.
    pub struct Services {
        /// Size of this struct in bytes.
        pub size: u32,
        /// Zero.
        pub reserved: u32,
        /// Handed back to every service.
        pub context: *const c_void,
        /// The table of a service by its id, such as [`crate::GROUND_SERVICE`], or null when this
        /// host does not have it. What it points to lives as long as the call.
        pub find: unsafe extern "C" fn(*const c_void, Str) -> *const c_void,
    }

    /// A model: one class of the catalogue. Two models of one plugin may share an id when they
    /// differ in their ports; the host takes the first whose ports fit.
    pub struct Model {
        /// Size of this struct in bytes.
        pub size: u32,
        /// One of [`Kind`].
        pub kind: u32,
        /// Bits of [`model_flag`].
        pub flags: u32,
        /// Version of the model's states and memory, raised by the author when their meaning changes.
        pub schema: u32,
        /// Name in `class="…"`.
        pub id: Str,
        /// Version of the model.
        pub version: Str,
        /// What it is.
        pub doc: Str,
        /// Parameters.
        pub params: Slice<ParamDesc>,
        /// State slots.
        pub states: Slice<StateDesc>,
        /// Commands of a controller.
        pub commands: Slice<CommandDesc>,
        /// Wheels of a dynamics class.
        pub wheels: Slice<WheelDesc>,
        /// Default chassis of a dynamics class, else null.
        pub chassis: *const ChassisDesc,
        /// Parts of a step.
        pub phases: Slice<Phase>,
        /// Makes an instance.
        pub create: unsafe extern "C" fn(Slice<Value>, *mut *mut c_void, *mut Fault) -> u32,
        /// Ends an instance.
        pub destroy: unsafe extern "C" fn(*mut c_void),
        /// Places the wheels of a dynamics class.
        pub arrange: Option<
            unsafe extern "C" fn(*const c_void, *mut WheelGeometry, usize, *mut Fault) -> u32,
        >,
        /// Number of rays of a sensor.
        pub capacity: Option<unsafe extern "C" fn(*const c_void) -> usize>,
        /// Further tables, by string id.
        pub ability: Option<unsafe extern "C" fn(Str) -> *const c_void>,
    }

    /// The beginning of every plugin descriptor, the same in every epoch.
    pub struct Head {
        /// [`crate::MAGIC`].
        pub magic: u64,
        /// [`crate::EPOCH`] of the SDK that the plugin was built with.
        pub epoch: u32,
        /// Size of the whole descriptor in bytes.
        pub size: u32,
        /// [`crate::FINGERPRINT`] of the SDK that the plugin was built with.
        pub fingerprint: u64,
        /// [`crate::LAYOUT_DESCRIPTION`], or empty when `layout` is null.
        pub layout_kind: Str,
        /// Description of the layout of [`Plugin`], or null (C).
        pub layout: *const c_void,
    }

    /// What a shared library exports.
    pub struct Plugin {
        /// Read first.
        pub head: Head,
        /// Who wrote it: the part before the slash of a full class name.
        pub vendor: Str,
        /// Name of the plugin.
        pub name: Str,
        /// Version of the plugin.
        pub version: Str,
        /// The models. Pointers, so that the size of a model is no part of the array.
        pub models: Slice<*const Model>,
    }
}

/// The four kinds of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum Kind {
    /// Force between a wheel and the ground.
    Friction = 1,
    /// From actuators to wheel torques and steering angles.
    Dynamics = 2,
    /// From commands and measurements to actuators.
    Controller = 3,
    /// From the scene and the vehicle to readings.
    Sensor = 4,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Friction, Self::Dynamics, Self::Controller, Self::Sensor];

    /// The kind with this number.
    pub const fn from_u32(kind: u32) -> Option<Self> {
        Some(match kind {
            1 => Self::Friction,
            2 => Self::Dynamics,
            3 => Self::Controller,
            4 => Self::Sensor,
            _ => return None,
        })
    }

    /// The tag that names a class of this kind in a world file.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::Friction => "friction",
            Self::Dynamics => "dynamics",
            Self::Controller => "controller",
            Self::Sensor => "sensor",
        }
    }
}

/// How many values a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Scope {
    /// One a lane.
    Instance = 0,
    /// One a wheel of a lane.
    Wheel = 1,
    /// One a ray of a lane.
    Ray = 2,
}

impl Scope {
    /// The scope with this number; an unknown one counts as [`Self::Instance`].
    pub const fn from_u32(scope: u32) -> Self {
        match scope {
            1 => Self::Wheel,
            2 => Self::Ray,
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

impl StateKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Continuous, Self::Discrete, Self::Counter, Self::Angle];

    /// Returns the kind with this number.
    pub const fn from_u32(kind: u32) -> Option<Self> {
        Some(match kind {
            0 => Self::Continuous,
            1 => Self::Discrete,
            2 => Self::Counter,
            3 => Self::Angle,
            _ => return None,
        })
    }

    /// The name of the kind, such as `continuous`.
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
    /// The model panicked; the panic was caught inside the plugin.
    pub const PANIC: u32 = 1;
    /// The model gave a number that is not finite.
    pub const NON_FINITE: u32 = 2;
    /// The model cannot take a step of this length.
    pub const STEP_TOO_LARGE: u32 = 3;
    /// The model refuses its parameters.
    pub const REFUSED: u32 = 4;
}

/// Properties of a port.
pub mod port_flag {
    /// An output that may stay without a reader.
    pub const OPTIONAL: u32 = 1;
    /// An input that only commands and the world file set.
    pub const COMMAND: u32 = 2;
}

/// Properties of a wheel.
pub mod wheel_flag {
    /// The model places the wheel; a position in the world file has no effect.
    pub const PLACED_BY_MODEL: u32 = 1;
    /// The tag may be given any number of times, at least once: a wheel each.
    pub const REPEATED: u32 = 2;
}

/// Properties of a model.
pub mod model_flag {
    /// The platform can move sideways.
    pub const HOLONOMIC: u32 = 1;
    /// Lanes depend on each other: a batch is never split, and all lanes of it are called at once.
    pub const WHOLE_BATCH: u32 = 2;
    /// The model draws random numbers: `Batch::streams` is filled.
    pub const RANDOM: u32 = 4;
}

impl Batch {
    /// No lanes, and nothing that they could read or write.
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
    };
}

impl Fault {
    /// No fault.
    pub const NONE: Self =
        Self { code: fault_code::NONE, text_len: 0, lane: 0, suggested_dt: 0.0, text: [0; 240] };

    /// A fault with a message, which is cut where it does not fit.
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

    /// The message.
    pub fn message(&self) -> String {
        let len = (self.text_len as usize).min(self.text.len());
        String::from_utf8_lossy(&self.text[..len]).into_owned()
    }
}

// SAFETY: a descriptor is static, immutable data.
unsafe impl Sync for Plugin {}
// SAFETY: as above.
unsafe impl Sync for Model {}
// SAFETY: as above.
unsafe impl Sync for Head {}
// SAFETY: as above.
unsafe impl Sync for ChassisDesc {}
