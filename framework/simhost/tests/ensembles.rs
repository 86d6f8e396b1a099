//! Members of ensembles equal separate runs, bit for bit, in every world.

#![allow(clippy::unwrap_used)]

use std::sync::{Arc, Mutex};

use simhost::{
    CommandSchedule, Differences, Ensemble, EnsembleError, EnsembleOptions, Error, MemberEnd,
    MemberEvent, Options, Sample, Selection, Session, Sink, SinkError, Stream, Variation,
};

use crate::all_worlds::worlds;

const MEMBERS: usize = 8;

/// Returns variations of a parameter of friction, one of a controller, a pose and a command, if a
/// world has them.
fn variations(session: &Session) -> Vec<Variation> {
    let parameters = session.inputs().parameters();
    let number = |role: &str| {
        let named = parameters.iter().filter(|(name, _)| name.split('/').nth(1) == Some(role));
        let mut numbers = named.filter_map(|(name, value)| {
            let value: f64 = value.parse().ok()?;
            (value != 0.0).then_some((name, value))
        });
        numbers.next().map(|(name, value)| format!("{name}=list:{value},{}", value * 0.9))
    };
    let vehicles = session.simulation().vehicle_names();
    let pose = session.simulation().placeable().next().map(|entity| {
        let pose = session.simulation().motion_of(entity).unwrap().0;
        format!("{entity}/pose/yaw=range:{}:{}:8", pose[2], pose[2] + 0.02)
    });
    let command = session.world().streams().unwrap().iter().find_map(|stream| {
        let name = format!("{}/cmd_vel", vehicles.first()?);
        (stream.name == name).then(|| format!("{name}=list:0.5 0 0.1,1 0 -0.2,0.8 0 0"))
    });
    let texts = [number("friction"), number("controller"), pose, command];
    let parsed = texts.into_iter().flatten().map(|text| text.parse::<Variation>().unwrap());
    // values that the world does not accept, or that nothing can vary
    let accepted =
        |one: &Variation| Differences::new(vec![one.clone()], session, MEMBERS, 0).is_ok();
    parsed.filter(accepted).collect()
}

/// Opens a session with the differences of a member.
fn session_of(world: &std::path::Path, variations: &[Variation], member: usize) -> Session {
    let seed = Some(5 + member as u64);
    let mut session = Session::open(world, Options { seed, ..Options::default() }).unwrap();
    let differences = Differences::new(variations.to_vec(), &session, MEMBERS, 5).unwrap();
    for difference in differences.of_member(member, 0) {
        difference.apply(&mut session).unwrap();
    }
    session
}

#[test]
fn members_of_every_world_equal_sessions() {
    let mut shared = Vec::new();
    for world in worlds() {
        let name = world.file_name().unwrap().to_string_lossy().into_owned();
        let variations = variations(&Session::open(&world, Options::default()).unwrap());
        let mut options = EnsembleOptions::members(MEMBERS).seed(5).threads(2);
        options.variations.clone_from(&variations);
        let mut ensemble = Ensemble::open(&world, options).unwrap();
        if ensemble.why_not_shared().is_empty() {
            shared.push(name.clone());
        }
        let mut sessions: Vec<Session> =
            (0..MEMBERS).map(|member| session_of(&world, &variations, member)).collect();
        let half: Vec<bool> = (0..MEMBERS).map(|member| member % 2 == 1).collect();
        ensemble.step(23).unwrap();
        sessions.iter_mut().for_each(|session| drop(session.run_steps(23).unwrap()));
        ensemble.step_some(11, &half).unwrap();
        for session in sessions.iter_mut().skip(1).step_by(2) {
            session.run_steps(11).unwrap();
        }
        let reset: Vec<bool> = (0..MEMBERS).map(|member| member >= 4).collect();
        ensemble.reset(&reset, None).unwrap();
        for (member, session) in sessions.iter_mut().enumerate().skip(4) {
            *session = session_of(&world, &variations, member);
        }
        ensemble.step(19).unwrap();
        sessions.iter_mut().for_each(|session| drop(session.run_steps(19).unwrap()));
        for (number, session) in sessions.iter_mut().enumerate() {
            let mut member = ensemble.member(number).unwrap();
            assert_eq!(member.steps(), session.steps(), "{name}: member {number}");
            let hash = session.simulation().result_hash();
            assert_eq!(member.result_hash().unwrap(), hash, "{name}: results of {number}");
            let state = session.snapshot().unwrap().state_hash();
            assert_eq!(member.state_hash().unwrap(), state, "{name}: state of {number}");
            let mut taken = member.to_session().unwrap();
            assert_eq!(taken.snapshot().unwrap().state_hash(), state, "{name}: {number} taken");
            taken.run_steps(5).unwrap();
            session.run_steps(5).unwrap();
            assert_eq!(taken.simulation().result_hash(), session.simulation().result_hash());
        }
    }
    assert!(shared.len() >= 3, "members share tables in {shared:?}");
}

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/demo.world.xml");

