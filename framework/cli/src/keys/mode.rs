//! The mode of the terminal: single keys without echo, and back.
//!
//! The raw mode of crossterm and of termion also disables Ctrl-C, Ctrl-Z and the line breaks of the
//! progress bar, and neither can restore a terminal from a handler of signals.

use std::io::{IsTerminal, PipeReader, PipeWriter};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read as read_bytes};
use rustix::process::getpgrp;
use rustix::stdio::stdin;
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr,
};

use super::Key;

/// Signals that end the process, unless something else handles them. Crashes and `SIGINT`,
/// `SIGTERM` and `SIGHUP` have separate handlers.
const ENDING: [libc::c_int; 5] =
    [libc::SIGQUIT, libc::SIGXCPU, libc::SIGUSR2, libc::SIGVTALRM, libc::SIGPROF];

/// Whether [`BEFORE`] is to be restored.
static IS_CHANGED: AtomicBool = AtomicBool::new(false);
/// Whether the process ends, so that the terminal must not be changed again.
static IS_OVER: AtomicBool = AtomicBool::new(false);
/// Mode before the change.
static mut BEFORE: MaybeUninit<Termios> = MaybeUninit::uninit();

/// Installs the handlers of signals that stop or end the process.
pub fn prepare() {
    for signal in ENDING {
        install(signal, end, libc::SA_RESETHAND | libc::SA_NODEFER);
    }
    install(libc::SIGTSTP, suspend, libc::SA_NODEFER);
}

/// Installs a handler if the default action would take place.
fn install(signal: libc::c_int, handler: extern "C" fn(libc::c_int), flags: libc::c_int) {
    // SAFETY: zero is a valid `sigaction`, and the handler only calls functions that are
    // async-signal-safe.
    unsafe {
        let mut before: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut before);
        if before.sa_sigaction != libc::SIG_DFL {
            return;
        }
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = flags | libc::SA_ONSTACK | libc::SA_RESTART;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(signal, &raw const action, std::ptr::null_mut());
    }
}

/// Restores the terminal, then lets the signal end the process.
extern "C" fn end(signal: libc::c_int) {
    restore_for_good();
    // SAFETY: `raise` is async-signal-safe. The default action is in place again.
    unsafe { libc::raise(signal) };
}

/// Restores the terminal, and stops the process. The thread of the keys changes the terminal again
/// when the process continues in the foreground.
extern "C" fn suspend(signal: libc::c_int) {
    restore();
    // SAFETY: all functions are async-signal-safe, and the actions are valid. `errno` belongs to the
    // code that was interrupted.
    unsafe {
        let error = std::io::Error::last_os_error().raw_os_error();
        let mut default: libc::sigaction = std::mem::zeroed();
        let mut before: libc::sigaction = std::mem::zeroed();
        default.sa_sigaction = libc::SIG_DFL;
        libc::sigaction(signal, &raw const default, &raw mut before);
        libc::raise(signal);
        libc::sigaction(signal, &raw const before, std::ptr::null_mut());
        if let Some(error) = error {
            set_errno(error);
        }
    }
}

fn set_errno(error: i32) {
    #[cfg(any(target_os = "linux", target_os = "emscripten"))]
    // SAFETY: the function returns the address of `errno` of this thread.
    unsafe {
        *libc::__errno_location() = error;
    }
    #[cfg(target_vendor = "apple")]
    // SAFETY: the function returns the address of `errno` of this thread.
    unsafe {
        *libc::__error() = error;
    }
    #[cfg(not(any(target_os = "linux", target_os = "emscripten", target_vendor = "apple")))]
    let _ = error;
}

/// Lets a read fail on this thread, rather than stop the process, if another program has the terminal.
pub fn survive_the_background() {
    // SAFETY: the set is valid after `sigemptyset`.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGTTIN);
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
    }
}

/// Returns whether this program has the terminal. Async-signal-safe.
fn is_in_foreground() -> bool {
    tcgetpgrp(stdin()).is_ok_and(|group| group == getpgrp())
}

