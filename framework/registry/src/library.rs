//! Opens a shared library and decides whether it is a plugin of ours.

use std::path::Path;

use abi_stable::StableAbi;
use abi_stable::abi_stability::abi_checking::check_layout_compatibility;
use abi_stable::type_layout::TypeLayout;
use simhost_abi::{
    EPOCH, FINGERPRINT, Head, Kind, LAYOUT_DESCRIPTION, MAGIC, Model, Plugin, SYMBOL,
};

/// Why a file is not a plugin that this host can use. Every text says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The name does not end like that of a shared library.
    #[error("has a name that does not end in {}", std::env::consts::DLL_SUFFIX)]
    NotALibraryName,
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// It is something else under the name of a shared library.
    #[error("is not a shared library of this platform: {0}")]
    NotALibrary(String),
    /// The loader refuses it.
    #[error("the loader refuses it: {0}")]
    Loader(String),
    /// It is a library, but not one of ours.
    #[error(
        "is a shared library but no simhost plugin: it has no symbol `{SYMBOL}`; a plugin says \
         `export_plugin!` (Rust) or defines that symbol (C)"
    )]
    NoSymbol,
    /// The symbol is something else.
    #[error("`{SYMBOL}` does not begin with the magic number of simhost")]
    Magic,
    /// It was built for another epoch.
    #[error(
        "was built for ABI epoch {theirs}, this host has epoch {EPOCH}: rebuild it with the SDK of \
         this host, or use a host of epoch {theirs}"
    )]
    Epoch {
        /// The epoch of the plugin.
        theirs: u32,
    },
    /// The structs of its SDK differ.
    #[error(
        "was built with layout {theirs:016x}, this host has layout {FINGERPRINT:016x} (both epoch \
         {EPOCH}): rebuild it with the SDK of this host{}",
        if difference.is_empty() { String::new() } else { format!("\n  {difference}") }
    )]
    Layout {
        /// The fingerprint of the plugin.
        theirs: u64,
        /// What differs, as far as known.
        difference: String,
    },
    /// Its descriptor breaks the rules of the boundary.
    #[error("its descriptor is not valid: {0}")]
    Descriptor(String),
    /// The same plugin was loaded before.
    #[error("is the same as {0}, which was found first")]
    Repeated(String),
}

/// Opens a file and negotiates: magic, epoch, layout.
pub(crate) fn open(path: &Path) -> Result<&'static Plugin, Refusal> {
    check_format(path)?;
    // SAFETY: loading runs the initialisers of a library that the user asked for; its code is
    // trusted as theirs.
    let library = unsafe { libloading::Library::new(path) }
        .map_err(|error| Refusal::Loader(reason(&error)))?;
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
    validate(plugin).map_err(Refusal::Descriptor)?;
    Ok(plugin)
}

/// The message of the operating system without the name of the file, which is shown beside it.
fn reason(error: &libloading::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        text = inner.to_string();
        source = inner.source();
    }
    text
}

/// A look at the first bytes, so that a text file is told from a broken library.
fn check_format(path: &Path) -> Result<(), Refusal> {
    use object::{Object, ObjectSegment};
    let bytes = std::fs::read(path).map_err(|error| Refusal::Unreadable(error.to_string()))?;
    if bytes.is_empty() {
        return Err(Refusal::NotALibrary("the file is empty".into()));
    }
    let file = object::File::parse(bytes.as_slice())
        .map_err(|error| Refusal::NotALibrary(error.to_string()))?;
    // a file cut short would end the process when a missing page is touched
    let end = file.segments().map(|segment| segment.file_range()).map(|(at, len)| at + len).max();
    if end.is_some_and(|end| end > bytes.len() as u64) {
        return Err(Refusal::NotALibrary("the file is cut short".into()));
    }
    let here = std::env::consts::ARCH;
    let theirs = format!("{:?}", file.architecture()).to_lowercase();
    if theirs != here {
        return Err(Refusal::NotALibrary(format!("it is for {theirs}, this machine is {here}")));
    }
    Ok(())
}

/// What differs, told by the full walk over both layouts; its last error is the useful part.
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

/// The last `Error:` block of a report, on one line.
fn last_error(report: &str) -> String {
    let block = report.rsplit("Error:").next().unwrap_or(report);
    let words: Vec<&str> = block.split_whitespace().take(60).collect();
    words.join(" ")
}

/// The rules that a descriptor keeps beside its layout.
fn validate(plugin: &Plugin) -> Result<(), String> {
    // SAFETY: the layout agrees and descriptors are static data, here and below.
    let (vendor, models) = unsafe { (plugin.vendor.as_str(), plugin.models.as_slice()) };
    let valid = |name: &str| !name.is_empty() && !name.contains(['/', ' ', '"', '<', '>', '&']);
    if !valid(vendor) {
        return Err(format!("'{vendor}' is no valid vendor: a word without slash is needed"));
    }
    if models.is_empty() {
        return Err("it has no models".into());
    }
    for &model in models {
        if model.is_null() {
            return Err("it lists a model that is null".into());
        }
        // SAFETY: not null, and as above.
        let model = unsafe { &*model };
        // SAFETY: as above.
        let id = unsafe { model.id.as_str() };
        if !valid(id) {
            return Err(format!("'{id}' is no valid class name: a word without slash is needed"));
        }
        if model.size as usize != size_of::<Model>() {
            return Err(format!(
                "class '{id}' has {} bytes, expected {}",
                model.size,
                size_of::<Model>()
            ));
        }
        let kind = Kind::from_u32(model.kind)
            .ok_or_else(|| format!("class '{id}' has the unknown kind {}", model.kind))?;
        unique_names(model).map_err(|text| format!("{} '{id}': {text}", kind.tag()))?;
    }
    Ok(())
}

fn unique_names(model: &Model) -> Result<(), String> {
    let once = |what: &str, names: Vec<&str>| {
        let mut sorted = names;
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("{what} '{}' is declared twice", pair[0])),
            None => Ok(()),
        }
    };
    // SAFETY: the layout agrees and descriptors are static data.
    unsafe {
        let params = model.params.as_slice();
        once("parameter", params.iter().map(|param| param.key.as_str()).collect())?;
        let states = model.states.as_slice();
        once("state", states.iter().map(|state| state.name.as_str()).collect())?;
        for phase in model.phases.as_slice() {
            let inputs = phase.inputs.as_slice();
            once("input", inputs.iter().map(|port| port.name.as_str()).collect())?;
            let outputs = phase.outputs.as_slice();
            once("output", outputs.iter().map(|port| port.name.as_str()).collect())?;
        }
    }
    Ok(())
}
