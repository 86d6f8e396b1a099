//! The server for the clients of a run.

use std::path::Path;

use simhost::{ClockMode, Selection, Session};
use simhost_live::{LiveError, Server, ServerSettings, Totals, page_address, resolve};
use simhost_web::PAGE;

use super::browser::open_browser;
use super::desk::{Desk, world_name};
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
        let server = match listen(address, &arguments.access, world) {
            // runs side by side have a page each
            Err(_) if arguments.page.is_some() && is_in_use(address) => {
                listen("127.0.0.1:0", &arguments.access, world)?
            }
            other => other?,
        };
        announce(&server, &arguments.access);
        if arguments.page.is_some_and(|page| page.is_opened) {
            open_browser(&page_address(server.address(), arguments.access.live_token.as_deref()));
        }
        Ok(Some(Self { server: Some(server), totals: None }))
    }

    /// Serves a session from now on.
    ///
    /// # Errors
    /// Fails if the session has no description from which its streams follow.
    pub fn attach(&mut self, desk: &Desk, session: &mut Session) -> Result<(), Failure> {
        let Some(server) = self.server.take() else { return Ok(()) };
        session.control().set_clock(ClockMode::Realtime { factor: 1.0 });
        let sink = server.start(desk.services().clone());
        self.totals = Some(Box::new(sink.watch_totals()));
        session.attach(Box::new(sink), &Selection::default()).map(drop).map_err(opening::failure)
    }

    /// Reports samples that slow clients did not receive.
    pub fn report(&self) {
        if let Some(totals) = &self.totals {
            report(totals());
        }
    }
}

/// Returns whether the address is the default one, and another program uses it.
fn is_in_use(address: &str) -> bool {
    let taken = |address| std::net::TcpListener::bind(address).is_err();
    address.is_empty() && resolve(address).is_ok_and(taken)
}

/// Listens on an address.
pub fn listen(address: &str, access: &Access, run: &Path) -> Result<Server, Failure> {
    let mut settings = ServerSettings::new(resolve(address).map_err(failure)?);
    settings.token = access.live_token.clone();
    settings.origins = access.live_origin.clone();
    settings.page = PAGE;
    settings.name = world_name(run);
    Server::bind(settings).map_err(failure)
}

/// Reports the addresses of a server.
pub fn announce(server: &Server, access: &Access) {
    let address = server.address();
    terminal::remark(&format!("serving live clients on ws://{address}"));
    if !PAGE.is_empty() {
        let page = page_address(address, access.live_token.as_deref());
        terminal::remark(&format!("open {page} in a browser"));
    }
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