/// Changes the terminal to single keys without echo, if it is not so yet. Returns whether this program
/// may read keys.
pub fn apply() -> bool {
    if IS_OVER.load(Ordering::SeqCst) || !is_in_foreground() {
        return false;
    }
    let Ok(mut mode) = tcgetattr(stdin()) else { return false };
    let lines = LocalModes::ICANON | LocalModes::ECHO;
    if !mode.local_modes.intersects(lines) {
        return true;
    }
    IS_CHANGED.store(false, Ordering::SeqCst);
    // SAFETY: `BEFORE` is written only here, while `IS_CHANGED` keeps handlers of signals from reading it.
    unsafe { (&raw mut BEFORE).cast::<Termios>().write(mode.clone()) };
    IS_CHANGED.store(true, Ordering::SeqCst);
    mode.local_modes.remove(lines);
    mode.special_codes[SpecialCodeIndex::VMIN] = 1;
    mode.special_codes[SpecialCodeIndex::VTIME] = 0;
    tcsetattr(stdin(), OptionalActions::Now, &mode).is_ok()
}

/// Restores the terminal if it was changed. Async-signal-safe.
pub fn restore() {
    // a program in the background would be stopped, and a shell has restored the terminal already
    if IS_CHANGED.swap(false, Ordering::SeqCst) && is_in_foreground() {
        // SAFETY: `BEFORE` is initialised if `IS_CHANGED` was set.
        let mode = unsafe { &*(&raw const BEFORE).cast::<Termios>() };
        let _ = tcsetattr(stdin(), OptionalActions::Now, mode);
    }
}

/// Restores the terminal because the process ends. Async-signal-safe.
pub fn restore_for_good() {
    IS_OVER.store(true, Ordering::SeqCst);
    restore();
}

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
        prepare();
        apply();
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
        restore();
    }
}

/// Reads keys until the other end of `wake` is closed, or the terminal is.
fn read(wake: &PipeReader, mut act: impl FnMut(Key)) {
    survive_the_background();
    let mut decoder = Decoder::default();
    loop {
        // in the background, the terminal and its keys belong to another program
        let is_ours = apply();
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

/// Finds keys in the bytes of a terminal, and skips the sequences of other keys, such as arrows.
#[derive(Debug, Default)]
struct Decoder {
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Plain,
    /// After an escape character.
    Escape,
    /// In a sequence that ends with a letter or `~`.
    Sequence,
    /// In a sequence that has one more character.
    Single,
}

impl Decoder {
    /// Returns the keys in the next bytes. A sequence can begin in one call and end in another.
    pub fn keys<'a>(&'a mut self, bytes: &'a [u8]) -> impl Iterator<Item = Key> + 'a {
        bytes.iter().filter_map(|byte| self.key(*byte))
    }

    /// Forgets the beginning of a sequence: nothing has followed it for some time.
    pub fn rest(&mut self) {
        self.state = State::Plain;
    }

    fn key(&mut self, byte: u8) -> Option<Key> {
        let state = std::mem::take(&mut self.state);
        if byte == 0x1b {
            self.state = State::Escape;
            return None;
        }
        match state {
            State::Plain => return plain(byte),
            State::Escape if byte == b'[' => self.state = State::Sequence,
            State::Escape if byte == b'O' => self.state = State::Single,
            State::Sequence if !(0x40..=0x7e).contains(&byte) => self.state = State::Sequence,
            State::Escape | State::Sequence | State::Single => {}
        }
        None
    }
}

fn plain(byte: u8) -> Option<Key> {
    match byte {
        b' ' => Some(Key::Pause),
        b'.' => Some(Key::Step),
        // `=` is `+` without the shift key
        b'+' | b'=' => Some(Key::Faster),
        b'-' => Some(Key::Slower),
        b'q' | b'Q' => Some(Key::Quit),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Decoder, Key};

    #[test]
    fn keys_are_found_between_others() {
        let found: Vec<Key> = Decoder::default().keys(b"x .+=-Qy").collect();
        let expected = [Key::Pause, Key::Step, Key::Faster, Key::Faster, Key::Slower, Key::Quit];
        assert_eq!(found, expected);
    }

    #[test]
    fn sequences_of_other_keys_are_skipped() {
        let mut decoder = Decoder::default();
        // arrow up, delete, 1 and . of a number pad, Alt-q, and a sequence in two parts
        let bytes = b"\x1b[A\x1b[3~\x1bOq\x1bOn\x1bq\x1b[1;5";
        assert_eq!(decoder.keys(bytes).next(), None);
        assert_eq!(decoder.keys(b"C ").collect::<Vec<_>>(), [Key::Pause]);
        assert_eq!(decoder.keys(b"\x1b").next(), None);
        decoder.rest();
        assert_eq!(decoder.keys(b"q").next(), Some(Key::Quit));
    }
}
