//! What is printed: results on standard output, everything else on standard error.

use std::io::{ErrorKind, IsTerminal, Write};

use crate::exit::{Code, Failure};

/// Width of what goes into a pipe or a file, in columns.
const PIPE_WIDTH: usize = 120;

/// Whether standard error shows colours.
pub fn colours() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Width of a terminal, in columns; that of a pipe is always the same.
pub fn width() -> usize {
    let terminal = console::Term::stdout();
    terminal.size_checked().map_or(PIPE_WIDTH, |(_, columns)| usize::from(columns))
}

/// Prints a line of the result. A reader that went away is no error.
pub fn result(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints a text as it stands. A reader that went away is no error.
///
/// # Errors
/// Standard output cannot be written, such as a file on a disk that is full.
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

/// Prints a remark.
pub fn remark(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints a warning.
pub fn warning(text: &str) {
    remark(&format!("{} {text}", paint("warning:", "33")));
}

/// Prints what went wrong. A text that is rendered already stays as it is.
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
