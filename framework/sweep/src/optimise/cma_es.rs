//! CMA-ES, the evolution strategy with covariance matrix adaptation, in the unit cube.
//!
//! Equations and default parameters: N. Hansen, "The CMA Evolution Strategy: A Tutorial", arXiv:1604.00772, 2016, without
//! negative weights. It needs the order of points alone, not their values. All draws follow from a seed.

use simhost_sdk::{Random, math};

/// Step size below which nothing is to be found.
const LEAST: f64 = 1e-9;
/// Sweeps of the search for eigenvectors.
const SWEEPS: usize = 30;

type Matrix = Vec<Vec<f64>>;

/// The strategy: [`Self::ask`] for the points of a generation, and [`Self::tell`] their order.
pub struct CmaEs {
    population: usize,
    /// Weights of the better half, which sum to 1.
    weights: Vec<f64>,
    /// Variance-effective number of the better half.
    effective: f64,
    mean: Vec<f64>,
    step: f64,
    covariance: Matrix,
    /// Eigenvectors in columns, and square roots of the eigenvalues.
    axes: Matrix,
    lengths: Vec<f64>,
    /// Evolution paths of the step size and of the covariance.
    path_step: Vec<f64>,
    path_covariance: Vec<f64>,
    generation: u64,
    random: Random,
}

impl CmaEs {
    /// Starts at a point of the unit cube, with a step size as a part of the side of the cube. `population` is the number
    /// of points of a generation, at least 4.
    pub fn new(mean: Vec<f64>, step: f64, population: usize, seed: u64) -> Self {
        let n = mean.len();
        let half = population / 2;
        let raw = (1..=half)
            .map(|rank| math::ln((population as f64 + 1.0) / 2.0) - math::ln(rank as f64));
        let raw: Vec<f64> = raw.collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let effective = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        Self {
            population,
            weights,
            effective,
            mean,
            step,
            covariance: identity(n),
            axes: identity(n),
            lengths: vec![1.0; n],
            path_step: vec![0.0; n],
            path_covariance: vec![0.0; n],
            generation: 0,
            random: Random::new(seed),
        }
    }

    /// Returns whether the step size is so small that nothing is to be found.
    pub fn has_converged(&self) -> bool {
        self.widest() < LEAST
    }

    /// Returns the step size, as a part of the side of the cube.
    pub fn step_size(&self) -> f64 {
        self.step
    }

    /// Returns the greatest standard deviation of the next points in any direction.
    pub fn widest(&self) -> f64 {
        self.step * self.lengths.iter().copied().fold(0.0, f64::max)
    }

    /// Returns the points of the next generation.
    pub fn ask(&mut self) -> Vec<Vec<f64>> {
        (0..self.population).map(|_| self.point()).collect()
    }

    fn point(&mut self) -> Vec<f64> {
        let lengths = self.lengths.iter();
        let drawn: Vec<f64> = lengths.map(|length| length * self.random.normal()).collect();
        let moved = self.axes.iter().zip(&self.mean);
        moved.map(|(row, mean)| mean + self.step * dot(row, &drawn)).collect()
    }

    /// Takes note of the order of the points, the best first.
    pub fn tell(&mut self, points: &[Vec<f64>], order: &[usize]) {
        let n = self.mean.len();
        let dimension = n as f64;
        self.generation += 1;
        let moves: Vec<Vec<f64>> = order
            .iter()
            .take(self.weights.len())
            .map(|at| {
                points[*at].iter().zip(&self.mean).map(|(x, m)| (x - m) / self.step).collect()
            })
            .collect();
        let mean_move: Vec<f64> = (0..n)
            .map(|k| self.weights.iter().zip(&moves).map(|(weight, one)| weight * one[k]).sum())
            .collect();
        for (mean, moved) in self.mean.iter_mut().zip(&mean_move) {
            *mean += self.step * moved;
        }
        // cumulation of the step size, in the coordinates in which the covariance is the identity
        let effective = self.effective;
        let c_step = (effective + 2.0) / (dimension + effective + 5.0);
        let damping =
            1.0 + 2.0 * (((effective - 1.0) / (dimension + 1.0)).sqrt() - 1.0).max(0.0) + c_step;
        let whitened = self.whitened(&mean_move);
        let growth = (c_step * (2.0 - c_step) * effective).sqrt();
        for (path, moved) in self.path_step.iter_mut().zip(&whitened) {
            *path = (1.0 - c_step) * *path + growth * moved;
        }
        let length = dot(&self.path_step, &self.path_step).sqrt();
        let expected = dimension.sqrt()
            * (1.0 - 1.0 / (4.0 * dimension) + 1.0 / (21.0 * dimension * dimension));
        // the covariance waits while the step size grows
        let past = 1.0 - math::exp(2.0 * self.generation as f64 * math::ln(1.0 - c_step));
        let is_steady = length / past.sqrt() < (1.4 + 2.0 / (dimension + 1.0)) * expected;
        self.adapt(&moves, &mean_move, is_steady);
        self.step *= math::exp(c_step / damping * (length / expected - 1.0)).min(2.0);
        (self.axes, self.lengths) = eigen(&self.covariance);
    }

