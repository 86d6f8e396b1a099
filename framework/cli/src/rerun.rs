//! `simhost rerun`: repeats a recorded run and compares its results.

use std::path::{Path, PathBuf};

use clap::Args;
use simhost::output::{Manifest, ManifestDifference, Recorded};
use simhost::{Gpu, GpuMode};

use crate::arguments::{Export, Models, Run, threads};
use crate::process::{Code, Failure};
use crate::run::{self, Performed};
use crate::stepping::Finished;
use crate::{ensemble, opening, terminal};

/// Arguments of `simhost rerun`.
#[derive(Args, Clone, Debug)]
pub struct Rerun {
    /// Output directory of the run to repeat.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Write the files of the repeated run to this directory.
    #[arg(short, long, value_name = "DIR2")]
    pub out: Option<PathBuf>,

    /// Write to that directory even if it has files that no run of simhost has written.
    #[arg(long, requires = "out")]
    pub force: bool,

    /// Number of threads. Results do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    /// Allow the world to download files, or to run the code of FMUs (repeatable).
    #[arg(long, value_name = "WHAT", value_parser = ["net", "fmu", "fmu-in-process"])]
    pub allow: Vec<String>,

    /// Read addresses that start with URL_PREFIX from a local folder instead (repeatable).
    #[arg(long, value_name = "URL_PREFIX=DIR")]
    pub mirror: Vec<String>,

    #[command(flatten)]
    pub models: Models,
}

/// Repeats a run. The exit code is [`Code::Negative`] if its result hash is another one.
pub fn rerun(arguments: &Rerun) -> Result<Code, Failure> {
    if arguments.folder.is_file() {
        return Err(is_a_file(&arguments.folder));
    }
    let recorded =
        Recorded::read(&arguments.folder).map_err(|error| opening::failure(error.into()))?;
    let run = as_run(arguments, &recorded)?;
    if let Some(count) = run.varying.all() {
        return ensemble::repeat(&run, count, &recorded);
    }
    let Performed { session, ended, files, manifest, .. } = run::perform(&run, Some(&recorded))?;
    let failed = match ended {
        Ok(Finished::Interrupted) => {
            terminal::remark("interrupted before the end of the run");
            return Ok(Code::Interrupted);
        }
        Ok(_) => None,
        Err(failure) if matches!(failure.code, Code::PluginFault | Code::Diverged | Code::Gpu) => {
            Some(failure)
        }
        Err(failure) => return Err(failure),
    };
    let simulation = session.simulation();
    let clock = simulation.clock();
    let (steps, time, inputs) = (clock.steps, clock.time(), recorded.inputs.list.len());
    terminal::result(&format!("repeated {steps} steps, {time} s, {inputs} inputs"))?;
    report_gaps(&recorded);
    let found = format!("{:032x}", simulation.result_hash());
    let code = match recorded.end() {
        None => {
            terminal::result(&format!("result hash {found}; the run has recorded none"))?;
            failed.map_or(Ok(Code::Done), Err)?
        }
        Some(end) => {
            let is_same = end.result_hash == found && end.step == steps;
            if is_same && failed.is_some() == end.error.is_some() {
                if let Some(error) = &end.error {
                    terminal::result(&format!("ended as the run did: {error}"))?;
                }
                terminal::result(&format!("result hash {found} agrees"))?;
                Code::Done
            } else {
                let text = format!(
                    "result hash differs: recorded {} after step {}, found {found} after step {steps}",
                    end.result_hash, end.step
                );
                terminal::result(&text)?;
                explain(end.error.as_deref(), failed.as_ref())?;
                list(&recorded.differences(&manifest.unwrap_or_default()))?;
                advise(arguments);
                Code::Negative
            }
        }
    };
    if let Some(directory) = &arguments.out {
        terminal::result(&format!("{} files in {}", files.len(), directory.display()))?;
    }
    Ok(code)
}

/// Returns the failure for a file in place of an output directory.
fn is_a_file(path: &Path) -> Failure {
    let shown = path.display();
    let help = match path.extension().is_some_and(|extension| extension == "mcap") {
        true => format!(
            "name the output directory of the run, which has its world and its inputs; `simhost play \
             {shown}` plays the recording"
        ),
        false => "name the output directory of the run".to_owned(),
    };
    let text = format!(
        "{shown} is a file; expected a directory that `simhost run --out` has written\nhelp: {help}"
    );
    Failure::new(Code::BadInput, text)
}

