//! Ends the run when a quantity has been above or below a limit for some time.

use simhost_sdk::prelude::*;

use crate::selection::patterns;

/// Ends the run when a quantity has been above or below a limit for some time.
#[derive(Params)]
pub struct StopWhen {
    /// Name of the quantity, or patterns separated by commas. One of several values suffices.
    #[param(required)]
    quantity: String,
    /// Index of the value of a quantity with several, such as 3 for the yaw of a pose. By default all
    /// values count.
    #[param(range = 0..)]
    index: Option<usize>,
    /// Limit that the value must exceed, in the unit of the quantity.
    above: Option<f64>,
    /// Limit that the value must be below, in the unit of the quantity. With `above`, the value
    /// must lie between both limits.
    below: Option<f64>,
    /// Whether magnitudes are compared, so that `below` also holds for values close to 0 from below.
    #[param(default = false)]
    magnitude: bool,
    /// Whether all values of several must meet the condition, not only one.
    #[param(default = false)]
    all: bool,
    /// Time for which the condition must hold without interruption. A larger value ignores longer
    /// peaks.
    #[param(default = 0.0, range = 0.0.., unit = "s", key = "hold")]
    holding: f64,
    /// Time before which the condition is ignored, so that a vehicle can start from rest.
    #[param(default = 0.0, range = 0.0.., unit = "s")]
    after: f64,
}

/// The condition during a run.
pub struct Watch {
    /// Places of the quantities, each with its name and units.
    quantities: Vec<Quantity>,
    /// Time since which the condition holds, s.
    since: Option<f64>,
}

/// Tolerance of times, s.
const TOLERANCE: f64 = 1e-9;

impl StopWhen {
    fn holds_for(&self, value: f64) -> bool {
        let value = if self.magnitude { value.abs() } else { value };
        // a value that is not a number meets no condition
        !value.is_nan()
            && self.above.is_none_or(|limit| value > limit)
            && self.below.is_none_or(|limit| value < limit)
    }

    /// Describes the condition, in the unit of the first value.
    fn condition(&self, unit: &str) -> String {
        let unit = if unit == "1" { String::new() } else { format!(" {unit}") };
        match (self.above, self.below) {
            (Some(above), Some(below)) => format!("between {above}{unit} and {below}{unit}"),
            (Some(above), None) => format!("above {above}{unit}"),
            (None, below) => format!("below {}{unit}", below.unwrap_or_default()),
        }
    }

    /// Returns the first value that meets the condition, as a name and a unit, if the condition holds.
    fn met<'w>(&self, watch: &'w Watch, sample: &Sample) -> Option<(&'w Quantity, usize)> {
        let mut first = None;
        for quantity in &watch.quantities {
            for (index, value) in sample[quantity.place].iter().enumerate() {
                if self.index.is_some_and(|only| only != index) {
                    continue;
                }
                if self.holds_for(*value) {
                    first.get_or_insert((quantity, index));
                } else if self.all {
                    return None;
                }
            }
        }
        first
    }

    fn reason(&self, quantity: &Quantity, index: usize) -> String {
        let Quantity { name, units, .. } = quantity;
        let place = if units.len() > 1 { format!("[{index}]") } else { String::new() };
        let subject = match (self.all, self.magnitude) {
            (true, _) => "all values of ".to_owned() + &self.quantity + " are",
            (false, true) => format!("|{name}{place}| is"),
            (false, false) => format!("{name}{place} is"),
        };
        let condition = self.condition(&units[index]);
        match self.holding > 0.0 {
            true => format!("{subject} {condition} for {} s", self.holding),
            false => format!("{subject} {condition}"),
        }
    }
}

#[model]
impl Observer for StopWhen {
    const STOPS: bool = true;

    fn prepare(&mut self) -> Result<(), String> {
        match (self.above, self.below) {
            (None, None) => Err("missing limit; give `above`, `below` or both".to_owned()),
            (Some(above), Some(below)) if above >= below => Err(format!(
                "no value is above {above} and below {below}; expected `above` less than `below`"
            )),
            _ if patterns(&self.quantity).is_empty() => Err("`quantity` is empty".to_owned()),
            _ => Ok(()),
        }
    }

    fn select(&self) -> Vec<String> {
        patterns(&self.quantity)
    }

    fn start(&self, run: &RunStart) -> Result<Watch, String> {
        let quantities = run.quantities.clone();
        let most = quantities.iter().map(|quantity| quantity.units.len()).max().unwrap_or(0);
        if let Some(index) = self.index.filter(|index| *index >= most) {
            return Err(match most {
                1 => format!("`index` is {index}, but {} has a single value", self.quantity),
                _ => format!("`index` is {index}, expected less than {most}"),
            });
        }
        Ok(Watch { quantities, since: None })
    }