fn demo(members: usize) -> Ensemble {
    let options =
        EnsembleOptions::members(members).vary("robot/pose/yaw=range:0:1:4".parse().unwrap());
    Ensemble::open(DEMO, options).unwrap()
}

fn text_of(result: Result<impl Sized, Error>) -> String {
    result.err().unwrap().to_string()
}

#[test]
fn wrong_shapes_names_and_numbers_are_refused() {
    let mut ensemble = demo(4);
    let hash = ensemble.member(2).unwrap().state_hash().unwrap();
    let wrong = [
        (
            text_of(ensemble.set("robot/cmd_vel", &[0.0; 11])),
            "'robot/cmd_vel' has 11 values; expected 12: 4 members × 3 values",
        ),
        (
            text_of(
                ensemble
                    .set("robot/cmd_vel", &[0., 0., 0., 0., f64::NAN, 0., 0., 0., 0., 0., 0., 0.]),
            ),
            "'robot/cmd_vel': value 1 of member 1 is NaN; expected a finite number",
        ),
        (text_of(ensemble.set("robot/cmd_val", &[0.0; 12])), "did you mean 'robot/cmd_vel'?"),
        (
            text_of(ensemble.step_some(1, &[true; 3])),
            "the mask has 3 values; expected 4: one for each of 4 members",
        ),
        (text_of(ensemble.reset(&[true; 5], None)), "the mask has 5 values; expected 4"),
        (
            text_of(ensemble.reset(&[true; 4], Some(&[1]))),
            "the list of seeds has 1 values; expected 4",
        ),
        (text_of(ensemble.member(4).map(drop)), "unknown member 4; the members are 0 to 3"),
        (text_of(ensemble.select(["robot/pos"])), "did you mean `robot/pose`?"),
    ];
    for (found, expected) in wrong {
        assert!(found.contains(expected), "{found}");
    }
    let poses = ensemble.select(["robot/pose"]).unwrap();
    let mut matrix = vec![0.0; 23];
    assert!(
        text_of(ensemble.read(&poses, &mut matrix)).contains("expected 24: 4 members × 6 values")
    );
    assert_eq!(ensemble.member(2).unwrap().state_hash().unwrap(), hash, "nothing has changed");
    let mut options = EnsembleOptions::members(1_000_000);
    options.max_memory = 1 << 30;
    let error = Ensemble::open(DEMO, options).err().unwrap();
    assert!(matches!(error, Error::Ensemble(EnsembleError::Memory { members: 1_000_000, .. })));
}

#[test]
fn matrices_have_the_values_of_sessions() {
    let mut ensemble = demo(4);
    let commands: Vec<f64> = (0..4).flat_map(|at| [0.5, 0.0, 0.1 * f64::from(at)]).collect();
    ensemble.set("robot/cmd_vel", &commands).unwrap();
    ensemble.step(130).unwrap();
    let names = ["robot/pose", "robot/wheel/*/spin", "robot/sensor/*/range"];
    let selected = ensemble.select(names).unwrap();
    let mut matrix = vec![0.0; 4 * selected.width()];
    ensemble.read(&selected, &mut matrix).unwrap();
    let mut small = vec![0.0f32; matrix.len()];
    ensemble.read_f32(&selected, &mut small).unwrap();
    for member in 0..4 {
        let mut session = session_with(member, &commands);
        session.run_steps(130).unwrap();
        let mut row = Vec::new();
        let alone = Ensemble::open(DEMO, EnsembleOptions::members(1)).unwrap();
        let own = alone.select(names).unwrap();
        session.ensemble(EnsembleOptions::members(1)).unwrap();
        let mut taken = ensemble.member(member).unwrap();
        taken.read(&selected, &mut row).unwrap();
        assert_eq!(own.width(), selected.width());
        let in_matrix = &matrix[member * selected.width()..][..selected.width()];
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&row), bits(in_matrix));
        let pose = session.simulation().vehicles().next().unwrap().pose;
        assert_eq!(in_matrix[..2], pose[..2], "member {member}");
        assert_eq!(small[member * selected.width()], pose[0] as f32);
    }
}

