//! Samples of streams.

use std::fmt;

use crate::image::ImageForm;

/// One sample of a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// Time at which it was taken.
    pub stamp: Stamp,
    /// Values of the numeric fields of fixed length, one field after the other, in their units, see
    /// [`StreamType`](crate::StreamType).
    pub numbers: &'a [f64],
    /// Values of the fields of text, in their order.
    pub texts: &'a [String],
    /// Values of the field of any length, such as the ranges of a scan or the pixels of an image.
    pub bulk: Bulk<'a>,
}

impl<'a> Sample<'a> {
    /// Creates a sample of numbers.
    pub const fn new(stamp: Stamp, numbers: &'a [f64]) -> Self {
        Self { stamp, numbers, texts: &[], bulk: Bulk::None }
    }
}

/// Values of a field of any length, borrowed from where they were computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Bulk<'a> {
    /// No values.
    #[default]
    None,
    /// Numbers.
    Numbers(&'a [f64]),
    /// Distances along rays.
    Ranges {
        /// Distance along each ray.
        distances: &'a [f64],
        /// 0 for each ray without a return, whose range is infinite.
        returns: &'a [f64],
    },
    /// Points: the values of the first point, then of the next points.
    Points {
        /// A column per value, with an element per ray.
        columns: &'a [&'a [f64]],
        /// 1 for each ray that is a point; all are without it.
        returns: Option<&'a [f64]>,
    },
    /// Pixels of an image in the encoding of its messages.
    Pixels {
        /// Form of the image.
        form: &'a ImageForm,
        /// Values of the pixels, a slice per channel of [`ImageKind`](crate::image::ImageKind).
        channels: &'a [&'a [f64]],
    },
    /// Bytes.
    Bytes(&'a [u8]),
}

impl Bulk<'_> {
    /// Returns the number of numbers; 0 for pixels and bytes.
    pub fn len(&self) -> usize {
        match *self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Ranges { distances, returns } => distances.len().min(returns.len()),
            Self::Points { columns, .. } => columns.len() * self.points().count(),
            Self::None | Self::Pixels { .. } | Self::Bytes(_) => 0,
        }
    }

    /// Returns whether there are no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls a function with each number in its order; never for pixels and bytes.
    pub fn for_each(&self, mut take: impl FnMut(f64)) {
        match *self {
            Self::Numbers(numbers) => numbers.iter().for_each(|number| take(*number)),
            Self::Ranges { distances, returns } => {
                distances.iter().zip(returns).for_each(|ray| take(range(ray)));
            }
            Self::Points { columns, .. } => self.points().for_each(|ray| {
                columns.iter().for_each(|column| take(column[ray]));
            }),
            Self::None | Self::Pixels { .. } | Self::Bytes(_) => {}
        }
    }

    /// Appends the numbers in their order.
    pub fn append_numbers(&self, to: &mut Vec<f64>) {
        match *self {
            Self::Numbers(numbers) => to.extend_from_slice(numbers),
            Self::Ranges { distances, returns } => {
                to.extend(distances.iter().zip(returns).map(range));
            }
            _ => self.for_each(|number| to.push(number)),
        }
    }

    /// Appends the bytes; none of numbers.
    pub fn append_bytes(&self, to: &mut Vec<u8>) {
        match *self {
            Self::Pixels { form, channels } => form.write_message(channels, to),
            Self::Bytes(bytes) => to.extend_from_slice(bytes),
            _ => {}
        }
    }

    /// Returns the rays that are points.
    fn points(&self) -> impl Iterator<Item = usize> + '_ {
        let (columns, returns) = match *self {
            Self::Points { columns, returns } => (columns, returns),
            _ => (&[][..], None),
        };
        let rays = columns.iter().map(|column| column.len()).min().unwrap_or(0);
        let is_return = move |ray: &usize| {
            // neither 0 nor, before the first sample, not a number
            returns.is_none_or(|returns| returns.get(*ray) == Some(&1.0))
        };
        (0..rays).filter(is_return)
    }
}

/// Returns the range of a ray, which is infinite without a return.
pub(crate) fn range((distance, is_return): (&f64, &f64)) -> f64 {
    if *is_return == 0.0 { f64::INFINITY } else { *distance }
}

/// Simulated time since the start of the world, in whole nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp(pub u64);

impl Stamp {
    /// Returns the time after `steps` steps of `dt` seconds: steps · dt · 10⁹, rounded to the nearest
    /// whole number.
    ///
    /// ```
    /// # use simhost_streams::Stamp;
    /// assert_eq!(Stamp::of_step(30, 1.0 / 30.0), Stamp(1_000_000_000));
    /// ```
    pub fn of_step(steps: u64, dt: f64) -> Self {
        // in whole numbers if the rate or the step is one, as written by people
        let rate = (1.0 / dt).round();
        if rate >= 1.0 && (1.0 / dt - rate).abs() < 1e-9 * rate {
            let (product, rate) = (u128::from(steps) * 1_000_000_000, rate as u128);
            return Self(u64::try_from((product + rate / 2) / rate).unwrap_or(u64::MAX));
        }
        // the product of large factors would round to a multiple of more than one nanosecond
        let whole = (dt * 1e9).floor();
        let rest = dt * 1e9 - whole;
        let whole = steps.saturating_mul(whole as u64);
        Self(whole.saturating_add((steps as f64 * rest).round() as u64))
    }

    /// Returns the whole seconds and the nanoseconds after them.
    pub const fn parts(self) -> (u64, u32) {
        (self.0 / 1_000_000_000, (self.0 % 1_000_000_000) as u32)
    }

    /// Returns the time in seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, nanoseconds) = self.parts();
        write!(f, "{seconds}.{nanoseconds:09}")
    }
}

#[cfg(test)]
mod tests {
    use super::Stamp;

    #[test]
    fn stamps_are_exact_to_the_nanosecond() {
        assert_eq!(Stamp::of_step(1, 0.001), Stamp(1_000_000));
        assert_eq!(Stamp::of_step(1, 1.0 / 30.0), Stamp(33_333_333));
        assert_eq!(Stamp::of_step(2, 1.0 / 30.0), Stamp(66_666_667));
        assert_eq!(Stamp::of_step(31_536_000_000, 0.001), Stamp(31_536_000_000_000_000));
        // a year and a day at 7 Hz
        let steps = 7 * 86_400 * 366;
        assert_eq!(Stamp::of_step(steps, 1.0 / 7.0), Stamp(86_400 * 366 * 1_000_000_000));
        assert_eq!(Stamp::of_step(10_000_000_000, 0.3), Stamp(3_000_000_000_000_000_000));
        assert_eq!(Stamp::of_step(5, 0.0), Stamp(0));
        assert_eq!(Stamp::of_step(u64::MAX, 1e3), Stamp(u64::MAX));
        assert_eq!(Stamp::of_step(1, 1e-300), Stamp(0));
        assert_eq!(Stamp(1_000_000_001).to_string(), "1.000000001");
    }
}
