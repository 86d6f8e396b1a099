//! The thread that reads keys.

use std::io::{IsTerminal, PipeReader, PipeWriter};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read as read_bytes};
use rustix::stdio::stdin;

use super::decode::Decoder;
use super::{Key, mode};

/// Time between two looks at the terminal, which another program can have changed while this one was
/// stopped.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Reads keys until it is dropped.
pub struct Keys {
    /// Closed at the end, which wakes the thread.
    end: Option<PipeWriter>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Keys {
    /// Starts to read keys if standard input and standard error are both terminals. Each key is
    /// passed to `act` on a separate thread.
    pub fn listen(act: impl FnMut(Key) + Send + 'static) -> Option<Self> {
        if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
            return None;
        }
        let (wake, end) = std::io::pipe().ok()?;
        mode::prepare();
        mode::apply();
        let listen = move || read(&wake, act);
        let thread = std::thread::Builder::new().name("keys".to_owned()).spawn(listen).ok();
        Some(Self { end: Some(end), thread })
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        mode::restore();
    }
}

/// Reads keys until the other end of `wake` is closed, or the terminal is.
fn read(wake: &PipeReader, mut act: impl FnMut(Key)) {
    mode::survive_the_background();
    let mut decoder = Decoder::default();
    loop {
        // in the background, the terminal and its keys belong to another program
        let is_ours = mode::apply();
        let terminal = stdin();
        let mut both = [PollFd::new(wake, PollFlags::IN), PollFd::new(&terminal, PollFlags::IN)];
        let waited = &mut both[..1 + usize::from(is_ours)];
        if poll(waited, Some(&LOOK)).unwrap_or(0) == 0 {
            decoder.rest();
            continue;
        }
        if !both[0].revents().is_empty() {
            return;
        }
        let mut bytes = [0_u8; 64];
        match read_bytes(terminal, &mut bytes) {
            Ok(len @ 1..) => decoder.keys(&bytes[..len]).for_each(&mut act),
            Err(Errno::INTR) => {}
            Ok(0) | Err(_) => return,
        }
    }
}
