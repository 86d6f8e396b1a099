//! Sessions that a random client drives by hand are repeated bit for bit.

use std::path::Path;
use std::time::{Duration, Instant};

use simhost::output::Recorded;
use simhost::{ClockMode, Error, Input, Inputs, Options, Out, Session, Snapshot, WhenPaused};

use crate::support::number_of;
use crate::support::world::World;

fn world() -> World {
    World::new().step(0.01).xml(
        r#"<vehicle:class name="robot"><dynamics class="differential">
<controller class="twist_pid"><V>1</V><W>0.1</W></controller></dynamics>
<sensor class="laser" name="scan"><sensor_period>0.1</sensor_period><nrays>11</nrays>
<range_std_noise>0.02</range_std_noise></sensor></vehicle:class>
<vehicle name="a" class="robot"><init_pose>0 0 0</init_pose></vehicle>
<vehicle name="b" class="robot"><init_pose>4 0.2 180</init_pose></vehicle>
<block name="crate"><mass>5</mass><init_pose>2 0.4 20</init_pose></block>
<walls><shape><pt>-6 -6</pt><pt>6 -6</pt><pt>6 -6</pt><pt>6 6</pt></shape></walls>
"#,
    )
}

const ROBOT: &str = r#"<vehicle name="NAME"><dynamics class="ackermann"><controller class="twist_front_steer_pid">
<V>1</V><W>0.2</W></controller></dynamics><init_pose>X Y 30</init_pose></vehicle>"#;

fn open(world: &Path, folder: &Path) -> Session {
    let out = Some(Out::new(folder));
    Session::open(world, Options { out, ..Options::default() }).unwrap()
}

/// Draws inputs.
struct Client {
    random: fastrand::Rng,
    /// Number of entities that were added.
    added: usize,
}

impl Client {
    fn new(seed: u64) -> Self {
        Self { random: fastrand::Rng::with_seed(seed), added: 0 }
    }

    fn number(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.random.f64()
    }

    fn vehicle(&mut self) -> String {
        let added = self.added;
        match self.random.usize(0..4) {
            0 if added > 0 => format!("new{}", self.random.usize(1..=added)),
            1 | 2 => "b".to_owned(),
            _ => "a".to_owned(),
        }
    }

    fn place(&mut self) -> [f64; 3] {
        [self.number(-5.0, 5.0), self.number(-5.0, 5.0), self.number(-3.0, 3.0)]
    }

    /// Draws an input that any thread can send.
    fn input(&mut self) -> Input {
        let vehicle = self.vehicle();
        match self.random.u32(0..13) {
            0..6 => {
                let values = vec![self.number(-1.0, 2.0), 0.0, self.number(-1.0, 1.0)];
                Input::Command { vehicle, kind: "twist".to_owned(), values }
            }
            6 => Input::Pose { entity: vehicle, pose: self.place() },
            7 => Input::Velocity { entity: vehicle, velocity: self.place() },
            8 => Input::Pose { entity: "block/crate".to_owned(), pose: self.place() },
            9 => {
                let name = format!("{vehicle}/controller/KP");
                Input::Parameter { name, value: self.number(1.0, 20.0).to_string() }
            }
            10 => {
                self.added += 1;
                let [x, y, _] = self.place();
                let fragment = ROBOT.replace("NAME", &format!("new{}", self.added));
                let fragment = fragment.replace('X', &x.to_string()).replace('Y', &y.to_string());
                Input::Add { fragment, files: Vec::new() }
            }
            11 => Input::Remove { entity: vehicle },
            _ => Input::Pace { factor: self.number(1.0, 100.0) },
        }
    }

    /// Sends an input, which may name something that is not there any more.
    fn send(&mut self, inputs: &Inputs) {
        let _ = inputs.send(self.input());
    }
}

/// Drives a session on one thread until `steps` steps have been made, over resets and restored snapshots.
fn drive(session: &mut Session, client: &mut Client, steps: u64) {
    let inputs = session.inputs();
    let mut kept: Option<Snapshot> = None;
    let mut made = 0;
    while made < steps {
        for _ in 0..client.random.usize(0..4) {
            client.send(&inputs);
        }
        match client.random.u32(0..30) {
            0 => inputs.send(Input::Pause).unwrap(),
            1 => session.edit().reset(client.random.u64(..)).unwrap(),
            2 => kept = Some(session.snapshot().unwrap()),
            3 => {
                if let Some(snapshot) = &kept {
                    session.restore(snapshot).unwrap();
                }
            }
            _ => {}
        }
        let before = session.steps();
        match session.run_steps(client.random.u64(1..40)) {
            Ok(_) => {}
            // bodies were put into each other
            Err(Error::Step(_)) => session.edit().reset(client.random.u64(..)).unwrap(),
            Err(error) => panic!("{error}"),
        }
        if session.inputs().pace().is_paused() {
            inputs.send(Input::Step { steps: 3 }).unwrap();
            let _ = session.run_steps(3);
            inputs.send(Input::Resume).unwrap();
        }
        made += session.steps().saturating_sub(before) + 1;
    }
}

fn assert_repeats(folder: &Path) {
    let recorded = Recorded::read(folder).unwrap();
    assert!(recorded.end().is_some());
    let mut session =
        Session::reopen(&recorded, Options { threads: 2, ..Options::default() }).unwrap();
    assert_eq!(session.repeat(&recorded).unwrap(), Some(true), "{}", folder.display());
}

