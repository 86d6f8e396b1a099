//! Excerpts of streams, which are separate messages.

use serde_json::{Value, json};
use simhost_streams::{Bulk, Sample, Stream, ros};

/// An excerpt of the samples of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excerpt {
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
mod tests {
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
