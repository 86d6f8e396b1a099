//! The topics of a world without a run.

use std::sync::Arc;

use simhost_streams::{Stream, Trigger};

use crate::inputs::{INPUT_QOS, subscriptions};
use crate::names::Names;
use crate::routes::routes;
use crate::settings::Ros2Settings;
use crate::wire::{Qos, Reliability};

/// A topic of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicInfo {
    /// Absolute name.
    pub name: String,
    /// Type, such as `sensor_msgs/msg/LaserScan`.
    pub kind: String,
    /// Whether the run takes messages of it, instead of publishing them.
    pub is_input: bool,
    /// Quality of service in words.
    pub qos: String,
    /// Rate of messages in words.
    pub rate: String,
}

/// Returns the topics of the streams of a world, in the order of their names. `period` is the simulated time between
/// samples of state in s.
pub fn topics(settings: &Ros2Settings, streams: &[Arc<Stream>], period: f64) -> Vec<TopicInfo> {
    let (inputs, outputs): (Vec<_>, Vec<_>) =
        streams.iter().cloned().partition(|stream| stream.is_input());
    let names = Names::new(settings, &outputs, None);
    let published = routes(settings, &names, &outputs).into_iter().zip(&outputs);
    let mut all: Vec<TopicInfo> = published
        .flat_map(|(routes, stream)| routes.into_iter().map(move |route| (route, stream)))
        .map(|(route, stream)| TopicInfo {
            name: settings.resolve(&route.name),
            kind: route.kind.name.clone(),
            is_input: false,
            qos: words(route.qos),
            rate: match (stream.trigger, stream.period) {
                (Trigger::Step, None) if stream.name != "clock" => format!("{} Hz", 1.0 / period),
                _ => stream.rate(),
            },
        })
        .collect();
    all.extend(subscriptions(settings, &names, &inputs).into_iter().map(|(name, kind, _)| {
        let (qos, rate) = (words(INPUT_QOS), "-".to_owned());
        TopicInfo { name, kind: kind.name, is_input: true, qos, rate }
    }));
    all.sort_by(|a, b| (&a.name, &a.kind).cmp(&(&b.name, &b.kind)));
    all
}

/// Returns a quality of service in words.
fn words(qos: Qos) -> String {
    let reliability = match qos.reliability {
        Reliability::Reliable => "reliable",
        Reliability::BestEffort => "best effort",
    };
    let durability = if qos.is_latched() { ", transient local" } else { "" };
    format!("{reliability}{durability}, depth {}", qos.depth)
}

#[cfg(test)]
mod tests {
    use simhost_streams::{Direction, Effect, types};

    use super::*;

    #[test]
    fn topics_have_types_and_qualities() {
        let odometry = Stream::new("amr/odometry", types::Odometry::TYPE.into());
        let map = Stream {
            trigger: Trigger::Start,
            ..Stream::new("map", types::OccupancyGrid::TYPE.into())
        };
        let mut command = Stream::new("amr/cmd_vel", types::Twist::TYPE.into());
        let (vehicle, kind) = ("amr".to_owned(), "twist".to_owned());
        command.effect = Some(Effect::Command { vehicle, kind });
        command.direction = Direction::Input;
        let streams = [odometry, map, command].map(Arc::new);
        let found = topics(&Ros2Settings::default(), &streams, 0.02);
        let lines = found.iter().map(|one| {
            let direction = if one.is_input { "<" } else { ">" };
            format!("{} {direction} {} {} {}", one.name, one.kind, one.qos, one.rate)
        });
        let lines: Vec<String> = lines.collect();
        for expected in [
            "/odom > nav_msgs/msg/Odometry reliable, depth 10 50 Hz",
            "/map > nav_msgs/msg/OccupancyGrid reliable, transient local, depth 1 once",
            "/cmd_vel < geometry_msgs/msg/Twist reliable, depth 10 -",
            "/joy < sensor_msgs/msg/Joy reliable, depth 10 -",
        ] {
            assert!(lines.iter().any(|line| line == expected), "{expected} in {lines:#?}");
        }
    }
}
