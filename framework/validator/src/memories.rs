//! The memories of lanes.

use std::ffi::c_void;
use std::sync::Arc;

use simhost_abi::Fault;
use simhost_model::MemoryFunctions;

use crate::instance::{Instance, describe};
use crate::verdict::{Outcome, fail};

/// One memory per lane.
pub(crate) struct Memories {
    instance: Arc<Instance>,
    functions: MemoryFunctions,
    lanes: Vec<*mut c_void>,
}

impl Memories {
    /// Creates the memories at the start of a run, or returns `None` for a model without memory.
    pub fn new(instance: &Arc<Instance>, lanes: usize) -> Outcome<Option<Self>> {
        let Some(functions) = MemoryFunctions::of(instance) else { return Ok(None) };
        let mut memories =
            Self { instance: instance.clone(), functions, lanes: Vec::with_capacity(lanes) };
        for _ in 0..lanes {
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
        let schema = self.instance.model().schema;
        let memory = self.functions.load(&self.instance, schema, bytes)?;
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
