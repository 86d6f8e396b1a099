//! Streams whose values have not been looked up yet.

use simhost_streams::image::ImageForm;
use simhost_streams::{Bulk, Count, Field, Sample, Stamp, Stream};

use super::transforms::Transforms;
use super::{MeanRates, Touch};

/// A stream with the names of the values that its samples consist of.
pub(super) struct Draft {
    pub stream: Stream,
    pub gate: Gate,
    pub fill: Fill,
    /// Names of quantities, in the order of the fields. The first one that exists fills its place; a number
    /// without a name is not computed.
    pub values: Vec<Vec<String>>,
    /// A quantity, and the number above which it is while there are samples.
    pub condition: Option<(String, f64)>,
    /// Name of the message, and the fields of the values, if the type of the stream follows from them.
    pub message: Option<(String, Vec<FieldName>)>,
    /// Whether the world groups its quantities.
    pub is_grouped: bool,
}

/// Field of a value.
pub(super) enum FieldName {
    /// The name; everything else is copied from the quantity.
    Quantity(String),
    /// A field that no quantity describes.
    Other(Field),
}

impl Draft {
    /// Creates a stream with a sample whenever one is asked for.
    pub fn new(stream: Stream, fill: Fill) -> Self {
        let (gate, values) = (Gate::Open, Vec::new());
        Self { stream, gate, fill, values, condition: None, message: None, is_grouped: false }
    }

    /// Creates a stream of values.
    pub fn of_values(stream: Stream, names: impl IntoIterator<Item = String>) -> Self {
        let values = names.into_iter().map(|name| vec![name]).collect();
        Self { values, ..Self::new(stream, Fill::VALUES) }
    }

    /// Creates a stream whose sample never changes.
    pub fn fixed(stream: Stream, fixed: Fixed) -> Self {
        Self::new(stream, Fill::Fixed(fixed))
    }

    /// Creates a stream whose type follows from its values, which `simulation` describes. There is a pair of
    /// quantity and field for each; one without a quantity has no effect.
    pub fn typed(
        stream: Stream,
        message: String,
        values: impl IntoIterator<Item = (Option<String>, String)>,
    ) -> Self {
        let (mut names, mut fields) = (Vec::new(), Vec::new());
        for (quantity, field) in values {
            fields.push(match quantity {
                Some(_) => FieldName::Quantity(field),
                None => FieldName::Other(Field {
                    name: field.into(),
                    unit: "1".into(),
                    doc: "Has no effect.".into(),
                    count: Count::One,
                }),
            });
            names.push(Vec::from_iter(quantity));
        }
        let message = Some((message, fields));
        Self { message, values: names, ..Self::new(stream, Fill::VALUES) }
    }

    /// Returns the names of the quantities.
    pub fn quantities(&self) -> impl Iterator<Item = &str> {
        let condition = self.condition.iter().map(|(quantity, _)| quantity);
        self.values.iter().flatten().chain(condition).map(String::as_str)
    }
}

/// Source of the content of a sample.
pub(super) enum Fill {
    /// The values, one after the other, and rates behind them, without the numbers at the ascending places `skipped`.
    Values { rates: Option<MeanRates>, skipped: Vec<usize> },
    /// Distances of rays, and whether each of them is a return.
    Ranges,
    /// Columns with one value per ray that together are points; the last one is whether each ray is a return.
    Points { has_returns: bool },
    /// The channels of an image.
    Pixels(ImageForm),
    /// Transforms between frames.
    Transforms(Transforms),
    /// Faults of models.
    Faults,
    /// Fault memory of a vehicle, by its number.
    FaultMemory(usize),
    /// Whether a vehicle touches something.
    Collision(Touch),
    /// Content that does not change.
    Fixed(Fixed),
}

/// Content of a sample that does not change.
#[derive(Default)]
pub(super) struct Fixed {
    pub numbers: Vec<f64>,
    pub rest: Vec<f64>,
    pub texts: Vec<String>,
    pub bytes: Vec<u8>,
}

/// Condition for a sample.
pub(super) enum Gate {
    /// There is one whenever one is asked for.
    Open,
    /// There is one after each step in which a sensor has been sampled.
    Sensor(usize),
    /// There is one for each change of a count, such as the count of faults.
    Count { passed: usize },
    /// There is one at the start, and one for each change of the fault memory of a vehicle.
    Memory { vehicle: usize, passed: Option<u64> },
    /// There is one at the start.
    Once { is_passed: bool },
    /// There is one at the start, and one when a sensor whose pose was unknown has been sampled.
    Static { passed: Option<Vec<[f64; 6]>> },
}

impl Fixed {
    /// Returns the sample at a time.
    pub fn sample(&self, stamp: Stamp) -> Sample<'_> {
        let Self { numbers, rest, texts, bytes } = self;
        let bulk = if bytes.is_empty() { Bulk::Numbers(rest) } else { Bulk::Bytes(bytes) };
        Sample { stamp, numbers, texts, bulk }
    }
}

impl Fill {
    /// The values alone.
    pub const VALUES: Self = Self::Values { rates: None, skipped: Vec::new() };
}
