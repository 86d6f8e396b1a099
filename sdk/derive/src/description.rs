//! Descriptions for users, from doc comments in the syntax of rustdoc.

/// Returns a doc comment on one line, up to its first heading or block of code. Users read it as plain
/// text, so that links are replaced by their texts.
pub fn description(comment: &str) -> String {
    let lines = comment.lines().map(str::trim);
    let lines = lines
        .take_while(|line| !line.starts_with("# ") && !line.starts_with("```"))
        .filter(|line| !is_link_definition(line));
    let words = lines.flat_map(str::split_whitespace).collect::<Vec<_>>();
    without_links(&words.join(" "))
}

/// Returns whether a line defines the target of links, such as ``[`Wheel`]: crate::Wheel``.
fn is_link_definition(line: &str) -> bool {
    line.starts_with('[') && line.contains("]: ")
}

/// Replaces the links of rustdoc by their texts: ``[`Wheel`]``, `[a wheel](crate::Wheel)` and
/// `[a wheel][Wheel]`. Other brackets, such as in intervals and indices, are kept.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(begin) = rest.find('[') {
        let (before, from) = rest.split_at(begin);
        plain.push_str(before);
        let Some((label, after)) = from[1..].split_once(']') else { return plain + from };
        let target = ['(', '['].into_iter().zip([')', ']']).find_map(|(open, close)| {
            after.strip_prefix(open)?.split_once(close).map(|(_, after)| after)
        });
        // an index, such as `wheel[i][j]`, is not a link
        let is_index = plain.ends_with(|c: char| c.is_alphanumeric() || c == ']');
        let is_code = label.len() > 2 && label.starts_with('`') && label.ends_with('`');
        match target {
            Some(after) if !label.is_empty() && !label.contains('[') && !is_index => {
                plain.push_str(label);
                rest = after;
            }
            _ if is_code => {
                plain.push_str(label);
                rest = after;
            }
            _ => {
                plain.push('[');
                rest = &from[1..];
            }
        }
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_replaced_by_their_texts() {
        for (comment, text) in [
            (" The [`Wheel`] rolls.", "The `Wheel` rolls."),
            (" See [the wheel](crate::Wheel),\n and [`mu`][Self::mu].", "See the wheel, and `mu`."),
            (" Uses [`Wheel`].\n\n [`Wheel`]: crate::Wheel", "Uses `Wheel`."),
            (" From 0 to 1, [0, 1), of [`a`](b)", "From 0 to 1, [0, 1), of `a`"),
            (" Lane [3] of wheel[i][j] [m]", "Lane [3] of wheel[i][j] [m]"),
        ] {
            assert_eq!(description(comment), text);
        }
    }

    #[test]
    fn sections_for_programmers_are_left_out() {
        assert_eq!(description(" A tyre.\n Grips.\n\n # Panics\n Never."), "A tyre. Grips.");
        assert_eq!(description(" A tyre.\n ```\n let x = 1;\n ```"), "A tyre.");
    }
}
