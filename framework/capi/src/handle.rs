//! Handles: allocations of the library to which C has pointers.
//!
//! A handle starts with a number that depends on its type, so that null, zeroed memory and handles of other types are
//! refused. A handle that has been freed cannot be recognised reliably, because its memory may be in use again; the functions
//! that free one therefore set the pointer of the caller to null.

use std::any::Any;
use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::error::{CallError, LastError, Status};

/// Content of a handle.
pub trait Content {
    /// First eight bytes of the handle.
    const MAGIC: u64;
}

/// First eight bytes of a handle that has been freed.
const FREED: u64 = 0x6465_6572_6673_6d69;

/// A session, a snapshot or an ensemble, with its last error.
#[repr(C)]
pub struct Handle<T> {
    magic: AtomicU64,
    /// Whether a call uses the handle.
    is_busy: AtomicBool,
    inner: UnsafeCell<Inner<T>>,
}

/// What only the call that has set [`Handle::is_busy`] may use.
struct Inner<T> {
    /// `None` if it could not be opened, or a call has panicked.
    content: Result<T, Missing>,
    error: Option<LastError>,
}

/// The reason why a handle has no content.
#[derive(Clone, Copy)]
enum Missing {
    NotOpen,
    Panicked,
}

/// Exclusive use of a handle until it is dropped.
pub struct Use<'h, T>(&'h Handle<T>);

impl<T> Drop for Use<'_, T> {
    fn drop(&mut self) {
        self.0.is_busy.store(false, Ordering::Release);
    }
}

impl<T> Use<'_, T> {
    fn inner(&mut self) -> &mut Inner<T> {
        // SAFETY: `is_busy` grants this value the only access to `inner`.
        unsafe { &mut *self.0.inner.get() }
    }

    /// Returns the last error.
    pub fn error(&mut self) -> Option<&LastError> {
        self.inner().error.as_ref()
    }

    /// Returns the content.
    ///
    /// # Errors
    /// [`Status::NotOpen`] or [`Status::Panic`] if there is none.
    pub fn content(&mut self) -> Result<&mut T, CallError> {
        self.inner().content.as_mut().map_err(|missing| match missing {
            Missing::NotOpen => CallError::new(
                Status::NotOpen,
                "it could not be opened; help: read the last error after opening, and free the handle",
            ),
            Missing::Panicked => CallError::new(
                Status::Panic,
                "an earlier call has panicked; expected no call other than free; help: open it again",
            ),
        })
    }

    /// Calls `act`, and keeps its error.
    fn act(&mut self, act: impl FnOnce(&mut Self) -> Result<(), CallError>) -> i32 {
        let acted = catch_unwind(AssertUnwindSafe(|| act(self)));
        let error = match acted {
            Ok(Ok(())) => return Status::Ok as i32,
            Ok(Err(error)) => error,
            Err(panic) => {
                self.inner().content = Err(Missing::Panicked);
                CallError::new(Status::Panic, panic_text(&*panic))
            }
        };
        let code = error.code;
        self.inner().error = Some(error.into());
        code as i32
    }
}

impl<T: Content> Handle<T> {
    /// Returns exclusive use of a handle.
    ///
    /// # Errors
    /// The code of null, another type, or concurrent use.
    ///
    /// # Safety
    /// A pointer that is not null points to at least eight readable bytes. If these are the number of the type, it
    /// points to a handle of the type.
    pub unsafe fn enter<'h>(handle: *mut Self) -> Result<Use<'h, T>, i32> {
        // SAFETY: as for this function.
        unsafe { Self::check(handle)? };
        // SAFETY: the number shows that it is a handle of this type.
        let handle = unsafe { &*handle };
        match handle.is_busy.swap(true, Ordering::Acquire) {
            true => Err(Status::Busy as i32),
            false => Ok(Use(handle)),
        }
    }

    /// # Safety
    /// As [`Self::enter`].
    unsafe fn check(handle: *mut Self) -> Result<(), i32> {
        if handle.is_null() || !handle.is_aligned() {
            return Err(Status::Handle as i32);
        }
        // SAFETY: there are eight readable bytes, which any number fits.
        let magic = unsafe { (*handle.cast::<AtomicU64>()).load(Ordering::Relaxed) };
        if magic == T::MAGIC { Ok(()) } else { Err(Status::Handle as i32) }
    }
}

/// Calls `act` with the content of a handle, and keeps its error.
///
/// # Safety
/// As [`Handle::enter`].
pub unsafe fn call<T: Content>(
    handle: *mut Handle<T>,
    act: impl FnOnce(&mut T) -> Result<(), CallError>,
) -> i32 {
    // SAFETY: as for this function.
    match unsafe { Handle::enter(handle) } {
        Err(code) => code,
        Ok(mut used) => used.act(|used| act(used.content()?)),
    }
}

