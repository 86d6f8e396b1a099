//! Documents of headings, paragraphs and tables, rendered for a terminal or as Markdown.

mod columns;

use std::fmt::Write;

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
                for line in columns::wrap(paragraph, width.saturating_sub(2)) {
                    let _ = writeln!(text, "  {line}");
                }
            }
            Block::Table(table) => columns::align(&mut text, table, width),
            Block::Item(term, description) => {
                let _ = writeln!(text, "  {term}");
                for line in columns::wrap(description, width.saturating_sub(4)) {
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
