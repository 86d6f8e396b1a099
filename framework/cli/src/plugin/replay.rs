//! `simhost plugin replay`: repeats the call in which a model faulted.

use std::path::{Path, PathBuf};

use clap::Args;
use simhost_abi::fault_code;
use simhost_engine::{Evidence, EvidenceValue, Replay, Replayed};

use crate::arguments::Models;
use crate::process::{Code, Failure};
use crate::{catalogue, evidence, terminal};

/// Arguments of `simhost plugin replay`.
#[derive(Args, Clone, Debug)]
pub struct ReplayFile {
    /// Evidence file `fault-N.json`, written by the run in which the model faulted.
    pub file: PathBuf,

    /// Number of consecutive calls, each continuing from the state of the call before. Stops at a
    /// fault.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub steps: u32,

    #[command(flatten)]
    pub models: Models,
}

/// Repeats the call in an evidence file. The exit code is [`Code::PluginFault`] if the same fault
/// occurs.
pub fn replay(arguments: &ReplayFile) -> Result<Code, Failure> {
    if is_recording(&arguments.file) {
        let file = arguments.file.display();
        let text = format!(
            "{file} is a recording of a run; expected an evidence file `fault-N.json`\nhelp: `simhost play \
             {file}` plays a recording, and `simhost rerun DIR` repeats a run"
        );
        return Err(Failure::new(Code::BadInput, text));
    }
    let evidence = evidence::read(&arguments.file)?;
    let mut models = arguments.models.clone();
    // the plugin is searched where it was loaded from
    let origin = Path::new(&evidence.source);
    if let Some(folder) = origin.parent().filter(|_| origin.is_file()) {
        models.plugin_dir.push(folder.to_path_buf());
    }
    let catalogue = catalogue::collect(&models)?;
    let mut replay = Replay::new(&evidence, &catalogue)
        .map_err(|error| Failure::new(Code::BadInput, error.to_string()))?;
    head(&evidence)?;
    if replay.perceives() {
        terminal::result(
            "note: the model perceives, and nothing is around the vehicle in a replay",
        )?;
    }
    let mut first = None;
    for number in 1..=arguments.steps {
        let replayed = replay.step();
        show(number, &replayed)?;
        let faulted = replayed.fault.0 != fault_code::NONE;
        first.get_or_insert(replayed);
        if faulted {
            break;
        }
    }
    if evidence.code == fault_code::NONE {
        return compare(&evidence, first.as_ref());
    }
    let same = first.is_some_and(|replayed| replayed.is_same(&evidence));
    terminal::result(if same { "the same fault occurred" } else { "the fault did not occur" })?;
    Ok(if same { Code::PluginFault } else { Code::Done })
}

/// Compares the outputs of a call with those that it had.
fn compare(evidence: &Evidence, replayed: Option<&Replayed>) -> Result<Code, Failure> {
    let same = replayed.is_some_and(|replayed| {
        let pairs = replayed.outputs.iter().zip(&evidence.outputs);
        let bits = |one: &EvidenceValue| one.values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        let are_same = pairs.into_iter().all(|(one, other)| bits(one) == bits(other));
        replayed.fault.0 == fault_code::NONE && are_same
    });
    terminal::result(match same {
        true => "the outputs are the same as in the run",
        false => "the outputs differ from those in the run",
    })?;
    Ok(if same { Code::Done } else { Code::Negative })
}

/// Returns whether a path is an MCAP file, or the output folder of a run.
fn is_recording(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "mcap") || path.is_dir()
}

/// Prints the call and its inputs.
fn head(evidence: &Evidence) -> Result<(), Failure> {
    let Evidence { class, version, source, entity, phase, time, dt, text, .. } = evidence;
    terminal::result(&format!("{class} {version} ({source})"))?;
    terminal::result(&format!("`{phase}` for {entity} at {time} s, step {dt} s"))?;
    if !text.is_empty() {
        terminal::result(&format!("message: {text}"))?;
    }
    let parameters: Vec<String> = evidence
        .parameters
        .iter()
        .map(|(key, value)| format!("  {key} = {}", serde_json::json!(value)))
        .collect();
    section("parameters", &parameters)?;
    section("inputs", &lines(&evidence.inputs))?;
    section("states before", &lines(&evidence.states))
}

fn show(number: u32, replayed: &Replayed) -> Result<(), Failure> {
    let (code, text) = &replayed.fault;
    let outcome = match *code {
        fault_code::NONE => "returned".to_owned(),
        _ => format!("{}: {text}", replayed.verb()),
    };
    terminal::result(&format!("call {number}: {outcome}"))?;
    section("outputs", &lines(&replayed.outputs))?;
    section("states after", &lines(&replayed.states))
}

fn lines(quantities: &[EvidenceValue]) -> Vec<String> {
    // a parameter that is equal in all lanes has no value among the inputs
    let quantities = quantities.iter().filter(|quantity| !quantity.values.is_empty());
    quantities.map(|quantity| format!("  {quantity}")).collect()
}

fn section(heading: &str, lines: &[String]) -> Result<(), Failure> {
    if lines.is_empty() {
        return Ok(());
    }
    terminal::result(&format!("{heading}:\n{}", lines.join("\n")))
}
