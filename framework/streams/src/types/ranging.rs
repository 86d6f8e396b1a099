//! Laser scans, ranges and point clouds.

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
        Source::sensor("simhost/laser", "scan", &["range", "valid"]).constants(scan_constants);
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

fn scan_constants(settings: &Settings<'_>) -> Constants {
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

stream_type! {
    /// Distance of the nearest object in a cone. The constants are `field_of_view` in rad, `min_range` and
    /// `max_range` in m, and `radiation_type`: 0 ultrasound, 1 infrared.
    Range as "sensor_msgs/msg/Range" {
        /// Distance.
        range: f32, "m";
    }
    constants {
        /// 0 ultrasound, 1 infrared.
        radiation_type: u8;
        /// Angle of the cone, rad.
        field_of_view: f32;
        /// Shortest distance, m.
        min_range: f32;
        /// Reach, m.
        max_range: f32;
    }
    definitions {
        "sensor_msgs/Range":
            "std_msgs/Header header\nuint8 ULTRASOUND=0\nuint8 INFRARED=1\nuint8 radiation_type\n\
         float32 field_of_view\nfloat32 min_range\nfloat32 max_range\nfloat32 range\n\
         float32 variance\n";
    }
    sources {
        Source::sensor("simhost/sonar", "range", &["range"]).constants(range_constants);
    }
}

impl Range {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.u8("radiation_type", self.radiation_type);
        to.f32("field_of_view", self.field_of_view);
        to.f32("min_range", self.min_range);
        to.f32("max_range", self.max_range);
        to.f32("range", self.range);
        to.f32("variance", 0.0);
    }
}

fn range_constants(settings: &Settings<'_>) -> Constants {
    let parameters =
        [("field_of_view", "fov_degrees"), ("min_range", "min_range"), ("max_range", "max_range")];
    let known =
        parameters.into_iter().filter_map(|(name, key)| Some((name, (settings.number)(key)?)));
    known.chain([("radiation_type", 0.0)]).map(|(name, value)| (name.into(), value)).collect()
}

stream_type! {
    /// Points in the frame of the sensor. The labels name the values of a point: `x`, `y`, `z` in m, and
    /// others such as `intensity`.
    PointCloud<'a> as "sensor_msgs/msg/PointCloud2" {
        /// The values of the first point, then of the next points.
        points: Numbers<'a>, "";
    }
    definitions {
        "sensor_msgs/PointCloud2":
            "std_msgs/Header header\nuint32 height\nuint32 width\nPointField[] fields\n\
         bool is_bigendian\nuint32 point_step\nuint32 row_step\nuint8[] data\nbool is_dense\n";
        "sensor_msgs/PointField":
            "uint8 INT8=1\nuint8 UINT8=2\nuint8 INT16=3\nuint8 UINT16=4\nuint8 INT32=5\nuint8 UINT32=6\n\
         uint8 FLOAT32=7\nuint8 FLOAT64=8\nstring name\nuint32 offset\nuint8 datatype\n\
         uint32 count\n";
    }
}

/// Form of a value of points, with its number in `PointField`.
#[derive(Clone, Copy)]
enum Form {
    Unsigned16 = 4,
    Float32 = 7,
}

impl Form {
    /// Returns the form that drivers of lidars give a value.
    fn of_value(name: &str) -> Self {
        if name == "ring" { Self::Unsigned16 } else { Self::Float32 }
    }

    const fn size(self) -> usize {
        match self {
            Self::Unsigned16 => 2,
            Self::Float32 => 4,
        }
    }
}

impl PointCloud<'_> {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        let (values, names) = (self.points.0, &stream.labels);
        let forms: Vec<Form> = names.iter().map(|name| Form::of_value(name)).collect();
        let step: usize = forms.iter().map(|form| form.size()).sum();
        let points = values.len().checked_div(names.len()).unwrap_or(0);
        to.header(self.stamp, &stream.frame);
        to.u32("height", 1);
        to.u32("width", points as u32);
        to.list("fields", names.len());
        let mut offset = 0;
        for (name, form) in names.iter().zip(&forms) {
            to.open("");
            to.text("name", name);
            to.u32("offset", offset as u32);
            to.u8("datatype", *form as u8);
            to.u32("count", 1);
            to.close();
            offset += form.size();
        }
        to.end();
        to.truth("is_bigendian", false);
        to.u32("point_step", step as u32);
        to.u32("row_step", (step * points) as u32);
        let mut is_dense = true;
        to.bytes("data", false, |to| {
            to.reserve(step * points);
            // a sample of another program can end within a point
            let end = to.len() + step * points;
            let mut forms = forms.iter().cycle();
            values.for_each(|value| {
                is_dense &= value.is_finite();
                match forms.next() {
                    Some(Form::Unsigned16) => to.extend_from_slice(&(value as u16).to_le_bytes()),
                    _ => to.extend_from_slice(&(value as f32).to_le_bytes()),
                }
            });
            to.truncate(end);
        });
        to.truth("is_dense", is_dense);
    }
}
