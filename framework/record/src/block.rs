//! Rows as numbers and names, before they are formatted.

use std::fmt::{self, Write};

use simhost_streams::handover::{self, Check};

/// Bytes that one row takes besides its names and numbers.
const HEAD: usize = size_of::<Row>();

/// Rows of several files, in the order in which they were added.
#[derive(Default)]
pub(crate) struct Block {
    rows: Vec<Row>,
    names: String,
    numbers: Vec<f64>,
}

/// One row: its file, and how much of the names and numbers belongs to it.
struct Row {
    file: u32,
    /// Bytes of each name. Unused names are empty and last.
    names: [u32; 2],
    /// Number of columns with a name.
    named: u32,
    /// Numbers after the time.
    numbers: u32,
    time: f64,
    /// Check value of the row as it was added.
    check: Check,
}

/// Returns the check value of a row.
fn check(file: usize, time: f64, names: &[u8], numbers: &[f64]) -> Check {
    let mut check = Check::default();
    check.add(file as u64);
    check.add(time.to_bits());
    check.add_bytes(names);
    check.add_numbers(numbers);
    check
}

/// A row of a block.
pub(crate) struct RowView<'a> {
    /// Index of the file.
    pub file: usize,
    /// Simulated time, s.
    pub time: f64,
    /// Names after the time.
    pub names: [&'a str; 2],
    /// Number of names that the file has.
    pub named: usize,
    /// Numbers after the names.
    pub numbers: &'a [f64],
}

impl Block {
    /// Adds a row of at most two names, and its numbers.
    #[inline]
    pub fn push<const N: usize>(
        &mut self,
        file: usize,
        time: f64,
        names: [&str; N],
        numbers: &[f64],
    ) {
        const { assert!(N <= 2) };
        let (mut lengths, before) = ([0; 2], self.names.len());
        for (length, name) in lengths.iter_mut().zip(names) {
            *length = name.len() as u32;
            self.names.push_str(name);
        }
        self.numbers.extend_from_slice(numbers);
        self.rows.push(Row {
            file: file as u32,
            names: lengths,
            named: N as u32,
            numbers: numbers.len() as u32,
            time,
            check: check(file, time, &self.names.as_bytes()[before..], numbers),
        });
    }

    /// Adds a complete line of a file, without the line break.
    pub fn push_line(&mut self, file: usize, line: fmt::Arguments<'_>) {
        let before = self.names.len();
        self.names.write_fmt(line).expect("writing to memory does not fail");
        let names = [(self.names.len() - before) as u32, 0];
        let check = check(file, 0.0, &self.names.as_bytes()[before..], &[]);
        self.rows.push(Row { file: file as u32, names, named: 1, numbers: 0, time: 0.0, check });
    }

    /// Calls `with` for each row.
    pub fn for_each(&self, mut with: impl FnMut(RowView<'_>)) {
        let (mut names, mut numbers) = (&*self.names, &*self.numbers);
        for row in &self.rows {
            let texts = row.names.map(|length| {
                let (name, rest) = names.split_at(length as usize);
                names = rest;
                name
            });
            let (own, rest) = numbers.split_at(row.numbers as usize);
            numbers = rest;
            with(RowView {
                file: row.file as usize,
                time: row.time,
                names: texts,
                named: row.named as usize,
                numbers: own,
            });
        }
    }
}

impl handover::Block for Block {
    fn size(&self) -> usize {
        HEAD * self.rows.len() + self.names.len() + size_of_val(&*self.numbers)
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.names.clear();
        self.numbers.clear();
    }

    fn is_intact(&self) -> bool {
        let (mut names, mut numbers) = (self.names.as_bytes(), &*self.numbers);
        let are_intact = self.rows.iter().all(|row| {
            let texts = row.names.iter().map(|length| *length as usize).sum::<usize>();
            let texts = names.split_off(..texts);
            let own = numbers.split_off(..row.numbers as usize);
            let found =
                texts.zip(own).map(|(texts, own)| check(row.file as usize, row.time, texts, own));
            found == Some(row.check)
        });
        are_intact && names.is_empty() && numbers.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use simhost_streams::handover::Block as _;

    use super::Block;

    #[test]
    fn rows_come_back_in_their_order() {
        let mut block = Block::default();
        block.push(3, 0.5, ["a", "bc"], &[1.0, 2.0, 3.0]);
        block.push(0, 1.5, [], &[]);
        block.push(1, 2.5, [""], &[4.0]);
        block.push_line(4, format_args!("{},{}", 1, "x"));
        let mut rows = Vec::new();
        block.for_each(|row| {
            let names = row.names[..row.named].join("|");
            rows.push((row.file, row.time, names, row.named, row.numbers.to_vec()));
        });
        let expected = [
            (3, 0.5, "a|bc".to_owned(), 2, vec![1.0, 2.0, 3.0]),
            (0, 1.5, String::new(), 0, vec![]),
            (1, 2.5, String::new(), 1, vec![4.0]),
            (4, 0.0, "1,x".to_owned(), 1, vec![]),
        ];
        assert_eq!(rows, expected);
        block.clear();
        assert_eq!(block.size(), 0);
        block.for_each(|_| panic!("no row is left"));
    }

    #[test]
    fn damage_is_noticed() {
        let damages: [fn(&mut Block); 6] = [
            |block| block.numbers[1] = 2.5,
            |block| block.numbers.swap(0, 2),
            |block| block.names.replace_range(1..2, "x"),
            |block| block.rows[0].names[0] = 9,
            |block| block.rows[1].numbers = u32::MAX,
            |block| block.rows[1].file += 1,
        ];
        for damage in damages {
            let mut block = Block::default();
            block.push(3, 0.5, ["a", "bc"], &[1.0, 2.0, 3.0]);
            block.push_line(4, format_args!("{},{}", 1, "x"));
            assert!(block.is_intact());
            damage(&mut block);
            assert!(!block.is_intact());
        }
    }
}
