//! Memories: data that a model keeps for each lane in addition to its state slots.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use simhost_abi::{Fault, MemoryTable, Slice, fault_code};

use crate::breadcrumb::{Function, Functions};
use crate::instance::Instance;

/// Largest memory of a lane that can be saved, bytes.
const MAX_SAVED: usize = 1 << 28;

/// One memory for each lane of a call.
pub struct Memories {
    /// The instance of each lane, or one for all. Keeps it and its library alive as long as the memories.
    instances: Vec<Arc<Instance>>,
    functions: MemoryFunctions,
    lanes: Box<[AtomicPtr<c_void>]>,
}

impl Memories {
    /// Creates the memories of `lanes` lanes, or returns `None` for a model without memory. Lane `n` has
    /// instance number `n` of `instances`, which begin again after the last one.
    ///
    /// # Errors
    /// The fault of a model that fails to create a memory.
    pub fn new(instances: &[Arc<Instance>], lanes: usize) -> Result<Option<Arc<Self>>, Fault> {
        let functions = instances.first().and_then(|instance| MemoryFunctions::of(instance));
        let Some(functions) = functions else { return Ok(None) };
        let create = |_, instance: &Instance| functions.create(instance);
        Self::filled(instances.to_vec(), functions, lanes, create).map(Some)
    }

    /// Returns the memories that `make` returns for each lane and its instance.
    ///
    /// # Errors
    /// The error of the first lane that has one. The memories of the previous lanes are destroyed.
    fn filled<E>(
        instances: Vec<Arc<Instance>>,
        functions: MemoryFunctions,
        lanes: usize,
        make: impl Fn(usize, &Instance) -> Result<*mut c_void, E>,
    ) -> Result<Arc<Self>, E> {
        let (mut made, mut outcome) = (Vec::with_capacity(lanes), Ok(()));
        for (lane, instance) in instances.iter().cycle().take(lanes).enumerate() {
            match make(lane, instance) {
                Ok(memory) => made.push(AtomicPtr::new(memory)),
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
        }
        let memories = Self { instances, functions, lanes: made.into() };
        outcome.map(|()| Arc::new(memories))
    }

    /// Returns the pointer for [`simhost_abi::Batch::memories`].
    pub fn pointers(&self) -> *const *mut c_void {
        self.lanes.as_ptr().cast()
    }

    /// Returns the pointer for [`simhost_abi::Batch::memories`], which is null without memories.
    pub fn pointers_of(memories: Option<&Self>) -> *const *mut c_void {
        memories.map_or(ptr::null(), Self::pointers)
    }

    /// Returns the number of lanes.
    pub fn lanes(&self) -> usize {
        self.lanes.len()
    }

    /// Returns memories of the same lanes in the same state.
    ///
    /// # Errors
    /// The first lane whose memory the model fails to save or to load again, and its fault.
    pub fn duplicate(&self) -> Result<Arc<Self>, (usize, Fault)> {
        let copy = |lane, instance: &Instance| {
            let bytes = self.save(lane);
            let loaded = bytes
                .and_then(|bytes| self.functions.load(instance, instance.model().schema, &bytes));
            loaded.map_err(|fault| (lane, fault))
        };
        Self::filled(self.instances.clone(), self.functions, self.lanes.len(), copy)
    }

    /// Saves the memory of a lane as bytes.
    ///
    /// # Errors
    /// The fault of the model.
    pub fn save(&self, lane: usize) -> Result<Vec<u8>, Fault> {
        let memory = self.lanes[lane].load(Ordering::Relaxed);
        // SAFETY: the memory came from `create` or `load`.
        unsafe { self.functions.save(memory) }
    }

    /// Replaces the memory of a lane by one that was saved under a schema. Must not run at the same
    /// time as a call of the model.
    ///
    /// # Errors
    /// The fault of a model that rejects the bytes; the memory then does not change.
    pub fn load(&self, lane: usize, schema: u32, bytes: &[u8]) -> Result<(), Fault> {
        let instance = &self.instances[lane % self.instances.len()];
        let memory = self.functions.load(instance, schema, bytes)?;
        let old = self.lanes[lane].swap(memory, Ordering::Relaxed);
        // SAFETY: the old memory came from `create` or `load` and is not used again.
        unsafe { self.functions.destroy(old) };
        Ok(())
    }
}

impl Drop for Memories {
    fn drop(&mut self) {
        for memory in &self.lanes {
            // SAFETY: the memory came from `create` or `load` and is not used again.
            unsafe { self.functions.destroy(memory.load(Ordering::Relaxed)) };
        }
    }
}

/// The functions of a model that keeps memory for each lane.
#[derive(Clone, Copy)]
struct MemoryFunctions {
    functions: &'static Functions,
    table: &'static MemoryTable,
}

impl MemoryFunctions {
    /// Returns the functions, or `None` for a model without memory.
    fn of(instance: &Instance) -> Option<Self> {
        let table = instance.table().ok().flatten()?;
        Some(Self { functions: instance.functions(), table })
    }

