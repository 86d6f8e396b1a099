use std::sync::Arc;

use serde_json::json;

use super::{CdrEncoder, Layout, cdr, input_from_cdr, input_from_json, json as to_json, schema};
use crate::{Bulk, Count, Effect, Input, InputError, Sample, Stamp, Stream, StreamType, types};

/// A stream with two labels, and the content of a sample of it.
struct Content {
    stream: Stream,
    numbers: Vec<f64>,
    rest: Vec<f64>,
    texts: Vec<String>,
}

impl Content {
    fn of(kind: &StreamType) -> Self {
        let mut stream = Stream::new("robot/test", Arc::new(kind.clone()));
        stream.frame = "map".to_owned();
        stream.child_frame = "robot/base_link".to_owned();
        stream.labels = vec!["left".to_owned(), "right".to_owned()];
        stream.label_frames = vec!["map".to_owned(), "odom".to_owned()];
        stream.constants = vec![("angle_min".into(), -1.5), ("range_max".into(), 30.0)];
        let mut rest = vec![0.25, 1.25, 2.25, 3.25];
        if kind.name == "Markers" {
            let marker = |points: usize| {
                let head = [11.0, 1.0, 2.0, 3.0, 0.1, 0.2, 0.3, 1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 1.0];
                let points =
                    (0..=3 * points).map(move |k| if k == 0 { points as f64 } else { k as f64 });
                head.into_iter().chain(points)
            };
            rest = vec![2.0];
            rest.extend(marker(3).chain(marker(0)).chain([1.0]).chain(marker(1)));
        }
        let count: usize = kind.fields.iter().map(|field| stream.len_of(field)).sum();
        let numbers = (0..count).map(|k| 0.25 + k as f64).collect();
        let texts = (0..20).map(|k| format!("text {k}")).collect();
        Self { stream, numbers, rest, texts }
    }

    fn sample(&self) -> Sample<'_> {
        let has_bytes = self.stream.kind.fields.iter().any(|field| field.count == Count::Bytes);
        let bulk = if has_bytes { Bulk::Bytes(&[1, 2, 255]) } else { Bulk::Numbers(&self.rest) };
        let (numbers, texts) = (&self.numbers, &self.texts);
        Sample { stamp: Stamp(1_500_000_000), numbers, texts, bulk }
    }
}

#[test]
fn every_message_follows_its_definition() {
    for kind in types::ALL {
        let content = Content::of(kind);
        let (stream, sample) = (&content.stream, content.sample());
        let layout = Layout::new(&schema(kind)).unwrap();
        // CDR that is read with the definition is the JSON form, and ends with it
        let mut message = Vec::new();
        cdr(stream, &sample, &mut message);
        assert_eq!(layout.decode(&message).unwrap(), to_json(stream, &sample), "{}", kind.name);
        message.pop();
        assert!(layout.decode(&message).is_err(), "{} is longer than its definition", kind.name);
        // samples without content are messages as well
        let empty = Sample::new(Stamp::default(), &[]);
        message.clear();
        cdr(stream, &empty, &mut message);
        layout.decode(&message).unwrap_or_else(|error| panic!("{}: {error}", kind.name));
    }
}

