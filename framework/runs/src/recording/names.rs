//! Names of the quantities in messages.

use simhost_streams::{Count, Stream, ros};

/// Place of a value of a message among the series.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// A value of a series.
    Value(Quantity),
    /// Part 0 to 3 of the quaternion of an orientation; yaw, pitch and roll are three values of a series
    /// from this one on.
    Quaternion(Quantity, usize),
}

/// A value of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Name of the series.
    pub series: String,
    /// Unit of the value.
    pub unit: String,
    /// Index of the value, if the series is an array.
    pub index: Option<usize>,
}

/// Values of `nav_msgs/msg/Odometry`: the path, the array that it belongs to, and the first index there.
const ODOMETRY: [(&str, Motion, usize); 4] = [
    ("pose.pose.position", Motion::Pose, 0),
    ("pose.pose.orientation", Motion::Pose, 3),
    ("twist.twist.linear", Motion::Twist, 0),
    ("twist.twist.angular", Motion::Twist, 2),
];

#[derive(Clone, Copy, PartialEq)]
enum Motion {
    Pose,
    Twist,
}

/// Fields of messages whose name differs from the field of the stream.
const RENAMED: [(&str, &str); 8] = [
    ("magnetic_field", "field"),
    ("fluid_pressure", "pressure"),
    ("pose.position", "position"),
    ("pose.orientation", "orientation"),
    ("status.status", "status"),
    ("transforms.transform.translation", "translation"),
    ("transforms.transform.rotation", "rotation"),
    ("drive.steering_angle", "steering_angle"),
];

/// Types without numbers of a fixed meaning. Their messages can only be compared as a whole.
const WHOLE: [&str; 6] =
    ["CameraInfo", "Diagnostics", "Image", "Markers", "OccupancyGrid", "PointCloud"];

/// Returns whether the messages of a stream can only be compared as a whole.
pub fn is_whole(stream: &Stream) -> bool {
    WHOLE.contains(&&*stream.kind.name)
}

/// Returns the place of the value at a path of a message, such as `pose.pose.position.x` or
/// `angular_velocity[2]`. `None` if no field of the stream holds it.
pub fn place(stream: &Stream, path: &str) -> Option<Place> {
    let (path, index) = without_index(path);
    let (path, part) = match path.rsplit_once('.') {
        Some((start, part)) => match ["x", "y", "z", "w"].iter().position(|known| *known == part) {
            Some(part) => (start, Some(part)),
            None => (&*path, None),
        },
        None => (&*path, None),
    };
    if stream.kind.name == "Odometry" {
        return motion(stream, path, part?);
    }
    let renamed = RENAMED.iter().find(|(known, _)| *known == path);
    let name = renamed.map_or(path, |(_, name)| name);
    let field = match stream.kind.fields.iter().find(|field| field.name == name) {
        Some(field) => field,
        None => {
            let names = ros::identifiers(&stream.kind);
            &stream.kind.fields[names.iter().position(|known| known == name)?]
        }
    };
    // of a stream that groups quantities
    if field.name.contains('/') {
        let (series, unit) = (field.name.to_string(), field.unit.to_string());
        let index = if field.count == Count::One { None } else { index };
        return Some(Place::Value(Quantity {
            series,
            unit: unit_of(&unit, field.count, index),
            index,
        }));
    }
    let unit = field.unit.to_string();
    let label = index.and_then(|index| stream.labels.get(index));
    let value = |series: String, index: Option<usize>| Quantity { series, unit, index };
    let base = base(stream);
    let quantity = match (field.count, label) {
        (Count::PerLabel(_), None) => return None,
        (Count::PerLabel(_), Some(label)) if stream.kind.name == "Wheels" => {
            let vehicle = stream.name.strip_suffix("/wheels").unwrap_or(&stream.name);
            value(format!("{vehicle}/wheel/{label}/{name}"), part)
        }
        (Count::PerLabel(_), Some(label)) => match body(stream, index, label) {
            // the rotation follows the translation
            Some(body) if field.unit == "rad" => {
                let pose = value(format!("{body}/pose"), Some(3));
                return part.map(|part| Place::Quaternion(pose, part));
            }
            Some(body) => value(format!("{body}/pose"), part),
            None => value(format!("{base}/{label}/{name}"), part),
        },
        (Count::One, _) => value(format!("{base}/{name}"), None),
        _ => value(format!("{base}/{name}"), part.or(index)),
    };
    Some(match (field.unit.as_ref(), part) {
        ("rad", Some(part)) => Place::Quaternion(Quantity { index: Some(0), ..quantity }, part),
        _ => Place::Value(quantity),
    })
}

/// Returns the names of the quantities that a stream groups.
pub fn grouped(stream: &Stream) -> impl Iterator<Item = &str> {
    let fields = stream.kind.fields.iter();
    fields.map(|field| field.name.as_ref()).filter(|name| name.contains('/'))
}

/// Returns the unit of a value of an array, whose unit can be the unit of a pose or a twist, such
/// as `m, rad`.
fn unit_of(unit: &str, count: Count, index: Option<usize>) -> String {
    let first = if count == Count::Fixed(3) { 2 } else { 3 };
    match (unit.split_once(", "), index) {
        (Some((unit, _)), Some(index)) if index < first => unit.to_owned(),
        (Some((_, unit)), Some(_)) => unit.to_owned(),
        _ => unit.to_owned(),
    }
}

/// Returns the name of the block, actor or plane to which a frame of `tf` belongs.
fn body<'a>(stream: &Stream, index: Option<usize>, frame: &'a str) -> Option<&'a str> {
    let is_of_map = stream.label_frames.get(index?).is_some_and(|parent| parent == "map");
    let kinds = ["block/", "actor/", "plane/"];
    let body = kinds.iter().find_map(|kind| frame.strip_prefix(kind));
    // that of the odometry of a vehicle with such a name
    body.filter(|name| is_of_map && stream.kind.name == "Transforms" && *name != "odom")
}

