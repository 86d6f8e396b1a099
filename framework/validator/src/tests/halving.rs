//! Convergence of results whose steps become shorter.

/// Returns an error and the size of the results if the results for steps of `step`, half and a
/// quarter of it, s, do not converge.
pub(super) fn divergence(
    name: &str,
    step: f64,
    [coarse, middle, fine]: [&[f64]; 3],
) -> Option<(String, f64)> {
    let change = |one: &[f64], other: &[f64]| {
        one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let size = fine.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let (first, second) = (change(coarse, middle), change(middle, fine));
    let diverges = second > 0.9 * first + 0.02 * size + 1e-9 || !second.is_finite();
    diverges.then(|| {
        let what = format!(
            "with steps of {step}, {} and {} s the {name} changes by {first}, then by {second}: it does not \
             converge",
            0.5 * step,
            0.25 * step
        );
        (what, size)
    })
}
