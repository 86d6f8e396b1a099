//! The tutorials of the guide, replayed: every command, what it prints, and the picture at the end.

#![allow(clippy::unwrap_used)]

#[path = "support/transcript.rs"]
mod transcript;

use std::path::{Path, PathBuf};

use transcript::Replay;

const SIMHOST: &str = env!("CARGO_BIN_EXE_simhost");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Replays a page in an empty folder: the folder, and the commands that were run.
fn replay(page: &str, name: &str) -> (PathBuf, Vec<String>) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = target.join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join(".home")).unwrap();
    let programs = Path::new(SIMHOST).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([programs].into_iter().chain(std::env::split_paths(&path)));
    let home = |name: &str| folder.join(".home").join(name).to_str().unwrap().to_owned();
    let environment = vec![
        ("PATH", path.unwrap().into_string().unwrap()),
        ("CARGO_NET_OFFLINE", "true".into()),
        // what other tests have compiled of the SDK is not compiled again
        ("CARGO_BUILD_BUILD_DIR", target.join("plugins").to_str().unwrap().to_owned()),
        ("XDG_DATA_HOME", home("data")),
        ("XDG_CACHE_HOME", home("cache")),
    ];
    let text = std::fs::read_to_string(root().join("docs/src").join(page)).unwrap();
    let mut replay = Replay::new(&folder, environment);
    replay.page(&text);
    (folder, replay.done)
}

/// The picture that a page shows is the one that its commands make; `UPDATE_EXPECT=1` puts it there.
fn picture(made: &Path, shown: &str) {
    let shown = root().join("docs/src/images").join(shown);
    let made = std::fs::read_to_string(made).unwrap();
    assert!(made.starts_with("<svg"), "{made}");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&shown, &made).unwrap();
    }
    let same = std::fs::read_to_string(&shown).is_ok_and(|text| text == made);
    assert!(same, "{} is not what the page shows", shown.display());
}

#[test]
fn from_nothing_to_a_running_model_in_rust() {
    let (folder, done) = replay("plugin-tutorial-rust.md", "tutorial-rust");
    assert!(done.len() >= 5, "{done:?}");
    picture(&folder.join("magic/out/trajectory.svg"), "magic-rust.svg");
}

#[test]
#[ignore = "needs cmake"]
fn from_nothing_to_a_running_model_in_c() {
    let (folder, done) = replay("plugin-tutorial-c.md", "tutorial-c");
    assert!(done.len() >= 5, "{done:?}");
    picture(&folder.join("brush/out/trajectory.svg"), "brush-c.svg");
}
