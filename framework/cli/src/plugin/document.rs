//! Documents of headings, paragraphs and tables, rendered for a terminal, as Markdown or in HTML.

use std::fmt::Write;

use console::measure_text_width as width_of;
use quick_xml::escape::partial_escape;

/// Block of a document.
#[derive(Clone, Debug)]
pub enum Block {
    /// Heading with its level, starting at 1.
    Heading(usize, String),
    /// Text that is wrapped to the width.
    Paragraph(String),
    /// Table.
    Table(Table),
    /// Term and its description, which is wrapped to the width.
    Item(String, String),
    /// Preformatted text.
    Code(String),
}

/// Rows of cells under a header, which is not shown if it is empty.
#[derive(Clone, Debug)]
pub struct Table {
    header: Vec<String>,
    /// Rows, each with as many cells as the header.
    pub rows: Vec<Vec<String>>,
}

/// Builds a table.
pub fn table<const N: usize>(
    header: [impl Into<String>; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Table {
    let header = header.into_iter().map(Into::into).collect();
    Table { header, rows: rows.into_iter().map(Vec::from).collect() }
}

/// Renders a document for a terminal with `width` columns.
pub fn text(blocks: &[Block], width: usize) -> String {
    let mut text = String::new();
    for (place, block) in blocks.iter().enumerate() {
        let under_heading = place > 0 && matches!(blocks[place - 1], Block::Heading(..));
        let apart = matches!(block, Block::Heading(..) | Block::Paragraph(_));
        if place > 0 && apart && !under_heading {
            text.push('\n');
        }
        match block {
            Block::Heading(_, heading) => {
                let _ = writeln!(text, "{heading}");
            }
            Block::Paragraph(paragraph) => {
                for line in wrap(paragraph, width.saturating_sub(2)) {
                    let _ = writeln!(text, "  {line}");
                }
            }
            Block::Table(table) => align(&mut text, table, width),
            Block::Item(term, description) => {
                let _ = writeln!(text, "  {term}");
                for line in wrap(description, width.saturating_sub(4)) {
                    let _ = writeln!(text, "    {line}");
                }
            }
            Block::Code(code) => {
                for line in code.lines() {
                    let _ = writeln!(text, "  {line}");
                }
            }
        }
    }
    text
}

/// Renders a document as Markdown.
pub fn markdown(blocks: &[Block]) -> String {
    let mut text = String::new();
    for (place, block) in blocks.iter().enumerate() {
        if place > 0 {
            text.push('\n');
        }
        let _ = match block {
            Block::Heading(level, heading) => writeln!(text, "{} {heading}", "#".repeat(*level)),
            Block::Paragraph(paragraph) => writeln!(text, "{paragraph}"),
            Block::Item(term, description) => writeln!(text, "* {term}: {description}"),
            Block::Code(code) => writeln!(text, "```xml\n{}\n```", code.trim_end()),
            Block::Table(table) => {
                let small = |word: &String| word.to_lowercase();
                markdown_row(&mut text, table.header.iter().map(small));
                markdown_row(&mut text, table.header.iter().map(|_| "---".to_owned()));
                table.rows.iter().for_each(|row| markdown_row(&mut text, row.iter().cloned()));
                Ok(())
            }
        };
    }
    text
}

fn markdown_row(text: &mut String, cells: impl Iterator<Item = String>) {
    let cells = cells.map(|cell| {
        cell.replace('|', "\\|").replace('\n', " ").replace('<', "&lt;").replace('>', "&gt;")
    });
    let _ = writeln!(text, "| {} |", cells.collect::<Vec<_>>().join(" | "));
}

/// Renders a document as a page in HTML.
pub fn html(title: &str, blocks: &[Block]) -> String {
    let element = |name: &str, text: &str| format!("<{name}>{}</{name}>", partial_escape(text));
    let block = |block: &Block| match block {
        Block::Heading(level, heading) => element(&format!("h{level}"), heading),
        Block::Paragraph(paragraph) => element("p", paragraph),
        Block::Item(term, text) => {
            format!("<p>{}: {}</p>", element("b", term), partial_escape(text))
        }
        Block::Code(code) => element("pre", code.trim_end()),
        Block::Table(table) => {
            let cells = |name: &str, row: &[String]| {
                let cells: String = row.iter().map(|cell| element(name, cell)).collect();
                format!("<tr>{cells}</tr>\n")
            };
            let rows: String = table.rows.iter().map(|row| cells("td", row)).collect();
            let header: Vec<String> = table.header.iter().map(|cell| cell.to_lowercase()).collect();
            format!("<table>\n{}{rows}</table>", cells("th", &header))
        }
    };
    let body: Vec<String> = blocks.iter().map(block).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{}\n<style>{STYLE}</style>\n</head>\n\
         <body>\n{}\n</body>\n</html>\n",
        element("title", title),
        body.join("\n")
    )
}

/// Style of a page.
const STYLE: &str = "body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em } \
                     table { border-collapse: collapse } th, td { text-align: left; vertical-align: top; padding: 0.2em 0.8em \
                     0.2em 0; border-bottom: 1px solid #ccc } pre { overflow-x: auto }";

/// Spaces between columns, and before the first one.
const GAP: usize = 2;
/// Smallest width of the last column. A wider table exceeds the terminal.
const LEAST: usize = 28;

/// Writes a table with aligned columns. The last column is wrapped.
fn align(text: &mut String, table: &Table, width: usize) {
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
fn wrap(text: &str, width: usize) -> Vec<String> {
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
    use super::{table, *};

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
    fn texts_of_a_page_are_escaped() {
        let blocks = [
            Block::Heading(1, "a < b".to_owned()),
            Block::Table(table(["A & B"], [["<x>".to_owned()]])),
        ];
        let page = html("t", &blocks);
        assert!(page.contains("<h1>a &lt; b</h1>"), "{page}");
        assert!(
            page.contains("<tr><th>a &amp; b</th></tr>\n<tr><td>&lt;x&gt;</td></tr>"),
            "{page}"
        );
    }

    #[test]
    fn words_longer_than_a_line_are_not_broken() {
        assert_eq!(wrap("a bbbbbb c", 4), ["a", "bbbbbb", "c"]);
        assert_eq!(wrap("", 4), [""]);
    }
}
