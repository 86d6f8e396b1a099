//! Answers of a program that is built without live clients.

use simhost::Session;

use crate::arguments::{ExportPage, Live, Play, Run, Top, View, WritePage};
use crate::process::{Code, Failure};

/// A server for the clients of a run, which never exists.
pub struct Serving;

impl Serving {
    /// Fails if live clients are requested.
    pub fn bind(arguments: &Live, _: &std::path::Path) -> Result<Option<Self>, Failure> {
        if arguments.live.is_some() { Err(missing("--live")) } else { Ok(None) }
    }

    /// Does nothing.
    pub fn attach(&mut self, _: &Desk, _: &mut Session) -> Result<(), Failure> {
        Ok(())
    }

    /// Does nothing.
    pub fn report(&self) {}
}

/// Requests of clients, which never come.
pub struct Desk;

impl Desk {
    /// Does nothing.
    pub fn attend(&mut self, _: &mut Session) {}

    /// Does nothing.
    pub fn end(self) {}
}

/// Does nothing.
pub fn desk(_: &Run, _: &Session) -> Result<Desk, Failure> {
    Ok(Desk)
}

/// Fails.
pub fn top(_: &Top) -> Result<Code, Failure> {
    Err(missing("simhost top"))
}

/// Fails.
pub fn play(_: &Play) -> Result<Code, Failure> {
    Err(missing("simhost play"))
}

/// Fails.
pub fn view(_: &View) -> Result<Code, Failure> {
    Err(without_page("simhost view"))
}

/// Fails.
pub fn export_page(_: &ExportPage) -> Result<Code, Failure> {
    Err(without_page("simhost export-page"))
}

/// Fails.
pub fn write(_: &WritePage) -> Result<Code, Failure> {
    Err(without_page("simhost page"))
}

fn without_page(what: &str) -> Failure {
    let text = format!(
        "this program is built without the page, which {what} needs\nhelp: build it with `cargo build --release \
         --features view`, which needs npm"
    );
    Failure::new(Code::Usage, text)
}

fn missing(what: &str) -> Failure {
    let text = format!(
        "this program is built without live clients, which {what} needs\nhelp: build it with \
         `cargo build --release --features live`"
    );
    Failure::new(Code::Usage, text)
}
