//! Columns between inaccessible pages, and the report of an access to these pages.

use std::ffi::c_int;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::instance::{Failure, Verdict};

/// Bytes of a column that lie on inaccessible pages, on each side.
const REACH: usize = 1 << 16;
/// Unused numbers before the first value.
const MARGIN: usize = 64;

/// A column of numbers in separate pages, between inaccessible pages.
pub(crate) struct Guarded {
    base: *mut u8,
    bytes: usize,
    /// First number of the accessible pages, and their count.
    open: *mut u64,
    open_count: usize,
    /// Index of the first value among these numbers.
    first: usize,
    count: usize,
}

impl Guarded {
    /// Creates a column of numbers.
    ///
    /// # Errors
    /// Fails if the operating system provides no memory.
    pub fn new(values: &[u64], side: Side) -> std::io::Result<Self> {
        // SAFETY: the function only reads a setting.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(4096) as usize;
        let open = ((values.len() + MARGIN) * 8).next_multiple_of(page);
        let bytes = open + 2 * REACH;
        let (access, flags) = (libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANON);
        // SAFETY: new memory is mapped at an address that the system chooses.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        let base = base.cast::<u8>();
        // SAFETY: the pages are a part of the mapping.
        let opened = unsafe {
            let start = base.add(REACH);
            libc::mprotect(start.cast(), open, libc::PROT_READ | libc::PROT_WRITE) == 0
        };
        if !opened {
            return Err(std::io::Error::last_os_error());
        }
        let open_count = open / 8;
        let first = match side {
            Side::Start => 0,
            Side::End => open_count - values.len(),
        };
        // SAFETY: as above; pages are aligned.
        let start = unsafe { base.add(REACH) }.cast::<u64>();
        let mut column = Self { base, bytes, open: start, open_count, first, count: values.len() };
        column.memory().fill(UNWRITTEN);
        column.memory()[first..first + values.len()].copy_from_slice(values);
        Ok(column)
    }

    fn memory(&mut self) -> &mut [u64] {
        // SAFETY: the pages are accessible and belong to this column alone.
        unsafe { std::slice::from_raw_parts_mut(self.open, self.open_count) }
    }

