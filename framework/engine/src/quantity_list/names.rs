//! Unique names.

use std::collections::HashMap;

/// Names that have been claimed.
#[derive(Default)]
pub(super) struct Names(HashMap<String, usize>);

impl Names {
    /// Returns the name, with a number if it has been claimed before: `crate`, `crate#2` and so on.
    pub fn claim(&mut self, name: &str) -> String {
        let mut claimed = name.to_owned();
        while let Some(count) = self.0.get_mut(name) {
            *count += 1;
            claimed = format!("{name}#{count}");
            if !self.0.contains_key(&claimed) {
                break;
            }
        }
        self.0.insert(claimed.clone(), 1);
        claimed
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_that_occur_again_get_a_number() {
        let mut names = Names::default();
        let claimed = ["a", "a#2", "b", "a", "a", "b"].map(|name| names.claim(name));
        assert_eq!(claimed, ["a", "a#2", "b", "a#3", "a#4", "b#2"]);
    }
}
