//! Rotary encoders, and the decoding of their readings.
//!
//! A relative encoder counts from where it was switched on. Its reading is the remainder of the angle for
//! a range, with the sign of the angle: it passes through 0 after a whole range in either direction, as
//! the encoders of vehicles in Unreal Engine 4 do after ±1800°. An absolute encoder shows the angle within
//! one revolution.

use std::f64::consts::TAU;

use simhost_sdk::math;

/// A rotary encoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoder {
    /// Number of ticks per revolution, 0 for a continuous reading.
    pub ticks: f64,
    /// Range of a relative encoder, rad, 0 for none.
    pub range: f64,
    /// Whether a relative encoder stops at the ends of its range.
    pub saturates: bool,
    /// Whether the encoder shows the angle within one revolution.
    pub is_absolute: bool,
}

impl Encoder {
    /// Returns the reading of an angle, rad: the last tick that has been passed.
    pub fn read(&self, angle: f64) -> f64 {
        let counted = match self.ticks > 0.0 {
            true => (angle * self.ticks / TAU).floor() * TAU / self.ticks,
            false => angle,
        };
        if self.is_absolute {
            return counted - TAU * (counted / TAU).floor();
        }
        match (self.range > 0.0, self.saturates) {
            (false, _) => counted,
            (true, true) => counted.clamp(-self.range, self.range),
            (true, false) => counted % self.range,
        }
    }

    /// Returns the angle, rad, by which an encoder has turned between two readings. It is right for less
    /// than half a range; one that saturates shows nothing at the ends.
    pub fn difference(&self, old: f64, new: f64) -> f64 {
        let range = if self.is_absolute { TAU } else { self.range };
        match range > 0.0 && (self.is_absolute || !self.saturates) {
            true => wrap(new - old, range),
            false => new - old,
        }
    }
}

/// Returns a difference of angles between −`range`/2 and `range`/2 that is congruent to it.
pub(crate) fn wrap(difference: f64, range: f64) -> f64 {
    difference - range * (difference / range + 0.5).floor()
}

/// Angle beyond which the decoder `threshold_decoder` expects an overflow, and below which it recognises one.
const HIGH: f64 = 1200.0 * math::DEG;
const LOW: f64 = 200.0 * math::DEG;

/// Returns the magnitude, rad, and the sign of a rotation, forwards positive, as the decoder
/// `threshold_decoder` computes them for an encoder with this range: by cases of the signs of both readings,
/// with some cases missing.
pub(crate) fn decode_by_cases(old: f64, new: f64, range: f64) -> (f64, f64) {
    let mut sign = if new >= 0.0 { 1.0 } else { -1.0 };
    let mut angle = 0.0;
    if old > 0.0 && new > 0.0 {
        if new > old {
            angle = new - old;
        }
        if old > new && old > HIGH && new < LOW {
            angle = range - (old - new);
        }
        if old < HIGH && old > new {
            (sign, angle) = (-1.0, old - new);
        }
    }
    if old < 0.0 && new > 0.0 {
        (sign, angle) = (1.0, new - old);
    }
    if old < 0.0 && new < 0.0 {
        if old > -HIGH && old < new {
            (sign, angle) = (1.0, new - old);
        }
        if new < old {
            angle = old - new;
        }
        if old < -HIGH && new > -LOW {
            angle = range + (old - new);
        }
    }
    if old > 0.0 && new < 0.0 {
        (sign, angle) = (-1.0, old - new);
    }
    (angle.abs(), sign)
}

#[cfg(test)]
mod tests {
    use simhost_sdk::Random;

    use super::*;

    const RANGE: f64 = 1800.0;

    /// Returns the rotation forwards, deg, between two readings whose sign is negative forwards.
    fn decoded(old: f64, new: f64) -> f64 {
        -wrap(new - old, RANGE)
    }

    #[test]
    fn decoder_vectors() {
        for (old, new, forward) in [
            (0.0, -10.0, 10.0),
            (-10.0, 0.0, -10.0),
            (-1790.0, -10.0, 20.0),
            (1790.0, 10.0, -20.0),
            (-1500.0, -1400.0, -100.0),
            (1500.0, 1400.0, 100.0),
            (-1100.0, -100.0, 800.0),
            (-1250.0, -150.0, 700.0),
            (-5.0, 5.0, -10.0),
            (10.0, -10.0, 20.0),
            (-1795.0, -205.0, 210.0),
        ] {
            assert_eq!(decoded(old, new), forward, "{old} to {new}");
        }
    }

    #[test]
    fn decoding_by_thresholds_loses_rotations() {
        let by_cases = |old: f64, new: f64| {
            let (angle, sign) =
                decode_by_cases(-old * math::DEG, -new * math::DEG, RANGE * math::DEG);
            (sign * angle / math::DEG).round()
        };
        // right
        assert_eq!([by_cases(-10.0, -20.0), by_cases(-1790.0, -10.0)], [10.0, 20.0]);
        // a reading of 0, reversing beyond 1200°, and 800° that look like −1000°
        assert_eq!([by_cases(0.0, -10.0), by_cases(-1500.0, -1400.0)], [0.0, 0.0]);
        assert_eq!(by_cases(-1100.0, -100.0), -1000.0);
    }

    #[test]
    fn random_rotations_are_decoded_by_remainders_alone() {
        let encoder =
            Encoder { ticks: 0.0, range: RANGE * math::DEG, saturates: false, is_absolute: false };
        let mut random = Random::new(5);
        for (most, least_wrong) in [(30.0, 0.08), (150.0, 0.14), (800.0, 0.28)] {
            let (mut angle, mut wrong) = (0.0, 0);
            for _ in 0..20_000 {
                let turned = (2.0 * random.uniform() - 1.0) * most * math::DEG;
                let [old, new] = [angle, angle + turned].map(|angle| encoder.read(angle));
                assert!((encoder.difference(old, new) - turned).abs() < 1e-9);
                let (by_cases, sign) = decode_by_cases(old, new, encoder.range);
                wrong += usize::from((sign * by_cases - turned).abs() > 1e-6);
                angle += turned;
            }
            assert!(wrong as f64 > 20_000.0 * least_wrong, "{most}: {wrong}");
        }
    }

    #[test]
    fn encoders_count_ticks_and_end_at_their_range() {
        let encoder = Encoder { ticks: 4.0, range: 0.0, saturates: false, is_absolute: false };
        let quarter = TAU / 4.0;
        for (angle, expected) in
            [(0.1, 0.0), (-0.1, -quarter), (1.6, quarter), (7.0, 4.0 * quarter)]
        {
            assert!((encoder.read(angle) - expected).abs() < 1e-12, "{angle}");
        }
        let absolute = Encoder { is_absolute: true, ..encoder };
        assert!((absolute.read(-0.1) - 3.0 * quarter).abs() < 1e-12);
        assert!((absolute.difference(3.0 * quarter, 0.0) - quarter).abs() < 1e-12);
        let stopped = Encoder { ticks: 0.0, range: 3.0, saturates: true, ..encoder };
        assert_eq!([stopped.read(5.0), stopped.read(-4.0)], [3.0, -3.0]);
    }
}
