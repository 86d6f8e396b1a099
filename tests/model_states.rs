//! States and memory of plugin models in snapshots, with random numbers, faults and other versions.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::support::world::{World, differential, model};
use crate::support::{Outcome, Workspace, bad_plugins, projects};

/// Builds the plugin whose models have memory, draw random numbers and fault; returns its folder.
fn plugin() -> &'static str {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || projects::project("tests/plugins/panics", "panics");
    BUILT.get_or_init(build).to_str().unwrap()
}

/// Returns a world with vehicles on a circle, one per friction element.
fn world(settings: &str, frictions: &[&str]) -> Workspace {
    let mut world = World::new().step(0.01).xml(settings);
    for (number, friction) in frictions.iter().enumerate() {
        let controller = model("twist_pid").set("V", 1).set("W", 20);
        let robot = differential().controller(controller).pose(0, 5 * number, 0).xml(friction);
        world = world.vehicle(&format!("v{number}"), robot);
    }
    world.workspace()
}

fn run(workspace: &Workspace, plugins: &str, more: &[&str]) -> Outcome {
    let all = ["world.xml", "--duration", "3", "--hash-every", "0.5", "--plugin-dir", plugins];
    workspace.run(&[&all[..], more].concat())
}

fn hash(outcome: &Outcome) -> &str {
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    outcome.stdout.lines().find(|line| line.starts_with("state hash ")).unwrap()
}

#[test]
fn memories_draws_and_faults_go_on() {
    let faults = "<plugin_faults on=\"panic\" action=\"disable\"/>\
                  <plugin_faults on=\"non_finite\" action=\"fallback\"/>";
    let frictions = ["wanders", "wanders", "panics_late", "not_a_number"]
        .map(|class| format!("<friction class=\"{class}\"/>"));
    let workspace = world(faults, &frictions.each_ref().map(String::as_str));
    let whole = run(&workspace, plugin(), &["--out", "out", "--snapshot-every", "0.4"]);
    assert!(whole.stdout.contains("  disabled at 1 s, vehicle 'v2'"), "{}", whole.stdout);
    assert!(whole.stdout.contains("  default friction took over at 1 s"), "{}", whole.stdout);
    for step in [40, 80, 120, 160, 200, 240, 280] {
        let file = format!("out/step-{step}.snapshot");
        let rest = run(&workspace, plugin(), &["--resume", &file]);
        assert_eq!(hash(&rest), hash(&whole), "from step {step}");
        // faults from before the snapshot are reported too
        let told = |outcome: &Outcome| {
            let lines = outcome.stdout.lines().filter(|line| line.contains(" s, vehicle "));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(told(&rest), told(&whole));
    }
    // memory matters: another seed before the snapshot gives another end
    let six = ["--seed", "6", "--out", "six", "--snapshot-every", "2"];
    run(&workspace, plugin(), &six);
    let mixed = run(&workspace, plugin(), &["--resume", "six/step-200.snapshot", "--seed", "0"]);
    assert_ne!(hash(&mixed), hash(&whole));
}

#[test]
fn a_plugin_that_is_another_is_refused() {
    let workspace = world("", &["<friction class=\"counter\"/>"]);
    let folder = workspace.path("plugins");
    let install = |macros: &[&str]| {
        let built = bad_plugins::build_of("counter.c", &workspace.path("built"), "counter", macros);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::rename(built, folder.join(bad_plugins::library_name("counter"))).unwrap();
    };
    install(&[]);
    hash(&run(&workspace, "plugins", &["--out", "out", "--snapshot-every", "1"]));
    for (macros, says, may_be_forced) in [
        (
            &["VERSION=\"2.0.0\""][..],
            "friction tests/counter had version 0.1.0 and now has version 2.0.0",
            true,
        ),
        (
            &["PADDING"],
            "friction tests/counter still has version 0.1.0, but its file has changed",
            true,
        ),
        (
            &["RENAMED"],
            "friction tests/counter had the state slot `calls` and now has the state slot `count`",
            false,
        ),
    ] {
        install(macros);
        let outcome = run(&workspace, "plugins", &["--resume", "out/step-100.snapshot"]);
        assert_eq!(outcome.code, 12, "{}", outcome.stderr);
        assert!(outcome.stderr.contains(says), "{says}\n{}", outcome.stderr);
        assert_eq!(outcome.stderr.contains("--resume-anyway"), may_be_forced, "{}", outcome.stderr);
        let forced = ["--resume", "out/step-100.snapshot", "--resume-anyway"];
        let outcome = run(&workspace, "plugins", &forced);
        assert_eq!(outcome.code, if may_be_forced { 0 } else { 12 }, "{}", outcome.stderr);
    }
    // the first version again
    install(&[]);
    hash(&run(&workspace, "plugins", &["--resume", "out/step-100.snapshot"]));
}

#[test]
fn a_state_that_is_no_number_ends_the_run() {
    let workspace = world("", &["", "<friction class=\"loses\"/>"]);
    let outcome = run(&workspace, plugin(), &["--out", "out"]);
    assert_eq!(outcome.code, 10, "{}", outcome.stderr);
    for part in [
        "at 0.51 s (step 51), vehicle 'v1', wheel ",
        "diverged: state `heat` is not a finite number",
        "friction faulty/loses 0.1.0 (",
        "diverged-51.snapshot holds the state at 0 s",
    ] {
        assert!(outcome.stderr.contains(part), "{part}\n{}", outcome.stderr);
    }
}
