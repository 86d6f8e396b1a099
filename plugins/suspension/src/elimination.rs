//! Five linear equations with three right sides, by Gaussian elimination with partial pivoting.

/// Number of equations: the degrees of freedom of a body whose height is known.
pub const SIZE: usize = 5;
/// Number of right sides.
pub const RIGHT_SIDES: usize = 3;
/// Numbers of an equation: its coefficients and its right sides.
pub const WIDTH: usize = SIZE + RIGHT_SIDES;

/// An equation: its coefficients, followed by its right sides.
pub type Equation = [f64; WIDTH];

/// Solutions of five equations.
#[derive(Clone, Copy, Debug)]
pub struct Solved {
    /// Rows of the triangle of ones, with the solutions after it.
    rows: [Equation; SIZE],
    /// Determinant of the coefficients. It is 0 or tiny if they are singular, and the solutions are then not finite
    /// or huge.
    pub determinant: f64,
}

impl Solved {
    /// Returns the solution for a right side.
    #[inline(always)]
    pub fn column(&self, right: usize) -> [f64; SIZE] {
        let at = SIZE + right;
        let [a, b, c, d, e] = &self.rows;
        [a[at], b[at], c[at], d[at], e[at]]
    }
}

/// Solves the equations.
// index loops over arrays of known length: they are unrolled and vectorised where iterators are not
#[allow(clippy::needless_range_loop)]
#[inline(always)]
pub fn solve(mut rows: [Equation; SIZE]) -> Solved {
    let mut determinant = 1.0;
    for column in 0..SIZE {
        let mut largest = column;
        for row in column + 1..SIZE {
            if rows[row][column].abs() > rows[largest][column].abs() {
                largest = row;
            }
        }
        let mut pivot = rows[largest];
        if largest != column {
            rows[largest] = rows[column];
            determinant = -determinant;
        }
        determinant *= pivot[column];
        let reciprocal = 1.0 / pivot[column];
        for k in 0..WIDTH {
            pivot[k] *= reciprocal;
        }
        rows[column] = pivot;
        for row in column + 1..SIZE {
            let factor = rows[row][column];
            for k in 0..WIDTH {
                rows[row][k] -= factor * pivot[k];
            }
        }
    }
    for column in (1..SIZE).rev() {
        for row in 0..column {
            let factor = rows[row][column];
            for k in SIZE..WIDTH {
                rows[row][k] -= factor * rows[column][k];
            }
        }
    }
    Solved { rows, determinant }
}

#[cfg(test)]
mod tests {
    use super::{Equation, RIGHT_SIDES, SIZE, solve};

    const ROWS: [Equation; SIZE] = [
        [0.0, 2.0, -1.0, 0.5, 0.0, 1.0, 0.0, 0.4],
        [1.0, 0.3, 0.0, 0.0, 4.0, -2.0, 1.0, 0.0],
        [-3.0, 0.1, 0.2, 0.0, 1.0, 3.0, 0.0, -7.0],
        [0.4, 0.0, 5.0, 1.0, 0.0, 0.0, 9.0, 0.1],
        [0.0, 1.0, 1.0, -2.0, 0.6, 7.0, 0.0, 2.0],
    ];

    #[test]
    fn solutions_fulfil_the_equations() {
        let solved = solve(ROWS);
        for right in 0..RIGHT_SIDES {
            let x = solved.column(right);
            for row in ROWS {
                let product: f64 = (0..SIZE).map(|k| row[k] * x[k]).sum();
                assert!((product - row[SIZE + right]).abs() < 1e-13, "{product}");
            }
        }
    }

    #[test]
    fn determinant_changes_its_sign_with_exchanged_rows() {
        let mut exchanged = ROWS;
        exchanged.swap(1, 4);
        let (one, other) = (solve(ROWS).determinant, solve(exchanged).determinant);
        assert!((one + other).abs() < 1e-12 * one.abs());
        assert!(one != 0.0);
    }
}
