//! `simhost sweep --on`: studies on a cluster. An existing engine starts `simhost sweep chunk` for each chunk, and follows
//! and repeats it; this writes the script, waits for it, and joins the rows.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

use simhost_sweep::{StudyFolder, StudyPlan};

use super::verify::failure;
use crate::process::{Code, Failure, Process};
use crate::sweep::{Engine, PlannedSweep};
use crate::{interrupt, terminal};

/// Name of the list of chunks in the folder of a study.
const CHUNKS: &str = "chunks.txt";
/// Name of the folder for messages of chunks.
const LOGS: &str = "chunks";
/// Wall time between two looks at the script.
const LOOK: Duration = Duration::from_millis(20);

/// Lets an engine simulate the runs that have no rows. Returns whether all have rows then.
pub fn simulate(
    arguments: &PlannedSweep,
    engine: Engine,
    plan: &StudyPlan,
    folder: &StudyFolder,
) -> Result<bool, Failure> {
    let path = std::path::absolute(folder.path()).map_err(|error| output(folder.path(), &error))?;
    let runs = folder.missing(plan);
    let chunks: BTreeSet<u64> = runs.iter().map(|run| run / arguments.chunk_size).collect();
    if chunks.is_empty() {
        return Ok(true);
    }
    folder.carry(plan).map_err(failure)?;
    let lines: Vec<String> = chunks.iter().map(u64::to_string).collect();
    write(&path.join(CHUNKS), &(lines.join("\n") + "\n"))?;
    let logs = path.join(LOGS);
    std::fs::create_dir_all(&logs).map_err(|error| output(&logs, &error))?;
    let Some((name, text)) = script(arguments, engine, &path, chunks.len())? else {
        let (count, size) = (chunks.len(), arguments.chunk_size);
        let list = folder.path().join(CHUNKS).display().to_string();
        terminal::result(&format!("{count} chunks of {size} runs in {list}"))?;
        return Ok(true);
    };
    let script = path.join(name);
    write(&script, &text)?;
    let is_done = submit(engine, &script, &path)?;
    remove_empty(&logs);
    Ok(is_done)
}

/// Runs a script in the folder of its study. Returns whether it has succeeded.
fn submit(engine: Engine, script: &Path, folder: &Path) -> Result<bool, Failure> {
    let words: &[&str] = match engine {
        Engine::Hyperqueue => &["python3"],
        Engine::Slurm => &["sbatch", "--wait"],
        Engine::Folder => return Ok(true),
    };
    let program = words[0];
    let mut command = Command::new(program);
    let child = command.args(&words[1..]).arg(script).current_dir(folder).spawn();
    let child = child.map_err(|error| {
        let text = format!(
            "cannot start {program}: {error}\nhelp: `simhost sweep … --print-script` prints the script, which can be \
             started elsewhere; --resume then joins the rows"
        );
        Failure::new(Code::Output, text)
    })?;
    let status = follow(child).map_err(|error| output(script, &error))?;
    if !status.success() && !interrupt::is_requested() {
        terminal::warning(&format!("{program} {} has ended with {status}", script.display()));
    }
    Ok(status.success())
}

/// Prints the script.
pub fn print(
    arguments: &PlannedSweep,
    engine: Engine,
    plan: &StudyPlan,
    folder: &Path,
) -> Result<Code, Failure> {
    let path = std::path::absolute(folder).map_err(|error| output(folder, &error))?;
    let count = plan.runs().div_ceil(arguments.chunk_size) as usize;
    let Some((_, text)) = script(arguments, engine, &path, count)? else {
        let text =
            "`--on folder` has no script; expected `hyperqueue` or `slurm` for --print-script";
        return Err(Failure::new(Code::Usage, text));
    };
    terminal::document(&text)?;
    Ok(Code::Done)
}

/// Waits for a script. Ctrl-C reaches it, too.
fn follow(mut child: Child) -> std::io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        std::thread::sleep(LOOK);
    }
}

/// Returns name and text of the script that an engine runs, if there is one.
fn script(
    arguments: &PlannedSweep,
    engine: Engine,
    folder: &Path,
    chunks: usize,
) -> Result<Option<(&'static str, String)>, Failure> {
    let (program, options) = (program()?, options(arguments));
    let list = |words: &[String], written: fn(&str) -> String, between: &str| {
        words.iter().map(|one| written(one)).collect::<Vec<_>>().join(between)
    };
    let words = |written: fn(&str) -> String, between| {
        let folder = written(&folder.display().to_string());
        let [program, options] = [&program, &options].map(|words| list(words, written, between));
        [("{program}", program), ("{folder}", folder), ("{options}", options)]
    };
    Ok(Some(match engine {
        Engine::Folder => return Ok(None),
        Engine::Hyperqueue => {
            let server = arguments.server_dir.as_ref().map(|dir| python(&absolute(dir)));
            let text = filled(include_str!("cluster/submit.py"), &words(python, ", "));
            let parts = [
                ("{server}", server.unwrap_or_else(|| "None".to_owned())),
                ("{workers}", arguments.threads.unwrap_or_else(cores).to_string()),
            ];
            ("submit.py", filled(&text, &parts))
        }
        Engine::Slurm => {
            let text = filled(include_str!("cluster/submit.sh"), &words(shell, " "));
            let parts = [
                ("{last}", chunks.saturating_sub(1).to_string()),
                ("{output}", folder.join(LOGS).join("%a.log").display().to_string()),
            ];
            ("submit.sh", filled(&text, &parts))
        }
    }))
}

/// Returns the words that start this program: its path, and what stands between that and the verb.
fn program() -> Result<Vec<String>, Failure> {
    let process = Process::present();
    let Some(program) = &process.program else {
        let text = "cannot find the path of this program, which chunks run; expected a running program with a file";
        return Err(Failure::new(Code::Output, text));
    };
    let before = process.before.iter().map(|word| word.to_string_lossy().into_owned());
    Ok(std::iter::once(program.display().to_string()).chain(before).collect())
}

/// Returns the options of the program that simulates a chunk.
fn options(arguments: &PlannedSweep) -> Vec<String> {
    let mut options = vec!["--size".to_owned(), arguments.chunk_size.to_string()];
    if let Some(limit) = arguments.time_limit {
        options.extend(["--time-limit".to_owned(), limit.to_string()]);
    }
    for without in &arguments.models.builtin {
        options.extend(["--builtin".to_owned(), without.to_string()]);
    }
    options
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

fn filled(text: &str, parts: &[(&str, String)]) -> String {
    parts.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
}

/// Returns a text as Python writes it.
fn python(text: &str) -> String {
    // the escapes of JSON are among those of Python
    serde_json::Value::from(text).to_string()
}

/// Returns a text as a word of a shell.
fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

/// Removes messages of chunks that had nothing to say.
fn remove_empty(logs: &Path) {
    let Ok(entries) = std::fs::read_dir(logs) else { return };
    for entry in entries.flatten() {
        let is_log = entry.path().extension().is_some_and(|end| end == "log");
        if is_log && entry.metadata().is_ok_and(|data| data.len() == 0) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn write(path: &PathBuf, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| output(path, &error))
}

fn output(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Code::Output, format!("cannot write {}: {error}", path.display()))
}
