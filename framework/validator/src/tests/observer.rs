//! Tests of observers.

use std::path::{Path, PathBuf};

use simhost_abi::{Fault, end_reason, model_flag};
use simhost_model::{Instant, ParamValue};

use crate::case::Case;
use crate::guarded::{Guarded, Side, watch};
use crate::instance::{Outcome, describe, fail, fail_for, refuses, skip};
use crate::rig::time_of;
use crate::tests::instances::{MOST_GROWTH, resident};
use crate::watching::{Trace, Traced, Watching, selected};

/// Number of steps of a run.
const STEPS: u64 = 40;

fn watching(case: &Case) -> Outcome<Watching> {
    Watching::new(&case.class, &case.values())
}

fn folder() -> Outcome<tempfile::TempDir> {
    tempfile::tempdir().or_else(|error| skip(format!("no folder for files: {error}")))
}

/// Runs an observer for tests of other properties.
pub(crate) fn exercise(case: &Case) -> Outcome<Trace> {
    watching(case)?.trace(case.seed, STEPS, None)
}

/// Runs an observer with drawn parameters, which can be rejected.
pub(crate) fn fuzzed(case: &Case, values: &[ParamValue], seed: u64) -> Outcome {
    let watching = Watching::new(&case.class, values)?;
    match watching.start(None) {
        Err(fault) if refuses(&fault) => Ok(()),
        Err(fault) => fail(format!("`start` returned {}", describe(&fault))),
        Ok(_) => watching.trace(seed, 3, None).map(drop),
    }
}

/// `observer-select`
pub(crate) fn select(case: &Case) -> Outcome {
    let watching = watching(case)?;
    let first = selected(watching.observer())?;
    if let Some(pattern) = first.iter().find(|pattern| pattern.trim_start_matches('!').is_empty()) {
        return fail(format!("`select` returns the empty pattern `{pattern}`"));
    }
    for other in [&watching, &self::watching(case)?] {
        let again = selected(other.observer())?;
        if again != first {
            let [first, again] = [first, again].map(|patterns| patterns.join(" "));
            return fail(format!("`select` returns `{first}`, and the next time `{again}`"));
        }
    }
    Ok(())
}

/// `observer-values`
pub(crate) fn values(case: &Case) -> Outcome {
    let watching = watching(case)?;
    for side in [Side::End, Side::Start] {
        let mut run = watching.started(None)?;
        for step in 0..STEPS {
            let bits: Vec<u64> =
                watching.values(case.seed, step).iter().map(|value| value.to_bits()).collect();
            let column = Guarded::new(&bits, side);
            let mut column = column.or_else(|error| skip(format!("no memory: {error}")))?;
            watch("step", std::iter::once((&column, "the sample".to_owned())));
            // SAFETY: the column holds as many numbers, which live until the next step.
            let values = unsafe {
                std::slice::from_raw_parts(column.pointer().cast_const().cast::<f64>(), bits.len())
            };
            let at = Instant { step, time: time_of(step), values };
            let stop = run.step(&at).or_else(|fault| failed("step", &fault))?;
            let now = column.values();
            if let Some(place) = now.iter().zip(&bits).position(|(now, before)| now != before) {
                let [before, now] = [bits[place], now[place]].map(f64::from_bits);
                return fail(format!("`step` changes value {place} from {before} to {now}"));
            }
            if let Some(at) = column.written_beside() {
                return fail(format!("`step` writes value {at} of a sample with {}", bits.len()));
            }
            if stop.is_some() {
                break;
            }
        }
    }
    Ok(())
}

/// `observer-repeat`
pub(crate) fn repeat(case: &Case) -> Outcome {
    let watching = watching(case)?;
    for seed in case.seeds().take(5) {
        let run = || -> Outcome<Trace> {
            let folder = folder()?;
            watching.trace(seed, STEPS, Some(folder.path()))
        };
        let first = run()?;
        // a clock has advanced by then
        std::thread::sleep(std::time::Duration::from_millis(2));
        compare(&first, &run()?, "when the run is repeated", seed)?;
    }
    Ok(())
}

/// `observer-runs-independent`
pub(crate) fn runs_independent(case: &Case) -> Outcome {
    let watching = watching(case)?;
    let own = folder()?;
    let alone = watching.trace(case.seed, STEPS, Some(own.path()))?;
    let [one, two] = [folder()?, folder()?];
    let begun = |folder: &Path| -> Outcome<Traced> {
        Ok(Traced { run: watching.started(Some(folder))?, trace: Trace::new(), is_over: false })
    };
    let (mut run, mut other) = (begun(one.path())?, begun(two.path())?);
    for step in 0..STEPS {
        other.step(&watching, case.seed.wrapping_add(1), step)?;
        run.step(&watching, case.seed, step)?;
    }
    other.end(&watching, case.seed.wrapping_add(1), STEPS, Some(two.path()))?;
    let beside = run.end(&watching, case.seed, STEPS, Some(one.path()))?;
    compare(&alone, &beside, "with another run of the same observer beside it", case.seed)
}

fn compare(expected: &Trace, found: &Trace, when: &str, seed: u64) -> Outcome {
    if expected == found {
        return Ok(());
    }
    let differ = expected.iter().zip(found).find(|(one, other)| one != other);
    let short = |text: &String| text.chars().take(200).collect::<String>();
    let what = match differ {
        Some((one, other)) => format!("`{}` becomes `{}` {when}", short(one), short(other)),
        None => format!("it does {} things instead of {} {when}", found.len(), expected.len()),
    };
    fail_for(what, format!("{STEPS} samples of seed {seed}"))
}

