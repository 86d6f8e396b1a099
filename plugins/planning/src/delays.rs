//! Dead times of commands.
//!
//! A command is constant over its step. The corrected delay counts time: its output is the mean of
//! the delayed command over the step, so that the delay is exact for any step. Autoware 1.0.0 counts
//! calls instead: a queue holds round(delay / period) zeros at the start, and every call takes one
//! value from it.

use std::collections::VecDeque;

use simhost_sdk::prelude::*;

/// Part of a step up to which two times are the same.
const SAME: f64 = 1e-6;
/// Step for which a line has space at the start, s.
const SHORTEST_STEP: f64 = 0.001;
/// Number of lines of a model.
const LINES: usize = 4;

/// How a delay is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Counting {
    /// In seconds.
    Time,
    /// In calls: a delay lasts one call per period of this length, s.
    Calls(f64),
}

/// The values that are on their way through one delay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Length of a step, s, and value; the oldest first.
    values: VecDeque<[f64; 2]>,
    /// Sum of the lengths, s.
    length: f64,
    /// Whether a value has been added.
    started: bool,
}

impl Line {
    /// Creates a line with space for a delay, s.
    fn with_room(delay: f64) -> Self {
        let room = (delay / SHORTEST_STEP) as usize + 4;
        Self { values: VecDeque::with_capacity(room), ..Self::default() }
    }

    /// Forgets the values that are on their way.
    pub fn clear(&mut self) {
        self.values.clear();
        (self.length, self.started) = (0.0, false);
    }

    /// Adds the value of a step of `dt` seconds and returns the value `delay` seconds before, which
    /// is 0 before the first value.
    pub fn pass(&mut self, value: f64, delay: f64, dt: f64, counting: Counting) -> f64 {
        match counting {
            Counting::Calls(period) => self.next(value, delay, period),
            Counting::Time if dt > 0.0 => self.mean(value, delay, dt),
            Counting::Time => self.values.front().map_or(0.0, |[_, oldest]| *oldest),
        }
    }

    fn next(&mut self, value: f64, delay: f64, period: f64) -> f64 {
        if !self.started {
            self.started = true;
            let calls = if period > 0.0 { (delay / period).round() } else { 0.0 };
            self.values.extend(std::iter::repeat_n([0.0; 2], calls as usize));
        }
        self.values.push_back([0.0, value]);
        self.values.pop_front().map_or(value, |[_, oldest]| oldest)
    }

    fn mean(&mut self, value: f64, delay: f64, dt: f64) -> f64 {
        self.started = true;
        self.values.push_back([dt, value]);
        self.length += dt;
        // start of the delayed step, measured from the start of the oldest one
        let mut start = self.length - delay - dt;
        while let Some([oldest, _]) = self.values.front()
            && *oldest <= start + SAME * dt
        {
            start -= oldest;
            self.length -= oldest;
            self.values.pop_front();
        }
        let before = if start < -SAME * dt { (-start).min(dt) } else { 0.0 };
        let (mut sum, mut covered, mut skipped) = (0.0, before, start.max(0.0));
        for [length, value] in &self.values {
            let part = (length - skipped).min(dt - covered);
            if part >= dt * (1.0 - SAME) {
                return *value;
            }
            if dt - covered <= SAME * dt {
                break;
            }
            sum += part * value;
            covered += part;
            skipped = 0.0;
        }
        sum / covered
    }

    /// Adds `value` at the time `dt` after the last one, and returns the oldest one if it is at least
    /// `delay` old and not the only one. Times are kept as sums, because a comparison of the source
    /// depends on their rounding.
    pub fn release(&mut self, value: f64, delay: f64, dt: f64) -> Option<f64> {
        let now = self.values.back().map_or(dt, |[last, _]| last + dt);
        let is_first = self.values.is_empty();
        self.values.push_back([now, value]);
        let [oldest, value] = *self.values.front()?;
        if is_first || now - oldest < delay {
            return None;
        }
        self.values.pop_front();
        Some(value)
    }

    /// Returns whether [`Self::release`] would return a value.
    pub fn releases(&self, delay: f64, dt: f64) -> bool {
        let (front, back) = (self.values.front(), self.values.back());
        front.zip(back).is_some_and(|([oldest, _], [last, _])| last + dt - oldest >= delay)
    }
}

