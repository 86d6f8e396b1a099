//! Metrics by expressions over quantities.
//!
//! An expression is one number of a run: reductions of quantities over time, such as `max(abs(car/acceleration[1]))`,
//! joined by arithmetic. Names of quantities contain `/`, so that division and subtraction have spaces around them.
//!
//! | Reduction | Result |
//! |---|---|
//! | `min(x)`, `max(x)`, `mean(x)`, `rms(x)` | of the samples |
//! | `first(x)`, `final(x)` | first and last sample |
//! | `integral(x)` | over time, by trapezoids |
//! | `time_when(c)` | first time at which the condition holds, s |
//! | `overshoot(x)` | part of the step from the first to the last sample by which `x` goes beyond the last one, % |
//! | `rise_time(x)` | time from 10 % to 90 % of this step, s |
//! | `percentile(x, p)` | with linear interpolation, 0 ≤ p ≤ 100 |
//!
//! Samples that are not numbers are left out, except by `final`.

mod parser;
mod reduction;

use simhost_engine::QuantityInfo;

use super::request::Reduction;
use crate::ensemble::Selected;
use parser::{Function, Node, NodeValues, Parser, ReductionUse};
pub use parser::{Problem, QuantityUse};
pub use reduction::Reducing;
use reduction::ReductionKind;

/// An expression over quantities and earlier metrics, which gives one number per run.
#[derive(Clone, Debug)]
pub struct Expression {
    root: Node,
    /// Quantities in the order of their first use.
    quantities: Vec<QuantityUse>,
    /// Reductions of samples, in the order of their first use.
    reductions: Vec<ReductionUse>,
}

impl Expression {
    /// Reads an expression, in which names without `/` refer to `metrics`.
    ///
    /// # Errors
    /// The problem and its column.
    pub fn parse(text: &str, metrics: &[&str]) -> Result<Self, Problem> {
        let mut parser = Parser::new(text, metrics);
        let root = parser.expression()?;
        parser.end()?;
        parser.check_is_number(&root)?;
        let (quantities, reductions) = parser.finish();
        Ok(Self { root, quantities, reductions })
    }

    /// Returns an expression that is not a number.
    pub(super) fn none() -> Self {
        Self { root: Node::Number(f64::NAN), quantities: Vec::new(), reductions: Vec::new() }
    }

    /// Returns the reduction of a value of a quantity.
    pub(super) fn of_value(reduction: Reduction, name: &str, index: Option<usize>) -> Self {
        let value = Node::Quantity(0);
        let (kind, series) = match reduction {
            Reduction::Final => (ReductionKind::Final, value),
            Reduction::Min => (ReductionKind::Min, value),
            Reduction::Max => (ReductionKind::Max, value),
            Reduction::Mean => (ReductionKind::Mean, value),
            Reduction::AbsMax => (ReductionKind::Max, Node::Call(Function::Abs, vec![value])),
        };
        let quantity = QuantityUse { name: name.to_owned(), index, column: 1 };
        let reductions = vec![ReductionUse { kind, series }];
        Self { root: Node::Reduced(0), quantities: vec![quantity], reductions }
    }

    /// Returns the quantities that it uses, in the order of their first use.
    pub fn quantities(&self) -> &[QuantityUse] {
        &self.quantities
    }

    /// Returns its reductions without samples, in the order of their first use.
    pub(super) fn begin(&self) -> impl ExactSizeIterator<Item = Reducing> {
        self.reductions.iter().map(|one| Reducing::new(one.kind))
    }

    /// Adds a sample at `time`, s, to its reductions.
    pub(super) fn add(&self, time: f64, quantities: &[f64], to: &mut [Reducing]) {
        let values = NodeValues { time, quantities, metrics: &[], reduced: &[] };
        for (reducing, one) in to.iter_mut().zip(&self.reductions) {
            reducing.add(time, one.series.value(&values));
        }
    }

    /// Returns what its first reduction samples, at `time`, s; `None` for an expression without one.
    pub fn sample(&self, time: f64, quantities: &[f64]) -> Option<f64> {
        let values = NodeValues { time, quantities, metrics: &[], reduced: &[] };
        self.reductions.first().map(|one| one.series.value(&values))
    }