/// `observer-stops`
pub(crate) fn stops(case: &Case) -> Outcome {
    let watching = watching(case)?;
    let may = case.model.flags & model_flag::STOPS != 0;
    for seed in case.seeds() {
        let mut run = watching.started(None)?;
        for step in 0..STEPS {
            let values = watching.values(seed, step);
            let at = Instant { step, time: time_of(step), values: &values };
            match run.step(&at).or_else(|fault| failed("step", &fault))? {
                None => continue,
                Some(reason) if !may => {
                    return fail(format!(
                        "it ends the run without the flag STOPS at step {step}: {reason}"
                    ));
                }
                Some(reason) if reason.is_empty() => {
                    return fail(format!("it ends the run without a reason at step {step}"));
                }
                Some(_) => break,
            }
        }
    }
    Ok(())
}

/// `observer-short-runs`
pub(crate) fn short_runs(case: &Case) -> Outcome {
    let watching = watching(case)?;
    let reasons = [
        end_reason::DURATION,
        end_reason::STOP,
        end_reason::FAULT,
        end_reason::INTERRUPT,
        end_reason::REPLACED,
    ];
    for reason in reasons {
        let mut run = watching.started(None)?;
        let values = watching.values(case.seed, 0);
        let (_, fault) =
            run.end(reason, "a reason", &Instant { step: 0, time: 0.0, values: &values });
        if let Some(fault) = fault {
            return fail(format!("`end` without a sample returned {}", describe(&fault)));
        }
    }
    // a run that ends with the process is not ended
    drop(watching.started(None)?);
    let nothing = Instant { step: 0, time: 0.0, values: &[] };
    let mut run = match watching.start_with(&[], None) {
        Err(fault) if refuses(&fault) => return Ok(()),
        Err(fault) => {
            let description = describe(&fault);
            return fail(format!("`start` without quantities returned {description}"));
        }
        Ok(run) => run,
    };
    run.step(&nothing).or_else(|fault| failed("step", &fault))?;
    let (_, fault) = run.end(end_reason::DURATION, "", &nothing);
    fault.map_or(Ok(()), |fault| failed("end", &fault))
}

/// `observer-nonfinite`
pub(crate) fn nonfinite(case: &Case) -> Outcome {
    let watching = watching(case)?;
    for strange in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 5e-324] {
        let values = vec![strange; watching.count()];
        let mut run = watching.started(None)?;
        let input = || format!("all values are {strange}");
        let failure =
            |function: &str, fault: Fault| format!("`{function}` returned {}", describe(&fault));
        for step in 0..3 {
            let at = Instant { step, time: time_of(step), values: &values };
            let stop = run.step(&at);
            let stop = stop.or_else(|fault| fail_for(failure("step", fault), input()))?;
            if stop.is_some() {
                break;
            }
        }
        let last = Instant { step: 2, time: time_of(2), values: &values };
        if let (_, Some(fault)) = run.end(end_reason::DURATION, "", &last) {
            return fail_for(failure("end", fault), input());
        }
    }
    Ok(())
}

/// `observer-memory`
pub(crate) fn memory(case: &Case) -> Outcome {
    let watching = watching(case)?;
    let runs = |count: u64| -> Outcome {
        (0..count).try_for_each(|seed| watching.trace(seed, 3, None).map(drop))
    };
    // memory allocated once for all runs is not a leak
    runs(50)?;
    let before = resident();
    runs(1000)?;
    let grown = resident().saturating_sub(before);
    if grown > MOST_GROWTH {
        return fail(format!(
            "the process grew by {} KiB in 1000 runs: `destroy` does not free everything",
            grown / 1024
        ));
    }
    Ok(())
}

/// `observer-files`
pub(crate) fn files(case: &Case) -> Outcome {
    let watching = watching(case)?;
    let (own, elsewhere) = (folder()?, folder()?);
    if let Err(error) = std::env::set_current_dir(elsewhere.path()) {
        return skip(format!("no folder for files: {error}"));
    }
    watching.trace(case.seed, STEPS, None)?;
    if let Some(name) = found(own.path()).into_iter().chain(found(elsewhere.path())).next() {
        return fail(format!("it writes the file `{}` in a run without output", name.display()));
    }
    let trace = watching.trace(case.seed, STEPS, Some(own.path()))?;
    if let Some(name) = found(elsewhere.path()).first() {
        return fail(format!("it writes the file `{}` outside the output folder", name.display()));
    }
    let named = |name: &PathBuf| {
        trace.iter().any(|line| line.starts_with(&format!("file {}:", name.display())))
    };
    match found(own.path()).iter().find(|name| !named(name)) {
        Some(name) => {
            fail(format!("it writes the file `{}`, which `end` does not name", name.display()))
        }
        None => Ok(()),
    }
}

/// Returns the files in a folder and in the folders in it, relative to it.
fn found(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut open) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(place) = open.pop() {
        let entries = std::fs::read_dir(folder.join(&place)).into_iter().flatten().flatten();
        for entry in entries {
            let path = place.join(entry.file_name());
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => open.push(path),
                false => files.push(path),
            }
        }
    }
    files.sort();
    files
}

fn failed<T>(function: &str, fault: &Fault) -> Outcome<T> {
    fail(format!("`{function}` returned {}", describe(fault)))
}
