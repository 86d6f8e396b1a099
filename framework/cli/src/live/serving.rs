//! The server for the clients of a run.

use std::path::Path;
use std::sync::Arc;

use simhost::{ClockMode, Selection, Session};
use simhost_live::{LiveError, Server, ServerSettings, Totals, resolve};

use crate::arguments::{Access, Live};
use crate::exit::{Code, Failure};
use crate::{opening, terminal};

/// A server for the clients of a run.
pub struct Serving {
    /// The server before it serves the session.
    server: Option<Server>,
    /// Returns the figures of the server.
    totals: Option<Box<dyn Fn() -> Totals>>,
}

impl Serving {
    /// Listens on the address of the command line, if live clients are requested.
    ///
    /// # Errors
    /// Fails if the address cannot be used.
    pub fn bind(arguments: &Live, world: &Path) -> Result<Option<Self>, Failure> {
        let Some(address) = &arguments.live else { return Ok(None) };
        let server = listen(address, &arguments.access, world)?;
        Ok(Some(Self { server: Some(server), totals: None }))
    }

    /// Serves a session from now on.
    ///
    /// # Errors
    /// Fails if the session has no description from which its streams follow.
    pub fn attach(&mut self, session: &mut Session) -> Result<(), Failure> {
        let Some(server) = self.server.take() else { return Ok(()) };
        session.control().set_clock(ClockMode::Realtime { factor: 1.0 });
        let sink = server.start(Arc::new(session.inputs()));
        self.totals = Some(Box::new(sink.watch_totals()));
        session.attach(Box::new(sink), &Selection::default()).map_err(opening::failure)
    }

    /// Reports samples that slow clients did not receive.
    pub fn report(&self) {
        if let Some(totals) = &self.totals {
            report(totals());
        }
    }
}

/// Listens on an address and reports it.
pub fn listen(address: &str, access: &Access, run: &Path) -> Result<Server, Failure> {
    let mut settings = ServerSettings::new(resolve(address).map_err(failure)?);
    settings.token = access.live_token.clone();
    settings.origins = access.live_origin.clone();
    let name = run.file_name().unwrap_or(run.as_os_str()).to_string_lossy();
    settings.name = name.trim_end_matches(".xml").trim_end_matches(".world").to_owned();
    let server = Server::bind(settings).map_err(failure)?;
    let address = server.address();
    terminal::remark(&format!("serving live clients on ws://{address}"));
    Ok(server)
}

/// Reports samples that slow clients did not receive.
pub fn report(totals: Totals) {
    let Totals { dropped_samples, dropped_bytes, .. } = totals;
    if dropped_samples > 0 {
        let text = format!(
            "{dropped_samples} samples ({dropped_bytes} bytes) were dropped because live clients read too \
             slowly"
        );
        terminal::warning(&text);
    }
}

/// Returns the failure of a server that does not start.
pub fn failure(error: LiveError) -> Failure {
    let help = match &error {
        LiveError::Token(_) => "help: give a token with --live-token TOKEN, or omit the address",
        LiveError::Address { found, .. } if found.ends_with(".xml") => {
            "help: put the world before --live, or write `--live=`"
        }
        LiveError::Listen { .. } => {
            "help: choose another port, such as --live 127.0.0.1:0 for a free one"
        }
        _ => "help: give HOST:PORT, such as --live 127.0.0.1:8765",
    };
    Failure::new(Code::Usage, format!("{error}\n{help}"))
}
