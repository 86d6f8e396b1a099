//! Positions as whole multiples of a step, whose differences are exact in 32 bits.

/// Largest coordinate that a lattice is laid out for.
const HALF: f64 = (1u32 << 29) as f64;
/// Largest coordinate of an observer. Differences to any point stay within 32 bits.
const LIMIT: f64 = (1u32 << 30) as f64;

/// A cubic lattice: point `k` is at `origin + k·step`, with a step that is a power of two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lattice {
    /// Position of point zero in m.
    pub origin: [f64; 3],
    /// Distance of neighbours in m.
    pub step: f64,
}

impl Lattice {
    /// Returns the finest lattice whose coordinates stay below 2²⁹ within a box. Boxes without
    /// extent get one of a millimetre.
    pub fn around(min: [f64; 3], max: [f64; 3]) -> Self {
        let empty = (0..3).any(|k| min[k] > max[k]);
        let (min, max) = if empty { ([0.0; 3], [0.0; 3]) } else { (min, max) };
        let origin = [0, 1, 2].map(|k| 0.5 * min[k] + 0.5 * max[k]);
        let half = (0..3).map(|k| 0.5 * max[k] - 0.5 * min[k]).fold(1e-3, f64::max);
        let step = (half / HALF).log2().ceil().exp2();
        Self { origin, step }
    }

    /// Returns the nearest lattice point to a point of the box.
    pub fn round(&self, point: [f64; 3]) -> [i32; 3] {
        [0, 1, 2].map(|k| ((point[k] - self.origin[k]) / self.step).round() as i32)
    }

    /// Returns a lattice point near any point, and the way from there to the point in m. Far
    /// outside of the box the lattice point is at its border, so that the rest is long; it is then
    /// short in comparison to the distance to everything in the box.
    pub fn locate(&self, point: [f64; 3]) -> ([i32; 3], [f32; 3]) {
        let nearest = [0, 1, 2].map(|k| {
            let steps = (point[k] - self.origin[k]) / self.step;
            steps.round().clamp(-LIMIT, LIMIT)
        });
        let rest = [0, 1, 2].map(|k| (point[k] - self.origin[k] - nearest[k] * self.step) as f32);
        (nearest.map(|steps| steps as i32), rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_far_from_the_origin_keep_their_digits() {
        let lattice = Lattice::around([5e6, 4e5, 0.0], [5e6 + 2000.0, 4e5 + 100.0, 30.0]);
        assert!(lattice.step <= 2e-6, "{}", lattice.step);
        let point = [5e6 + 1_234.567_891, 4e5 + 17.25, 3.0];
        let (near, rest) = lattice.locate(point);
        for k in 0..3 {
            let back = lattice.origin[k] + f64::from(near[k]) * lattice.step + f64::from(rest[k]);
            assert!((back - point[k]).abs() < 2e-9, "{back} {}", point[k]);
        }
        let rounded = lattice.round(point);
        assert!((0..3).all(|k| (rounded[k] - near[k]).abs() <= 1));
    }

    #[test]
    fn observers_outside_of_the_box_have_a_rest() {
        let lattice = Lattice::around([-1.0; 3], [1.0; 3]);
        let (near, rest) = lattice.locate([1e6, 0.0, -3.0]);
        assert_eq!(near, [1 << 30, 0, -(1 << 30)]);
        assert_eq!(rest, [999_998.0, 0.0, -1.0]);
    }

    #[test]
    fn a_box_without_points_is_at_the_origin() {
        let lattice = Lattice::around([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        assert_eq!(lattice.origin, [0.0; 3]);
        assert!(lattice.step > 0.0);
    }
}
