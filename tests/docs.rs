//! The documentation is true: links, paths, options and commands exist, and transcripts are replayed.

mod copies;
mod features;
mod links;
mod names;
mod pages;
mod parameters;
mod speed;

use crate::support::golden;
use crate::support::projects::root;
use crate::support::transcript::replay;

/// Every ```` ```console ```` block of the book, except for the tutorials, which `tests/tutorials.rs`
/// replays.
#[test]
fn transcripts_show_the_output_of_their_commands() {
    let (mut run, mut pictures) = (0, 0);
    for page in pages::book().iter().filter(|page| !page.name.starts_with("plugin-tutorial")) {
        if page.text.contains("```console") {
            let (folder, done) = replay(&page.name, &format!("docs-{}", page.name));
            run += done.len();
            // the picture of a page about a task, unless it needs Python
            let name = page.name.replace(".md", ".svg");
            if page.name.starts_with("task-")
                && let Ok(made) = std::fs::read_to_string(folder.join(&name))
            {
                golden::picture(&name, &made);
                pictures += 1;
            }
        }
    }
    assert!(run > 0 && pictures >= 4, "{run} commands and {pictures} pictures were found");
}

#[test]
fn the_picture_of_the_demo_shows_a_run_of_the_demo() {
    let (folder, _) = replay("output-files.md", "docs-picture");
    let written = std::fs::read_to_string(folder.join("out/demo/trajectory.svg")).unwrap();
    golden::picture("demo.svg", &written);
}

/// The six walks of the page on the architecture: their files exist, and the table counts them.
#[test]
fn walks_pass_through_files_that_exist() {
    let page = pages::book().into_iter().find(|page| page.name == "architecture.md").unwrap().text;
    let (_, walks) = page.split_once("\n## Walks\n").unwrap();
    let (walks, _) = walks.split_once("\n## ").unwrap();
    let mut walks = walks.split("\n**");
    let counted = walks.next().unwrap().lines().filter_map(|row| {
        let (name, count) = row.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ")?;
        Some((name.to_owned(), count.parse().ok()?))
    });
    let counted: Vec<(String, usize)> = counted.collect();
    let found = walks.map(|walk| {
        let (name, text) = walk.split_once(".**").unwrap();
        let folders = text.split("\n* `").skip(1);
        let files = folders.flat_map(|line| {
            let mut names = line.split('`').step_by(2);
            let folder = names.next().unwrap();
            names.map(move |file| format!("{folder}/{file}.rs"))
        });
        let files: Vec<String> = files.collect();
        for file in &files {
            assert!(root().join(file).is_file(), "{name}: there is no {file}");
        }
        (name.to_owned(), files.len())
    });
    let found: Vec<(String, usize)> = found.collect();
    assert_eq!(found.len(), 6);
    assert_eq!(found, counted);
}
