//! Quantities that are accessed by name.

use std::ops::{Index, IndexMut};

use simhost_abi::{PortDesc, Scope};

/// Quantities that are accessed by name: `named["torque_left"]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Named {
    names: Vec<&'static str>,
    values: Vec<f64>,
}

impl Named {
    /// Returns those quantities of `ports` that have one value, with their defaults.
    pub(super) fn of(ports: &[PortDesc]) -> Self {
        let ports = || ports.iter().filter(|port| port.scope == Scope::Instance as u32);
        // SAFETY: declarations are static.
        let names = ports().map(|port| unsafe { port.name.as_str() }).collect();
        Self { names, values: ports().map(|port| port.default).collect() }
    }

    /// Returns the same quantities with other values.
    pub(super) fn with(&self, values: Vec<f64>) -> Self {
        Self { names: self.names.clone(), values }
    }

    /// Returns the names in the order of their declaration.
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// Returns the values in the order of the names.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Iterates over names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        self.names.iter().copied().zip(self.values.iter().copied())
    }

    /// Iterates over names and mutable values.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut f64)> {
        self.names.iter().copied().zip(&mut self.values)
    }

    /// Sets a quantity, if there is one of that name.
    pub fn set(&mut self, name: &str, value: f64) {
        if let Some(place) = self.place(name) {
            self.values[place] = value;
        }
    }

    /// Returns the value of a quantity, if there is one of that name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.place(name).map(|place| self.values[place])
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|one| *one == name)
    }

    fn expect(&self, name: &str) -> usize {
        let names = || self.names.join(", ");
        self.place(name)
            .unwrap_or_else(|| panic!("unknown quantity `{name}`; expected one of: {}", names()))
    }
}

/// Panics if there is no quantity of that name.
impl Index<&str> for Named {
    type Output = f64;
    fn index(&self, name: &str) -> &f64 {
        &self.values[self.expect(name)]
    }
}

impl IndexMut<&str> for Named {
    fn index_mut(&mut self, name: &str) -> &mut f64 {
        let place = self.expect(name);
        &mut self.values[place]
    }
}
