//! A run of the program with limited memory.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::support::{SIMHOST, Workspace};

/// Result of a run.
pub struct Ended {
    /// Exit code, unless a signal ended the run or it was killed because it hung.
    pub code: Option<i32>,
    /// Standard error.
    pub said: String,
    /// Wall time, s.
    pub seconds: f64,
    /// Processor time, s.
    pub processor_seconds: f64,
    /// Peak memory, MiB.
    pub peak_mib: u64,
}

/// Runs simhost with some words of a command line and a limited address space.
pub fn examine(workspace: &Workspace, words: &str, max_mib: u64, patience: f64) -> Ended {
    let script = format!("ulimit -v {} && exec \"$0\" {words}", max_mib << 10);
    let said_at = workspace.path("said.txt");
    let mut command = Command::new("sh");
    command.args(["-c", &script, SIMHOST]).current_dir(workspace.path(""));
    command.env_remove("SIMHOST_PLUGIN_PATH").env("XDG_CACHE_HOME", workspace.path("cache"));
    command.stdout(Stdio::null()).stderr(std::fs::File::create(&said_at).unwrap());
    // the peak of this process is inherited by its children
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let start = Instant::now();
    let (status, usage) = wait(command.spawn().unwrap().id(), start, patience);
    let seconds = start.elapsed().as_secs_f64();
    let mut said = Vec::new();
    std::fs::File::open(&said_at).unwrap().take(1 << 20).read_to_end(&mut said).unwrap();
    let said = String::from_utf8_lossy(&said).into_owned();
    let processor_seconds = [usage.ru_utime, usage.ru_stime]
        .map(|time| time.tv_sec as f64 + 1e-6 * time.tv_usec as f64)
        .iter()
        .sum();
    let peak_mib = usage.ru_maxrss as u64 >> 10;
    Ended { code: status.code(), said, seconds, processor_seconds, peak_mib }
}

/// Waits for a child, kills it if it takes too long, and returns its status and resource usage.
fn wait(child: u32, start: Instant, patience: f64) -> (ExitStatus, libc::rusage) {
    let child = child as libc::pid_t;
    // SAFETY: a structure of plain numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let mut status = 0;
    loop {
        // SAFETY: both pointers are valid, and nothing else waits for this child.
        let ended = unsafe { libc::wait4(child, &mut status, libc::WNOHANG, &mut usage) };
        if ended != 0 {
            return (ExitStatus::from_raw(status), usage);
        }
        if start.elapsed().as_secs_f64() > patience {
            // SAFETY: the child was started here and has not been waited for.
            unsafe { libc::kill(child, libc::SIGKILL) };
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