    /// Adapts the covariance by its path and by the moves.
    fn adapt(&mut self, moves: &[Vec<f64>], mean_move: &[f64], is_steady: bool) {
        let n = self.mean.len();
        let (dimension, effective) = (n as f64, self.effective);
        let c_path =
            (4.0 + effective / dimension) / (dimension + 4.0 + 2.0 * effective / dimension);
        let c_one = 2.0 / ((dimension + 1.3).powi(2) + effective);
        let c_mu = (2.0 * (effective - 2.0 + 1.0 / effective)
            / ((dimension + 2.0).powi(2) + effective))
            .min(1.0 - c_one);
        let growth = if is_steady { (c_path * (2.0 - c_path) * effective).sqrt() } else { 0.0 };
        for (path, moved) in self.path_covariance.iter_mut().zip(mean_move) {
            *path = (1.0 - c_path) * *path + growth * moved;
        }
        let missing = if is_steady { 0.0 } else { c_path * (2.0 - c_path) };
        for i in 0..n {
            for j in 0..=i {
                let of_moves: f64 =
                    self.weights.iter().zip(moves).map(|(w, one)| w * one[i] * one[j]).sum();
                let of_path = self.path_covariance[i] * self.path_covariance[j];
                let old = self.covariance[i][j];
                let new = (1.0 - c_one - c_mu + c_one * missing) * old
                    + c_one * of_path
                    + c_mu * of_moves;
                (self.covariance[i][j], self.covariance[j][i]) = (new, new);
            }
        }
    }

    /// Returns a move in the coordinates in which the covariance is the identity.
    fn whitened(&self, moved: &[f64]) -> Vec<f64> {
        let n = moved.len();
        let along = (0..n).map(|axis| {
            let part: f64 = (0..n).map(|row| self.axes[row][axis] * moved[row]).sum();
            part / self.lengths[axis]
        });
        let along: Vec<f64> = along.collect();
        self.axes.iter().map(|row| dot(row, &along)).collect()
    }
}

fn identity(n: usize) -> Matrix {
    (0..n).map(|row| (0..n).map(|column| f64::from(row == column)).collect()).collect()
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(x, y)| x * y).sum()
}

/// Returns the eigenvectors of a symmetric matrix in columns, and the square roots of its eigenvalues, by the cyclic
/// method of Jacobi.
fn eigen(matrix: &Matrix) -> (Matrix, Vec<f64>) {
    let n = matrix.len();
    let (mut a, mut vectors) = (matrix.clone(), identity(n));
    for _ in 0..SWEEPS {
        let rest: f64 =
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        if rest < 1e-300 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] == 0.0 {
                    continue;
                }
                // the rotation that makes element p, q vanish
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = 1.0_f64.copysign(theta) / (theta.abs() + (theta * theta + 1.0).sqrt());
                let cosine = 1.0 / (t * t + 1.0).sqrt();
                let sine = t * cosine;
                let turn = |x: f64, y: f64| (cosine * x - sine * y, sine * x + cosine * y);
                for row in &mut a {
                    (row[p], row[q]) = turn(row[p], row[q]);
                }
                let (upper, lower) = a.split_at_mut(q);
                for (x, y) in upper[p].iter_mut().zip(&mut lower[0]) {
                    (*x, *y) = turn(*x, *y);
                }
                for row in &mut vectors {
                    (row[p], row[q]) = turn(row[p], row[q]);
                }
            }
        }
    }
    let lengths = (0..n).map(|k| a[k][k].max(1e-30).sqrt()).collect();
    (vectors, lengths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimum(n: usize, generations: usize, f: impl Fn(&[f64]) -> f64) -> f64 {
        let mut strategy = CmaEs::new(vec![0.5; n], 0.3, 4 + 2 * n, 1);
        let mut best = f64::INFINITY;
        for _ in 0..generations {
            let points = strategy.ask();
            let values: Vec<f64> = points.iter().map(|point| f(point)).collect();
            let mut order: Vec<usize> = (0..points.len()).collect();
            order.sort_by(|one, other| values[*one].total_cmp(&values[*other]));
            best = best.min(values[order[0]]);
            strategy.tell(&points, &order);
        }
        best
    }

    /// Functions of the COCO suite: an ellipsoid with axes 1 to 10³, and the valley of Rosenbrock.
    #[test]
    fn badly_conditioned_functions_are_minimised() {
        let ellipsoid = |x: &[f64]| {
            let terms = x.iter().enumerate();
            terms.map(|(k, x)| 10_f64.powi(2 * k as i32) * (x - 0.3).powi(2)).sum::<f64>()
        };
        let found = minimum(4, 250, ellipsoid);
        assert!(found < 1e-12, "{found}");
        let valley = |x: &[f64]| {
            let scaled: Vec<f64> = x.iter().map(|x| 4.0 * x - 2.0).collect();
            let pairs = scaled.windows(2);
            pairs.map(|x| 100.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2)).sum::<f64>()
        };
        let found = minimum(3, 300, valley);
        assert!(found < 1e-9, "{found}");
    }

    #[test]
    fn eigenvectors_give_the_matrix_back() {
        let matrix = vec![vec![4.0, 1.0, -2.0], vec![1.0, 3.0, 0.5], vec![-2.0, 0.5, 5.0]];
        let (vectors, lengths) = eigen(&matrix);
        for i in 0..3 {
            for j in 0..3 {
                let found: f64 =
                    (0..3).map(|k| vectors[i][k] * lengths[k] * lengths[k] * vectors[j][k]).sum();
                assert!((found - matrix[i][j]).abs() < 1e-12, "{i} {j}: {found}");
            }
        }
    }
}
