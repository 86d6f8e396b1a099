//! Distances of a sonar or another sensor with a cone.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::source::{Constants, Settings, Source};
use crate::stream::Stream;

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
        Source::sensor("simhost/sonar", "range", &["range"]).constants(constants);
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

fn constants(settings: &Settings<'_>) -> Constants {
    let parameters =
        [("field_of_view", "fov_degrees"), ("min_range", "min_range"), ("max_range", "max_range")];
    let known =
        parameters.into_iter().filter_map(|(name, key)| Some((name, (settings.number)(key)?)));
    known.chain([("radiation_type", 0.0)]).map(|(name, value)| (name.into(), value)).collect()
}
