//! The text of an expression.

mod calls;

use simhost_model::nearest;
use simhost_sdk::math;

use super::reduction::ReductionKind;

/// Deepest nesting of parentheses and operators.
const MAX_DEPTH: usize = 64;

/// Operators from the loosest to the tightest.
const OPERATORS: [&[(&str, Function)]; 5] = [
    &[("or", Function::Or)],
    &[("and", Function::And)],
    &[
        ("<=", Function::LessOrEqual),
        (">=", Function::GreaterOrEqual),
        ("<", Function::Less),
        (">", Function::Greater),
    ],
    &[("+", Function::Add), ("-", Function::Subtract)],
    &[("*", Function::Multiply), ("/", Function::Divide)],
];

/// Reads the text of an expression.
pub struct Parser<'t> {
    text: &'t str,
    metrics: &'t [&'t str],
    /// Byte at which the rest begins.
    at: usize,
    depth: usize,
    quantities: Vec<QuantityUse>,
    reductions: Vec<ReductionUse>,
}

impl<'t> Parser<'t> {
    /// Begins at the start of a text, in which names without `/` refer to `metrics`.
    pub fn new(text: &'t str, metrics: &'t [&'t str]) -> Self {
        let (quantities, reductions) = (Vec::new(), Vec::new());
        Self { text, metrics, at: 0, depth: 0, quantities, reductions }
    }

    /// Returns what the expression uses.
    pub fn finish(self) -> (Vec<QuantityUse>, Vec<ReductionUse>) {
        (self.quantities, self.reductions)
    }

    /// Reads a whole expression.
    pub fn expression(&mut self) -> Result<Node, Problem> {
        self.binary(0)
    }

    /// Checks that nothing follows.
    pub fn end(&mut self) -> Result<(), Problem> {
        match self.rest().is_empty() {
            true => Ok(()),
            false => {
                let found = self.found();
                Err(self.wrong(self.at, format!("found {found}; expected an operator")))
            }
        }
    }

    /// Checks that an expression is one number of a run.
    pub fn check_is_number(&self, node: &Node) -> Result<(), Problem> {
        match self.series_in(node) {
            Some(name) => {
                let text = format!(
                    "'{name}' is a quantity over time; expected one number of a run, such as max({name})"
                );
                let column = self.quantities.iter().find(|one| one.name == name);
                Err((column.map_or(1, |one| one.column), text))
            }
            None => Ok(()),
        }
    }

    fn rest(&mut self) -> &'t str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn found(&mut self) -> String {
        self.rest().chars().next().map_or_else(|| "the end".to_owned(), |one| format!("'{one}'"))
    }

    fn wrong(&self, at: usize, problem: impl Into<String>) -> Problem {
        (self.text[..at].chars().count() + 1, problem.into())
    }

    /// Takes a symbol or a word, if it comes next.
    fn take(&mut self, symbol: &str) -> bool {
        let Some(rest) = self.rest().strip_prefix(symbol) else { return false };
        let is_word = symbol.starts_with(|one: char| one.is_ascii_alphabetic());
        if is_word && rest.starts_with(is_of_name) {
            return false;
        }
        self.at = self.text.len() - rest.len();
        true
    }