    /// Returns the value from the results of its reductions and earlier metrics.
    pub(super) fn value(&self, reduced: &[f64], metrics: &[f64]) -> f64 {
        self.root.value(&NodeValues { time: f64::NAN, quantities: &[], metrics, reduced })
    }

    /// Returns the value of an expression over metrics alone.
    pub fn over_metrics(&self, metrics: &[f64]) -> f64 {
        self.value(&[], metrics)
    }

    /// Returns by how much a condition is missed: 0 if it holds, and 1 for a condition that is not a comparison.
    pub fn violation(&self, metrics: &[f64]) -> f64 {
        let values = NodeValues { time: f64::NAN, quantities: &[], metrics, reduced: &[] };
        let difference = match &self.root {
            Node::Call(Function::Less | Function::LessOrEqual, sides) => {
                sides[0].value(&values) - sides[1].value(&values)
            }
            Node::Call(Function::Greater | Function::GreaterOrEqual, sides) => {
                sides[1].value(&values) - sides[0].value(&values)
            }
            _ => f64::from(self.root.value(&values) == 0.0),
        };
        if difference.is_nan() { f64::INFINITY } else { difference.max(0.0) }
    }

    /// Returns the unit, from the units of the quantities and of earlier metrics; empty if it is
    /// not known.
    pub fn unit(&self, quantities: &[String], metrics: &[String]) -> String {
        self.unit_of(&self.root, quantities, metrics).unwrap_or_default()
    }

    /// Returns the unit of a node; `None` for a number, which has the unit of what it is added to. A product has none: a
    /// factor can be a conversion.
    fn unit_of(&self, node: &Node, quantities: &[String], metrics: &[String]) -> Option<String> {
        let of = |node: &Node| self.unit_of(node, quantities, metrics);
        let same = |nodes: &[Node]| {
            let mut units = nodes.iter().filter_map(of);
            let first = units.next()?;
            Some(if units.all(|unit| unit == first) { first } else { String::new() })
        };
        match node {
            Node::Number(_) => None,
            Node::Time => Some("s".to_owned()),
            Node::Quantity(index) => Some(quantities.get(*index).cloned().unwrap_or_default()),
            Node::Metric(index) => Some(metrics.get(*index).cloned().unwrap_or_default()),
            Node::Reduced(index) => {
                let ReductionUse { kind, series } = &self.reductions[*index];
                Some(kind.unit(of(series).unwrap_or_default()))
            }
            Node::Call(function, nodes) => match function {
                Function::Negate
                | Function::Add
                | Function::Subtract
                | Function::Abs
                | Function::Hypot
                | Function::Min
                | Function::Max => same(nodes),
                Function::Atan2 => Some("rad".to_owned()),
                Function::Degrees => Some("deg".to_owned()),
                _ => Some(String::new()),
            },
        }
    }
}

/// The places of the quantities of an expression in a row of a selection.
pub struct QuantityPlaces(Vec<Option<usize>>);

impl QuantityPlaces {
    /// Finds the quantities. A value that the world does not have, because variables have changed the length of an array,
    /// is not a number.
    pub fn new(selected: &Selected, expression: &Expression) -> Self {
        let infos = selected.infos();
        let place = |one: &QuantityUse| {
            let (at, index) =
                (infos.iter().position(|info| info.name == one.name)?, one.index.unwrap_or(0));
            let first: usize = infos[..at].iter().map(QuantityInfo::count).sum();
            (index < infos[at].count()).then_some(first + index)
        };
        Self(expression.quantities().iter().map(place).collect())
    }

