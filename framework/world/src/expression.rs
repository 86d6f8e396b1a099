//! Expressions in `$f{…}`: a recursive-descent parser that evaluates while parsing, in double
//! precision.
//!
//! The grammar is the part of MVSim's expression library that world files use: arithmetic,
//! comparisons, logic, `c ? a : b` and functions. Names and words are not case-sensitive. All parts
//! of an expression are evaluated, including the branch that is not taken, so that the number of
//! draws is always the same.

mod draws;
mod format;
mod functions;

use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) use draws::Key;
pub(crate) use format::{exact, six_digits};

/// Maximum nesting of parentheses and signs.
const MAX_DEPTH: usize = 64;
/// Maximum number of arguments of a function.
const MAX_ARGUMENTS: usize = 1000;

/// The names and random draws that an expression can use.
pub(crate) trait Names {
    /// Returns the text of a variable.
    fn variable(&mut self, name: &str) -> Option<String>;
    /// Returns all names, sorted.
    fn known(&mut self) -> Vec<String>;
    /// Returns the key of the next draw.
    fn draw(&mut self) -> Key;
    /// Mixes a seed into all later draws.
    fn randomize(&mut self, seed: f64);
}

/// An error in an expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExpressionError {
    pub message: String,
    /// Bytes of the text that the error refers to, one past the end if something is missing there.
    pub at: Range<usize>,
}

/// Evaluates an expression. Names refer to variables whose text starts with a number.
///
/// # Errors
/// The expression is not valid, or a name is unknown.
pub(crate) fn evaluate(text: &str, names: &mut dyn Names) -> Outcome {
    let mut parser = ExpressionParser { text, rest: text.trim_start(), names, depth: 0 };
    let value = parser.choice()?;
    match parser.rest.chars().next() {
        None => Ok(value),
        Some(character) => Err(parser.unexpected(character)),
    }
}

/// Evaluates an expression of a format that uses the expressions of world files, with the values of its names as texts.
///
/// # Errors
/// The expression is not valid, or a name is unknown. Random numbers are not available.
pub fn evaluate_expression(text: &str, values: &BTreeMap<String, String>) -> Result<f64, String> {
    struct Values<'v>(&'v BTreeMap<String, String>, bool);
    impl Names for Values<'_> {
        fn variable(&mut self, name: &str) -> Option<String> {
            self.0.get(name).cloned()
        }
        fn known(&mut self) -> Vec<String> {
            self.0.keys().cloned().collect()
        }
        fn draw(&mut self) -> Key {
            self.1 = true;
            Key::default()
        }
        fn randomize(&mut self, _: f64) {
            self.1 = true;
        }
    }
    let mut names = Values(values, false);
    let value = evaluate(text, &mut names).map_err(|error| error.message)?;
    match names.1 {
        true => Err("random numbers are not available here".to_owned()),
        false => Ok(value),
    }
}

struct ExpressionParser<'a> {
    text: &'a str,
    /// The part that has not been parsed.
    rest: &'a str,
    names: &'a mut dyn Names,
    depth: usize,
}

type Outcome = Result<f64, ExpressionError>;

impl<'a> ExpressionParser<'a> {
    /// Returns the number of bytes parsed so far.
    fn place(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    /// Returns an error at the next `length` bytes.
    fn error(&self, message: impl Into<String>, length: usize) -> ExpressionError {
        let start = self.place();
        ExpressionError { message: message.into(), at: start..start + length }
    }

    fn unexpected(&self, character: char) -> ExpressionError {
        let message = format!("unexpected `{character}` in the expression");
        self.error(message, character.len_utf8())
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest[bytes..].trim_start();
    }

    /// Parses the first of the operators that the rest starts with.
    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        let found = operators.iter().find(|operator| {
            let Some(start) = self.rest.get(..operator.len()) else { return false };
            let after = &self.rest[operator.len()..];
            // a word operator must not be followed by a letter
            start.eq_ignore_ascii_case(operator)
                && !(operator.starts_with(char::is_alphabetic) && after.starts_with(is_word))
        })?;
        self.skip(found.len());
        Some(found)
    }