    /// Creates the memory of a lane.
    ///
    /// # Errors
    /// The fault of the model, with its code.
    fn create(self, instance: &Instance) -> Result<*mut c_void, Fault> {
        let (mut memory, mut fault) = (std::ptr::null_mut(), Fault::NONE);
        let code = self.functions.call(Function::MemoryCreate, || {
            // SAFETY: the handle is the model's; memory and fault are ours.
            unsafe { (self.table.create)(instance.handle(), &raw mut memory, &raw mut fault) }
        });
        if code == fault_code::NONE { Ok(memory) } else { Err(Fault { code, ..fault }) }
    }

    /// Destroys a memory.
    ///
    /// # Safety
    /// `memory` came from [`Self::create`] or [`Self::load`], and is not used again.
    unsafe fn destroy(self, memory: *mut c_void) {
        self.functions.call(Function::MemoryDestroy, || {
            // SAFETY: promised by the caller.
            unsafe { (self.table.destroy)(memory) }
        });
    }

    /// Saves a memory as bytes.
    ///
    /// # Errors
    /// The fault of the model with its code, or [`fault_code::REFUSED`] for pieces that cannot
    /// belong to a memory.
    ///
    /// # Safety
    /// `memory` came from [`Self::create`] or [`Self::load`].
    unsafe fn save(self, memory: *const c_void) -> Result<Vec<u8>, Fault> {
        let (mut sink, mut fault) = (Sink::default(), Fault::NONE);
        let to = (&raw mut sink).cast();
        let code = self.functions.call(Function::MemorySave, || {
            // SAFETY: promised by the caller; the sink is what `write` takes.
            unsafe { (self.table.save)(memory, to, write, &raw mut fault) }
        });
        match (code, sink.defect) {
            (fault_code::NONE, None) => Ok(sink.bytes),
            (fault_code::NONE, Some(defect)) => Err(Fault::new(fault_code::REFUSED, &defect)),
            (code, _) => Err(Fault { code, ..fault }),
        }
    }

    /// Creates a memory from bytes that were saved under a schema.
    ///
    /// # Errors
    /// The fault of the model, with its code.
    fn load(self, instance: &Instance, schema: u32, bytes: &[u8]) -> Result<*mut c_void, Fault> {
        let (mut memory, mut fault) = (std::ptr::null_mut(), Fault::NONE);
        let bytes = Slice::borrowed(bytes);
        let code = self.functions.call(Function::MemoryLoad, || {
            let handle = instance.handle();
            // SAFETY: the handle is the model's; the bytes live during the call; the rest is ours.
            unsafe { (self.table.load)(handle, schema, bytes, &raw mut memory, &raw mut fault) }
        });
        if code == fault_code::NONE { Ok(memory) } else { Err(Fault { code, ..fault }) }
    }
}

/// Collects the pieces of a memory.
#[derive(Default)]
struct Sink {
    bytes: Vec<u8>,
    /// Description of the first piece that was not taken.
    defect: Option<String>,
}

/// Appends a piece to a [`Sink`].
unsafe extern "C" fn write(sink: *mut c_void, data: *const u8, len: usize) {
    if len == 0 {
        return;
    }
    // SAFETY: the sink is that of `save`.
    let sink = unsafe { &mut *sink.cast::<Sink>() };
    if data.is_null() || len > MAX_SAVED - sink.bytes.len().min(MAX_SAVED) {
        let piece = if data.is_null() { "at address 0" } else { "of its memory" };
        sink.defect.get_or_insert_with(|| {
            format!(
                "it saves {len} bytes {piece}, expected at most {MAX_SAVED} bytes per lane in all"
            )
        });
        return;
    }
    // SAFETY: the model passes `len` bytes.
    sink.bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(data, len) });
}
