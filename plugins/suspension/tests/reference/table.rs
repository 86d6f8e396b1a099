//! Tables of numbers in files of this folder.

/// A table with a header.
pub struct Table {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Values of each row.
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    /// Reads a file of this folder.
    pub fn read(file: &str) -> Self {
        let path = format!("{}/tests/reference/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let mut lines = text.lines();
        let columns = lines.next().unwrap().split(',').map(str::to_owned).collect();
        let row = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect();
        Self { columns, rows: lines.map(row).collect() }
    }

    /// Returns the index of a column.
    pub fn column(&self, name: &str) -> usize {
        self.columns.iter().position(|column| column == name).unwrap()
    }
}
