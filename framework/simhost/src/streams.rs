//! The streams of a simulation, and their samples.
//!
//! The catalogue is built from the description of the world, whose quantities are looked up in one pass,
//! whatever the number of streams.

mod bind;
mod catalogue;
mod collision;
mod commands;
mod draft;
mod faults;
mod frame_names;
mod frames;
mod groups;
mod images;
mod message_names;
mod output;
mod rates;
mod reads;
mod robot_faults;
mod scene;
mod sensors;
mod shapes;
mod transforms;
mod vehicles;

use simhost_streams::{Stream, Trigger};

pub use catalogue::{check, inputs, outputs, streams};
pub use commands::command_stream;
pub use output::{Buffer, Output};
pub use reads::Reads;

/// Choice of streams and of their rate.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Patterns of names as in `--record`: `*` does not cross `/`, `**` does, `!` excludes. None selects
    /// every output stream.
    pub patterns: Vec<String>,
    /// Simulated time between samples, s; by default the period of each stream.
    pub period: Option<f64>,
    /// Simulated time between samples of streams without their own rate, s, if `period` is not
    /// given; otherwise one after each step.
    pub state_period: Option<f64>,
    /// Whether patterns may select no stream; otherwise that is an error.
    pub is_optional: bool,
}

impl Selection {
    /// Returns the simulated time between samples of a stream, s; `None` for one after each step, or at
    /// events.
    pub fn period_of(&self, stream: &Stream) -> Option<f64> {
        let of_states = self.state_period.filter(|_| stream.trigger == Trigger::Step);
        self.period.or(stream.period).or(of_states)
    }
}