    /// Returns the address of the first value.
    pub fn pointer(&self) -> *mut u64 {
        // SAFETY: the first value lies within the accessible pages, or at their end if there is none.
        unsafe { self.open.add(self.first) }
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns the values.
    pub fn values(&mut self) -> &mut [u64] {
        let (first, count) = (self.first, self.count);
        &mut self.memory()[first..first + count]
    }

    /// Sets all values to a pattern that no model writes.
    pub fn forget(&mut self) {
        self.values().fill(UNWRITTEN);
    }

    /// Returns the distance from the first value to the first number outside of the column that was
    /// written.
    pub fn written_beside(&mut self) -> Option<isize> {
        let (first, count) = (self.first, self.count);
        let own = first..first + count;
        let mut numbers = self.memory().iter().enumerate();
        let index =
            numbers.position(|(index, number)| !own.contains(&index) && *number != UNWRITTEN)?;
        Some(index as isize - first as isize)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the memory was mapped by `new` and is not used again.
        unsafe { libc::munmap(self.base.cast(), self.bytes) };
    }
}

/// A column whose pages are watched, with the two parts of the report between which the index of the
/// accessed value stands.
struct Watched {
    base: usize,
    bytes: usize,
    first: usize,
    report: [Vec<u8>; 2],
}

/// Data that the handler of signals reads.
struct PageWatch {
    columns: Vec<Watched>,
    /// Path of the report, terminated.
    path: Vec<u8>,
}

static WATCH: AtomicPtr<PageWatch> = AtomicPtr::new(std::ptr::null_mut());
static REPORT: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();

/// Stores where the process writes its report.
pub(crate) fn report_to(path: &Path) {
    let mut path = path.as_os_str().as_bytes().to_vec();
    path.push(0);
    let _ = REPORT.set(path);
}

/// Reports an access outside of these columns as the failure of the test. `columns` have the names
/// that the report gives them, such as ``input `vx` ``; `function` is the phase that is called.
pub(crate) fn watch<'c>(function: &str, columns: impl Iterator<Item = (&'c Guarded, String)>) {
    let watched = |(column, name): (&Guarded, String)| {
        let count = column.count;
        let what = format!("`{function}` accesses value # of {name}, which has {count} values");
        let verdict = Verdict::Fail(Failure { what, ..Failure::default() });
        let text = serde_json::to_string(&verdict).unwrap_or_default();
        let (before, after) = text.split_once('#').unwrap_or((&text, ""));
        Watched {
            base: column.base as usize,
            bytes: column.bytes,
            first: column.pointer() as usize,
            report: [before.as_bytes().to_vec(), after.as_bytes().to_vec()],
        }
    };
    let path = REPORT.get().cloned().unwrap_or_else(|| vec![0]);
    let watch = PageWatch { columns: columns.map(watched).collect(), path };
    // leaked because the handler can read it at any time
    WATCH.store(Box::into_raw(Box::new(watch)), Ordering::Release);
    for signal in [libc::SIGSEGV, libc::SIGBUS] {
        // SAFETY: zero is a valid `sigaction`, and the handler has the type of its flags.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESETHAND;
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Writes the report if the address belongs to a watched column. Otherwise, the failing instruction runs
/// again under the default action.
extern "C" fn handle(_: c_int, info: *mut libc::siginfo_t, _: *mut std::ffi::c_void) {
    // SAFETY: the system passes the information of the signal, which has an address.
    let address = unsafe { (*info).si_addr() } as usize;
    // SAFETY: a watch is never freed.
    let Some(watch) = (unsafe { WATCH.load(Ordering::Acquire).as_ref() }) else { return };
    let is_in = |column: &&Watched| (column.base..column.base + column.bytes).contains(&address);
    let Some(column) = watch.columns.iter().find(is_in) else { return };
    let value = (address as isize - column.first as isize).div_euclid(8);
    let mut digits = [0; 24];
    let digits = decimal(value, &mut digits);
    // SAFETY: open, write and _exit are async-signal-safe; the path is terminated, and the buffers live.
    unsafe {
        let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC;
        let file = libc::open(watch.path.as_ptr().cast(), flags, 0o600);
        for text in [&column.report[0], digits, &column.report[1]] {
            libc::write(file, text.as_ptr().cast(), text.len());
        }
        libc::_exit(0);
    }
}

/// Formats a number without allocating.
fn decimal(value: isize, buffer: &mut [u8; 24]) -> &[u8] {
    let mut start = buffer.len();
    let mut rest = value.unsigned_abs();
    loop {
        start -= 1;
        buffer[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        start -= 1;
        buffer[start] = b'-';
    }
    &buffer[start..]
}

/// Content of memory that has not been written.
const UNWRITTEN: u64 = 0x7ff8_dead_beef_5eed;

/// The side of a column that is next to an inaccessible page, on systems that have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The first value is the first one that can be accessed.
    Start,
    /// The last value is the last one that can be accessed.
    End,
}

/// Returns whether a number was never written.
pub(super) fn is_unwritten(number: u64) -> bool {
    number == UNWRITTEN
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn numbers_beside_a_column_are_found() {
        for side in [Side::Start, Side::End] {
            let mut column = Guarded::new(&[1, 2, 3], side).unwrap();
            assert_eq!((column.values().to_vec(), column.written_beside()), (vec![1, 2, 3], None));
            let beside = if side == Side::Start { 5 } else { -2 };
            // SAFETY: the number lies in the same accessible page.
            unsafe { column.pointer().offset(beside).write(7) };
            assert_eq!(column.written_beside(), Some(beside));
        }
    }

    #[test]
    fn numbers_have_their_sign() {
        let text = |value| String::from_utf8(decimal(value, &mut [0; 24]).to_vec()).unwrap();
        assert_eq!([text(0), text(-12), text(1044)], ["0", "-12", "1044"]);
    }
}
