//! The thread that reads keys.

use std::io::{IsTerminal, PipeReader, PipeWriter};
use std::os::fd::AsRawFd;

use super::decode::Decoder;
use super::{Key, mode};

/// Time between two looks at the terminal, which another program can have changed while this one was
/// stopped.
const LOOK_MS: libc::c_int = 100;

/// Reads keys until it is dropped.
pub struct Keys {
    /// Closed at the end, which wakes the thread.
    end: Option<PipeWriter>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Keys {
    /// Starts to read keys if standard input and standard error are both terminals. Each key is passed
    /// to `act` on a thread of its own.
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
        let waited = |descriptor, is_used: bool| libc::pollfd {
            fd: if is_used { descriptor } else { -1 },
            events: libc::POLLIN,
            revents: 0,
        };
        let mut both = [waited(wake.as_raw_fd(), true), waited(libc::STDIN_FILENO, is_ours)];
        // SAFETY: the array is valid for its two elements.
        let count = unsafe { libc::poll(both.as_mut_ptr(), 2, LOOK_MS) };
        if count <= 0 {
            decoder.rest();
            continue;
        }
        if both[0].revents != 0 {
            return;
        }
        let mut bytes = [0_u8; 64];
        // SAFETY: the buffer is valid for its length.
        let len = unsafe { libc::read(libc::STDIN_FILENO, bytes.as_mut_ptr().cast(), bytes.len()) };
        match usize::try_from(len) {
            Ok(0) => return,
            Ok(len) => decoder.keys(&bytes[..len]).for_each(&mut act),
            Err(_) => match std::io::Error::last_os_error().kind() {
                std::io::ErrorKind::Interrupted => {}
                _ => return,
            },
        }
    }
}
