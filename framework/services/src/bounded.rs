//! A bound of the inputs that clients let wait.

use std::sync::Arc;

use simhost_streams::{Control, Input, InputError, Parameter, Progress, Stream};

/// Inputs that may wait for the next step. One step of a fast client takes a handful.
const MAX_WAITING: usize = 10_000;
/// Further ones that control the run itself, so that a client can always end it.
const RESERVED: usize = 100;

/// Passes inputs on to a session while not too many wait there, so that no client fills its memory.
pub struct Bounded(pub Arc<dyn Control>);

impl Control for Bounded {
    fn send(&self, input: Input) -> Result<(), InputError> {
        let is_of_run = matches!(
            input,
            Input::Pause | Input::Resume | Input::Step { .. } | Input::Pace { .. } | Input::Stop
        );
        let waiting = self.0.waiting();
        if waiting >= MAX_WAITING + if is_of_run { RESERVED } else { 0 } {
            return Err(InputError::Busy { waiting });
        }
        self.0.send(input)
    }

    fn input_streams(&self) -> Vec<Arc<Stream>> {
        self.0.input_streams()
    }

    fn parameters(&self) -> Vec<Parameter> {
        self.0.parameters()
    }

    fn waiting(&self) -> usize {
        self.0.waiting()
    }

    fn progress(&self) -> Progress {
        self.0.progress()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A session that takes no step.
    #[derive(Default)]
    struct Stuck(AtomicUsize);

    impl Control for Stuck {
        fn send(&self, _: Input) -> Result<(), InputError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }

        fn waiting(&self) -> usize {
            self.0.load(Ordering::Relaxed)
        }

        fn progress(&self) -> Progress {
            Progress::default()
        }
    }

    #[test]
    fn inputs_are_refused_while_too_many_wait() {
        let bounded = Bounded(Arc::new(Stuck::default()));
        let reset = || Input::Reset { seed: 1 };
        for _ in 0..MAX_WAITING {
            bounded.send(reset()).unwrap();
        }
        let error = bounded.send(reset()).unwrap_err();
        assert!(error.to_string().contains("10000 inputs wait"), "{error}");
        bounded.send(Input::Stop).unwrap();
        assert_eq!(bounded.waiting(), MAX_WAITING + 1);
    }
}
