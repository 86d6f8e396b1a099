//! Arguments of calls from C: texts, lists, buffers and structs.

use std::ffi::{CStr, c_char};

use crate::error::{CallError, Status};

/// Returns a text.
///
/// # Errors
/// [`Status::Argument`] if it is null or not UTF-8.
///
/// # Safety
/// A pointer that is not null points to a text that ends with a zero byte and does not change during the call.
pub unsafe fn text<'t>(what: &str, from: *const c_char) -> Result<&'t str, CallError> {
    // SAFETY: as for this function.
    unsafe { optional_text(what, from)? }
        .ok_or_else(|| CallError::argument(format!("{what} is null; expected a text")))
}

/// Returns a text, or `None` for null.
///
/// # Errors
/// [`Status::Argument`] if it is not UTF-8.
///
/// # Safety
/// As [`text`].
pub unsafe fn optional_text<'t>(
    what: &str,
    from: *const c_char,
) -> Result<Option<&'t str>, CallError> {
    if from.is_null() {
        return Ok(None);
    }
    // SAFETY: as for this function.
    let text = unsafe { CStr::from_ptr(from) };
    let text = text.to_str();
    text.map(Some).map_err(|_| CallError::argument(format!("{what} is not UTF-8")))
}

/// Returns a list of texts.
///
/// # Errors
/// [`Status::Argument`] if a pointer is null or a text is not UTF-8.
///
/// # Safety
/// As [`list`], for pointers to texts as [`text`].
pub unsafe fn texts<'t>(
    what: &str,
    from: *const *const c_char,
    count: usize,
) -> Result<Vec<&'t str>, CallError> {
    // SAFETY: as for this function.
    let all = unsafe { list(what, from, count)? };
    // SAFETY: as for this function.
    all.iter().map(|one| unsafe { text(what, *one) }).collect()
}

/// Returns a list.
///
/// # Errors
/// [`Status::Argument`] if the pointer is null or not aligned, and the list is not empty.
///
/// # Safety
/// A pointer that is not null points to `count` values that do not change during the call.
pub unsafe fn list<'t, T>(what: &str, from: *const T, count: usize) -> Result<&'t [T], CallError> {
    match from.is_null() || !from.is_aligned() || count > isize::MAX as usize / size_of::<T>() {
        true if count == 0 => Ok(&[]),
        true => Err(CallError::argument(format!(
            "{what} is null, not aligned or too large; expected {count} values"
        ))),
        // SAFETY: as for this function.
        false => Ok(unsafe { std::slice::from_raw_parts(from, count) }),
    }
}

/// Returns a list to be written.
///
/// # Errors
/// As [`list`].
///
/// # Safety
/// A pointer that is not null points to `count` initialised values that nothing else uses during the call.
pub unsafe fn list_mut<'t, T>(
    what: &str,
    to: *mut T,
    count: usize,
) -> Result<&'t mut [T], CallError> {
    // SAFETY: as for this function.
    unsafe { list(what, to.cast_const(), count)? };
    match count {
        0 => Ok(&mut []),
        // SAFETY: as for this function.
        _ => Ok(unsafe { std::slice::from_raw_parts_mut(to, count) }),
    }
}

/// Writes a value.
///
/// # Errors
/// [`Status::Argument`] if the pointer is null.
///
/// # Safety
/// A pointer that is not null can be written.
pub unsafe fn put<T>(what: &str, to: *mut T, value: T) -> Result<(), CallError> {
    if to.is_null() || !to.is_aligned() {
        return Err(CallError::argument(format!("{what} is null; expected an address")));
    }
    // SAFETY: as for this function.
    unsafe { to.write(value) };
    Ok(())
}

/// A buffer of the caller, with the address for the number of values.
pub struct Buffer<T> {
    pub to: *mut T,
    pub capacity: usize,
    pub count: *mut usize,
}

impl<T: Copy> Buffer<T> {
    /// Writes values, and their number where the caller gives an address for it. Null with a capacity of 0 only asks for
    /// the number.
    ///
    /// # Errors
    /// [`Status::ShortBuffer`] if they do not fit; nothing but their number is written then.
    ///
    /// # Safety
    /// The addresses are null or can be written; `to` has space for `capacity` values.
    pub unsafe fn fill(&self, values: &[T]) -> Result<(), CallError> {
        // SAFETY: as for this function.
        unsafe { self.fill_with(values, values.len(), None) }
    }

