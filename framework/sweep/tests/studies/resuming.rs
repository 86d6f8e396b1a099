//! The contract of continued studies.

use std::cell::Cell;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use simhost_sweep::{Best, Existing, Hands, RunStatus, Study, StudyFolder};

use crate::{demo, plan, read, run_in};

fn study(samples: u64) -> Study {
    let mut study = demo(&["robot/friction/mu=uniform:0.3:1", "robot/cmd_vel/vx=list:0.5,1"]);
    study.samples = Some(samples.into());
    study
}

#[test]
fn a_stopped_study_continues_to_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let (_, whole) = run_in(&folder.path().join("whole"), study(300), &Hands::default());
    let plan = plan(study(300));
    let path = folder.path().join("parts");
    for stop in [1, 10, 15] {
        let done = AtomicU64::new(0);
        let hands = Hands {
            is_stopped: &|| done.load(Ordering::Relaxed) >= stop,
            on_rows: &|rows| _ = done.fetch_add(rows.len() as u64, Ordering::Relaxed),
            ..Hands::default()
        };
        let opening = if stop == 1 { Existing::Refuse } else { Existing::Resume };
        let mut part = StudyFolder::open(&path, &plan, opening).unwrap();
        simhost_sweep::run(&plan, &mut part, &hands).unwrap();
    }
    // a killed process leaves a line without its end
    let mut cut = std::fs::File::create(path.join("rows-0-0.jsonl")).unwrap();
    write!(cut, "{{\"run\":59,\"id\":\"").unwrap();
    let mut last = StudyFolder::open(&path, &plan, Existing::Resume).unwrap();
    assert!(!last.missing(&plan).is_empty());
    simhost_sweep::run(&plan, &mut last, &Hands::default()).unwrap();
    assert_eq!(read(&last, &plan).1, whole);
}

#[test]
fn a_folder_is_not_shared_and_a_changed_study_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("study");
    let first = plan(study(3));
    let open = |study: Study, opening| {
        StudyFolder::open(&path, &plan(study), opening).map(drop).map_err(|error| error.to_string())
    };
    let mut held = StudyFolder::open(&path, &first, Existing::Refuse).unwrap();
    assert!(open(study(3), Existing::Resume).unwrap_err().contains("another process"));
    simhost_sweep::run(&first, &mut held, &Hands::default()).unwrap();
    let before = read(&held, &first).0;
    drop(held);
    assert!(open(study(3), Existing::Refuse).unwrap_err().contains("6 of 6 runs"));
    let changed = open(study(4), Existing::Resume).unwrap_err();
    assert!(changed.contains("`runs` was 6 and is 8"), "{changed}");
    let mut other = study(3);
    other.period = 0.5;
    let changed = open(other, Existing::Extend).unwrap_err();
    assert!(changed.contains("`period_s` was 0.1 and is 0.5"), "{changed}");
    let mut moved = demo(&["robot/friction/mu=uniform:0.3:0.9", "robot/cmd_vel/vx=list:0.5,1"]);
    moved.samples = Some(4.into());
    let changed = open(moved, Existing::Extend).unwrap_err();
    assert!(changed.contains("run 0 has other values"), "{changed}");
    // more samples move none
    let longer = plan(study(5));
    let mut extended = StudyFolder::open(&path, &longer, Existing::Extend).unwrap();
    assert_eq!(extended.missing(&longer), [6, 7, 8, 9]);
    simhost_sweep::run(&longer, &mut extended, &Hands::default()).unwrap();
    assert_eq!(read(&extended, &longer).0[..6], before);
    drop(extended);
    open(study(2), Existing::Replace).unwrap();
    assert_eq!(StudyFolder::at(&path).unwrap().ended(), []);
    std::fs::remove_file(path.join("study.json")).unwrap();
    std::fs::write(path.join("other.txt"), "").unwrap();
    assert!(open(study(2), Existing::Replace).unwrap_err().contains("something else"));
}

/// A failed row is kept until its run is repeated, and then the later row counts.
#[test]
fn failed_rows_are_kept_and_repeated_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(study(2));
    let mut own = StudyFolder::open(&folder.path().join("s"), &plan, Existing::Refuse).unwrap();
    let hands = Hands { time_limit: Some(1e-9), ..Hands::default() };
    simhost_sweep::run(&plan, &mut own, &hands).unwrap();
    drop(own);
    let mut own = StudyFolder::open(&folder.path().join("s"), &plan, Existing::Resume).unwrap();
    assert_eq!(own.missing(&plan), [] as [u64; 0]);
    let failed = own.ended();
    assert!(failed.iter().all(|one| one.status == RunStatus::Timeout));
    let count = Cell::new(0);
    simhost_sweep::run_some(&plan, &mut own, &[1, 3], &Hands::default()).unwrap();
    own.for_each_row(&mut |row| {
        let expected = if row.run % 2 == 1 { RunStatus::Ok } else { RunStatus::Timeout };
        assert_eq!((row.status, row.attempt), (expected, u32::from(row.run % 2 == 1)));
        count.set(count.get() + 1);
    })
    .unwrap();
    assert_eq!(count.get(), 4);
    assert_eq!(own.row(3).unwrap().unwrap().status, RunStatus::Ok);
}

