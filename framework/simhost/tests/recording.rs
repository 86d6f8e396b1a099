//! Recordings that follow a session: logs of vehicles, changes of the world, and rates of steering.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use simhost::{
    Input, Options, RecordingAction, Sample, Selection, Session, Sink, SinkError, SpeedSteer,
    Stream, Values, seconds,
};

const WORLD: &str = r#"<mvsim_world><simul_timestep>0.01</simul_timestep>
<vehicle name="car"><init_pose>0 0 0</init_pose><log_path>logs/night_</log_path>
<auto_start_recording>true</auto_start_recording>
<dynamics class="ackermann"><controller class="front_steer_pid"/></dynamics></vehicle>
<vehicle name="robot"><init_pose>0 9 0</init_pose>
<dynamics class="differential"><controller class="twist_pid"/></dynamics></vehicle>
</mvsim_world>"#;

/// Calls of a sink.
type Calls = Arc<Mutex<Vec<String>>>;

/// Notes what it is called with.
struct Notes(Calls);

impl Sink for Notes {
    fn begin(&mut self, streams: &[Arc<Stream>]) -> Result<(), SinkError> {
        self.0.lock().unwrap().push(format!("begin {}", streams.len()));
        Ok(())
    }

    fn take(&mut self, _: usize, _: &Sample<'_>) -> Result<(), SinkError> {
        Ok(())
    }

    fn set_log_path(&mut self, vehicle: &str, path: &str) {
        self.0.lock().unwrap().push(format!("path {vehicle} {path}"));
    }

    fn switch_recording(&mut self, vehicle: &str, action: RecordingAction) {
        self.0.lock().unwrap().push(format!("{} {vehicle}", action.name()));
    }
}

fn open() -> (Session, Calls) {
    let mut session = Session::from_text(WORLD, "test.world.xml", Options::default()).unwrap();
    let calls = Calls::default();
    let selection = Selection { patterns: vec!["*/odometry".to_owned()], ..Selection::default() };
    session.attach(Box::new(Notes(calls.clone())), &selection).unwrap();
    (session, calls)
}

/// Counts samples in a separate file, which `finish` names.
struct Tally(Arc<Mutex<usize>>);

impl Sink for Tally {
    fn take(&mut self, _: usize, _: &Sample<'_>) -> Result<(), SinkError> {
        *self.0.lock().unwrap() += 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        Ok(vec![PathBuf::from("part.tally")])
    }
}

#[test]
fn a_sink_is_completed_during_a_session() {
    let (mut session, _) = open();
    session.run_steps(2).unwrap();
    let count = Arc::<Mutex<usize>>::default();
    let patterns = vec!["robot/odometry".to_owned()];
    let selection = Selection { patterns, ..Selection::default() };
    let id = session.attach(Box::new(Tally(count.clone())), &selection).unwrap();
    session.run_steps(3).unwrap();
    let before = *count.lock().unwrap();
    assert!(before >= 3, "{before} samples");
    let part = [PathBuf::from("part.tally")];
    assert_eq!(session.outputs_mut().detach(id).unwrap(), part);
    assert!(session.outputs_mut().detach(id).unwrap().is_empty(), "it is detached already");
    session.run_steps(3).unwrap();
    assert_eq!(*count.lock().unwrap(), before);
    // its files are among those of the session
    assert_eq!(session.finish().unwrap(), part);
}

