//! Patterns that select names.

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

/// Patterns that select names. Those that start with `!` exclude what the others select; without
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

/// Returns the most similar pattern that stands for one of the names: those with the wildcards of the
/// pattern.
pub fn nearest_pattern<'a>(
    pattern: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let mut similar: Vec<String> =
        names.into_iter().filter_map(|name| in_form_of(pattern, name)).collect();
    similar.sort_unstable();
    similar.dedup();
    crate::nearest(pattern, similar.iter().map(String::as_str)).map(str::to_owned)
}

/// Returns a name with the wildcards of a pattern: parts for which the pattern has one are replaced.
fn in_form_of(pattern: &str, name: &str) -> Option<String> {
    let (pattern, mark) = match pattern.strip_prefix('!') {
        Some(rest) => (rest, "!"),
        None => (pattern, ""),
    };
    let (parts, own): (Vec<&str>, Vec<&str>) =
        (pattern.split('/').collect(), name.split('/').collect());
    // `**` stands for as many parts as are missing
    let wide = parts.iter().position(|part| *part == "**");
    let (before, after) = match wide {
        Some(at) => (at, parts.len() - at - 1),
        None => (parts.len(), 0),
    };
    let fits = if wide.is_some() { own.len() >= before + after } else { own.len() == before };
    if !fits {
        return None;
    }
    let form = |part: &&str, own: &&str| match part.contains('*') {
        true => (*part).to_owned(),
        false => (*own).to_owned(),
    };
    let mut formed: Vec<String> =
        parts[..before].iter().zip(&own[..before]).map(|(part, own)| form(part, own)).collect();
    if wide.is_some() {
        formed.push("**".to_owned());
        let (parts, own) = (&parts[before + 1..], &own[own.len() - after..]);
        formed.extend(parts.iter().zip(own).map(|(part, own)| form(part, own)));
    }
    Some(format!("{mark}{}", formed.join("/")))
}

#[cfg(test)]
mod tests {
    use super::{Patterns, in_form_of};

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

    #[test]
    fn a_name_takes_the_wildcards_of_a_pattern() {
        let form = |pattern| in_form_of(pattern, "car/wheel/fl/temperature");
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(form("car/wheel/*/temprature"), some("car/wheel/*/temperature"));
        assert_eq!(form("**/temprature"), some("**/temperature"));
        assert_eq!(form("!kar/**/temprature"), some("!car/**/temperature"));
        assert_eq!(form("car/wheell/**"), some("car/wheel/**"));
        assert_eq!(form("car/temperature"), None);
    }
}
