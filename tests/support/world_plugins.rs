//! The plugins that some worlds of `worlds/` need.

use std::path::PathBuf;
use std::process::Command;

use super::projects;
use super::world_files::WorldFile;

/// Returns whether a world has a model in C++, which a machine with Rust and a linker cannot build.
pub fn needs_cpp(world: &WorldFile) -> bool {
    world.name == "c_plugin"
}

/// Builds the plugins in C and Rust, and returns the folders that hold them.
pub fn folders() -> Vec<PathBuf> {
    for source in ["coulomb.c", "cruise.c"] {
        build("cc", "-std=c99", source);
    }
    vec![c_folder(), projects::project("docs/examples/burckhardt", "burckhardt")]
}

/// As [`folders`], with the plugin in C++.
pub fn folders_with_cpp() -> Vec<PathBuf> {
    build("c++", "-std=c++17", "table.cpp");
    folders()
}

fn c_folder() -> PathBuf {
    projects::scratch("alone-c_examples")
}

fn build(compiler: &str, standard: &str, source: &str) {
    let name = source.split('.').next().unwrap();
    let library = c_folder().join(format!("{name}{}", std::env::consts::DLL_SUFFIX));
    let status = Command::new(compiler)
        .args([standard, "-O2", "-ffp-contract=off", "-shared", "-fPIC", "-I"])
        .arg(projects::root().join("sdk/c"))
        .arg("-o")
        .args([&library, &projects::root().join("sdk/c/example").join(source)])
        .arg("-lm")
        .status();
    assert!(status.unwrap().success(), "{source}");
}
