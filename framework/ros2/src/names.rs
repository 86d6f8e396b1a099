//! Names of topics and frames.

use std::collections::BTreeMap;
use std::sync::Arc;

use simhost_streams::ros::topic;
use simhost_streams::{Effect, Stream, types};

use crate::settings::{NameStyle, Ros2Settings, TransformTopics};

/// End of the name of the stream by which a vehicle is known.
const ODOMETRY: &str = "/odometry";

/// End of the name of the stream with the file of a robot.
const DESCRIPTION: &str = "/robot_description";

/// Streams of vehicles with other names in MVSim's node.
const MVSIM: &[(&str, &str)] = &[("odometry", "odom"), ("ground_truth", "base_pose_ground_truth")];

/// Streams of vehicles with the names in Autoware's simulator. The names of its reports follow the
/// name of the sensor.
const AUTOWARE: &[(&str, &str)] = &[
    ("cmd_control", "input/ackermann_control_command"),
    ("cmd_actuation", "input/actuation_command"),
    ("cmd_manual_control", "input/manual_ackermann_control_command"),
    ("cmd_gear", "input/gear_command"),
    ("cmd_manual_gear", "input/manual_gear_command"),
    ("cmd_turn_indicators", "input/turn_indicators_command"),
    ("cmd_hazard_lights", "input/hazard_lights_command"),
    ("cmd_engage", "input/engage"),
    ("cmd_initial_pose", "input/initialpose"),
    ("cmd_initial_twist", "input/initialtwist"),
    ("cmd_trajectory_z", "input/trajectory_z"),
    ("control_mode_report", "output/control_mode_report"),
    ("gear_report", "output/gear_report"),
    ("turn_indicators_report", "output/turn_indicators_report"),
    ("hazard_lights_report", "output/hazard_lights_report"),
    ("actuation_status", "output/actuation_status"),
];

/// Reports of Autoware's simulator.
const REPORTS: &[(&str, &str)] = &[
    ("odometry", "output/odometry"),
    ("velocity_report", "output/twist"),
    ("acceleration", "output/acceleration"),
    ("steering", "output/steering"),
];

/// Returns the names of the topics that Autoware's simulator has.
#[cfg(test)]
pub(crate) fn autoware_topics() -> Vec<&'static str> {
    AUTOWARE.iter().chain(REPORTS).map(|(_, name)| *name).collect()
}

/// Names of the topics and frames of a run.
#[derive(Clone, Debug)]
pub struct Names {
    style: NameStyle,
    transforms: TransformTopics,
    /// Names of the vehicles, the longest first.
    vehicles: Vec<String>,
    /// The vehicle whose name is left out.
    alone: Option<String>,
    /// Streams with files of robots.
    descriptions: Vec<String>,
    /// Frames of vehicles by the frames of their odometry.
    bases: BTreeMap<String, String>,
}

impl Names {
    /// Chooses the names for the streams of a run. `alone` is the vehicle without its name in front, if that has been
    /// decided before: a vehicle that comes later does not change the names of the first one.
    pub fn new(
        settings: &Ros2Settings,
        streams: &[Arc<Stream>],
        alone: Option<Option<String>>,
    ) -> Self {
        let odometries = streams.iter().filter(|stream| stream.source == "host");
        let vehicles = odometries.filter_map(|stream| stream.name.strip_suffix(ODOMETRY));
        let mut vehicles: Vec<String> = vehicles.map(str::to_owned).collect();
        let has_interface =
            || streams.iter().any(|stream| stream.kind.name == types::ControlModeReport::TYPE.name);
        let style = settings.names.unwrap_or_else(|| match has_interface() {
            true => NameStyle::Autoware,
            false => NameStyle::Mvsim,
        });
        let alone = alone.unwrap_or_else(|| match &vehicles[..] {
            [one] if style != NameStyle::Plain && !settings.is_prefix_forced => Some(one.clone()),
            _ => None,
        });
        vehicles.sort_by_key(|name| std::cmp::Reverse(name.len()));
        let descriptions = streams.iter().filter(|one| one.name.ends_with(DESCRIPTION));
        let descriptions = descriptions.map(|one| one.name.clone()).collect();
        let trees = streams.iter().filter(|one| one.name == "tf");
        let bases = trees.flat_map(|tree| tree.label_frames.iter().zip(&tree.labels));
        let bases = bases.filter(|(parent, _)| parent.ends_with("/odom"));
        let bases = bases.map(|(parent, child)| (parent.clone(), child.clone())).collect();
        Self { style, transforms: settings.transforms, vehicles, alone, descriptions, bases }
    }

