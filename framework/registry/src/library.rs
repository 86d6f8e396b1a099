//! Opening shared libraries and accepting them as plugins.

use std::path::Path;

use abi_stable::StableAbi;
use abi_stable::abi_stability::abi_checking::check_layout_compatibility;
use abi_stable::type_layout::TypeLayout;
use libloading::Library;
use simhost_abi::{EPOCH, FINGERPRINT, Head, LAYOUT_DESCRIPTION, MAGIC, Plugin, SYMBOL};

use simhost_model::{View, breadcrumb};

use crate::descriptor;
use crate::refusal::Refusal;
use crate::surroundings::Surroundings;

/// Opens a file and checks magic, epoch, layout and descriptor. Returns remarks, too: what the library
/// has changed in the process while it was loaded, which is undone. `surroundings` is the state to
/// which the process returns.
pub(crate) fn open(
    path: &Path,
    surroundings: &Surroundings,
) -> (Result<&'static View<Plugin>, Refusal>, Vec<String>) {
    let (loaded, changes_floats) = breadcrumb::load(&path.display().to_string(), || load(path));
    let mut changed = surroundings.restore();
    if changes_floats {
        changed.push("the floating-point control state");
    }
    let remark = |what| format!("it changes {what} while it is loaded; simhost has restored it");
    let remarks = changed.into_iter().map(remark).collect();
    let plugin = loaded.map_err(|error| Refusal::Loader(reason(&error))).and_then(accept);
    (plugin, remarks)
}

/// Accepts a loaded library as a plugin.
fn accept(library: Library) -> Result<&'static View<Plugin>, Refusal> {
    // SAFETY: only the address is taken here; what it points to is checked below.
    let symbol = unsafe { library.get::<*const Head>(SYMBOL.as_bytes()) };
    let head: *const Head = symbol.map(|symbol| *symbol).map_err(|_| Refusal::NoSymbol)?;
    // never unloaded: descriptors and handles stay valid for the life of the process
    std::mem::forget(library);
    // SAFETY: every plugin begins with a head, the same in every epoch; the magic number is read
    // first, unaligned, in case the symbol is something else.
    let magic = unsafe { head.cast::<u64>().read_unaligned() };
    if magic != MAGIC {
        return Err(Refusal::Magic);
    }
    // SAFETY: the magic number says that it is a head.
    let head = unsafe { &*head };
    if head.epoch != EPOCH {
        return Err(Refusal::Epoch { theirs: head.epoch });
    }
    if head.fingerprint != FINGERPRINT || head.size as usize != size_of::<Plugin>() {
        return Err(Refusal::Layout { theirs: head.fingerprint, difference: difference(head) });
    }
    // SAFETY: epoch and layout agree, so the head is that of a whole descriptor of this type, and
    // the library stays loaded.
    let plugin = unsafe { &*std::ptr::from_ref(head).cast::<Plugin>() };
    descriptor::check(plugin).map_err(Refusal::Descriptor)?;
    // SAFETY: the check has followed every pointer of the descriptor, and the library stays loaded.
    Ok(unsafe { View::new(plugin) })
}

/// Loads a library and binds all its symbols immediately, so that a missing one is an error now
/// instead of ending a run later.
#[cfg(unix)]
fn load(path: &Path) -> Result<Library, libloading::Error> {
    use libloading::os::unix;
    // SAFETY: loading runs the initialisers of a library that the user asked for; its code is
    // trusted as theirs.
    unsafe { unix::Library::open(Some(path), unix::RTLD_NOW | unix::RTLD_LOCAL) }.map(Library::from)
}

#[cfg(not(unix))]
fn load(path: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: as above.
    unsafe { Library::new(path) }
}

/// Returns the message of the operating system without the file name, which is printed separately.
fn reason(error: &libloading::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        text = inner.to_string();
        source = inner.source();
    }
    text
}

/// Compares both layouts and returns the difference, which is the last error of the comparison.
fn difference(head: &Head) -> String {
    // SAFETY: the head is read field by field as every epoch has it.
    let kind = unsafe { head.layout_kind.as_str() };
    if kind != LAYOUT_DESCRIPTION || head.layout.is_null() {
        return String::new();
    }
    // SAFETY: the plugin says that it points to a layout of this release of abi_stable.
    let theirs: &'static TypeLayout = unsafe { &*head.layout.cast::<TypeLayout>() };
    match check_layout_compatibility(<Plugin as StableAbi>::LAYOUT, theirs) {
        Ok(()) => "the types are the same, their names or order are not".to_string(),
        Err(errors) => last_error(&errors.to_string()),
    }
}

/// Returns the last `Error:` block of a report on one line.
fn last_error(report: &str) -> String {
    let block = report.rsplit("Error:").next().unwrap_or(report);
    let words: Vec<&str> = block.split_whitespace().take(60).collect();
    words.join(" ")
}
