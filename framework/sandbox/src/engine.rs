//! Interfaces of engines that compile and run modules.

use std::ffi::c_void;
use std::sync::Arc;

use simhost_abi::{ImageFn, Services, WriteFn};

/// Bytes in a page of the memory of a module.
pub(crate) const PAGE: usize = 1 << 16;
/// Largest memory of an instance, bytes.
pub(crate) const MAX_MEMORY: usize = 1 << 28;

/// Compiles modules.
pub trait Engine: Sync {
    /// Compiles a core module.
    ///
    /// # Errors
    /// The reason why it is invalid, or uses features that models cannot use.
    fn compile(&self, bytes: &[u8]) -> Result<Arc<dyn Code>, String>;
}

/// A compiled module.
pub trait Code: Send + Sync {
    /// Returns the imports: module, name and type, such as `function` or `memory`.
    fn imports(&self) -> Vec<[String; 3]>;

    /// Returns the names of the exports.
    fn exports(&self) -> Vec<String>;

    /// Creates an instance.
    ///
    /// # Errors
    /// The reason why there is none: an export has another type, a data segment is outside of the memory, or the memory
    /// exceeds its limit.
    fn instantiate(&self) -> Result<Box<dyn Guest>, String>;
}

/// An address outside of the memory of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBounds;

impl From<OutOfBounds> for String {
    fn from(_: OutOfBounds) -> Self {
        "an address is outside of the memory of the module".into()
    }
}

/// The memory of an instance.
pub trait GuestMemory {
    /// Copies bytes out of the memory.
    ///
    /// # Errors
    /// [`OutOfBounds`]; nothing is copied then.
    fn read(&mut self, at: u32, bytes: &mut [u8]) -> Result<(), OutOfBounds>;

    /// Copies bytes into the memory.
    ///
    /// # Errors
    /// [`OutOfBounds`]; nothing is copied then.
    fn write(&mut self, at: u32, bytes: &[u8]) -> Result<(), OutOfBounds>;
}

/// An instance of a module.
pub trait Guest: GuestMemory + Send {
    /// Returns the address of the descriptor, which the module exports as a number.
    ///
    /// # Errors
    /// If the export is not a constant number of 32 bits.
    fn descriptor(&mut self) -> Result<u32, String>;

    /// Returns whether the module has an export, a function that has the type it must have.
    fn has(&self, export: Export) -> bool;

    /// Calls an export, which exists. Returns 0 for a function without result.
    ///
    /// # Errors
    /// [`Trap`] if the function does not return. The instance must be [reset](Self::reset) before the next call.
    fn call(
        &mut self,
        export: Export,
        arguments: &[u32],
        context: &CallContext,
    ) -> Result<u32, Trap>;

    /// Enlarges the memory and returns the address of the first new byte.
    ///
    /// # Errors
    /// If the memory would exceed its limit.
    fn grow(&mut self, pages: usize) -> Result<u32, String>;

    /// Replaces the instance after a trap by a new one with the same memory, whose stack is empty.
    ///
    /// # Errors
    /// If there cannot be a new instance.
    fn reset(&mut self) -> Result<(), String>;
}

/// The reason why a function of a module did not return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap(pub String);

/// Services and lanes of a call, for the imports of the module.
#[derive(Clone, Copy, Debug)]
pub struct CallContext {
    /// Services of the host, or null.
    pub services: *const Services,
    /// First lane of the call.
    pub first: usize,
    /// Number of lanes of the call.
    pub count: usize,
    /// Sink of a function that writes.
    pub sink: Option<GuestSink>,
}

/// A sink of the host, and the function that writes to it.
#[derive(Clone, Copy, Debug)]
pub enum GuestSink {
    /// Takes bytes.
    Bytes(*mut c_void, WriteFn),
    /// Takes descriptions of images.
    Images(*mut c_void, ImageFn),
}

// SAFETY: a context is used by the call that it belongs to, on its thread.
unsafe impl Send for CallContext {}

impl CallContext {
    /// The context of a call without services.
    pub const NONE: Self = Self { services: std::ptr::null(), first: 0, count: 0, sink: None };
}

/// Declares functions between a module and its host. All arguments and results are numbers of 32 bits.
macro_rules! functions {
    ($(#[$doc:meta])* pub enum $name:ident;
     $( $(#[$meta:meta])* $variant:ident = $text:literal, $arguments:literal -> $results:literal; )*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $( $(#[$meta])* $variant ),* }

        impl $name {
            /// All functions, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$( Self::$variant ),*];

            /// Name of the function.
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $text ),* }
            }

            /// Number of arguments.
            pub const fn arguments(self) -> usize {
                match self { $( Self::$variant => $arguments ),* }
            }

            /// Number of results.
            pub const fn results(self) -> usize {
                match self { $( Self::$variant => $results ),* }
            }
        }
    };
}
pub(crate) use functions;

