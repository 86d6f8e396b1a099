//! The topics that a stream feeds.

use std::sync::Arc;

use serde_json::{Value, json};
use simhost_streams::{Bulk, Sample, Stream, Trigger, ros, types};

use crate::interfaces::{InterfaceType, MessageType, message_type};
use crate::names::{Names, is_transforms};
use crate::settings::{NameStyle, Ros2Settings};
use crate::wire::Qos;

/// Frame on the ground below a vehicle, which is also its own here.
const FOOTPRINT: &str = "base_footprint";

/// A topic that a stream feeds.
pub struct Route {
    /// Name, which may be relative to the namespace.
    pub name: String,
    /// Type.
    pub kind: InterfaceType,
    /// Quality of service.
    pub qos: Qos,
    /// Form of its messages.
    form: RouteForm,
}

/// Form of the messages of a topic.
enum RouteForm {
    /// The samples as they are.
    Whole(Stream),
    /// Some of the transforms of each sample; `None` stands for one that does nothing.
    Transforms(Stream, Vec<Option<usize>>),
    /// The markers of one label.
    Markers(Stream, usize),
    /// An excerpt.
    Excerpt(Stream, Excerpt, Box<MessageType>),
}

impl Route {
    /// Returns the message of a sample in CDR.
    pub fn encode(&self, sample: &Sample<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        match &self.form {
            RouteForm::Whole(stream) => ros::cdr(stream, sample, &mut bytes),
            RouteForm::Transforms(stream, frames) => {
                let half = sample.numbers.len() / 2;
                let mut numbers = Vec::with_capacity(6 * frames.len());
                for start in [0, half] {
                    for frame in frames {
                        let place = frame.map(|frame| start + 3 * frame);
                        let pose = place.and_then(|place| sample.numbers.get(place..place + 3));
                        numbers.extend_from_slice(pose.unwrap_or(&[0.0; 3]));
                    }
                }
                ros::cdr(stream, &Sample { numbers: &numbers, ..*sample }, &mut bytes);
            }
            RouteForm::Markers(stream, label) => {
                let mut numbers = Vec::new();
                sample.bulk.append_numbers(&mut numbers);
                let bulk = Bulk::Numbers(markers_of(&numbers, *label));
                ros::cdr(stream, &Sample { bulk, ..*sample }, &mut bytes);
            }
            RouteForm::Excerpt(stream, excerpt, message) => {
                let content = excerpt.of_sample(stream, sample);
                // the content is written by the definition from which it was made
                bytes = message.layout.encode(&content).unwrap_or_default();
            }
        }
        bytes
    }
}

/// Returns the numbers of the markers of one label, see [`types::Markers`].
fn markers_of(numbers: &[f64], label: usize) -> &[f64] {
    /// Numbers of a marker before its points; the last is the number of points.
    const HEAD: usize = 15;
    let mut start = 0;
    for index in 0..=label {
        let mut end = start + 1;
        for _ in 0..numbers.get(start).copied().unwrap_or_default() as usize {
            let points = numbers.get(end + HEAD - 1).copied().unwrap_or_default();
            end += HEAD + 3 * points as usize;
        }
        if index == label {
            return numbers.get(start..end).unwrap_or(&[]);
        }
        start = end;
    }
    &[]
}

/// Returns the topics of all streams, in the order of the streams. A stream whose type cannot be described has none.
pub fn routes(settings: &Ros2Settings, names: &Names, streams: &[Arc<Stream>]) -> Vec<Vec<Route>> {
    let maker = RouteMaker { settings, names, streams };
    streams.iter().map(|stream| maker.routes_of(stream)).collect()
}

struct RouteMaker<'a> {
    settings: &'a Ros2Settings,
    names: &'a Names,
    streams: &'a [Arc<Stream>],
}

