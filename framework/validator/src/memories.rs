//! The memories of lanes.

use std::ffi::c_void;
use std::sync::Arc;

use simhost_abi::{Fault, MEMORY_ABILITY, MemoryTable, Slice, fault_code};

use crate::instance::{Instance, describe};
use crate::verdict::{Outcome, fail};

/// One memory per lane.
pub(crate) struct Memories {
    instance: Arc<Instance>,
    table: &'static MemoryTable,
    lanes: Vec<*mut c_void>,
}

/// Returns the memory table of a model, if it has one.
pub(crate) fn table(instance: &Instance) -> Option<&'static MemoryTable> {
    // SAFETY: under this id a model answers with this table or null; it is static data.
    unsafe { instance.ability(MEMORY_ABILITY).cast::<MemoryTable>().as_ref() }
}

impl Memories {
    /// Creates the memories at the start of a run, or returns `None` for a model without memory.
    pub fn new(instance: &Arc<Instance>, lanes: usize) -> Outcome<Option<Self>> {
        let Some(table) = table(instance) else { return Ok(None) };
        let mut memories =
            Self { instance: instance.clone(), table, lanes: Vec::with_capacity(lanes) };
        for _ in 0..lanes {
            let (mut memory, mut fault) = (std::ptr::null_mut(), Fault::NONE);
            // SAFETY: the handle is the model's; memory and fault are ours.
            let code =
                unsafe { (table.create)(instance.handle(), &raw mut memory, &raw mut fault) };
            if code != fault_code::NONE {
                let description = describe(&Fault { code, ..fault });
                return fail(format!("`create` of a memory returned {description}"));
            }
            memories.lanes.push(memory);
        }
        Ok(Some(memories))
    }

    /// Returns the pointers for `Batch::memories`.
    pub fn pointers(&self) -> *const *mut c_void {
        self.lanes.as_ptr()
    }

    /// Saves the memory of a lane.
    pub fn save(&self, lane: usize) -> Outcome<Vec<u8>> {
        let (mut bytes, mut fault) = (Vec::<u8>::new(), Fault::NONE);
        let sink = (&raw mut bytes).cast();
        // SAFETY: the memory is the model's; the sink is what `write` takes.
        let code = unsafe { (self.table.save)(self.lanes[lane], sink, write, &raw mut fault) };
        if code != fault_code::NONE {
            return fail(format!("`save` returned {}", describe(&Fault { code, ..fault })));
        }
        Ok(bytes)
    }

    /// Replaces the memory of a lane by saved bytes.
    ///
    /// # Errors
    ///
    /// The fault of the model; the memory then stays unchanged.
    pub fn load(&mut self, lane: usize, bytes: &[u8]) -> Result<(), Fault> {
        let (mut memory, mut fault) = (std::ptr::null_mut(), Fault::NONE);
        let (handle, schema) = (self.instance.handle(), self.instance.model().schema);
        let bytes = Slice::borrowed(bytes);
        // SAFETY: the handle is the model's; the bytes live during the call; the rest is ours.
        let code =
            unsafe { (self.table.load)(handle, schema, bytes, &raw mut memory, &raw mut fault) };
        if code != fault_code::NONE {
            return Err(Fault { code, ..fault });
        }
        let old = std::mem::replace(&mut self.lanes[lane], memory);
        // SAFETY: nothing points to the old memory any more.
        unsafe { (self.table.destroy)(old) };
        Ok(())
    }
}

impl Drop for Memories {
    fn drop(&mut self) {
        for memory in self.lanes.drain(..) {
            // SAFETY: the memory came from `create` or `load` and nothing uses it after this.
            unsafe { (self.table.destroy)(memory) };
        }
    }
}

unsafe extern "C" fn write(sink: *mut c_void, data: *const u8, len: usize) {
    if len == 0 {
        return;
    }
    // SAFETY: the sink is the vector of `save`, and the model hands over `len` bytes.
    unsafe { (*sink.cast::<Vec<u8>>()).extend_from_slice(std::slice::from_raw_parts(data, len)) };
}
