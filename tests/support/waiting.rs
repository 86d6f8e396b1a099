//! Waiting for something that a program does.

use std::ops::{Deref, DerefMut};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// Time after which a test gives up, so that a program that hangs fails it. It is far above the time of
/// every test, because the machine may be busy.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A program that ends with its test, also if the test fails.
pub struct Program(Child);

impl Program {
    /// Starts a program.
    pub fn start(command: &mut Command) -> Self {
        Self(command.spawn().unwrap())
    }
}

impl Deref for Program {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Program {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // fails if it has ended
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until a condition holds.
pub fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "waited for {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Waits for the end of a program, and kills it if it does not end.
pub fn end_of(child: &mut Child) -> ExitStatus {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if began.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("the program does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Runs cases that mostly wait at the same time, on separate threads.
pub fn at_once<T: Send>(cases: impl IntoIterator<Item = T>, perform: impl Fn(T) + Sync) {
    std::thread::scope(|scope| {
        for case in cases {
            let perform = &perform;
            scope.spawn(move || perform(case));
        }
    });
}

/// Sends a signal to a program.
#[cfg(unix)]
pub fn send(child: &Child, signal: libc::c_int) {
    let id = libc::pid_t::try_from(child.id()).unwrap();
    // SAFETY: the child has not been waited for, so that the number is still its own.
    assert_eq!(unsafe { libc::kill(id, signal) }, 0);
}

/// Waits until a program handles a signal. Before, the signal would end it. Where the system has no
/// `/proc`, this does not wait.
#[cfg(unix)]
pub fn wait_for_handler(child: &Child, signal: libc::c_int) {
    let status = format!("/proc/{}/status", child.id());
    wait_for("the handler of a signal", || {
        let Ok(text) = std::fs::read_to_string(&status) else { return !cfg!(target_os = "linux") };
        let mask = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
        u64::from_str_radix(mask, 16).unwrap() >> (signal - 1) & 1 == 1
    });
}
