//! The text of a variation, `NAME=KIND:ARGUMENTS`.

use std::fmt;
use std::str::FromStr;

use simhost_model::nearest;

use super::distribution::{Distribution, VariedValue};
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
mod tests {
    use super::*;

    #[test]
    fn texts_read_back() {
        for text in [
            "robot/friction/mu=constant:0.8",
            "robot/pose=list:1 2 0.5,3 4 0",
            "mu=range:0.6:1.5:20",
            "mu=uniform:0.3:1",
            "mu=loguniform:0.001:10",
            "mu=normal:-1.5:0.25",
            "mu=truncated:1:0.5:0:2",
            "seed=choice:1,18446744073709551615",
            "mu=lhs:-1:1",
            "mu=sobol:0:1",
        ] {
            let variation: Variation = text.parse().unwrap();
            assert_eq!(variation.to_string(), text);
            assert_eq!(variation.values.to_string().parse(), Ok(variation.values));
        }
        let bare: Variation = " mu = 0.8 ".parse().unwrap();
        assert_eq!(bare, Variation::constant("mu", "0.8"));
        let spaced: Variation = "mu= uniform : 1e-1 : 2".parse().unwrap();
        assert_eq!(spaced.to_string(), "mu=uniform:0.1:2");
        let given = Variation::column("mu", vec![0.1 + 0.2, 5e-324]);
        let read: Variation = given.to_string().parse().unwrap();
        let numbers: Vec<_> = read.values.items().iter().map(VariedValue::numbers).collect();
        assert_eq!(numbers, [Some(vec![0.1 + 0.2]), Some(vec![5e-324])]);
    }

    #[test]
    fn errors_name_position_and_expectation() {
        for (text, column, part) in [
            ("mu", 3, "found no '='"),
            ("=1", 1, "found no name"),
            ("mu=", 4, "found an empty value"),
            ("mu=unifrom:0:1", 4, "'unifrom'; did you mean 'uniform'?"),
            ("mu=xyz:0:1", 4, "expected one of: constant, list"),
            ("mu=uniform:0", 13, "found 1 arguments of 'uniform'; expected 2: uniform:LOW:HIGH"),
            ("mu=uniform:0:1:2", 16, "found 3 arguments"),
            ("mu=uniform:a:1", 12, "LOW is 'a'; expected a finite number"),
            ("mü=uniform:0:inf", 14, "HIGH is 'inf'; expected a finite number"),
            ("mu=uniform:1:1", 14, "HIGH is 1; expected more than LOW, 1"),
            ("mu=uniform:-1e308:1e308", 19, "is not finite"),
            ("mu=loguniform:0:1", 15, "LOW is 0; expected a positive number"),
            ("mu=normal:0:0", 13, "SD is 0; expected a positive number"),
            ("mu=truncated:0:1:2:1", 20, "HIGH is 1; expected more than LOW, 2"),
            ("mu=truncated:0:1:40:41", 18, "almost no probability"),
            ("mu=range:0:1:0", 14, "COUNT is 0; expected at least 1"),
            ("mu=range:0:1:1.5", 14, "COUNT is '1.5'; expected a whole number"),
            ("mu=list:1,,2", 11, "found an empty value"),
            ("mu=choice:", 11, "found an empty value"),
        ] {
            let error = text.parse::<Variation>().unwrap_err();
            let VariationError::Syntax { column: found, ref problem, .. } = error else {
                panic!("{error}")
            };
            assert!(found == column && problem.contains(part), "{text}: {found}: {problem}");
            assert!(error.to_string().contains(&format!("column {column}: ")), "{error}");
        }
    }
}