    fn enter(&mut self) -> Result<(), ExpressionError> {
        self.depth += 1;
        match self.depth > MAX_DEPTH {
            true => Err(self.error("the expression is nested too deeply", 1)),
            false => Ok(()),
        }
    }

    fn choice(&mut self) -> Outcome {
        self.enter()?;
        let mut value = self.or()?;
        if self.operator(&["?"]).is_some() {
            let yes = self.choice()?;
            self.expect(':')?;
            let no = self.choice()?;
            value = if value != 0.0 { yes } else { no };
        }
        self.depth -= 1;
        Ok(value)
    }

    fn or(&mut self) -> Outcome {
        let mut left = self.and()?;
        while let Some(operator) = self.operator(&["or", "xor", "nor", "xnor", "||", "|"]) {
            let (a, b) = (left != 0.0, self.and()? != 0.0);
            left = truth(match operator {
                "xor" => a != b,
                "xnor" => a == b,
                "nor" => !(a || b),
                _ => a || b,
            });
        }
        Ok(left)
    }

    fn and(&mut self) -> Outcome {
        let mut left = self.comparison()?;
        while let Some(operator) = self.operator(&["and", "nand", "&&", "&"]) {
            let (a, b) = (left != 0.0, self.comparison()? != 0.0);
            let both = a && b;
            left = truth(both != (operator == "nand"));
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Outcome {
        let mut left = self.sum()?;
        while let Some(operator) = self.operator(&["<=", ">=", "==", "!=", "<>", "<", ">", "="]) {
            let right = self.sum()?;
            left = truth(match operator {
                "<=" => left <= right,
                ">=" => left >= right,
                "==" | "=" => left == right,
                "<" => left < right,
                ">" => left > right,
                _ => left != right,
            });
        }
        Ok(left)
    }

    fn sum(&mut self) -> Outcome {
        let mut left = self.product()?;
        while let Some(operator) = self.operator(&["+", "-"]) {
            let right = self.product()?;
            left = if operator == "+" { left + right } else { left - right };
        }
        Ok(left)
    }

    fn product(&mut self) -> Outcome {
        let mut left = self.sign()?;
        while let Some(operator) = self.operator(&["*", "/", "%"]) {
            let right = self.sign()?;
            left = match operator {
                "*" => left * right,
                "/" => left / right,
                _ => libm::fmod(left, right),
            };
        }
        Ok(left)
    }

    fn sign(&mut self) -> Outcome {
        self.enter()?;
        let value = match self.operator(&["-", "+", "not"]) {
            Some("-") => -self.sign()?,
            Some("+") => self.sign()?,
            Some(_) => truth(self.sign()? == 0.0),
            None => self.power()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    /// Parses a power, which binds more tightly than a preceding sign and associates to the right.
    fn power(&mut self) -> Outcome {
        let base = self.atom()?;
        match self.operator(&["^"]) {
            Some(_) => Ok(libm::pow(base, self.sign()?)),
            None => Ok(base),
        }
    }

    fn atom(&mut self) -> Outcome {
        match self.rest.chars().next() {
            Some('(') => {
                self.skip(1);
                let value = self.choice()?;
                self.expect(')')?;
                Ok(value)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            Some(c) => Err(self.unexpected(c)),
            None => Err(self.error("unexpected end of the expression", 1)),
        }
    }

    fn expect(&mut self, character: char) -> Result<(), ExpressionError> {
        if self.rest.starts_with(character) {
            self.skip(character.len_utf8());
            return Ok(());
        }
        Err(self.error(format!("expected `{character}` in the expression"), 1))
    }

    /// Parses a number. A name or a parenthesis directly after it is multiplied, as in `2pi`.
    fn number(&mut self) -> Outcome {
        let (value, length) = leading_number(self.rest).ok_or_else(|| {
            let word = first_word(self.rest);
            self.error(format!("`{word}` is not a number"), word.len().max(1))
        })?;
        let tight = self.rest[length..].starts_with(|c: char| is_word(c) || c == '(');
        self.skip(length);
        match tight {
            true => Ok(value * self.power()?),
            false => Ok(value),
        }
    }

    fn name(&mut self) -> Outcome {
        let name: &'a str = first_word(self.rest);
        let at = self.place()..self.place() + name.len();
        let wrong = |message| ExpressionError { message, at };
        self.skip(name.len());
        if !self.rest.starts_with('(') {
            return self.variable(name).map_err(wrong);
        }
        self.skip(1);
        let mut arguments = Vec::new();
        while !self.rest.starts_with(')') {
            if !arguments.is_empty() {
                self.expect(',')?;
            }
            if arguments.len() >= MAX_ARGUMENTS {
                return Err(wrong(format!("`{name}` takes at most {MAX_ARGUMENTS} arguments")));
            }
            arguments.push(self.choice()?);
        }
        self.expect(')')?;
        functions::call(name, &arguments, self.names).map_err(wrong)
    }

    fn variable(&mut self, name: &str) -> Result<f64, String> {
        if let Some(text) = self.names.variable(name) {
            let number = leading_number(text.trim_start()).map(|(number, _)| number);
            return number
                .ok_or_else(|| format!("the variable `{name}` is not a number: `{text}`"));
        }
        match name.to_ascii_lowercase().as_str() {
            "pi" | "m_pi" => Ok(std::f64::consts::PI),
            "epsilon" => Ok(1e-10),
            "inf" => Ok(f64::INFINITY),
            "true" => Ok(1.0),
            "false" => Ok(0.0),
            _ => {
                let known = self.names.known();
                let hint = simhost_model::nearest(name, known.iter().map(String::as_str))
                    .map_or(String::new(), |known| format!("; did you mean `{known}`?"));
                Err(format!("unknown name `{name}` in the expression{hint}"))
            }
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the letters, digits and underscores at the start of a text.
fn first_word(text: &str) -> &str {
    &text[..text.find(|c: char| !is_word(c)).unwrap_or(text.len())]
}

/// Returns the number at the start of a text and its length.
fn leading_number(text: &str) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    let signed = |at: usize| at + usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let mut end = digits(signed(0));
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let start = signed(end + 1);
        let exponent = digits(start);
        if exponent > start {
            end = exponent;
        }
    }
    Some((text[..end].parse().ok()?, end))
}

fn truth(value: bool) -> f64 {
    f64::from(u8::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Table(u64);

    impl Names for Table {
        fn variable(&mut self, name: &str) -> Option<String> {
            let table = [("W", "2.5"), ("long", "7 m"), ("word", "x")];
            table.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned())
        }
        fn known(&mut self) -> Vec<String> {
            vec!["W".to_owned(), "word".to_owned()]
        }
        fn draw(&mut self) -> Key {
            self.0 += 1;
            Key(1).with(self.0)
        }
        fn randomize(&mut self, seed: f64) {
            self.0 ^= seed.to_bits();
        }
    }

    fn value(text: &str) -> Result<f64, String> {
        evaluate(text, &mut Table(0)).map_err(|error| error.message)
    }

    #[test]
    fn arithmetic_follows_the_usual_precedence() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("-2^2", -4.0),
            ("2^3^2", 512.0),
            ("(1+2)*W", 7.5),
            ("long - 2", 5.0),
            ("7 % 4 - -1", 4.0),
            ("(60.0/600)/55.296e-6", 60.0 / 600.0 / 55.296e-6),
            ("if(3<=3 or 7>=6, 1, 0)", 1.0),
            ("IF(1 AND 0, 1, 2)", 2.0),
            ("1 > 2 ? 3 : 4 > 3 ? 5 : 6", 5.0),
            ("2pi - 2*PI + 3(1+1)", 6.0),
            ("max(1, 5, 3) + min(2,1)", 6.0),
            ("1234567 + 0.25", 1_234_567.25),
            ("not (1 == 1)", 0.0),
            ("deg2rad(180) - M_PI", 0.0),
            ("1 nand 1", 0.0),
            ("1 & 0 | 1", 1.0),
            ("0 xnor 0", 1.0),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn functions_are_those_of_mvsim() {
        for (text, expected) in [
            ("clamp(1, 7, 3)", 3.0),
            ("iclamp(1, 1.9, 3)", 1.0),
            ("inrange(1, 2, 3)", 1.0),
            ("roundn(2.71828, 2)", 2.72),
            ("root(27, 3) - 3", 0.0),
            ("logn(8, 2)", 3.0),
            ("avg(1, 2, 6)", 3.0),
            ("mul(2, 3, 4)", 24.0),
            ("frac(2.75)", 0.75),
            ("sgn(-3)", -1.0),
            ("mod(7, 4)", 3.0),
            ("atan2(0, 1)", 0.0),
            ("sinc(0)", 1.0),
            ("ncdf(0)", 0.5),
            ("mand(1, 1, 0) + mor(0, 1)", 1.0),
            ("rad2deg(pi) - grad2deg(200)", 0.0),
            ("not_equal(1, 2)", 1.0),
            ("acosh(1) + atanh(0) + erf(0) + expm1(0) + log1p(0)", 0.0),
        ] {
            assert!(value(text).is_ok_and(|v| (v - expected).abs() < 1e-12), "{text}: {expected}");
        }
    }

    #[test]
    fn invalid_expressions_are_rejected() {
        assert!(value("1 +").is_err_and(|e| e.contains("unexpected end")));
        assert!(value("w2").is_err_and(|e| e.contains("did you mean `W`")));
        assert!(value("word").is_err_and(|e| e.contains("is not a number: `x`")));
        assert!(value("sqrt(1,2)").is_err_and(|e| e.contains("takes 1")));
        assert!(value("rand(1)").is_err_and(|e| e.contains("takes 0")));
        assert!(value("nothing(1)").is_err_and(|e| e.contains("unknown function")));
        assert!(value("1 2").is_err_and(|e| e.contains("unexpected `2`")));
        assert!(value("1.2.3").is_err_and(|e| e.contains("unexpected `.`")));
        assert!(value("1 ? 2").is_err_and(|e| e.contains("expected `:`")));
        for deep in ["(", "-", "1?", "2^", "2(", "not "] {
            assert!(value(&deep.repeat(10_000)).is_err_and(|e| e.contains("too deeply")), "{deep}");
        }
    }

    #[test]
    fn errors_have_a_position() {
        for (text, wrong) in [
            ("1 + Q * 2", "Q"),
            ("2 * nothing(1)", "nothing"),
            ("sqrt(1, 2) + 1", "sqrt"),
            (" 1 2 ", "2"),
            ("(1 + 2] * 3", "]"),
            ("3 * é", "é"),
        ] {
            let error = evaluate(text, &mut Table(0)).expect_err("each is invalid");
            assert_eq!(&text[error.at], wrong, "{text}");
        }
        assert_eq!(evaluate("1 +", &mut Table(0)).expect_err("it is incomplete").at, 3..4);
    }

    #[test]
    fn draws_of_an_expression_differ_and_repeat() {
        assert_eq!(value("rand() + randn()"), value("rand() + randn()"));
        assert_ne!(value("rand() - rand()"), Ok(0.0));
        assert!(value("unifrnd(3,4)").is_ok_and(|v| (3.0..4.0).contains(&v)));
        assert_ne!(value("randomize(3) + rand()"), value("rand()"));
    }
}
