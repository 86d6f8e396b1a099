use std::borrow::Cow;
use std::sync::Arc;

use serde_json::json;

use super::layout::{Kind, Layout, Part, Shape};
use super::writer::{Length, Number, Width, Writer};
use super::{cdr, definitions, input_from_cdr, input_from_json, json as to_json, messages, schema};
use crate::{Count, Effect, Field, Input, InputError, Sample, Stamp, Stream, StreamType, types};

/// Returns a stream with two labels, and the numbers, texts and bytes of a sample of it.
fn sample_of(kind: &StreamType) -> (Stream, Vec<f64>, Vec<String>, Vec<u8>) {
    let mut stream = Stream::new("robot/test", Arc::new(kind.clone()));
    stream.frame = "map".to_owned();
    stream.child_frame = "robot/base_link".to_owned();
    stream.labels = vec!["left".to_owned(), "right".to_owned()];
    stream.label_frames = vec!["map".to_owned(), "odom".to_owned()];
    stream.constants = vec![("angle_min".into(), -1.5), ("range_max".into(), 30.0)];
    let mut numbers = Vec::new();
    if kind.name == "Markers" {
        let marker = |points: usize| {
            let head = [11.0, 1.0, 2.0, 3.0, 0.1, 0.2, 0.3, 1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 1.0];
            let points =
                (0..=3 * points).map(move |k| if k == 0 { points as f64 } else { k as f64 });
            head.into_iter().chain(points)
        };
        numbers.push(2.0);
        numbers.extend(marker(3).chain(marker(0)));
        numbers.push(1.0);
        numbers.extend(marker(1));
    } else {
        let len = |field: &Field| match field.count {
            Count::Rest => 4,
            _ => stream.len_of(field, 0),
        };
        let count: usize = kind.fields.iter().map(len).sum();
        numbers.extend((0..count).map(|k| 0.25 + k as f64));
    }
    let texts = (0..20).map(|k| format!("text {k}")).collect();
    (stream, numbers, texts, vec![1, 2, 255])
}

/// Compares what a message writes with its definition.
struct Checker<'a> {
    layout: &'a Layout,
    /// Message, next field, and whether it is a list of messages or texts that has begun.
    open: Vec<(usize, usize, Option<Kind>)>,
}

impl Checker<'_> {
    fn next(&mut self, name: &str) -> Part {
        let (message, field, list) = self.open.last_mut().unwrap();
        if let Some(kind) = *list {
            assert_eq!(name, "", "an element of a list has no name");
            return Part { name: String::new(), kind, shape: Shape::One };
        }
        let part = self.layout.messages[*message].fields.get(*field).cloned();
        let part = part.unwrap_or_else(|| panic!("`{name}` comes after the last field"));
        *field += 1;
        assert_eq!(part.name, name);
        part
    }

    fn leave(&mut self) {
        let (message, field, list) = self.open.pop().unwrap();
        if list.is_none() {
            assert_eq!(field, self.layout.messages[message].fields.len(), "fields are missing");
        }
    }
}

