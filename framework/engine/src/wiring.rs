//! Ports to columns, by name, once when a world is loaded.

use std::collections::BTreeMap;

use simhost_abi::{Model, PortDesc, Scope, port_flag};
use simhost_model::View;

use crate::columns::{Column, Layout};

/// Columns by the name of the port that writes them.
pub(crate) type Names = BTreeMap<String, Column>;

/// How long a column of each scope is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    /// Lanes.
    pub lanes: usize,
    /// Wheels of a lane.
    pub wheels: usize,
    /// Rays of a lane.
    pub rays: usize,
}

impl Lengths {
    fn of(self, scope: u32) -> usize {
        self.lanes
            * match Scope::from_u32(scope) {
                Scope::Instance => 1,
                Scope::Wheel => self.wheels,
                Scope::Ray => self.rays,
            }
    }
}

/// A column for every input: the one of its scope that `sources` has under its name, else a new one
/// that holds the default; new ones are entered in `open`.
pub(crate) fn inputs(
    list: &'static [View<PortDesc>],
    sources: &[&Names],
    open: &mut Names,
    lengths: Lengths,
    layout: &mut Layout,
) -> Vec<Column> {
    list.iter()
        .map(|port| {
            // a command is what it is, whatever else has its name
            let command = port.flags & port_flag::COMMAND != 0;
            let len = lengths.of(port.scope);
            let known = sources.iter().find_map(|names| names.get(port.name()));
            let fits = |column: &&Column| !command && layout.len(**column) == len;
            known.filter(fits).copied().unwrap_or_else(|| {
                let column = layout.fill(len, port.default);
                open.insert(port.name().to_string(), column);
                column
            })
        })
        .collect()
}

/// A new column for every output, entered in `names`.
pub(crate) fn outputs(
    list: &'static [View<PortDesc>],
    names: &mut Names,
    lengths: Lengths,
    layout: &mut Layout,
) -> Vec<Column> {
    list.iter()
        .map(|port| {
            let column = layout.fill(lengths.of(port.scope), 0.0);
            names.insert(port.name().to_string(), column);
            column
        })
        .collect()
}

/// A new column for every state slot.
pub(crate) fn states(
    model: &'static View<Model>,
    lengths: Lengths,
    layout: &mut Layout,
) -> Vec<Column> {
    model.states().iter().map(|state| layout.fill(lengths.of(state.scope), state.initial)).collect()
}
