//! `$(command)`: the output of a shell command.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Maximum length of the output in bytes.
const MAX_OUTPUT: u64 = 64 * 1024;
/// Maximum running time of a command.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Interval between checks for the end of a command.
const PAUSE: Duration = Duration::from_millis(2);

/// Runs a command and returns its standard output without line breaks and surrounding white space.
/// The command ends early if `stop` is set. All processes of its process group end with it.
///
/// # Errors
/// A description of the failure, to be appended to the command.
pub(super) fn output(command: &str, stop: &AtomicBool) -> Result<String, String> {
    let watch = Watch { end: Instant::now() + TIMEOUT, stop };
    watch.check()?;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).stdin(Stdio::null()).stdout(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    let mut child = shell.spawn().map_err(|error| format!("cannot be started: {error}"))?;
    let outcome = finish(&mut child, &watch);
    kill(&mut child);
    let (status, bytes) = outcome?;
    if !status.success() {
        return Err(format!("failed: {status}"));
    }
    let text = String::from_utf8(bytes).map_err(|_| "prints text that is not UTF-8".to_owned())?;
    Ok(text.replace(['\r', '\n'], "").trim().to_owned())
}

/// Returns the status and the output of a command after its end.
fn finish(child: &mut Child, watch: &Watch<'_>) -> Result<(ExitStatus, Vec<u8>), String> {
    let output = collect(child);
    let bytes = loop {
        match output.recv_timeout(PAUSE) {
            Ok(bytes) => break bytes.ok_or("has no readable output")?,
            Err(RecvTimeoutError::Timeout) => watch.check()?,
            Err(RecvTimeoutError::Disconnected) => return Err("has no readable output".to_owned()),
        }
    };
    if bytes.len() as u64 > MAX_OUTPUT {
        return Err(format!("prints more than {} KiB", MAX_OUTPUT >> 10));
    }
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok((status, bytes)),
            Ok(None) => {
                watch.check()?;
                std::thread::sleep(PAUSE);
            }
            Err(error) => return Err(format!("cannot be observed: {error}")),
        }
    }
}

/// Reads the output on a separate thread, because the pipe can stay open after the shell has ended.
fn collect(child: &mut Child) -> Receiver<Option<Vec<u8>>> {
    let pipe = child.stdout.take();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.map(|pipe| pipe.take(MAX_OUTPUT + 1).read_to_end(&mut bytes));
        let _ = sender.send(read.and_then(Result::ok).map(|_| bytes));
    });
    receiver
}

/// The reasons to end a command early.
struct Watch<'s> {
    end: Instant,
    stop: &'s AtomicBool,
}

impl Watch<'_> {
    /// Checks that a command has neither been stopped nor taken too long.
    fn check(&self) -> Result<(), String> {
        if self.stop.load(Ordering::Relaxed) {
            return Err("was stopped".to_owned());
        }
        if Instant::now() >= self.end {
            return Err(format!("takes more than {} s", TIMEOUT.as_secs()));
        }
        Ok(())
    }
}

/// Ends a command and everything that it has started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    use super::output;

    fn run(command: &str) -> Result<String, String> {
        output(command, &AtomicBool::new(false))
    }

    #[test]
    fn output_is_trimmed_and_bounded() {
        assert_eq!(run("printf ' a\\nb \\n'"), Ok("ab".to_owned()));
        assert!(run("exit 3").is_err_and(|e| e.contains("failed")));
        assert!(run("yes").is_err_and(|e| e.contains("more than 64 KiB")));
    }

    /// A stopped command used to run to its end, or for 10 s.
    #[test]
    fn a_command_can_be_stopped() {
        let stop = AtomicBool::new(false);
        let began = Instant::now();
        let outcome = std::thread::scope(|scope| {
            let outcome = scope.spawn(|| output("sleep 5", &stop));
            std::thread::sleep(std::time::Duration::from_millis(50));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            outcome.join().expect("the thread does not panic")
        });
        assert!(outcome.is_err_and(|e| e.contains("stopped")));
        assert!(began.elapsed().as_secs_f64() < 2.0);
    }

    /// Processes that a command left in the background used to survive it.
    #[test]
    fn background_processes_end_with_their_command() {
        let id = run("sleep 60 >/dev/null & echo $!").map(|id| id.parse().unwrap_or(0));
        let id = rustix::process::Pid::from_raw(id.unwrap_or(0)).expect("it prints a number");
        let began = Instant::now();
        // the system may take a moment to remove it
        while rustix::process::test_kill_process(id).is_ok() {
            assert!(began.elapsed().as_secs_f64() < 5.0, "{id:?} still runs");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}
