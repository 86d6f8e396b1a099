//! `$(command)`: the output of a shell command, where the user allows it.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Longest output, in bytes.
const MAX_OUTPUT: u64 = 64 * 1024;
/// Longest time that a command may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The standard output of a command without line breaks and outer white space.
///
/// # Errors
/// What went wrong, as the end of a sentence that begins with the command.
pub(super) fn output(command: &str) -> Result<String, String> {
    let end = Instant::now() + PATIENCE;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = shell.spawn().map_err(|error| format!("cannot be started: {error}"))?;
    let pipe = child.stdout.take();
    let (sender, receiver) = mpsc::channel();
    // a thread of its own, for a pipe may stay open when the shell is gone
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.map(|pipe| pipe.take(MAX_OUTPUT + 1).read_to_end(&mut bytes));
        let _ = sender.send(read.and_then(Result::ok).map(|_| bytes));
    });
    let received = receiver.recv_timeout(PATIENCE);
    let finished = received
        .as_ref()
        .is_ok_and(|bytes| bytes.as_ref().is_some_and(|bytes| bytes.len() as u64 <= MAX_OUTPUT));
    if !finished {
        let _ = child.kill();
    }
    let Some(status) = wait(&mut child, end) else {
        return Err(format!("takes more than {} s", PATIENCE.as_secs()));
    };
    match received {
        Err(_) => Err(format!("takes more than {} s", PATIENCE.as_secs())),
        Ok(None) => Err("has no output that can be read".to_owned()),
        Ok(Some(_)) if !finished => Err(format!("prints more than {} KiB", MAX_OUTPUT >> 10)),
        Ok(Some(_)) if !status.success() => Err(format!("fails: {status}")),
        Ok(Some(bytes)) => {
            let text = String::from_utf8(bytes).map_err(|_| "prints no UTF-8".to_owned())?;
            Ok(text.replace(['\r', '\n'], "").trim().to_owned())
        }
    }
}

/// How the command ended; none when it had to be ended.
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
        assert!(output("exit 3").is_err_and(|e| e.contains("fails")));
        assert!(output("yes").is_err_and(|e| e.contains("more than 64 KiB")));
    }
}