/// Returns a session of the demo with the pose and the command of a member.
fn session_with(member: usize, commands: &[f64]) -> Session {
    let mut session =
        Session::open(DEMO, Options { seed: Some(member as u64), ..Options::default() }).unwrap();
    let variation = "robot/pose/yaw=range:0:1:4".parse().unwrap();
    let differences = Differences::new(vec![variation], &session, 4, 0).unwrap();
    differences.of_member(member, 0).iter().for_each(|one| one.apply(&mut session).unwrap());
    let values = commands[3 * member..3 * member + 3].to_vec();
    let (vehicle, kind) = ("robot".to_owned(), "twist".to_owned());
    session.inputs().send(simhost_streams::Input::Command { vehicle, kind, values }).unwrap();
    session
}

#[test]
fn members_end_each_for_its_own_reason() {
    let commands = "v0/cmd_vel=list:0.3 0 0,0.5 0 0.2,0.2 0 0,3 0 0".parse().unwrap();
    let mut options = EnsembleOptions::members(4).vary(commands);
    options.session.limits.speed = 0.9;
    let world = random_world(&[(false, true, 0, 0)], false);
    let world = world.replace("</mvsim_world>", "<duration>2</duration></mvsim_world>");
    let mut ensemble = Ensemble::from_text(&world, "ends.world.xml", options).unwrap();
    ensemble.run_until(simhost::seconds(1000.0)).unwrap();
    assert!(ensemble.has_ended());
    let mut first = ensemble.member(0).unwrap();
    let (steps, time) = (first.steps(), first.time().0);
    assert_eq!(first.end(), Some(&MemberEnd::Duration));
    assert_eq!(first.end().unwrap().name(), "duration");
    let hash = first.result_hash().unwrap();
    let mut wild = ensemble.member(3).unwrap();
    assert!(matches!(wild.end(), Some(MemberEnd::Diverged(_))), "{:?}", wild.end());
    assert!(wild.time().0 < time);
    wild.result_hash().unwrap();
    ensemble.step(10).unwrap();
    assert_eq!(ensemble.member(0).unwrap().result_hash().unwrap(), hash, "it stands still");
    ensemble.reset(&[false, false, false, true], Some(&[1, 2, 3, 44])).unwrap();
    let wild = ensemble.member(3).unwrap();
    assert_eq!((wild.end(), wild.steps(), wild.seed()), (None, 0, 44));
    assert_eq!(ensemble.member(2).unwrap().steps(), steps);
}

#[test]
fn snapshots_of_ensembles_and_members_return() {
    let mut ensemble = demo(5);
    ensemble.step(40).unwrap();
    let before = ensemble.snapshot().unwrap();
    let hashes = |ensemble: &mut Ensemble| -> Vec<u128> {
        let of = |member| ensemble.member(member).unwrap().state_hash().unwrap();
        (0..5).map(of).collect()
    };
    let start = hashes(&mut ensemble);
    ensemble.step(25).unwrap();
    let end = hashes(&mut ensemble);
    ensemble.restore(&before).unwrap();
    assert_eq!(hashes(&mut ensemble), start);
    ensemble.step(25).unwrap();
    assert_eq!(hashes(&mut ensemble), end);
    let kept = ensemble.member(1).unwrap().snapshot().unwrap();
    ensemble.step(7).unwrap();
    ensemble.member(1).unwrap().restore(&kept).unwrap();
    assert_eq!(ensemble.member(1).unwrap().steps(), 65);
    assert_eq!(ensemble.member(1).unwrap().state_hash().unwrap(), end[1]);
}

