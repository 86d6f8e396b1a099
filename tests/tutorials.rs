//! The tutorials, replayed: every command, its output, and the picture at the end.

use std::path::Path;

use crate::support::transcript::{replay, root};

/// Compares the picture that a page shows with the one that its commands write. `UPDATE_EXPECT=1`
/// replaces the picture of the page.
fn picture(made: &Path, shown: &str) {
    let shown = root().join("docs/src/images").join(shown);
    let made = std::fs::read_to_string(made).unwrap();
    assert!(made.starts_with("<svg"), "{made}");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&shown, &made).unwrap();
    }
    let same = std::fs::read_to_string(&shown).is_ok_and(|text| text == made);
    assert!(same, "{} differs from the picture of the run", shown.display());
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
