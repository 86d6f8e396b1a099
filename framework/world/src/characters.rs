//! Characters that texts and names of worlds cannot have, because terminals take them as commands.

use simhost_abi::is_direction_mark;

use crate::diagnostics::Diagnostic;

/// Attribute whose value messages and file names repeat.
const NAME: &str = "name";

/// Returns the first character that the value of an attribute or an element cannot have.
pub(crate) fn refused(attribute: &str, value: &str) -> Option<char> {
    let is_refused = if attribute == NAME { is_refused_in_name } else { is_refused };
    value.chars().find(|letter| is_refused(*letter))
}

/// Returns whether no text can have a character: control characters other than tabs and line breaks, and those that
/// change the direction of text.
pub(crate) fn is_refused(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\t' | '\n' | '\r' | '\u{85}')
        || is_direction_mark(letter)
}

/// Returns whether names cannot have a character. A name is one line.
fn is_refused_in_name(letter: char) -> bool {
    letter.is_control()
        || is_refused(letter)
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
}

/// Returns the error for a character.
pub(crate) fn error(letter: char) -> Diagnostic {
    let expected = match is_refused(letter) {
        true => "expected text, a tab or a line break",
        false => "expected a name in one line",
    };
    let message = format!("control character U+{:04X}", u32::from(letter));
    Diagnostic::error(message).label(expected).help("remove it")
}