/// Returns the arguments of a run that does the same as the recorded one.
fn as_run(arguments: &Rerun, recorded: &Recorded) -> Result<Run, Failure> {
    let Rerun { folder, out, force, threads, allow, mirror, models } = arguments;
    let manifest = &recorded.manifest;
    if manifest.flat_world_sha256.is_none() {
        let text = format!(
            "{} has no world.flat.xml: a program has built the world of the run\nhelp: repeat it with \
             that program",
            folder.display()
        );
        return Err(Failure::new(Code::BadInput, text));
    }
    let same = |out: &Path| {
        out.canonicalize().is_ok_and(|out| folder.canonicalize().is_ok_and(|it| it == out))
    };
    if out.as_deref().is_some_and(same) {
        let text =
            "--out is the directory of the run that is repeated\nhelp: choose another directory";
        return Err(Failure::new(Code::Usage, text));
    }
    let mut words = vec!["simhost".into(), "run".into(), recorded.world().into_os_string()];
    words.extend(allow.iter().flat_map(|allow| ["--allow".into(), allow.into()]));
    words.extend(mirror.iter().flat_map(|mirror| ["--mirror".into(), mirror.into()]));
    let off = manifest.options.builtin_off.iter();
    words.extend(off.flat_map(|off| ["--builtin".into(), off.into()]));
    words.extend(of_ensemble(manifest).into_iter().map(Into::into));
    let mut run = Run::parse(words).map_err(|error| {
        let place = folder.join("manifest.json");
        let text = format!("{}: an option is not valid: {error}", place.display());
        Failure::new(Code::BadInput, text)
    })?;
    run.models.plugin_dir.clone_from(&models.plugin_dir);
    run.models.builtin.extend(&models.builtin);
    run.models.verbose = models.verbose;
    run.loading.seed = Some(manifest.seed);
    run.threads = *threads;
    run.gpu = gpu_of(manifest);
    if out.is_some() {
        (run.out, run.force) = (out.clone(), *force);
        let number = |name: &str| manifest.output.get(name).and_then(serde_json::Value::as_f64);
        let period = |name: &str| number(name).filter(|period| *period > 0.0);
        run.log_period = period("log_period_s");
        let flag = |name: &str| manifest.output.get(name).is_some_and(|value| value == true);
        let texts = |name: &str| -> Vec<String> {
            let texts = manifest.output.get(name).and_then(serde_json::Value::as_array);
            let texts = texts.into_iter().flatten().filter_map(serde_json::Value::as_str);
            texts.map(str::to_owned).collect()
        };
        let groups = texts("streams");
        run.groups.list = groups.iter().filter_map(|group| group.parse().ok()).collect();
        run.energy = flag("energy");
        run.record = texts("record");
        run.mcap.is_on = flag("mcap");
        run.mcap.streams = texts("mcap_streams");
        run.mcap.period = period("mcap_period_s");
        let formats = texts("export");
        run.mcap.export = formats.iter().filter_map(|name| Export::find(name)).collect();
        run.resuming.hash_every = period("hash_every_s");
        run.resuming.snapshot_every = period("snapshot_every_s");
    }
    Ok(run)
}

/// Returns the options of an ensemble; none for another run.
fn of_ensemble(manifest: &Manifest) -> Vec<String> {
    let output = &manifest.output;
    let mut words = Vec::new();
    if !output.contains_key("members") || output.contains_key("member") {
        return words;
    }
    for (option, name) in [
        ("--members", "members"),
        ("--vary", "vary"),
        ("--set", "set"),
        ("--metric", "metrics"),
        ("--metric-period", "metric_period_s"),
        ("--duration", "duration_s"),
    ] {
        let values = output.get(name).map_or(Vec::new(), |value| match value {
            serde_json::Value::Array(items) => items.iter().collect(),
            value => vec![value],
        });
        for value in values {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            words.push(format!("{option}={text}"));
        }
    }
    words
}

/// Returns the mode of the scans on a GPU. The result hash depends on the GPU only if it was required.
fn gpu_of(manifest: &Manifest) -> GpuMode {
    let mode = manifest.options.gpu.parse().unwrap_or_default();
    if Gpu::IS_BUILT || matches!(mode, GpuMode::Off | GpuMode::Require) {
        return mode;
    }
    terminal::remark(&format!(
        "note: the run had --gpu {mode}, which this program is built without; the CPU casts all rays, and \
         the result hash does not depend on it"
    ));
    GpuMode::Off
}

/// Reports parts of the run that are missing in its record.
fn report_gaps(recorded: &Recorded) {
    let Manifest { end, options, .. } = &recorded.manifest;
    if end.is_none() {
        terminal::remark("note: the run was killed; it was repeated to its last recorded step");
    }
    if recorded.inputs.is_cut {
        terminal::remark("note: the last line of inputs.jsonl is not complete and was left out");
    }
    match recorded.missing_inputs() {
        0 => {}
        missing => terminal::remark(&format!(
            "note: {missing} inputs at the end of inputs.jsonl are missing; the run was repeated to the \
             last one that is left"
        )),
    }
    if options.watch {
        terminal::remark(
            "note: plugins may have been reloaded in the run (--watch), which is not repeated",
        );
    }
}

/// Explains different ends.
fn explain(recorded: Option<&str>, failed: Option<&Failure>) -> Result<(), Failure> {
    let of = |error: Option<&str>| error.map_or("ended without an error".to_owned(), str::to_owned);
    let found = failed.and_then(|failure| failure.text.lines().next());
    match recorded.is_some() == failed.is_some() {
        true => Ok(()),
        false => {
            terminal::result(&format!("  end: recorded {}; found {}", of(recorded), of(found)))
        }
    }
}

/// Lists what differs.
fn list(differences: &[ManifestDifference]) -> Result<(), Failure> {
    for ManifestDifference { what, recorded, found } in differences {
        terminal::result(&format!("  {what}: recorded {recorded}; found {found}"))?;
    }
    if differences.is_empty() {
        let text = "  version, world, plugins and machine are the same: a model may use a clock, random \
                    numbers of its own, or memory that it has not written";
        terminal::result(text)?;
    }
    Ok(())
}

fn advise(arguments: &Rerun) {
    let folder = arguments.folder.display();
    terminal::remark(&match &arguments.out {
        Some(out) => {
            format!("help: `simhost diff {folder} {}` shows the first difference", out.display())
        }
        None => format!(
            "help: add --out DIR2; `simhost diff {folder} DIR2` then shows the first difference"
        ),
    });
}
