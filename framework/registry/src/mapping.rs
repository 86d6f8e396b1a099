//! Where a loaded library lies in memory.
//!
//! The loader of a platform can bind a symbol of one library to the symbol of another: with glibc,
//! symbols that a C++ compiler marks as unique in the process (`STB_GNU_UNIQUE`), whatever the
//! flags of `dlopen`. A descriptor that points out of its library would run the code of another
//! plugin.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// The address ranges of a library that was loaded as a plugin.
#[derive(Clone, Debug)]
pub(crate) struct Mapping {
    /// The file in messages.
    name: String,
    ranges: Vec<Range<usize>>,
}

/// The libraries that this process has loaded as plugins. They stay loaded.
static LOADED: Mutex<Vec<Mapping>> = Mutex::new(Vec::new());

impl Mapping {
    /// Records the library that contains an address, and returns it with the others that were loaded
    /// before. `None` if the platform does not say where libraries lie.
    pub(crate) fn record(name: &str, address: usize) -> (Option<Self>, Vec<Self>) {
        let ranges = ranges_around(address);
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        // a file that was loaded before is the same library
        loaded.retain(|other| !other.contains(address, 1));
        let others = loaded.clone();
        if ranges.is_empty() {
            return (None, others);
        }
        let mapping = Self { name: name.to_owned(), ranges };
        loaded.push(mapping.clone());
        (Some(mapping), others)
    }

    /// Returns the file in messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether a number of bytes at an address is part of the library.
    pub(crate) fn contains(&self, address: usize, bytes: usize) -> bool {
        let Some(end) = address.checked_add(bytes) else { return false };
        self.ranges.iter().any(|range| range.start <= address && end <= range.end)
    }
}

/// Returns the segments of the library that contains an address, or nothing.
#[cfg(target_os = "linux")]
fn ranges_around(address: usize) -> Vec<Range<usize>> {
    let mut search = Search { address, found: Vec::new() };
    // SAFETY: the function is called with the pointer given here, before this call returns.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut search).cast()) };
    search.found
}

#[cfg(not(target_os = "linux"))]
fn ranges_around(_: usize) -> Vec<Range<usize>> {
    Vec::new()
}

#[cfg(target_os = "linux")]
struct Search {
    address: usize,
    found: Vec<Range<usize>>,
}

/// Looks at one library of the process.
///
/// # Safety
///
/// `info` describes a library, and `search` points to a [`Search`].
#[cfg(target_os = "linux")]
unsafe extern "C" fn visit(
    info: *mut libc::dl_phdr_info,
    _: libc::size_t,
    search: *mut libc::c_void,
) -> libc::c_int {
    // SAFETY: promised by the caller.
    let (info, search) = unsafe { (&*info, &mut *search.cast::<Search>()) };
    // SAFETY: the loader gives the number of program headers.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let segments = headers.iter().filter(|header| header.p_type == libc::PT_LOAD).map(|header| {
        let start = (info.dlpi_addr as usize).wrapping_add(header.p_vaddr as usize);
        start..start.wrapping_add(header.p_memsz as usize)
    });
    let ranges: Vec<_> = segments.collect();
    if ranges.iter().any(|range| range.contains(&search.address)) {
        search.found = ranges;
        return 1;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_static_of_this_program_is_part_of_it_and_the_stack_is_not() {
        let (program, _) = Mapping::record("this program", (&raw const LOADED).addr());
        let program = program.expect("Linux says where programs lie");
        let text = "text";
        assert!(program.contains(text.as_ptr().addr(), text.len()));
        assert!(!program.contains(text.as_ptr().addr(), usize::MAX));
        let local = 1_u8;
        assert!(!program.contains((&raw const local).addr(), 1));
        assert_eq!(program.name(), "this program");
    }
}
