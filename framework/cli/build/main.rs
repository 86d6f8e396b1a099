//! Passes the commit, the target and the profile of a build to the program, for `--version --verbose`, packs the source of
//! the SDK for `plugin new`, and lets the linker keep one copy of equal functions.

#![expect(clippy::print_stdout, reason = "cargo reads what a build script prints")]

mod sdk;

use std::path::Path;
use std::process::Command;

fn main() -> std::io::Result<()> {
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
    // a release does not depend on the place where it was built
    println!("cargo:rerun-if-env-changed=SIMHOST_RELEASE");
    let tree = match std::env::var_os("SIMHOST_RELEASE") {
        Some(_) => String::new(),
        None => concat!(env!("CARGO_MANIFEST_DIR"), "/../..").to_owned(),
    };
    println!("cargo:rustc-env=SIMHOST_TREE={tree}");
    sdk::pack()?;
    if links_with_rust_lld() {
        println!("cargo:rustc-link-arg-bins=-Wl,--icf=all");
    }
    println!("cargo:rerun-if-changed=build");
    // the log of HEAD changes with each commit and each checkout
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]);
    if let Some(log) = log.filter(|log| Path::new(log).exists()) {
        println!("cargo:rerun-if-changed={log}");
    }
    Ok(())
}

/// Returns whether a release is linked with the linker of rustup's toolchain for this target, which
/// folds functions with equal code; generic functions have a copy per crate. Data keep their
/// addresses, which identify models, and nothing compares functions by address: the lint
/// `unpredictable_function_pointer_comparisons` reports it. With `safe`, the linker would fold nothing,
/// because rustc does not mark functions whose address matters. Another linker may not know the option.
fn links_with_rust_lld() -> bool {
    const TARGET: &str = "x86_64-unknown-linux-gnu";
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let is_chosen = std::env::var_os("RUSTC_LINKER").is_some();
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    if [variable("TARGET"), variable("HOST")] != [TARGET; 2] || variable("PROFILE") != "release" {
        return false;
    }
    let sysroot = Command::new(variable("RUSTC")).args(["--print", "sysroot"]).output();
    let sysroot = sysroot.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    let has_lld = sysroot.is_some_and(|sysroot| {
        let tools = Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET).join("bin");
        tools.join("gcc-ld/ld.lld").exists()
    });
    has_lld && !is_chosen && !flags.contains("link")
}
