//! Files of point clouds.

use std::path::Path;

/// Points of a PCD file.
pub struct Cloud {
    pub header: String,
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl Cloud {
    /// Reads a file.
    pub fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let end = bytes.windows(12).position(|part| part == b"DATA binary\n").unwrap() + 12;
        let header = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let line = |key: &str| {
            let line = header.lines().find_map(|line| line.strip_prefix(&format!("{key} ")));
            line.unwrap().split(' ').map(str::to_owned).collect::<Vec<_>>()
        };
        let (names, sizes, types) = (line("FIELDS"), line("SIZE"), line("TYPE"));
        let sizes: Vec<usize> = sizes.iter().map(|size| size.parse().unwrap()).collect();
        let count: usize = line("POINTS")[0].parse().unwrap();
        let mut columns = vec![Vec::with_capacity(count); names.len()];
        let mut rest = &bytes[end..];
        for _ in 0..count {
            for ((column, size), kind) in columns.iter_mut().zip(&sizes).zip(&types) {
                let (own, after) = rest.split_at(*size);
                column.push(match (own, kind.as_str()) {
                    ([a, b, c, d], "F") => f64::from(f32::from_le_bytes([*a, *b, *c, *d])),
                    ([a, b, c, d], _) => f64::from(u32::from_le_bytes([*a, *b, *c, *d])),
                    ([a, b], _) => f64::from(u16::from_le_bytes([*a, *b])),
                    _ => panic!("a field has {size} bytes"),
                });
                rest = after;
            }
        }
        assert!(rest.is_empty(), "{} bytes are left", rest.len());
        Self { header, names, columns }
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.columns[0].len()
    }

    /// Returns a field of all points.
    pub fn field(&self, name: &str) -> &[f64] {
        &self.columns[self.names.iter().position(|one| one == name).unwrap()]
    }

    /// Returns the positions of all points, m.
    pub fn points(&self) -> impl Iterator<Item = [f64; 3]> {
        let [x, y, z] = ["x", "y", "z"].map(|axis| self.field(axis));
        (0..self.len()).map(move |index| [x[index], y[index], z[index]])
    }
}
