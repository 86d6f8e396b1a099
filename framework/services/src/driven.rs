//! A session for tests of what clients send.

use std::sync::{Arc, Mutex};

use simhost_streams::{Control, Effect, Input, InputError, Progress, Stream};

/// A session with one vehicle, which keeps what is sent to it.
pub struct Driven {
    pub sent: Mutex<Vec<Input>>,
    stream: Arc<Stream>,
}

impl Driven {
    /// Creates a session whose stream becomes this kind of commands of a vehicle.
    pub fn new(stream: Stream, vehicle: &str, kind: &str) -> Self {
        let (vehicle, kind) = (vehicle.to_owned(), kind.to_owned());
        let effect = Some(Effect::Command { vehicle, kind });
        Self { sent: Mutex::default(), stream: Arc::new(Stream { effect, ..stream }) }
    }
}

impl Control for Driven {
    fn send(&self, input: Input) -> Result<(), InputError> {
        self.sent.lock().unwrap().push(input);
        Ok(())
    }

    fn input_streams(&self) -> Vec<Arc<Stream>> {
        vec![self.stream.clone()]
    }

    fn progress(&self) -> Progress {
        Progress::default()
    }
}
