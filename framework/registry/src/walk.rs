//! The comparison of a whole layout by abi_stable, for plugins and hosts with the feature `stable-abi`.

use libloading::Library;
use simhost_abi::Plugin;
use simhost_model::View;

#[cfg(feature = "stable-abi")]
use stable as parts;
#[cfg(not(feature = "stable-abi"))]
use stub as parts;

pub(crate) use parts::ExportedLayout;

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

/// Compares the layout of a plugin that was loaded from a file with the one of this host.
pub fn walk_layout(plugin: &'static View<Plugin>) -> LayoutWalk {
    parts::compare(plugin)
}

/// Stub for hosts without the feature.
#[cfg(not(feature = "stable-abi"))]
mod stub {
    use super::{LayoutWalk, Library, Plugin, View};

    /// Layout that a library exports, which this host does not read.
    #[derive(Clone, Copy)]
    pub(crate) struct ExportedLayout;

    impl ExportedLayout {
        pub(crate) fn of(_: &Library) -> Self {
            Self
        }

        pub(crate) fn record(self, _: &'static View<Plugin>) {}

        pub(crate) fn explain(self) -> String {
            String::new()
        }
    }

    pub(super) fn compare(_: &'static View<Plugin>) -> LayoutWalk {
        LayoutWalk::NotInHost
    }
}

#[cfg(feature = "stable-abi")]
mod stable {
    use std::collections::BTreeMap;
    use std::sync::{Mutex, PoisonError};

    use simhost_abi::{STABLE_SYMBOL, StableLayout};

    use super::{LayoutWalk, Library, Plugin, View};

    /// The layouts of loaded plugins, by the address of their descriptors.
    static LAYOUTS: Mutex<BTreeMap<usize, &'static StableLayout>> = Mutex::new(BTreeMap::new());

    /// Layout that a library exports, if it does.
    #[derive(Clone, Copy)]
    pub(crate) struct ExportedLayout(Option<&'static StableLayout>);

    impl ExportedLayout {
        /// Looks for the layout of a library, which stays loaded.
        pub(crate) fn of(library: &Library) -> Self {
            // SAFETY: the name is reserved for this type, and the library stays loaded.
            let found = unsafe { library.get::<&'static StableLayout>(STABLE_SYMBOL.as_bytes()) };
            Self(found.ok().map(|found| *found))
        }

        /// Records the layout of an accepted plugin.
        pub(crate) fn record(self, plugin: &'static View<Plugin>) {
            if let Some(layout) = self.0 {
                let mut layouts = LAYOUTS.lock().unwrap_or_else(PoisonError::into_inner);
                layouts.insert(std::ptr::from_ref(plugin).addr(), layout);
            }
        }

        /// Returns the findings of abi_stable in a refused layout, as a further paragraph of the difference.
        pub(crate) fn explain(self) -> String {
            let found = match self.0.map(StableLayout::compare) {
                None => return String::new(),
                Some(Ok(())) => "no difference".to_owned(),
                Some(Err(text)) => text,
            };
            let lines: String = found.trim().lines().map(|line| format!("\n    {line}")).collect();
            format!("\n  abi_stable compares the types of both sides:{lines}")
        }
    }

    pub(super) fn compare(plugin: &'static View<Plugin>) -> LayoutWalk {
        let layouts = LAYOUTS.lock().unwrap_or_else(PoisonError::into_inner);
        match layouts.get(&std::ptr::from_ref(plugin).addr()) {
            Some(layout) => LayoutWalk::Compared(layout.compare()),
            None => LayoutWalk::NotInPlugin,
        }
    }
}
