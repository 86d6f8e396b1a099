//! Parser for tyre property files (`.tir`).
//!
//! Lines are `[SECTION]`, `KEY = VALUE`, `{table header}` followed by rows of numbers, or empty;
//! `$` and `!` start a comment, and texts are in single quotes. Units other than SI are rejected.
//! Keys without effect and empty values are listed in a warning each. Files are untrusted: size and line
//! length are limited, and every error names its line. Source of the layout: Adams/Tire manual, "tyre
//! property file".

use super::coefficients::Coefficients;
use super::keys::{Unused, nearest};
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
    #[error("{}{name} is {value}, expected {expected}", of_line(*.line))]
    NotAbove {
        /// Line number, starting at 1; `None` for one that the world sets.
        line: Option<usize>,
        /// Name of the coefficient.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Description of the expected value.
        expected: &'static str,
    },
    /// Coefficients of the world are invalid.
    #[error("`{found}`: {what}; write coefficients like \"LMUY 0.8; PKY1 -20\"")]
    Override {
        /// The coefficient as it was given.
        found: String,
        /// The problem.
        what: String,
    },
}

fn of_line(line: Option<usize>) -> String {
    line.map(|line| format!("line {line}: ")).unwrap_or_default()
}

/// A tyre property file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TyreFile {
    /// The tyre.
    pub tyre: Tyre,
    /// Side of the vehicle on which the tyre was measured: `LEFT` or `RIGHT`, if the file has one.
    pub side: Option<String>,
    /// Outputs for which the tyre was fitted, if the file has them.
    pub use_mode: Option<u32>,
    /// Keys that have no effect, with the nearest name of unknown ones.
    pub without_effect: Vec<String>,
    /// Coefficients without a value, which have their defaults.
    pub without_value: Vec<String>,
}

/// Parses the text of a tyre property file.
///
/// # Errors
///
/// If the text is too long, or does not describe an MF 5.2, 6.1 or 6.2 tyre.
pub fn parse(text: &str) -> Result<TyreFile, TirError> {
    if text.len() > MOST_BYTES {
        return Err(TirError::TooLong);
    }
    let mut file = File::default();
    // a byte order mark
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: String| TirError::Line { line: number + 1, what };
        file.at = number + 1;
        file.line(line).map_err(wrong)?;
    }
    file.finish()
}

/// Replaces coefficients by the values in a text like `LMUY 0.8; PKY1 -20`.
///
/// # Errors
///
/// If the text is not like that, a name is unknown, or a coefficient is out of range.
pub fn replace(tyre: &mut Tyre, text: &str) -> Result<(), TirError> {
    for row in text.split([';', '\n']).map(str::trim).filter(|row| !row.is_empty()) {
        let wrong = |what: &str| TirError::Override { found: shortened(row), what: what.into() };
        let mut words = row.split(['=', ' ', '\t']).filter(|word| !word.is_empty());
        let (Some(key), Some(value), None) = (words.next(), words.next(), words.next()) else {
            return Err(wrong("expected a name and a number"));
        };
        let key = key.to_ascii_uppercase();
        let place = tyre.coefficients.named(&key);
        let place = place.ok_or_else(|| wrong(&unknown(&key)))?;
        *place = number(value).ok_or_else(|| wrong("expected a finite number"))?;
    }
    check(&mut tyre.coefficients, |_| None)
}

/// Returns what is wrong with an unknown coefficient, with the nearest name.
fn unknown(key: &str) -> String {
    let near = nearest(key).filter(|name| Coefficients::NAMES.contains(name));
    near.map_or_else(
        || "unknown coefficient".into(),
        |name| format!("unknown coefficient, did you mean {name}?"),
    )
}

/// Checks coefficients, whose lines `line` returns, and converts them to a positive μ_y.
fn check(p: &mut Coefficients, line: impl Fn(&str) -> Option<usize>) -> Result<(), TirError> {
    if p.pdy1 < 0.0 {
        // D_y and B_y have the other sign then, which F_y does not show; S_Vyκ takes that of μ_y, and the residual
        // moment that of B_y
        let of_mu = [&mut p.pdy1, &mut p.pdy2, &mut p.rvy1, &mut p.rvy2, &mut p.rvy3];
        for one in of_mu.into_iter().chain([&mut p.qbz10]) {
            *one = -*one;
        }
    }
    let above = [
        ("FNOMIN", p.fnomin),
        ("LFZO", p.lfzo),
        ("PCX1", p.pcx1),
        ("PDX1", p.pdx1),
        ("PKX1", p.pkx1),
        ("PCY1", p.pcy1),
        ("PKY2", p.pky2),
    ];
    let above = above.into_iter().find(|(_, value)| *value <= 0.0);
    let above = above.map(|(name, value)| (name, value, "a number above 0"));
    let zero = [("PDY1", p.pdy1), ("PKY1", p.pky1)].into_iter().find(|(_, value)| *value == 0.0);
    let zero = zero.map(|(name, value)| (name, value, "a number other than 0"));
    above.or(zero).map_or(Ok(()), |(name, value, expected)| {
        Err(TirError::NotAbove { line: line(name), name, value, expected })
    })
}

