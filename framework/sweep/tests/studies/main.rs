//! Studies of worlds of the repository, in the process of the test.
#![allow(clippy::unwrap_used)]

mod plans;
mod resuming;
mod rows;
mod scale;

use std::path::{Path, PathBuf};

use simhost_sweep::{Existing, Hands, RunRow, Study, StudyError, StudyFolder, StudyPlan};

/// Returns the path of a world of the repository.
fn world(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds").join(name)
}

/// Returns a study of the demo world, with two metrics.
fn demo(vary: &[&str]) -> Study {
    let mut study = Study::new(world("demo.world.xml"));
    study.duration = Some(1.0.into());
    study.seed = Some(5);
    let study = study.metric("speed", "max(robot/twist[0])").metric("x", "final(robot/pose[0])");
    vary.iter().fold(study, |study, text| study.vary(text).unwrap())
}

fn plan(study: Study) -> StudyPlan {
    StudyPlan::new(study, None).unwrap()
}

/// Runs a study in a new folder, and returns its rows and the table.
fn run_in(folder: &Path, study: Study, hands: &Hands<'_>) -> (Vec<RunRow>, String) {
    let plan = plan(study);
    let mut folder = StudyFolder::open(folder, &plan, Existing::Refuse).unwrap();
    simhost_sweep::run(&plan, &mut folder, hands).unwrap();
    read(&folder, &plan)
}

/// Returns the rows and the table of a folder.
fn read(folder: &StudyFolder, plan: &StudyPlan) -> (Vec<RunRow>, String) {
    let mut rows = Vec::new();
    folder.for_each_row(&mut |row| rows.push(row)).unwrap();
    let table = std::fs::read_to_string(folder.write_table(plan).unwrap()).unwrap();
    (rows, table)
}

/// Returns the error of a plan.
fn refused(text: &str) -> String {
    let path = world("study.toml");
    let planned = Study::from_text(text, &path).and_then(|study| StudyPlan::new(study, None));
    let error: StudyError = planned.map(drop).unwrap_err();
    error.to_string().replace(&format!("{}:", path.display()), "study.toml:")
}
