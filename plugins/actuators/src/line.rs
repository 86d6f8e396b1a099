//! Delay lines.

use std::collections::VecDeque;

use simhost_sdk::prelude::*;

/// Part of a step up to which two times are the same.
const SAME: f64 = 1e-6;

/// The commands that are on their way, each with the length of its step.
#[derive(Debug, Default)]
pub struct Line {
    /// Length of the step, s, and command; the oldest first.
    steps: VecDeque<[f64; 2]>,
    /// Sum of the lengths, s.
    length: f64,
}

impl Line {
    /// Creates an empty line with space for this number of steps.
    pub fn with_room(steps: usize) -> Self {
        Self { steps: VecDeque::with_capacity(steps + 4), length: 0.0 }
    }

    /// Adds the command of a step of `dt` seconds, and returns the mean over this step of the commands
    /// `delay` seconds before, which are `initial` before the first one.
    pub fn pass(&mut self, command: f64, delay: f64, dt: f64, initial: f64) -> f64 {
        self.steps.push_back([dt, command]);
        self.length += dt;
        // start of the delayed step, measured from the start of the oldest one
        let mut start = self.length - delay - dt;
        while let Some([oldest, _]) = self.steps.front()
            && *oldest <= start + SAME * dt
        {
            start -= oldest;
            self.length -= oldest;
            self.steps.pop_front();
        }
        self.mean(start, dt, initial)
    }

    /// Returns the mean command from `start` on for `dt` seconds.
    fn mean(&self, start: f64, dt: f64, initial: f64) -> f64 {
        let same = SAME * dt;
        let before = if start < -same { (-start).min(dt) } else { 0.0 };
        if before >= dt - same {
            return initial;
        }
        let (mut sum, mut covered) = (before * initial, before);
        let mut skipped = start.max(0.0);
        for [length, command] in &self.steps {
            let part = (length - skipped).min(dt - covered);
            if part >= dt - same {
                return *command;
            }
            skipped = 0.0;
            sum += part * command;
            covered += part;
            if dt - covered <= same {
                break;
            }
        }
        sum / covered
    }
}

/// Eight bytes per number, least significant first: the sum of the lengths, then each step.
impl Memory for Line {
    fn save(&self) -> Vec<u8> {
        let steps = self.steps.iter().flatten().copied();
        std::iter::once(self.length).chain(steps).collect::<Vec<f64>>().save()
    }

    fn load(schema: u32, bytes: &[u8]) -> Result<Self, String> {
        let numbers = Vec::<f64>::load(schema, bytes)?;
        let (Some((length, steps)), true) = (numbers.split_first(), numbers.len() % 2 == 1) else {
            return Err(format!("found {} numbers, expected an odd number", numbers.len()));
        };
        let (steps, _) = steps.as_chunks::<2>();
        let is_time = |time: f64| time.is_finite() && time > 0.0;
        if !(length.is_finite() && steps.iter().all(|[length, _]| is_time(*length))) {
            return Err("found a step whose length is not a positive number".to_owned());
        }
        let mut line = Self { length: *length, ..Self::with_room(steps.len()) };
        line.steps.extend(steps);
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the outputs for the commands 1, 2, 3 and so on.
    fn outputs(delay: f64, dt: f64, count: usize) -> Vec<f64> {
        let mut line = Line::with_room(0);
        (1..=count).map(|command| line.pass(command as f64, delay, dt, 0.0)).collect()
    }

    #[test]
    fn whole_steps_shift_the_commands() {
        assert_eq!(outputs(0.0, 0.01, 3), [1.0, 2.0, 3.0]);
        assert_eq!(outputs(0.02, 0.01, 5), [0.0, 0.0, 1.0, 2.0, 3.0]);
        let late = outputs(0.3, 0.001, 20_000);
        assert_eq!(late[19_999], 19_700.0, "without drift");
    }

    #[test]
    fn a_part_of_a_step_gives_the_mean() {
        let late = outputs(0.025, 0.01, 5);
        let expected = [0.0, 0.0, 0.5, 1.5, 2.5];
        assert!(late.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{late:?}");
        let short = outputs(0.0025, 0.01, 2);
        assert!((short[1] - 1.75).abs() < 1e-9, "{short:?}");
    }

    #[test]
    fn steps_can_differ_in_length() {
        let mut line = Line::with_room(0);
        let late: Vec<f64> = [(1.0, 0.02), (2.0, 0.01), (3.0, 0.01), (4.0, 0.02)]
            .map(|(command, dt)| line.pass(command, 0.02, dt, 0.0))
            .into();
        assert!((late[3] - 2.5).abs() < 1e-9, "{late:?}");
        assert_eq!(late[..3], [0.0, 1.0, 1.0]);
    }

    #[test]
    fn a_line_is_saved_and_loaded() {
        let mut line = Line::with_room(0);
        (0..9).for_each(|command| _ = line.pass(f64::from(command), 0.035, 0.01, 0.0));
        let bytes = line.save();
        let mut loaded = Line::load(1, &bytes).expect("saved bytes");
        assert_eq!(loaded.save(), bytes);
        let next = [&mut line, &mut loaded].map(|line| line.pass(9.0, 0.035, 0.01, 0.0).to_bits());
        assert_eq!(next[0], next[1]);
        assert!(Line::load(1, &bytes[8..]).is_err() && Line::load(1, &bytes[3..]).is_err());
        assert!(Line::load(1, &[0.01_f64, -1.0, 2.0].to_vec().save()).is_err());
    }
}
