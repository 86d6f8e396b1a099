//! Clouds of points.

use super::declare::stream_type;
use super::fields::Numbers;
use crate::ros::writer::Writer;
use crate::stream::Stream;

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
