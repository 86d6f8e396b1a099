//! Ensembles: steps of members in shared tables, compared with sessions that are stepped in turn.
//!
//! Each row compares the result hashes of some members with sessions in the same run. Sessions are
//! measured with only some of the members, because all of them would not fit into the cache and
//! take too long.

#![allow(missing_docs)]

use std::time::Instant;

use criterion as _;
use simhost::{Ensemble, EnsembleOptions, Options, Session};
use simhost_abi::Kind;
use simhost_benches::{Ratio, is_test_run, report, shared_friction};

#[path = "../../docs/examples/loop_traffic/src/lib.rs"]
mod loop_traffic;

/// Sessions that are measured together with an ensemble.
const SESSIONS: usize = 64;
/// Commands that differ.
const TURNS: &str = "robot/cmd_vel/omega=uniform:-0.5:0.5";
const DRIVES: &str = "robot/cmd_vel/vx=uniform:0.3:1.5";
/// Poses of a car; one in 24 is in contact with the car ahead.
const CROWDED: &str = "car3/pose/x=list:-21,-20.9,-20.8,-20.7,-20.6,-20.5,-21.1,-21.2,-21.3,-21.4,-21.5,-17,\
                       -21,-20.9,-20.8,-20.7,-20.6,-20.5,-21.1,-21.2,-21.3,-21.4,-21.5,-21.05";
/// Rounds of a measurement; the fastest counts.
const ROUNDS: usize = 9;

/// A row of the table.
struct Row<'a> {
    name: &'a str,
    world: String,
    members: usize,
    variations: &'a [&'a str],
    /// Steps of a round.
    steps: u64,
    /// Part of the members that is reset before each round.
    resets: f64,
}

fn world(elements: &str) -> String {
    format!("<mvsim_world><simul_timestep>0.005</simul_timestep>{elements}</mvsim_world>")
}

fn vehicle(class: &str, controller: &str, friction: &str, more: &str) -> String {
    format!(
        "<vehicle name=\"robot\"><dynamics class=\"{class}\"><controller class=\"{controller}\"/></dynamics>\
         <friction class=\"{friction}\"/><init_pose>0 0 0</init_pose>{more}</vehicle>"
    )
}

/// A round hall of `segments` walls.
fn hall(segments: usize, radius: f64) -> String {
    let at = |index: usize| {
        let (sin, cos) = (index as f64 * std::f64::consts::TAU / segments as f64).sin_cos();
        format!("<pt>{} {}</pt>", radius * cos, radius * sin)
    };
    let points: Vec<String> = (0..segments).map(|index| at(index) + &at(index + 1)).collect();
    format!("<walls><shape>{}</shape></walls>", points.concat())
}

/// Cars that follow each other on an oval.
fn traffic(cars: usize) -> String {
    let car = |index: usize| {
        let (back, along) = (index % 2, index / 2);
        let (x, y, yaw) = (6.0 * along as f64 - 27.0, [-20, 20][back], [0, 180][back]);
        format!(
            "<vehicle name=\"car{index}\"><init_pose>{x} {y} {yaw}</init_pose><dynamics class=\"ackermann\">\
             <controller class=\"driver\"/></dynamics></vehicle>"
        )
    };
    let cars: Vec<String> = (0..cars).map(car).collect();
    format!("<mvsim_world><simul_timestep>0.02</simul_timestep>{}</mvsim_world>", cars.concat())
}

/// Measures laps of a track with 1,080 rays in each step.
fn race() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../worlds/");
    let mut session = Session::open(format!("{folder}racetrack.world.xml"), Options::default())
        .expect("it opens");
    let commands = format!("{folder}racetrack.commands.csv");
    let commands = simhost::CommandSchedule::read(commands.as_ref(), session.simulation());
    session.edit().set_commands(commands.expect("they can be read")).expect("they fit");
    let count = if is_test_run() { 8 } else { 256 };
    let mut ensemble = session.ensemble(EnsembleOptions::members(count)).expect("it opens");
    let mut own = session.fork().expect("it can be copied");
    let steps = 100;
    let (mut fastest, mut alone) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        ensemble.step(steps).expect("nothing fails");
        fastest = fastest.min(start.elapsed().as_secs_f64() / (count as u64 * steps) as f64);
        let start = Instant::now();
        own.run_steps(steps).expect("nothing fails");
        alone = alone.min(start.elapsed().as_secs_f64() / steps as f64);
    }
    let hash = ensemble.member(count - 1).expect("there is one").result_hash();
    assert_eq!(hash.expect("it can be looked at"), own.simulation().result_hash());
    report(&format!(
        "  {count} cars on a track, 1,080 rays in each step: {:.0} member-steps/s, {:.0} of one session, {} apart",
        1.0 / fastest,
        1.0 / alone,
        ensemble.apart()
    ));
}

