//! A node and its sinks, as another zenoh session sees them.

#![allow(clippy::unwrap_used)]

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use simhost_ros2::{
    InterfaceType, Link, Node, NodeService, Notice, Qos, Ros2Settings, Ros2Sink, ServiceDesk,
    TypeHash, wall_time,
};
use simhost_streams::{
    Control, Direction, Effect, Input, InputError, Progress, Sample, Sink, Stamp, Stream, types,
};
use zenoh::{Config, Session, Wait};
use zenoh_ext::{AdvancedSubscriberBuilderExt, HistoryConfig};

const PATIENCE: Duration = Duration::from_secs(10);

struct World {
    node: Node,
    other: Session,
    notices: Arc<Mutex<Vec<Notice>>>,
}

impl World {
    fn new() -> Self {
        let settings =
            Ros2Settings { address: Some("tcp/127.0.0.1:0".to_owned()), ..Ros2Settings::default() };
        let link = Link::open(&settings).unwrap();
        let mut config = Config::default();
        for (key, value) in [
            ("mode", "\"peer\"".to_owned()),
            ("connect/endpoints", format!("[\"{}\"]", link.address)),
            ("listen/endpoints", "[\"tcp/localhost:0\"]".to_owned()),
            ("scouting/multicast/enabled", "false".to_owned()),
            ("timestamping/enabled", "true".to_owned()),
        ] {
            config.insert_json5(key, &value).unwrap();
        }
        let notices = Arc::new(Mutex::new(Vec::new()));
        let to = notices.clone();
        let report = Arc::new(move |notice: &Notice| to.lock().unwrap().push(notice.clone()));
        let node = Node::new(link, settings, report).unwrap();
        Self { node, other: zenoh::open(config).wait().unwrap(), notices }
    }

    fn warnings(&self) -> usize {
        self.notices.lock().unwrap().len()
    }
}

fn kind() -> InterfaceType {
    InterfaceType { name: "std_msgs/msg/String".to_owned(), hash: TypeHash([7; 32]) }
}

fn key(topic: &str) -> String {
    format!("0/{topic}/std_msgs::msg::dds_::String_/RIHS01_{}", "07".repeat(32))
}

fn until(mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "it takes too long");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn received(samples: &Receiver<(Vec<u8>, Vec<u8>)>) -> (Vec<u8>, Vec<u8>) {
    samples.recv_timeout(PATIENCE).unwrap()
}

fn parts(sample: &zenoh::sample::Sample) -> (Vec<u8>, Vec<u8>) {
    let attachment = sample.attachment().map(|one| one.to_bytes().into_owned());
    (sample.payload().to_bytes().into_owned(), attachment.unwrap_or_default())
}

#[test]
fn samples_arrive_with_attachments_once_someone_subscribes() {
    let world = World::new();
    let topic = world.node.publish("chatter", &kind(), Qos::reliable(10));
    assert_eq!(topic.name(), "/chatter");
    std::thread::sleep(Duration::from_millis(300));
    assert!(!topic.is_wanted());
    let (sender, samples) = channel();
    let subscriber = world
        .other
        .declare_subscriber(key("chatter"))
        .callback(move |sample| drop(sender.send(parts(&sample))))
        .wait()
        .unwrap();
    until(|| topic.is_wanted());
    topic.send(b"one", wall_time());
    topic.send(b"two", 5);
    let (first, second) = (received(&samples), received(&samples));
    assert_eq!((&first.0[..], &second.0[..]), (&b"one"[..], &b"two"[..]));
    assert_eq!((first.1.len(), first.1[0], second.1[0], second.1[8]), (33, 1, 2, 5));
    assert_eq!(first.1[16..], second.1[16..], "the identity of the topic");
    subscriber.undeclare().wait().unwrap();
    until(|| !topic.is_wanted());
    world.node.finish();
}

#[test]
fn late_subscribers_receive_the_last_samples_of_latched_topics() {
    let world = World::new();
    let topic = world.node.publish("/map", &kind(), Qos::latched(1));
    assert!(topic.is_wanted(), "also without subscribers");
    topic.send(b"old", wall_time());
    topic.send(b"new", wall_time());
    std::thread::sleep(Duration::from_millis(300));
    let (sender, samples) = channel();
    let _subscriber = world
        .other
        .declare_subscriber(key("map"))
        .callback(move |sample| drop(sender.send(parts(&sample))))
        .history(HistoryConfig::default().detect_late_publishers())
        .wait()
        .unwrap();
    let (payload, attachment) = received(&samples);
    assert_eq!((&payload[..], attachment[0]), (&b"new"[..], 2));
    world.node.finish();
}

