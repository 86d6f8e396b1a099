//! The classical Runge-Kutta method (Kutta 1901).

/// Returns the state after `h` seconds, where `rates` returns the derivative of a state.
#[inline(always)]
pub fn step<const N: usize>(
    state: &[f64; N],
    h: f64,
    rates: impl Fn(&[f64; N]) -> [f64; N],
) -> [f64; N] {
    let ahead =
        |rate: &[f64; N], h: f64| -> [f64; N] { std::array::from_fn(|i| state[i] + h * rate[i]) };
    let k1 = rates(state);
    let k2 = rates(&ahead(&k1, 0.5 * h));
    let k3 = rates(&ahead(&k2, 0.5 * h));
    let k4 = rates(&ahead(&k3, h));
    std::array::from_fn(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}
