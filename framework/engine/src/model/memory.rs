//! Memories: data that a model keeps for each lane beside its state slots.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use simhost_abi::{Fault, MEMORY_ABILITY, MemoryTable, fault_code};

use super::instance::Instance;

/// One memory for each lane of a call.
pub(crate) struct Memories {
    /// Keeps the instance and its library alive as long as its memories.
    instance: Arc<Instance>,
    table: &'static MemoryTable,
    lanes: Box<[AtomicPtr<c_void>]>,
}

impl Memories {
    /// Creates the memories of `lanes` lanes, or returns `None` for a model without memory.
    ///
    /// # Errors
    /// Message of the model if it fails to create a memory.
    pub fn new(instance: &Arc<Instance>, lanes: usize) -> Result<Option<Arc<Self>>, String> {
        // SAFETY: for this id a model returns this table or null; it is static data.
        let table = unsafe { instance.ability(MEMORY_ABILITY).cast::<MemoryTable>().as_ref() };
        let Some(table) = table else { return Ok(None) };
        let mut memories = Self { instance: instance.clone(), table, lanes: Box::default() };
        let mut created = Vec::with_capacity(lanes);
        for _ in 0..lanes {
            let mut memory = std::ptr::null_mut();
            let mut fault = Fault::NONE;
            // SAFETY: the handle is the model's; memory and fault are ours.
            let code =
                unsafe { (table.create)(instance.handle(), &raw mut memory, &raw mut fault) };
            if code != fault_code::NONE {
                memories.lanes = created.into();
                return Err(fault.message());
            }
            created.push(AtomicPtr::new(memory));
        }
        memories.lanes = created.into();
        Ok(Some(Arc::new(memories)))
    }

    /// Returns the pointer for [`simhost_abi::Batch::memories`].
    pub fn pointers(&self) -> *const *mut c_void {
        self.lanes.as_ptr().cast()
    }

    /// Returns the number of lanes.
    pub fn lanes(&self) -> usize {
        self.lanes.len()
    }

    /// Saves the memory of a lane as bytes.
    ///
    /// # Errors
    /// Message of the model if it fails.
    pub fn save(&self, lane: usize) -> Result<Vec<u8>, String> {
        let (mut bytes, mut fault) = (Vec::<u8>::new(), Fault::NONE);
        let memory = self.lanes[lane].load(Ordering::Relaxed);
        let sink = (&raw mut bytes).cast();
        // SAFETY: the memory is the model's; the sink is what `write` takes.
        let code = unsafe { (self.table.save)(memory, sink, write, &raw mut fault) };
        if code == fault_code::NONE { Ok(bytes) } else { Err(fault.message()) }
    }

    /// Replaces the memory of a lane by one that was saved under a schema. Must not run at the same
    /// time as a call of the model.
    ///
    /// # Errors
    /// Message of the model if it rejects the bytes; the memory then does not change.
    pub fn load(&self, lane: usize, schema: u32, bytes: &[u8]) -> Result<(), String> {
        let (mut memory, mut fault) = (std::ptr::null_mut(), Fault::NONE);
        let bytes = simhost_abi::Slice::borrowed(bytes);
        // SAFETY: the handle is the model's; the bytes live during the call; the rest is ours.
        let code = unsafe {
            let handle = self.instance.handle();
            (self.table.load)(handle, schema, bytes, &raw mut memory, &raw mut fault)
        };
        if code != fault_code::NONE {
            return Err(fault.message());
        }
        let old = self.lanes[lane].swap(memory, Ordering::Relaxed);
        // SAFETY: the old memory is not used again.
        unsafe { (self.table.destroy)(old) };
        Ok(())
    }
}

/// Appends bytes to the vector of [`Memories::save`].
unsafe extern "C" fn write(sink: *mut c_void, data: *const u8, len: usize) {
    if len == 0 {
        return;
    }
    // SAFETY: the sink is the vector of `save`, and the model passes `len` bytes.
    unsafe { (*sink.cast::<Vec<u8>>()).extend_from_slice(std::slice::from_raw_parts(data, len)) };
}

impl Drop for Memories {
    fn drop(&mut self) {
        for memory in &self.lanes {
            // SAFETY: the memory came from `create` or `load` and is not used again.
            unsafe { (self.table.destroy)(memory.load(Ordering::Relaxed)) };
        }
    }
}
