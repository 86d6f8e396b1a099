//! The comparison of a whole layout by abi_stable, for plugins and hosts with the feature `stable-abi`.

use simhost_abi::Plugin;
use simhost_model::View;

#[cfg(feature = "stable-abi")]
pub(crate) use stable::{explained, exported, record};

/// What abi_stable finds when it compares the types of the boundary in a plugin with those of this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutWalk {
    /// This host does not have the feature `stable-abi`.
    NotInHost,
    /// The plugin does not export its layout: it is in C or C++, or without the feature `stable-abi`.
    NotInPlugin,
    /// The types agree, or their differences.
    Compared(Result<(), String>),
}

/// Compares the layout of a plugin that was loaded from a file with the one of this host.
#[cfg(feature = "stable-abi")]
pub fn walk_layout(plugin: &'static View<Plugin>) -> LayoutWalk {
    stable::compare(plugin)
}

/// Compares nothing, because abi_stable is not part of this host.
#[cfg(not(feature = "stable-abi"))]
pub fn walk_layout(_: &'static View<Plugin>) -> LayoutWalk {
    LayoutWalk::NotInHost
}

#[cfg(feature = "stable-abi")]
mod stable {
    use std::collections::BTreeMap;
    use std::sync::{Mutex, PoisonError};

    use libloading::Library;
    use simhost_abi::{Plugin, STABLE_SYMBOL, StableLayout};
    use simhost_model::View;

    use super::LayoutWalk;

    /// The layouts of loaded plugins, by the address of their descriptors.
    static LAYOUTS: Mutex<BTreeMap<usize, &'static StableLayout>> = Mutex::new(BTreeMap::new());

    /// Returns the layout that a library, which stays loaded, exports.
    pub(crate) fn exported(library: &Library) -> Option<&'static StableLayout> {
        // SAFETY: the name is reserved for this type, and the library stays loaded.
        let found = unsafe { library.get::<&'static StableLayout>(STABLE_SYMBOL.as_bytes()) };
        found.ok().map(|found| *found)
    }

    /// Records the layout of an accepted plugin.
    pub(crate) fn record(plugin: &'static View<Plugin>, layout: Option<&'static StableLayout>) {
        if let Some(layout) = layout {
            let mut layouts = LAYOUTS.lock().unwrap_or_else(PoisonError::into_inner);
            layouts.insert(std::ptr::from_ref(plugin).addr(), layout);
        }
    }

    pub(super) fn compare(plugin: &'static View<Plugin>) -> LayoutWalk {
        let layouts = LAYOUTS.lock().unwrap_or_else(PoisonError::into_inner);
        match layouts.get(&std::ptr::from_ref(plugin).addr()) {
            Some(layout) => LayoutWalk::Compared(layout.compare()),
            None => LayoutWalk::NotInPlugin,
        }
    }

    /// Returns what abi_stable finds in a refused layout, as a further paragraph of the difference.
    pub(crate) fn explained(layout: Option<&'static StableLayout>) -> String {
        let found = match layout.map(StableLayout::compare) {
            None => return String::new(),
            Some(Ok(())) => "no difference".to_owned(),
            Some(Err(text)) => text,
        };
        let lines: String = found.trim().lines().map(|line| format!("\n    {line}")).collect();
        format!("\n  abi_stable compares the types of both sides:{lines}")
    }
}
