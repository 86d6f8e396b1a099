//! Parser for tyre property files (`.tir`).
//!
//! Lines are `[SECTION]`, `KEY = VALUE`, `{table header}` followed by rows of numbers, or empty;
//! `$` and `!` start a comment, and texts are in single quotes. Units other than SI are rejected,
//! and unknown keys are ignored. Files are untrusted: size and line length are limited, and every
//! error names its line. Source of the layout: Adams/Tire manual, "tyre property file".

use super::coefficients::Coefficients;
use super::tyre::{Tyre, Version};

/// Longest file, bytes.
const MOST_BYTES: usize = 64 << 10;
/// Longest line, bytes.
const LONGEST_LINE: usize = 1024;
/// Required coefficients.
const REQUIRED: [&str; 8] = ["FNOMIN", "PCX1", "PDX1", "PKX1", "PCY1", "PDY1", "PKY1", "PKY2"];
/// Units with their SI spellings.
const UNITS: [(&str, &[&str]); 6] = [
    ("LENGTH", &["meter", "metre", "m"]),
    ("FORCE", &["newton", "n"]),
    ("ANGLE", &["radian", "radians", "rad"]),
    ("MASS", &["kg", "kilogram"]),
    ("TIME", &["second", "seconds", "sec", "s"]),
    ("PRESSURE", &["pascal", "pa"]),
];

/// Why a tyre property file is rejected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TirError {
    /// The file is too long.
    #[error("has more than 64 KiB; expected a tyre property file")]
    TooLong,
    /// A line is invalid.
    #[error("line {line}: {what}")]
    Line {
        /// Line number, starting at 1.
        line: usize,
        /// The problem, and what was expected.
        what: String,
    },
    /// A coefficient is missing.
    #[error("missing {0}, which the Magic Formula requires")]
    Missing(&'static str),
    /// A coefficient is out of range.
    #[error("{name} is {value}, expected a number above 0")]
    NotAbove {
        /// Name of the coefficient.
        name: &'static str,
        /// Value in the file.
        value: f64,
    },
}

/// Parses the text of a tyre property file.
///
/// # Errors
///
/// If the text is too long, or not that of an MF 5.2 or 6.1 tyre.
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

/// The lines parsed so far.
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
            return Err(format!("expected at most {LONGEST_LINE} bytes"));
        }
        let line = without_comment(line).trim();
        if line.is_empty() {
            return Ok(());
        }
        if let Some(rest) = line.strip_prefix('[') {
            let name = rest.strip_suffix(']').ok_or("expected ] at the end of the section")?;
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
            None => Err(format!("found '{}', expected KEY = VALUE", shortened(line))),
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
            .ok_or_else(|| format!("{key} is '{}', expected a finite number", shortened(value)))?;
        if self.seen.contains(&key) {
            return Err(format!("duplicate {key}"));
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
            // the format of the file, which another line specifies
            "USER" => return Ok(()),
            _ => {
                let text = format!(
                    "{key} is '{}', expected version 5.2 (PAC2002, MF_05, 6, 52) or 6.1 (MF_61, 61, 62)",
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

/// Returns the part of a line before a comment. Quoted texts contain no comments.
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
    Err(format!(
        "{key} is '{}', expected the SI unit '{}'; convert the file",
        shortened(&given),
        spellings[0]
    ))
}

fn unquoted(value: &str) -> &str {
    value.trim_matches('\'').trim()
}

fn number(value: &str) -> Option<f64> {
    // Fortran writes 1.0D-3
    let value = unquoted(value).replace(['d', 'D'], "e");
    value.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Shortens a text for an error message.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
