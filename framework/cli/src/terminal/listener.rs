//! The listener to messages on standard error.

use std::sync::{Arc, Mutex, PoisonError};

use super::Severity;

/// Takes messages, on any thread.
pub type Listener = Arc<dyn Fn(Severity, &str) + Send + Sync>;

static LISTENER: Mutex<Option<Listener>> = Mutex::new(None);

/// Passes messages to a listener from now on, or to none.
pub fn listen(listener: Option<Listener>) {
    *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = listener;
}

/// Passes a message on.
pub fn notify(severity: Severity, text: &str) {
    // the listener may print messages itself
    let listener = LISTENER.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(listener) = listener {
        listener(severity, text);
    }
}
