//! Code in pages that is a copy of a file, so that the pages can be read without mdBook.
//!
//! `<!-- copy: ../examples/embed.rs -->` begins a copy of a whole file, `<!-- copy: ../examples/embed.rs:36:65 -->` one
//! of some lines, and `<!-- end -->` ends it.

use std::path::Path;

use super::pages;
use crate::support::golden;

const BEGIN: &str = "<!-- copy: ";

/// Returns the code block for the words of a marker: a path relative to the page, with the first and last line.
fn block(folder: &Path, words: &str) -> Result<String, String> {
    let mut words = words.split(':');
    let path = words.next().unwrap_or_default();
    let mut number = |usual| words.next().map_or(Ok(usual), |word| word.parse::<usize>());
    let lines = number(1).and_then(|first| Ok(first..=number(usize::MAX)?));
    let lines = lines.map_err(|error| format!("{path}: {error}"))?;
    let text = std::fs::read_to_string(folder.join(path));
    let text = text.map_err(|error| format!("{path}: {error}"))?;
    let chosen: Vec<&str> = (1..)
        .zip(text.lines())
        .filter(|(at, _)| lines.contains(at))
        .map(|(_, line)| line)
        .collect();
    let language = match path.rsplit('.').next() {
        Some("rs") => "rust",
        Some(end) => end,
        None => "",
    };
    match chosen.is_empty() {
        true => Err(format!("{path} has no such lines")),
        false => Ok(format!("```{language}\n{}\n```\n", chosen.join("\n"))),
    }
}

#[test]
fn copies_of_code_are_current() {
    let mut copies = 0;
    for page in pages::all() {
        let folder = page.path.parent().unwrap();
        let made = pages::renewed(&page.text, BEGIN, |words| block(folder, words));
        let made = made.unwrap_or_else(|error| panic!("{}: {error}", page.name));
        copies += made.matches(BEGIN).count();
        golden::file(&page.path, &made);
        assert!(!page.text.contains("{{#include"), "{} shows code in mdBook alone", page.name);
    }
    assert!(copies > 0, "no copy was found");
}

#[test]
fn a_copy_of_nothing_is_an_error() {
    let folder = crate::support::projects::root().join("docs/src");
    let lines = block(&folder, "../examples/embed.rs:1:2").unwrap();
    assert!(lines.starts_with("```rust\n") && lines.lines().count() == 4, "{lines}");
    for words in ["../examples/nothing.rs", "../examples/embed.rs:9000", "../examples/embed.rs:x"] {
        assert!(block(&folder, words).is_err(), "{words}");
    }
}