    /// Returns whether a stream has the file of the robot from which a vehicle was made.
    pub fn has_description(&self, vehicle: &str) -> bool {
        self.descriptions.contains(&format!("{vehicle}{DESCRIPTION}"))
    }

    /// Returns the frame of a vehicle in the names of streams.
    pub fn base_frame(&self, vehicle: &str) -> String {
        let known = self.bases.get(&format!("{vehicle}/odom"));
        known.cloned().unwrap_or_else(|| format!("{vehicle}/base_link"))
    }

    /// Returns the vehicle whose name is left out.
    pub fn alone(&self) -> Option<String> {
        self.alone.clone()
    }

    /// Returns the style.
    pub fn style(&self) -> NameStyle {
        self.style
    }

    /// Returns the vehicles.
    pub fn vehicles(&self) -> &[String] {
        &self.vehicles
    }

    /// Returns whether each vehicle has separate topics of transforms.
    pub fn is_per_robot(&self) -> bool {
        self.transforms == TransformTopics::PerRobot
    }

    /// Returns the vehicle to which a name belongs, and the rest of the name.
    pub fn split<'a>(&self, name: &'a str) -> Option<(&str, &'a str)> {
        self.vehicles.iter().find_map(|vehicle| {
            let rest = name.strip_prefix(vehicle.as_str())?.strip_prefix('/')?;
            Some((vehicle.as_str(), rest))
        })
    }

    /// Returns the name of a topic of a vehicle, which may be relative to the namespace.
    pub fn of_vehicle(&self, vehicle: &str, rest: &str) -> String {
        let name = match self.alone.as_deref() == Some(vehicle) {
            true => rest.to_owned(),
            false => format!("{vehicle}/{rest}"),
        };
        topic(&name).split_off(1)
    }

    /// Returns the name of the topic of a stream, which may be relative to the namespace.
    pub fn topic(&self, stream: &Stream) -> String {
        let name = &stream.name;
        if matches!(name.as_str(), "clock" | "tf" | "tf_static") {
            return format!("/{name}");
        }
        if self.style == NameStyle::Plain {
            // topics of streams are unique, with a number if need be
            return stream.topic.trim_start_matches('/').to_owned();
        }
        let Some((vehicle, rest)) = self.split(name) else {
            return match &stream.effect {
                Some(
                    Effect::Pause
                    | Effect::Step
                    | Effect::Pace
                    | Effect::Parameter
                    | Effect::Recording,
                ) => format!("simhost{}", stream.topic),
                _ => stream.topic.trim_start_matches('/').to_owned(),
            };
        };
        let known = |names: &[(&str, &str)], rest: &str| {
            names.iter().find(|(own, _)| *own == rest).map(|(_, name)| (*name).to_owned())
        };
        let own = match self.style {
            NameStyle::Autoware => {
                let is_report = stream.source == "simhost/planning_reports";
                let report = rest.split_once('/').filter(|_| is_report);
                let report = report.and_then(|(_, report)| known(REPORTS, report));
                known(AUTOWARE, rest).or(report).or_else(|| known(MVSIM, rest))
            }
            _ => known(MVSIM, rest),
        };
        let own = own.unwrap_or_else(|| of_sensor(stream, rest));
        self.of_vehicle(vehicle, &own)
    }

    /// Returns the name of a frame.
    pub fn frame(&self, frame: &str) -> String {
        match self.split(frame) {
            Some((vehicle, rest))
                if self.is_per_robot() || self.alone.as_deref() == Some(vehicle) =>
            {
                rest.to_owned()
            }
            _ => frame.to_owned(),
        }
    }

    /// Returns a stream with the names of its frames.
    pub fn framed(&self, stream: &Stream) -> Stream {
        let all = |frames: &[String]| frames.iter().map(|frame| self.frame(frame)).collect();
        let mut framed = stream.clone();
        framed.frame = self.frame(&stream.frame);
        framed.child_frame = self.frame(&stream.child_frame);
        framed.label_frames = all(&stream.label_frames);
        if is_transforms(stream) {
            framed.labels = all(&stream.labels);
        }
        framed
    }
}

/// Returns whether the labels of a stream are frames.
pub fn is_transforms(stream: &Stream) -> bool {
    stream.kind.name == types::Transforms::TYPE.name
}

