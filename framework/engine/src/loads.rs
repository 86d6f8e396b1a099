//! Normal loads of the wheels.

use nalgebra::{Matrix3, Vector3};

/// Distribution of the chassis load over the wheels of a vehicle.
///
/// With more than three wheels the loads are indeterminate. Of all loads in balance, this is the
/// solution with the least sum of squares, that of equal springs under a stiff chassis. A moment that
/// the wheels cannot support (two wheels on one axle) is left to the body, and no wheel pulls on the
/// ground.
///
/// If a force F acts on the wheels in the plane of the ground, while inertia and weight act at the
/// height h of the centre of mass c, the chassis is balanced at c − h F/N (quasi-static load transfer;
/// the zero-moment point of Vukobratović and Borovac, "Zero-moment point: thirty five years of its
/// life", 2004).
#[derive(Clone, Debug, Default)]
pub(crate) struct Support {
    /// N_i = load · (row · [1, x, y]) for a chassis balanced at (x, y).
    pub rows: Vec<[f64; 3]>,
}

impl Support {
    /// Creates the distribution for wheels at these positions, vehicle frame, m.
    pub fn new(wheels: &[[f64; 2]]) -> Self {
        let count = wheels.len() as f64;
        let mean = |axis: usize| wheels.iter().map(|wheel| wheel[axis]).sum::<f64>() / count;
        let middle = [mean(0), mean(1)];
        let row = |at: &[f64; 2]| Vector3::new(1.0, at[0] - middle[0], at[1] - middle[1]);

        // least squares under balance: N_i = r_i · λ with (Σ r_i r_iᵀ) λ = load · r_centre
        let stiffness: Matrix3<f64> = wheels.iter().map(|at| row(at) * row(at).transpose()).sum();
        let scale = stiffness.abs().max();
        let inverse = stiffness.pseudo_inverse(1e-9 * scale).unwrap_or_else(|_| Matrix3::zeros());
        let rows = wheels.iter().map(|at| {
            let [constant, x, y]: [f64; 3] = (inverse * row(at)).into();
            [constant - x * middle[0] - y * middle[1], x, y]
        });
        Self { rows: rows.collect() }
    }

    /// Calls `set` with the index and load, N, of each wheel for a chassis with the load `load`, N,
    /// that is balanced at `centre`, vehicle frame, m.
    pub fn distribute(&self, load: f64, centre: [f64; 2], mut set: impl FnMut(usize, f64)) {
        let alone = |row: &[f64; 3]| alone(load, *row, centre);
        // the tension of lifted wheels is redistributed to the others
        let sum: f64 = self.rows.iter().map(alone).sum();
        for (wheel, row) in self.rows.iter().enumerate() {
            let even = load / self.rows.len() as f64;
            set(wheel, if sum > 0.0 { alone(row) * load / sum } else { even });
        }
    }
}

/// Returns the load of a wheel with this row of a distribution, N, before the tension of lifted wheels is
/// redistributed.
#[inline(always)]
pub(crate) fn alone(load: f64, [constant, x, y]: [f64; 3], centre: [f64; 2]) -> f64 {
    (load * (constant + x * centre[0] + y * centre[1])).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::Support;

    fn static_loads(wheels: &[[f64; 2]], weight: f64, centre: [f64; 2]) -> Vec<f64> {
        let mut loads = vec![0.0; wheels.len()];
        Support::new(wheels).distribute(weight, centre, |wheel, load| loads[wheel] = load);
        loads
    }

    fn close(loads: &[f64], expected: &[f64]) {
        assert_eq!(loads.len(), expected.len());
        for (load, expected) in loads.iter().zip(expected) {
            assert!((load - expected).abs() < 1e-9, "{loads:?}");
        }
    }

    #[test]
    fn the_axle_near_the_centre_of_mass_has_more_load() {
        let wheels = [[0.0, 1.0], [0.0, -1.0], [2.0, 1.0], [2.0, -1.0]];
        close(&static_loads(&wheels, 1000.0, [0.5, 0.0]), &[375.0, 375.0, 125.0, 125.0]);
    }

    #[test]
    fn two_wheels_on_one_axle_share_by_lateral_lever() {
        close(&static_loads(&[[0.2, 0.5], [0.2, -0.5]], 100.0, [0.5, 0.1]), &[60.0, 40.0]);
    }

    #[test]
    fn a_lifted_wheel_does_not_pull() {
        let loads = static_loads(&[[0.0, 0.5], [0.0, -0.5], [1.0, 0.0]], 100.0, [-0.5, 0.0]);
        close(&loads, &[50.0, 50.0, 0.0]);
    }
}