/// Writes a new handle to `to` with the content that `open` returns. If that fails, the handle has the error.
///
/// # Safety
/// `to` is null or can be written.
pub unsafe fn open<T: Content>(
    to: *mut *mut Handle<T>,
    open: impl FnOnce() -> Result<T, CallError>,
) -> i32 {
    if to.is_null() {
        return Status::Argument as i32;
    }
    let handle = Handle {
        magic: AtomicU64::new(T::MAGIC),
        is_busy: AtomicBool::new(true),
        inner: UnsafeCell::new(Inner { content: Err(Missing::NotOpen), error: None }),
    };
    let mut used = Use(&handle);
    let code = used.act(|used| {
        used.inner().content = Ok(open()?);
        Ok(())
    });
    drop(used);
    // SAFETY: `to` can be written.
    unsafe { to.write(Box::into_raw(Box::new(handle))) };
    code
}

/// Writes a new handle to `to` with the content that `make` returns from the content of another one, which keeps the error.
/// Without a content, it writes null.
///
/// # Safety
/// `from` as [`Handle::enter`]; `to` is null or can be written.
pub unsafe fn derive<F: Content, T: Content>(
    from: *mut Handle<F>,
    to: *mut *mut Handle<T>,
    make: impl FnOnce(&mut F) -> Result<T, CallError>,
) -> i32 {
    if to.is_null() {
        return Status::Argument as i32;
    }
    // SAFETY: `to` can be written.
    unsafe { to.write(null_mut()) };
    let act = |content: &mut F| {
        let made = make(content)?;
        // SAFETY: as before.
        unsafe { open(to, || Ok(made)) };
        Ok(())
    };
    // SAFETY: as for this function.
    unsafe { call(from, act) }
}

/// Drops a handle, and sets the pointer to null.
///
/// # Safety
/// `handle` is null or can be written, and points to null or to a pointer as for [`Handle::enter`].
pub unsafe fn free<T: Content>(handle: *mut *mut Handle<T>) -> i32 {
    if handle.is_null() {
        return Status::Argument as i32;
    }
    // SAFETY: it can be read.
    let own = unsafe { *handle };
    if own.is_null() {
        return Status::Ok as i32;
    }
    // SAFETY: as for this function.
    match unsafe { Handle::enter(own) } {
        Err(code) => return code,
        Ok(used) => {
            used.0.magic.store(FREED, Ordering::Relaxed);
            // no other call can enter the handle
            std::mem::forget(used);
        }
    }
    // SAFETY: `open` has created it as a box, and only this call uses it.
    let own = unsafe { Box::from_raw(own) };
    // SAFETY: it can be written.
    unsafe { handle.write(null_mut()) };
    match catch_unwind(AssertUnwindSafe(|| drop(own))) {
        Ok(()) => Status::Ok as i32,
        Err(_) => Status::Panic as i32,
    }
}

/// Returns the message of a panic.
fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("the library has panicked: {}", text.unwrap_or("without a message"))
}

#[cfg(test)]
mod tests {
    use std::ptr::null_mut;

    use super::{Content, Handle, call, free, open};
    use crate::error::{CallError, Status};

    struct Number(u32);

    impl Content for Number {
        const MAGIC: u64 = 1;
    }

    fn opened() -> *mut Handle<Number> {
        let mut handle = null_mut();
        // SAFETY: the pointer can be written.
        assert_eq!(unsafe { open(&raw mut handle, || Ok(Number(1))) }, 0);
        handle
    }

    fn close(mut handle: *mut Handle<Number>) {
        // SAFETY: it is a handle.
        assert_eq!(unsafe { free(&raw mut handle) }, 0);
        assert!(handle.is_null());
    }

    #[test]
    fn a_panic_is_an_error_of_this_call_and_the_next() {
        let handle = opened();
        // SAFETY: it is a handle.
        let code = unsafe { call(handle, |_| panic!("as tested")) };
        assert_eq!(code, Status::Panic as i32);
        // SAFETY: as before.
        let Ok(mut used) = (unsafe { Handle::enter(handle) }) else { panic!("it is busy") };
        let text = used.error().map(|error| error.text.to_str().map(str::to_owned));
        assert_eq!(text, Some(Ok("the library has panicked: as tested".to_owned())));
        drop(used);
        // SAFETY: as before.
        assert_eq!(unsafe { call(handle, |_| Ok(())) }, Status::Panic as i32);
        close(handle);
    }

    #[test]
    fn a_call_within_a_call_is_refused() {
        let handle = opened();
        let inside = |number: &mut Number| {
            number.0 += 1;
            // SAFETY: it is a handle.
            assert_eq!(unsafe { call(handle, |_| Ok(())) }, Status::Busy as i32);
            let mut again = handle;
            // SAFETY: as before.
            assert_eq!(unsafe { free(&raw mut again) }, Status::Busy as i32);
            assert_eq!(again, handle);
            Err(CallError::argument("as tested"))
        };
        // SAFETY: as before.
        assert_eq!(unsafe { call(handle, inside) }, Status::Argument as i32);
        close(handle);
    }
}
