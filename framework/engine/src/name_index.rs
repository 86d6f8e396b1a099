//! Names and their numbers.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Names in a given order, and a search for the number of a name that takes no time until it is used.
#[derive(Debug, Default)]
pub struct NameIndex {
    names: Arc<[String]>,
    /// Numbers of the names in alphabetical order.
    sorted: OnceLock<Vec<u32>>,
}

impl NameIndex {
    /// Returns all names in their order.
    pub(crate) fn all(&self) -> &Arc<[String]> {
        &self.names
    }

    /// Returns the number of a name: the first one if several names are equal.
    pub fn number(&self, name: &str) -> Option<usize> {
        let at = |number: &u32| self.names[*number as usize].as_str();
        let sorted = self.sorted.get_or_init(|| {
            let mut numbers: Vec<u32> = (0..self.names.len() as u32).collect();
            // stable, so that the first one of equal names comes first
            numbers.sort_by_key(at);
            numbers
        });
        let found = *sorted.get(sorted.partition_point(|number| at(number) < name))?;
        (at(&found) == name).then_some(found as usize)
    }
}

impl FromIterator<String> for NameIndex {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        Self { names: names.into_iter().collect(), sorted: OnceLock::new() }
    }
}

impl Deref for NameIndex {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.names
    }
}

#[cfg(test)]
mod tests {
    use super::NameIndex;

    #[test]
    fn names_are_found_wherever_they_stand() {
        let names: NameIndex = ["b", "a", "", "b", "ä"].map(str::to_owned).into_iter().collect();
        let number = |name: &str| names.number(name);
        assert_eq!(["a", "b", "", "ä"].map(number), [Some(1), Some(0), Some(2), Some(4)]);
        assert_eq!(["c", "aa", "z", "ö"].map(number), [None; 4]);
        assert_eq!(NameIndex::default().number(""), None);
    }
}