    /// Goes one level deeper for the time of a call.
    fn deeper<R>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<R, Problem>,
    ) -> Result<R, Problem> {
        if self.depth == MAX_DEPTH {
            return Err(self.wrong(self.at, format!("nested more than {MAX_DEPTH} times")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn binary(&mut self, level: usize) -> Result<Node, Problem> {
        let Some(operators) = OPERATORS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some((_, function)) = operators.iter().find(|(symbol, _)| self.take(symbol)) {
            let right = self.binary(level + 1)?;
            left = Node::Call(*function, vec![left, right]);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Node, Problem> {
        for (symbol, function) in [("-", Function::Negate), ("not", Function::Not)] {
            if self.take(symbol) {
                let node = self.deeper(Self::unary)?;
                return Ok(Node::Call(function, vec![node]));
            }
        }
        self.value()
    }

    fn value(&mut self) -> Result<Node, Problem> {
        let (rest, at) = (self.rest(), self.at);
        if self.take("(") {
            let node = self.deeper(Self::expression)?;
            self.expect(")")?;
            return Ok(node);
        }
        match rest.chars().next() {
            Some(one) if one.is_ascii_digit() || one == '.' => self.number(rest),
            Some(one) if one.is_alphabetic() || one == '_' => {
                let end = rest.find(|one| !is_of_name(one)).unwrap_or(rest.len());
                self.at += end;
                self.named(&rest[..end], at)
            }
            _ => {
                let found = self.found();
                Err(self.wrong(at, format!("found {found}; expected a value")))
            }
        }
    }

    fn expect(&mut self, symbol: &str) -> Result<(), Problem> {
        match self.take(symbol) {
            true => Ok(()),
            false => {
                let found = self.found();
                Err(self.wrong(self.at, format!("found {found}; expected '{symbol}'")))
            }
        }
    }

    fn number(&mut self, rest: &str) -> Result<Node, Problem> {
        let bytes = rest.as_bytes();
        let is_exponent = |at: usize| at > 0 && matches!(bytes[at - 1], b'e' | b'E');
        let is_of = |(at, one): (usize, char)| {
            one.is_ascii_alphanumeric()
                || one == '.'
                || (matches!(one, '+' | '-') && is_exponent(at))
        };
        let end = rest.char_indices().find(|one| !is_of(*one)).map_or(rest.len(), |(at, _)| at);
        match rest[..end].parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.at += end;
                Ok(Node::Number(number))
            }
            _ => Err(self.wrong(self.at, format!("'{}' is not a number", &rest[..end]))),
        }
    }

    /// Reads what begins with a name: a call, a quantity, a metric or the time.
    fn named(&mut self, name: &str, at: usize) -> Result<Node, Problem> {
        if self.take("(") {
            let arguments = self.deeper(Self::arguments)?;
            return self.call(name, arguments, at);
        }
        if name.contains('/') {
            return self.quantity(name, at);
        }
        if name == "t" {
            return Ok(Node::Time);
        }
        let metric = self.metrics.iter().position(|known| *known == name);
        metric.map(Node::Metric).ok_or_else(|| {
            let help = nearest(name, self.metrics.iter().copied()).map_or_else(
                || "expected a quantity with '/', or a metric above".to_owned(),
                |nearest| format!("did you mean '{nearest}'?"),
            );
            self.wrong(at, format!("unknown name '{name}'; {help}"))
        })
    }

    fn arguments(&mut self) -> Result<Vec<(Node, usize)>, Problem> {
        let mut all = Vec::new();
        loop {
            self.rest();
            let at = self.at;
            all.push((self.expression()?, at));
            if !self.take(",") {
                self.expect(")")?;
                return Ok(all);
            }
        }
    }

    fn quantity(&mut self, name: &str, at: usize) -> Result<Node, Problem> {
        let mut index = None;
        if self.text[self.at..].starts_with('[') {
            let start = self.at + 1;
            let end = self.text[start..].find(']').map_or(self.text.len(), |end| start + end);
            let text = &self.text[start..end];
            let parsed = text.trim().parse().map_err(|_| {
                self.wrong(
                    start,
                    format!("found the index '{text}'; expected a whole number from 0"),
                )
            });
            index = Some(parsed?);
            self.at = (end + 1).min(self.text.len());
        }
        let known = self.quantities.iter().position(|one| one.name == name && one.index == index);
        Ok(Node::Quantity(known.unwrap_or_else(|| {
            let column = self.wrong(at, "").0;
            self.quantities.push(QuantityUse { name: name.to_owned(), index, column });
            self.quantities.len() - 1
        })))
    }

    /// Returns the name of a quantity over time in a node, if there is one outside of reductions.
    fn series_in(&self, node: &Node) -> Option<&str> {
        match node {
            Node::Quantity(index) => Some(&self.quantities[*index].name),
            Node::Time => Some("t"),
            Node::Call(_, nodes) => nodes.iter().find_map(|node| self.series_in(node)),
            _ => None,
        }
    }
}

fn is_of_name(one: char) -> bool {
    one.is_alphanumeric() || matches!(one, '_' | '/' | '.' | '-' | ':')
}

/// Problem of an expression, with the column at which it is, counted from 1.
pub type Problem = (usize, String);

/// A quantity that an expression uses.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantityUse {
    /// Name of the quantity.
    pub name: String,
    /// Index of the value of an array.
    pub index: Option<usize>,
    /// Column in the text, counted from 1.
    pub column: usize,
}

/// A reduction of samples to one number.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReductionUse {
    pub kind: ReductionKind,
    /// What is sampled.
    pub series: Node,
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Number(f64),
    /// Simulated time.
    Time,
    /// Quantity by its index in the expression.
    Quantity(usize),
    /// Earlier metric by its index.
    Metric(usize),
    /// Reduction by its index in the expression.
    Reduced(usize),
    Call(Function, Vec<Node>),
}

/// A function of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Negate,
    Not,
    Add,
    Subtract,
    Multiply,
    Divide,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    And,
    Or,
    Abs,
    Sqrt,
    Sin,
    Cos,
    Atan2,
    Hypot,
    Min,
    Max,
    Degrees,
}

