//! Convolution of a height field with a kernel.

use super::HeightField;

/// Maximum number of products, which take a second or two.
const MAX_PRODUCTS: usize = 1_000_000_000;

/// Error in a kernel.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// The kernel is not square, or empty.
    #[error("found {weights} weights in {rows} rows; expected a square matrix")]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of weights.
        weights: usize,
    },
    /// The weights do not sum to 1, which would raise or lower the ground.
    #[error("the weights sum to {sum}; expected 1 ± 0.005")]
    Sum {
        /// Sum of the weights.
        sum: f64,
    },
    /// Convolving the field with the kernel would take too long.
    #[error(
        "{samples} samples with {weights} weights each; expected at most {MAX_PRODUCTS} products"
    )]
    TooMuchWork {
        /// Number of samples of the field.
        samples: usize,
        /// Number of weights of the kernel.
        weights: usize,
    },
}

/// Heights outside of a field, for a convolution.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Edges {
    /// Height 0. The edges of the field sag.
    Zero,
    /// The height of the nearest sample. Flat ground stays flat up to its edge.
    Nearest,
}

/// A square matrix of weights with the sum 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    size: usize,
    weights: Vec<f64>,
}

impl Kernel {
    /// Creates a kernel from `size` × `size` weights, given row by row.
    ///
    /// # Errors
    /// The matrix is not square, or the sum is not 1.
    pub fn new(size: usize, weights: Vec<f64>) -> Result<Self, KernelError> {
        if size == 0 || size.checked_mul(size) != Some(weights.len()) {
            return Err(KernelError::NotSquare { rows: size, weights: weights.len() });
        }
        let sum: f64 = weights.iter().sum();
        if (sum - 1.0).abs() <= 0.005 {
            Ok(Self { size, weights })
        } else {
            Err(KernelError::Sum { sum })
        }
    }
}

impl HeightField {
    /// Returns the field convolved with a kernel. The centre of the kernel is in row and column
    /// `size / 2`.
    ///
    /// # Errors
    /// The convolution would take too long.
    pub fn convolved(&self, kernel: &Kernel, edges: Edges) -> Result<Self, KernelError> {
        let (samples, weights) = (self.heights.len(), kernel.weights.len());
        if samples.checked_mul(weights).is_none_or(|products| products > MAX_PRODUCTS) {
            return Err(KernelError::TooMuchWork { samples, weights });
        }
        let mut heights = Vec::with_capacity(samples);
        for row in 0..self.rows {
            for column in 0..self.columns {
                heights.push(self.weighted(kernel, edges, row, column) as f32);
            }
        }
        Ok(Self { heights, ..*self })
    }

    fn weighted(&self, kernel: &Kernel, edges: Edges, row: usize, column: usize) -> f64 {
        let half = kernel.size / 2;
        let mut sum = 0.0;
        for (index, weight) in kernel.weights.iter().enumerate() {
            // a convolution mirrors the kernel
            let from_row = place(row + half, index / kernel.size, self.rows, edges);
            let from_column = place(column + half, index % kernel.size, self.columns, edges);
            if let (Some(r), Some(c)) = (from_row, from_column) {
                sum += weight * f64::from(self.heights[r * self.columns + c]);
            }
        }
        sum
    }
}

fn place(from: usize, back: usize, count: usize, edges: Edges) -> Option<usize> {
    match edges {
        Edges::Zero => from.checked_sub(back).filter(|&index| index < count),
        Edges::Nearest => Some(from.saturating_sub(back).min(count - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(heights: Vec<f32>) -> HeightField {
        HeightField::new([0.0; 2], 1.0, [3, 3], heights).unwrap()
    }

    #[test]
    fn a_spike_takes_the_shape_of_the_kernel() {
        let weights = vec![0.1, 0.2, 0.0, 0.0, 0.4, 0.0, 0.0, 0.0, 0.3];
        let kernel = Kernel::new(3, weights.clone()).unwrap();
        let mut spike = vec![0.0; 9];
        spike[4] = 1.0;
        let smooth = field(spike).convolved(&kernel, Edges::Zero).unwrap();
        let expected: Vec<f32> = weights.iter().map(|&weight| weight as f32).collect();
        assert_eq!(smooth.heights(), expected);
    }

    #[test]
    fn edges_sag_or_stay() {
        let kernel = Kernel::new(3, vec![1.0 / 9.0; 9]).unwrap();
        let flat = field(vec![9.0; 9]);
        let sagging = flat.convolved(&kernel, Edges::Zero).unwrap();
        assert!((sagging.height(0, 0).unwrap() - 4.0).abs() < 1e-5);
        assert!((sagging.height(1, 1).unwrap() - 9.0).abs() < 1e-5);
        let level = flat.convolved(&kernel, Edges::Nearest).unwrap();
        assert!(level.heights().iter().all(|height| (height - 9.0).abs() < 1e-5));
    }

    #[test]
    fn invalid_kernels_are_rejected() {
        assert!(matches!(Kernel::new(2, vec![0.5; 2]), Err(KernelError::NotSquare { .. })));
        assert!(matches!(Kernel::new(0, vec![]), Err(KernelError::NotSquare { .. })));
        assert_eq!(Kernel::new(1, vec![1.01]), Err(KernelError::Sum { sum: 1.01 }));
        assert!(Kernel::new(1, vec![f64::NAN]).is_err() && Kernel::new(1, vec![1.004]).is_ok());
        let large = Kernel::new(11_000, vec![1.0 / 121e6; 121_000_000]).unwrap();
        let error = field(vec![0.0; 9]).convolved(&large, Edges::Zero).unwrap_err();
        assert!(matches!(error, KernelError::TooMuchWork { .. }));
    }
}
