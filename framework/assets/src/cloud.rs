//! Point clouds: rows of two or three numbers.

use std::path::Path;

use crate::numbers::{rows, text};
use crate::{AssetError, Limits, Problem, file};

/// Reads a file of points in the plane (`x y`) or in space (`x y z`) in m. Points in the plane have
/// z = 0.
///
/// # Errors
/// The file cannot be read, is not valid or exceeds the limits.
pub fn read(path: &Path, limits: &Limits) -> Result<Vec<[f64; 3]>, AssetError> {
    file::read(path, limits)
        .and_then(|bytes| from_bytes(&bytes, limits))
        .map_err(|problem| problem.at(path))
}

/// Parses points from bytes, as [`read`] does.
///
/// # Errors
/// The text is not valid or exceeds the limits.
pub fn from_bytes(bytes: &[u8], limits: &Limits) -> Result<Vec<[f64; 3]>, Problem> {
    let mut points: Vec<[f64; 3]> = Vec::new();
    let mut columns = None;
    rows(text(bytes)?, |line, numbers| {
        let point = match *numbers {
            [x, y] => [x, y, 0.0],
            [x, y, z] => [x, y, z],
            _ => {
                let found = numbers.len();
                let detail = format!("line {line}: expected 2 or 3 numbers, found {found}");
                return Err(Problem::syntax("point cloud", detail));
            }
        };
        if *columns.get_or_insert(numbers.len()) != numbers.len() {
            let detail =
                format!("line {line}: expected the same number of values as in the first row");
            return Err(Problem::syntax("point cloud", detail));
        }
        points.push(point);
        Problem::bounded("points", points.len() as u64, limits.max_vertices as u64)
    })?;
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Result<Vec<[f64; 3]>, Problem> {
        from_bytes(text.as_bytes(), &Limits { max_vertices: 2, ..Limits::default() })
    }

    #[test]
    fn points_have_two_or_three_numbers() {
        assert_eq!(points("# x y\n1 2\n\n3,4\n").unwrap(), [[1.0, 2.0, 0.0], [3.0, 4.0, 0.0]]);
        assert_eq!(points("1 2 3").unwrap(), [[1.0, 2.0, 3.0]]);
    }

    #[test]
    fn invalid_files_are_rejected() {
        for text in ["1 2\n1 2 3", "1", "1 2 3 4", "1 a", "0 0\n0 0\n0 0"] {
            assert!(points(text).is_err(), "{text}");
        }
        assert!(from_bytes(&[0xff, 0xfe], &Limits::default()).is_err());
    }
}