#[test]
fn replies_carry_the_number_and_the_identity_of_their_request() {
    let world = World::new();
    let answer = |request: &[u8]| [request, b"!"].concat();
    let name = "/simhost/shout".to_owned();
    world.node.serve(NodeService { name, kind: kind(), answer: Arc::new(answer) }).unwrap();
    let mut attachment = vec![9, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 16];
    attachment.extend([3; 16]);
    let call = |attachment: Option<Vec<u8>>| {
        let get = world.other.get(key("simhost/shout")).payload("hello");
        let replies = match attachment {
            Some(bytes) => get.attachment(bytes).wait(),
            None => get.wait(),
        };
        let reply = replies.unwrap().recv_timeout(PATIENCE).unwrap().unwrap();
        parts(reply.result().unwrap())
    };
    until(|| world.other.get(key("simhost/shout")).wait().unwrap().recv().is_ok());
    let (payload, own) = call(Some(attachment.clone()));
    assert_eq!(payload, b"hello!");
    assert_eq!((&own[..8], &own[16..]), (&attachment[..8], &attachment[16..]));
    assert_eq!(call(None).0, b"hello!");
    world.node.finish();
}

/// A session with one robot that takes `Twist`.
#[derive(Default)]
struct Robot(Mutex<Vec<Input>>);

impl Control for Robot {
    fn send(&self, input: Input) -> Result<(), InputError> {
        self.0.lock().unwrap().push(input);
        Ok(())
    }

    fn input_streams(&self) -> Vec<Arc<Stream>> {
        let (vehicle, kind) = ("a".to_owned(), "twist".to_owned());
        vec![Arc::new(Stream {
            direction: Direction::Input,
            effect: Some(Effect::Command { vehicle, kind }),
            ..Stream::new("a/cmd_vel", types::Twist::TYPE.into())
        })]
    }

    fn progress(&self) -> Progress {
        Progress::default()
    }
}

#[test]
fn sinks_compute_what_is_wanted_and_commands_become_inputs() {
    let world = World::new();
    let robot = Arc::new(Robot::default());
    let (_clock, mut sink) = Ros2Sink::pair(&world.node, Arc::new(ServiceDesk::new(robot.clone())));
    let streams = [
        Arc::new(Stream::new("a/odometry", types::Odometry::TYPE.into())),
        Arc::new(Stream::new("a/ground_truth", types::Odometry::TYPE.into())),
    ];
    sink.begin(&streams).unwrap();
    assert!(!sink.wants(0) && !sink.wants(1));
    let hash = "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0";
    let odometry = format!("0/odom/nav_msgs::msg::dds_::Odometry_/RIHS01_{hash}");
    let (sender, samples) = channel();
    let _subscriber = world
        .other
        .declare_subscriber(odometry)
        .callback(move |sample| drop(sender.send(parts(&sample))))
        .wait()
        .unwrap();
    until(|| sink.wants(0));
    assert!(!sink.wants(1), "nobody asks for the truth");
    // the same streams keep their topics, and so their subscribers
    sink.begin(&streams).unwrap();
    assert!(sink.wants(0));
    sink.take(0, &Sample::new(Stamp(5), &[1.0; 9])).unwrap();
    assert_eq!(received(&samples).0[..4], [0, 1, 0, 0]);

    let hash = "9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a";
    let command = format!("0/cmd_vel/geometry_msgs::msg::dds_::Twist_/RIHS01_{hash}");
    let twist = |x: f64| {
        let numbers = [x, 0.0, 0.0, 0.0, 0.0, 0.5];
        let numbers = numbers.iter().flat_map(|number| number.to_le_bytes());
        [0, 1, 0, 0].into_iter().chain(numbers).collect::<Vec<u8>>()
    };
    let wrong = [twist(f64::NAN), twist(1.0)[..51].to_vec(), [twist(1.0), vec![0; 4]].concat()];
    let huge = twist(-1e200);
    for message in wrong.into_iter().chain([huge, twist(2.0)]) {
        world.other.put(&command, message).wait().unwrap();
    }
    until(|| !robot.0.lock().unwrap().is_empty());
    let (vehicle, kind) = ("a".to_owned(), "twist".to_owned());
    let expected = Input::Command { vehicle, kind, values: vec![2.0, 0.0, 0.5] };
    assert_eq!(*robot.0.lock().unwrap(), [expected]);
    assert_eq!(world.warnings(), 1, "the first message that is not applied");
    sink.finish().unwrap();
    assert_eq!(world.warnings(), 2, "the number of them");
}