impl RouteMaker<'_> {
    fn routes_of(&self, stream: &Stream) -> Vec<Route> {
        let Ok(kind) = message_type(&stream.kind) else { return Vec::new() };
        let Self { names, .. } = self;
        let qos = self.qos(stream);
        let route = |name: String, form: RouteForm| Route { name, kind: kind.clone(), qos, form };
        if is_transforms(stream) && names.split(&stream.name).is_none() {
            return self.transforms(stream, &route);
        }
        let name = match is_transforms(stream) {
            // Autoware's simulator has no transforms of its own
            true if names.style() == NameStyle::Autoware => "/tf".to_owned(),
            _ => names.topic(stream),
        };
        let framed = names.framed(stream);
        let mut all = vec![route(name, RouteForm::Whole(framed.clone()))];
        all.extend(self.further(stream, &framed, &route));
        all
    }

    /// Returns what MVSim's node and Autoware's simulator have in addition.
    fn further(
        &self,
        stream: &Stream,
        framed: &Stream,
        route: &dyn Fn(String, RouteForm) -> Route,
    ) -> Vec<Route> {
        let Self { settings, names, .. } = self;
        if names.style() == NameStyle::Plain {
            return Vec::new();
        }
        let excerpt = |name: String, excerpt: Excerpt| {
            let message = MessageType::named(excerpt.message()).ok()?;
            let kind = message.kind.clone();
            let form = RouteForm::Excerpt(framed.clone(), excerpt, Box::new(message));
            Some(Route { kind, ..route(name, form) })
        };
        let further: Vec<Option<Route>> = match names.split(&stream.name) {
            Some((vehicle, "ground_truth"))
                if settings.has_localisation && names.style() == NameStyle::Mvsim =>
            {
                [("amcl_pose", Excerpt::Pose), ("particlecloud", Excerpt::Particle)]
                    .map(|(name, part)| excerpt(names.of_vehicle(vehicle, name), part))
                    .into()
            }
            Some((vehicle, _))
                if stream.source == "simhost/planning_reports"
                    && stream.kind.name == types::VehicleOdometry::TYPE.name =>
            {
                vec![excerpt(names.of_vehicle(vehicle, "output/pose"), Excerpt::Pose)]
            }
            None if stream.kind.name == types::OccupancyGrid::TYPE.name => {
                let name = stream.name.replacen("map", "simul_map", 1);
                let copy = route(name.clone(), RouteForm::Whole(framed.clone()));
                vec![Some(copy), excerpt(format!("{name}_metadata"), Excerpt::MapSize)]
            }
            None if stream.kind.name == types::Markers::TYPE.name => {
                let labels = stream.labels.iter().enumerate();
                let markers = labels.filter(|(_, label)| names.vehicles().contains(label));
                let route = |(place, vehicle): (usize, &String)| {
                    let mut part = framed.clone();
                    part.labels = vec![vehicle.clone()];
                    part.label_frames =
                        framed.label_frames.get(place).cloned().into_iter().collect();
                    let name = names.of_vehicle(vehicle, "chassis_markers");
                    Some(route(name, RouteForm::Markers(part, place)))
                };
                markers.map(route).collect()
            }
            _ => Vec::new(),
        };
        further.into_iter().flatten().collect()
    }

    /// Returns the topics of the transforms of the world.
    fn transforms(
        &self,
        stream: &Stream,
        route: &dyn Fn(String, RouteForm) -> Route,
    ) -> Vec<Route> {
        let Self { names, .. } = self;
        let topic = stream.name.as_str();
        let part = |name: String, keep: &dyn Fn(&str) -> bool, feet: &[&String]| {
            let framed = names.framed(stream);
            let kept = (0..stream.labels.len()).filter(|place| keep(&stream.labels[*place]));
            let kept: Vec<usize> = kept.collect();
            let pick = |all: &[String]| kept.iter().map(|place| all[*place].clone()).collect();
            let (mut labels, mut parents): (Vec<String>, Vec<String>) =
                (pick(&framed.labels), pick(&framed.label_frames));
            let mut frames: Vec<Option<usize>> = kept.iter().copied().map(Some).collect();
            for vehicle in feet {
                labels.push(names.frame(&format!("{vehicle}/{FOOTPRINT}")));
                parents.push(names.frame(&names.base_frame(vehicle)));
                frames.push(None);
            }
            let framed = Stream { labels, label_frames: parents, ..framed };
            route(name, RouteForm::Transforms(framed, frames))
        };
        let has_feet = topic == "tf_static" && names.style() == NameStyle::Mvsim;
        let feet = |vehicle: Option<&str>| -> Vec<&String> {
            let all = names.vehicles().iter().filter(|_| has_feet);
            let all = all.filter(|name| vehicle.is_none_or(|vehicle| **name == vehicle));
            // a robot can have a link of this name
            all.filter(|name| !self.has_frame(&format!("{name}/{FOOTPRINT}"))).collect()
        };
        if !names.is_per_robot() {
            return vec![part(format!("/{topic}"), &|label| self.is_published(label), &feet(None))];
        }
        let vehicles = names.vehicles().iter().map(|vehicle| {
            let keep = |label: &str| {
                let owner = names.split(label).map(|(owner, _)| owner);
                owner.is_none_or(|owner| owner == vehicle) && self.is_published(label)
            };
            part(names.of_vehicle(vehicle, topic), &keep, &feet(Some(vehicle)))
        });
        vehicles.collect()
    }

    /// Returns whether the run publishes the transform to a frame, and not a localisation or the reports of Autoware's
    /// simulator.
    fn is_published(&self, frame: &str) -> bool {
        let Some((vehicle, rest)) = self.names.split(frame) else { return true };
        let has_reports = || {
            self.names.style() == NameStyle::Autoware
                && self.streams.iter().any(|stream| {
                    let owner = self.names.split(&stream.name).map(|(owner, _)| owner);
                    is_transforms(stream) && owner == Some(vehicle)
                })
        };
        match rest {
            "odom" => self.settings.has_localisation && !has_reports(),
            _ if frame == self.names.base_frame(vehicle) => !has_reports(),
            _ => true,
        }
    }

    /// Returns whether the run publishes a transform to a frame.
    fn has_frame(&self, frame: &str) -> bool {
        let mut trees = self.streams.iter().filter(|stream| is_transforms(stream));
        trees.any(|stream| stream.labels.iter().any(|label| label == frame))
    }

    /// Returns the quality of service that subscribers expect.
    fn qos(&self, stream: &Stream) -> Qos {
        let is_sensor = stream.period.is_some() && stream.source != "host";
        match stream.kind.name.as_ref() {
            "Clock" => Qos::best_effort(1),
            _ if stream.trigger == Trigger::Start => Qos::latched(1),
            "Transforms" => Qos::reliable(100),
            _ if stream.source == "simhost/planning_reports" => Qos::reliable(1),
            _ if is_sensor => Qos::best_effort(5),
            _ => Qos::reliable(self.settings.history),
        }
    }
}

