//! Takes over the states of the bodies of another world.

use std::collections::HashMap;

use super::body::Body;
use super::world::Physics;

impl Physics {
    /// Gives all bodies the states and heights of the bodies of `old`.
    ///
    /// # Errors
    /// Describes the difference if `old` does not have the same bodies.
    pub fn copy_states(&mut self, old: &Self) -> Result<(), String> {
        let [own, others] = [&*self, old].map(|of| of.bodies.infos.iter().map(|info| &info.name));
        if !own.eq(others) {
            return Err("the bodies differ".to_owned());
        }
        (0..old.bodies.len()).for_each(|number| self.copy_state(number, old, number));
        Ok(())
    }

    /// Gives all bodies that `old` has, too, their states and heights there. Bodies are matched by name,
    /// several of one name in their order.
    pub fn copy_known_states(&mut self, old: &Self) {
        let mut numbers: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, info) in old.bodies.infos.iter().enumerate().rev() {
            numbers.entry(&info.name).or_default().push(number);
        }
        for number in 0..self.bodies.len() {
            let known = numbers.get_mut(self.bodies.infos[number].name.as_str());
            if let Some(from) = known.and_then(Vec::pop) {
                self.copy_state(number, old, from);
            }
        }
    }

    /// Gives a body the state and the height of a body of `old`.
    fn copy_state(&mut self, number: usize, old: &Self, from: usize) {
        self.place(Body(number), old.bodies[from].state);
        let spans = [&*self, old].map(|of| &of.bodies.infos);
        let (span, old_span) = (spans[0][number].span, spans[1][from].span);
        self.bodies.heights.copy(&old.bodies.heights, span, old_span);
        self.blocks.copy(Body(number), &old.blocks, Body(from));
    }
}
