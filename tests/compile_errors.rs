//! Mistakes in the declarations of a model do not compile, and the error points at the field.

use std::collections::BTreeSet;
use std::process::Command;

use crate::support::projects::{root, scratch};

/// An error: its line and its message.
type Error = (usize, String);

/// Compiles a file of `tests/plugins/mistakes` and returns its errors.
fn compile(name: &str) -> BTreeSet<Error> {
    let project = scratch("mistakes").join(name);
    std::fs::create_dir_all(&project).unwrap();
    let [source, sdk] = [format!("tests/plugins/mistakes/{name}.rs"), "sdk".to_owned()]
        .map(|path| root().join(path).display().to_string());
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\npath = \
         {source:?}\n\n[dependencies]\nsimhost-sdk = {{ path = {sdk:?} }}\n\n[workspace]\n"
    );
    std::fs::write(project.join("Cargo.toml"), manifest).unwrap();
    let output = Command::new(env!("CARGO"))
        // the SDK is that of other tests
        .args(["build", "--message-format", "short"])
        .current_dir(&project)
        .env("CARGO_TARGET_DIR", scratch("plugins"))
        .output()
        .unwrap();
    assert!(!output.status.success(), "{name} compiles");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let error = |line: &str| {
        let (_, rest) = line.split_once(&format!("{name}.rs:"))?;
        let (place, message) = rest.split_once(": error")?;
        let (_, message) = message.split_once(": ")?;
        let message = message.trim_start_matches("evaluation panicked: ");
        let message = message.split_once(": evaluation of ").map_or(message, |(text, _)| text);
        Some((place.split(':').next()?.parse().ok()?, message.to_owned()))
    };
    let errors: BTreeSet<Error> = text.lines().filter_map(error).collect();
    assert!(!errors.is_empty(), "{text}");
    errors
}

/// Returns the errors that the comments of a file announce.
fn announced(name: &str) -> BTreeSet<Error> {
    let source = root().join(format!("tests/plugins/mistakes/{name}.rs"));
    let source = std::fs::read_to_string(source).unwrap();
    let comment = |(number, line): (usize, &str)| {
        let (code, message) = line.split_once(" // ")?;
        (!code.trim().is_empty()).then(|| (number + 1, message.to_owned()))
    };
    source.lines().enumerate().filter_map(comment).collect()
}

#[test]
fn every_mistake_is_an_error_at_its_field() {
    for name in ["macros", "values", "states"] {
        assert_eq!(compile(name), announced(name), "{name}");
    }
}
