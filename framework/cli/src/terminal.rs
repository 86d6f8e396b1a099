//! Output: results on standard output, everything else on standard error.

use std::io::{ErrorKind, IsTerminal, Write};

use crate::exit::{Code, Failure};

/// Width of output to a pipe or a file, in columns.
const PIPE_WIDTH: usize = 120;

/// Returns whether standard error shows colours.
pub fn colours() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Returns the width of standard output in columns. The width of a pipe is constant.
pub fn width() -> usize {
    let terminal = console::Term::stdout();
    terminal.size_checked().map_or(PIPE_WIDTH, |(_, columns)| usize::from(columns))
}

/// Prints a line to standard output. A closed pipe is not an error.
pub fn result(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints a text to standard output without changes. A closed pipe is not an error.
///
/// # Errors
/// Fails if standard output cannot be written, for example because a disk is full.
pub fn document(text: &str) -> Result<(), Failure> {
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let text = format!("cannot write to standard output: {error}");
            Err(Failure::new(Code::Output, text))
        }
        _ => Ok(()),
    }
}

/// Prints a line to standard error.
pub fn remark(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints a warning to standard error.
pub fn warning(text: &str) {
    remark(&format!("{} {text}", paint("warning:", "33")));
}

/// Prints an error to standard error. A text that contains `error:` already is printed as it is.
pub fn error(text: &str) {
    if text.contains("error:") {
        remark(text);
    } else {
        remark(&format!("{} {text}", paint("error:", "31")));
    }
}

fn paint(text: &str, colour: &str) -> String {
    if colours() { format!("\x1b[1;{colour}m{text}\x1b[0m") } else { text.to_string() }
}
