//! `$(command)`: the output of a shell command.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Maximum length of the output in bytes.
const MAX_OUTPUT: u64 = 64 * 1024;
/// Maximum running time of a command.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Runs a command and returns its standard output without line breaks and surrounding white space.
///
/// # Errors
/// A description of the failure, to be appended to the command.
pub(super) fn output(command: &str) -> Result<String, String> {
    let end = Instant::now() + TIMEOUT;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = shell.spawn().map_err(|error| format!("cannot be started: {error}"))?;
    let pipe = child.stdout.take();
    let (sender, receiver) = mpsc::channel();
    // the pipe can stay open after the shell has ended, so a thread of its own reads it
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.map(|pipe| pipe.take(MAX_OUTPUT + 1).read_to_end(&mut bytes));
        let _ = sender.send(read.and_then(Result::ok).map(|_| bytes));
    });
    let received = receiver.recv_timeout(TIMEOUT);
    let finished = received
        .as_ref()
        .is_ok_and(|bytes| bytes.as_ref().is_some_and(|bytes| bytes.len() as u64 <= MAX_OUTPUT));
    if !finished {
        let _ = child.kill();
    }
    let Some(status) = wait(&mut child, end) else {
        return Err(format!("takes more than {} s", TIMEOUT.as_secs()));
    };
    match received {
        Err(_) => Err(format!("takes more than {} s", TIMEOUT.as_secs())),
        Ok(None) => Err("has no readable output".to_owned()),
        Ok(Some(_)) if !finished => Err(format!("prints more than {} KiB", MAX_OUTPUT >> 10)),
        Ok(Some(_)) if !status.success() => Err(format!("failed: {status}")),
        Ok(Some(bytes)) => {
            let text =
                String::from_utf8(bytes).map_err(|_| "prints text that is not UTF-8".to_owned())?;
            Ok(text.replace(['\r', '\n'], "").trim().to_owned())
        }
    }
}

/// Waits for the command to end. Kills it at the time `end` and returns `None`.
fn wait(child: &mut Child, end: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(2)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::output;

    #[test]
    fn output_is_trimmed_and_bounded() {
        assert_eq!(output("printf ' a\\nb \\n'"), Ok("ab".to_owned()));
        assert!(output("exit 3").is_err_and(|e| e.contains("failed")));
        assert!(output("yes").is_err_and(|e| e.contains("more than 64 KiB")));
    }
}
