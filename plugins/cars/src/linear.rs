//! Five linear equations.

/// Solves A x = b by elimination without pivoting, for matrices whose diagonal dominates.
///
/// The rows are written out, so that the loops have constant lengths and a loop over systems becomes vector
/// instructions.
#[inline(always)]
pub fn solve(mut a: [[f64; 5]; 5], mut b: [f64; 5]) -> [f64; 5] {
    eliminate::<0>(&mut a, &mut b);
    eliminate::<1>(&mut a, &mut b);
    eliminate::<2>(&mut a, &mut b);
    eliminate::<3>(&mut a, &mut b);
    let mut x = [0.0; 5];
    substitute::<4>(&a, &b, &mut x);
    substitute::<3>(&a, &b, &mut x);
    substitute::<2>(&a, &b, &mut x);
    substitute::<1>(&a, &b, &mut x);
    substitute::<0>(&a, &b, &mut x);
    x
}

/// Subtracts a row from those below it, so that their entries in the column `PIVOT` vanish.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "iterators over parts of rows stay calls")]
fn eliminate<const PIVOT: usize>(a: &mut [[f64; 5]; 5], b: &mut [f64; 5]) {
    let inverse = 1.0 / a[PIVOT][PIVOT];
    for row in PIVOT + 1..5 {
        let factor = a[row][PIVOT] * inverse;
        for column in PIVOT + 1..5 {
            a[row][column] -= factor * a[PIVOT][column];
        }
        b[row] -= factor * b[PIVOT];
    }
}

/// Finds the unknown of a row from those below it.
#[inline(always)]
fn substitute<const ROW: usize>(a: &[[f64; 5]; 5], b: &[f64; 5], x: &mut [f64; 5]) {
    let mut rest = b[ROW];
    for column in ROW + 1..5 {
        rest -= a[ROW][column] * x[column];
    }
    x[ROW] = rest / a[ROW][ROW];
}

#[cfg(test)]
mod tests {
    use super::solve;

    #[test]
    fn the_solution_satisfies_the_equations() {
        let a: [[f64; 5]; 5] = std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                if row == column {
                    10.0 + row as f64
                } else {
                    (row * 3 + column) as f64 % 4.0 - 1.5
                }
            })
        });
        let b = [1.0, -2.0, 3.0, 0.5, 7.0];
        let x = solve(a, b);
        for (row, b) in a.iter().zip(b) {
            let sum: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
            assert!((sum - b).abs() < 1e-12, "{sum} and {b}");
        }
    }
}