#[test]
fn an_ensemble_of_a_session_starts_from_its_state() {
    let mut session = Session::open(DEMO, Options { seed: Some(3), ..Options::default() }).unwrap();
    session.run_steps(77).unwrap();
    let options = EnsembleOptions::members(3)
        .vary("robot/cmd_vel=list:1 0 0,0.5 0 0.5,0 0 0".parse().unwrap());
    let mut ensemble = session.ensemble(options).unwrap();
    assert_eq!(ensemble.member(2).unwrap().steps(), 77);
    ensemble.step(30).unwrap();
    for (member, values) in [[1.0, 0.0, 0.0], [0.5, 0.0, 0.5], [0.0; 3]].into_iter().enumerate() {
        let mut fork = session.fork().unwrap();
        let (vehicle, kind, values) = ("robot".into(), "twist".into(), values.to_vec());
        fork.inputs().send(simhost_streams::Input::Command { vehicle, kind, values }).unwrap();
        fork.run_steps(30).unwrap();
        let state = fork.snapshot().unwrap().state_hash();
        assert_eq!(ensemble.member(member).unwrap().state_hash().unwrap(), state, "{member}");
    }
    // parameters that change in the present state
    let options = EnsembleOptions::members(2).vary("robot/controller/KP=list:3,4".parse().unwrap());
    let mut ensemble = session.ensemble(options).unwrap();
    ensemble.step(30).unwrap();
    let mut fork = session.fork().unwrap();
    fork.edit().set_parameter("robot/controller/KP", "4").unwrap();
    fork.run_steps(30).unwrap();
    let state = fork.snapshot().unwrap().state_hash();
    assert_eq!(ensemble.member(1).unwrap().state_hash().unwrap(), state);
}

/// Members keep their parameters, so values that a command file sets during the run are refused.
#[test]
fn members_do_not_take_values_of_parameters_from_commands() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("commands.csv");
    std::fs::write(&path, "0.1,robot,twist,1,0,0\n0.5,,parameter,robot/controller/KP,3\n").unwrap();
    let open = || {
        let world = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/demo.world.xml");
        let mut session = Session::open(world, Options::default()).unwrap();
        let commands = CommandSchedule::read(&path, session.simulation()).unwrap();
        session.edit().set_commands(commands).unwrap();
        session
    };
    let expected = "the commands set 'robot/controller/KP' after 100 steps";
    let text = text_of(Ensemble::from_session(open(), EnsembleOptions::members(2)));
    assert!(text.contains(expected), "{text}");
    let text = text_of(open().ensemble(EnsembleOptions::members(2)));
    assert!(text.contains(expected), "{text}");
}

/// Members that start from a session again are forks of it, those that are sessions included, also if the session or a
/// member was near a wall before.
#[test]
fn members_restart_from_the_present_state_of_a_session() {
    let text = random_world(&[(false, true, 0, 0)], true);
    let seeded = Options { seed: Some(3), ..Options::default() };
    let mut session = Session::from_text(&text, "random.world.xml", seeded).unwrap();
    let options = EnsembleOptions::members(4)
        .vary("v0/cmd_vel=list:1 0 0,0.5 0 0.5,0 0 0.1,1 0 -0.2".parse().unwrap());
    let mut ensemble = session.ensemble(options).unwrap();
    ensemble.session_of(2).unwrap();
    let mut touching = Vec::new();
    for steps in [77, 300, 2100] {
        let (vehicle, kind) = ("v0".to_owned(), "twist".to_owned());
        let values = vec![1.0, 0.0, 0.0];
        session.inputs().send(simhost_streams::Input::Command { vehicle, kind, values }).unwrap();
        session.run_steps(steps).unwrap();
        ensemble.restart(&mut session).unwrap();
        ensemble.step(40).unwrap();
        let touches = ensemble.events(MemberEvent::Contact).unwrap();
        // member 2 is a session
        let detached = touches.iter().enumerate().filter(|(member, one)| **one && *member != 2);
        assert!(ensemble.apart() >= detached.count());
        touching.push(touches.into_iter().filter(|touches| *touches).count());
        let rows = [[1.0, 0.0, 0.0], [0.5, 0.0, 0.5], [0.0, 0.0, 0.1], [1.0, 0.0, -0.2]];
        for (member, values) in rows.into_iter().enumerate() {
            let mut fork = session.fork().unwrap();
            let (vehicle, kind, values) = ("v0".into(), "twist".into(), values.to_vec());
            fork.inputs().send(simhost_streams::Input::Command { vehicle, kind, values }).unwrap();
            fork.run_steps(40).unwrap();
            let state = fork.snapshot().unwrap().state_hash();
            let mut found = ensemble.member(member).unwrap();
            assert_eq!(found.state_hash().unwrap(), state, "member {member} at {steps}");
        }
        // each member is back where it was, at its own time
        ensemble.reset(&[true; 4], None).unwrap();
        for member in 0..4 {
            assert_eq!(ensemble.member(member).unwrap().steps(), session.steps(), "{member}");
        }
    }
    assert!(touching[..2] == [0, 0] && touching[2] > 0, "{touching:?} have reached the wall");
    session.edit().set_parameter("v0/controller/KP", "4").unwrap();
    let text = text_of(ensemble.restart(&mut session));
    assert!(text.contains("its world has been edited"), "{text}");
}

