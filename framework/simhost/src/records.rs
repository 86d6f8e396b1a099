//! Samples and commands as Rust types.

use simhost_streams::{Count, Sample, Stream, StreamType, TypedSample};

/// A sample as a Rust type.
pub trait Record: Sized {
    /// Name of the stream type.
    const TYPE: &'static str;

    /// Returns whether the record can be created from samples of a type.
    fn accepts(kind: &StreamType) -> bool {
        kind.name == Self::TYPE
    }

    /// Creates the record from a sample of a stream of this type.
    fn from_sample(stream: &Stream, sample: &Sample<'_>) -> Self;
}

impl<T: TypedSample> Record for T {
    const TYPE: &'static str = T::NAME;

    fn from_sample(stream: &Stream, sample: &Sample<'_>) -> Self {
        T::from_sample(stream, sample)
    }
}

/// A command for a controller.
pub trait CommandRecord {
    /// Returns the kind of command, as in files of commands.
    fn kind(&self) -> &str;

    /// Returns the values in the order of the kind.
    fn values(&self) -> Vec<f64>;
}

/// Pose and twist of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct Odometry {
    /// Simulated time, s.
    pub time: f64,
    /// x, y, z, m; yaw, pitch, roll, rad.
    pub pose: [f64; 6],
    /// Forward and leftward velocity, m/s; yaw rate, rad/s; vehicle frame.
    pub twist: [f64; 3],
}

impl Record for Odometry {
    const TYPE: &'static str = "Odometry";

    // `VehicleOdometry` has the variances behind the same numbers
    fn accepts(kind: &StreamType) -> bool {
        kind.name == Self::TYPE || kind.name == "VehicleOdometry"
    }

    fn from_sample(_: &Stream, sample: &Sample<'_>) -> Self {
        let number = |index: usize| sample.numbers.get(index).copied().unwrap_or(f64::NAN);
        Self {
            time: sample.stamp.seconds(),
            pose: std::array::from_fn(number),
            twist: std::array::from_fn(|index| number(6 + index)),
        }
    }
}

/// Simulated time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Simulated time, s.
    pub time: f64,
}

impl Record for Clock {
    const TYPE: &'static str = "Clock";

    fn from_sample(_: &Stream, sample: &Sample<'_>) -> Self {
        Self { time: sample.stamp.seconds() }
    }
}

/// Samples of any stream, field by field.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// Simulated time, s.
    pub time: f64,
    /// Names and numbers of the numeric fields, in the order of the type.
    pub numbers: Vec<(String, Vec<f64>)>,
    /// Texts of the sample, in their order.
    pub texts: Vec<String>,
    /// Bytes of the sample.
    pub bytes: Vec<u8>,
}

impl Values {
    /// Returns the numbers of a field; none if the type does not have it.
    pub fn get(&self, field: &str) -> &[f64] {
        let found = self.numbers.iter().find(|(name, _)| name == field);
        found.map_or(&[], |(_, numbers)| numbers)
    }
}

impl Record for Values {
    const TYPE: &'static str = "any";

    fn accepts(_: &StreamType) -> bool {
        true
    }

    fn from_sample(stream: &Stream, sample: &Sample<'_>) -> Self {
        let field = |field: &simhost_streams::Field| {
            let mut numbers = stream.numbers_of(&field.name, sample.numbers).to_vec();
            if field.count == Count::Rest {
                sample.bulk.append_numbers(&mut numbers);
            }
            (field.name.to_string(), numbers)
        };
        let mut bytes = Vec::new();
        sample.bulk.append_bytes(&mut bytes);
        Self {
            time: sample.stamp.seconds(),
            numbers: stream.kind.fields.iter().map(field).collect(),
            texts: sample.texts.to_vec(),
            bytes,
        }
    }
}

/// Ranges of a planar laser.
#[derive(Clone, Debug, PartialEq)]
pub struct LaserScan {
    /// Simulated time, s.
    pub time: f64,
    /// Direction of the first ray, rad, counter-clockwise from the x axis of the sensor.
    pub angle_min: f64,
    /// Angle between neighbouring rays, rad.
    pub angle_increment: f64,
    /// Reach, m.
    pub range_max: f64,
    /// Distances, m; infinite for rays without a return, and NaN before the first sample.
    pub ranges: Vec<f64>,
}

