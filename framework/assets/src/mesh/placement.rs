//! Affine transformations of the parts of a scene.

/// Maximum nesting of a scene.
pub(super) const MAX_DEPTH: usize = 64;

/// Maximum number of visited nodes, counting every instance of shared nodes.
pub(super) const MAX_NODES: usize = 100_000;

/// An affine transformation: three rows of a homogeneous matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement([[f64; 4]; 3]);

impl Placement {
    pub(super) const IDENTITY: Self = Self::scale([1.0; 3]);

    pub(super) const fn rows(rows: [[f64; 4]; 3]) -> Self {
        Self(rows)
    }

    pub(super) const fn scale([x, y, z]: [f64; 3]) -> Self {
        Self([[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0]])
    }

    pub(super) const fn translation([x, y, z]: [f64; 3]) -> Self {
        Self([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]])
    }

    /// Creates a counter-clockwise rotation by `angle` in rad about an axis of any length
    /// (Rodrigues). A zero axis gives the identity.
    pub(super) fn rotation(axis: [f64; 3], angle: f64) -> Self {
        let length = axis.iter().map(|value| value * value).sum::<f64>().sqrt();
        if length == 0.0 {
            return Self::IDENTITY;
        }
        let [x, y, z] = axis.map(|value| value / length);
        let (sin, cos) = libm::sincos(angle);
        let rest = 1.0 - cos;
        Self([
            [cos + x * x * rest, x * y * rest - z * sin, x * z * rest + y * sin, 0.0],
            [y * x * rest + z * sin, cos + y * y * rest, y * z * rest - x * sin, 0.0],
            [z * x * rest - y * sin, z * y * rest + x * sin, cos + z * z * rest, 0.0],
        ])
    }

    /// Returns the composition that applies `inner` first.
    pub(super) fn after(&self, inner: &Self) -> Self {
        Self(self.0.map(|row| {
            std::array::from_fn(|column| {
                let own = if column == 3 { row[3] } else { 0.0 };
                own + (0..3).map(|k| row[k] * inner.0[k][column]).sum::<f64>()
            })
        }))
    }

    /// Returns the inverse of a pure rotation.
    pub(super) fn inverse_rotation(&self) -> Self {
        let turn = |row: usize| [self.0[0][row], self.0[1][row], self.0[2][row], 0.0];
        Self([turn(0), turn(1), turn(2)])
    }

    pub(super) fn apply(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.0.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transformations_are_applied_from_right_to_left() {
        let turn = Placement::rotation([0.0, 0.0, 2.0], std::f64::consts::FRAC_PI_2);
        let map =
            Placement::translation([1.0, 2.0, 3.0]).after(&turn).after(&Placement::scale([2.0; 3]));
        let [x, y, z] = map.apply([1.0, 0.0, 1.0]);
        assert!((x - 1.0).abs() < 1e-12 && (y - 4.0).abs() < 1e-12 && z == 5.0);
        let [x, y, _] = turn.after(&turn.inverse_rotation()).apply([1.0, 2.0, 3.0]);
        assert!((x - 1.0).abs() < 1e-12 && (y - 2.0).abs() < 1e-12);
    }
}
