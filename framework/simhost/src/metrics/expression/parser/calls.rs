//! Functions and reductions.

use simhost_model::nearest;

use super::super::reduction::ReductionKind;
use super::{Function, Node, Parser, Problem, ReductionUse};

/// Functions with their numbers of arguments.
const FUNCTIONS: [(&str, Function, std::ops::RangeInclusive<usize>); 9] = [
    ("abs", Function::Abs, 1..=1),
    ("sqrt", Function::Sqrt, 1..=1),
    ("sin", Function::Sin, 1..=1),
    ("cos", Function::Cos, 1..=1),
    ("deg", Function::Degrees, 1..=1),
    ("atan2", Function::Atan2, 2..=2),
    ("hypot", Function::Hypot, 2..=2),
    ("min", Function::Min, 2..=64),
    ("max", Function::Max, 2..=64),
];

/// Reductions. `min` and `max` with several arguments are functions.
const REDUCTIONS: [(&str, ReductionKind); 11] = [
    ("min", ReductionKind::Min),
    ("max", ReductionKind::Max),
    ("mean", ReductionKind::Mean),
    ("rms", ReductionKind::Rms),
    ("first", ReductionKind::First),
    ("final", ReductionKind::Final),
    ("integral", ReductionKind::Integral),
    ("time_when", ReductionKind::TimeWhen),
    ("overshoot", ReductionKind::Overshoot),
    ("rise_time", ReductionKind::RiseTime),
    ("percentile", ReductionKind::Percentile(0.0)),
];

impl Parser<'_> {
    /// Reads what a call stands for.
    pub(super) fn call(
        &mut self,
        name: &str,
        arguments: Vec<(Node, usize)>,
        at: usize,
    ) -> Result<Node, Problem> {
        let count = arguments.len();
        let is_reduced = |kind: ReductionKind| match kind {
            ReductionKind::Min | ReductionKind::Max => count == 1,
            _ => true,
        };
        let reduction = REDUCTIONS.iter().find(|(known, kind)| *known == name && is_reduced(*kind));
        if let Some((_, kind)) = reduction {
            return self.reduction(name, *kind, arguments, at);
        }
        let Some((_, function, counts)) = FUNCTIONS.iter().find(|(known, ..)| *known == name)
        else {
            let known = FUNCTIONS.iter().map(|one| one.0).chain(REDUCTIONS.iter().map(|one| one.0));
            let help = nearest(name, known.clone()).map_or_else(
                || format!("expected one of {}", known.skip(7).collect::<Vec<_>>().join(", ")),
                |nearest| format!("did you mean '{nearest}'?"),
            );
            return Err(self.wrong(at, format!("unknown function '{name}'; {help}")));
        };
        if !counts.contains(&count) {
            return Err(self.miscounted(at, name, count, *counts.start()));
        }
        Ok(Node::Call(*function, arguments.into_iter().map(|(node, _)| node).collect()))
    }

    fn reduction(
        &mut self,
        name: &str,
        kind: ReductionKind,
        arguments: Vec<(Node, usize)>,
        at: usize,
    ) -> Result<Node, Problem> {
        let (kind, series, place) = self.reduced(name, kind, &arguments, at)?;
        if has_number_of_run(series) {
            let text = format!(
                "an argument of '{name}' is one number of a run; expected quantities over time and numbers alone"
            );
            return Err(self.wrong(place, text));
        }
        if self.series_in(series).is_none() {
            let text = format!("'{name}' has a number; expected a quantity over time");
            return Err(self.wrong(at, text));
        }
        let wanted = ReductionUse { kind, series: series.clone() };
        let known = self.reductions.iter().position(|one| *one == wanted);
        Ok(Node::Reduced(known.unwrap_or_else(|| {
            self.reductions.push(wanted);
            self.reductions.len() - 1
        })))
    }

    /// Returns the reduction with its series and the place of the series.
    fn reduced<'n>(
        &self,
        name: &str,
        kind: ReductionKind,
        arguments: &'n [(Node, usize)],
        at: usize,
    ) -> Result<(ReductionKind, &'n Node, usize), Problem> {
        Ok(match (kind, arguments) {
            (ReductionKind::Percentile(_), [(series, place), (part, of_part)]) => match part {
                Node::Number(part) if (0.0..=100.0).contains(part) => {
                    (ReductionKind::Percentile(*part), series, *place)
                }
                _ => return Err(self.wrong(*of_part, "expected a number from 0 to 100")),
            },
            (ReductionKind::Percentile(_), _) => {
                return Err(self.miscounted(at, name, arguments.len(), 2));
            }
            (_, [(series, place)]) => (kind, series, *place),
            _ => return Err(self.miscounted(at, name, arguments.len(), 1)),
        })
    }

    fn miscounted(&self, at: usize, name: &str, found: usize, expected: usize) -> Problem {
        let plural = if found == 1 { "" } else { "s" };
        self.wrong(at, format!("'{name}' has {found} argument{plural}; expected {expected}"))
    }
}

/// Returns whether a node contains a number that is known at the end of a run only.
fn has_number_of_run(node: &Node) -> bool {
    match node {
        Node::Metric(_) | Node::Reduced(_) => true,
        Node::Call(_, nodes) => nodes.iter().any(has_number_of_run),
        _ => false,
    }
}
