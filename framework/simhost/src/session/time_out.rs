//! The time-out of commands that arrive during a run: vehicles stop whose driver falls silent.

use simhost_engine::Clock;
use simhost_streams::Input;

/// Kinds of commands that hold a velocity, with the number of the values, from the first on, that are 0 at a stop. An
/// Ackermann car keeps its steering angle.
const HELD: [(&str, usize); 2] = [("twist", usize::MAX), ("ackermann", 1)];

/// Stops vehicles that have got no command for a while.
#[derive(Debug, Default)]
pub(super) struct TimeOut {
    /// Simulated time after the last command, s; `None` for never.
    limit: Option<f64>,
    /// Commands that stop vehicles, with the numbers of completed steps at which they act; one per vehicle at most.
    stops: Vec<(u64, Input)>,
}

impl TimeOut {
    pub fn new(limit: Option<f64>) -> Self {
        Self { limit, stops: Vec::new() }
    }

    /// Notes an input that arrives when the clock shows a time.
    pub fn note(&mut self, input: &Input, clock: Clock) {
        let Some(limit) = self.limit else { return };
        let Input::Command { vehicle, kind, values } = input else { return };
        let is_own =
            |other: &Input| matches!(other, Input::Command { vehicle: own, .. } if own == vehicle);
        self.stops.retain(|(_, stop)| !is_own(stop));
        let Some((_, count)) = HELD.iter().find(|(held, _)| held == kind) else { return };
        if values.iter().take(*count).all(|value| *value == 0.0) {
            return;
        }
        let mut values = values.clone();
        values.iter_mut().take(*count).for_each(|value| *value = 0.0);
        let stop = Input::Command { vehicle: vehicle.clone(), kind: kind.clone(), values };
        let steps = (limit / clock.dt).ceil().max(1.0) as u64;
        self.stops.push((clock.steps.saturating_add(steps), stop));
    }

    /// Returns the number of completed steps at which the next vehicle stops.
    pub fn next(&self) -> Option<u64> {
        self.stops.iter().map(|(step, _)| *step).min()
    }

    /// Takes a command that is due after `step` completed steps, in the order in which the drivers fell silent.
    pub fn take(&mut self, step: u64) -> Option<Input> {
        let due = self.stops.iter().position(|(at, _)| *at <= step)?;
        Some(self.stops.remove(due).1)
    }

    /// Forgets all drivers, because time has gone back.
    pub fn clear(&mut self) {
        self.stops.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(vehicle: &str, kind: &str, values: &[f64]) -> Input {
        let (vehicle, kind) = (vehicle.to_owned(), kind.to_owned());
        Input::Command { vehicle, kind, values: values.to_vec() }
    }

    #[test]
    fn a_silent_driver_is_stopped_once() {
        let clock = |steps: u64| Clock { steps, dt: 0.01 };
        let mut time_out = TimeOut::new(Some(0.5));
        time_out.note(&command("a", "twist", &[1.0, 0.5]), clock(0));
        time_out.note(&command("b", "ackermann", &[2.0, 0.3]), clock(10));
        time_out.note(&command("c", "drive", &[1.0, 0.0]), clock(10));
        assert_eq!(time_out.next(), Some(50));
        time_out.note(&command("a", "twist", &[1.0, 0.5]), clock(20));
        assert_eq!((time_out.next(), time_out.take(59)), (Some(60), None));
        assert_eq!(time_out.take(60), Some(command("b", "ackermann", &[0.0, 0.3])));
        assert_eq!(time_out.take(70), Some(command("a", "twist", &[0.0, 0.0])));
        assert_eq!(time_out.next(), None);
        // one that stops by itself needs no help
        time_out.note(&command("a", "twist", &[0.0, 0.0]), clock(80));
        assert_eq!(time_out.next(), None);
        let mut off = TimeOut::new(None);
        off.note(&command("a", "twist", &[1.0, 0.0]), clock(0));
        assert_eq!(off.next(), None);
    }
}
