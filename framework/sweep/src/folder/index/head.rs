//! The head of a line, for the index.

use serde::Deserialize;

use crate::row::RunStatus;

/// The part of a row that the index needs.
#[derive(Debug, PartialEq, Deserialize)]
pub struct Head {
    pub run: u64,
    pub status: RunStatus,
    #[serde(default)]
    pub attempt: u32,
}

impl Head {
    /// Reads the head of a line, which is an object of JSON.
    pub fn of(line: &[u8]) -> Option<Self> {
        Self::as_written(line).or_else(|| serde_json::from_slice(line).ok())
    }

    /// Reads the head of a line as [`RunRow::to_line`] writes it, without looking at the rest. Inside of a text, quotes have
    /// a backslash before them, so that the names of fields are found in no text.
    fn as_written(line: &[u8]) -> Option<Self> {
        let rest = line.strip_prefix(b"{\"run\":")?;
        let (run, rest) = digits(rest)?;
        let rest = after(rest, b",\"status\":\"")?;
        let name = &rest[..rest.iter().position(|one| *one == b'"')?];
        let status = RunStatus::ALL.into_iter().find(|one| one.name().as_bytes() == name)?;
        let rest = line.strip_suffix(b"}")?;
        // the last field, if there is one
        let digit_count = rest.iter().rev().take_while(|one| one.is_ascii_digit()).count();
        let (before, number) = rest.split_at(rest.len() - digit_count);
        let attempt = match before.strip_suffix(b",\"attempt\":") {
            Some(_) => u32::try_from(digits(number)?.0).ok()?,
            None => before.ends_with(b"\"").then_some(0)?,
        };
        Some(Self { run, status, attempt })
    }
}

/// Returns the number with which a text begins, and the rest.
fn digits(text: &[u8]) -> Option<(u64, &[u8])> {
    let end = text.iter().position(|one| !one.is_ascii_digit()).unwrap_or(text.len());
    let add = |sum: u64, one: &u8| sum.checked_mul(10)?.checked_add(u64::from(one - b'0'));
    let number = text[..end].iter().try_fold(0, add)?;
    (end > 0).then_some((number, &text[end..]))
}

/// Returns what follows a part of a text.
fn after<'t>(text: &'t [u8], part: &[u8]) -> Option<&'t [u8]> {
    let mut rest = text;
    loop {
        // fields begin with a comma, of which there are few
        rest = &rest[rest.iter().position(|one| *one == part[0])?..];
        match rest.strip_prefix(part) {
            Some(found) => return Some(found),
            None => rest = &rest[1..],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::RunRow;

    /// Lines are read without all of their fields, whatever their texts contain.
    #[test]
    fn heads_equal_those_of_whole_rows() {
        let row = |values: &[&str], reason: &str, attempt| RunRow {
            run: 17,
            id: "00ff".to_owned(),
            seed: 3,
            values: values.iter().map(|one| (*one).to_owned()).collect(),
            status: RunStatus::Diverged,
            reason: reason.to_owned(),
            metrics: vec![Some(0.5), None],
            steps: 10,
            time_s: 0.1,
            hash: "ab".to_owned(),
            attempt,
        };
        let odd = [",\"status\":\"ok\"", "status", ",", ":", "\\", "{", "\"attempt\":7", "\n"];
        for row in [row(&[], "", 0), row(&odd, "", 2), row(&odd, "x\",\"attempt\":9", 0)] {
            let line = row.to_line();
            let expected = Head { run: 17, status: RunStatus::Diverged, attempt: row.attempt };
            assert_eq!(Head::as_written(line.as_bytes()), Some(expected), "{line}");
        }
        let other = b"{\"status\":\"ok\", \"run\": 4}";
        assert_eq!(Head::of(other), Some(Head { run: 4, status: RunStatus::Ok, attempt: 0 }));
        for cut in 0..other.len() {
            assert_eq!(Head::of(&other[..cut]), None);
        }
    }
}