/// Members that touch walls are sessions, also where dynamics classes place the bodies or ideal twists act after the step.
#[test]
fn members_at_walls_equal_sessions() {
    const COUNT: usize = 5;
    let worlds = [
        ("", "single_track", "steering_rate_acceleration", "v/pose/yaw=range:0:2:5"),
        ("", "kinematic_single_track", "steering_rate_acceleration", "v/pose/yaw=range:0:2:5"),
        ("compat='mvsim-1.2'", "differential", "twist_ideal", "v/cmd_vel/vx=range:1:2:5"),
    ];
    for (compat, class, controller, variation) in worlds {
        let text = format!(
            "<mvsim_world {compat}><simul_timestep>0.01</simul_timestep><vehicle name='v'>\
             <init_pose>0 0 0</init_pose><init_vel>8 0 0</init_vel>\
             <dynamics class='{class}'><controller class='{controller}'/></dynamics></vehicle><walls><shape>\
             <pt>-7 -7</pt> <pt>7 -7</pt> <pt>7 -7</pt> <pt>7 7</pt> <pt>7 7</pt> <pt>-7 7</pt> <pt>-7 7</pt> \
             <pt>-7 -7</pt></shape></walls></mvsim_world>"
        );
        let variations: Vec<Variation> = vec![variation.parse().unwrap()];
        let mut options = EnsembleOptions::members(COUNT).seed(9);
        options.variations.clone_from(&variations);
        let mut ensemble = Ensemble::from_text(&text, "walls.world.xml", options).unwrap();
        let open = |member: usize| {
            let options = Options { seed: Some(9 + member as u64), ..Options::default() };
            let mut session = Session::from_text(&text, "walls.world.xml", options).unwrap();
            let all = Differences::new(variations.clone(), &session, COUNT, 9).unwrap();
            let own = all.of_member(member, 0);
            own.iter().for_each(|difference| difference.apply(&mut session).unwrap());
            session
        };
        let mut sessions: Vec<Session> = (0..COUNT).map(open).collect();
        let mut touching = 0;
        for steps in [60, 17, 23, 40, 1, 2, 150, 300, 200] {
            ensemble.step(steps).unwrap();
            for (member, session) in sessions.iter_mut().enumerate() {
                session.run_steps(steps).unwrap();
                let state = session.snapshot().unwrap().state_hash();
                let mut found = ensemble.member(member).unwrap();
                assert_eq!(found.state_hash().unwrap(), state, "member {member}, {class}");
            }
            let touches = ensemble.events(MemberEvent::Contact).unwrap();
            let touches = touches.into_iter().filter(|touches| *touches).count();
            assert!(ensemble.apart() >= touches, "{class}");
            touching += touches;
        }
        assert!(touching > COUNT, "{touching} of {class}");
        assert_eq!(ensemble.why_not_shared(), [""; 0], "{class}");
    }
}

/// Counts samples.
struct Counts(Arc<Mutex<u32>>);

impl Sink for Counts {
    fn begin(&mut self, _: &[Arc<Stream>]) -> Result<(), SinkError> {
        Ok(())
    }

