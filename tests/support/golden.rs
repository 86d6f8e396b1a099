//! Committed texts that tests compare with the output of the present program. `UPDATE_EXPECT=1`
//! renews them.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;

use super::projects::root;

/// First lines of the file of messages.
const HEAD: &str = "# Messages about worlds\n\n\
    The errors that tests of worlds expect, as the program shows them. `UPDATE_EXPECT=1` adds those that\n\
    are missing; remove the file first to drop those that no test expects any more.\n";

/// Fence around a message.
const FENCE: [&str; 2] = ["\n```text\n", "\n```\n"];

fn is_renewed() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

/// Compares a committed file.
pub fn file(path: &Path, made: &str) {
    if is_renewed() {
        std::fs::write(path, made).unwrap();
    }
    let same = std::fs::read_to_string(path).is_ok_and(|text| text == made);
    assert!(same, "{} is out of date: set UPDATE_EXPECT=1 to replace it", path.display());
}

/// Compares a picture of the book.
pub fn picture(name: &str, made: &str) {
    file(&root().join("docs/src/images").join(name), made);
}

/// Checks that a rendered message is in `tests/data/messages.md`.
pub fn message(rendered: &str) {
    let text = rendered
        .replace(env!("CARGO_TARGET_TMPDIR"), "PLUGINS")
        .replace(root().to_str().unwrap(), "ROOT")
        .replace(std::env::consts::DLL_SUFFIX, ".so");
    let text = text.trim_end();
    let path = root().join("tests/data/messages.md");
    if is_renewed() {
        return add(&path, text);
    }
    let all = std::fs::read_to_string(&path).unwrap_or_default();
    let is_known = all.contains(&[FENCE[0], text, FENCE[1]].concat());
    assert!(is_known, "set UPDATE_EXPECT=1 to add this to {}:\n{text}", path.display());
}

/// Adds a message to the messages of a file, in their order.
fn add(path: &Path, text: &str) {
    let mut file = File::options();
    let mut file = file.read(true).write(true).create(true).truncate(false).open(path).unwrap();
    // other tests add messages at the same time
    file.lock().unwrap();
    let mut all = String::new();
    file.read_to_string(&mut all).unwrap();
    let mut messages: BTreeSet<&str> =
        all.split(FENCE[0]).skip(1).map(|part| part.split_once(FENCE[1]).unwrap().0).collect();
    messages.insert(text);
    let blocks: String = messages.iter().map(|one| [FENCE[0], one, FENCE[1]].concat()).collect();
    file.rewind().unwrap();
    file.set_len(0).unwrap();
    file.write_all((HEAD.to_owned() + &blocks).as_bytes()).unwrap();
}
