//! The server for the clients of a run.

use std::path::Path;
use std::sync::{Arc, mpsc};

use simhost::{ClockMode, Selection, Session};
use simhost_live::{LiveError, Server, ServerSettings, Totals, page_address, resolve};
use simhost_web::{PAGE, WorldLibrary};

use super::browser::open_browser;
use super::desk::Desk;
use crate::arguments::{Access, Live, Run};
use crate::exit::{Code, Failure};
use crate::{mcap, opening, terminal};

/// A server for the clients of a run.
pub struct Serving {
    /// The server before it serves the session.
    server: Option<Server>,
    /// Returns the figures of the server.
    totals: Option<Box<dyn Fn() -> Totals>>,
    desk: Option<Desk>,
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
        Ok(Some(Self { server: Some(server), totals: None, desk: None }))
    }

    /// Serves a session from now on. Clients can record it as the command line of the run would.
    ///
    /// # Errors
    /// Fails if the session has no description from which its streams follow.
    pub fn attach(&mut self, arguments: &Run, session: &mut Session) -> Result<(), Failure> {
        let Some(server) = self.server.take() else { return Ok(()) };
        session.control().set_clock(ClockMode::Realtime { factor: 1.0 });
        let (asked, questions) = mpsc::channel();
        let (inputs, woken) = (session.inputs(), session.inputs());
        let library =
            WorldLibrary::new(move || inputs.world()).with_session(asked, move || woken.wake());
        let server = server.with_library(Arc::new(library));
        self.desk = Some(Desk::new(questions, arguments.out.clone(), mcap::selection(arguments)));
        let inputs = session.client_inputs().map_err(opening::failure)?;
        let sink = server.start(Arc::new(inputs));
        self.totals = Some(Box::new(sink.watch_totals()));
        session.attach(Box::new(sink), &Selection::default()).map(drop).map_err(opening::failure)
    }

    /// Handles the requests of clients. Called between two steps.
    pub fn attend(&mut self, session: &mut Session) {
        if let Some(desk) = &mut self.desk {
            desk.attend(session);
        }
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

/// Returns the name of a world: the name of its file without extensions.
pub fn world_name(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    name.trim_end_matches(".xml").trim_end_matches(".world").to_owned()
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
