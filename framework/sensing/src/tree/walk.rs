//! Searches of a tree for one ray or one circle.

use super::{Bounds, NearestLeaves, Tree, WAITING, WIDTH};

/// The receiver of a walk.
pub(crate) trait Walker {
    /// Returns a lower bound of the distance at which the walker can meet something in a box, or `None`
    /// if it can meet nothing there.
    fn reach(&self, bounds: &Bounds) -> Option<f64>;
    /// Returns whether something at this distance can still change the result.
    fn is_open(&self, distance: f64) -> bool;
    /// Takes an item whose box is within reach.
    fn visit(&mut self, item: usize);
}

impl Tree {
    /// Visits the items within reach of a walker, roughly from near to far.
    pub fn walk(&self, walker: &mut impl Walker) {
        if self.order.is_empty() {
            return;
        }
        let mut waiting = [(0u32, 0u32, 0.0); WAITING];
        waiting[0].0 = self.levels.len() as u32 - 1;
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (level, group, distance) = waiting[count];
            if !walker.is_open(distance) {
                continue;
            }
            let boxes = &self.groups[self.levels[level as usize] + group as usize];
            let first = group * WIDTH as u32;
            let mut open = NearestLeaves::default();
            for slot in 0..WIDTH {
                let at = |side: &[[f64; WIDTH]; 2]| [side[0][slot], side[1][slot]];
                let bounds = Bounds { min: at(&boxes.min), max: at(&boxes.max) };
                // false for an unused box
                let is_used = bounds.min[0] <= bounds.max[0];
                if let Some(distance) = walker.reach(&bounds).filter(|_| is_used)
                    && walker.is_open(distance)
                {
                    open.insert(slot, distance);
                }
            }
            let slots = &open.slots[..open.count];
            if level > 0 {
                for (rank, &slot) in slots.iter().enumerate().rev() {
                    waiting[count] = (level - 1, first + u32::from(slot), open.distances[rank]);
                    count += 1;
                }
                continue;
            }
            for (rank, &slot) in slots.iter().enumerate() {
                if rank == 0 || walker.is_open(open.distances[rank]) {
                    walker.visit(self.order[(first + u32::from(slot)) as usize] as usize);
                }
            }
        }
    }
}
