//! Boxes of a tree.

/// An axis-parallel box on a lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Smallest coordinates.
    pub min: [i32; 3],
    /// Largest coordinates.
    pub max: [i32; 3],
}

impl Bounds {
    /// The box that any union replaces.
    pub const EMPTY: Self = Self { min: [i32::MAX; 3], max: [i32::MIN; 3] };

    /// Returns the smallest box around both.
    pub fn union(self, other: Self) -> Self {
        Self {
            min: [0, 1, 2].map(|k| self.min[k].min(other.min[k])),
            max: [0, 1, 2].map(|k| self.max[k].max(other.max[k])),
        }
    }

    /// Returns the smallest box around points.
    pub fn around(points: impl IntoIterator<Item = [i32; 3]>) -> Self {
        let boxes = points.into_iter().map(|point| Self { min: point, max: point });
        boxes.fold(Self::EMPTY, Self::union)
    }

    /// Returns half the surface area, 0 for the empty box.
    pub fn area(self) -> f64 {
        let side = |k: usize| (f64::from(self.max[k]) - f64::from(self.min[k])).max(0.0);
        side(0) * side(1) + side(1) * side(2) + side(2) * side(0)
    }

    /// Returns twice the centre.
    pub fn centre(self) -> [i64; 3] {
        [0, 1, 2].map(|k| i64::from(self.min[k]) + i64::from(self.max[k]))
    }
}
