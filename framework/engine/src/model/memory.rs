//! Memories: data that a model keeps for each lane in addition to its state slots.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use simhost_model::MemoryFunctions;

use super::instance::Instance;

/// One memory for each lane of a call.
pub(crate) struct Memories {
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
    /// Message of the model if it fails to create a memory.
    pub fn new(instances: &[Arc<Instance>], lanes: usize) -> Result<Option<Arc<Self>>, String> {
        let functions = instances.first().and_then(|instance| instance.memory_functions());
        let Some(functions) = functions else { return Ok(None) };
        let mut memories = Self { instances: instances.to_vec(), functions, lanes: Box::default() };
        let mut created = Vec::with_capacity(lanes);
        for instance in instances.iter().cycle().take(lanes) {
            match functions.create(instance.inner()) {
                Ok(memory) => created.push(AtomicPtr::new(memory)),
                Err(fault) => {
                    memories.lanes = created.into();
                    return Err(fault.message());
                }
            }
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
        let memory = self.lanes[lane].load(Ordering::Relaxed);
        // SAFETY: the memory came from `create` or `load`.
        unsafe { self.functions.save(memory) }.map_err(|fault| fault.message())
    }

    /// Replaces the memory of a lane by one that was saved under a schema. Must not run at the same
    /// time as a call of the model.
    ///
    /// # Errors
    /// Message of the model if it rejects the bytes; the memory then does not change.
    pub fn load(&self, lane: usize, schema: u32, bytes: &[u8]) -> Result<(), String> {
        let instance = &self.instances[lane % self.instances.len()];
        let loaded = self.functions.load(instance.inner(), schema, bytes);
        let memory = loaded.map_err(|fault| fault.message())?;
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
