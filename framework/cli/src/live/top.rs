//! `simhost top`: shows the vehicles of a run in a terminal.

use std::time::Duration;

use console::Term;
use simhost_live::{Client, ClientError, Monitor, resolve};

use super::play;
use crate::arguments::Top;
use crate::process::{Code, Failure};
use crate::{interrupt, terminal};

/// Time between two pictures.
const INTERVAL: Duration = Duration::from_millis(500);

/// Shows the vehicles of a run until it ends, or once if standard output is not a terminal.
pub fn top(arguments: &Top) -> Result<Code, Failure> {
    let address = resolve(&arguments.address).map_err(play::failure)?;
    let client = Client::connect(address, arguments.live_token.as_deref()).map_err(failure)?;
    let mut monitor = Monitor::new(client).map_err(failure)?;
    let screen = Term::stdout();
    if !screen.is_term() {
        monitor.watch(2 * INTERVAL).map_err(failure)?;
        terminal::document(&monitor.table(usize::MAX))?;
        return Ok(Code::Done);
    }
    let mut lines = 0;
    while !interrupt::is_requested() {
        let goes_on = monitor.watch(INTERVAL).map_err(failure)?;
        let rows = usize::from(screen.size().0).saturating_sub(1);
        let table = monitor.table(rows);
        // a terminal that cannot be cleared shows the pictures one below the other
        let _ = screen.clear_last_lines(lines);
        terminal::document(&table)?;
        lines = table.lines().count();
        if !goes_on {
            terminal::remark("the run has ended");
            return Ok(Code::Done);
        }
    }
    Ok(Code::Interrupted)
}

fn failure(error: ClientError) -> Failure {
    let help = match &error {
        ClientError::Connect { .. } => "\nhelp: start a run with `simhost run WORLD --live`",
        ClientError::Refused { .. } => "\nhelp: give the token of the run with --live-token TOKEN",
        _ => "",
    };
    Failure::new(Code::BadInput, format!("{error}{help}"))
}
