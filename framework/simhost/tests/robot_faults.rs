//! Fault memories of the vehicles of a session, and their streams.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use simhost::{
    CommandRecord, Difference, Differences, FaultSeverity, Input, Options, Sample, Selection,
    Session, Sink, SinkError, Stream, seconds,
};

fn open() -> Session {
    let world = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/breakdowns.world.xml");
    Session::open(world, Options::default()).unwrap()
}

/// Returns sensors and codes of the memory of a vehicle.
fn memory(sim: &Session, vehicle: &str) -> Vec<(String, u32)> {
    let memory = sim.world().fault_memory(vehicle).unwrap();
    memory.entries().map(|entry| (entry.sensor.clone(), entry.code)).collect()
}

#[test]
fn j6_7_memories_are_read_by_sensor_and_severity_and_cleared() {
    let mut sim = open();
    assert!(memory(&sim, "worn").is_empty());
    sim.run_until(seconds(2.5)).unwrap();
    assert_eq!(memory(&sim, "worn"), [("brake".to_owned(), 11), ("brake".to_owned(), 12)]);
    let worn = sim.vehicle("worn").unwrap();
    worn.add_fault("engine", FaultSeverity::Failure, 90, "stalls").unwrap();
    sim.run_steps(1).unwrap();
    let found = sim.world().fault_memory("worn").unwrap();
    assert_eq!((found.len(), found.of_sensor("brake").count()), (3, 2));
    let severe: Vec<_> = found.at_least(FaultSeverity::Damaged).map(|entry| entry.code).collect();
    assert_eq!(severe, [12, 90]);
    let engine = found.of_sensor("engine").next().unwrap();
    assert_eq!((engine.time, engine.text.as_str()), (2.5, "stalls"));
    assert_eq!(found.worst(), Some(FaultSeverity::Failure));

    let snapshot = sim.snapshot().unwrap();
    worn.clear_faults().unwrap();
    sim.run_steps(1).unwrap();
    assert!(memory(&sim, "worn").is_empty());
    sim.restore(&snapshot).unwrap();
    assert_eq!(memory(&sim, "worn").len(), 3);
    let fork = sim.fork().unwrap();
    assert_eq!(memory(&fork, "worn").len(), 3);
}

