//! Metrics of the members of ensembles, against the same numbers from sessions.

#![allow(clippy::unwrap_used)]

use simhost::{
    Differences, Ensemble, EnsembleOptions, MemberMetrics, MetricRequest, Options, Out, Session,
    Variation, seconds,
};

const WORLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/demo.world.xml");
/// Steps of 5 ms; the last sample is not at a multiple of the period.
const STEPS: u64 = 206;
const PERIOD: f64 = 0.1;

fn variations() -> Vec<Variation> {
    ["robot/cmd_vel/vx=list:0.5,-1,2", "robot/cmd_vel/omega=uniform:-0.5:0.5"]
        .map(|text| text.parse().unwrap())
        .to_vec()
}

fn metrics(texts: &[&str]) -> Vec<MetricRequest> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn ensemble(members: usize, threads: usize) -> Ensemble {
    let mut options = EnsembleOptions::members(members).seed(5).threads(threads);
    options.variations = variations();
    Ensemble::open(WORLD, options).unwrap()
}

/// Returns the samples of the forward velocity of a member, from a session with its differences.
fn samples(member: usize) -> Vec<f64> {
    let options = Options { seed: Some(5 + member as u64), ..Options::default() };
    let mut session = Session::open(WORLD, options).unwrap();
    let differences = Differences::new(variations(), &session, 4, 5).unwrap();
    for difference in differences.of_member(member, 0) {
        difference.apply(&mut session).unwrap();
    }
    let mut samples = Vec::new();
    let speed = |session: &Session| session.simulation().vehicles().next().unwrap().twist[0];
    samples.push(speed(&session));
    for step in 1..=STEPS {
        session.run_steps(1).unwrap();
        if step % 20 == 0 || step == STEPS {
            samples.push(speed(&session));
        }
    }
    samples
}

