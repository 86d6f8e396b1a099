//! Columns of ports by name.

use std::collections::BTreeMap;

use simhost_abi::host_port::HostPort;

use super::array::ArrayColumns;
use crate::columns::Column;

/// Columns by the name of their port.
#[derive(Clone, Debug, Default)]
pub(crate) struct PortMap(BTreeMap<String, Column>, BTreeMap<String, ArrayColumns>);

impl PortMap {
    /// Creates the map of a table of host ports and their columns, in its order.
    pub fn of_host(ports: &[HostPort], columns: &[Column]) -> Self {
        let names = ports.iter().map(|port| port.name.to_owned());
        Self(names.zip(columns.iter().copied()).collect(), BTreeMap::new())
    }

    /// Creates a map with one port.
    pub fn one(name: &str, column: Column) -> Self {
        Self(BTreeMap::from([(name.to_owned(), column)]), BTreeMap::new())
    }

    /// Returns the column of a port.
    pub fn get(&self, name: &str) -> Option<Column> {
        self.0.get(name).copied()
    }

    /// Adds all ports of another map, which replace ports of the same name.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
        self.1.extend(other.1);
    }

    /// Returns all ports, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Column)> {
        self.0.iter().map(|(name, column)| (name.as_str(), *column))
    }

    /// Adds an input that is an array.
    pub fn insert_array(&mut self, name: &str, columns: ArrayColumns) {
        self.1.insert(name.to_owned(), columns);
    }

    pub(super) fn array(&self, name: &str) -> Option<ArrayColumns> {
        self.1.get(name).copied()
    }

    pub(super) fn insert(&mut self, name: &str, column: Column) {
        self.0.insert(name.to_owned(), column);
    }
}
