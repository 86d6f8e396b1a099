//! Aligns columns and wraps lines.

use console::measure_text_width as width_of;

use super::Table;

/// Spaces between columns, and before the first one.
const GAP: usize = 2;
/// Smallest width of the last column. A wider table exceeds the terminal.
const LEAST: usize = 28;

/// Writes a table with aligned columns. The last column is wrapped.
pub(super) fn align(text: &mut String, table: &Table, width: usize) {
    let header = Some(&table.header).filter(|header| header.iter().any(|cell| !cell.is_empty()));
    let rows = || header.into_iter().chain(&table.rows);
    let last = table.header.len().saturating_sub(1);
    let widths: Vec<usize> = (0..last)
        .map(|column| rows().map(|row| width_of(&row[column])).max().unwrap_or(0))
        .collect();
    let before = GAP + widths.iter().map(|width| width + GAP).sum::<usize>();
    let room = width.saturating_sub(before).max(LEAST);
    for row in rows() {
        let mut line = " ".repeat(GAP);
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.push_str(&" ".repeat(width + GAP - width_of(cell)));
        }
        for (number, piece) in wrap(&row[last], room).iter().enumerate() {
            if number > 0 {
                line = " ".repeat(before);
            }
            line.push_str(piece);
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
}

/// Breaks a text at spaces into lines of at most `width` columns. A longer word is not broken. An
/// empty text gives one empty line.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty() && width_of(line) + 1 + width_of(word) > width {
            lines.push(word.to_owned());
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::table;
    use super::*;

    #[test]
    fn the_last_column_is_wrapped_under_itself() {
        let rows = [["µ", "one two three four five six seven"], ["long", "x"]];
        let table = table(["A", "B"], rows.map(|row| row.map(str::to_owned)));
        let mut text = String::new();
        align(&mut text, &table, 20);
        assert_eq!(
            text,
            "  A     B\n  µ     one two three four five six\n        seven\n  long  x\n"
        );
    }

    #[test]
    fn words_longer_than_a_line_are_not_broken() {
        assert_eq!(wrap("a bbbbbb c", 4), ["a", "bbbbbb", "c"]);
        assert_eq!(wrap("", 4), [""]);
    }
}
