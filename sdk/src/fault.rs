//! Keeps a panic inside the plugin and tells the host which lane is to blame.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use simhost_abi::{Batch, Fault, fault_code};

thread_local! {
    static IN_MODEL: Cell<bool> = const { Cell::new(false) };
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Within a model a panic is recorded instead of printed: the host prints it, with the entity.
fn install_hook() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = take_hook();
        set_hook(Box::new(move |info| {
            if !IN_MODEL.get() {
                return previous(info);
            }
            let text = info.payload_as_str().unwrap_or("panic without a message");
            let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line()));
            let text = format!("{text}{}", place.unwrap_or_default());
            LAST_PANIC.with(|last| *last.borrow_mut() = text);
        }));
    });
}

/// Calls `run`; a panic ends there and its message comes back.
pub(crate) fn contain<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    install_hook();
    let outer = IN_MODEL.replace(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    IN_MODEL.set(outer);
    result.map_err(|_| LAST_PANIC.with(|last| std::mem::take(&mut *last.borrow_mut())))
}

/// Runs a batch. `run` sets the cell to the first lane that it has not finished; after a panic the
/// rest is run lane by lane to name the guilty one, and lanes before it are complete.
pub(crate) fn guard(batch: &Batch, fault: *mut Fault, run: impl Fn(&Batch, &Cell<usize>)) -> u32 {
    let done = Cell::new(batch.first);
    let Err(mut text) = contain(|| run(batch, &done)) else { return fault_code::NONE };
    let end = batch.first + batch.count;
    let mut guilty = done.get();
    for lane in done.get()..end {
        let single = Batch { first: lane, count: 1, ..*batch };
        if let Err(again) = contain(|| run(&single, &done)) {
            (guilty, text) = (lane, again);
            break;
        }
    }
    report(fault, fault_code::PANIC, guilty as u64, &text)
}

/// Writes a fault where the host wants it, and returns its code.
pub(crate) fn report(fault: *mut Fault, code: u32, lane: u64, text: &str) -> u32 {
    if !fault.is_null() {
        // SAFETY: the host passes a fault that it owns, or null.
        unsafe { *fault = Fault { lane, ..Fault::new(code, text) } };
    }
    code
}
