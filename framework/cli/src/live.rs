//! Live clients of a run.

mod play;
mod top;

pub use simhost_desk::Desk;

pub use play::{Serving, Tape, folder_tape, listen, play};
pub use top::top;

use std::io::IsTerminal as _;
use std::process::{Command, Stdio};

use simhost::Session;
use simhost_desk::{DeskOptions, DeskRecorder};

use crate::arguments::Run;
use crate::process::Failure;
use crate::{mcap, opening, terminal};

/// Takes questions of clients about a session from now on. They can record it as the command line of the run would.
///
/// # Errors
/// Fails if the session has no description from which its streams follow.
pub fn desk(arguments: &Run, session: &Session) -> Result<Desk, Failure> {
    let selection = mcap::selection(arguments);
    let recorder = |folder| DeskRecorder {
        folder,
        record: Box::new(move |session, file| mcap::record(session, file, &selection)),
    };
    let options = DeskOptions {
        world: arguments.world.clone(),
        client_folders: arguments.live.client_files.clone(),
        recorder: arguments.out.clone().map(recorder),
        turn: None,
    };
    Desk::new(session, options).map_err(opening::failure)
}

/// Opens an address in the browser of the desktop, if there is one.
pub fn open_browser(address: &str) {
    let has_screen = cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if !has_screen || !std::io::stderr().is_terminal() {
        return;
    }
    let words: &[&str] = match std::env::consts::OS {
        "windows" => &["explorer"],
        "macos" => &["open"],
        _ => &["xdg-open"],
    };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        terminal::remark(&format!("cannot open a browser with {}: {error}", words[0]));
    }
}
