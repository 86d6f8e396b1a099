//! The documentation is true: links, paths, options and commands exist, and transcripts are replayed.

mod copies;
mod links;
mod names;
mod pages;
mod parameters;

use crate::support::golden;
use crate::support::transcript::replay;

/// Every ```` ```console ```` block of the book, except for the tutorials, which `tests/tutorials.rs`
/// replays.
#[test]
fn transcripts_show_the_output_of_their_commands() {
    let mut run = 0;
    for page in pages::book().iter().filter(|page| !page.name.starts_with("plugin-tutorial")) {
        if page.text.contains("```console") {
            let (_, done) = replay(&page.name, &format!("docs-{}", page.name));
            run += done.len();
        }
    }
    assert!(run > 0, "no command was found");
}

#[test]
fn the_picture_of_the_demo_shows_a_run_of_the_demo() {
    let (folder, _) = replay("output-files.md", "docs-picture");
    let written = std::fs::read_to_string(folder.join("out/demo/trajectory.svg")).unwrap();
    golden::picture("demo.svg", &written);
}
