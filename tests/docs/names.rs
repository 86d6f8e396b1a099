//! Paths, options and commands that the documentation names exist.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use super::pages;

use crate::support::projects::root;

/// Folders of the repository whose files the documentation names.
const FOLDERS: [&str; 9] = [
    "benches/",
    "docs/",
    "framework/",
    "fuzz/",
    "plugins/",
    "sdk/",
    "tests/",
    "validation/",
    "worlds/",
];

/// Files and folders that commands create.
const GENERATED: [&str; 8] = [
    "docs/book",
    "fuzz/corpus",
    "plugins/my_tyre.wasm",
    "plugins/pid.so",
    "plugins/pilot.so",
    "plugins/rubber_c.so",
    "tests/physics.c",
    "worlds/schema",
];

/// Options of other programs that the documentation shows.
const FOREIGN: &[&str] = &[
    // mvsim launch
    "--headless",
    "--realtime-factor",
    // ros2 run
    "--params-file",
    // rosbags-convert
    "--src",
    "--dst",
    // clang and wasm-ld
    "--export-dynamic",
    // gdb
    "--args",
    "--target-dir",
    // cargo and rustc
    "--all",
    "--all-targets",
    "--no-deps",
    "--open",
    "--bench",
    "--bin",
    "--check",
    // sbatch
    "--wait",
    "--examples",
    "--example",
    "--features",
    "--ignored",
    "--lib",
    "--locked",
    "--manifest-path",
    "--nocapture",
    "--offline",
    "--package",
    "--path",
    "--profile",
    "--release",
    "--test",
    "--target",
    "--vers",
    "--wheel",
    "--version",
    "--workspace",
    "--no-default-features",
    "--git",
    "--rev",
    // apt-get
    "--no-install-recommends",
    // cmake and ctest
    "--build",
    "--test-dir",
    "--output-on-failure",
    "--config",
    // CleanRL
    "--env-id",
    "--num-envs",
    "--num-steps",
    "--learning-rate",
    "--total-timesteps",
    // others
    "--show-plot",
    "--whole-archive",
    "--no-whole-archive",
    "--cost",
    "--dry-run",
    "--glibc",
    "--twice",
    "--noout",
    "--schema",
    "--help",
];

/// Verbs of the command line with subcommands.
fn verbs() -> Vec<Vec<&'static str>> {
    let plugin = [
        "list", "info", "doc", "new", "check", "bench", "replay", "pack", "install", "remove",
        "fmu",
    ]
    .map(|verb| vec!["plugin", verb]);
    let verbs = [
        "run",
        "rerun",
        "check",
        "test",
        "quantities",
        "print",
        "schema",
        "plugin",
        "diff",
        "recover",
        "export",
        "play",
        "view",
        "export-page",
        "page",
        "top",
        "streams",
        "sense",
        "sweep",
        "manoeuvre",
        "vehicle",
        "import",
        "roads",
        "scenario",
        "ros2",
        "fmu",
        "plot",
        "report",
        "film",
        "replay",
        "demo",
        "new",
        "completions",
        "man",
    ];
    let verbs = verbs.map(|verb| vec![verb]);
    let sweep = ["show", "chunk"].map(|verb| vec!["sweep", verb]);
    verbs.into_iter().chain(plugin).chain(sweep).collect()
}

/// Returns every option that `--help` of any verb lists, here or in a program with ROS 2 and FMI.
fn options() -> BTreeSet<String> {
    let mut options = BTreeSet::new();
    for verb in verbs() {
        let output =
            Command::new(env!("CARGO_BIN_EXE_simhost")).args(&verb).arg("--help").output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{verb:?}");
        options.extend(words(&help));
    }
    let ros2 = std::fs::read_to_string(root().join("framework/cli/src/arguments/ros2.rs")).unwrap();
    let names = ros2.split("long = \"").skip(1).filter_map(|rest| rest.split('"').next());
    options.extend(names.map(|name| format!("--{name}")));
    let fmu = ["framework/cli/src/fmu.rs", "framework/cli/src/arguments/fmu.rs"]
        .map(|path| std::fs::read_to_string(root().join(path)).unwrap())
        .concat();
    let fields = fmu.split("#[arg(").filter(|rest| rest.contains("long"));
    let names = fields.filter_map(|rest| rest.split("pub ").nth(1)?.split(':').next());
    options.extend(names.map(|name| format!("--{}", name.replace('_', "-"))));
    options
}

