//! The tutorials, replayed: every command, its output, and the picture at the end.

use std::path::Path;

use crate::support::golden;
use crate::support::transcript::replay;

/// Compares the picture on a page with the picture that its commands write.
fn picture(made: &Path, shown: &str) {
    let made = std::fs::read_to_string(made).unwrap();
    assert!(made.starts_with("<svg"), "{made}");
    golden::picture(shown, &made);
}

#[test]
fn from_nothing_to_a_running_model_in_rust() {
    let (folder, done) = replay("plugin-tutorial-rust.md", "tutorial-rust");
    assert!(done.len() >= 5, "{done:?}");
    picture(&folder.join("magic/out/trajectory.svg"), "magic-rust.svg");
}

#[test]
fn from_nothing_to_a_running_model_in_c() {
    let (folder, done) = replay("plugin-tutorial-c.md", "tutorial-c");
    assert!(done.len() >= 5, "{done:?}");
    picture(&folder.join("brush/out/trajectory.svg"), "brush-c.svg");
}
