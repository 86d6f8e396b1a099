//! The past of members of a block whose bodies rapier moves, for those of which a model faults.
//!
//! Such a member takes the steps of the run again elsewhere, from the state before them. A copy of rapier's world for each run
//! would take longer than its steps. So the numbers of its vehicles are kept, and the runs since an instant at which rapier's
//! world is known: mostly the beginning of the encounter, when it was empty.

use super::member::Image;
use crate::physics::Physics;
use crate::simulation::Simulation;

/// Number of runs after which rapier's world is copied; few in tests, so that they take both ways.
const MOST_RUNS: usize = if cfg!(test) { 5 } else { 64 };

/// A member whose bodies rapier moves.
pub(super) struct Meeting {
    pub slot: usize,
    /// Whether nothing is near any more.
    pub has_ended: bool,
    pub past: Past,
}

/// The last runs of a member whose bodies rapier moves.
#[derive(Default)]
pub(super) struct Past {
    /// rapier's world before the first of them; `None` if nothing was near.
    world: Option<Box<Physics>>,
    /// The vehicles before each run, and its number of steps.
    runs: Vec<(Image, u64)>,
    /// Vehicles that are not needed any more, for their memory.
    spare: Vec<Image>,
}

impl Past {
    /// Returns whether rapier's world before the next run has to be known.
    pub fn needs_world(&self) -> bool {
        self.runs.is_empty() || self.runs.len() == MOST_RUNS
    }

    /// Forgets all runs before the next one, which begins with this world of rapier.
    pub fn begin(&mut self, world: Option<Box<Physics>>) {
        self.world = world;
        self.spare.extend(self.runs.drain(..).map(|(image, _)| image));
    }

    /// Adds a run of `count` steps, before which the vehicles are those that `fill` adds to an empty image.
    pub fn push(&mut self, count: u64, fill: impl FnOnce(&mut Image)) {
        let mut image = self.spare.pop().unwrap_or_default();
        image.clear();
        fill(&mut image);
        self.runs.push((image, count));
    }

    /// Brings a simulation, for a member that has completed `steps` steps before the last run, to the state before that.
    pub fn repeat(self, stage: &mut Simulation, steps: u64, seed: u64) {
        let Some((_, before)) = self.runs.split_last() else { return };
        let first = steps - before.iter().map(|(_, count)| count).sum::<u64>();
        let bodies = self.runs[0].0.bodies.iter().copied();
        match self.world {
            Some(world) => {
                stage.physics = *world;
                stage.physics.load(bodies, true);
            }
            None => stage.physics.load_free(bodies),
        }
        stage.begin_visit(first, seed);
        for (number, (image, count)) in self.runs.iter().enumerate() {
            stage.load_tables(image);
            if number < before.len() {
                // as before, so that nothing fails
                let _ = stage.run(*count);
            }
        }
    }
}
