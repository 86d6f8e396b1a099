//! The form that messages are written in.

use crate::sample::{Bulk, Stamp, range};
use crate::stream::{Stream, frame_id};

/// A number of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Bool(bool),
    U8(u8),
    I8(i8),
    U16(u16),
    I32(i32),
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
}

/// Receives numbers of messages as little-endian bytes.
pub(super) trait PutBytes {
    /// Puts a number of `N` bytes.
    fn put_bytes<const N: usize>(&mut self, bytes: [u8; N]);
}

impl Number {
    /// Puts the number as bytes.
    #[inline]
    pub(super) fn put_to(self, to: &mut impl PutBytes) {
        match self {
            Self::Bool(value) => to.put_bytes([value.into()]),
            Self::U8(value) => to.put_bytes([value]),
            Self::I8(value) => to.put_bytes(value.to_le_bytes()),
            Self::U16(value) => to.put_bytes(value.to_le_bytes()),
            Self::I32(value) => to.put_bytes(value.to_le_bytes()),
            Self::U32(value) => to.put_bytes(value.to_le_bytes()),
            Self::U64(value) => to.put_bytes(value.to_le_bytes()),
            Self::F32(value) => to.put_bytes(value.to_le_bytes()),
            Self::F64(value) => to.put_bytes(value.to_le_bytes()),
        }
    }
}

/// Number of elements of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// An array, whose length is part of the definition.
    Fixed,
    /// A sequence, whose length is part of the message.
    Variable,
}

/// Receives the fields of a message in the order of its definition. Elements of a list have empty names.
pub(crate) trait Writer {
    /// Whether names of fields matter.
    const HAS_NAMES: bool;

    /// Begins a nested message.
    fn open(&mut self, name: &str);

    /// Ends a nested message.
    fn close(&mut self);

    /// Begins a sequence of `len` messages or texts.
    fn list(&mut self, name: &str, len: usize);

    /// Ends a sequence.
    fn end(&mut self);

    /// Writes a number.
    fn number(&mut self, name: &str, value: Number);

    /// Writes a text.
    fn text(&mut self, name: &str, value: &str);

    /// Writes an array or a sequence of `float64`.
    fn numbers(&mut self, name: &str, values: &[f64], length: Length);

    /// Writes a sequence of `float32`.
    fn floats(&mut self, name: &str, values: impl ExactSizeIterator<Item = f64>);

    /// Writes a sequence of bytes, which `append` appends. They are signed if the definition has `int8`.
    fn bytes(&mut self, name: &str, is_signed: bool, append: impl FnOnce(&mut Vec<u8>));

    /// Writes a number.
    fn f32(&mut self, name: &str, value: f32) {
        self.number(name, Number::F32(value));
    }

    /// Writes a number.
    fn f64(&mut self, name: &str, value: f64) {
        self.number(name, Number::F64(value));
    }

    /// Writes a number with each of several names.
    fn f64s<const N: usize>(&mut self, names: [&str; N], values: [f64; N]) {
        names.into_iter().zip(values).for_each(|(name, value)| self.f64(name, value));
    }

    /// Writes a number.
    fn u8(&mut self, name: &str, value: u8) {
        self.number(name, Number::U8(value));
    }

    /// Writes a number.
    fn u32(&mut self, name: &str, value: u32) {
        self.number(name, Number::U32(value));
    }

    /// Writes a truth value.
    fn truth(&mut self, name: &str, value: bool) {
        self.number(name, Number::Bool(value));
    }

    /// Writes a `Time`: whole seconds and nanoseconds.
    fn time(&mut self, name: &str, stamp: Stamp) {
        let (seconds, nanoseconds) = stamp.parts();
        self.open(name);
        // ROS has 32 bits for seconds, which are enough for 68 years
        self.number("sec", Number::I32(i32::try_from(seconds).unwrap_or(i32::MAX)));
        self.u32("nanosec", nanoseconds);
        self.close();
    }

    /// Writes a `Header`.
    fn header(&mut self, stamp: Stamp, frame: &str) {
        self.open("header");
        self.time("stamp", stamp);
        self.frame("frame_id", frame);
        self.close();
    }

    /// Writes the name of a frame.
    fn frame(&mut self, name: &str, frame: &str) {
        self.text(name, &frame_id(frame));
    }

    /// Writes a `Vector3` or a `Point`.
    fn vector(&mut self, name: &str, vector: [f64; 3]) {
        self.open(name);
        self.f64s(["x", "y", "z"], vector);
        self.close();
    }