    fn take(&mut self, _: usize, _: &Sample<'_>) -> Result<(), SinkError> {
        *self.0.lock().unwrap() += 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<std::path::PathBuf>, SinkError> {
        Ok(Vec::new())
    }
}

#[test]
fn members_can_be_sessions_with_sinks() {
    let mut ensemble = demo(4);
    let taken = Arc::new(Mutex::new(0));
    let sink = Box::new(Counts(taken.clone()));
    ensemble.session_of(1).unwrap().attach(sink, &Selection::default()).unwrap();
    ensemble.step(60).unwrap();
    assert!(*taken.lock().unwrap() > 0);
    let mut plain = demo(4);
    plain.step(60).unwrap();
    for member in 0..4 {
        let [one, other] = [&mut ensemble, &mut plain]
            .map(|ensemble| ensemble.member(member).unwrap().state_hash().unwrap());
        assert_eq!(one, other, "member {member}");
    }
}

/// A world of one to three vehicles, some with sensors, with or without walls around them.
fn random_world(vehicles: &[(bool, bool, i8, i8)], walls: bool) -> String {
    let vehicle = |(number, &(car, senses, x, y)): (usize, &(bool, bool, i8, i8))| {
        let (class, controller) = match car {
            true => ("ackermann", "twist_front_steer_pid"),
            false => ("differential", "twist_pid"),
        };
        let sensors = "<sensor class='laser' name='scan'><sensor_period>0.03</sensor_period><nrays>9</nrays>\
                       </sensor><sensor class='imu' name='imu'/>";
        format!(
            "<vehicle name='v{number}'><init_pose>{} {} {}</init_pose><init_vel>0.5 0 0</init_vel>\
             <dynamics class='{class}'><controller class='{controller}'/></dynamics>{}</vehicle>",
            f64::from(x) * 0.1 + 6.0 * number as f64,
            f64::from(y) * 0.1,
            i32::from(x) * 3,
            if senses { sensors } else { "" }
        )
    };
    let vehicles: Vec<String> = vehicles.iter().enumerate().map(vehicle).collect();
    let around = "<walls><shape><pt>-15 -15</pt> <pt>25 -15</pt> <pt>25 -15</pt> <pt>25 15</pt> <pt>25 15</pt> \
                  <pt>-15 15</pt> <pt>-15 15</pt> <pt>-15 -15</pt></shape></walls>";
    format!(
        "<mvsim_world><simul_timestep>0.01</simul_timestep>{}{}</mvsim_world>",
        if walls { around } else { "" },
        vehicles.concat()
    )
}

/// Draws numbers from 0 to less than `end` (SplitMix64, Steele et al. 2014).
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ bits >> 31) % end
    }

    fn mask(&mut self, count: usize) -> Vec<bool> {
        (0..count).map(|_| self.below(2) == 1).collect()
    }
}

/// Whatever the world, the differences, the masks and the resets, members are sessions.
#[test]
fn members_of_random_worlds_equal_sessions() {
    const COUNT: usize = 6;
    for case in 0..12 {
        let mut draws = Draws(case);
        let vehicles: Vec<(bool, bool, i8, i8)> = (0..1 + draws.below(3))
            .map(|_| {
                let [car, senses] = [draws.below(2) == 1, draws.below(2) == 1];
                (car, senses, draws.below(60) as i8 - 30, draws.below(60) as i8 - 30)
            })
            .collect();
        let text = random_world(&vehicles, draws.below(2) == 1);
        let texts = [
            "v0/friction/mu=uniform:0.4:0.9",
            "v0/cmd_vel/vx=uniform:0.2:1.2",
            "v0/pose/yaw=sobol:0:1",
        ];
        let variations: Vec<Variation> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let threads = 1 + draws.below(4) as usize;
        let mut options = EnsembleOptions::members(COUNT).seed(9).threads(threads);
        options.variations.clone_from(&variations);
        let mut ensemble = Ensemble::from_text(&text, "random.world.xml", options).unwrap();
        let open = |member: usize, resets: u64| {
            let options = Options { seed: Some(9 + member as u64), ..Options::default() };
            let mut session = Session::from_text(&text, "random.world.xml", options).unwrap();
            let differences = Differences::new(variations.clone(), &session, COUNT, 9).unwrap();
            differences
                .of_member(member, resets)
                .iter()
                .for_each(|one| one.apply(&mut session).unwrap());
            session
        };
        let mut resets = [0; COUNT];
        let mut sessions: Vec<Session> = (0..COUNT).map(|member| open(member, 0)).collect();
        for call in 0..5 {
            let (steps, mask, reset) = (1 + draws.below(40), draws.mask(COUNT), draws.mask(COUNT));
            ensemble.step_some(steps, &mask).unwrap();
            ensemble.reset(&reset, None).unwrap();
            for member in 0..COUNT {
                if mask[member] {
                    sessions[member].run_steps(steps).unwrap();
                }
                if reset[member] {
                    resets[member] += 1;
                    sessions[member] = open(member, resets[member]);
                }
                let state = sessions[member].snapshot().unwrap().state_hash();
                let results = sessions[member].simulation().result_hash();
                let mut own = ensemble.member(member).unwrap();
                assert_eq!(own.result_hash().unwrap(), results, "case {case}, {call}, {member}");
                // a session takes its commands with the first step
                if own.steps() > 0 {
                    assert_eq!(own.state_hash().unwrap(), state, "case {case}, {call}, {member}");
                }
            }
        }
    }
}
