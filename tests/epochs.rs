//! A plugin of each past ABI epoch still runs. Their sources are never edited.

use std::process::Command;

use crate::support::world::{World, differential, model};
use crate::support::{bad_plugins, projects};

#[test]
fn a_plugin_of_epoch_1_runs() {
    let robot = differential().controller(model("twist_pid").set("V", 1)).pose(0, 0, 0);
    let robot = robot.friction(model("c_coulomb").set("mu", 0.5));
    let sources = projects::root().join("tests/data/epoch_1");
    let plugins = projects::scratch("epoch_1");
    let output = Command::new("cc")
        .args(["-std=c99", "-O2", "-ffp-contract=off", "-shared", "-fPIC", "-I"])
        .arg(&sources)
        .arg("-o")
        .arg(plugins.join(bad_plugins::library_name("c_coulomb")))
        .arg(sources.join("coulomb.c"))
        .arg("-lm")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let run = World::new().vehicle("a", robot).plugins(&plugins).run(3.0);
    assert!(run.warnings.is_empty(), "{:?}", run.warnings);
    let speed = run.last("a", "vx_mps");
    assert!((speed - 1.0).abs() < 0.05, "{speed}");
}