/// The bytes in `messages.csv` agree with rosbags: `tests/ros2/messages.py` reads and writes each
/// message.
#[test]
fn every_message_has_the_bytes_of_the_table() {
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/ros2/messages.csv");
    let mut text = "stream type,message type,bytes\n".to_owned();
    for kind in types::ALL {
        let content = Content::of(kind);
        let mut message = Vec::new();
        cdr(&content.stream, &content.sample(), &mut message);
        let bytes: String = message.iter().map(|byte| format!("{byte:02x}")).collect();
        text.push_str(&format!("{},{},{bytes}\n", kind.name, schema(kind).name));
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(table, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(table).unwrap());
}

#[test]
fn filled_templates_have_the_bytes_of_whole_messages() {
    for kind in types::ALL {
        let content = Content::of(kind);
        let (stream, whole) = (&content.stream, content.sample());
        let mut encoder = CdrEncoder::new(Arc::new(stream.clone()));
        let plain = Sample { texts: &[], bulk: Bulk::None, ..whole };
        let others: Vec<f64> = content.numbers.iter().map(|number| 3.5 - number).collect();
        let other = Sample { stamp: Stamp(7), numbers: &others, ..plain };
        let short = Sample { numbers: &others[..others.len() / 2], ..plain };
        for sample in [plain, other, whole, plain, short, other] {
            let (mut found, mut expected) = (vec![9], vec![9]);
            encoder.encode(&sample, &mut found);
            cdr(stream, &sample, &mut expected);
            assert_eq!(found, expected, "{}", kind.name);
        }
    }
}

#[test]
fn a_schema_has_each_nested_message_once() {
    let text = schema(&types::Odometry::TYPE).text;
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
    let mut stream = Stream::new("r/odometry", Arc::new(types::Odometry::TYPE));
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
    let mut stream = Stream::new("robot/cmd_vel", Arc::new(types::Twist::TYPE));
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
    let output = Stream::new("clock", Arc::new(types::Clock::TYPE));
    assert!(matches!(input_from_json(&output, "{}"), Err(InputError::Message { .. })));
}

#[test]
fn poses_velocities_parameters_and_pauses_are_inputs() {
    let stream = |kind: StreamType, effect: Effect| {
        let mut stream = Stream::new("any", Arc::new(kind));
        stream.effect = Some(effect);
        stream
    };
    let pose = stream(types::Pose::TYPE, Effect::Pose { entity: "robot".to_owned() });
    let text = r#"{"pose": {"position": {"x": 1, "y": 2}, "orientation": {"z": 1, "w": 1}}}"#;
    let Ok(Input::Pose { entity, pose: [x, y, yaw] }) = input_from_json(&pose, text) else {
        panic!("expected a pose")
    };
    assert_eq!((entity.as_str(), x, y), ("robot", 1.0, 2.0));
    assert!((yaw - std::f64::consts::FRAC_PI_2).abs() < 1e-15, "{yaw}");
    let launch = stream(types::Twist::TYPE, Effect::Velocity { entity: "robot".to_owned() });
    let (entity, velocity) = ("robot".to_owned(), [1.5, 0.0, -0.2]);
    let text = r#"{"linear": {"x": 1.5}, "angular": {"z": -0.2}}"#;
    assert_eq!(input_from_json(&launch, text), Ok(Input::Velocity { entity, velocity }));
    let parameter = stream(types::Parameter::TYPE, Effect::Parameter);
    let (name, value) = ("robot/controller/KP".to_owned(), "3".to_owned());
    let texts = [name.clone(), value.clone()];
    let mut bytes = Vec::new();
    cdr(&parameter, &Sample { texts: &texts, ..Sample::new(Stamp(0), &[]) }, &mut bytes);
    assert_eq!(input_from_cdr(&parameter, &bytes), Ok(Input::Parameter { name, value }));
    let pause = stream(types::Bool::TYPE, Effect::Pause);
    assert_eq!(input_from_json(&pause, r#"{"data": true}"#), Ok(Input::Pause));
    assert_eq!(input_from_json(&pause, r#"{"data": false}"#), Ok(Input::Resume));
    let step = stream(types::Count::TYPE, Effect::Step);
    assert_eq!(input_from_json(&step, r#"{"data": 3}"#), Ok(Input::Step { steps: 3 }));
    assert!(input_from_json(&step, r#"{"data": -3}"#).is_err());
}

#[test]
fn paths_of_values_name_elements_of_lists() {
    let content = Content::of(&types::Transforms::TYPE);
    let mut message = Vec::new();
    cdr(&content.stream, &content.sample(), &mut message);
    let mut paths = Vec::new();
    let layout = Layout::new(&schema(&types::Transforms::TYPE)).unwrap();
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
        let content = Content::of(kind);
        let layout = Layout::new(&schema(kind)).unwrap();
        let mut whole = Vec::new();
        cdr(&content.stream, &content.sample(), &mut whole);
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

#[test]
fn borrowed_values_are_written_as_copied_ones() {
    let message = |kind: &StreamType, bulk: Bulk<'_>| {
        let mut message = Vec::new();
        let mut stream = Content::of(kind).stream;
        stream.labels.push("intensity".to_owned());
        cdr(&stream, &Sample { bulk, ..Sample::new(Stamp(0), &[]) }, &mut message);
        message
    };
    let (scan, cloud) = (types::LaserScan::TYPE, types::PointCloud::TYPE);
    let ranges = Bulk::Ranges { distances: &[1.0, 2.0, 3.0], returns: &[1.0, 0.0, f64::NAN] };
    let copied = Bulk::Numbers(&[1.0, f64::INFINITY, 3.0]);
    assert_eq!(message(&scan, ranges), message(&scan, copied));
    let columns: [&[f64]; 3] = [&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], &[7.0, 8.0, 9.0]];
    let returns: Option<&[f64]> = Some(&[1.0, 0.0, 1.0]);
    let points = Bulk::Points { columns: &columns, returns };
    let copied = Bulk::Numbers(&[1.0, 4.0, 7.0, 3.0, 6.0, 9.0]);
    assert_eq!(message(&cloud, points), message(&cloud, copied));
}

#[test]
fn rings_of_points_are_whole_numbers_of_16_bits() {
    let mut stream = Stream::new("car/lidar/points", Arc::new(types::PointCloud::TYPE));
    stream.labels = ["x", "ring", "time"].map(str::to_owned).to_vec();
    let points = Bulk::Numbers(&[1.0, 15.0, 0.5, 2.0, 300.0, 0.25]);
    let message = to_json(&stream, &Sample { bulk: points, ..Sample::new(Stamp(0), &[]) });
    let fields = message["fields"].as_array().unwrap();
    let form = |field: &serde_json::Value| {
        ["offset", "datatype"].map(|name| field[name].as_u64().unwrap())
    };
    assert_eq!(fields.iter().map(form).collect::<Vec<_>>(), [[0, 7], [4, 4], [6, 7]]);
    assert_eq!((&message["point_step"], &message["width"]), (&json!(10), &json!(2)));
    let second: Vec<u8> =
        [&2.0_f32.to_le_bytes()[..], &300_u16.to_le_bytes(), &0.25_f32.to_le_bytes()].concat();
    assert_eq!(
        message["data"].as_array().unwrap()[10..],
        second.into_iter().map(|byte| json!(byte)).collect::<Vec<_>>()
    );
}
