//! Static wheel loads from the centre of mass.

use nalgebra::{Matrix3, Vector3};

/// Weight of the chassis on each wheel, N, for wheels at `wheels` and a centre of mass at `centre`
/// (vehicle frame, m).
///
/// More than three wheels make it indeterminate: of all loads in balance it is the one with the
/// least sum of squares, that of equal springs under a stiff chassis. A moment that the wheels
/// cannot bear (two wheels on one axle) is left to the body, and no wheel pulls on the ground.
pub(crate) fn static_loads(wheels: &[[f64; 2]], weight: f64, centre: [f64; 2]) -> Vec<f64> {
    let count = wheels.len() as f64;
    let mean = |axis: usize| wheels.iter().map(|wheel| wheel[axis]).sum::<f64>() / count;
    let middle = [mean(0), mean(1)];
    let row = |at: &[f64; 2]| Vector3::new(1.0, at[0] - middle[0], at[1] - middle[1]);

    // least squares under balance: N_i = r_i · λ with (Σ r_i r_iᵀ) λ = weight · r_centre
    let stiffness: Matrix3<f64> = wheels.iter().map(|at| row(at) * row(at).transpose()).sum();
    let demand = row(&centre) * weight;
    let scale = stiffness.abs().max();
    let lambda =
        stiffness.pseudo_inverse(1e-9 * scale).map_or(Vector3::zeros(), |inverse| inverse * demand);
    let loads: Vec<f64> = wheels.iter().map(|at| row(at).dot(&lambda).max(0.0)).collect();

    // what lifted wheels would pull is carried by the others
    let sum: f64 = loads.iter().sum();
    if sum > 0.0 {
        loads.iter().map(|load| load * weight / sum).collect()
    } else {
        vec![weight / count; wheels.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::static_loads;

    fn close(loads: &[f64], expected: &[f64]) {
        assert_eq!(loads.len(), expected.len());
        for (load, expected) in loads.iter().zip(expected) {
            assert!((load - expected).abs() < 1e-9, "{loads:?}");
        }
    }

    #[test]
    fn a_car_carries_more_on_the_axle_near_its_centre() {
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
