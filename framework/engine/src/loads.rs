//! Normal loads of the wheels.

use nalgebra::{Matrix3, Vector3};
use simhost_scene::MassProperties;

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

/// Spring of a wheel, or damper, whose forces are then per m/s.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WheelSpring {
    /// Force per metre by which the body sinks above the wheel, N/m.
    pub rate: f64,
    /// Force of an anti-roll bar per angle of roll, positive with the wheel's side down, N/rad.
    pub bar: f64,
}

impl Support {
    /// Creates the distribution of a stiff chassis on springs. Springs without forces share as equal ones.
    pub fn on_springs(wheels: &[[f64; 2]], springs: &[WheelSpring]) -> Self {
        if springs.iter().all(|spring| spring.rate == 0.0) {
            return Self::new(wheels);
        }
        let middle = middle(wheels);
        let place = |at: &[f64; 2]| Vector3::new(1.0, at[0] - middle[0], at[1] - middle[1]);
        // N_i = p_i · λ with (Σ r_i p_iᵀ) λ = load · r_centre, where λ is how far the chassis sinks and tilts
        let forces: Vec<Vector3<f64>> = wheels
            .iter()
            .zip(springs)
            .map(|(at, spring)| spring.rate * place(at) + Vector3::new(0.0, 0.0, spring.bar))
            .collect();
        let pairs = || wheels.iter().zip(&forces);
        let stiffness: Matrix3<f64> =
            pairs().map(|(at, force)| place(at) * force.transpose()).sum();
        let scale = stiffness.abs().max();
        let inverse = stiffness.pseudo_inverse(1e-9 * scale).unwrap_or_else(|_| Matrix3::zeros());
        let inverse = inverse.transpose();
        Self { rows: forces.iter().map(|force| about_origin(inverse * force, middle)).collect() }
    }

    /// Creates the distribution for wheels at these positions, vehicle frame, m.
    pub fn new(wheels: &[[f64; 2]]) -> Self {
        let middle = middle(wheels);
        let row = |at: &[f64; 2]| Vector3::new(1.0, at[0] - middle[0], at[1] - middle[1]);

        // least squares under balance: N_i = r_i · λ with (Σ r_i r_iᵀ) λ = load · r_centre
        let stiffness: Matrix3<f64> = wheels.iter().map(|at| row(at) * row(at).transpose()).sum();
        let scale = stiffness.abs().max();
        let inverse = stiffness.pseudo_inverse(1e-9 * scale).unwrap_or_else(|_| Matrix3::zeros());
        let rows = wheels.iter().map(|at| about_origin(inverse * row(at), middle));
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

/// Overshoot up to which wheels that each stop the mass on them settle soon: the velocity changes its
/// sign and halves in each step.
const SETTLING: f64 = 1.5;

/// Returns how much less mass each wheel has to move than rests on it, so that all wheels together do not
/// overshoot; 0 for most vehicles.
///
/// A wheel with the load N_i stops the mass m_i = N_i/g as if it were alone. For wheels at (x_i, y_i) from
/// the centre of mass, all of them together change the velocity (v_x, v_y, ω) by −B⁻¹ Σ m_i J_iᵀ J_i times
/// itself, with B = diag(m, m, I) and the velocity of a wheel J_i (v_x, v_y, ω). Without a lever, that is
/// −1 times itself; far from the centre of mass of a small body it exceeds −2, and the yaw rate flips.
pub(crate) fn coupling(wheels: &[[f64; 2]], loads: &[f64], mass: &MassProperties) -> f64 {
    let total: f64 = loads.iter().sum();
    if total <= 0.0 {
        return 0.0;
    }
    let inertia = mass.inertia_about_centre();
    let scale = Vector3::new(1.0, 1.0, (inertia / mass.mass).sqrt());
    let mut stopping = Matrix3::zeros();
    for (at, load) in wheels.iter().zip(loads) {
        let (x, y) = (at[0] - mass.centre[0], at[1] - mass.centre[1]);
        for row in [Vector3::new(1.0, 0.0, -y), Vector3::new(0.0, 1.0, x)] {
            let row = row.component_div(&scale);
            stopping += load / total * row * row.transpose();
        }
    }
    (stopping.symmetric_eigenvalues().max() / SETTLING - 1.0).max(0.0)
}

/// Returns the mean position of the wheels.
fn middle(wheels: &[[f64; 2]]) -> [f64; 2] {
    let mean =
        |axis: usize| wheels.iter().map(|wheel| wheel[axis]).sum::<f64>() / wheels.len() as f64;
    [mean(0), mean(1)]
}

/// Returns a row for positions relative to the origin, from one for positions relative to `middle`.
fn about_origin(row: Vector3<f64>, middle: [f64; 2]) -> [f64; 3] {
    let [constant, x, y]: [f64; 3] = row.into();
    [constant - x * middle[0] - y * middle[1], x, y]
}

/// Returns the load of a wheel with this row of a distribution, N, before the tension of lifted wheels is
/// redistributed.
#[inline(always)]
pub(crate) fn alone(load: f64, [constant, x, y]: [f64; 3], centre: [f64; 2]) -> f64 {
    (load * (constant + x * centre[0] + y * centre[1])).max(0.0)
}

#[cfg(test)]
mod tests {
    use simhost_scene::{MassProperties, Pose2};

    use super::{Support, coupling};

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

    /// Four wheels at the corners of an even square have (x² + y²) m/I = 3; nearer to its middle, none couples.
    #[test]
    fn wheels_far_from_a_small_body_are_coupled() {
        let body = MassProperties::rectangle(12.0, 1.0, 1.0, Pose2 { x: 0.3, y: 0.0, yaw: 0.4 });
        let (sin, cos) = 0.4_f64.sin_cos();
        for (reach, expected) in [(0.5, 1.0), (0.2, 0.0)] {
            let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
            let turned =
                |[x, y]: [f64; 2]| [0.3 + reach * (cos * x - sin * y), reach * (sin * x + cos * y)];
            let found = coupling(&corners.map(turned), &[30.0; 4], &body);
            assert!((found - expected).abs() < 1e-9, "{found}");
        }
        assert_eq!(coupling(&[[0.0, 1.0]], &[0.0], &body), 0.0);
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
