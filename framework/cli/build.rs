//! Passes the commit, the target and the profile of a build to the program, for `--version --verbose`.

use std::path::Path;
use std::process::Command;

fn main() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && !text.is_empty()).then_some(text)
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"]);
    println!("cargo:rustc-env=SIMHOST_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
    for (name, from) in [("SIMHOST_TARGET", "TARGET"), ("SIMHOST_PROFILE", "PROFILE")] {
        println!("cargo:rustc-env={name}={}", std::env::var(from).unwrap_or_default());
    }
    println!("cargo:rerun-if-changed=build.rs");
    // the log of HEAD changes with each commit and each checkout
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]);
    if let Some(log) = log.filter(|log| Path::new(log).exists()) {
        println!("cargo:rerun-if-changed={log}");
    }
}
