//! Redirection of global offset table entries to counting functions.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::note;

/// An entry of a dynamic section.
#[repr(C)]
struct Dynamic {
    tag: i64,
    value: u64,
}

/// A relocation with addend.
#[repr(C)]
struct Relocation {
    offset: u64,
    info: u64,
    _addend: i64,
}

/// An entry of a symbol table.
#[repr(C)]
struct Symbol {
    name: u32,
    _rest: [u8; 20],
}

const STRING_TABLE: i64 = 5;
const SYMBOL_TABLE: i64 = 6;
const RELOCATIONS: i64 = 7;
const RELOCATIONS_SIZE: i64 = 8;
const JUMPS_SIZE: i64 = 2;
const JUMPS: i64 = 23;

/// The relocation types `GLOB_DAT` and `JUMP_SLOT` of this processor.
#[cfg(target_arch = "x86_64")]
const KINDS: [u32; 2] = [6, 7];
#[cfg(target_arch = "aarch64")]
const KINDS: [u32; 2] = [1025, 1026];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const KINDS: [u32; 2] = [u32::MAX, u32::MAX];

static REAL: [AtomicUsize; 6] = [const { AtomicUsize::new(0) }; 6];
const NAMES: [&CStr; 6] =
    [c"malloc", c"calloc", c"realloc", c"posix_memalign", c"aligned_alloc", c"memalign"];

fn real(place: usize) -> *const c_void {
    REAL[place].load(Ordering::Relaxed) as *const c_void
}

/// Declares a counting replacement of a function of the C library.
macro_rules! forwarded {
    ($name:ident, $place:literal, $size:ident, ($($argument:ident: $ty:ty),*) -> $result:ty) => {
        unsafe extern "C" fn $name($($argument: $ty),*) -> $result {
            note($size);
            type Function = unsafe extern "C" fn($($ty),*) -> $result;
            // SAFETY: `install` has put the function of this name and type there.
            let function: Function = unsafe { std::mem::transmute(real($place)) };
            // SAFETY: the caller keeps the function's own promises.
            unsafe { function($($argument),*) }
        }
    };
}

forwarded!(malloc, 0, size, (size: usize) -> *mut c_void);
forwarded!(calloc, 1, size, (count: usize, size: usize) -> *mut c_void);
forwarded!(realloc, 2, size, (old: *mut c_void, size: usize) -> *mut c_void);
forwarded!(posix_memalign, 3, size, (place: *mut *mut c_void, align: usize, size: usize) -> c_int);
forwarded!(aligned_alloc, 4, size, (align: usize, size: usize) -> *mut c_void);
forwarded!(memalign, 5, size, (align: usize, size: usize) -> *mut c_void);

fn counting(name: &CStr) -> Option<usize> {
    let functions = [
        malloc as *const () as usize,
        calloc as *const () as usize,
        realloc as *const () as usize,
        posix_memalign as *const () as usize,
        aligned_alloc as *const () as usize,
        memalign as *const () as usize,
    ];
    NAMES.iter().position(|known| *known == name).map(|place| functions[place])
}

/// Redirects all currently loaded objects to the counting functions.
pub(super) fn install() -> Result<(), String> {
    if KINDS[0] == u32::MAX || usize::BITS != 64 {
        return Err("allocations are not counted on this processor".into());
    }
    for (name, place) in NAMES.iter().zip(&REAL) {
        // SAFETY: the name is a C string; null is looked at below.
        let function = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
        place.store(function as usize, Ordering::Relaxed);
    }
    if REAL[..3].iter().any(|place| place.load(Ordering::Relaxed) == 0) {
        return Err("the C library's allocator cannot be found".into());
    }
    // SAFETY: the function has the type that is asked for and keeps nothing.
    unsafe { libc::dl_iterate_phdr(Some(object), std::ptr::null_mut()) };
    Ok(())
}

unsafe extern "C" fn object(
    info: *mut libc::dl_phdr_info,
    _: libc::size_t,
    _: *mut c_void,
) -> c_int {
    // SAFETY: the loader hands over a valid description of a loaded object.
    let info = unsafe { &*info };
    // SAFETY: as above; a name is never null but may be empty.
    let name = unsafe { CStr::from_ptr(info.dlpi_name) }.to_string_lossy();
    let left_alone = ["/libc.", "/libc-", "/ld-", "/ld.", "linux-vdso", "/libpthread"];
    if left_alone.iter().any(|part| name.contains(part)) {
        return 0;
    }
    // SAFETY: as above.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    if let Some(header) = headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC) {
        let base = info.dlpi_addr as usize;
        // SAFETY: the dynamic section of a loaded object is in memory.
        unsafe { patch(base, (base + header.p_vaddr as usize) as *const Dynamic) };
    }
    0
}

/// # Safety
/// `entries` is the dynamic section of the object that is loaded at `base`.
unsafe fn patch(base: usize, mut entries: *const Dynamic) {
    let mut found = [0_usize; 24];
    // SAFETY: the section ends with an entry of tag 0, here and below.
    while unsafe { (*entries).tag } != 0 {
        // SAFETY: as above.
        let entry = unsafe { &*entries };
        if let Some(place) = usize::try_from(entry.tag).ok().and_then(|tag| found.get_mut(tag)) {
            *place = entry.value as usize;
        }
        // SAFETY: as above.
        entries = unsafe { entries.add(1) };
    }
    // some loaders store addresses instead of offsets
    let address = |tag: i64| match found[tag as usize] {
        value if value < base => base + value,
        value => value,
    };
    let (names, symbols) = (address(STRING_TABLE), address(SYMBOL_TABLE));
    for (table, size) in [(RELOCATIONS, RELOCATIONS_SIZE), (JUMPS, JUMPS_SIZE)] {
        let count = found[size as usize] / size_of::<Relocation>();
        if found[table as usize] == 0 || count == 0 {
            continue;
        }
        // SAFETY: the section says that the table is there, and how long it is.
        let table =
            unsafe { std::slice::from_raw_parts(address(table) as *const Relocation, count) };
        for relocation in table.iter().filter(|one| KINDS.contains(&(one.info as u32))) {
            let symbol = (relocation.info >> 32) as usize;
            // SAFETY: a relocation names a symbol of the table, and that a text.
            let name = unsafe {
                let symbol = &*(symbols as *const Symbol).add(symbol);
                CStr::from_ptr((names + symbol.name as usize) as *const c_char)
            };
            if let Some(function) = counting(name) {
                // SAFETY: it is an entry of the object's offset table.
                unsafe { lead(base + relocation.offset as usize, function) };
            }
        }
    }
}

/// # Safety
/// `entry` is the address of an entry of an offset table.
unsafe fn lead(entry: usize, function: usize) {
    // SAFETY: asks for a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let first = entry & !(page - 1);
    // SAFETY: the page is one of the object's; the loader may have made it read-only.
    let code =
        unsafe { libc::mprotect(first as *mut c_void, page, libc::PROT_READ | libc::PROT_WRITE) };
    if code == 0 {
        // SAFETY: it can be written now, and an entry is one address long.
        unsafe { (entry as *mut usize).write(function) };
    }
}