impl Writer for Checker<'_> {
    fn open(&mut self, name: &str) {
        let part = self.next(name);
        let Kind::Message(number) = part.kind else { panic!("`{name}` is {:?}", part.kind) };
        assert_eq!(part.shape, Shape::One, "{name}");
        self.open.push((number, 0, None));
    }

    fn close(&mut self) {
        self.leave();
    }

    fn list(&mut self, name: &str, _: usize) {
        let part = self.next(name);
        assert_eq!(part.shape, Shape::Sequence, "{name}");
        self.open.push((0, 0, Some(part.kind)));
    }

    fn end(&mut self) {
        self.leave();
    }

    fn number(&mut self, name: &str, value: Number) {
        let part = self.next(name);
        let kind = match value {
            Number::Bool(_) => Kind::Bool,
            Number::U8(_) => Kind::U8,
            Number::I8(_) => Kind::I8,
            Number::U16(_) => Kind::U16,
            Number::I32(_) => Kind::I32,
            Number::U32(_) => Kind::U32,
            Number::U64(_) => Kind::U64,
            Number::F32(_) => Kind::F32,
            Number::F64(_) => Kind::F64,
        };
        assert_eq!((part.kind, part.shape), (kind, Shape::One), "{name}");
    }

    fn text(&mut self, name: &str, _: &str) {
        let part = self.next(name);
        assert_eq!((part.kind, part.shape), (Kind::Text, Shape::One), "{name}");
    }

    fn numbers(&mut self, name: &str, values: &[f64], width: Width, length: Length) {
        let part = self.next(name);
        let kind = if width == Width::F32 { Kind::F32 } else { Kind::F64 };
        let shape = match length {
            Length::Fixed => Shape::Array(values.len()),
            Length::Variable => Shape::Sequence,
        };
        assert_eq!((part.kind, part.shape), (kind, shape), "{name}");
    }

    fn bytes(&mut self, name: &str, _: &[u8], is_signed: bool) {
        let part = self.next(name);
        let kind = if is_signed { Kind::I8 } else { Kind::U8 };
        assert_eq!((part.kind, part.shape), (kind, Shape::Sequence), "{name}");
    }

    fn packed(&mut self, name: &str, _: &[f64]) {
        self.bytes(name, &[], false);
    }
}

#[test]
fn every_message_follows_its_definition() {
    for kind in types::ALL {
        let (stream, numbers, texts, bytes) = sample_of(kind);
        let sample =
            Sample { stamp: Stamp(1_500_000_000), numbers: &numbers, texts: &texts, bytes: &bytes };
        let layout = Layout::new(&schema(kind)).unwrap();
        let mut checker = Checker { layout: &layout, open: vec![(0, 0, None)] };
        messages::write(&stream, &sample, &mut checker);
        checker.leave();
        assert!(checker.open.is_empty(), "{}", kind.name);
        // CDR that is read with the definition is the JSON form
        let mut message = Vec::new();
        cdr(&stream, &sample, &mut message);
        assert_eq!(layout.decode(&message).unwrap(), to_json(&stream, &sample), "{}", kind.name);
        // samples without content are messages as well
        let empty = Sample::new(Stamp::default(), &[]);
        message.clear();
        cdr(&stream, &empty, &mut message);
        layout.decode(&message).unwrap_or_else(|error| panic!("{}: {error}", kind.name));
    }
}

#[test]
fn every_definition_can_be_read() {
    for name in definitions::names() {
        let kind = StreamType {
            name: Cow::Borrowed("Any"),
            message: name.replace('/', "/msg/").into(),
            doc: Cow::Borrowed(""),
            fields: Cow::Borrowed(&[]),
        };
        Layout::new(&schema(&kind)).unwrap();
    }
}

#[test]
fn a_schema_has_each_nested_message_once() {
    let text = schema(&types::ODOMETRY).text;
    let expected = "std_msgs/Header header\nstring child_frame_id\n\
        geometry_msgs/PoseWithCovariance pose\ngeometry_msgs/TwistWithCovariance twist\n=====";
    assert!(text.starts_with(expected), "{text}");
    for name in ["std_msgs/Header", "builtin_interfaces/Time", "geometry_msgs/Quaternion"] {
        assert_eq!(text.matches(&format!("MSG: {name}\n")).count(), 1, "{name}");
    }
    assert_eq!(text.matches(&"=".repeat(80)).count(), 9);
}