functions! {
    /// A function that a module exports. All arguments and results are numbers of 32 bits.
    pub enum Export;
    /// Prepares the static objects of C++.
    Initialize = "_initialize", 0 -> 0;
    /// Returns the services for calls.
    Services = "simhost_services", 0 -> 1;
    /// Returns the fault of the panic that caused the last trap.
    Cause = "simhost_cause", 0 -> 1;
    /// Creates an instance: model, values, their number, place of the handle, place of a fault.
    Create = "simhost_create", 5 -> 1;
    /// Places wheels: model, handle, wheels, their number, place of a fault.
    Arrange = "simhost_arrange", 5 -> 1;
    /// Returns the number of rays: model, handle.
    Capacity = "simhost_capacity", 2 -> 1;
    /// Returns a table: model, text of the id and its length.
    Ability = "simhost_ability", 3 -> 1;
    /// Calls a phase: phase, handle, batch, place of a fault.
    Call = "simhost_call", 4 -> 1;
    /// Creates the memory of a lane: table, handle, place of the memory, place of a fault.
    MemoryCreate = "simhost_memory_create", 4 -> 1;
    /// Destroys a memory: table, memory.
    MemoryDestroy = "simhost_memory_destroy", 2 -> 0;
    /// Saves a memory: table, memory, place of a fault.
    MemorySave = "simhost_memory_save", 3 -> 1;
    /// Loads a memory: table, handle, schema, bytes and their number, place of the memory, place of a fault.
    MemoryLoad = "simhost_memory_load", 7 -> 1;
    /// Adapts states: table, handle, schema, names, values, their number, slots, place of a fault.
    Migrate = "simhost_migrate", 8 -> 1;
    /// Returns whether a sensor casts in space: table, handle.
    IsSpatial = "simhost_is_spatial", 2 -> 1;
    /// Writes warnings: table, handle, wheels and their number.
    Warnings = "simhost_warnings", 4 -> 0;
    /// Describes the images of a sensor: table, handle.
    Images = "simhost_images", 2 -> 0;
}

impl Export {
    /// Name of the memory.
    pub const MEMORY: &'static str = "memory";

    /// Returns whether every module must export the function. Modules that are built with the SDK have all but
    /// [`Self::Initialize`].
    pub const fn is_required(self) -> bool {
        !matches!(self, Self::Initialize | Self::Cause)
    }
}

/// Reads a number of 32 bits.
pub(crate) fn read_u32(
    memory: &mut (impl GuestMemory + ?Sized),
    at: u32,
) -> Result<u32, OutOfBounds> {
    let mut bytes = [0; 4];
    memory.read(at, &mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

/// Types that are the same bytes in both memories, and for which every pattern of bits is a value.
///
/// # Safety
/// The type is `repr(C)` without padding, pointers and lengths.
pub(crate) unsafe trait Plain: Copy {}

/// Reads plain items.
pub(crate) fn read_items<T: Plain>(
    memory: &mut (impl GuestMemory + ?Sized),
    at: u32,
    count: usize,
) -> Result<Vec<T>, OutOfBounds> {
    // before anything is allocated
    let bytes = count.checked_mul(size_of::<T>()).filter(|bytes| *bytes <= MAX_MEMORY);
    let bytes = bytes.ok_or(OutOfBounds)?;
    let mut items = Vec::<T>::with_capacity(count);
    // SAFETY: the vector has this space, and any bytes are items.
    unsafe {
        items.as_mut_ptr().cast::<u8>().write_bytes(0, bytes);
        memory.read(at, std::slice::from_raw_parts_mut(items.as_mut_ptr().cast(), bytes))?;
        items.set_len(count);
    }
    Ok(items)
}

/// Returns plain items as bytes.
pub(crate) const fn bytes_of<T: Plain>(items: &[T]) -> &[u8] {
    // SAFETY: the items have no padding.
    unsafe { std::slice::from_raw_parts(items.as_ptr().cast(), std::mem::size_of_val(items)) }
}

// SAFETY: numbers.
unsafe impl Plain for u8 {}
// SAFETY: as above.
unsafe impl Plain for u32 {}
// SAFETY: as above.
unsafe impl Plain for u64 {}
// SAFETY: as above.
unsafe impl Plain for f64 {}
// SAFETY: as above.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}
