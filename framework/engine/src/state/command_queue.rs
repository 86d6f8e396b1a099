//! Commands with the columns that they set, in the order of their times.

use crate::columns::Column;
use crate::commands;

/// Commands in the order of their times.
#[derive(Clone, Default)]
pub(crate) struct CommandQueue {
    /// All commands.
    pub resolved: Vec<ResolvedCommand>,
    /// Index of the first command that has not been carried out.
    pub next: usize,
}

impl CommandQueue {
    /// Returns the next command if it acts on a step that starts at `time`, s.
    pub fn due(&self, time: f64) -> Option<&ResolvedCommand> {
        let next = self.resolved.get(self.next);
        next.filter(|command| commands::acts(command.time, time))
    }
}

/// A command with the columns that it sets.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedCommand {
    /// Time from which it acts, s.
    pub time: f64,
    /// Index of the table.
    pub table: usize,
    /// Lane of the vehicle in the table.
    pub lane: usize,
    /// Columns and their new values.
    pub values: Vec<(Column, f64)>,
}
