//! Scans of a planar laser.

use simhost_vectors::Fan;

use super::declare::stream_type;
use super::fields::Numbers;
use crate::ros::writer::Writer;
use crate::source::{Constants, Settings, Source};
use crate::stream::Stream;

stream_type! {
    /// Ranges of a planar laser. The constants are `angle_min`, `angle_max` and `angle_increment` in rad,
    /// counter-clockwise from the x axis of the sensor, `range_min` and `range_max` in m, and `scan_time` and
    /// `time_increment` in s.
    LaserScan<'a> as "sensor_msgs/msg/LaserScan" {
        /// Distance along each ray; infinite or `range_max` if it hits nothing.
        ranges: Numbers<'a>, "m";
    }
    constants {
        /// Direction of the first ray, rad, counter-clockwise from the x axis of the sensor.
        angle_min: f32;
        /// Direction of the last ray, rad.
        angle_max: f32;
        /// Angle between neighbouring rays, rad.
        angle_increment: f32;
        /// Time between neighbouring rays, s.
        time_increment: f32;
        /// Time between scans, s.
        scan_time: f32;
        /// Shortest range, m.
        range_min: f32;
        /// Reach, m.
        range_max: f32;
    }
    definitions {
        "sensor_msgs/LaserScan":
            "std_msgs/Header header\nfloat32 angle_min\nfloat32 angle_max\nfloat32 angle_increment\n\
         float32 time_increment\nfloat32 scan_time\nfloat32 range_min\nfloat32 range_max\n\
         float32[] ranges\nfloat32[] intensities\n";
    }
    sources {
        Source::sensor("simhost/laser", "scan", &["range", "valid"]).constants(constants);
    }
}

impl LaserScan<'_> {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.f32("angle_min", self.angle_min);
        to.f32("angle_max", self.angle_max);
        to.f32("angle_increment", self.angle_increment);
        to.f32("time_increment", self.time_increment);
        to.f32("scan_time", self.scan_time);
        to.f32("range_min", self.range_min);
        to.f32("range_max", self.range_max);
        to.bulk("ranges", self.ranges.0);
        to.floats("intensities", std::iter::empty());
    }
}

fn constants(settings: &Settings<'_>) -> Constants {
    let [fov, reach] =
        ["fov_degrees", "max_range"].map(|key| (settings.number)(key).unwrap_or(f64::NAN));
    let fan = Fan::new(fov, settings.rays);
    let constants = [
        ("angle_min", fan.first),
        ("angle_max", fan.direction(settings.rays.saturating_sub(1))),
        ("angle_increment", fan.spacing),
        ("range_min", (settings.number)("min_range").unwrap_or(0.0)),
        ("range_max", reach),
        ("time_increment", 0.0),
        ("scan_time", settings.period),
    ];
    constants.map(|(name, value)| (name.into(), value)).to_vec()
}