/// Returns the long options in a text.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let long = parts.filter(|word| word.len() > 3 && word.starts_with("--"));
    let named = long.filter(|word| word.as_bytes()[2].is_ascii_lowercase());
    named.map(|word| word.trim_end_matches('-').to_owned()).collect()
}

#[test]
fn options_exist() {
    let known = options();
    assert!(known.contains("--plugin-dir"), "{known:?}");
    let mut wrong = Vec::new();
    for page in pages::all() {
        for word in page.code().iter().flat_map(|code| words(code)) {
            if !known.contains(&word) && !FOREIGN.contains(&word.as_str()) {
                wrong.push(format!("{}: {word}", page.name));
            }
        }
    }
    assert!(wrong.is_empty(), "options that no verb has: {wrong:#?}");
}

#[test]
fn verbs_exist() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in pages::all() {
        for code in page.code() {
            let start = code.trim_start_matches("$ ");
            let words: Vec<&str> = start.split_whitespace().collect();
            let Some((&"simhost", rest)) = words.split_first() else { continue };
            count += 1;
            let given: Vec<&str> = rest.iter().copied().take(2).collect();
            let is_verb = verbs().iter().any(|verb| {
                given.starts_with(verb) || (verb.len() == 1 && given.first() == verb.first())
            });
            let is_plain = given.first().is_none_or(|word| {
                word.contains(['.', '-', '/', '[', '<']) || word.chars().all(char::is_uppercase)
            });
            let is_subcommand = given.first() != Some(&"plugin")
                || given.get(1).is_none_or(|word| verbs().contains(&vec!["plugin", word]));
            if !(is_verb || is_plain || given.first() == Some(&"help")) || !is_subcommand {
                wrong.push(format!("{}: {code}", page.name));
            }
        }
    }
    assert!(count > 0, "no command was found");
    assert!(wrong.is_empty(), "commands that do not exist: {wrong:#?}");
}

#[test]
fn paths_exist() {
    let mut wrong = Vec::new();
    let mut count = 0;
    // the tutorials name files of the project that they create
    for page in pages::all().iter().filter(|page| !page.name.starts_with("plugin-tutorial")) {
        for code in page.code() {
            let words = code.split(|c: char| c.is_whitespace() || "\"'()<>=,;:".contains(c));
            for word in words.filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder))) {
                let path = word.trim_end_matches(['.', '…']);
                if GENERATED.iter().any(|folder| Path::new(path).starts_with(folder))
                    || path.contains(['*', '…', '{', '$'])
                    || path.chars().any(char::is_uppercase)
                {
                    continue;
                }
                count += 1;
                if !root().join(path).exists() {
                    wrong.push(format!("{}: {word}", page.name));
                }
            }
        }
    }
    assert!(count > 0, "no path was found");
    assert!(wrong.is_empty(), "paths that do not exist: {wrong:#?}");
}

/// The workflow for pull requests runs every step of `.ci/run` once on x86-64.
#[test]
fn the_workflow_runs_every_step() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let script = read(".ci/run");
    let steps = script.lines().filter_map(|line| line.strip_prefix("step_")?.split_once("()"));
    let mut steps: Vec<&str> = steps.map(|(step, _)| step).collect();
    let workflow = read(".github/workflows/checks.yml");
    let (_, job) = workflow.split_once("\n  x86-64:\n").unwrap();
    let (job, _) = job.split_once("\n    runs-on:").unwrap();
    let groups = job.lines().filter_map(|line| line.trim().strip_prefix("- "));
    let mut run: Vec<&str> = groups.flat_map(str::split_whitespace).collect();
    steps.sort_unstable();
    run.sort_unstable();
    assert!(steps.len() > 20, "{steps:?}");
    assert_eq!(run, steps);
}
