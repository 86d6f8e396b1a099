//! The plugins that some worlds of `worlds/` need.

use std::path::PathBuf;
use std::process::Command;

use crate::projects;

/// Folders of them, built.
pub fn folders() -> Vec<PathBuf> {
    let c = projects::scratch("alone-c_examples");
    for (compiler, standard, source) in [
        ("cc", "-std=c99", "coulomb.c"),
        ("cc", "-std=c99", "cruise.c"),
        ("c++", "-std=c++17", "table.cpp"),
    ] {
        let name = source.split('.').next().unwrap();
        let library = c.join(format!("{name}{}", std::env::consts::DLL_SUFFIX));
        let status = Command::new(compiler)
            .args([standard, "-O2", "-ffp-contract=off", "-shared", "-fPIC", "-I"])
            .arg(projects::root().join("sdk/c"))
            .arg("-o")
            .args([&library, &projects::root().join("sdk/c/example").join(source)])
            .arg("-lm")
            .status();
        assert!(status.unwrap().success(), "{source}");
    }
    vec![c, projects::project("docs/examples/burckhardt", "burckhardt")]
}
