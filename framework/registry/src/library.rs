//! Opening shared libraries and accepting them as plugins.

use std::path::Path;

use simhost_abi::{EPOCH, FINGERPRINT, Head, MAGIC, Plugin};

use simhost_model::{View, breadcrumb};

use crate::descriptor::{self, Reader};
use crate::layout;
use crate::loader::{self, Library};
use crate::mapping::Mapping;
use crate::modules;
use crate::refusal::Refusal;
use crate::surroundings::Surroundings;
use crate::walk::ExportedLayout;

/// Opens a file and checks magic, epoch, layout and descriptor. Returns remarks, too: what the library
/// has changed in the process while it was loaded, which is undone. `name` is the file in messages, and
/// `surroundings` the state to which the process returns.
pub(crate) fn open(
    path: &Path,
    name: &str,
    surroundings: &Surroundings,
) -> (Result<&'static View<Plugin>, Refusal>, Vec<String>) {
    if let Some(module) = modules::open(path) {
        return (module.and_then(own_view), Vec::new());
    }
    let (loaded, changes_floats) = breadcrumb::load(name, || loader::load(path));
    let mut changed = surroundings.restore();
    if changes_floats {
        changed.push("the floating-point control state");
    }
    let remark = |what| format!("it changes {what} while it is loaded; simhost has restored it");
    let remarks = changed.into_iter().map(remark).collect();
    let plugin = loaded.map_err(Refusal::Loader);
    let plugin = plugin.and_then(|library| accept(library, name));
    (plugin, remarks)
}

/// Names of the families of simhost, which can all be built as libraries, and are the only ones with its vendor.
const OWN_LIBRARIES: &[&str] = &[
    "simhost-actuators",
    "simhost-cars",
    "simhost-commonroad",
    "simhost-controllers",
    "simhost-dynamics",
    "simhost-environment",
    "simhost-friction",
    "simhost-lab",
    "simhost-learned",
    "simhost-observers",
    "simhost-planning",
    "simhost-sensors",
    "simhost-suspension",
    "simhost-trajectory",
    "simhost-tyres",
];

/// Accepts a loaded library as a plugin. `name` is the file in messages.
fn accept(library: Library, name: &str) -> Result<&'static View<Plugin>, Refusal> {
    let head = loader::head(&library);
    let exported = ExportedLayout::of(&library);
    // never unloaded: descriptors and handles stay valid for the life of the process
    std::mem::forget(library);
    let head = of_this_epoch(head.ok_or(Refusal::NoSymbol)?)?;
    if head.fingerprint != FINGERPRINT || head.size as usize != size_of::<Plugin>() {
        // SAFETY: the plugin describes its layout with static data.
        let difference = unsafe { layout::difference(head) } + &exported.explain();
        return Err(Refusal::Layout { theirs: head.fingerprint, ours: FINGERPRINT, difference });
    }
    // SAFETY: epoch and layout agree, so the head is that of a whole descriptor of this type, and
    // the library stays loaded.
    let plugin = check_descriptor(unsafe { &*std::ptr::from_ref(head).cast::<Plugin>() }, name)?;
    exported.record(plugin);
    Ok(plugin)
}

/// Checks magic number and epoch of the head of a library, which stays loaded.
fn of_this_epoch(head: *const Head) -> Result<&'static Head, Refusal> {
    // SAFETY: every plugin begins with a head, the same in every epoch; the magic number is read
    // first, unaligned, in case the symbol is something else.
    let magic = unsafe { head.cast::<u64>().read_unaligned() };
    if magic != MAGIC {
        return Err(Refusal::Magic);
    }
    // SAFETY: the magic number says that it is a head.
    let head: &'static Head = unsafe { &*head };
    if head.epoch != EPOCH {
        return Err(Refusal::Epoch { theirs: head.epoch });
    }
    Ok(head)
}

/// Checks the descriptor of a library.
fn check_descriptor(plugin: &'static Plugin, name: &str) -> Result<&'static View<Plugin>, Refusal> {
    let (library, others) = Mapping::record(name, std::ptr::from_ref(plugin).addr());
    let reader = Reader { library: library.as_ref(), others: &others };
    descriptor::check_with(reader, plugin).map_err(Refusal::Descriptor)?;
    own_view(plugin)
}

/// Returns a view on a descriptor that has been checked, unless a plugin of another author uses the vendor of simhost.
fn own_view(plugin: &'static Plugin) -> Result<&'static View<Plugin>, Refusal> {
    // SAFETY: the check has followed every pointer of the descriptor, which is valid until the program ends.
    let plugin = unsafe { View::new(plugin) };
    if plugin.vendor() == "simhost" && !OWN_LIBRARIES.contains(&plugin.name()) {
        let rule = "the vendor is 'simhost', which only its own models have; expected another name";
        return Err(Refusal::Descriptor(rule.into()));
    }
    Ok(plugin)
}
