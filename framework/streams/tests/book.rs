//! The reference of types in the book agrees with the code. `UPDATE_EXPECT=1` rewrites it.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use std::fmt::Write;
use std::path::Path;

use simhost_streams::{Count, StreamType, types};

const PAGE: &str = "../../docs/src/streams.md";
const BEGIN: &str = "<!-- types: written by framework/streams/tests/book.rs -->\n";
const END: &str = "<!-- end of types -->\n";

/// Breaks a paragraph into lines of at most 100 characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().unwrap();
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= 100 {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}

fn section(kind: &StreamType) -> String {
    let doc = wrapped(&format!("`{}`. {}", kind.message, kind.doc));
    let mut text = format!("### {}\n\n{doc}\n", kind.name);
    if kind.fields.is_empty() {
        return text;
    }
    text.push_str("\n| Field | Values | Unit | Meaning |\n|---|---|---|---|\n");
    for field in kind.fields.iter() {
        let count = match field.count {
            Count::One => "1".to_owned(),
            Count::Fixed(count) => count.to_string(),
            Count::PerLabel(1) => "1 per label".to_owned(),
            Count::PerLabel(count) => format!("{count} per label"),
            Count::Rest => "any number".to_owned(),
            Count::Text => "a text".to_owned(),
            Count::Texts(_) => "texts".to_owned(),
            Count::Bytes => "bytes".to_owned(),
        };
        writeln!(text, "| `{}` | {count} | {} | {} |", field.name, field.unit, field.doc).unwrap();
    }
    text
}

#[test]
fn the_book_lists_the_types_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    let sections: Vec<String> = types::ALL.iter().map(section).collect();
    let expected = format!("\n{}\n", sections.join("\n"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{expected}{END}{after}")).unwrap();
        return;
    }
    assert!(found == expected, "{PAGE} differs from the code: run the test with UPDATE_EXPECT=1");
}