#[test]
fn odometry_has_the_bytes_of_the_specification() {
    let mut stream = Stream::new("r/odometry", Arc::new(types::ODOMETRY));
    stream.frame = "r/odom".to_owned();
    stream.child_frame = "r/base".to_owned();
    let numbers = [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 4.0, 5.0, 6.0];
    let mut bytes = Vec::new();
    cdr(&stream, &Sample::new(Stamp(7_000_000_008), &numbers), &mut bytes);
    let mut expected = vec![0, 1, 0, 0];
    expected.extend([7, 0, 0, 0, 8, 0, 0, 0]);
    // text of 6 letters and a zero, then one byte so that the next length is aligned
    expected.extend([7, 0, 0, 0]);
    expected.extend(b"r/odom\0\0");
    expected.extend([7, 0, 0, 0]);
    expected.extend(b"r/base\0");
    // 31 bytes after the header; numbers of 8 bytes begin at 32
    expected.push(0);
    for value in [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0_f64] {
        expected.extend(value.to_le_bytes());
    }
    expected.extend([0; 288]);
    for value in [4.0, 5.0, 0.0, 0.0, 0.0, 6.0_f64] {
        expected.extend(value.to_le_bytes());
    }
    expected.extend([0; 288]);
    assert_eq!(bytes, expected);
}

fn twist() -> Stream {
    let mut stream = Stream::new("robot/cmd_vel", Arc::new(types::TWIST));
    stream.effect = Some(Effect::Command { vehicle: "robot".to_owned(), kind: "twist".to_owned() });
    stream
}

fn command(values: [f64; 3]) -> Input {
    let (vehicle, kind) = ("robot".to_owned(), "twist".to_owned());
    Input::Command { vehicle, kind, values: values.to_vec() }
}

#[test]
fn a_twist_comes_in_both_forms() {
    let text = r#"{"linear": {"x": 1, "y": 0.5}, "angular": {"z": -0.25}}"#;
    assert_eq!(input_from_json(&twist(), text), Ok(command([1.0, 0.5, -0.25])));
    let mut bytes = Vec::new();
    let numbers = [1.0, 0.5, 0.0, 0.0, 0.0, -0.25];
    cdr(&twist(), &Sample::new(Stamp::default(), &numbers), &mut bytes);
    assert_eq!(bytes.len(), 52);
    assert_eq!(input_from_cdr(&twist(), &bytes), Ok(command([1.0, 0.5, -0.25])));
    // big endian
    let mut big = vec![0, 0, 0, 0];
    numbers.iter().for_each(|number| big.extend(number.to_be_bytes()));
    assert_eq!(input_from_cdr(&twist(), &big), Ok(command([1.0, 0.5, -0.25])));
}