/// A robot that drives the longest distance below a speed limit.
const SPEED: &str = "\
world = 'demo.world.xml'
duration = 1
[vary]
'robot/cmd_vel/vx' = 'uniform:0:2'
'robot/friction/mu' = 'uniform:0.5:1'
[metrics]
x = 'final(robot/pose[0])'
v = 'final(robot/twist[0])'
[objective]
maximise = 'x'
subject_to = 'v < 0.8'
generations = 12
population = 8
";

/// Maximises the distance of a robot below a speed limit: the speed of the command is found, and a
/// study that is stopped asks the same questions when it continues.
#[test]
fn an_optimisation_finds_its_goal_and_continues_from_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let planned = || plan(Study::from_text(SPEED, &crate::world("study.toml")).unwrap());
    let run = |name: &str, stop: u64, opening| {
        let (plan, done, seen) = (planned(), AtomicU64::new(0), Mutex::new(Vec::new()));
        let hands = Hands {
            is_stopped: &|| done.load(Ordering::Relaxed) >= stop,
            on_best: &|best: &[Best]| seen.lock().unwrap().extend_from_slice(best),
            on_rows: &|rows| _ = done.fetch_add(rows.len() as u64, Ordering::Relaxed),
            ..Hands::default()
        };
        let mut folder = StudyFolder::open(&folder.path().join(name), &plan, opening).unwrap();
        let best = simhost_sweep::optimise(&plan, &mut folder, &hands).unwrap();
        // each better point is told when it is found
        let seen = seen.into_inner().unwrap();
        assert_eq!(seen.last(), best.first());
        let order = |best: &Best| (best.is_feasible, best.values[0]);
        assert!(seen.iter().skip_while(|one| !one.is_feasible).is_sorted_by_key(order));
        (best, read(&folder, &plan), done.into_inner())
    };
    let (best, (rows, table), count) = run("whole", u64::MAX, Existing::Refuse);
    let [best] = &best[..] else { panic!("{best:?}") };
    assert_eq!((rows.len(), count), (96, 96));
    assert!(best.is_feasible);
    let row = &rows[best.run as usize];
    assert!(row.metrics[1].unwrap() > 0.75, "{row:?}");
    assert_eq!(row.metrics[0], Some(best.values[0]));
    run("parts", 10, Existing::Refuse);
    run("parts", 30, Existing::Resume);
    let (again, (_, parts), more) = run("parts", u64::MAX, Existing::Resume);
    assert_eq!((again, parts), (vec![best.clone()], table));
    assert!(more < 70, "{more}");
    let plan = planned();
    let mut folder = StudyFolder::at(&folder.path().join("parts")).unwrap();
    assert_eq!(simhost_sweep::optimised(&plan, &mut folder).unwrap(), std::slice::from_ref(best));
    assert_eq!(plan.id(best.run), row.id);
}

/// A robot that goes far, and is slow: one costs the other.
const FRONT: &str = "\
world = 'demo.world.xml'
duration = 1
[vary]
'robot/cmd_vel/vx' = 'uniform:0:2'
'robot/friction/mu' = 'uniform:0.01:0.2'
[metrics]
x = 'final(robot/pose[0])'
v = 'max(robot/twist[0])'
[objective]
maximise = 'x'
minimise = 'v'
generations = 8
population = 12
";

/// No point of the front surpasses another one in both goals, and no other run surpasses one of them. The journal and the rows
/// do not depend on where the study was stopped.
#[test]
fn several_goals_have_a_front() {
    let folder = tempfile::tempdir().unwrap();
    let planned = || plan(Study::from_text(FRONT, &crate::world("study.toml")).unwrap());
    let run = |name: &str, stop: u64, opening| {
        let (plan, done) = (planned(), AtomicU64::new(0));
        let hands = Hands {
            is_stopped: &|| done.load(Ordering::Relaxed) >= stop,
            on_rows: &|rows| _ = done.fetch_add(rows.len() as u64, Ordering::Relaxed),
            ..Hands::default()
        };
        let path = folder.path().join(name);
        let mut folder = StudyFolder::open(&path, &plan, opening).unwrap();
        let front = simhost_sweep::optimise(&plan, &mut folder, &hands).unwrap();
        let journal = std::fs::read_to_string(path.join("journal.csv")).unwrap();
        (front, read(&folder, &plan), journal)
    };
    let (front, (rows, table), journal) = run("whole", u64::MAX, Existing::Refuse);
    assert!(front.len() > 3 && rows.len() == 96, "{front:?}");
    assert!(front.is_sorted_by(|one, other| one.values[0] < other.values[0]));
    let goals = |row: &[Option<f64>]| [row[1].unwrap(), -row[0].unwrap()];
    for best in &front {
        let own = goals(&rows[best.run as usize].metrics);
        assert_eq!(best.values, [own[0], -own[1]]);
        let surpasses = |other: [f64; 2]| other != own && other[0] <= own[0] && other[1] <= own[1];
        assert!(!rows.iter().any(|row| surpasses(goals(&row.metrics))), "{best:?}");
    }
    let last = journal.lines().filter(|line| line.starts_with("7,")).count();
    assert_eq!(
        (journal.lines().next(), last),
        (Some("generation,run,is_feasible,v,x"), front.len())
    );
    run("parts", 20, Existing::Refuse);
    assert_eq!(run("parts", u64::MAX, Existing::Resume), (front, (rows, table), journal));
}
