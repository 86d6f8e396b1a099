//! The text of a variation, `NAME=KIND:ARGUMENTS`.

use std::fmt;
use std::str::FromStr;

use simhost_model::nearest;

use super::distribution::Distribution;
use super::value::VariedValue;
use crate::error::VariationError;

/// Kinds of distributions with their arguments.
const KINDS: [(&str, &str); 10] = [
    ("constant", "V"),
    ("list", "A,B,…"),
    ("range", "FIRST:LAST:COUNT"),
    ("uniform", "LOW:HIGH"),
    ("loguniform", "LOW:HIGH"),
    ("normal", "MEAN:SD"),
    ("truncated", "MEAN:SD:LOW:HIGH"),
    ("choice", "A,B,…"),
    ("lhs", "LOW:HIGH"),
    ("sobol", "LOW:HIGH"),
];

/// A variable and its values, member by member.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// Name, such as `robot/friction/mu`; see [`Differences::new`](crate::Differences::new).
    pub name: String,
    /// Values.
    pub values: Distribution,
}

impl Variation {
    /// Returns a variation with one value for all members.
    pub fn constant(name: impl Into<String>, value: impl Into<VariedValue>) -> Self {
        Self { name: name.into(), values: Distribution::Constant(value.into()) }
    }

    /// Returns a variation with a number for each member.
    pub fn column(name: impl Into<String>, numbers: Vec<f64>) -> Self {
        let values = numbers.into_iter().map(VariedValue::Number).collect();
        Self { name: name.into(), values: Distribution::Column(values) }
    }

    /// Returns a variation with a text as in a world file for each member.
    pub fn texts(name: impl Into<String>, texts: Vec<String>) -> Self {
        let values = texts.into_iter().map(VariedValue::Text).collect();
        Self { name: name.into(), values: Distribution::Column(values) }
    }
}

impl fmt::Display for Variation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.values)
    }
}

impl FromStr for Variation {
    type Err = VariationError;

    /// Reads `NAME=KIND:ARGUMENTS` or `NAME=V`. Spaces around names and values are ignored.
    fn from_str(text: &str) -> Result<Self, VariationError> {
        let Some((name, values)) = text.split_once('=') else {
            let problem = "found no '='; expected NAME=KIND:ARGUMENTS or NAME=V".to_owned();
            return Err(error(text, text.len(), problem));
        };
        if name.trim().is_empty() {
            let problem = "found no name; expected NAME=KIND:ARGUMENTS or NAME=V".to_owned();
            return Err(error(text, 0, problem));
        }
        let values = read(values).map_err(|(at, problem)| {
            let start = name.len() + 1;
            error(text, start + at, problem)
        })?;
        Ok(Self { name: name.trim().to_owned(), values })
    }
}

impl FromStr for Distribution {
    type Err = VariationError;

    /// Reads `KIND:ARGUMENTS` or `V`.
    fn from_str(text: &str) -> Result<Self, VariationError> {
        read(text).map_err(|(at, problem)| error(text, at, problem))
    }
}

/// Returns the error at a byte of a text.
fn error(text: &str, at: usize, problem: String) -> VariationError {
    let column = text[..at].chars().count() + 1;
    VariationError::Syntax { text: text.to_owned(), column, problem }
}

/// A piece of a text, with the position of its first byte.
type Piece<'t> = (usize, &'t str);

/// Reads a distribution.
///
/// # Errors
/// The byte at which the problem is, and the problem.
fn read(text: &str) -> Result<Distribution, (usize, String)> {
    let Some((kind, arguments)) = text.split_once(':') else {
        return Ok(Distribution::Constant(value((0, text))?));
    };
    let start = kind.len() + 1;
    let (at, kind) = trimmed((0, kind));
    let Some((_, form)) = KINDS.iter().find(|(known, _)| *known == kind) else {
        return Err((at, unknown_kind(kind)));
    };
    let (values, words) = (Distribution::Constant, start..text.len());
    let distribution = match kind {
        "constant" => values(value((words.start, arguments))?),
        "list" | "choice" => {
            let items = pieces(start, arguments, ',').map(value).collect::<Result<Vec<_>, _>>()?;
            match kind {
                "list" => Distribution::List(items),
                _ => Distribution::Choice(items),
            }
        }
        _ => numbers(kind, form, start, arguments)?,
    };
    distribution.check().map_err(|(argument, problem)| {
        let separator = if distribution.items().is_empty() { ':' } else { ',' };
        let found = pieces(start, arguments, separator).nth(argument);
        (found.map_or(start, |piece| trimmed(piece).0), problem)
    })?;
    Ok(distribution)
}

/// Reads a distribution whose arguments are numbers.
fn numbers(
    kind: &str,
    form: &str,
    start: usize,
    text: &str,
) -> Result<Distribution, (usize, String)> {
    let words: Vec<Piece<'_>> = pieces(start, text, ':').map(trimmed).collect();
    let expected = form.split(':').count();
    if words.len() != expected {
        let at = words.get(expected).map_or(start + text.len(), |(at, _)| *at);
        let problem = format!(
            "found {} arguments of '{kind}'; expected {expected}: {kind}:{form}",
            words.len()
        );
        return Err((at, problem));
    }
    let mut names = form.split(':');
    let mut read = [0.0; 4];
    for (&(at, word), number) in words.iter().zip(&mut read) {
        let name = names.next().unwrap_or_default();
        if name == "COUNT" {
            break;
        }
        let found = word.parse().ok().filter(|number: &f64| number.is_finite());
        *number =
            found.ok_or_else(|| (at, format!("{name} is '{word}'; expected a finite number")))?;
    }
    let [a, b, c, d] = read;
    Ok(match kind {
        "range" => {
            let (at, word) = words[2];
            let count = word.parse();
            let problem = || format!("COUNT is '{word}'; expected a whole number, at least 1");
            Distribution::Range { first: a, last: b, count: count.map_err(|_| (at, problem()))? }
        }
        "uniform" => Distribution::Uniform { low: a, high: b },
        "loguniform" => Distribution::LogUniform { low: a, high: b },
        "normal" => Distribution::Normal { mean: a, deviation: b },
        "truncated" => Distribution::Truncated { mean: a, deviation: b, low: c, high: d },
        "lhs" => Distribution::LatinHypercube { low: a, high: b },
        _ => Distribution::Sobol { low: a, high: b },
    })
}

/// Returns a value that is not empty.
fn value(piece: Piece<'_>) -> Result<VariedValue, (usize, String)> {
    let (at, word) = trimmed(piece);
    match word.is_empty() {
        true => Err((at, "found an empty value; expected a number or a text".to_owned())),
        false => Ok(VariedValue::from(word)),
    }
}

/// Divides a text that starts at a byte.
fn pieces(start: usize, text: &str, separator: char) -> impl Iterator<Item = Piece<'_>> {
    let mut at = start;
    text.split(separator).map(move |word| {
        let piece = (at, word);
        at += word.len() + 1;
        piece
    })
}

/// Removes spaces around a piece.
fn trimmed((at, word): Piece<'_>) -> Piece<'_> {
    (at + word.len() - word.trim_start().len(), word.trim())
}

fn unknown_kind(kind: &str) -> String {
    let names = KINDS.iter().map(|(name, _)| *name);
    let help = match nearest(kind, names.clone()) {
        Some(nearest) => format!("did you mean '{nearest}'?"),
        None => format!(
            "expected one of: {}; write constant:V for a value with a colon",
            names.collect::<Vec<_>>().join(", ")
        ),
    };
    format!("unknown kind of distribution: '{kind}'; {help}")
}

#[cfg(test)]
mod tests;