#[test]
fn metrics_reduce_the_samples_of_each_member() {
    let reductions = ["final", "min", "max", "absmax", "mean"];
    let texts = reductions.map(|reduction| format!("{reduction}:robot/twist[0]"));
    let wanted = metrics(&texts.each_ref().map(String::as_str));
    let found = ensemble(4, 1).run_with(&wanted, PERIOD, seconds(STEPS as f64 * 0.005)).unwrap();
    assert_eq!(found.metrics().names(), texts);
    for member in 0..4 {
        let samples = samples(member);
        assert_eq!(samples.len(), 12);
        let [last, min, max, absmax, mean] = found.row(member)[..] else { panic!() };
        assert_eq!(last, samples[11], "member {member}");
        assert_eq!(min, samples.iter().copied().fold(f64::INFINITY, f64::min));
        assert_eq!(max, samples.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        assert_eq!(absmax, samples.iter().map(|sample| sample.abs()).fold(0.0, f64::max));
        assert!((mean - samples.iter().sum::<f64>() / 12.0).abs() < 1e-12, "{mean}: {samples:?}");
    }
    assert_ne!(found.row(0), found.row(1));
}

#[test]
fn rows_depend_on_nothing_but_their_member() {
    let table = |members: usize, threads: usize, pieces: &[u64]| {
        let mut ensemble = ensemble(members, threads);
        ensemble.end_after(Some(STEPS));
        let wanted = metrics(&["mean:robot/twist", "max:r*/pose[0]"]);
        let mut metrics = MemberMetrics::new(&mut ensemble, &wanted, PERIOD).unwrap();
        for steps in pieces.iter().cycle() {
            if ensemble.has_ended() {
                break;
            }
            metrics.step(&mut ensemble, *steps).unwrap();
        }
        metrics.finish(&mut ensemble).unwrap();
        let head = metrics.table_head(&ensemble);
        let rows = (0..3).map(|member| metrics.table_row(&mut ensemble, member).unwrap());
        (head, rows.collect::<Vec<_>>())
    };
    let (head, rows) = table(3, 1, &[1000]);
    let columns = "member,seed,robot/cmd_vel/vx,robot/cmd_vel/omega,mean:robot/twist[0] [m/s],\
                   mean:robot/twist[1] [m/s],mean:robot/twist[2] [rad/s],max:robot/pose[0] [m],\
                   max:rover/pose[0] [m],end,time_s,steps,result_hash";
    assert_eq!(head, columns);
    assert!(rows[1].starts_with("1,6,-1,") && rows[1].contains(",duration,1.03,206,"), "{rows:?}");
    assert_eq!(table(8, 2, &[1, 7, 30]), (head, rows));
}

/// A member that ends between two samples has its last one there, and none later.
#[test]
fn members_that_have_ended_keep_their_metrics() {
    let mut options =
        EnsembleOptions::members(2).vary("robot/cmd_vel/vx=list:0.5,2".parse().unwrap());
    options.session.limits.speed = 1.9;
    let mut ensemble = Ensemble::open(WORLD, options).unwrap();
    let wanted = metrics(&["final:robot/twist[0]", "max:robot/pose[0]", "mean:robot/twist[0]"]);
    let mut found = MemberMetrics::new(&mut ensemble, &wanted, 0.1).unwrap();
    found.step(&mut ensemble, 80).unwrap();
    let row = found.table_row(&mut ensemble, 1).unwrap();
    let end = ensemble.member(1).unwrap().steps();
    assert!(
        row.contains(&format!(",diverged,{},{end},", end as f64 * 0.005))
            && end < 80
            && !end.is_multiple_of(20),
        "{row}"
    );
    let at_end = found.row(1);
    let selected = ensemble.select(["robot/twist", "robot/pose"]).unwrap();
    let mut all = vec![0.0; 2 * selected.width()];
    ensemble.read(&selected, &mut all).unwrap();
    let own = &all[selected.width()..];
    assert_eq!(at_end[..2], [own[6], own[0]]);
    found.step(&mut ensemble, 20).unwrap();
    assert_eq!(found.row(1), at_end);
    assert!(found.table_row(&mut ensemble, 0).unwrap().contains(",running,0.5,100,"));
}

#[test]
fn metrics_that_name_nothing_are_errors() {
    let mut ensemble = ensemble(3, 1);
    for (metric, period, part) in [
        ("max:robot/twst", 0.1, "did you mean `robot/twist`?"),
        ("max:robot/twist[3]", 0.1, "has 3 values; expected an index below 3"),
        ("max:robot/wheel/l/spin[0]", 0.1, "expected no index"),
        ("max:robot/twist[0]", 0.0, "the period is 0 s; expected a positive number"),
    ] {
        let error = MemberMetrics::new(&mut ensemble, &metrics(&[metric]), period).map(drop);
        let error = error.unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn the_seed_of_a_member_is_known_before_its_session() {
    let session = Session::open(WORLD, Options::default()).unwrap();
    for text in ["robot/friction/mu=uniform:0.3:1", "seed=choice:7,18446744073709551615,9"] {
        let all: Vec<Variation> = vec![text.parse().unwrap()];
        let differences = Differences::new(all.clone(), &session, 16, 5).unwrap();
        for member in 0..16 {
            let seed = Differences::first_seed_of(member, &all, 16, 5).unwrap();
            assert_eq!(seed, differences.seed_of(member, 0), "{text}");
        }
    }
    let wrong = vec!["seed=list:1,-1".parse().unwrap()];
    assert!(Differences::first_seed_of(0, &wrong, 2, 5).is_err());
}

/// An ensemble whose session has an output folder, and so watches collisions, was estimated at 192 KiB more per member.
#[test]
fn an_ensemble_is_recorded_in_the_folder_of_its_session() {
    let world = "<mvsim_world version=\"1.0\"><vehicle name=\"r\"><dynamics class=\"differential\"/>\
                 <init_pose>0 0 0</init_pose></vehicle></mvsim_world>";
    let folder = tempfile::tempdir().unwrap();
    let mut options = EnsembleOptions::members(100);
    options.max_memory = 100 * 16 * 1024;
    let mut out = Out::new(folder.path());
    out.tables = None;
    options.session.out = Some(out);
    let mut ensemble = Ensemble::from_text(world, "r.world.xml", options).unwrap();
    assert!(!folder.path().join("manifest.json").exists(), "nothing changes before the start");
    let table = folder.path().join("metrics.csv");
    ensemble.record().announce(std::slice::from_ref(&table)).unwrap();
    ensemble.record().start().unwrap();
    ensemble.step(1).unwrap();
    drop(ensemble);
    let manifest = std::fs::read_to_string(folder.path().join("manifest.json")).unwrap();
    assert!(manifest.contains("\"metrics.csv\""), "{manifest}");
    assert!(folder.path().join("world.flat.xml").exists());
}
