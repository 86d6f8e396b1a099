//! Answers of a program that is built without live clients.

use simhost::Session;

use crate::arguments::{Live, Play, Top};
use crate::exit::{Code, Failure};

/// A server for the clients of a run, which never exists.
pub struct Serving;

impl Serving {
    /// Fails if live clients are requested.
    pub fn bind(arguments: &Live, _: &std::path::Path) -> Result<Option<Self>, Failure> {
        if arguments.live.is_some() { Err(missing("--live")) } else { Ok(None) }
    }

    /// Does nothing.
    pub fn attach(&mut self, _: &mut Session) -> Result<(), Failure> {
        Ok(())
    }

    /// Does nothing.
    pub fn report(&self) {}
}

/// Fails.
pub fn top(_: &Top) -> Result<Code, Failure> {
    Err(missing("simhost top"))
}

/// Fails.
pub fn play(_: &Play) -> Result<Code, Failure> {
    Err(missing("simhost play"))
}

fn missing(what: &str) -> Failure {
    let text = format!(
        "this program is built without live clients, which {what} needs\nhelp: build it with \
         `cargo build --release --features live`"
    );
    Failure::new(Code::Usage, text)
}