/// Contacts and paths, which a viewer draws in addition to streams.
#[test]
fn contacts_and_paths_are_known() {
    let world = r#"<mvsim_world><simul_timestep>0.01</simul_timestep>
<vehicle name="r"><init_pose>0 0 0</init_pose>
<dynamics class="differential"><controller class="twist_pid"><V>0.8</V></controller></dynamics></vehicle>
<vehicle name="t"><init_pose>0 9 0</init_pose><dynamics class="differential"><controller class="trajectory">
<waypoint><t>0</t><x>0</x><y>9</y></waypoint><waypoint><t>9</t><x>4</x><y>8</y></waypoint></controller></dynamics>
<sensor class="uwb"><anchor><x>1</x><y>2</y><z>3</z></anchor><anchor><x>2</x><y>2</y><z>3</z></anchor></sensor></vehicle>
<block name="wall"><static>true</static><init_pose>2 0 0</init_pose></block></mvsim_world>"#;
    let mut session = Session::from_text(world, "test.world.xml", Options::default()).unwrap();
    // positions of anchors are no path
    let paths = session.world().description().unwrap().paths();
    assert_eq!(paths, [("t/controller".to_owned(), vec![[0.0, 9.0], [4.0, 8.0]])]);
    session.run_steps(1).unwrap();
    assert!(session.simulation().touches().points().is_empty());
    session.run_steps(400).unwrap();
    let found = session.simulation().touches().points();
    let contact = found.first().expect("the robot stands at the wall");
    assert_eq!(contact.entity, "r");
    assert!(contact.point[0] > 0.3 && contact.normal[0] < -0.99, "{contact:?}");
    assert!(found.iter().map(|one| one.force).sum::<f64>() > 1.0, "{found:?}");
}

#[test]
fn sinks_learn_which_logs_start_and_when_recording_is_switched() {
    let (mut session, calls) = open();
    session.run_steps(2).unwrap();
    session.vehicle("robot").unwrap().record(RecordingAction::New).unwrap();
    session.vehicle("car").unwrap().record(RecordingAction::Off).unwrap();
    let all = Input::Recording { vehicle: String::new(), action: RecordingAction::On };
    session.inputs().send(all).unwrap();
    let (vehicle, action) = ("cat".to_owned(), RecordingAction::On);
    let error = session.inputs().send(Input::Recording { vehicle, action }).unwrap_err();
    assert!(error.to_string().contains("did you mean 'car'?"), "{error}");
    session.run_steps(2).unwrap();
    let added = WORLD.split_once("<vehicle").unwrap().1.split_once("</vehicle>").unwrap().0;
    let added = added.replace("\"car\"", "\"car2\"").replace("0 0 0", "9 0 0");
    session.edit().add(&format!("<vehicle{added}</vehicle>")).unwrap();
    session.edit().reset(0).unwrap();
    let expected = [
        "begin 2",
        "path car logs/night_",
        "on car",
        "new robot",
        "off car",
        "on ",
        "begin 3",
        "path car2 logs/night_",
        "on car2",
        "begin 2",
    ];
    assert_eq!(*calls.lock().unwrap(), expected);
}

/// A parameter changes no stream, so it begins no new file.
#[test]
fn samples_continue_after_a_change_of_a_parameter() {
    let (mut session, calls) = open();
    session.run_steps(3).unwrap();
    session.edit().set_parameter("robot/controller/KP", "3").unwrap();
    session.run_steps(3).unwrap();
    assert_eq!(calls.lock().unwrap()[..1], ["begin 2"]);
    let begun = calls.lock().unwrap().iter().filter(|call| call.starts_with("begin")).count();
    assert_eq!(begun, 1);
}

#[test]
fn joint_states_have_finite_rates_of_steering() {
    let (mut session, _) = open();
    let car = session.vehicle("car").unwrap();
    car.command(SpeedSteer { speed: 1.0, steering_angle: 0.2 }).unwrap();
    let before: Values = session.latest("car/joint_states").unwrap();
    assert!(before.get("velocity").iter().all(|rate| rate.is_finite()));
    session.run_until(seconds(0.5)).unwrap();
    let after: Values = session.latest("car/joint_states").unwrap();
    let (angles, rates) = (after.get("position"), after.get("velocity"));
    // the spin of four wheels, then the steering of the two front wheels
    assert_eq!(angles.len(), 6);
    for joint in 4..6 {
        let expected = (angles[joint] - before.get("position")[joint]) / 0.5;
        assert!((rates[joint] - expected).abs() < 1e-12, "{rates:?}");
    }
    assert_eq!(angles[4..].iter().filter(|angle| angle.abs() > 0.01).count(), 2, "{angles:?}");
}
