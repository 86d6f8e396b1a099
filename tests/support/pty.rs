//! A terminal for the program under test.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::waiting::PATIENCE;

/// Text that a terminal shows when its program has ended.
const END: &str = "[the program has ended]";

/// A terminal with a program.
pub struct Terminal {
    /// Side of the person.
    keyboard: File,
    /// Side of the program, which keeps the mode of the terminal when the program has ended.
    line: OwnedFd,
    screen: Arc<Mutex<String>>,
    /// The program.
    pub child: Child,
}

impl Terminal {
    /// Starts a program on a new terminal, which is its standard input, output and error.
    pub fn start(mut command: Command) -> Self {
        let (mut keyboard, mut line) = (0, 0);
        let size = libc::winsize { ws_row: 40, ws_col: 160, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: the addresses are valid; null stands for the defaults.
        let opened = unsafe {
            let none = std::ptr::null_mut();
            libc::openpty(&raw mut keyboard, &raw mut line, none, std::ptr::null(), &raw const size)
        };
        assert_eq!(opened, 0);
        // SAFETY: both descriptors are new, and nothing else owns them.
        let (keyboard, line) = unsafe { (File::from_raw_fd(keyboard), OwnedFd::from_raw_fd(line)) };
        let stream = || Stdio::from(line.try_clone().unwrap());
        command.stdin(stream()).stdout(stream()).stderr(stream());
        command.env("TERM", "xterm");
        // SAFETY: all functions are async-signal-safe.
        unsafe {
            command.pre_exec(|| {
                // a shell starts programs in the background with these ignored
                for signal in [libc::SIGINT, libc::SIGQUIT, libc::SIGHUP] {
                    libc::signal(signal, libc::SIG_DFL);
                }
                libc::setsid();
                libc::ioctl(0, libc::TIOCSCTTY, 0);
                Ok(())
            });
        }
        let child = command.spawn().unwrap();
        let screen = Arc::new(Mutex::new(String::new()));
        let (mut from, to) = (keyboard.try_clone().unwrap(), screen.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(len) = from.read(&mut bytes)
                && len > 0
            {
                to.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..len]));
            }
        });
        Self { keyboard, line, screen, child }
    }

    /// Types keys.
    pub fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Returns everything that has been shown.
    pub fn screen(&self) -> String {
        self.screen.lock().unwrap().clone()
    }

    /// Waits until a text has been shown.
    pub fn wait_for(&self, text: &str) {
        self.wait_until(text, |terminal| terminal.screen().contains(text));
    }

    /// Waits until the terminal reads single keys, or lines.
    pub fn wait_for_keys(&self, single: bool) {
        self.wait_until("mode of the terminal", |terminal| terminal.reads_keys() == single);
    }

    /// Waits until something is the case.
    pub fn wait_until(&self, what: &str, is: impl Fn(&Self) -> bool) {
        let began = Instant::now();
        while !is(self) {
            assert!(began.elapsed() < PATIENCE, "{what} does not come:\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns whether the terminal reads single keys without echo.
    pub fn reads_keys(&self) -> bool {
        // SAFETY: zero is a valid `termios`, and the descriptor is open.
        let flags = unsafe {
            let mut mode: libc::termios = std::mem::zeroed();
            assert_eq!(libc::tcgetattr(self.line.as_raw_fd(), &raw mut mode), 0);
            mode.c_lflag & (libc::ICANON | libc::ECHO)
        };
        assert!(flags == 0 || flags == libc::ICANON | libc::ECHO, "half of the mode is restored");
        flags == 0
    }

    /// Sends a signal to the program.
    pub fn signal(&self, signal: libc::c_int) {
        // SAFETY: the child has not been waited for, so that its number is still its own.
        unsafe { libc::kill(libc::pid_t::try_from(self.child.id()).unwrap(), signal) };
    }

    /// Waits for the end of the program, which must have restored the terminal, and until all that it has
    /// written is on the screen.
    pub fn end(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(!self.reads_keys(), "the terminal is restored:\n{}", self.screen());
                // comes after everything that the program has written
                File::from(self.line.try_clone().unwrap()).write_all(END.as_bytes()).unwrap();
                self.wait_for(END);
                return status;
            }
            if began.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                panic!("the program does not end:\n{}", self.screen());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