    /// Writes yaw, pitch and roll as a `Quaternion`.
    fn orientation(&mut self, name: &str, angles: [f64; 3]) {
        self.open(name);
        self.f64s(["x", "y", "z", "w"], quaternion(angles));
        self.close();
    }

    /// Writes a `Pose`.
    fn pose(&mut self, name: &str, position: [f64; 3], angles: [f64; 3]) {
        self.open(name);
        self.vector("position", position);
        self.orientation("orientation", angles);
        self.close();
    }

    /// Writes a covariance of N × N numbers with this diagonal; zeros stand for unknown ones.
    fn covariance<const N: usize>(&mut self, name: &str, variances: [f64; N]) {
        let mut all = [0.0; 36];
        for (place, variance) in variances.into_iter().enumerate() {
            all[(N + 1) * place] = variance;
        }
        self.numbers(name, &all[..N * N], Length::Fixed);
    }

    /// Writes the labels of a stream.
    fn labels(&mut self, name: &str, stream: &Stream) {
        self.list(name, stream.labels.len());
        stream.labels.iter().for_each(|label| self.text("", label));
        self.end();
    }

    /// Writes the numbers of a field of any length as a sequence of `float32`.
    fn bulk(&mut self, name: &str, values: Bulk<'_>) {
        match values {
            Bulk::Ranges { distances, returns } => {
                self.floats(name, distances.iter().zip(returns).map(range));
            }
            Bulk::Numbers(numbers) => self.floats(name, numbers.iter().copied()),
            _ => self.floats(name, std::iter::empty()),
        }
    }
}

/// Returns the quaternion x, y, z, w of a rotation about the axes z, y, x by yaw, pitch and roll, rad, in
/// this order, each about the rotated axis.
pub fn quaternion([yaw, pitch, roll]: [f64; 3]) -> [f64; 4] {
    let [(sy, cy), (sp, cp), (sr, cr)] = [sin_cos(yaw), sin_cos(pitch), sin_cos(roll)];
    [
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    ]
}

/// Returns sine and cosine of half an angle. On level ground, most angles are 0.
#[inline]
fn sin_cos(angle: f64) -> (f64, f64) {
    let half = 0.5 * angle;
    if half == 0.0 { (half, 1.0) } else { libm::sincos(half) }
}

/// Returns yaw, pitch and roll of the rotation of a quaternion x, y, z, w of any length except 0.
pub fn yaw_pitch_roll([x, y, z, w]: [f64; 4]) -> [f64; 3] {
    let square = x * x + y * y + z * z + w * w;
    let yaw = libm::atan2(2.0 * (w * z + x * y), w * w + x * x - y * y - z * z);
    let pitch = libm::asin((2.0 * (w * y - x * z) / square).clamp(-1.0, 1.0));
    let roll = libm::atan2(2.0 * (w * x + y * z), w * w - x * x - y * y + z * z);
    [yaw, pitch, roll]
}

#[cfg(test)]
mod tests {
    use super::{quaternion, yaw_pitch_roll};

    #[test]
    fn a_quarter_turn_about_each_axis_has_equal_parts() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let quarter = std::f64::consts::FRAC_PI_2;
        let is_near = |found: [f64; 4], expected: [f64; 4]| {
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-15)
        };
        assert!(is_near(quaternion([quarter, 0.0, 0.0]), [0.0, 0.0, half, half]));
        assert!(is_near(quaternion([0.0, quarter, 0.0]), [0.0, half, 0.0, half]));
        assert!(is_near(quaternion([0.0, 0.0, quarter]), [half, 0.0, 0.0, half]));
    }

    #[test]
    fn half_of_no_angle_has_the_sine_and_the_cosine_of_zero() {
        for angle in [0.0_f64, -0.0, 5e-324] {
            let (sin, cos) = libm::sincos(0.5 * angle);
            let found = super::sin_cos(angle);
            assert_eq!((found.0.to_bits(), found.1), (sin.to_bits(), cos), "{angle}");
        }
    }

    #[test]
    fn angles_survive_the_way_through_a_quaternion() {
        for angles in [[0.3, -0.2, 0.1], [3.0, 1.5, -3.0], [-2.0, -1.0, 0.5]] {
            let found = yaw_pitch_roll(quaternion(angles).map(|part| 3.0 * part));
            for (found, expected) in found.iter().zip(angles) {
                assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            }
        }
    }
}
