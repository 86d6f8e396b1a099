//! Reads tyre property files (`.tir`).
//!
//! Lines are `[SECTION]`, `KEY = VALUE`, `{heads of a table}` with rows of numbers below, or empty; `$` and `!` begin a
//! comment, texts stand in single quotes. Of the units only SI is taken. Names that are not asked for are passed over.
//! The file may come from anywhere: size and lines are limited, and every mistake is told with its line.
//! Source of the layout: Adams/Tire manual, "tyre property file".

use super::coefficients::Coefficients;
use super::tyre::{Tyre, Version};

/// Longest file, bytes.
const MOST_BYTES: usize = 64 << 10;
/// Longest line, bytes.
const LONGEST_LINE: usize = 1024;
/// What a tyre cannot do without.
const REQUIRED: [&str; 8] = ["FNOMIN", "PCX1", "PDX1", "PKX1", "PCY1", "PDY1", "PKY1", "PKY2"];
/// Units with the spellings that are SI.
const UNITS: [(&str, &[&str]); 6] = [
    ("LENGTH", &["meter", "metre", "m"]),
    ("FORCE", &["newton", "n"]),
    ("ANGLE", &["radian", "radians", "rad"]),
    ("MASS", &["kg", "kilogram"]),
    ("TIME", &["second", "seconds", "sec", "s"]),
    ("PRESSURE", &["pascal", "pa"]),
];

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TirError {
    /// The file is too long to be one of a tyre.
    #[error("has more than 64 KiB: that is no tyre property file")]
    TooLong,
    /// A line is wrong.
    #[error("is wrong in line {line}: {what}")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong, and what was expected.
        what: String,
    },
    /// A coefficient is missing.
    #[error("has no {0}: a tyre of the magic formula needs it")]
    Missing(&'static str),
    /// A coefficient has a value that no tyre has.
    #[error("{name} is {value}: it must be above 0")]
    NotAbove {
        /// Its name.
        name: &'static str,
        /// What it is.
        value: f64,
    },
}

/// The tyre of a text.
///
/// # Errors
/// When it is too long, or not that of a tyre of MF 5.2 or 6.1.
pub fn parse(text: &str) -> Result<Tyre, TirError> {
    if text.len() > MOST_BYTES {
        return Err(TirError::TooLong);
    }
    let mut file = File::default();
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: String| TirError::Line { line: number + 1, what };
        file.line(line).map_err(wrong)?;
    }
    file.finish()
}

/// What has been read so far.
struct File {
    tyre: Tyre,
    section: String,
    in_table: bool,
    seen: Vec<String>,
}

impl Default for File {
    fn default() -> Self {
        let tyre = Tyre { coefficients: Coefficients::neutral(), version: Version::Mf52 };
        Self { tyre, section: String::new(), in_table: false, seen: Vec::new() }
    }
}

impl File {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if line.len() > LONGEST_LINE {
            return Err(format!("is longer than {LONGEST_LINE} bytes"));
        }
        let line = without_comment(line).trim();
        if line.is_empty() {
            return Ok(());
        }
        if let Some(rest) = line.strip_prefix('[') {
            let name = rest.strip_suffix(']').ok_or("a section ends in ]")?;
            self.section = name.trim().to_ascii_uppercase();
            self.in_table = false;
            return Ok(());
        }
        if line.starts_with('{') {
            self.in_table = true;
            return Ok(());
        }
        match line.split_once('=') {
            Some((key, value)) => self.pair(key.trim(), value.trim()),
            None if self.in_table => Ok(()),
            None => Err(format!("expected KEY = VALUE, got '{}'", shortened(line))),
        }
    }

    fn pair(&mut self, key: &str, value: &str) -> Result<(), String> {
        let key = key.to_ascii_uppercase();
        self.in_table = false;
        match (self.section.as_str(), key.as_str()) {
            ("UNITS", _) => return unit(&key, value),
            (_, "FITTYP" | "PROPERTY_FILE_FORMAT") => return self.format(&key, value),
            _ => {}
        }
        // keys of other sections may have the same names
        let Some(place) = self.tyre.coefficients.named(&key) else { return Ok(()) };
        let number = number(value)
            .ok_or_else(|| format!("{key} must be a finite number, got '{}'", shortened(value)))?;
        if self.seen.contains(&key) {
            return Err(format!("{key} stands here for the second time"));
        }
        *place = number;
        self.seen.push(key);
        Ok(())
    }

    fn format(&mut self, key: &str, value: &str) -> Result<(), String> {
        let name = unquoted(value).to_ascii_uppercase();
        let version = match name.as_str() {
            "MF_05" | "MF05" | "MF_52" | "MF52" | "PAC2002" | "MF-TYRE" | "MF-TIRE" | "MF2002"
            | "5" | "6" | "52" => Version::Mf52,
            "MF_61" | "MF61" | "MF_62" | "MF62" | "61" | "62" => Version::Mf61,
            // the form of the file, which another line tells more of
            "USER" => return Ok(()),
            _ => {
                let text = format!(
                    "{key} is '{}'; the magic formula is read as 5.2 (PAC2002, MF_05, 6, 52) and 6.1 (MF_61, 61, 62)",
                    shortened(unquoted(value))
                );
                return Err(text);
            }
        };
        self.tyre.version = version;
        Ok(())
    }

    fn finish(self) -> Result<Tyre, TirError> {
        let has = |name: &str| self.seen.iter().any(|seen| seen == name);
        if let Some(missing) = REQUIRED.into_iter().find(|name| !has(name)) {
            return Err(TirError::Missing(missing));
        }
        let p = &self.tyre.coefficients;
        let above = [
            ("FNOMIN", p.fnomin),
            ("LFZO", p.lfzo),
            ("PCX1", p.pcx1),
            ("PDX1", p.pdx1),
            ("PKX1", p.pkx1),
            ("PCY1", p.pcy1),
            ("PDY1", p.pdy1),
            ("PKY2", p.pky2),
        ];
        match above.into_iter().find(|(_, value)| *value <= 0.0) {
            Some((name, value)) => Err(TirError::NotAbove { name, value }),
            None => Ok(self.tyre),
        }
    }
}

/// The part of a line before a comment; texts in quotes hold no comments.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    for (at, letter) in line.char_indices() {
        match letter {
            '\'' => quoted = !quoted,
            '$' | '!' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

fn unit(key: &str, value: &str) -> Result<(), String> {
    let Some((_, spellings)) = UNITS.iter().find(|(name, _)| *name == key) else { return Ok(()) };
    let given = unquoted(value).to_ascii_lowercase();
    if spellings.contains(&given.as_str()) {
        return Ok(());
    }
    Err(format!("{key} is in '{}'; convert the file to SI: '{}'", shortened(&given), spellings[0]))
}

fn unquoted(value: &str) -> &str {
    value.trim_matches('\'').trim()
}

fn number(value: &str) -> Option<f64> {
    // Fortran writes 1.0D-3
    let value = unquoted(value).replace(['d', 'D'], "e");
    value.parse().ok().filter(|number: &f64| number.is_finite())
}

/// As much of a text as an error shows.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
