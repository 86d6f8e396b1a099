//! The comparison of a whole layout by abi_stable, for plugins and hosts with the feature `stable-abi`.

use simhost_abi::Plugin;
use simhost_model::View;

use crate::loader::Library;

#[cfg(feature = "stable-abi")]
use simhost_abi::StableLayout as Exported;
#[cfg(feature = "stable-abi")]
use stable as parts;
#[cfg(not(feature = "stable-abi"))]
use std::convert::Infallible as Exported;
#[cfg(not(feature = "stable-abi"))]
use stub as parts;

/// Layout that a library exports, if it does and this host reads it.
#[derive(Clone, Copy)]
pub(crate) struct ExportedLayout(Option<&'static Exported>);

impl ExportedLayout {
    /// Looks for the layout of a library, which stays loaded.
    pub(crate) fn of(library: &Library) -> Self {
        Self(parts::find(library))
    }

    /// Records the layout of an accepted plugin.
    pub(crate) fn record(self, plugin: &'static View<Plugin>) {
        if let Some(layout) = self.0 {
            parts::record(layout, plugin);
        }
    }

    /// Returns the findings of abi_stable in a refused layout, as a further paragraph of the difference.
    pub(crate) fn explain(self) -> String {
        self.0.map_or_else(String::new, parts::explain)
    }
}

/// Comparison of the types of the boundary in a plugin and in this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutWalk {
    /// This host does not have the feature `stable-abi`.
    NotInHost,
    /// The plugin does not export its layout: it is in C or C++, or without the feature `stable-abi`.
    NotInPlugin,
    /// The types agree, or their differences.
    Compared(Result<(), String>),
}

/// Compares the layout of a plugin that was loaded from a file with the layout of this host.
pub fn walk_layout(plugin: &'static View<Plugin>) -> LayoutWalk {
    parts::compare(plugin)
}

/// Stub for hosts without the feature.
#[cfg(not(feature = "stable-abi"))]
mod stub {
    use super::{Exported, LayoutWalk, Library, Plugin, View};

    pub(super) fn find(_: &Library) -> Option<&'static Exported> {
        None
    }

    pub(super) fn record(layout: &'static Exported, _: &'static View<Plugin>) {
        match *layout {}
    }

    pub(super) fn explain(layout: &'static Exported) -> String {
        match *layout {}
    }

    pub(super) fn compare(_: &'static View<Plugin>) -> LayoutWalk {
        LayoutWalk::NotInHost
    }
}

#[cfg(feature = "stable-abi")]
mod stable {
    use std::collections::BTreeMap;
    use std::sync::{Mutex, PoisonError};

    use simhost_abi::STABLE_SYMBOL;

    use super::{Exported, LayoutWalk, Library, Plugin, View};

    /// The layouts of loaded plugins, by the address of their descriptors.
    static LAYOUTS: Mutex<BTreeMap<usize, &'static Exported>> = Mutex::new(BTreeMap::new());

    pub(super) fn find(library: &Library) -> Option<&'static Exported> {
        // SAFETY: the name is reserved for this type, and the library stays loaded.
        let found = unsafe { library.get::<&'static Exported>(STABLE_SYMBOL.as_bytes()) };
        found.ok().map(|found| *found)
    }

    pub(super) fn record(layout: &'static Exported, plugin: &'static View<Plugin>) {
        let mut layouts = LAYOUTS.lock().unwrap_or_else(PoisonError::into_inner);
        layouts.insert(std::ptr::from_ref(plugin).addr(), layout);
    }

    pub(super) fn explain(layout: &'static Exported) -> String {
        let found = layout.compare().map_or_else(|text| text, |()| "no difference".to_owned());
        let lines: String = found.trim().lines().map(|line| format!("\n    {line}")).collect();
        format!("\n  abi_stable compares the types of both sides:{lines}")
    }

    pub(super) fn compare(plugin: &'static View<Plugin>) -> LayoutWalk {
        let layouts = LAYOUTS.lock().unwrap_or_else(PoisonError::into_inner);
        match layouts.get(&std::ptr::from_ref(plugin).addr()) {
            Some(layout) => LayoutWalk::Compared(layout.compare()),
            None => LayoutWalk::NotInPlugin,
        }
    }
}
