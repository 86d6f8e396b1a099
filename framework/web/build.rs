//! Builds the page with npm if the program is to contain it.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_PAGE").is_none() {
        return;
    }
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    for name in ["src", "build.mjs", "package.json", "package-lock.json"] {
        println!("cargo::rerun-if-changed={}", web.join(name).display());
    }
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let changed = |name| web.join(name).metadata().and_then(|data| data.modified()).ok();
    // npm writes the first of them when it installs
    if changed("node_modules/.package-lock.json") < changed("package-lock.json") {
        npm(&web, &["ci", "--no-audit", "--no-fund", "--ignore-scripts"]);
    }
    npm(&web, &["run", "--silent", "build", "--", &out]);
}

fn npm(folder: &Path, words: &[&str]) {
    let command = format!("npm {}", words.join(" "));
    let found = if cfg!(windows) { "npm.cmd" } else { "npm" };
    match Command::new(found).args(words).current_dir(folder).output() {
        Ok(output) if output.status.success() => {}
        Ok(output) => panic!(
            "`{command}` failed in {}:\n{}{}",
            folder.display(),
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => panic!(
            "the feature `view` needs npm, which comes with Node.js: `{command}` cannot be started: {error}"
        ),
    }
}
