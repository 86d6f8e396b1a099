//! Studies of 10,000 runs: a second of a differential robot with steps of 5 ms, and one step, which shows what a run costs
//! beyond its steps. Rows are written to a folder; the study is checked before.
#![allow(missing_docs)]

use std::num::NonZeroUsize;
use std::path::Path;

use criterion::{BatchSize, Criterion, Throughput};
use simhost_sweep::{Existing, Hands, Study, StudyFolder, StudyPlan};

const RUNS: u64 = 10_000;
const WORLD: &str = "<mvsim_world><simul_timestep>0.005</simul_timestep><vehicle name=\"robot\"><dynamics \
                     class=\"differential\"><controller class=\"twist_pid\"/></dynamics><friction class=\"default\"/>\
                     <init_pose>0 0 0</init_pose></vehicle></mvsim_world>";

/// Returns a study with two varied values and two metrics, in a folder with its world.
fn plan(folder: &Path, duration: f64) -> StudyPlan {
    let world = folder.join("world.xml");
    std::fs::write(&world, WORLD).expect("the temporary directory is writable");
    let mut study = Study::new(world)
        .metric("speed", "max(robot/twist[0])")
        .metric("x", "final(robot/pose[0])");
    for text in ["robot/friction/mu=uniform:0.3:1", "robot/cmd_vel/vx=uniform:0.5:1"] {
        study = study.vary(text).expect("it is a variation");
    }
    study.samples = Some(RUNS.into());
    study.duration = Some(duration.into());
    StudyPlan::new(study, None).expect("it fits its world")
}

fn studies(criterion: &mut Criterion) {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let mut group = criterion.benchmark_group("study of 10,000 runs");
    group.throughput(Throughput::Elements(RUNS));
    for (name, duration, threads) in [
        ("1 s, all cores", 1.0, cores),
        ("1 s, one core", 1.0, 1),
        ("one step, one core", 0.005, 1),
    ] {
        let place = tempfile::tempdir().expect("the temporary directory is writable");
        let plan = plan(place.path(), duration);
        let hands = Hands { threads, ..Hands::default() };
        let folder = || {
            let path = place.path().join("study");
            StudyFolder::open(&path, &plan, Existing::Replace).expect("writable")
        };
        let run = |mut folder: StudyFolder| {
            simhost_sweep::run(&plan, &mut folder, &hands).expect("writable");
            assert_eq!(folder.ended().len() as u64, RUNS);
        };
        group.bench_function(name, |bencher| {
            bencher.iter_batched(folder, run, BatchSize::PerIteration);
        });
    }
    group.finish();
}

simhost_benches::bench_main! { samples: 10, studies }
