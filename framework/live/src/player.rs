//! Plays recorded messages to clients, at a pace and with pauses that they control.

use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use simhost_services::ServiceDesk;
use simhost_streams::{Control, Input, InputError, Progress};

use crate::channel::Description;
use crate::connection;
use crate::hub::Hub;
use crate::publisher::Publisher;
use crate::settings::{LiveError, ServerSettings};
use crate::sink::LiveSink;

/// Longest time between two looks at requests to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Plays recorded messages to the clients of a server.
///
/// All messages with the same stamp are one step. Clients pause, resume, step, set the pace, return
/// to the start, and end the play, with the services that control a session.
pub struct Player {
    publisher: Publisher,
    deck: Deck,
    /// Stamp of the messages that are being sent, ns.
    now: Option<u64>,
    /// Wall time and stamp from which the pace counts.
    anchor: Option<(Instant, u64)>,
}

/// Decision about the next message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cue {
    /// It has been sent.
    Sent,
    /// The play returns to the start.
    Rewind,
    /// The play ends.
    Stop,
}

/// State that clients control; clones control the same play.
#[derive(Clone, Default)]
pub struct Deck(Arc<(Mutex<DeckRequests>, Condvar)>);

#[derive(Default)]
struct DeckRequests {
    is_paused: bool,
    /// Simulated time per wall time.
    pace: f64,
    /// Number of steps to make during the pause.
    steps: u64,
    is_rewound: bool,
    is_stopped: bool,
}

impl Deck {
    fn lock(&self) -> MutexGuard<'_, DeckRequests> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut DeckRequests)) {
        change(&mut self.lock());
        self.0.1.notify_all();
    }

    fn wait<'a>(
        &self,
        wishes: MutexGuard<'a, DeckRequests>,
        time: Duration,
    ) -> MutexGuard<'a, DeckRequests> {
        let waited = self.0.1.wait_timeout(wishes, time.min(LOOK));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Pauses the play.
    pub fn pause(&self) {
        self.change(|wishes| wishes.is_paused = true);
    }
}

impl Control for Deck {
    fn send(&self, input: Input) -> Result<(), InputError> {
        match input {
            Input::Pause => self.change(|wishes| (wishes.is_paused, wishes.steps) = (true, 0)),
            Input::Resume => self.change(|wishes| (wishes.is_paused, wishes.steps) = (false, 0)),
            Input::Step { steps } => self.change(|wishes| {
                wishes.is_paused = true;
                wishes.steps = wishes.steps.saturating_add(steps);
            }),
            Input::Pace { factor } => self.change(|wishes| wishes.pace = factor),
            Input::Reset { .. } => self.change(|wishes| wishes.is_rewound = true),
            Input::Stop => self.change(|wishes| wishes.is_stopped = true),
            _ => {
                return Err(InputError::Value {
                    name: "the input".to_owned(),
                    found: "a change of a recorded run".to_owned(),
                    expected: "pause, resume, step, pace, reset or stop".to_owned(),
                });
            }
        }
        Ok(())
    }

    fn progress(&self) -> Progress {
        let wishes = self.lock();
        let pace = Some(wishes.pace);
        Progress { is_paused: wishes.is_paused, pace, ..Progress::default() }
    }
}

impl Player {
    /// Serves recorded channels, with a simulated time per wall time.
    pub fn new(server: Server, channels: Vec<Description>, pace: f64) -> Self {
        let deck = Deck::default();
        deck.change(|wishes| wishes.pace = pace);
        let mut publisher = server.publisher(ServiceDesk::new(Arc::new(deck.clone())));
        publisher.set_channels(channels);
        Self { publisher, deck, now: None, anchor: None }
    }

    /// Returns the control of the play.
    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    /// Returns the server.
    pub fn publisher(&self) -> &Publisher {
        &self.publisher
    }

    /// Waits until a client is connected, or `is_over` returns `true`.
    pub fn wait_for_client(&self, is_over: &dyn Fn() -> bool) {
        while !self.publisher.has_clients() && !is_over() && !self.deck.lock().is_stopped {
            std::thread::sleep(LOOK / 5);
        }
    }

    /// Sends a message at once, as the state before the first step.
    pub fn prepare(&mut self, channel: usize, stamp: u64, message: &[u8]) {
        self.publisher.publish(channel, stamp, message);
    }

    /// Sends a message when its time has come. `is_over` is asked from time to time whether the play is
    /// to end.
    pub fn play(
        &mut self,
        channel: usize,
        stamp: u64,
        message: &[u8],
        is_over: &dyn Fn() -> bool,
    ) -> Cue {
        if self.now != Some(stamp) {
            self.end_step();
            match self.wait_until(stamp, is_over) {
                Cue::Sent => self.now = Some(stamp),
                other => return other,
            }
        }
        self.publisher.publish(channel, stamp, message);
        Cue::Sent
    }

    /// Sends the time after the messages of a step.
    fn end_step(&mut self) {
        if let Some(now) = self.now {
            self.publisher.set_time(now);
            self.publisher.send_time();
        }
    }

    fn wait_until(&mut self, stamp: u64, is_over: &dyn Fn() -> bool) -> Cue {
        let deck = self.deck.clone();
        let mut wishes = deck.lock();
        let mut pace = wishes.pace;
        loop {
            if wishes.is_stopped || is_over() {
                return Cue::Stop;
            }
            if std::mem::take(&mut wishes.is_rewound) {
                return Cue::Rewind;
            }
            if wishes.is_paused {
                self.anchor = None;
                if wishes.steps > 0 {
                    wishes.steps -= 1;
                    return Cue::Sent;
                }
                wishes = deck.wait(wishes, LOOK);
                continue;
            }
            if pace != wishes.pace {
                (pace, self.anchor) = (wishes.pace, None);
            }
            let (start, from) =
                *self.anchor.get_or_insert((Instant::now(), self.now.unwrap_or(stamp)));
            let due = Duration::from_nanos(stamp.saturating_sub(from)).as_secs_f64() / pace;
            let left = due - start.elapsed().as_secs_f64();
            if left <= 0.0 {
                return Cue::Sent;
            }
            wishes = deck.wait(wishes, Duration::try_from_secs_f64(left).unwrap_or(LOOK));
        }
    }

    /// Serves the last state after the end of the recording: until clients return to the start, or none
    /// is left, or the play is to end.
    pub fn linger(&mut self, is_over: &dyn Fn() -> bool) -> Cue {
        self.end_step();
        loop {
            let mut wishes = self.deck.lock();
            if wishes.is_stopped || is_over() || !self.publisher.has_clients() {
                return Cue::Stop;
            }
            if std::mem::take(&mut wishes.is_rewound) {
                return Cue::Rewind;
            }
            drop(self.deck.wait(wishes, LOOK));
        }
    }

    /// Begins anew at the start of the recording.
    pub fn rewind(&mut self) {
        self.publisher.rewind();
        (self.now, self.anchor) = (None, None);
    }

    /// Ends the server.
    pub fn finish(&mut self) {
        self.publisher.finish();
    }
}

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