/// An excerpt of the samples of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Excerpt {
    /// The pose of an odometry, `PoseWithCovarianceStamped`.
    Pose,
    /// The same as the only particle of a localisation, `PoseArray`.
    Particle,
    /// The size of a map, `MapMetaData`.
    MapSize,
}

impl Excerpt {
    /// Returns the name of the message.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Pose => "geometry_msgs/msg/PoseWithCovarianceStamped",
            Self::Particle => "geometry_msgs/msg/PoseArray",
            Self::MapSize => "nav_msgs/msg/MapMetaData",
        }
    }

    /// Returns the content of the message for a sample.
    pub fn of_sample(self, stream: &Stream, sample: &Sample<'_>) -> Value {
        let mut whole = ros::json(stream, &Sample { bulk: Bulk::None, ..*sample });
        let mut part = |name: &str| whole.get_mut(name).map_or(Value::Null, Value::take);
        match self {
            Self::Pose => json!({"header": part("header"), "pose": part("pose")}),
            Self::Particle => {
                let pose = part("pose").get_mut("pose").map_or(Value::Null, Value::take);
                json!({"header": part("header"), "poses": [pose]})
            }
            Self::MapSize => part("info"),
        }
    }
}

#[cfg(test)]
mod messages_tests {
    use simhost_streams::{Stamp, types};

    use super::*;
    use crate::interfaces::MessageType;

