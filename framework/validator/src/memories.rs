//! The memories of lanes.

use std::ffi::c_void;
use std::sync::Arc;

use simhost_abi::Fault;
use simhost_model::MemoryFunctions;

use crate::instance::{Instance, describe};
use crate::verdict::{Outcome, fail};

/// One memory per lane.
pub(crate) struct Memories {
    /// The instance of each lane, or one for all.
    instances: Vec<Arc<Instance>>,
    functions: MemoryFunctions,
    lanes: Vec<*mut c_void>,
}

impl Memories {
    /// Creates the memories at the start of a run, or returns `None` for a model without memory. The
    /// instances of the lanes begin again after the last one.
    pub fn new(instances: &[Arc<Instance>], lanes: usize) -> Outcome<Option<Self>> {
        let functions = instances.first().and_then(|instance| MemoryFunctions::of(instance));
        let Some(functions) = functions else { return Ok(None) };
        let mut memories =
            Self { instances: instances.to_vec(), functions, lanes: Vec::with_capacity(lanes) };
        for instance in instances.iter().cycle().take(lanes) {
            match functions.create(instance) {
                Ok(memory) => memories.lanes.push(memory),
                Err(fault) => {
                    return fail(format!("`create` of a memory returned {}", describe(&fault)));
                }
            }
        }
        Ok(Some(memories))
    }

    /// Returns the pointers for `Batch::memories`.
    pub fn pointers(&self) -> *const *mut c_void {
        self.lanes.as_ptr()
    }

    /// Saves the memory of a lane.
    pub fn save(&self, lane: usize) -> Outcome<Vec<u8>> {
        // SAFETY: the memory came from `create` or `load`.
        let saved = unsafe { self.functions.save(self.lanes[lane]) };
        saved.or_else(|fault| fail(format!("`save` returned {}", describe(&fault))))
    }

    /// Replaces the memory of a lane by saved bytes.
    ///
    /// # Errors
    ///
    /// The fault of the model; the memory then stays unchanged.
    pub fn load(&mut self, lane: usize, bytes: &[u8]) -> Result<(), Fault> {
        let instance = &self.instances[lane % self.instances.len()];
        let memory = self.functions.load(instance, instance.model().schema, bytes)?;
        let old = std::mem::replace(&mut self.lanes[lane], memory);
        // SAFETY: nothing points to the old memory any more.
        unsafe { self.functions.destroy(old) };
        Ok(())
    }
}

impl Drop for Memories {
    fn drop(&mut self) {
        for memory in self.lanes.drain(..) {
            // SAFETY: the memory came from `create` or `load` and nothing uses it after this.
            unsafe { self.functions.destroy(memory) };
        }
    }
}