impl Record for LaserScan {
    const TYPE: &'static str = "LaserScan";

    fn from_sample(stream: &Stream, sample: &Sample<'_>) -> Self {
        let constant = |name: &str| stream.constant(name).unwrap_or(f64::NAN);
        let mut ranges = Vec::new();
        sample.bulk.append_numbers(&mut ranges);
        Self {
            time: sample.stamp.seconds(),
            angle_min: constant("angle_min"),
            angle_increment: constant("angle_increment"),
            range_max: constant("range_max"),
            ranges,
        }
    }
}

/// State of a wheel and the forces on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Wheel {
    /// Name, such as `fl`.
    pub name: String,
    /// Position ahead and to the left of the reference point of the vehicle, m.
    pub position: [f64; 2],
    /// Spin, rad/s, positive when rolling forwards.
    pub spin: f64,
    /// Rotation about the axle, rad, not wrapped.
    pub angle: f64,
    /// Steering angle, rad, positive counter-clockwise.
    pub steer: f64,
    /// Motor torque, N·m, positive forwards.
    pub torque: f64,
    /// Normal load, N, with the weight of the wheel.
    pub normal_force: f64,
    /// Forward and leftward velocity of the wheel centre in the last step, m/s, vehicle frame.
    pub velocity: [f64; 2],
    /// Forward and leftward force of the ground in the last step, N, vehicle frame.
    pub force: [f64; 2],
}

/// The wheels of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct Wheels {
    /// Simulated time, s.
    pub time: f64,
    /// The wheels in the order of the world file.
    pub wheels: Vec<Wheel>,
}

impl Record for Wheels {
    const TYPE: &'static str = "Wheels";

    fn from_sample(stream: &Stream, sample: &Sample<'_>) -> Self {
        let wheel = |(index, name): (usize, &String)| {
            let number = |field: &str| {
                let numbers = stream.numbers_of(field, sample.numbers);
                numbers.get(index).copied().unwrap_or(f64::NAN)
            };
            Wheel {
                name: name.clone(),
                position: ["x", "y"].map(number),
                spin: number("spin"),
                angle: number("angle"),
                steer: number("steer"),
                torque: number("torque"),
                normal_force: number("normal_force"),
                velocity: ["vx", "vy"].map(number),
                force: ["fx", "fy"].map(number),
            }
        };
        let wheels = stream.labels.iter().enumerate().map(wheel).collect();
        Self { time: sample.stamp.seconds(), wheels }
    }
}

/// Twist setpoint of a vehicle, vehicle frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist {
    /// Forward velocity, m/s.
    pub vx: f64,
    /// Leftward velocity, m/s.
    pub vy: f64,
    /// Yaw rate, rad/s, positive counter-clockwise.
    pub omega: f64,
}

impl CommandRecord for Twist {
    fn kind(&self) -> &str {
        "twist"
    }

    fn values(&self) -> Vec<f64> {
        vec![self.vx, self.vy, self.omega]
    }
}

/// Setpoints of speed and steering of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedSteer {
    /// Forward speed, m/s.
    pub speed: f64,
    /// Steering angle of the bicycle model, rad, positive counter-clockwise.
    pub steering_angle: f64,
}

impl CommandRecord for SpeedSteer {
    fn kind(&self) -> &str {
        "speed_steer"
    }

    fn values(&self) -> Vec<f64> {
        vec![self.speed, self.steering_angle]
    }
}

/// A command of any kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// Kind, as in files of commands: `torque`, `pedals`, …
    pub kind: String,
    /// Values in the order and the units of the kind.
    pub values: Vec<f64>,
}

impl CommandRecord for Command {
    fn kind(&self) -> &str {
        &self.kind
    }

    fn values(&self) -> Vec<f64> {
        self.values.clone()
    }
}