    #[test]
    fn excerpts_have_the_fields_of_their_messages() {
        let odometry = Stream {
            frame: "map".to_owned(),
            ..Stream::new("a/ground_truth", types::Odometry::TYPE.into())
        };
        let numbers = [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 4.0, 5.0, 6.0];
        let map = Stream::new("map", types::OccupancyGrid::TYPE.into());
        let size = [0.05, 40.0, 30.0, -1.0, -2.0, 0.0, 0.0];
        for (excerpt, stream, numbers) in [
            (Excerpt::Pose, &odometry, &numbers[..]),
            (Excerpt::Particle, &odometry, &numbers),
            (Excerpt::MapSize, &map, &size),
        ] {
            let content = excerpt.of_sample(stream, &Sample::new(Stamp(5), numbers));
            let message = MessageType::named(excerpt.message()).unwrap();
            let bytes = message.layout.encode(&content).unwrap();
            let read = message.layout.decode(&bytes).unwrap();
            match excerpt {
                Excerpt::Pose => assert_eq!(read["pose"]["pose"]["position"]["y"], 2.0),
                Excerpt::Particle => assert_eq!(read["poses"][0]["position"]["z"], 3.0),
                Excerpt::MapSize => assert_eq!(read["width"], 40),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use simhost_streams::Stamp;

    use super::*;
    use crate::settings::TransformTopics;

    fn world() -> Vec<Arc<Stream>> {
        let odometry =
            |name: &str| Stream::new(format!("{name}/odometry"), types::Odometry::TYPE.into());
        let frames = ["a/odom", "a/base_link", "b/odom", "b/base_link", "block/crate"];
        let parents = ["map", "a/odom", "map", "b/odom", "map"];
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let tf = Stream {
            labels: owned(&frames),
            label_frames: owned(&parents),
            ..Stream::new("tf", types::Transforms::TYPE.into())
        };
        let all = [odometry("a"), odometry("b"), tf];
        all.map(Arc::new).into()
    }

    /// A topic with the parent, the child and x of each of its transforms.
    type Frames = (String, Vec<(String, String, f64)>);

    fn frames(settings: &Ros2Settings) -> Vec<Frames> {
        let streams = world();
        let names = Names::new(settings, &streams, None);
        let numbers: Vec<f64> = (0..30).map(f64::from).collect();
        let all = routes(settings, &names, &streams).pop().unwrap();
        let layout = ros::Layout::new(&ros::schema(&types::Transforms::TYPE)).unwrap();
        let read = |route: Route| {
            let bytes = route.encode(&Sample::new(Stamp(0), &numbers));
            let message = layout.decode(&bytes).unwrap();
            let list = message["transforms"].as_array().unwrap().iter();
            let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
            let list = list.map(|one| {
                let parent = text(&one["header"]["frame_id"]);
                let x = one["transform"]["translation"]["x"].as_f64().unwrap();
                (parent, text(&one["child_frame_id"]), x)
            });
            (route.name.clone(), list.collect())
        };
        all.into_iter().map(read).collect()
    }

    fn transform(parent: &str, child: &str, x: f64) -> (String, String, f64) {
        (parent.to_owned(), child.to_owned(), x)
    }

    #[test]
    fn transforms_are_common_or_those_of_each_robot() {
        let mut settings = Ros2Settings::default();
        let common = frames(&settings);
        assert_eq!(common.len(), 1);
        assert_eq!(common[0].0, "/tf");
        assert_eq!(common[0].1[3], transform("b/odom", "b/base_link", 9.0));
        settings.transforms = TransformTopics::PerRobot;
        let own = frames(&settings);
        let names: Vec<&str> = own.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a/tf", "b/tf"]);
        let expected = [
            transform("map", "odom", 6.0),
            transform("odom", "base_link", 9.0),
            transform("map", "block/crate", 12.0),
        ];
        assert_eq!(own[1].1, expected);
    }

    #[test]
    fn a_localisation_can_publish_the_transform_to_the_odometry() {
        let settings = Ros2Settings { has_localisation: false, ..Ros2Settings::default() };
        let children: Vec<String> =
            frames(&settings)[0].1.iter().map(|(_, child, _)| child.clone()).collect();
        assert_eq!(children, ["a/base_link", "b/base_link", "block/crate"]);
    }

    #[test]
    fn markers_of_a_vehicle_are_those_of_its_label() {
        let marker = |kind: f64, points: usize| {
            let mut numbers = vec![kind; 14];
            numbers.push(points as f64);
            numbers.resize(15 + 3 * points, 0.5);
            numbers
        };
        let of = |markers: &[Vec<f64>]| [vec![markers.len() as f64], markers.concat()].concat();
        let (first, second) = (of(&[marker(1.0, 2), marker(2.0, 0)]), of(&[marker(3.0, 1)]));
        let all = [first.clone(), second.clone()].concat();
        assert_eq!(markers_of(&all, 0), first);
        assert_eq!(markers_of(&all, 1), second);
        assert!(markers_of(&all, 2).is_empty());
        assert!(markers_of(&all[..5], 1).is_empty());
    }
}
