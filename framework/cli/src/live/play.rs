//! `simhost play`: plays a recorded run to live clients.

use std::path::Path;
use std::sync::Arc;

use simhost_live::{Cue, Description, Player};
use simhost_mcap::Recording;
use simhost_runs::{RunFiles, open_recording};
use simhost_streams::{Stamp, Stream};

use super::serving;
use crate::arguments::{Models, Play};
use crate::control::Control;
use crate::exit::{Code, Failure};
use crate::keys::{Keys, PLAY_KEYS};
use crate::{interrupt, terminal};

mod folder;

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
    let server = serving::listen(&arguments.live, &arguments.access, name)?;
    serving::announce(&server, &arguments.access);
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
    serving::report(player.publisher().totals());
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