/// Returns the name of the topic of a sensor as in MVSim: the name of the sensor, with a suffix if
/// it has several.
fn of_sensor(stream: &Stream, rest: &str) -> String {
    let is_sensor = stream.period.is_some() && stream.source != "host";
    let Some((sensor, leaf)) = rest.rsplit_once('/').filter(|_| is_sensor) else {
        return rest.to_owned();
    };
    match stream.kind.name.as_ref() {
        "LaserScan" | "Imu" | "NavSatFix" | "Range" | "MagneticField" | "FluidPressure" => {
            sensor.to_owned()
        }
        "PointCloud" => format!("{sensor}_points"),
        // the colours of a camera are its only image in MVSim
        "Image" | "CameraInfo" => match (sensor.strip_suffix("/rgb"), leaf) {
            (Some(camera), "image") => format!("{camera}/image_raw"),
            (Some(camera), leaf) => format!("{camera}/{leaf}"),
            (None, "image") => format!("{sensor}/image_raw"),
            (None, _) => rest.to_owned(),
        },
        _ => rest.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(name: &str, kind: simhost_streams::StreamType, source: &str) -> Arc<Stream> {
        let period = (source != "host").then_some(0.1);
        let source = source.to_owned();
        Arc::new(Stream { source, period, ..Stream::new(name, kind.into()) })
    }

    fn robot(name: &str) -> Vec<Arc<Stream>> {
        let of = |rest: &str| format!("{name}/{rest}");
        vec![
            stream(&of("odometry"), types::Odometry::TYPE, "host"),
            stream(&of("ground_truth"), types::Odometry::TYPE, "host"),
            stream(&of("laser1/scan"), types::LaserScan::TYPE, "simhost/laser"),
            stream(&of("top/points"), types::PointCloud::TYPE, "simhost/lidar3d"),
            stream(&of("front/rgb/image"), types::Image::TYPE, "simhost/camera"),
        ]
    }

    fn topics(settings: &Ros2Settings, streams: &[Arc<Stream>]) -> Vec<String> {
        let names = Names::new(settings, streams, None);
        streams.iter().map(|stream| names.topic(stream)).collect()
    }

    #[test]
    fn a_single_robot_has_the_names_of_mvsim_without_its_own() {
        let mut streams = robot("amr 1");
        let settings = Ros2Settings::default();
        let expected =
            ["odom", "base_pose_ground_truth", "laser1", "top_points", "front/image_raw"];
        assert_eq!(topics(&settings, &streams), expected);
        streams.extend(robot("b"));
        let several = topics(&settings, &streams);
        assert_eq!(several[0], "amr_1/odom");
        assert_eq!(several[7], "b/laser1");
        let forced = Ros2Settings { is_prefix_forced: true, ..settings.clone() };
        assert_eq!(topics(&forced, &robot("a"))[0], "a/odom");
        let plain = Ros2Settings { names: Some(NameStyle::Plain), ..settings };
        assert_eq!(topics(&plain, &robot("a"))[2], "a/laser1/scan");
    }

    #[test]
    fn a_robot_that_comes_later_does_not_rename_the_first_one() {
        let settings = Ros2Settings::default();
        let first = Names::new(&settings, &robot("a"), None);
        let both: Vec<_> = robot("a").into_iter().chain(robot("b")).collect();
        let names = Names::new(&settings, &both, Some(first.alone()));
        assert_eq!(names.topic(&both[0]), "odom");
        assert_eq!(names.topic(&both[5]), "b/odom");
    }

    #[test]
    fn frames_have_names_of_vehicles_unless_these_have_transforms_of_their_own() {
        let both: Vec<_> = robot("a").into_iter().chain(robot("b")).collect();
        let mut settings = Ros2Settings::default();
        let names = Names::new(&settings, &both, None);
        assert_eq!(names.frame("a/base_link"), "a/base_link");
        settings.transforms = TransformTopics::PerRobot;
        let names = Names::new(&settings, &both, None);
        assert_eq!(names.frame("a/wheel/fl"), "wheel/fl");
        assert_eq!(names.frame("map"), "map");
        assert_eq!(names.frame("block/a"), "block/a");
    }

    #[test]
    fn worlds_with_the_planning_interface_have_the_names_of_autoware() {
        let mut streams = robot("ego");
        streams.push(stream(
            "ego/control_mode_report",
            types::ControlModeReport::TYPE,
            "simhost/planning_interface",
        ));
        streams.push(stream(
            "ego/state/velocity_report",
            types::VelocityReport::TYPE,
            "simhost/planning_reports",
        ));
        let found = topics(&Ros2Settings::default(), &streams);
        assert_eq!(found[5..], ["output/control_mode_report", "output/twist"]);
        assert_eq!(found[0], "odom");
    }
}
