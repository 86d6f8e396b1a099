//! The syntax of replacements: `${NAME}`, `${NAME|default}`, `$env{NAME}`, `$(command)` and
//! `$f{expression}`.

/// The start of each kind of replacement.
const STARTS: [&str; 4] = ["${", "$env{", "$f{", "$("];

/// Returns the start of the replacement that a text begins with.
pub(super) fn start_of(text: &str) -> Option<&'static str> {
    STARTS.into_iter().find(|start| text.starts_with(start))
}

/// Returns the character that ends a replacement.
pub(super) fn end_of(start: &str) -> char {
    if start == "$(" { ')' } else { '}' }
}

/// Splits the text after the start of a replacement into its inside and what follows it. Braces are
/// balanced. As in MVSim, the first parenthesis ends a command.
pub(super) fn split_inside<'t>(start: &str, text: &'t str) -> Option<(&'t str, &'t str)> {
    match start {
        "$(" => text.split_once(')'),
        _ => split_balanced(text),
    }
}

fn split_balanced(text: &str) -> Option<(&str, &str)> {
    let mut open = 1_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => open += 1,
            b'}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some((&text[..at], &text[at + 1..]));
        }
    }
    None
}

/// Returns the replacement that a text begins with, or the whole text if it has no end.
pub(super) fn whole<'t>(start: &str, text: &'t str) -> &'t str {
    let inside = split_inside(start, &text[start.len()..]);
    inside.map_or(text, |(inside, _)| &text[..start.len() + inside.len() + 1])
}

/// Splits `NAME|default` into both parts.
pub(super) fn split_default(inside: &str) -> (&str, Option<&str>) {
    match inside.split_once('|') {
        Some((name, default)) => (name.trim(), Some(default)),
        None => (inside.trim(), None),
    }
}