fn open(row: &Row<'_>, threads: usize) -> Ensemble {
    let mut options = EnsembleOptions::members(row.members).seed(1).threads(threads);
    for variation in row.variations {
        options = options.vary(variation.parse().expect("it can be read"));
    }
    Ensemble::from_text(&row.world, "bench.world.xml", options).expect("the world is right")
}

/// Returns the time per member and step, s.
fn time(row: &Row<'_>, ensemble: &mut Ensemble) -> f64 {
    let (members, mut fastest) = (ensemble.members(), f64::INFINITY);
    for round in 0..ROUNDS {
        let every = if row.resets > 0.0 { (1.0 / row.resets) as usize } else { usize::MAX };
        let mask: Vec<bool> = (0..members)
            .map(|member| every < usize::MAX && (member * 7919 + round * 31) % every == 0)
            .collect();
        let start = Instant::now();
        if row.resets > 0.0 {
            ensemble.reset(&mask, None).expect("they start");
        }
        ensemble.step(row.steps).expect("nothing fails");
        let each = start.elapsed().as_secs_f64() / (members as u64 * row.steps) as f64;
        fastest = fastest.min(each);
    }
    fastest
}

/// Opens a session with the differences of a member.
fn session_of(row: &Row<'_>, member: usize) -> Session {
    let options = Options { seed: Some(1 + member as u64), ..Options::default() };
    let session = Session::from_text(&row.world, "bench.world.xml", options);
    let mut session = session.expect("it opens");
    let variations = row.variations.iter().map(|text| text.parse().expect("it can be read"));
    let all = simhost::Differences::new(variations.collect(), &session, row.members, 1);
    for difference in all.expect("they fit").of_member(member, 0) {
        difference.apply(&mut session).expect("it fits");
    }
    session
}

/// Returns the time per session and step, s, and compares the sessions with members of a fresh ensemble.
fn time_of_sessions(row: &Row<'_>) -> f64 {
    let count = SESSIONS.min(row.members);
    let mut ensemble = open(&Row { world: row.world.clone(), ..*row }, 1);
    let mut sessions: Vec<Session> = (0..count).map(|member| session_of(row, member)).collect();
    let mut fastest = f64::INFINITY;
    let rounds = if is_test_run() { 1 } else { 3 };
    for _ in 0..rounds {
        let start = Instant::now();
        for session in &mut sessions {
            session.run_steps(row.steps).expect("nothing fails");
        }
        fastest = fastest.min(start.elapsed().as_secs_f64() / (count as u64 * row.steps) as f64);
    }
    ensemble.step(rounds * row.steps).expect("nothing fails");
    for (member, session) in sessions.iter().enumerate() {
        let mut member = ensemble.member(member).expect("there is one");
        let hash = member.result_hash().expect("it can be looked at");
        assert_eq!(hash, session.simulation().result_hash(), "{}: the same results", row.name);
    }
    fastest
}

/// Measures a row on one thread and on two, and sessions.
fn compare(row: &Row<'_>) {
    let own = time_of_sessions(row);
    let mut ensemble = open(row, 1);
    let each = time(row, &mut ensemble);
    let mut two = open(row, 2);
    let both = time(row, &mut two);
    report(&format!(
        "  {}: {:.3} M member-steps/s, {:.3} of sessions in turn (ratio {:.1}), two threads {:.2} times as fast, \
         {} apart",
        row.name,
        1e-6 / each,
        1e-6 / own,
        own / each,
        each / both,
        ensemble.apart(),
    ));
}

/// Measures friction from a shared library in place of the linked one.
fn compare_library(row: &Row<'_>) {
    let mut linked = open(row, 1);
    let catalogue = Some(shared_friction(&[Kind::Friction]));
    let mut options = EnsembleOptions::members(row.members).seed(1);
    options.session.catalogue = catalogue;
    for variation in row.variations {
        options = options.vary(variation.parse().expect("it can be read"));
    }
    let opened = Ensemble::from_text(&row.world, "bench.world.xml", options);
    let mut shared = opened.expect("the library has the class");
    let (steps, repeats) = if is_test_run() { (1, 1) } else { (row.steps, 3) };
    let step = |ensemble: &mut Ensemble| ensemble.step(steps).expect("nothing fails");
    let ratio = Ratio::measure(repeats, || step(&mut linked), || step(&mut shared));
    let hash = |ensemble: &mut Ensemble| {
        let last = ensemble.members() - 1;
        ensemble.member(last).and_then(|mut member| member.result_hash()).expect("it has a state")
    };
    assert_eq!(hash(&mut linked), hash(&mut shared), "the same results");
    report(&format!(
        "  friction from a shared library: {:.3} times as fast as the linked one",
        ratio.value()
    ));
}

