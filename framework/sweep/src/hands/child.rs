//! Processes that simulate runs, so that a crash costs one run.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::{Hands, Isolation};
use crate::batch;
use crate::error::StudyError;
use crate::plan::StudyPlan;
use crate::row::RunRow;

/// Wall time between two looks at a process.
const LOOK: Duration = Duration::from_millis(5);
/// Wall time in which a process starts and opens the world.
const START: Duration = Duration::from_secs(10);

type Simulated = Result<Vec<RunRow>, Vec<RunRow>>;

/// Simulates runs in a process. What is missing after a crash is divided until the run is found that has caused it.
pub fn rows(
    plan: &StudyPlan,
    isolation: &Isolation,
    folder: PathBuf,
    runs: &[u64],
    hands: &Hands<'_>,
) -> Result<Simulated, StudyError> {
    let limit = hands
        .time_limit
        .map(|limit| START + Duration::from_secs_f64(2.0 * limit * runs.len() as f64));
    let Outcome { mut rows, end } = simulate(isolation, &folder, runs, limit, hands)?;
    let missing: Vec<u64> =
        runs.iter().copied().filter(|run| rows.iter().all(|row| row.run != *run)).collect();
    let reason = match end {
        _ if missing.is_empty() => return Ok(Ok(rows)),
        End::Stopped => return Ok(Err(rows)),
        End::TimedOut => "its process has not ended in time".to_owned(),
        End::Exit(status, message) => described(status, &message),
    };
    if let [run] = missing[..] {
        rows.push(batch::crashed(plan, run, &reason));
        return Ok(Ok(rows));
    }
    let more = halves(plan, isolation, &folder, &missing, hands)?;
    let join = |more: Vec<RunRow>| [rows, more].concat();
    Ok(match more {
        Ok(more) => Ok(join(more)),
        Err(more) => Err(join(more)),
    })
}

/// Simulates both halves of the runs, because one of them has crashed a process.
fn halves(
    plan: &StudyPlan,
    isolation: &Isolation,
    folder: &Path,
    missing: &[u64],
    hands: &Hands<'_>,
) -> Result<Simulated, StudyError> {
    let mut rows = Vec::new();
    let (first, second) = missing.split_at(missing.len().div_ceil(2));
    for half in [first, second] {
        match self::rows(plan, isolation, folder.to_owned(), half, hands)? {
            Ok(more) => rows.extend(more),
            Err(more) => {
                rows.extend(more);
                return Ok(Err(rows));
            }
        }
    }
    Ok(Ok(rows))
}

/// How a process has ended.
enum End {
    Exit(ExitStatus, String),
    Stopped,
    TimedOut,
}

struct Outcome {
    rows: Vec<RunRow>,
    end: End,
}

fn simulate(
    isolation: &Isolation,
    folder: &Path,
    runs: &[u64],
    limit: Option<Duration>,
    hands: &Hands<'_>,
) -> Result<Outcome, StudyError> {
    let failed = |error: std::io::Error| StudyError::Child(error.to_string());
    let mut child = command(isolation, folder, runs, hands).spawn().map_err(failed)?;
    let (output, messages) = (child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        let lines = scope.spawn(|| read_rows(output));
        let texts = scope.spawn(|| {
            let mut text = String::new();
            if let Some(messages) = messages {
                let _ = messages.take(1 << 16).read_to_string(&mut text);
            }
            text
        });
        let end = follow(&mut child, limit, hands);
        let (rows, text) = (lines.join().unwrap_or_default(), texts.join().unwrap_or_default());
        let end = match end.map_err(failed)? {
            Followed::Exit(status) => End::Exit(status, text),
            Followed::Stopped => End::Stopped,
            Followed::TimedOut => End::TimedOut,
        };
        Ok(Outcome { rows, end })
    })
}

/// Returns the command that simulates runs and prints their rows.
fn command(isolation: &Isolation, folder: &Path, runs: &[u64], hands: &Hands<'_>) -> Command {
    let list: Vec<String> = runs.iter().map(u64::to_string).collect();
    let mut command = Command::new(&isolation.program);
    command.args(&isolation.before).args(["sweep", "chunk"]).arg(folder);
    command.args(&isolation.arguments).args(["--print", "--runs", &list.join(",")]);
    if let Some(limit) = hands.time_limit {
        command.args(["--time-limit", &limit.to_string()]);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

enum Followed {
    Exit(ExitStatus),
    Stopped,
    TimedOut,
}

/// Waits for a process, and ends it when it takes too long.
fn follow(
    child: &mut Child,
    limit: Option<Duration>,
    hands: &Hands<'_>,
) -> std::io::Result<Followed> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Followed::Exit(status));
        }
        let end = match limit {
            _ if (hands.is_stopped)() => Followed::Stopped,
            Some(limit) if began.elapsed() > limit => Followed::TimedOut,
            _ => {
                std::thread::sleep(LOOK);
                continue;
            }
        };
        child.kill()?;
        child.wait()?;
        return Ok(end);
    }
}

fn read_rows(output: Option<impl Read>) -> Vec<RunRow> {
    let Some(output) = output else { return Vec::new() };
    let mut rows = Vec::new();
    let mut reader = BufReader::new(output);
    let mut line = Vec::new();
    // what a crash has cut off is not a row
    while matches!(reader.read_until(b'\n', &mut line), Ok(1..)) {
        rows.extend(line.strip_suffix(b"\n").and_then(RunRow::from_line));
        line.clear();
    }
    rows
}

/// Describes how a process has ended.
fn described(status: ExitStatus, message: &str) -> String {
    let mut lines = message.lines().filter(|line| !line.trim().is_empty());
    let message = lines.find(|line| line.contains("error")).map(str::trim).unwrap_or_default();
    let end = status.code().map_or_else(
        || format!("its process has crashed ({status})"),
        |code| format!("its process has ended with exit code {code}"),
    );
    if message.is_empty() { end } else { format!("{end}: {message}") }
}
