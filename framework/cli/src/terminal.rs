//! Output: results on standard output, everything else on standard error.

#[cfg(feature = "ros2")]
mod listener;

use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use simhost_abi::is_command;

use crate::process::{Code, Failure};

#[cfg(feature = "ros2")]
pub use listener::listen;

/// Severity of a message on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Something that is worth knowing.
    Remark,
    /// Something is not as it should be.
    Warning,
    /// Something has failed.
    Error,
}

/// Number of warnings reported so far.
static WARNINGS: AtomicUsize = AtomicUsize::new(0);

/// Whether messages on standard error are logged as well.
static IS_LOGGED: AtomicBool = AtomicBool::new(false);

/// Width of output to a pipe or a file, in columns.
const PIPE_WIDTH: usize = 120;

/// Whether the command line asks for no remarks.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Whether the command line asks for colours, or for none.
static COLOURS: OnceLock<bool> = OnceLock::new();

/// Follows the options of the command line: no summary, progress and remarks, and colours always or never.
pub fn show(is_quiet: bool, colours: Option<bool>) {
    IS_QUIET.store(is_quiet, Ordering::Relaxed);
    if let Some(colours) = colours {
        let _ = COLOURS.set(colours);
    }
}

/// Returns whether summary, progress and remarks are left out.
pub fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Returns whether standard error shows colours.
pub fn colours() -> bool {
    let is_usual = || std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    COLOURS.get().copied().unwrap_or_else(is_usual)
}

/// Returns the width of standard output in columns. The width of a pipe is constant.
pub fn width() -> usize {
    let terminal = console::Term::stdout();
    terminal.size_checked().map_or(PIPE_WIDTH, |(_, columns)| usize::from(columns))
}

/// Prints a line to standard output.
///
/// # Errors
/// As [`document`].
pub fn result(text: &str) -> Result<(), Failure> {
    document(&format!("{}\n", harmless(text, false)))
}

/// Prints a text to standard output, without changes unless that is a terminal.
///
/// # Errors
/// Fails if standard output cannot be written, because a disk is full. A closed pipe, as with `| head`, is not
/// a failure: whoever reads has seen enough.
pub fn document(text: &str) -> Result<(), Failure> {
    let is_terminal = std::io::stdout().is_terminal();
    let text = if is_terminal { harmless(text, colours()) } else { text.into() };
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(Code::Output, format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Returns a table with aligned columns.
pub fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            line += cell;
            line.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count()));
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// Repeats all messages on standard error in the log of the program.
pub fn log_messages() {
    IS_LOGGED.store(true, Ordering::Relaxed);
}

/// Passes a message to the log and to the listener.
fn pass_on(severity: Severity, text: &str) {
    if IS_LOGGED.load(Ordering::Relaxed) {
        match severity {
            Severity::Remark => tracing::info!("{text}"),
            Severity::Warning => tracing::warn!("{text}"),
            Severity::Error => tracing::error!("{text}"),
        }
    }
    #[cfg(feature = "ros2")]
    listener::notify(severity, text);
}

/// Prints a line to standard error.
pub fn remark(text: &str) {
    pass_on(Severity::Remark, text);
    if !is_quiet() {
        print(text);
    }
}

fn print(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", harmless(text, colours()));
}

/// Returns a text in which everything is escaped that a terminal would take as a command. Colours remain if there can be
/// any.
fn harmless(text: &str, colours: bool) -> Cow<'_, str> {
    if !text.contains(is_command) {
        return text.into();
    }
    let (mut shown, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(letter) = rest.chars().next() {
        let colour = if colours { length_of_colour(rest) } else { 0 };
        let (piece, after) = rest.split_at(colour.max(letter.len_utf8()));
        match colour == 0 && is_command(letter) {
            true => shown.extend(letter.escape_default()),
            false => shown += piece,
        }
        rest = after;
    }
    shown.into()
}

/// Returns the length of the change of colours that a text begins with, else 0.
fn length_of_colour(text: &str) -> usize {
    let Some(parameters) = text.strip_prefix("\x1b[") else { return 0 };
    let end = parameters.find(|letter: char| !letter.is_ascii_digit() && letter != ';');
    let end = end.filter(|end| parameters[*end..].starts_with('m'));
    end.map_or(0, |end| "\x1b[".len() + end + 1)
}

/// Prints a warning to standard error and counts it.
pub fn warning(text: &str) {
    count_warnings(1);
    pass_on(Severity::Warning, text);
    print(&format!("{} {text}", paint("warning:", "33")));
}

/// Counts warnings that are printed by other means, or not one by one.
pub fn count_warnings(count: usize) {
    WARNINGS.fetch_add(count, Ordering::Relaxed);
}

/// Returns the number of warnings reported so far.
pub fn warnings() -> usize {
    WARNINGS.load(Ordering::Relaxed)
}

/// Prints an error to standard error. A text that contains `error:` already is printed as it is.
pub fn error(text: &str) {
    pass_on(Severity::Error, text);
    if text.contains("error:") {
        print(text);
    } else {
        print(&format!("{} {text}", paint("error:", "31")));
    }
}

fn paint(text: &str, colour: &str) -> String {
    if colours() { format!("\x1b[1;{colour}m{text}\x1b[0m") } else { text.to_string() }
}

/// Returns a value as JSON with a newline at the end.
pub fn json(value: &impl serde::Serialize) -> String {
    let text = serde_json::to_string_pretty(value)
        .expect("pages have string keys, and their numbers are finite or null");
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_commands() {
        let colour = "\x1b[1;31merror:\x1b[0m";
        for (text, shown) in [
            ("a line\n\tand a tab: ä", "a line\n\tand a tab: ä"),
            ("v\x1b]0;title\x07", "v\\u{1b}]0;title\\u{7}"),
            ("\x1b[2J\r\u{9b}m\u{202e}x\u{2066}", "\\u{1b}[2J\\r\\u{9b}m\\u{202e}x\\u{2066}"),
            ("\x1b[31", "\\u{1b}[31"),
        ] {
            assert_eq!(harmless(text, false), shown);
            let coloured = format!("{colour} {text}");
            assert_eq!(harmless(&coloured, true), format!("{colour} {shown}"));
            assert!(!harmless(&coloured, false).contains('\x1b'));
        }
    }
}