    /// Returns the values in a row.
    pub fn values(&self, row: &[f64]) -> impl Iterator<Item = f64> {
        self.0.iter().map(|at| at.map_or(f64::NAN, |at| row[at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the value of an expression for samples of its quantities at 0, 0.1, … s.
    fn value(text: &str, samples: &[&[f64]]) -> f64 {
        let expression = Expression::parse(text, &["peak"]).unwrap();
        let mut all: Vec<Reducing> = expression.begin().collect();
        for (number, quantities) in samples.iter().enumerate() {
            expression.add(number as f64 * 0.1, quantities, &mut all);
        }
        let reduced: Vec<f64> = all.iter().map(Reducing::result).collect();
        expression.value(&reduced, &[5.0])
    }

    const RAMP: [&[f64]; 5] = [&[0.0], &[1.0], &[4.0], &[f64::NAN], &[2.0]];

    #[test]
    fn samples_are_reduced() {
        for (text, expected) in [
            ("max(a/x)", 4.0),
            ("min(a/x)", 0.0),
            ("mean(a/x)", 1.75),
            ("rms(a/x)", (21.0_f64 / 4.0).sqrt()),
            ("first(a/x) + final(a/x)", 2.0),
            // trapezoids 0.05 + 0.25, and 0.2 s from 4 to 2
            ("integral(a/x)", 0.9),
            ("time_when(a/x > 3)", 0.2),
            ("time_when(a/x > 3 or t >= 0.1)", 0.1),
            // the step is from 0 to 2
            ("overshoot(a/x)", 100.0),
            // from 0.2, at 0.02 s, to 1.8, at 0.1 s + 0.8/3 · 0.1 s
            ("rise_time(a/x)", 0.1 + 0.08 / 3.0 - 0.02),
            ("percentile(a/x, 50)", 1.5),
            ("percentile(a/x, 100)", 4.0),
            ("max(abs(a/x - 3))", 3.0),
            ("max(max(min(a/x, 1)), -9)", 1.0),
            ("2 * peak - 1", 9.0),
            ("-peak < 0 and not (peak < 4)", 1.0),
            ("max(peak, 7, 6)", 7.0),
            ("max(deg(a/x * 0))", 0.0),
            ("1 + 2 * 3 - 8 / 4", 5.0),
        ] {
            let found = value(text, &RAMP);
            assert!((found - expected).abs() < 1e-12, "{text}: {found} {expected}");
        }
    }

    #[test]
    fn what_never_happens_is_not_a_number() {
        assert!(value("time_when(a/x > 9)", &RAMP).is_nan());
        assert!(value("max(a/x)", &[&[f64::NAN]]).is_nan());
        assert!(value("final(a/x)", &[&[1.0], &[f64::NAN]]).is_nan());
    }

    #[test]
    fn mistakes_are_named_with_their_column() {
        for (text, column, part) in [
            ("max(a/x", 8, "found the end; expected ')'"),
            ("a/x", 1, "'a/x' is a quantity over time; expected"),
            ("maxx(a/x)", 1, "unknown function 'maxx'; did you mean 'max'?"),
            ("peek + 1", 1, "unknown name 'peek'; did you mean 'peak'?"),
            ("mean(3)", 1, "'mean' has a number; expected a quantity over time"),
            ("max(mean(a/x) - a/x)", 5, "is one number of a run"),
            ("1 + ", 5, "found the end; expected a value"),
            ("percentile(a/x)", 1, "'percentile' has 1 argument; expected 2"),
            ("percentile(a/x, 101)", 17, "from 0 to 100"),
            ("max(a/x[q])", 9, "index 'q'"),
            ("3 4", 3, "found '4'; expected an operator"),
            ("max(a/x) ! 2", 10, "found '!'"),
        ] {
            let (found, problem) = Expression::parse(text, &["peak"]).unwrap_err();
            assert!(problem.contains(part), "{text}: {problem}");
            assert_eq!(found, column, "{text}: {problem}");
        }
        let deep = "(".repeat(10_000);
        assert!(Expression::parse(&deep, &[]).unwrap_err().1.contains("nested"));
    }

    #[test]
    fn units_follow_from_quantities() {
        let unit = |text: &str| {
            let expression = Expression::parse(text, &[]).unwrap();
            expression.unit(&["m/s".to_owned(), "rad".to_owned()], &[])
        };
        for (text, expected) in [
            ("max(a/v) - 1", "m/s"),
            ("integral(a/v)", "m"),
            ("time_when(a/v > 1)", "s"),
            ("3.6 * max(a/v)", ""),
            ("max(a/v) * max(a/v)", ""),
            ("max(a/v) + max(a/angle)", ""),
            ("deg(max(a/v))", "deg"),
            ("2", ""),
        ] {
            assert_eq!(unit(text), expected, "{text}");
        }
    }
}