/// Returns the prefix of the names of the quantities of a stream; for a stream of a sensor, the
/// name of the sensor.
fn base(stream: &Stream) -> String {
    match (
        &*stream.kind.name,
        stream.name.strip_suffix("/scan").and_then(|name| name.split_once('/')),
    ) {
        ("LaserScan", Some((vehicle, sensor))) => format!("{vehicle}/sensor/{sensor}"),
        _ => stream.name.clone(),
    }
}

/// Returns the place of a value of odometry.
fn motion(stream: &Stream, path: &str, part: usize) -> Option<Place> {
    let (_, array, first) = *ODOMETRY.iter().find(|(known, ..)| *known == path)?;
    let (base, prefix) =
        match (stream.name.strip_suffix("/ground_truth"), stream.name.strip_suffix("/odometry")) {
            (Some(vehicle), _) => (vehicle, ""),
            (_, Some(vehicle)) => (vehicle, "odometry_"),
            _ => (&*stream.name, ""),
        };
    let quantity = |name: &str, unit: &str, index: usize| Quantity {
        series: format!("{base}/{prefix}{name}"),
        unit: unit.to_owned(),
        index: Some(index),
    };
    Some(match (array, first, part) {
        (Motion::Pose, 0, _) => Place::Value(quantity("pose", "m", part)),
        (Motion::Pose, ..) => Place::Quaternion(quantity("pose", "rad", first), part),
        // the vehicle moves in its plane
        (Motion::Twist, 0, 0 | 1) => Place::Value(quantity("twist", "m/s", part)),
        (Motion::Twist, 2, 2) => Place::Value(quantity("twist", "rad/s", 2)),
        (Motion::Twist, ..) => return None,
    })
}

/// Removes the index of a path. Fields in series have at most one index.
fn without_index(path: &str) -> (String, Option<usize>) {
    let parts = path.split_once('[').and_then(|(start, rest)| {
        let (index, end) = rest.split_once(']')?;
        Some((format!("{start}{end}"), index.parse().ok()?))
    });
    parts.map_or_else(|| (path.to_owned(), None), |(path, index)| (path, Some(index)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use simhost_streams::{Stream, StreamType, types};

    use super::{Place, place};

    fn name(stream: &Stream, path: &str) -> Option<String> {
        place(stream, path).map(|place| match place {
            Place::Value(quantity) => {
                let index = quantity.index.map(|index| format!("[{index}]")).unwrap_or_default();
                format!("{}{index} {}", quantity.series, quantity.unit)
            }
            Place::Quaternion(quantity, part) => {
                format!(
                    "{}[{}..] {} {part}",
                    quantity.series,
                    quantity.index.unwrap_or(9),
                    quantity.unit
                )
            }
        })
    }

    fn stream(name: &str, kind: &StreamType, labels: &[&str]) -> Stream {
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        Stream { labels, ..Stream::new(name, Arc::new(kind.clone())) }
    }

    #[test]
    fn values_have_the_names_of_quantities() {
        let truth = stream("car/ground_truth", &types::Odometry::TYPE, &[]);
        assert_eq!(name(&truth, "pose.pose.position.y").unwrap(), "car/pose[1] m");
        assert_eq!(name(&truth, "pose.pose.orientation.w").unwrap(), "car/pose[3..] rad 3");
        assert_eq!(name(&truth, "twist.twist.angular.z").unwrap(), "car/twist[2] rad/s");
        assert_eq!(name(&truth, "twist.twist.angular.x"), None);
        assert_eq!(name(&truth, "pose.covariance[3]"), None);
        assert_eq!(name(&truth, "header.stamp.sec"), None);
        let wheels = stream("car/wheels", &types::Wheels::TYPE, &["fl", "fr"]);
        assert_eq!(name(&wheels, "normal_force[1]").unwrap(), "car/wheel/fr/normal_force N");
        let scan = stream("car/front/scan", &types::LaserScan::TYPE, &[]);
        assert_eq!(name(&scan, "ranges[7]").unwrap(), "car/sensor/front/ranges[7] m");
        let tf = stream("tf", &types::Transforms::TYPE, &["car/odom", "car/base_link"]);
        let y = name(&tf, "transforms[1].transform.translation.y");
        assert_eq!(y.unwrap(), "tf/car/base_link/translation[1] m");
        let z = name(&tf, "transforms[0].transform.rotation.z");
        assert_eq!(z.unwrap(), "tf/car/odom/rotation[0..] rad 2");
        let label_frames = vec!["map".to_owned(), "map".to_owned()];
        let tf = stream("tf", &types::Transforms::TYPE, &["block/odom", "block/crate"]);
        let tf = Stream { label_frames, ..tf };
        let [y, z] = ["translation.y", "rotation.z"]
            .map(|part| name(&tf, &format!("transforms[1].transform.{part}")).unwrap());
        assert_eq!((&*y, &*z), ("crate/pose[1] m", "crate/pose[3..] rad 2"));
        let x = name(&tf, "transforms[0].transform.translation.x");
        assert_eq!(x.unwrap(), "tf/block/odom/translation[0] m");
        let imu = stream("car/imu", &types::Imu::TYPE, &[]);
        assert_eq!(name(&imu, "angular_velocity.z").unwrap(), "car/imu/angular_velocity[2] rad/s");
        let fix = stream("car/gps", &types::NavSatFix::TYPE, &[]);
        assert_eq!(name(&fix, "latitude").unwrap(), "car/gps/latitude deg");
        assert_eq!(name(&fix, "status.status").unwrap(), "car/gps/status 1");
    }
}
