//! What the lanes of a model remember beside their state slots.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use simhost_abi::{Fault, MEMORY_ABILITY, MemoryTable, fault_code};

use crate::model::Made;

/// A memory for each lane of a call.
pub(crate) struct Memories {
    /// Keeps the library's model alive for as long as its memories.
    made: Arc<Made>,
    table: &'static MemoryTable,
    lanes: Box<[AtomicPtr<c_void>]>,
}

impl Memories {
    /// Memories as they are at the start of a run; none for a model that has none.
    ///
    /// # Errors
    /// What the model says when it cannot make one.
    pub fn new(made: &Arc<Made>, lanes: usize) -> Result<Option<Arc<Self>>, String> {
        // SAFETY: under this id a model answers with this table or null; it is static data.
        let table = unsafe { made.ability(MEMORY_ABILITY).cast::<MemoryTable>().as_ref() };
        let Some(table) = table else { return Ok(None) };
        let mut memories = Self { made: made.clone(), table, lanes: Box::default() };
        let mut begun = Vec::with_capacity(lanes);
        for _ in 0..lanes {
            let mut memory = std::ptr::null_mut();
            let mut fault = Fault::NONE;
            // SAFETY: the handle is the model's; memory and fault are ours.
            let code = unsafe { (table.create)(made.handle(), &raw mut memory, &raw mut fault) };
            if code != fault_code::NONE {
                memories.lanes = begun.into();
                return Err(fault.message());
            }
            begun.push(AtomicPtr::new(memory));
        }
        memories.lanes = begun.into();
        Ok(Some(Arc::new(memories)))
    }

    /// For [`simhost_abi::Batch::memories`].
    pub fn pointers(&self) -> *const *mut c_void {
        self.lanes.as_ptr().cast()
    }

    /// How many there are.
    pub fn lanes(&self) -> usize {
        self.lanes.len()
    }

    /// The bytes of a lane's memory.
    ///
    /// # Errors
    /// What the model says when it cannot.
    pub fn save(&self, lane: usize) -> Result<Vec<u8>, String> {
        let (mut bytes, mut fault) = (Vec::<u8>::new(), Fault::NONE);
        let memory = self.lanes[lane].load(Ordering::Relaxed);
        let sink = (&raw mut bytes).cast();
        // SAFETY: the memory is the model's; the sink is what `write` takes.
        let code = unsafe { (self.table.save)(memory, sink, write, &raw mut fault) };
        if code == fault_code::NONE { Ok(bytes) } else { Err(fault.message()) }
    }

    /// Replaces a lane's memory by one that was saved under a schema. Nothing may call the model
    /// meanwhile.
    ///
    /// # Errors
    /// What the model says of the bytes; the memory then stays as it is.
    pub fn load(&self, lane: usize, schema: u32, bytes: &[u8]) -> Result<(), String> {
        let (mut memory, mut fault) = (std::ptr::null_mut(), Fault::NONE);
        let bytes = simhost_abi::Slice::borrowed(bytes);
        // SAFETY: the handle is the model's; the bytes live during the call; the rest is ours.
        let code = unsafe {
            let handle = self.made.handle();
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

unsafe extern "C" fn write(sink: *mut c_void, data: *const u8, len: usize) {
    if len == 0 {
        return;
    }
    // SAFETY: the sink is the vector of `save`, and the model hands over `len` bytes.
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
