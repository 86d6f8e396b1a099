//! Five linear equations.

/// Solves A x = b by elimination without pivoting, for matrices whose diagonal dominates.
#[inline(always)]
pub fn solve(mut a: [[f64; 5]; 5], mut b: [f64; 5]) -> [f64; 5] {
    for pivot in 0..5 {
        let own = a[pivot];
        let (inverse, right) = (1.0 / own[pivot], b[pivot]);
        for row in pivot + 1..5 {
            let factor = a[row][pivot] * inverse;
            let entries = a[row].iter_mut().zip(own).skip(pivot + 1);
            entries.for_each(|(entry, from)| *entry -= factor * from);
            b[row] -= factor * right;
        }
    }
    let mut x = [0.0; 5];
    for row in (0..5).rev() {
        let known = a[row].iter().zip(x).skip(row + 1);
        let rest = known.fold(b[row], |rest, (entry, value)| rest - entry * value);
        x[row] = rest / a[row][row];
    }
    x
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
