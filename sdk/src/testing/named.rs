//! Quantities by their names.

use std::ops::{Index, IndexMut};

use simhost_abi::PortDesc;

/// Quantities by their names: `named["torque_left"]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Named {
    names: Vec<&'static str>,
    values: Vec<f64>,
}

impl Named {
    /// The quantities of `ports`, each with its default.
    pub(super) fn of(ports: &[PortDesc]) -> Self {
        // SAFETY: declarations are static.
        let names = ports.iter().map(|port| unsafe { port.name.as_str() }).collect();
        Self { names, values: ports.iter().map(|port| port.default).collect() }
    }

    /// These quantities with other values.
    pub(super) fn with(&self, values: Vec<f64>) -> Self {
        Self { names: self.names.clone(), values }
    }

    /// Names, in the order in which they were declared.
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// Values, in the order of the names.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        self.names.iter().copied().zip(self.values.iter().copied())
    }

    /// Names and values that can be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut f64)> {
        self.names.iter().copied().zip(&mut self.values)
    }

    /// Sets a quantity where there is one of that name.
    pub fn set(&mut self, name: &str, value: f64) {
        if let Some(place) = self.place(name) {
            self.values[place] = value;
        }
    }

    /// The value of that name, if there is one.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.place(name).map(|place| self.values[place])
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|one| *one == name)
    }

    fn expect(&self, name: &str) -> usize {
        let names = || self.names.join(", ");
        self.place(name).unwrap_or_else(|| panic!("no `{name}`; there are: {}", names()))
    }
}

/// Panics when there is no quantity of that name.
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
