//! The server: listens, and accepts clients.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use simhost_services::ServiceDesk;

use crate::connection;
use crate::hub::Hub;
use crate::publisher::Publisher;
use crate::settings::{LiveError, ServerSettings};
use crate::sink::LiveSink;

/// Time between two looks for new clients.
const ACCEPT: Duration = Duration::from_millis(20);
/// Time between two reports of drops and of changed parameters.
const REPORT: Duration = Duration::from_millis(250);

/// A server that listens but serves nothing yet. Clients that connect wait until it is started.
pub struct Server {
    listener: TcpListener,
    settings: ServerSettings,
}

impl Server {
    /// Listens on the address of the settings.
    ///
    /// # Errors
    /// [`LiveError`] if the address is in use or not one of this machine, or other machines could connect
    /// without a token.
    pub fn bind(mut settings: ServerSettings) -> Result<Self, LiveError> {
        settings.check()?;
        let address = settings.address;
        let listen = |error| LiveError::Listen { address, error };
        let listener = TcpListener::bind(address).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        settings.address = listener.local_addr().map_err(listen)?;
        Ok(Self { listener, settings })
    }

    /// Returns the address, with the port that was selected.
    pub fn address(&self) -> SocketAddr {
        self.settings.address
    }

    /// Serves clients from now on. The sink takes the samples that they receive.
    pub fn start(self, desk: impl Into<Arc<ServiceDesk>>) -> LiveSink {
        let rate = self.settings.rate;
        LiveSink::new(self.publisher(desk), rate)
    }

    /// Serves clients from now on, with messages that are encoded already.
    pub fn publisher(self, desk: impl Into<Arc<ServiceDesk>>) -> Publisher {
        let Self { listener, settings } = self;
        let hub = Arc::new(Hub::new(settings, desk.into()));
        let (stop, stopped) = mpsc::channel();
        let thread = {
            let hub = hub.clone();
            let attend = move || attend(&listener, &hub, &stopped);
            thread::Builder::new().name("live".to_owned()).spawn(attend)
        };
        if let Err(error) = &thread {
            tracing::error!(%error, "cannot serve clients");
        }
        Publisher::new(hub, thread.ok().map(|thread| (stop, thread)))
    }
}

/// Accepts clients, and sends reports, until the server ends.
fn attend(listener: &TcpListener, hub: &Arc<Hub>, stopped: &mpsc::Receiver<()>) {
    let mut reported = Instant::now();
    while stopped.recv_timeout(ACCEPT) == Err(RecvTimeoutError::Timeout) {
        while let Ok((stream, _)) = listener.accept() {
            let hub = hub.clone();
            let serve = move || {
                if stream.set_nonblocking(false).is_ok() {
                    connection::serve(stream, &hub);
                }
            };
            // without a thread, the connection is closed
            let _ = thread::Builder::new().name("live-read".to_owned()).spawn(serve);
        }
        if reported.elapsed() >= REPORT {
            hub.report();
            reported = Instant::now();
        }
    }
}