#[test]
fn wrong_inputs_have_no_effect() {
    let mut sim = open();
    let unknown = sim.world().fault_memory("wron").unwrap_err().to_string();
    assert!(unknown.contains("did you mean 'worn'?"), "{unknown}");
    let add = |vehicle: &str, sensor: &str, severity: &str| Input::AddFault {
        vehicle: vehicle.to_owned(),
        sensor: sensor.to_owned(),
        severity: severity.to_owned(),
        code: 1,
        text: String::new(),
    };
    let inputs = sim.inputs();
    let cases = [
        (add("wron", "oil", "ok"), "did you mean 'worn'?"),
        (add("worn", "oil", "critcal"), "did you mean 'critical'?"),
        (add("worn", " ", "ok"), "expected a name"),
        (Input::ClearFaults { vehicle: "w".to_owned() }, "unknown vehicle: 'w'"),
    ];
    for (input, expected) in cases {
        let error = inputs.send(input).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    sim.run_steps(1).unwrap();
    assert!(memory(&sim, "worn").is_empty());
}

/// Time of a sample, s; and for each entry its level and its texts.
type Seen = (f64, Vec<(f64, Vec<String>)>);

/// Keeps samples in memory.
#[derive(Clone, Default)]
struct Keep(Arc<Mutex<Vec<Seen>>>);

impl Sink for Keep {
    fn begin(&mut self, streams: &[Arc<Stream>]) -> Result<(), SinkError> {
        assert_eq!(streams.len(), 1);
        assert_eq!(streams[0].kind.message, "diagnostic_msgs/msg/DiagnosticArray");
        Ok(())
    }

    fn take(&mut self, _: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        let texts = sample.texts.chunks(7).map(<[String]>::to_vec);
        let mut levels = Vec::new();
        sample.bulk.append_numbers(&mut levels);
        let entries = levels.into_iter().zip(texts).collect();
        self.0.lock().unwrap().push((sample.stamp.seconds(), entries));
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        Ok(Vec::new())
    }
}

#[test]
fn a_memory_is_a_stream_with_a_sample_for_each_change() {
    let mut sim = open();
    let keep = Keep::default();
    let patterns = vec!["worn/robot_faults".to_owned()];
    sim.attach(Box::new(keep.clone()), &Selection { patterns, ..Selection::default() }).unwrap();
    sim.run_until(seconds(3.0)).unwrap();
    sim.vehicle("worn").unwrap().clear_faults().unwrap();
    sim.run_until(seconds(4.0)).unwrap();
    let seen = keep.0.lock().unwrap();
    let times: Vec<_> = seen.iter().map(|(time, entries)| (*time, entries.len())).collect();
    assert_eq!(times, [(0.0, 0), (1.0, 1), (2.0, 2), (3.005, 0)]);
    let (level, texts) = &seen[2].1[1];
    assert_eq!(*level, 1.0);
    let expected =
        ["worn/brake", "brake circuit 2 has no pressure", "worn", "damaged", "3000", "12", "2"];
    assert_eq!(texts, &expected);
}

#[test]
fn vehicles_that_are_added_have_faults_from_then_on() {
    let mut sim = open();
    sim.run_until(seconds(5.0)).unwrap();
    let before = memory(&sim, "worn");
    sim.edit()
        .add(
            "<vehicle name=\"late\"><init_pose>0 40 0</init_pose><dynamics class=\"differential\">\
         <controller class=\"raw\"/></dynamics><fault sensor=\"oil\" severity=\"ok\" rate=\"5\"/>\
         <fault sensor=\"motor\" severity=\"damaged\" code=\"2\" at=\"6\"/></vehicle>",
        )
        .unwrap();
    assert_eq!(memory(&sim, "worn"), before);
    sim.run_until(seconds(8.0)).unwrap();
    let late = sim.world().fault_memory("late").unwrap();
    assert!((5..30).contains(&late.of_sensor("oil").count()), "{}", late.len());
    assert!(late.entries().all(|entry| entry.time >= 5.0));
    assert_eq!(late.of_sensor("motor").next().unwrap().time, 6.0);
    sim.edit().remove("late").unwrap();
    assert_eq!(memory(&sim, "worn"), before);
}

/// A number of a fault comes from the world file, and takes effect at once if it changes during a
/// run.
#[test]
fn numbers_of_faults_vary() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/breakdowns.world.xml");
    let text = std::fs::read_to_string(path).unwrap();
    let given = text.replace("at=\"2\"", "at=\"0.25\"").replace("value=\"0.4\"", "value=\"0.7\"");
    assert_ne!(given, text);
    let open = |text: &str| Session::from_text(text, path, Options::default()).unwrap();
    let run = |mut sim: Session| {
        sim.vehicle("worn").unwrap().command(Pedals).unwrap();
        sim.run_steps(150).unwrap();
        sim.simulation().result_hash()
    };
    let sim = open(&text);
    let names = ["worn/fault/brake/12/at=0.25", "worn/fault/brake/12/value=list:0.7,0.2"];
    let variations = names.map(|text| text.parse().unwrap()).to_vec();
    let differences = Differences::new(variations, &sim, 2, 0).unwrap();
    let results = [0, 1].map(|member| {
        let mut sim = open(&text);
        differences.of_member(member, 0).iter().for_each(|one| one.apply(&mut sim).unwrap());
        run(sim)
    });
    let expected = run(open(&given));
    assert_eq!(results[0], expected);
    assert!(![results[1], run(open(&text))].contains(&expected));
    let index = |difference: &Difference| match difference {
        Difference::Fault { vehicle, fault, .. } => (*vehicle, *fault),
        other => panic!("{other:?}"),
    };
    let of_world = &sim.world().description().unwrap().vehicles;
    let (vehicle, fault) = index(&differences.of_member(0, 0)[0]);
    assert_eq!((&*of_world[vehicle].name, of_world[vehicle].faults[fault].code), ("worn", 12));

    let mut late = open(&text);
    late.run_steps(500).unwrap();
    late.edit().set_parameter("worn/fault/brake/12/value", "0.1").unwrap();
    let memory = |sim: &Session| sim.world().fault_memory("worn").unwrap().entries().count();
    let before = memory(&late);
    late.run_steps(10).unwrap();
    assert_eq!(memory(&late), before, "a fault that is present does not occur again");
    for (name, value, part) in [
        ("worn/fault/brake/12/rate", "1", "did you mean 'worn/fault/brake/12/at'?"),
        (
            "worn/fault/brake/13/at",
            "1",
            "unknown fault: 'worn/fault/brake/13'; did you mean 'worn/fault/brake/11'?",
        ),
        ("worn/fault/brake/12/at", "-1", "`at`"),
    ] {
        let error = late.edit().set_parameter(name, value).unwrap_err().to_string();
        assert!(error.contains(part), "{name}: {error}");
    }
}

/// Brakes without steering.
struct Pedals;

impl CommandRecord for Pedals {
    fn kind(&self) -> &str {
        "pedals"
    }

    fn values(&self) -> Vec<f64> {
        vec![0.0, 3000.0, 0.0]
    }
}
