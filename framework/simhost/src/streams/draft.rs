//! Streams whose quantities have not been looked up yet.

use simhost_streams::image::ImageForm;
use simhost_streams::{Field, Stream};

use super::output::Gate;

/// A stream with the names of the quantities that its samples consist of.
pub(super) struct Draft {
    pub stream: Stream,
    pub gate: Gate,
    pub source: Source,
    /// Condition for samples beside the gate.
    pub condition: Option<Condition>,
    /// Whether the world groups its quantities.
    pub is_grouped: bool,
}

/// There are samples while a quantity is above a number.
#[derive(Clone)]
pub(super) struct Condition {
    pub quantity: String,
    pub above: f64,
}

/// Content of samples.
pub(super) enum Source {
    /// Quantities by name, one after the other. `None` stands for one number that is not computed.
    Quantities(Vec<Option<String>>),
    /// Quantities of joints by name: angles of spin, angles of steering and rates of spin, as many of each.
    Joints(Vec<String>),
    /// Quantities by name. The type of the stream follows from them; its name is that of a message.
    Typed { message: String, parts: Vec<Part> },
    /// Ranges of a planar laser and whether each of them is a return.
    Scan { range: String, valid: String },
    /// Outputs of a sensor with one value per ray that together are points, and whether each ray is a
    /// return.
    Cloud { fields: Vec<String>, valid: Option<String> },
    /// An image of a sensor, and the outputs that are its channels.
    Image { form: ImageForm, channels: Vec<String> },
    /// Frames with their parents.
    Transforms(Vec<Frame>),
    /// Faults of models.
    Faults,
    /// Fault memory of a vehicle, by its number.
    FaultMemory(usize),
    /// A sample that does not change.
    Fixed { numbers: Vec<f64>, texts: Vec<String>, bytes: Vec<u8> },
    /// The stream is an input.
    Input,
}

/// A part of a stream whose type follows from quantities.
pub(super) enum Part {
    /// A quantity, and the name of its field.
    Quantity { name: String, field: String },
    /// A field that no quantity describes.
    Field(Field),
}

/// A frame whose pose is computed from quantities.
pub(super) enum Frame {
    /// Origin of the odometry of a vehicle: poses by truth and by odometry.
    Odometry { truth: String, odometry: String },
    /// Pose by a quantity.
    Pose(String),
    /// Origin of the rays of a sensor.
    Sensor(usize),
    /// Pose in the parent that does not change: x, y, z, m; yaw, pitch, roll, rad.
    Fixed([f64; 6]),
}

impl Draft {
    /// Creates a stream with a sample whenever one is asked for.
    pub fn new(stream: Stream, source: Source) -> Self {
        Self { stream, gate: Gate::Open, source, condition: None, is_grouped: false }
    }

    /// Creates a stream of quantities.
    pub fn of_quantities(stream: Stream, names: impl IntoIterator<Item = String>) -> Self {
        Self::new(stream, Source::Quantities(names.into_iter().map(Some).collect()))
    }

    /// Returns the names of the quantities.
    pub fn quantities(&self) -> Vec<&str> {
        let condition = self.condition.iter().map(|condition| condition.quantity.as_str());
        let mut names = self.of_source();
        names.extend(condition);
        names
    }

    fn of_source(&self) -> Vec<&str> {
        match &self.source {
            Source::Quantities(names) => names.iter().flatten().map(String::as_str).collect(),
            Source::Joints(names) => names.iter().map(String::as_str).collect(),
            Source::Typed { parts, .. } => parts.iter().filter_map(Part::quantity).collect(),
            Source::Scan { range, valid } => vec![range, valid],
            Source::Cloud { fields, valid } => {
                fields.iter().chain(valid).map(String::as_str).collect()
            }
            Source::Image { channels, .. } => channels.iter().map(String::as_str).collect(),
            Source::Transforms(frames) => frames.iter().flat_map(Frame::quantities).collect(),
            Source::Faults | Source::FaultMemory(_) | Source::Fixed { .. } | Source::Input => {
                Vec::new()
            }
        }
    }
}

impl Part {
    fn quantity(&self) -> Option<&str> {
        match self {
            Self::Quantity { name, .. } => Some(name),
            Self::Field(_) => None,
        }
    }
}

impl Frame {
    fn quantities(&self) -> Vec<&str> {
        match self {
            Self::Odometry { truth, odometry } => vec![truth, odometry],
            Self::Pose(name) => vec![name],
            Self::Sensor(_) | Self::Fixed(_) => Vec::new(),
        }
    }
}