#[test]
fn messages_that_do_not_fit_are_refused() {
    let text = |text: &str| input_from_json(&twist(), text).unwrap_err().to_string();
    assert_eq!(
        text(r#"{"linear": {"X": 1}}"#),
        "unknown field: 'linear.X'; expected one of: x, y, z"
    );
    assert_eq!(text(r#"{"linear": {"x": null}}"#), "linear.x is null; expected a finite number");
    assert_eq!(text("[]"), "the message is []; expected an object");
    assert!(text("{").starts_with("the message for 'robot/cmd_vel' cannot be read: EOF"));
    assert!(text(r#"{"linear": {"x": 1e999}}"#).contains("number out of range"));
    let bytes = |bytes: &[u8]| input_from_cdr(&twist(), bytes).unwrap_err().to_string();
    assert!(bytes(&[]).contains("expected CDR with the header"));
    assert!(bytes(&[0, 1, 0, 0, 1, 2]).ends_with("the message ends in linear.x, after 6 bytes"));
    let mut not_finite = vec![0, 1, 0, 0];
    (0..6).for_each(|_| not_finite.extend(f64::NAN.to_le_bytes()));
    assert_eq!(bytes(&not_finite), "linear.x is not finite; expected a finite number");
    let output = Stream::new("clock", Arc::new(types::CLOCK));
    assert!(matches!(input_from_json(&output, "{}"), Err(InputError::Message { .. })));
}

#[test]
fn poses_parameters_and_pauses_are_inputs() {
    let stream = |kind: StreamType, effect: Effect| {
        let mut stream = Stream::new("any", Arc::new(kind));
        stream.effect = Some(effect);
        stream
    };
    let pose = stream(types::POSE, Effect::Pose { entity: "robot".to_owned() });
    let text = r#"{"pose": {"position": {"x": 1, "y": 2}, "orientation": {"z": 1, "w": 1}}}"#;
    let Ok(Input::Pose { entity, pose: [x, y, yaw] }) = input_from_json(&pose, text) else {
        panic!("expected a pose")
    };
    assert_eq!((entity.as_str(), x, y), ("robot", 1.0, 2.0));
    assert!((yaw - std::f64::consts::FRAC_PI_2).abs() < 1e-15, "{yaw}");
    let parameter = stream(types::PARAMETER, Effect::Parameter);
    let (name, value) = ("robot/controller/KP".to_owned(), "3".to_owned());
    let texts = [name.clone(), value.clone()];
    let mut bytes = Vec::new();
    cdr(&parameter, &Sample { texts: &texts, ..Sample::new(Stamp(0), &[]) }, &mut bytes);
    assert_eq!(input_from_cdr(&parameter, &bytes), Ok(Input::Parameter { name, value }));
    let pause = stream(types::BOOL, Effect::Pause);
    assert_eq!(input_from_json(&pause, r#"{"data": true}"#), Ok(Input::Pause));
    assert_eq!(input_from_json(&pause, r#"{"data": false}"#), Ok(Input::Resume));
    let step = stream(types::COUNT, Effect::Step);
    assert_eq!(input_from_json(&step, r#"{"data": 3}"#), Ok(Input::Step { steps: 3 }));
    assert!(input_from_json(&step, r#"{"data": -3}"#).is_err());
}

#[test]
fn paths_of_values_name_elements_of_lists() {
    let (stream, numbers, texts, bytes) = sample_of(&types::TRANSFORMS);
    let sample = Sample { stamp: Stamp(0), numbers: &numbers, texts: &texts, bytes: &bytes };
    let mut message = Vec::new();
    cdr(&stream, &sample, &mut message);
    let mut paths = Vec::new();
    let layout = Layout::new(&schema(&types::TRANSFORMS)).unwrap();
    layout.visit(&message, &mut |path, _| paths.push(path.to_owned())).unwrap();
    assert_eq!(paths[2], "transforms[0].header.frame_id");
    assert_eq!(paths[paths.len() - 1], "transforms[1].transform.rotation.w");
}

#[test]
fn hostile_definitions_and_lengths_are_refused() {
    let of = |text: &str| {
        Layout::new(&super::Schema { name: "a/msg/A".to_owned(), text: text.to_owned() })
    };
    assert!(of("A a\n").is_err(), "a message that contains itself");
    assert!(of("B b\n").unwrap_err().to_string().ends_with("unknown type `B`"));
    assert!(of("wstring b\n").is_err());
    assert!(of("int32[x] b\n").is_err());
    let layout = of("float64[] values # comment\nint32 K=3\nstring<=4 name \"a\"\n").unwrap();
    let mut visited = 0;
    let huge = [0, 1, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0];
    assert!(layout.visit(&huge, &mut |_, _| visited += 1).is_err());
    assert_eq!(visited, 0);
    let small = [0, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, b'x', 0];
    assert_eq!(layout.decode(&small), Ok(json!({ "values": [], "name": "x" })));
}

#[test]
fn damaged_messages_are_errors_or_other_messages() {
    let mut random = 1_u64;
    let mut next = |below: usize| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    for kind in types::ALL {
        let (stream, numbers, texts, bytes) = sample_of(kind);
        let sample = Sample { stamp: Stamp(0), numbers: &numbers, texts: &texts, bytes: &bytes };
        let layout = Layout::new(&schema(kind)).unwrap();
        let mut whole = Vec::new();
        cdr(&stream, &sample, &mut whole);
        for _ in 0..200 {
            let mut damaged = whole.clone();
            let at = next(damaged.len());
            damaged[at] = next(256) as u8;
            damaged.truncate(next(damaged.len() + 1));
            let mut count = 0;
            let _ = layout.visit(&damaged, &mut |_, _| count += 1);
            assert!(count <= damaged.len(), "each value has a byte at least");
        }
    }
}
