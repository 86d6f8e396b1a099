//! `simhost play`: plays a recorded run to live clients.

mod folder;

use std::path::Path;
use std::sync::Arc;

use simhost::{ClockMode, Selection, Session};
use simhost_desk::{Desk, world_name};
use simhost_live::{
    Cue, Description, LiveError, Player, Server, ServerSettings, Totals, page_address, resolve,
};
use simhost_mcap::Recording;
use simhost_runs::{RunFiles, open_recording};
use simhost_streams::{Stamp, Stream};
use simhost_web::PAGE;

use super::open_browser;
use crate::arguments::{Access, Live, Models, Play};
use crate::control::Control;
use crate::keys::{Keys, PLAY_KEYS};
use crate::process::{Code, Failure};
use crate::{interrupt, opening, terminal};

/// A recording that can be played.
pub trait Tape {
    /// Returns the streams of the recording.
    fn streams(&self) -> Vec<&Stream>;

    /// Calls a function with the index of the stream, the time and the message in CDR of each message in
    /// the order of time, until it returns `false`.
    fn each(&mut self, take: &mut dyn FnMut(usize, Stamp, &[u8]) -> bool) -> Result<(), Failure>;
}

/// Plays a run until it ends and the last client has left, or the program is stopped.
pub fn play(arguments: &Play) -> Result<Code, Failure> {
    let mut tape = open(arguments)?;
    let name = RunFiles::at(&arguments.run).known_as();
    let server = listen(&arguments.live, &arguments.access, name)?;
    announce(&server, &arguments.access);
    let channels: Vec<Description> =
        tape.streams().into_iter().map(Description::of_stream).collect();
    let is_latched: Vec<bool> = channels.iter().map(|channel| channel.is_latched).collect();
    let mut player = Player::new(server, channels, arguments.rate);
    if arguments.step {
        player.deck().pause();
    }
    let mut control = Control::new(Arc::new(player.deck().clone()));
    let keys = Keys::listen(move |key| control.press(key));
    if keys.is_some() {
        terminal::remark(&format!("keys: {PLAY_KEYS}"));
    }
    let is_over: &dyn Fn() -> bool = &interrupt::is_requested;
    player.wait_for_client(is_over);
    let (from, to) = (stamp(arguments.from), arguments.to.map(stamp));
    while once(&mut *tape, &mut player, &is_latched, from, to)? == Cue::Rewind {
        player.rewind();
    }
    player.finish();
    drop(keys);
    report_serving(player.publisher().totals());
    Ok(if interrupt::is_requested() { Code::Interrupted } else { Code::Done })
}

/// Plays a recording from its start to its end.
fn once(
    tape: &mut dyn Tape,
    player: &mut Player,
    is_latched: &[bool],
    from: u64,
    mut to: Option<u64>,
) -> Result<Cue, Failure> {
    let is_over: &dyn Fn() -> bool = &interrupt::is_requested;
    let mut cue = Cue::Sent;
    tape.each(&mut |stream, Stamp(stamp), message| {
        if stamp < from {
            // what holds until the next message belongs to the state at the start
            if is_latched[stream] {
                player.prepare(stream, stamp, message);
            }
            return true;
        }
        if to.is_some_and(|to| stamp > to) {
            player.deck().pause();
            to = None;
        }
        cue = player.play(stream, stamp, message, is_over);
        cue == Cue::Sent
    })?;
    if cue == Cue::Sent { Ok(player.linger(is_over)) } else { Ok(cue) }
}

fn stamp(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

/// Opens the recording of a run, or the tables of its output folder.
fn open(arguments: &Play) -> Result<Box<dyn Tape>, Failure> {
    match RunFiles::at(&arguments.run).recording() {
        Some(recording) => Ok(Box::new(open_tape(&recording)?)),
        None => {
            let tape = folder::open(&arguments.run, &arguments.models)?;
            terminal::remark("the run has no run.mcap; playing the poses of its CSV files");
            Ok(Box::new(tape))
        }
    }
}

/// Opens the tables of an output folder.
pub fn folder_tape(path: &Path, models: &Models) -> Result<impl Tape, Failure> {
    folder::open(path, models)
}

/// Opens an MCAP file.
fn open_tape(path: &Path) -> Result<Recording, Failure> {
    let recording = open_recording(path).map_err(|error| Failure::new(Code::BadInput, error))?;
    if !recording.is_complete() {
        let name = path.display();
        terminal::remark(&format!("{name} is not complete; playing it up to its last whole chunk"));
    }
    match recording.end() {
        Some(_) => Ok(recording),
        None => {
            let text = format!("{}: the recording has no messages", path.display());
            Err(Failure::new(Code::BadInput, text))
        }
    }
}

impl Tape for Recording {
    fn streams(&self) -> Vec<&Stream> {
        self.channels().iter().map(|channel| &*channel.stream).collect()
    }

    fn each(&mut self, take: &mut dyn FnMut(usize, Stamp, &[u8]) -> bool) -> Result<(), Failure> {
        self.for_each(Stamp(0), &mut |message| take(message.index, message.stamp, message.data))
            .map_err(|error| Failure::new(Code::BadInput, error))
    }
}

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
            report_serving(totals());
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
fn announce(server: &Server, access: &Access) {
    let address = server.address();
    terminal::remark(&format!("serving live clients on ws://{address}"));
    if !PAGE.is_empty() {
        let page = page_address(address, access.live_token.as_deref());
        terminal::remark(&format!("open {page} in a browser"));
    }
}

/// Reports samples that slow clients did not receive.
fn report_serving(totals: Totals) {
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
pub(super) fn failure(error: LiveError) -> Failure {
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
