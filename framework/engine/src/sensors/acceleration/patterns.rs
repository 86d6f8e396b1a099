//! The directions of sensors, of which equal ones are stored once.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Patterns of directions in the frame of their sensors.
#[derive(Default)]
pub(super) struct Patterns {
    list: Vec<Vec<[f64; 3]>>,
    /// Patterns by the hash of their bits.
    numbers: HashMap<u64, Vec<usize>>,
    /// Whether there are patterns that the engine does not know.
    has_new: bool,
}

impl Patterns {
    /// Returns the number of a pattern.
    pub fn number_of(&mut self, directions: &[[f64; 3]]) -> usize {
        let mut hasher = DefaultHasher::new();
        directions.len().hash(&mut hasher);
        directions.as_flattened().iter().for_each(|part| part.to_bits().hash(&mut hasher));
        let known = self.numbers.entry(hasher.finish()).or_default();
        if let Some(number) = known.iter().find(|number| self.list[**number] == directions) {
            return *number;
        }
        known.push(self.list.len());
        self.list.push(directions.to_vec());
        self.has_new = true;
        self.list.len() - 1
    }

    /// Returns all patterns if there are new ones since the last call.
    pub fn take_new(&mut self) -> Option<&[Vec<[f64; 3]>]> {
        std::mem::take(&mut self.has_new).then_some(&*self.list)
    }
}