    fn step(&self, run: &mut Watch, sample: &Sample) -> Flow {
        let is_early = sample.time < self.after - TOLERANCE;
        let Some((quantity, index)) = self.met(run, sample).filter(|_| !is_early) else {
            run.since = None;
            return Flow::Continue;
        };
        let reason = self.reason(quantity, index);
        let since = *run.since.get_or_insert(sample.time);
        match sample.time - since >= self.holding - TOLERANCE {
            true => Flow::stop(reason),
            false => Flow::Continue,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use simhost_sdk::testing::{self, Watched};

    use super::*;

    fn stop_when(given: &[(&str, &str)]) -> StopWhen {
        testing::observer(given)
    }

    /// Returns the time and the reason of the end of a run with one sample per 0.1 s.
    fn ends(model: &StopWhen, values: &[f64]) -> Option<(f64, String)> {
        let mut run = Watched::start(model, &[("car/speed", "m/s", 1)], None).unwrap();
        let mut times = values.iter().enumerate();
        times.find_map(|(step, value)| {
            let time = step as f64 / 10.0;
            match run.sample(time, &[*value]) {
                Flow::Stop(reason) => Some((time, reason)),
                Flow::Continue => None,
            }
        })
    }

    #[test]
    fn a_limit_is_exceeded() {
        let model = stop_when(&[("quantity", "car/speed"), ("above", "2")]);
        let end = ends(&model, &[0.0, 2.0, f64::NAN, 2.1]);
        assert_eq!(end, Some((0.3, "car/speed is above 2 m/s".to_owned())));
        assert_eq!(ends(&model, &[-3.0, 2.0]), None);
    }

    #[test]
    fn the_condition_has_to_hold_without_interruption() {
        let given =
            [("quantity", "car/speed"), ("below", "1"), ("hold", "0.2"), ("magnitude", "true")];
        let end = ends(&stop_when(&given), &[0.0, 0.5, -2.0, 0.5, -0.5, 0.0, 0.0]);
        assert_eq!(end, Some((0.5, "|car/speed| is below 1 m/s for 0.2 s".to_owned())));
    }

    #[test]
    fn a_start_from_rest_does_not_count() {
        let given = [("quantity", "car/speed"), ("below", "1"), ("after", "0.2")];
        let end = ends(&stop_when(&given), &[0.0, 0.0, 5.0, 0.0]);
        assert_eq!(end.map(|(time, _)| time), Some(0.3));
    }

    #[test]
    fn a_value_between_two_limits() {
        let given = [("quantity", "car/speed"), ("above", "1"), ("below", "2")];
        let end = ends(&stop_when(&given), &[0.0, 3.0, 1.5]);
        assert_eq!(end, Some((0.2, "car/speed is between 1 m/s and 2 m/s".to_owned())));
    }

    #[test]
    fn any_value_counts_or_all_or_one() {
        let given = [("quantity", "*/x"), ("above", "1")];
        let two = [("a/x", "m", 1), ("b/x", "m", 2)];
        let flow = |more: &[(&str, &str)], values: [f64; 3]| {
            let model = stop_when(&[&given[..], more].concat());
            Watched::start(&model, &two, None).unwrap().sample(0.0, &values)
        };
        assert_eq!(flow(&[], [0.0, 0.0, 2.0]), Flow::stop("b/x[1] is above 1 m"));
        assert_eq!(flow(&[("all", "true")], [2.0, 0.0, 2.0]), Flow::Continue);
        let all = Flow::stop("all values of */x are above 1 m");
        assert_eq!(flow(&[("all", "true")], [2.0, 2.0, 2.0]), all);
        assert_eq!(flow(&[("index", "0")], [0.0, 0.0, 2.0]), Flow::Continue);
        assert_eq!(flow(&[("index", "1")], [0.0, 0.0, 2.0]), Flow::stop("b/x[1] is above 1 m"));
    }

    #[test]
    fn parameters_have_to_fit() {
        for (given, part) in [
            (vec![], "missing limit"),
            (vec![("above", 2.0), ("below", 1.0)], "expected `above` less than `below`"),
        ] {
            let limit = |key| given.iter().find(|(one, _)| *one == key).map(|(_, limit)| *limit);
            let mut model = stop_when(&[("quantity", "a"), ("above", "0")]);
            (model.above, model.below) = (limit("above"), limit("below"));
            let error = model.prepare().unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        let model = stop_when(&[("quantity", "car/speed"), ("above", "0"), ("index", "1")]);
        let error = Watched::start(&model, &[("car/speed", "m/s", 1)], None).err().unwrap();
        assert!(error.contains("has a single value"), "{error}");
    }
}