    /// Writes values and, if there is a last one, this one after them without counting it.
    unsafe fn fill_with(
        &self,
        values: &[T],
        count: usize,
        last: Option<T>,
    ) -> Result<(), CallError> {
        if !self.count.is_null() {
            // SAFETY: it can be written.
            unsafe { self.count.write(count) };
        }
        if self.to.is_null() && self.capacity == 0 {
            return Ok(());
        }
        let needed = count + usize::from(last.is_some());
        if needed > self.capacity {
            let text = format!("the buffer has {} places; expected {needed}", self.capacity);
            return Err(CallError::new(Status::ShortBuffer, text));
        }
        if self.to.is_null() {
            return Err(CallError::argument("the buffer is null; expected an address"));
        }
        // SAFETY: there is space for them, and the library owns `values`.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), self.to, count) };
        if let Some(last) = last {
            // SAFETY: as before.
            unsafe { self.to.add(count).write(last) };
        }
        Ok(())
    }
}

impl Buffer<c_char> {
    /// Writes a text with a zero byte after it, which is not counted.
    ///
    /// # Errors
    /// As [`Self::fill`].
    ///
    /// # Safety
    /// As [`Self::fill`].
    pub unsafe fn fill_text(&self, text: &str) -> Result<(), CallError> {
        let letters: Vec<c_char> = text.bytes().map(|byte| byte as c_char).collect();
        // SAFETY: as for this function.
        unsafe { self.fill_with(&letters, letters.len(), Some(0)) }
    }
}

/// A struct of C that starts with its size, whose bytes may all be zero.
///
/// # Safety
/// The type has the layout of C, its first field is a `usize`, and zeros are a valid value.
pub unsafe trait SizedStruct: Copy {
    /// Size in the first version of the interface.
    const FIRST: usize;
}

/// Largest size that a struct of a later version may have.
const MOST: usize = 4096;

/// Reads a struct. Fields that the caller's version does not have are zero.
///
/// # Errors
/// [`Status::Argument`] if it is null, its size is not one of a version, or it sets a field that this library
/// does not have.
///
/// # Safety
/// A pointer that is not null points to as many bytes as its first field says, at least to this field.
pub unsafe fn read<T: SizedStruct>(what: &str, from: *const T) -> Result<T, CallError> {
    // SAFETY: as for this function.
    let size = unsafe { size_of_struct(what, from.cast())? };
    check_size::<T>(what, size)?;
    // SAFETY: zeros are a valid value of the type.
    let mut value: T = unsafe { std::mem::zeroed() };
    // SAFETY: the struct has at least `size` bytes, and the value those of its type.
    unsafe {
        std::ptr::copy_nonoverlapping(
            from.cast::<u8>(),
            (&raw mut value).cast::<u8>(),
            size.min(size_of::<T>()),
        );
    }
    // SAFETY: as before.
    let all = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), size) };
    match all.get(size_of::<T>()..).is_some_and(|rest| rest.iter().any(|byte| *byte != 0)) {
        true => Err(CallError::argument(format!(
            "{what} sets a field that this library does not have; help: load a newer library"
        ))),
        false => Ok(value),
    }
}

/// Writes a struct. Fields that the caller's version does not have are left out.
///
/// # Errors
/// As [`read`].
///
/// # Safety
/// As [`read`], and the bytes can be written.
pub unsafe fn write<T: SizedStruct>(what: &str, to: *mut T, value: T) -> Result<(), CallError> {
    // SAFETY: as for this function.
    let size = unsafe { size_of_struct(what, to.cast_const().cast())? };
    check_size::<T>(what, size)?;
    let (size, after) = (size.min(size_of::<T>()), size_of::<usize>());
    let value = (&raw const value).cast::<u8>();
    // SAFETY: both have at least `size` bytes, the first of which stay as they are.
    unsafe {
        std::ptr::copy_nonoverlapping(value.add(after), to.cast::<u8>().add(after), size - after);
    }
    Ok(())
}

/// # Safety
/// As [`read`].
unsafe fn size_of_struct(what: &str, from: *const usize) -> Result<usize, CallError> {
    if from.is_null() || !from.is_aligned() {
        return Err(CallError::argument(format!("{what} is null; expected an address")));
    }
    // SAFETY: as for this function.
    Ok(unsafe { *from })
}

fn check_size<T: SizedStruct>(what: &str, size: usize) -> Result<(), CallError> {
    if (T::FIRST..=MOST).contains(&size) {
        return Ok(());
    }
    Err(CallError::argument(format!(
        "the size of {what} is {size}; expected its `sizeof`, such as {}",
        size_of::<T>()
    )))
}
