//! The page of errors shows the output of the program.
//!
//! With `UPDATE_EXPECT=1` the page is rewritten with the current output.

use std::path::PathBuf;

use crate::support::world::World;

const WORLD: &str = "```xml\n";
const ERRORS: &str = "```text\n";
const END: &str = "```\n";
/// Number of worlds on the page.
const COUNT: usize = 20;

fn page_path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/world-errors.md")
}

/// Part of the page: the text before the errors, with the world in it, and the errors.
struct Case<'p> {
    before: &'p str,
    world: &'p str,
    errors: &'p str,
}

/// Returns the cases of a page, and the text after the last one.
fn cases(page: &str) -> (Vec<Case<'_>>, &str) {
    let mut cases = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find(ERRORS) {
        let (before, after) = rest.split_at(at + ERRORS.len());
        let begin = before.rfind(WORLD).expect("a world stands before its errors") + WORLD.len();
        let world = &before[begin..];
        let world = &world[..world.find(END).expect("the block of a world ends")];
        let end = after.find(END).expect("the block of errors ends");
        cases.push(Case { before, world, errors: &after[..end] });
        rest = &after[end..];
    }
    (cases, rest)
}

/// Returns what `simhost check` prints to standard error for a world.
fn said(world: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    std::fs::write(folder.join("world.xml"), world).unwrap();
    let errors = World::of_path(&folder.join("world.xml")).errors();
    let texts: Vec<&str> = errors.iter().map(|error| error.rendered.trim_end()).collect();
    // the name of the folder differs from run to run
    format!(
        "{}\n",
        texts
            .join("\n\n")
            .replace(&format!("{}/world.xml", folder.display()), "world.xml")
            .replace(folder.to_str().unwrap(), "FOLDER")
    )
}

#[test]
fn every_world_of_the_page_gives_the_errors_beside_it() {
    let page = std::fs::read_to_string(page_path()).unwrap();
    let (cases, rest) = cases(&page);
    assert_eq!(cases.len(), COUNT);
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1") {
        let mut text = String::new();
        for case in &cases {
            text += case.before;
            text += &said(case.world);
        }
        std::fs::write(page_path(), text + rest).unwrap();
        return;
    }
    for Case { world, errors, .. } in cases {
        let said = said(world);
        let lines = errors.lines().zip(said.lines());
        for (number, (shown, said)) in lines.enumerate() {
            assert_eq!(shown, said, "line {} of the errors of\n{world}", number + 1);
        }
        assert_eq!(errors.lines().count(), said.lines().count(), "{said}\nis said of\n{world}");
    }
}