/// NodeValues that the nodes of an expression stand for.
pub(super) struct NodeValues<'v> {
    /// Simulated time, s.
    pub time: f64,
    /// NodeValues of the quantities.
    pub quantities: &'v [f64],
    /// NodeValues of earlier metrics.
    pub metrics: &'v [f64],
    /// Results of the reductions.
    pub reduced: &'v [f64],
}

impl Node {
    /// Returns the value.
    pub fn value(&self, values: &NodeValues<'_>) -> f64 {
        let at = |list: &[f64], index: usize| list.get(index).copied().unwrap_or(f64::NAN);
        match self {
            Self::Number(number) => *number,
            Self::Time => values.time,
            Self::Quantity(index) => at(values.quantities, *index),
            Self::Metric(index) => at(values.metrics, *index),
            Self::Reduced(index) => at(values.reduced, *index),
            Self::Call(function, nodes) => match &nodes[..] {
                [one] => function.of_one(one.value(values)),
                [one, other] => function.of_two(one.value(values), other.value(values)),
                more => {
                    let of_two = |one, other: &Self| function.of_two(one, other.value(values));
                    more[1..].iter().fold(more[0].value(values), of_two)
                }
            },
        }
    }
}

impl Function {
    fn of_one(self, x: f64) -> f64 {
        match self {
            Self::Negate => -x,
            Self::Not if x.is_nan() => x,
            Self::Not => f64::from(x == 0.0),
            Self::Abs => x.abs(),
            Self::Sqrt => x.sqrt(),
            Self::Sin => math::sin(x),
            Self::Cos => math::cos(x),
            Self::Degrees => x.to_degrees(),
            _ => f64::NAN,
        }
    }

    fn of_two(self, x: f64, y: f64) -> f64 {
        // a comparison with what is not a number is not a number, so that it does not count
        let truth =
            |truth: bool| if x.is_nan() || y.is_nan() { f64::NAN } else { f64::from(truth) };
        match self {
            Self::Add => x + y,
            Self::Subtract => x - y,
            Self::Multiply => x * y,
            Self::Divide => x / y,
            Self::Less => truth(x < y),
            Self::LessOrEqual => truth(x <= y),
            Self::Greater => truth(x > y),
            Self::GreaterOrEqual => truth(x >= y),
            Self::And => truth(x != 0.0 && y != 0.0),
            Self::Or => truth(x != 0.0 || y != 0.0),
            Self::Atan2 => math::atan2(x, y),
            Self::Hypot => (x * x + y * y).sqrt(),
            Self::Min => x.min(y),
            Self::Max => x.max(y),
            _ => f64::NAN,
        }
    }
}
