//! Dead time: y(t) = u(t − T).
//!
//! A command is constant over its step. The output of a step is the mean of the delayed command
//! over the step, so its integral is exact even if T is not a multiple of the step; if T is a
//! multiple, it is bit-identical to the command at the time T before. Source: K. J. Åström and T.
//! Hägglund, *Advanced PID Control*, 2006, section 2.4. Limit: a delay line starts with space for
//! steps of 1 ms or longer, and grows while it fills with shorter steps.

use simhost_sdk::prelude::*;

use crate::line::Line;

/// Delays the command by a constant time, like a bus or a computer.
#[derive(Params)]
pub struct DeadTime {
    /// Time by which the output is delayed. A larger value makes a control loop oscillate.
    #[param(default = 0.1, range = 0.0..=60.0, unit = "s", per_lane)]
    delay: f64,
    /// Output until the first command arrives, in the unit of the port.
    #[param(default = 0.0, per_lane, scaling = Scaling::PORT)]
    initial: f64,
}

/// Step for which a delay line has space at the start, s.
const SHORTEST_STEP: f64 = 0.001;

/// The commands that are on their way.
#[derive(State)]
pub struct Delayed {
    /// Output of the last step, in the unit of the port.
    #[state(unit = "1", initial_from = "initial")]
    pub last: f64,
    /// Commands that have not arrived yet.
    #[state(memory)]
    pub line: Remembered<Line>,
}

#[model]
impl Actuator for DeadTime {
    fn memory(&self) -> Line {
        Line::with_room((self.delay / SHORTEST_STEP) as usize)
    }

    fn actuate(&self, command: f64, _: &(), step: &Step, state: &mut Delayed) -> f64 {
        if step.dt > 0.0 {
            state.last = state.line.pass(command, self.delay, step.dt, self.initial);
        }
        state.last
    }
}
