//! The parts of an expression, and their values.

use simhost_sdk::math;

use super::reduction::ReductionKind;

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
pub struct ReductionUse {
    pub kind: ReductionKind,
    /// What is sampled.
    pub series: Node,
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
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
pub enum Function {
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
pub struct NodeValues<'v> {
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