/// The lines of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Delays([Line; LINES]);

impl Delays {
    /// Creates lines with space for these delays, s.
    pub fn with_room(delays: &[f64]) -> Self {
        let room =
            |line: usize| delays.get(line).map_or_else(Line::default, |d| Line::with_room(*d));
        Self(std::array::from_fn(room))
    }

    /// Returns a line by its number.
    pub fn line(&mut self, number: usize) -> &mut Line {
        &mut self.0[number]
    }

    /// Forgets the values that are on their way.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(Line::clear);
    }
}

/// The values that are on their way, in the memory of a car.
pub type Pending = Remembered<Delays>;

/// For each line: whether it has started, its length, the number of its values, and the values.
impl Memory for Delays {
    fn save(&self) -> Vec<u8> {
        let numbers = self.0.iter().flat_map(|line| {
            let head = [f64::from(line.started), line.length, line.values.len() as f64];
            head.into_iter().chain(line.values.iter().flatten().copied())
        });
        numbers.collect::<Vec<f64>>().save()
    }

    fn load(schema: u32, bytes: &[u8]) -> Result<Self, String> {
        let numbers = Vec::<f64>::load(schema, bytes)?;
        let (mut delays, mut rest) = (Self::default(), numbers.as_slice());
        let short = || format!("found {} numbers, expected more", numbers.len());
        for line in &mut delays.0 {
            let (head, tail) = rest.split_first_chunk::<3>().ok_or_else(short)?;
            let count = head[2] as usize;
            if tail.len() / 2 < count {
                return Err(short());
            }
            let (values, tail) = tail.split_at(2 * count);
            line.values.extend(values.as_chunks::<2>().0);
            (line.started, line.length, rest) = (head[0] != 0.0, head[1], tail);
        }
        if !rest.is_empty() || numbers.iter().any(|number| !number.is_finite()) {
            return Err(format!("found {} numbers that are not delay lines", numbers.len()));
        }
        Ok(delays)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the outputs for the values 1, 2, 3 and so on.
    fn outputs(delay: f64, dt: f64, count: usize, counting: Counting) -> Vec<f64> {
        let mut line = Line::default();
        (1..=count).map(|value| line.pass(value as f64, delay, dt, counting)).collect()
    }

    #[test]
    fn calls_are_counted_in_rounded_periods() {
        for (delay, calls) in [(0.1, 4), (0.24, 10), (0.25, 10), (0.2, 8), (0.0, 0)] {
            let found = outputs(delay, 0.025, 20, Counting::Calls(0.025));
            let expected = (1..=20i32).map(|k| f64::from((k - calls).max(0)));
            assert_eq!(found, expected.collect::<Vec<_>>(), "{delay}");
        }
        assert_eq!(outputs(0.1, 0.05, 6, Counting::Calls(0.025))[3..], [0.0, 1.0, 2.0]);
    }

    #[test]
    fn time_is_exact_for_any_step() {
        for dt in [0.01, 0.025, 0.05, 0.007] {
            for delay in [0.0, 0.1, 0.24, 0.25] {
                let mut line = Line::default();
                let area: f64 =
                    (0..200).map(|_| line.pass(1.0, delay, dt, Counting::Time) * dt).sum();
                assert!((200.0 * dt - area - delay).abs() < 1e-9, "{dt} {delay}");
            }
        }
        assert_eq!(outputs(0.02, 0.01, 5, Counting::Time), [0.0, 0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn lines_are_saved_and_loaded() {
        let mut delays = Delays::with_room(&[0.1, 0.2]);
        for value in 0..9 {
            delays.line(0).pass(f64::from(value), 0.035, 0.01, Counting::Time);
            delays.line(1).pass(f64::from(value), 0.035, 0.01, Counting::Calls(0.01));
            delays.line(3).release(f64::from(value), 0.035, 0.01);
        }
        let bytes = delays.save();
        assert_eq!(Delays::load(1, &bytes), Ok(delays));
        assert!(Delays::load(1, &bytes[8..]).is_err() && Delays::load(1, &bytes[3..]).is_err());
        assert!(Delays::load(1, &[bytes.as_slice(), &bytes].concat()).is_err());
    }
}
