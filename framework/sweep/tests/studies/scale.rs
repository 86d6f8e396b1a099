//! Tables of many rows, which are written without being simulated.

use std::io::{BufWriter, Write};
use std::path::Path;

use simhost_sweep::{Existing, RunRow, RunStatus, Study, StudyFolder, StudyPlan};

use crate::{demo, plan};

/// Number of files, as of so many processes.
const FILES: u64 = 8;
/// Number of runs of a batch.
const BATCH: u64 = 1000;

/// Returns a study with a number of runs.
fn study(runs: u64) -> Study {
    let mut study = demo(&["robot/friction/mu=uniform:0.3:1"]);
    study.samples = Some(runs.into());
    study
}

/// Writes the rows of all runs of a plan to a folder, as processes do that simulate batches in turn.
fn write_rows(path: &Path, plan: &StudyPlan) {
    drop(StudyFolder::open(path, plan, Existing::Refuse).unwrap());
    for file in 0..FILES {
        let name = path.join(format!("rows-{file}-0.jsonl"));
        let mut to = BufWriter::new(std::fs::File::create(name).unwrap());
        let batches = (0..plan.runs().div_ceil(BATCH)).rev().filter(|batch| batch % FILES == file);
        for run in batches.flat_map(|batch| batch * BATCH..plan.runs().min((batch + 1) * BATCH)) {
            let key = run.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let row = RunRow {
                run,
                id: format!("{key:016x}"),
                seed: run,
                values: plan.values(run),
                status: RunStatus::Ok,
                reason: String::new(),
                metrics: vec![Some(key as f64 * 1e-19), Some(run as f64)],
                steps: 200,
                time_s: 1.0,
                hash: format!("{:032x}", u128::from(key) << 32),
                attempt: 0,
            };
            writeln!(to, "{}", row.to_line()).unwrap();
        }
    }
}

/// Returns the most memory that this process has had, bytes.
fn peak_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.map_or(0, |number| number.parse::<u64>().unwrap() << 10)
}

/// 10⁷ rows are joined in at most 500 MB; 10⁶ rows are read and written again in at most 3 s. The release build has to.
#[test]
#[ignore = "writes 2 GB; run it alone and optimised"]
#[allow(clippy::print_stderr)]
fn many_rows_are_joined_in_bounded_memory() {
    for (runs, most_s) in [(1_000_000, 3.0), (10_000_000, 60.0)] {
        let (folder, plan) = (tempfile::tempdir().unwrap(), plan(study(runs)));
        write_rows(&folder.path().join("s"), &plan);
        let began = std::time::Instant::now();
        let own = StudyFolder::open(&folder.path().join("s"), &plan, Existing::Resume).unwrap();
        let read = began.elapsed().as_secs_f64();
        assert!(own.missing(&plan).is_empty());
        own.write_table(&plan).unwrap();
        let (took, memory) = (began.elapsed().as_secs_f64(), peak_memory());
        eprintln!(
            "{runs} rows: read in {read:.2} s, joined in {took:.2} s, {} MB",
            memory / 1_000_000
        );
        assert!(took < most_s && memory < 500_000_000);
    }
}

/// Parquet files have the rows of the table, in the order of the plan, and depend on nothing else.
#[cfg(feature = "parquet")]
#[test]
fn parquet_files_depend_on_the_rows_alone() {
    use simhost_sweep::Hands;

    let folder = tempfile::tempdir().unwrap();
    let bytes = |name: &str, threads: usize| {
        let plan = plan(study(300));
        let path = folder.path().join(name);
        let mut own = StudyFolder::open(&path, &plan, Existing::Refuse).unwrap();
        let hands = Hands { threads, ..Hands::default() };
        simhost_sweep::run(&plan, &mut own, &hands).unwrap();
        own.write_table(&plan).unwrap();
        std::fs::read(path.join("runs.parquet")).unwrap()
    };
    let one = bytes("one", 1);
    assert!(one.starts_with(b"PAR1") && one == bytes("three", 3));
}

/// A large study has a file for each 100,000 runs. A row that changes leaves the other files as they are.
#[cfg(feature = "parquet")]
#[test]
fn a_large_study_has_parts() {
    let folder = tempfile::tempdir().unwrap();
    let (path, plan) = (folder.path().join("s"), plan(study(100_020)));
    write_rows(&path, &plan);
    let parts = || {
        let own = StudyFolder::open(&path, &plan, Existing::Resume).unwrap();
        own.write_table(&plan).unwrap();
        let part = |number| format!("runs.parquet/part-0000{number}.parquet");
        [0, 1, 2].map(|number| std::fs::read(path.join(part(number))).ok())
    };
    let before = parts();
    let repeated = StudyFolder::at(&path).unwrap().row(100_005).unwrap().unwrap();
    let repeated = RunRow { attempt: 1, status: RunStatus::Diverged, ..repeated };
    std::fs::write(path.join("rows-9-0.jsonl"), repeated.to_line() + "\n").unwrap();
    let after = parts();
    assert!(before[0].is_some() && before[0] == after[0]);
    assert!(before[1].is_some() && after[1].is_some() && before[1] != after[1]);
    assert_eq!((&before[2], &after[2]), (&None, &None));
}
