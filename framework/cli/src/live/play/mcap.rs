//! Recordings in MCAP files.

use std::path::Path;

use simhost_mcap::{McapError, Recording};
use simhost_streams::{Stamp, Stream};

use super::Tape;
use crate::exit::{Code, Failure};
use crate::terminal;

/// Opens an MCAP file.
pub fn open(path: &Path) -> Result<Recording, Failure> {
    let recording = Recording::open(path).map_err(failure)?;
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
            .map_err(failure)
    }
}

fn failure(error: McapError) -> Failure {
    Failure::new(Code::BadInput, error)
}
