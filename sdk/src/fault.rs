//! Contains panics inside the plugin and reports them to the host with the lane at fault.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::Once;

use simhost_abi::{Batch, Fault, SelftestTable, fault_code};

use crate::module;

thread_local! {
    static IN_MODEL: Cell<bool> = const { Cell::new(false) };
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The payload with which [`crate::Step::refuse`] unwinds.
pub(crate) struct StepTooLarge {
    /// Length that works, s; 0 if unknown.
    pub suggested_dt: f64,
}

/// The payload with which [`crate::Step::reject`] unwinds.
pub(crate) struct Rejected(pub String);

/// The reason why a call ended early.
pub(crate) struct Caught {
    code: u32,
    suggested_dt: f64,
    text: String,
}

impl Caught {
    fn new(payload: &(dyn Any + Send)) -> Self {
        if let Some(StepTooLarge { suggested_dt }) = payload.downcast_ref() {
            let text = if *suggested_dt > 0.0 {
                format!("a step of at most {suggested_dt} s works")
            } else {
                "it needs shorter steps".to_owned()
            };
            return Self { code: fault_code::STEP_TOO_LARGE, suggested_dt: *suggested_dt, text };
        }
        if let Some(Rejected(text)) = payload.downcast_ref() {
            return Self { code: fault_code::REFUSED, suggested_dt: 0.0, text: text.clone() };
        }
        let text = LAST_PANIC.with(|last| std::mem::take(&mut *last.borrow_mut()));
        Self { code: fault_code::PANIC, suggested_dt: 0.0, text }
    }

    /// Writes the fault for the host and returns its code.
    pub fn report(&self, fault: *mut Fault, lane: u64) -> u32 {
        report(fault, self.code, lane, &self.text);
        if !fault.is_null() {
            // SAFETY: the host passes a fault that it owns, or null.
            unsafe { (*fault).suggested_dt = self.suggested_dt };
        }
        self.code
    }
}

/// Installs a hook that records panics of models instead of printing them, because the host reports
/// them with the entity. Called by `create`, so that no phase has to check for it.
pub(crate) fn install_hook() {
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
            keep_cause(info.payload());
        }));
    });
}

/// Keeps the cause of a panic for the host of a module, where a panic is a trap.
fn keep_cause(payload: &(dyn Any + Send)) {
    module::keep_cause(|fault, lane| {
        Caught::new(payload).report(fault, lane);
    });
}

/// Ends the call of a model with this payload.
pub(crate) fn end_call(payload: impl Any + Send) -> ! {
    keep_cause(&payload);
    resume_unwind(Box::new(payload))
}

/// Calls `run` and returns a panic as an error.
#[inline]
pub(crate) fn contain<T>(run: impl FnOnce() -> T) -> Result<T, Caught> {
    let (mut run, mut result) = (Some(run), None);
    contain_call(&mut || result = run.take().map(|run| run()))?;
    Ok(result.expect("a call that did not panic has a result"))
}

/// Drops something of a model. A panic has no fault that could report it, and is printed.
pub(crate) fn contain_drop(run: impl FnOnce()) {
    if let Err(caught) = contain(run) {
        // without standard error, the warning is lost
        let _ = writeln!(std::io::stderr(), "warning: a model panicked in `drop`: {}", caught.text);
    }
}

/// Calls `run`, which is not generic so that the code around a call exists once per library.
fn contain_call(run: &mut dyn FnMut()) -> Result<(), Caught> {
    IN_MODEL.with(|in_model| {
        // in a shared library each access to a thread local is a call, so there is one only
        let outer = in_model.replace(true);
        let result = catch_unwind(AssertUnwindSafe(run));
        in_model.set(outer);
        result.map_err(|payload| Caught::new(payload.as_ref()))
    })
}

/// Exposes [`contain`] so that benches can measure it.
#[doc(hidden)]
#[inline(never)]
pub fn contained<T>(run: impl FnOnce() -> T) -> Option<T> {
    contain(run).ok()
}

/// Runs a batch. `run` stores the first lane that it has not finished in the cell. After a panic
/// the remaining lanes run one by one to find the lane at fault; the lanes before it are complete.
/// In a WebAssembly module a panic is a trap, after which the host does the same.
pub(crate) fn guard(batch: &Batch, fault: *mut Fault, run: &dyn Fn(&Batch, &Cell<usize>)) -> u32 {
    let done = Cell::new(batch.first);
    module::watch(&done);
    let outcome = contain_call(&mut || run(batch, &done));
    module::forget_progress();
    let Err(mut caught) = outcome else { return fault_code::NONE };
    let end = batch.first + batch.count;
    let mut guilty = done.get();
    for lane in done.get()..end {
        let single = Batch { first: lane, count: 1, ..*batch };
        if let Err(again) = contain_call(&mut || run(&single, &done)) {
            (guilty, caught) = (lane, again);
            break;
        }
    }
    caught.report(fault, guilty as u64)
}

/// Writes a fault for the host and returns its code.
pub(crate) fn report(fault: *mut Fault, code: u32, lane: u64, text: &str) -> u32 {
    if !fault.is_null() {
        // SAFETY: the host passes a fault that it owns, or null.
        unsafe { *fault = Fault { lane, ..Fault::new(code, text) } };
    }
    code
}

/// Panics as a model would, where panics of models are contained.
pub(crate) const SELFTEST: SelftestTable =
    SelftestTable { size: size_of::<SelftestTable>() as u32, reserved: 0, panic: selftest };

unsafe extern "C" fn selftest(fault: *mut Fault) -> u32 {
    install_hook();
    match contain::<()>(|| panic!("requested by a validator")) {
        Ok(()) => fault_code::NONE,
        Err(caught) => caught.report(fault, 0),
    }
}
