//! Commands as a part of a simulation: the list of those to come, and commands that act at once.

use crate::blueprint::Blueprint;
use crate::state::{CommandQueue, State};
use crate::step::continuation::{Continuation, TakeOverError};
use crate::step::part::{Part, StepError};

impl Part for CommandQueue {
    /// Sets the inputs of controllers by the commands that act from this step on.
    fn begin(of: &mut State, _: &Blueprint) -> Result<(), StepError> {
        if of.commands.next == of.commands.resolved.len() {
            return Ok(());
        }
        let time = of.clock.time();
        while let Some(command) = of.commands.due(time) {
            let columns = &mut of.tables[command.table].vehicles.columns;
            for (column, value) in &command.values {
                columns.get_mut(*column)[command.lane] = *value;
            }
            of.commands.next += 1;
        }
        Ok(())
    }

    fn quiet_steps(of: &State, most: u64) -> u64 {
        let is_quiet = |step: &u64| of.commands.due(of.after(*step).time()).is_none();
        (0..most).take_while(is_quiet).count() as u64
    }

    fn take_over(
        of: &mut State,
        _: &Blueprint,
        from: &mut Continuation<'_>,
    ) -> Result<(), TakeOverError> {
        if from.is_same() {
            of.commands.next = from.old.commands.next;
        }
        Ok(())
    }
}
