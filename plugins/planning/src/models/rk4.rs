//! The classical Runge-Kutta method.

/// Advances `state` by `dt` seconds with the rates of change `rates`.
#[inline(always)]
pub fn step<const N: usize>(
    state: [f64; N],
    dt: f64,
    rates: impl Fn(&[f64; N]) -> [f64; N],
) -> [f64; N] {
    let by = |share: f64, rate: &[f64; N]| -> [f64; N] {
        std::array::from_fn(|k| state[k] + share * dt * rate[k])
    };
    let first = rates(&state);
    let second = rates(&by(0.5, &first));
    let third = rates(&by(0.5, &second));
    let fourth = rates(&by(1.0, &third));
    let slope: [f64; N] =
        std::array::from_fn(|k| first[k] + 2.0 * second[k] + 2.0 * third[k] + fourth[k]);
    by(1.0 / 6.0, &slope)
}
