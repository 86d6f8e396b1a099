//! Means and confidence intervals of repeated runs.

use std::f64::consts::PI;

use super::{ManoeuvreReport, Metric};

/// Probability that the mean of all runs is within the interval.
const CONFIDENCE: f64 = 0.95;

/// A metric over repeated runs.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricSummary {
    /// Meaning.
    pub name: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// Mean of the runs that have the metric.
    pub mean: f64,
    /// Half width of the interval that contains the expected value with a probability of 95 %, if the metric is normally
    /// distributed (Student's t); NaN for a single run.
    pub half_width: f64,
    /// Number of runs that have the metric.
    pub count: usize,
    /// Number of runs in which a limit of the standard is met, if there is one.
    pub met: Option<usize>,
}

/// Returns the metrics of repeated runs of a manoeuvre, in the order in which they first appear.
pub fn summarise(reports: &[ManoeuvreReport]) -> Vec<MetricSummary> {
    let mut names: Vec<&'static str> = Vec::new();
    for metric in reports.iter().flat_map(|report| &report.metrics) {
        if !names.contains(&metric.name) {
            names.push(metric.name);
        }
    }
    let all = |name| {
        let of = |report: &ManoeuvreReport| {
            report.metrics.iter().find(|metric| metric.name == name).cloned()
        };
        reports.iter().filter_map(of).collect::<Vec<_>>()
    };
    names.into_iter().filter_map(|name| summary(&all(name))).collect()
}

fn summary(metrics: &[Metric]) -> Option<MetricSummary> {
    let Metric { name, unit, .. } = *metrics.first()?;
    let count = metrics.len();
    let mean = metrics.iter().map(|metric| metric.value).sum::<f64>() / count as f64;
    let squares = metrics.iter().map(|metric| (metric.value - mean).powi(2)).sum::<f64>();
    let half_width = match count {
        1 => f64::NAN,
        _ => {
            let deviation = (squares / (count - 1) as f64).sqrt();
            student(count - 1) * deviation / (count as f64).sqrt()
        }
    };
    let limits: Vec<bool> = metrics.iter().filter_map(|metric| metric.holds).collect();
    let met = (!limits.is_empty()).then(|| limits.iter().filter(|holds| **holds).count());
    Some(MetricSummary { name, unit, mean, half_width, count, met })
}

/// Returns the value that |t| of Student's distribution exceeds with a probability of 5 %.
fn student(freedom: usize) -> f64 {
    let (mut low, mut high) = (0.0, 20.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if within(middle, freedom) < CONFIDENCE { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Returns the probability that |t| is at most `t`: Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3 and
/// 26.7.4, finite sums for whole degrees of freedom.
fn within(t: f64, freedom: usize) -> f64 {
    let angle = (t / (freedom as f64).sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    let is_odd = freedom % 2 == 1;
    let (mut term, mut sum) = if is_odd { (cos, 0.0) } else { (1.0, 0.0) };
    let mut power = usize::from(is_odd);
    while power + 2 <= freedom {
        sum += term;
        power += 2;
        term *= cos * cos * (power - 1) as f64 / power as f64;
    }
    if is_odd { 2.0 / PI * (angle + sin * sum) } else { sin * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles of 97.5 % of Student's distribution, from the table of Abramowitz and Stegun, 26.10.
    #[test]
    fn student_has_the_values_of_the_table() {
        for (freedom, expected) in [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (9, 2.262),
            (10, 2.228),
            (29, 2.045),
            (120, 1.980),
        ] {
            let found = student(freedom);
            assert!((found - expected).abs() < 6e-4, "{freedom}: {found}");
        }
    }

    #[test]
    fn a_summary_has_the_interval_of_its_values() {
        let metrics =
            [1.0, 2.0, 3.0, 4.0].map(|value| Metric::limited("a", value, "m", value < 3.5));
        let found = summary(&metrics).unwrap();
        assert_eq!((found.mean, found.count, found.met), (2.5, 4, Some(3)));
        // the standard deviation is √(5/3)
        let expected = 3.182_446 * (5.0_f64 / 3.0).sqrt() / 2.0;
        assert!((found.half_width - expected).abs() < 1e-5, "{}", found.half_width);
        let one = summary(&metrics[..1]).unwrap();
        assert!(one.half_width.is_nan() && one.mean == 1.0);
        assert_eq!(summary(&[Metric::new("b", 1.0, "1")]).unwrap().met, None);
    }
}