/// The lines parsed so far.
struct File {
    file: TyreFile,
    section: String,
    in_table: bool,
    /// Number of the present line.
    at: usize,
    /// Coefficients and the lines that set them.
    seen: Vec<(String, usize)>,
}

impl Default for File {
    fn default() -> Self {
        let tyre = Tyre { coefficients: Coefficients::neutral(), ..Tyre::default() };
        let file = TyreFile { tyre, ..TyreFile::default() };
        Self { file, section: String::new(), in_table: false, at: 0, seen: Vec::new() }
    }
}

impl File {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let line = without_comment(line).trim();
        if line.len() > LONGEST_LINE {
            return Err(format!("expected at most {LONGEST_LINE} bytes"));
        }
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
            None if self.in_table || !self.has_coefficients() => Ok(()),
            None => Err(format!("found '{}', expected KEY = VALUE", shortened(line))),
        }
    }

    /// Returns whether the section has pairs that act on forces, so that any other line is a mistake.
    fn has_coefficients(&self) -> bool {
        let name = self.section.as_str();
        name.ends_with("COEFFICIENTS")
            || ["UNITS", "MODEL", "DIMENSION", "VERTICAL"].contains(&name)
    }

    fn pair(&mut self, key: &str, value: &str) -> Result<(), String> {
        let key = key.to_ascii_uppercase();
        self.in_table = false;
        match (self.section.as_str(), key.as_str()) {
            ("UNITS", _) => return unit(&key, value),
            (_, "FITTYP" | "PROPERTY_FILE_FORMAT") => return self.format(&key, value),
            _ => {}
        }
        let number = number(value);
        let Some(place) = self.file.tyre.coefficients.named(&key) else {
            self.unused(&key, value, number);
            return Ok(());
        };
        if self.seen.iter().any(|(seen, _)| *seen == key) {
            return Err(format!("duplicate {key}"));
        }
        if value.is_empty() {
            self.file.without_value.push(key);
            return Ok(());
        }
        *place = number
            .ok_or_else(|| format!("{key} is '{}', expected a finite number", shortened(value)))?;
        self.seen.push((key, self.at));
        Ok(())
    }

    /// Takes note of a key that is not a coefficient of this model.
    fn unused(&mut self, key: &str, value: &str, number: Option<f64>) {
        if key == "TYRESIDE" {
            let side = unquoted(value).to_ascii_uppercase();
            self.file.side = ["LEFT", "RIGHT"].contains(&&*side).then_some(side);
            return;
        }
        if key == "USE_MODE" {
            let mode = number.filter(|mode| (0.0..1e6).contains(mode));
            self.file.use_mode = mode.map(|mode| mode as u32);
            return;
        }
        let text = match Unused::of(key, value, number) {
            Unused::Expected => return,
            Unused::Ignored => key.to_owned(),
            Unused::Unknown => match nearest(key) {
                Some(near) => format!("{} (unknown; did you mean {near}?)", shortened(key)),
                None => format!("{} (unknown)", shortened(key)),
            },
        };
        self.file.without_effect.push(text);
    }

    fn format(&mut self, key: &str, value: &str) -> Result<(), String> {
        let name = unquoted(value).to_ascii_uppercase();
        let version = match name.as_str() {
            "MF_05" | "MF05" | "MF_52" | "MF52" | "PAC2002" | "MF-TYRE" | "MF-TIRE" | "MF2002"
            | "5" | "6" | "52" => Version::Mf52,
            "MF_61" | "MF61" | "61" => Version::Mf61,
            "MF_62" | "MF62" | "62" => Version::Mf62,
            // the format of the file, which another line specifies
            "USER" => return Ok(()),
            _ => {
                let text = format!(
                    "{key} is '{}', expected version 5.2 (PAC2002, MF_05, 6, 52), 6.1 (MF_61, 61) or 6.2 (MF_62, 62)",
                    shortened(unquoted(value))
                );
                return Err(text);
            }
        };
        self.file.tyre.version = version;
        Ok(())
    }

    fn finish(mut self) -> Result<TyreFile, TirError> {
        let line = |name: &str| Some(self.seen.iter().find(|(seen, _)| seen == name)?.1);
        if let Some(missing) = REQUIRED.into_iter().find(|name| line(name).is_none()) {
            return Err(TirError::Missing(missing));
        }
        check(&mut self.file.tyre.coefficients, line)?;
        Ok(self.file)
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