/// Returns the time in which an ensemble opens, s.
fn opened(row: &Row<'_>, members: usize) -> f64 {
    let row = Row { world: row.world.clone(), members, ..*row };
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        let _ensemble = open(&row, 1);
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

/// Measures opening and resetting the members of a row.
fn open_and_reset(row: &Row<'_>) {
    let (one, all) = (opened(row, 1), opened(row, row.members));
    report(&format!(
        "  opening 1 member: {:.0} µs; {} members: {:.0} µs, {:.2} µs for each further one",
        one * 1e6,
        row.members,
        all * 1e6,
        (all - 1.5 * one) * 1e6 / row.members as f64
    ));
    for varied in [true, false] {
        let variations = if varied { row.variations } else { &[][..] };
        let row = Row { world: row.world.clone(), variations, ..*row };
        let mut ensemble = open(&row, 1);
        let mask = vec![true; row.members];
        let mut fastest = f64::INFINITY;
        for _ in 0..ROUNDS {
            ensemble.step(3).expect("nothing fails");
            let start = Instant::now();
            ensemble.reset(&mask, None).expect("they start");
            fastest = fastest.min(start.elapsed().as_secs_f64());
        }
        let what = if varied { "with new draws" } else { "without draws" };
        report(&format!("  reset {what}: {:.2} µs per member", fastest * 1e6 / row.members as f64));
    }
}

/// Returns the rows of the table.
fn rows() -> Vec<Row<'static>> {
    let few = |count: usize| if is_test_run() { 24 } else { count };
    let robot = vehicle("differential", "twist_pid", "default", "");
    let car = vehicle("ackermann", "twist_front_steer_pid", "ellipse", "");
    let laser = "<sensor class=\"laser\" name=\"scan\"><sensor_period>0.05</sensor_period>\
                 <nrays>64</nrays><max_range>30</max_range></sensor>";
    let scanning = vehicle("differential", "twist_pid", "default", laser);
    let row = |name, world, count, variations| Row {
        name,
        world,
        members: few(count),
        variations,
        steps: 100,
        resets: 0.0,
    };
    let turns_and_drives: &[&str] = &[TURNS, DRIVES];
    let past_walls: &[&str] =
        &["robot/cmd_vel/omega=uniform:0.3:0.5", "robot/cmd_vel/vx=uniform:0.3:1.0"];
    let in_hall = |walls: usize| world(&(hall(walls, 25.0) + &scanning));
    let reset = "the same, 10 % reset before each round";
    let cars = "4,096 Ackermann cars, friction ellipse";
    let few_walls = "1,024 robots, 64 rays each 10th step, 50 walls";
    let many_walls = "1,024 robots, 64 rays each 10th step, 200 walls";
    // in every 24th member, car 3 stands half in the car ahead
    let following = "512 × 20 cars that follow each other, steps of worlds";
    let small = world(&(hall(24, 1.2) + &robot));
    let at_walls = "1,024 robots in a small hall, at its walls after 1 s";
    vec![
        row("4,096 differential robots", world(&robot), 4096, turns_and_drives),
        Row { resets: 0.1, ..row(reset, world(&robot), 4096, turns_and_drives) },
        row(cars, world(&car), 4096, turns_and_drives),
        row(few_walls, in_hall(50), 1024, past_walls),
        Row { steps: 50, ..row(following, traffic(20), 512, &[CROWDED]) },
        row(many_walls, in_hall(200), 1024, past_walls),
        Row { steps: 400, resets: 1.0, ..row(at_walls, small, 1024, turns_and_drives) },
    ]
}

fn main() {
    let rows = rows();
    // a part of the name of a row selects it
    let selected = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let is_selected = |name: &str| selected.as_ref().is_none_or(|part| name.contains(part));
    rows.iter().filter(|row| is_selected(row.name)).for_each(compare);
    if is_selected("library") {
        compare_library(&rows[2]);
    }
    if is_selected("race") {
        race();
    }
    if !is_selected("opening and reset") {
        return;
    }
    open_and_reset(&rows[0]);
}
