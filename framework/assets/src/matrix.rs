//! Matrices as text, such as `[a b; c d]`.

use simhost_scene::Kernel;

use crate::numbers::{number, words};
use crate::{Limits, Problem};

/// A matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Values, row by row.
    pub values: Vec<f64>,
}

/// Parses a matrix. Rows end with `;` or a line break, values are separated by white space or
/// commas, and the brackets are optional.
///
/// # Errors
/// The text is not a matrix or exceeds the limits.
pub fn parse(text: &str, limits: &Limits) -> Result<Matrix, Problem> {
    let inner = text.trim();
    let inner = match (inner.strip_prefix('['), inner.ends_with(']')) {
        (Some(rest), true) => &rest[..rest.len() - 1],
        (None, false) => inner,
        _ => {
            return Err(Problem::syntax(
                "matrix",
                "expected an opening and a closing bracket, or neither",
            ));
        }
    };
    let mut matrix = Matrix { rows: 0, columns: 0, values: Vec::new() };
    for (index, line) in inner.lines().enumerate() {
        for row in line.split(';') {
            matrix.push_row(row, index + 1, limits)?;
        }
    }
    if matrix.rows == 0 {
        return Err(Problem::syntax("matrix", "expected rows such as [a b; c d], found none"));
    }
    Ok(matrix)
}

impl Matrix {
    fn push_row(&mut self, row: &str, line: usize, limits: &Limits) -> Result<(), Problem> {
        let before = self.values.len();
        for word in words(row) {
            self.values.push(number(word, line)?);
            let count = self.values.len() as u64;
            Problem::bounded("values of the matrix", count, limits.max_vertices as u64)?;
        }
        let columns = self.values.len() - before;
        if columns == 0 {
            return Ok(());
        }
        if self.rows > 0 && columns != self.columns {
            let detail = format!(
                "line {line}: row {} has {columns} values, expected {}",
                self.rows + 1,
                self.columns
            );
            return Err(Problem::syntax("matrix", detail));
        }
        self.columns = columns;
        self.rows += 1;
        Ok(())
    }
}

/// Parses a kernel: a square matrix of weights with the sum 1.
///
/// # Errors
/// The text is not a kernel or exceeds the limits.
pub fn parse_kernel(text: &str, limits: &Limits) -> Result<Kernel, Problem> {
    let matrix = parse(text, limits)?;
    Ok(Kernel::new(matrix.rows, matrix.values)?)
}

/// Parses a homogeneous transformation: four rows of four values, the last one 0 0 0 1.
///
/// # Errors
/// The text is not a transformation or exceeds the limits.
pub fn parse_transformation(text: &str, limits: &Limits) -> Result<[[f64; 4]; 4], Problem> {
    let matrix = parse(text, limits)?;
    if (matrix.rows, matrix.columns) != (4, 4) {
        let detail = format!("expected 4 × 4 values, found {} × {}", matrix.rows, matrix.columns);
        return Err(Problem::syntax("matrix", detail));
    }
    let at = |row: usize, column: usize| matrix.values[4 * row + column];
    let rows: [[f64; 4]; 4] = std::array::from_fn(|row| std::array::from_fn(|c| at(row, c)));
    if rows[3] != [0.0, 0.0, 0.0, 1.0] {
        return Err(Problem::syntax("matrix", "expected 0 0 0 1 in the last row"));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Matrix, Problem> {
        parse(text, &Limits::default())
    }

    #[test]
    fn rows_end_with_a_semicolon_or_a_line_break() {
        let expected = Matrix { rows: 2, columns: 2, values: vec![1.0, -2.5, 3.0, 4e2] };
        for text in ["[1 -2.5; 3 4e2]", "1, -2.5\n3 4e2\n", " [ 1\t-2.5;\n 3,4e2; ]\n"] {
            assert_eq!(read(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn invalid_matrices_are_rejected() {
        for (text, expected) in [
            ("[1 2; 3]", "row 2 has 1 values, expected 2"),
            ("[1 2", "bracket"),
            ("[1 x]", "found `x`"),
            ("[1 nan]", "found `nan`"),
            ("[]", "found none"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let few = Limits { max_vertices: 3, ..Limits::default() };
        assert!(matches!(parse("1 2 3 4", &few), Err(Problem::TooMuch { .. })));
    }

    #[test]
    fn kernels_and_transformations() {
        let limits = Limits::default();
        assert!(parse_kernel("[0.25 0.25; 0.25 0.25]", &limits).is_ok());
        assert!(matches!(parse_kernel("[1 2; 3 4]", &limits), Err(Problem::Kernel(_))));
        let rows = parse_transformation("[1 0 0 5; 0 1 0 6; 0 0 1 7; 0 0 0 1]", &limits).unwrap();
        assert_eq!(rows[1][3], 6.0);
        assert!(parse_transformation("[1 2; 3 4]", &limits).is_err());
        assert!(parse_transformation("[1 0 0 5; 0 1 0 6; 0 0 1 7; 1 0 0 1]", &limits).is_err());
    }
}