#[test]
fn a_session_driven_by_hand_is_repeated() {
    let workspace = world().workspace();
    for seed in 0..4 {
        let folder = workspace.path(&format!("out{seed}"));
        let mut session = open(&workspace.path("world.xml"), &folder);
        drive(&mut session, &mut Client::new(seed), 400);
        session.finish().unwrap();
        drop(session);
        assert_repeats(&folder);
        let recorded = Recorded::read(&folder).unwrap();
        let is = |kind: &str| {
            let named = |input: &Input| serde_json::to_value(input).unwrap()["input"] == kind;
            recorded.inputs.list.iter().filter(|record| named(&record.input)).count()
        };
        assert!(["command", "pose", "parameter", "add"].into_iter().all(|kind| is(kind) > 0));
        // the record of the repetition is repeated, too
        let again = workspace.path(&format!("again{seed}"));
        let options = Options { out: Some(Out::new(&again)), ..Options::default() };
        let mut session = Session::reopen(&recorded, options).unwrap();
        assert_eq!(session.repeat(&recorded).unwrap(), Some(true));
        session.finish().unwrap();
        drop(session);
        assert_repeats(&again);
    }
}

/// Drives a session in real time from two other threads for `wall`.
fn drive_live(session: &mut Session, seed: u64, wall: Duration) {
    session.control().set_clock(ClockMode::Realtime { factor: 20.0 });
    session.control().set_when_paused(WhenPaused::Wait);
    let (start, inputs) = (Instant::now(), session.inputs());
    std::thread::scope(|scope| {
        for number in 0..2 {
            let inputs = inputs.clone();
            scope.spawn(move || {
                let mut client = Client::new(2 * seed + number);
                // the two add other entities
                client.added = 1000 * number as usize;
                while start.elapsed() < wall {
                    client.send(&inputs);
                    match client.random.u32(0..40) {
                        0 => inputs.send(Input::Pause).unwrap(),
                        1 => inputs.send(Input::Step { steps: 5 }).unwrap(),
                        2 => inputs.send(Input::Reset { seed: client.random.u64(..) }).unwrap(),
                        _ => inputs.send(Input::Resume).unwrap(),
                    }
                    std::thread::sleep(Duration::from_millis(client.random.u64(1..30)));
                }
                inputs.send(Input::Stop).unwrap();
            });
        }
        while start.elapsed() < wall {
            match session.run_steps(u64::MAX / 2) {
                Ok(_) => {}
                Err(Error::Step(_)) => session.edit().reset(seed).unwrap(),
                Err(error) => panic!("{error}"),
            }
        }
    });
}

fn live_session_repeats(world: &Path, folder: &Path, seed: u64, milliseconds: u64) {
    let mut session = open(world, folder);
    drive_live(&mut session, seed, Duration::from_millis(milliseconds));
    session.finish().unwrap();
    drop(session);
    assert_repeats(folder);
}

#[test]
fn inputs_from_other_threads_are_repeated() {
    let workspace = world().workspace();
    live_session_repeats(&workspace.path("world.xml"), &workspace.path("out"), 7, 1500);
}

/// Ten clients drive at the same time, each for `SIMHOST_CLIENT_SECONDS`.
#[test]
#[ignore = "takes ten seconds, or as long as is wanted"]
fn ten_sessions_are_repeated() {
    let milliseconds = 1000 * number_of("SIMHOST_CLIENT_SECONDS", 5);
    let workspace = world().workspace();
    std::thread::scope(|scope| {
        for seed in 0..10 {
            let paths = ["world.xml".to_owned(), format!("out{seed}")];
            let [world, folder] = paths.map(|name| workspace.path(&name));
            scope.spawn(move || live_session_repeats(&world, &folder, seed, milliseconds));
        }
    });
}

/// Inputs that cannot be applied are errors before they take effect, and are not recorded.
#[test]
fn bad_inputs_are_refused_and_not_recorded() {
    let workspace = world().workspace();
    let folder = workspace.path("out");
    let mut session = open(&workspace.path("world.xml"), &folder);
    let command = |vehicle: &str, value: f64| {
        let (vehicle, kind) = (vehicle.to_owned(), "twist".to_owned());
        Input::Command { vehicle, kind, values: vec![value, 0.0, 0.0] }
    };
    let pose = |x: f64| Input::Pose { entity: "a".to_owned(), pose: [x, 0.0, 0.0] };
    for (input, part) in [
        (command("a", f64::NAN), "NaN"),
        (command("a", f64::INFINITY), "inf"),
        (command("aa", 1.0), "did you mean 'a'?"),
        (pose(f64::NAN), "NaN"),
        (Input::Parameter { name: "a/controller/KQ".to_owned(), value: "1".to_owned() }, "KQ"),
        (Input::Remove { entity: "nobody".to_owned() }, "nobody"),
    ] {
        let error = session.inputs().send(input).unwrap_err().to_string();
        assert!(error.contains(part), "no `{part}` in {error}");
    }
    session.run_steps(10).unwrap();
    session.finish().unwrap();
    drop(session);
    assert!(Recorded::read(&folder).unwrap().inputs.list.is_empty());
    assert_repeats(&folder);
}
