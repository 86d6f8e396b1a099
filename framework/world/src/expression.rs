//! Arithmetic in `$f{…}`: a recursive-descent parser that evaluates as it goes, at full precision.

mod functions;

use std::collections::HashMap;

/// Deepest nesting of brackets and signs.
const MAX_DEPTH: usize = 64;

/// Uniform random numbers for `rand()` and its kin: SplitMix64, the same on every machine.
#[derive(Clone, Debug)]
pub(crate) struct Draws(pub u64);

impl Draws {
    /// A number in `0..1`.
    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number from the normal distribution N(0, 1), after Box and Muller.
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.uniform()));
        radius * libm::cos(2.0 * std::f64::consts::PI * self.uniform())
    }
}

/// The value of an expression; names in it are variables whose text is a number.
///
/// # Errors
/// A sentence that says what is wrong.
pub(crate) fn evaluate(
    text: &str,
    variables: &HashMap<String, String>,
    draws: &mut Draws,
) -> Result<f64, String> {
    let mut parser = Parser { rest: text.trim_start(), variables, draws, depth: 0 };
    let value = parser.or()?;
    match parser.rest.chars().next() {
        None => Ok(value),
        Some(character) => Err(format!("unexpected `{character}` in the expression")),
    }
}

struct Parser<'a> {
    rest: &'a str,
    variables: &'a HashMap<String, String>,
    draws: &'a mut Draws,
    depth: usize,
}

type Outcome = Result<f64, String>;

impl<'a> Parser<'a> {
    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest[bytes..].trim_start();
    }

    /// The first of these operators that comes next, taken.
    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        let found = operators.iter().find(|operator| match self.rest.strip_prefix(**operator) {
            // a word ends where a letter does not follow
            Some(after) if operator.starts_with(char::is_alphabetic) => {
                !after.starts_with(|c: char| c.is_alphanumeric() || c == '_')
            }
            found => found.is_some(),
        })?;
        self.skip(found.len());
        Some(found)
    }

    fn or(&mut self) -> Outcome {
        let mut left = self.and()?;
        while let Some(operator) = self.operator(&["or", "xor"]) {
            let (a, b) = (left != 0.0, self.and()? != 0.0);
            left = truth(if operator == "or" { a || b } else { a != b });
        }
        Ok(left)
    }

    fn and(&mut self) -> Outcome {
        let mut left = self.comparison()?;
        while self.operator(&["and"]).is_some() {
            let right = self.comparison()?;
            left = truth(left != 0.0 && right != 0.0);
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
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the expression is nested too deeply".to_owned());
        }
        let value = match self.operator(&["-", "+", "not"]) {
            Some("-") => -self.sign()?,
            Some("+") => self.sign()?,
            Some(_) => truth(self.sign()? == 0.0),
            None => self.power()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    /// Binds tighter than a sign before it, and to the right.
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
                let value = self.or()?;
                self.expect(')')?;
                Ok(value)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            Some(c) => Err(format!("unexpected `{c}` in the expression")),
            None => Err("the expression ends too early".to_owned()),
        }
    }

    fn expect(&mut self, character: char) -> Result<(), String> {
        if self.rest.starts_with(character) {
            self.skip(character.len_utf8());
            return Ok(());
        }
        Err(format!("`{character}` is missing in the expression"))
    }

    fn number(&mut self) -> Outcome {
        let bytes = self.rest.as_bytes();
        let digits = |mut at: usize| {
            while bytes.get(at).is_some_and(|b| b.is_ascii_digit() || *b == b'.') {
                at += 1;
            }
            at
        };
        let mut end = digits(0);
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let signed = matches!(bytes.get(end + 1), Some(b'+' | b'-'));
            let exponent = digits(end + 1 + usize::from(signed));
            if exponent > end + 1 + usize::from(signed) {
                end = exponent;
            }
        }
        let text = &self.rest[..end];
        let value = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
        self.skip(end);
        Ok(value)
    }

    fn name(&mut self) -> Outcome {
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let name = &self.rest[..end.unwrap_or(self.rest.len())];
        self.skip(name.len());
        if !self.rest.starts_with('(') {
            return self.variable(name);
        }
        self.skip(1);
        let mut arguments = Vec::new();
        while !self.rest.starts_with(')') {
            if !arguments.is_empty() {
                self.expect(',')?;
            }
            arguments.push(self.or()?);
        }
        self.expect(')')?;
        functions::call(name, &arguments, self.draws)
    }

    fn variable(&self, name: &str) -> Outcome {
        if let Some(text) = self.variables.get(name) {
            let value = text.trim().parse();
            return value.map_err(|_| format!("the variable `{name}` is no number: `{text}`"));
        }
        match name {
            "pi" | "M_PI" => Ok(std::f64::consts::PI),
            "true" => Ok(1.0),
            "false" => Ok(0.0),
            _ => {
                let known = self.variables.keys().map(String::as_str);
                let hint = crate::diagnostics::nearest(name, known)
                    .map_or(String::new(), |known| format!("; did you mean `{known}`?"));
                Err(format!("unknown name `{name}` in the expression{hint}"))
            }
        }
    }
}

fn truth(value: bool) -> f64 {
    f64::from(u8::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, String> {
        let variables = HashMap::from([("W".to_owned(), "2.5".to_owned())]);
        evaluate(text, &variables, &mut Draws(1))
    }

    #[test]
    fn arithmetic_follows_the_usual_rules() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("-2^2", -4.0),
            ("2^3^2", 512.0),
            ("(1+2)*W", 7.5),
            ("7 % 4 - -1", 4.0),
            ("(60.0/600)/55.296e-6", 60.0 / 600.0 / 55.296e-6),
            ("if(3<=3 or 7>=6, 1, 0)", 1.0),
            ("max(1, 5, 3) + min(2,1)", 6.0),
            ("1234567 + 0.25", 1_234_567.25),
            ("not (1 == 1)", 0.0),
            ("deg2rad(180) - M_PI", 0.0),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        assert!(value("1 +").is_err_and(|e| e.contains("ends too early")));
        assert!(value("w").is_err_and(|e| e.contains("did you mean `W`")));
        assert!(value("sqrt(1,2)").is_err_and(|e| e.contains("takes 1")));
        assert!(value("1 2").is_err_and(|e| e.contains("unexpected `2`")));
        assert!(value(&"(".repeat(10_000)).is_err_and(|e| e.contains("too deeply")));
    }

    #[test]
    fn random_numbers_repeat() {
        assert_eq!(value("rand() + randn()"), value("rand() + randn()"));
        assert!(value("unifrnd(3,4)").is_ok_and(|v| (3.0..4.0).contains(&v)));
    }
}
