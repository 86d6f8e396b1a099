//! Patterns that select quantities by name.

use std::fmt;

/// A pattern of names: `*` stands for any characters except `/`, `**` for any characters, and `?` for
/// one character except `/`. `/**/` also stands for a single `/`. One that starts with `!` excludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    /// Whether the text starts with `!`.
    excludes: bool,
}

impl Pattern {
    fn new(text: &str) -> Self {
        let text = text.trim();
        let (excludes, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        Self { text: text.trim().to_owned(), excludes }
    }

    /// Returns whether the pattern stands for a name, which it then selects or excludes.
    pub fn matches(&self, name: &str) -> bool {
        matches(self.text.as_bytes(), name.as_bytes())
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.excludes { "!" } else { "" };
        write!(f, "{mark}{}", self.text)
    }
}

fn matches(pattern: &[u8], name: &[u8]) -> bool {
    if let Some(rest) = pattern.strip_prefix(b"/**/") {
        let Some(name) = name.strip_prefix(b"/") else { return false };
        // from the start of a part of the name
        let starts = (0..name.len()).filter(|at| *at == 0 || name[at - 1] == b'/');
        return starts.into_iter().any(|at| matches(rest, &name[at..]));
    }
    if let Some(rest) = pattern.strip_prefix(b"**") {
        return (0..=name.len()).any(|at| matches(rest, &name[at..]));
    }
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => {
            let part = name.iter().position(|byte| *byte == b'/').unwrap_or(name.len());
            (0..=part).any(|at| matches(rest, &name[at..]))
        }
        (Some((b'?', rest)), Some((byte, _))) if *byte != b'/' => {
            let text = std::str::from_utf8(name).ok();
            let width = text.and_then(|text| text.chars().next()).map_or(1, char::len_utf8);
            matches(rest, &name[width..])
        }
        (Some((one, rest)), Some((other, name))) => one == other && matches(rest, name),
        _ => false,
    }
}

/// Patterns that select quantities. Those that start with `!` exclude what the others select; without
/// any others, they exclude from all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patterns(Vec<Pattern>);

impl Patterns {
    /// Creates patterns from their texts.
    pub fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self(texts.into_iter().map(Pattern::new).collect())
    }

    /// Returns the patterns.
    pub fn list(&self) -> &[Pattern] {
        &self.0
    }

    /// Returns whether the patterns select a name.
    pub fn select(&self, name: &str) -> bool {
        let all = self.0.iter().all(|pattern| pattern.excludes);
        let any = |excludes: bool| {
            let mut patterns = self.0.iter().filter(|pattern| pattern.excludes == excludes);
            patterns.any(|pattern| pattern.matches(name))
        };
        (all || any(false)) && !any(true)
    }
}

#[cfg(test)]
mod tests {
    use super::Patterns;

    #[test]
    fn a_star_stays_within_a_part_and_two_stars_do_not() {
        let cases = [
            ("car/pose", "car/pose", true),
            ("car/pose", "car/poses", false),
            ("*/pose", "car/pose", true),
            ("*", "car/pose", false),
            ("**", "car/pose", true),
            ("car/*", "car/wheel/fl/spin", false),
            ("car/**", "car/wheel/fl/spin", true),
            ("**/spin", "car/wheel/fl/spin", true),
            ("car/**/spin", "car/wheel/fl/spin", true),
            ("car/**/spin", "car/spin", true),
            ("car/**/spin", "car/aspin", false),
            ("*/wheel/f?/s*n", "car/wheel/fl/spin", true),
            ("*/wheel/f?/s*n", "car/wheel/f/spin", false),
            ("?/x", "ä/x", true),
            ("**temp*", "car/wheel/fl/temperature", true),
            ("", "", true),
            ("", "a", false),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(Patterns::new([pattern]).select(name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn an_exclamation_mark_excludes() {
        let patterns = Patterns::new(["car/**", "!**/wheel/**"]);
        assert!(patterns.select("car/pose") && !patterns.select("car/wheel/fl/spin"));
        let patterns = Patterns::new(["!car/**"]);
        assert!(patterns.select("van/pose") && !patterns.select("car/pose"));
    }
}
