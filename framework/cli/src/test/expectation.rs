//! Expectations on quantities.

use std::path::Path;
use std::time::Duration;

use simhost_engine::{Quantities, Simulation};
use simhost_validator::JunitCase;
use simhost_world::World;

use super::reader::Reader;
use crate::process::{Code, Failure};

/// Keys of an expectation.
const KEYS: [&str; 10] =
    ["name", "quantity", "at", "from", "until", "value", "tolerance", "min", "max", "eventually"];
/// Share of a step by which times that are equal can differ.
const SAME_STEP: f64 = 1e-6;

/// Expectation of the quantities that match a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    name: Option<String>,
    /// Pattern, with an index for one value of an array.
    quantity: String,
    /// Times of the first and the last look, s.
    times: [f64; 2],
    is_at: bool,
    /// Least and largest value.
    bounds: [f64; 2],
    /// Whether it is enough that it holds once.
    eventually: bool,
    line: usize,
}

impl Expectation {
    /// Reads an expectation.
    ///
    /// # Errors
    /// Fails if a value is missing or contradicts another one.
    pub fn read(reader: &Reader<'_>) -> Result<Self, Failure> {
        reader.check_keys(&KEYS)?;
        let Some(quantity) = reader.text("quantity")? else {
            return Err(reader.wrong_here("an expectation without a `quantity`"));
        };
        let [at, from, until] =
            [reader.number("at")?, reader.number("from")?, reader.number("until")?];
        let [value, tolerance] = [reader.number("value")?, reader.number("tolerance")?];
        let [min, max] = [reader.number("min")?, reader.number("max")?];
        let times = match (at, from, until) {
            (Some(at), None, None) => [at, at],
            (None, from, Some(until)) => [from.unwrap_or(0.0), until],
            _ => return Err(reader.wrong_here("expected `at`, or `until` with or without `from`")),
        };
        let bounds = match (value, tolerance, min, max) {
            (Some(value), Some(tolerance), None, None) if tolerance >= 0.0 => {
                [value - tolerance, value + tolerance]
            }
            (None, None, min, max) if min.or(max).is_some() => {
                [min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY)]
            }
            _ => {
                let text = "expected `value` and `tolerance` (at least 0), or `min`, `max` or both";
                return Err(reader.wrong_here(text));
            }
        };
        if !(times[0] >= 0.0 && times[0] <= times[1] && bounds[0] <= bounds[1]) {
            return Err(reader.wrong_here("an interval ends before it begins"));
        }
        let (name, eventually) = (reader.text("name")?, reader.truth("eventually")?);
        let (is_at, line) = (at.is_some(), reader.line());
        Ok(Self { name, quantity, times, is_at, bounds, eventually, line })
    }

    /// Returns the time of the last look, s.
    pub fn end(&self) -> Option<f64> {
        Some(self.times[1])
    }

    /// Returns the pattern of the quantities, and the index of a value of an array.
    pub fn pattern(&self) -> (&str, Option<usize>) {
        let parts = self.quantity.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
        let parts = parts.and_then(|(name, index)| Some((name, index.parse().ok()?)));
        parts.map_or((&self.quantity, None), |(name, index)| (name, Some(index)))
    }

    /// Returns the failure for a mistake that the world shows.
    pub fn wrong(&self, path: &Path, text: &str) -> Failure {
        Failure::new(Code::BadInput, format!("{}:{}: {text}", path.display(), self.line))
    }

    fn title(&self) -> String {
        let [from, until] = self.times;
        let when = match (self.is_at, self.eventually) {
            (true, _) => format!("at {until} s"),
            (false, true) => format!("at some time from {from} to {until} s"),
            (false, false) => format!("from {from} to {until} s"),
        };
        self.name.clone().unwrap_or_else(|| format!("{} {when}", self.quantity))
    }

    /// Describes the values that are expected.
    fn range(&self) -> String {
        match self.bounds {
            [low, f64::INFINITY] => format!("at least {low}"),
            [f64::NEG_INFINITY, high] => format!("at most {high}"),
            [low, high] => format!("{low} to {high}"),
        }
    }
}

/// An expectation while the world runs.
pub struct Watched {
    expectation: Expectation,
    quantities: Quantities,
    index: Option<usize>,
    values: Vec<f64>,
    has_looked: bool,
    /// Quantities for which it has held once.
    held: Vec<bool>,
    /// First or, if it may hold at any time, last finding that does not fit.
    finding: Option<String>,
}

impl Watched {
    /// Begins to watch quantities.
    pub fn new(expectation: Expectation, quantities: Quantities, index: Option<usize>) -> Self {
        let held = vec![false; quantities.infos().len()];
        Self {
            expectation,
            quantities,
            index,
            values: Vec::new(),
            has_looked: false,
            held,
            finding: None,
        }
    }

    /// Continues with the simulation of a changed world.
    pub fn follow(&mut self, world: &World, simulation: &Simulation) {
        self.quantities.rebind(world, simulation);
    }

    /// Looks at the quantities at a time, s, with steps of `dt`, s.
    pub fn look(&mut self, time: f64, dt: f64, simulation: &Simulation) {
        let Expectation { times: [from, until], is_at, bounds, eventually, .. } = self.expectation;
        let tolerance = SAME_STEP * dt;
        let is_due = match is_at {
            true => !self.has_looked && time >= from - tolerance,
            false => time >= from - tolerance && time <= until + tolerance,
        };
        if !is_due || (self.finding.is_some() && !eventually) {
            return;
        }
        self.has_looked = true;
        for place in 0..self.quantities.infos().len() {
            self.values.clear();
            self.quantities.read_one(place, simulation, &mut self.values);
            let info = &self.quantities.infos()[place];
            let index = self.index.unwrap_or(0);
            let value = self.values.get(index).copied().unwrap_or(f64::NAN);
            if (bounds[0]..=bounds[1]).contains(&value) {
                self.held[place] = true;
            } else if !(eventually && self.held[place]) {
                let name = info.name_of(index);
                let unit = info.units.of(index);
                let unit = if unit == "1" { String::new() } else { format!(" {unit}") };
                self.finding = Some(format!("{name} is {value}{unit} at {time} s"));
                if !eventually {
                    return;
                }
            }
        }
        if eventually && self.held.iter().all(|held| *held) {
            self.finding = None;
        }
    }

    /// Returns the result.
    pub fn case(self, took: Duration) -> JunitCase {
        let Self { expectation, has_looked, held, finding, .. } = self;
        let is_held = held.iter().all(|held| *held);
        let failure = match finding {
            Some(_) if expectation.eventually && is_held => None,
            Some(finding) => Some(format!("{finding}; expected {}", expectation.range())),
            None if has_looked => None,
            None => Some("the run ended before".to_owned()),
        };
        JunitCase { name: expectation.title(), took, failure }
    }
}
