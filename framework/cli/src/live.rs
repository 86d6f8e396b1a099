//! Live clients of a run.

mod desk;
mod play;
mod top;

pub use desk::Desk;
pub use play::{Serving, Tape, folder_tape, listen, play};
pub use top::top;

use std::io::IsTerminal as _;
use std::process::{Command, Stdio};

use crate::terminal;

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
