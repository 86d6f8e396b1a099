//! Sobol indices of metrics, from the rows of Saltelli's design.
//!
//! First-order indices: A. Saltelli et al., "Variance based sensitivity analysis of model output. Design and estimator for the
//! total sensitivity index", Computer Physics Communications 181, 2010, table 2 (b). Total indices: table 2 (f), of Jansen.

use crate::error::StudyError;
use crate::folder::StudyFolder;
use crate::plan::StudyPlan;

/// Sobol indices of a metric: what part of its variance comes from each variable.
#[derive(Clone, Debug, PartialEq)]
pub struct SobolIndices {
    /// First-order index of each variable, in the order of what is drawn.
    pub first: Vec<f64>,
    /// Total index of each variable, which includes all its interactions.
    pub total: Vec<f64>,
    /// Number of samples with a value in all runs.
    pub samples: u64,
}

/// Returns the Sobol indices of a metric by its number. Samples with a run without a value are
/// ignored. With several points of a grid, or repetitions, all of them count.
///
/// # Errors
/// [`StudyError::Plan`] if the design of the plan is another one, and [`StudyError::Read`] if rows cannot be read.
pub fn sobol_indices(
    plan: &StudyPlan,
    folder: &StudyFolder,
    metric: usize,
) -> Result<SobolIndices, StudyError> {
    let blocks = plan.blocks() as usize;
    if blocks < 3 {
        return Err(StudyError::plan(
            "the plan has no Sobol indices; expected design = \"saltelli\"",
        ));
    }
    // runs of one sample are blocks × points of the grid × repetitions
    let within = plan.runs_per_block() as usize;
    let mut sample = vec![None; blocks * within];
    let mut sums = Sums::new(blocks - 2);
    folder.for_each_row(&mut |row| {
        let place = (row.run % sample.len() as u64) as usize;
        if place == 0 {
            sample.fill(None);
        }
        sample[place] = row.metrics.get(metric).copied().flatten();
        if place + 1 == sample.len() {
            sums.add_points(&sample, within);
        }
    })?;
    Ok(sums.indices())
}

/// Sums over samples.
struct Sums {
    count: u64,
    /// Mean and sum of squared differences from it, of the values of A and B.
    mean: f64,
    squares: f64,
    first: Vec<f64>,
    total: Vec<f64>,
}

impl Sums {
    fn new(variables: usize) -> Self {
        let (first, total) = (vec![0.0; variables], vec![0.0; variables]);
        Self { count: 0, mean: 0.0, squares: 0.0, first, total }
    }

    /// Adds the points of a sample, which has `within` of them in each block.
    fn add_points(&mut self, sample: &[Option<f64>], within: usize) {
        for point in 0..within {
            let values: Option<Vec<f64>> =
                sample[point..].iter().step_by(within).copied().collect();
            values.iter().for_each(|values| self.add(values));
        }
    }

    fn add(&mut self, values: &[f64]) {
        let (a, b) = (values[0], values[1]);
        for (number, value) in [a, b].into_iter().enumerate() {
            let count = (2 * self.count + number as u64 + 1) as f64;
            let before = value - self.mean;
            self.mean += before / count;
            self.squares += before * (value - self.mean);
        }
        self.count += 1;
        for (index, mixed) in values[2..].iter().enumerate() {
            self.first[index] += b * (mixed - a);
            self.total[index] += (a - mixed) * (a - mixed);
        }
    }

    fn indices(self) -> SobolIndices {
        let count = self.count as f64;
        let variance = self.squares / (2.0 * count);
        let first = self.first.iter().map(|sum| sum / count / variance).collect();
        let total = self.total.iter().map(|sum| 0.5 * sum / count / variance).collect();
        SobolIndices { first, total, samples: self.count }
    }
}

#[cfg(test)]
mod tests {
    use simhost::Draws;

    use super::Sums;

    /// The function of Ishigami with its closed form: T. Homma, A. Saltelli, Reliability Engineering and System Safety 52,
    /// 1996.
    #[test]
    fn the_function_of_ishigami_has_its_indices() {
        let (a, b, pi) = (7.0_f64, 0.1_f64, std::f64::consts::PI);
        let f = |x: [f64; 3]| x[0].sin() + a * x[1].sin().powi(2) + b * x[2].powi(4) * x[0].sin();
        let draws: Vec<Draws> = (0..6)
            .map(|dimension| {
                let text = format!("a/x{dimension}=sobol:{}:{pi}", -pi);
                Draws::new(text.parse().unwrap(), 1, 0, dimension)
            })
            .collect();
        let mut sums = Sums::new(3);
        for sample in 0..8192 {
            let all: Vec<f64> =
                draws.iter().map(|one| one.value(sample).to_string().parse().unwrap()).collect();
            let point = |from: [usize; 3]| f(std::array::from_fn(|k| all[from[k]]));
            let rows = [[0, 1, 2], [3, 4, 5], [3, 1, 2], [0, 4, 2], [0, 1, 5]];
            sums.add(&rows.map(point));
        }
        let of_first = 0.5 * (1.0 + b * pi.powi(4) / 5.0).powi(2);
        let of_second = a * a / 8.0;
        let of_both = b * b * pi.powi(8) * (1.0 / 18.0 - 1.0 / 50.0);
        let (all, found) = (of_first + of_second + of_both, sums.indices());
        for (found, expected) in [
            (&found.first, [of_first, of_second, 0.0]),
            (&found.total, [of_first + of_both, of_second, of_both]),
        ] {
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected / all).abs() < 0.02, "{found} {}", expected / all);
            }
        }
    }
}
